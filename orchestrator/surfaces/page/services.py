"""What the page stands on, put together by the composition root: the server's own keys, rates, streams and figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.records import record

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from datetime import datetime

    from starlette.requests import Request
    from starlette.responses import Response

    from orchestrator.access import ApiKey, Caller, Connecting, ProviderSignIn, Scope, Sessions
    from orchestrator.digests.service import DigestService as Digests
    from orchestrator.documents.sources import SourceStates
    from orchestrator.model import Ask
    from orchestrator.surfaces.page.admin_services import AdminServices
    from orchestrator.surfaces.page.setup_services import SourceSetup

    # An event's name and document, and what a reader of the stream is sent.
    EventRenderer = Callable[[str, object], object]


@record
class Judgment:
    """What a reader thought of one result."""

    question: str
    verdict: str
    source: str
    id: str


@record
class PageServices:
    """Each of the callables raises what the server answers with its own refusals; the page words them.

    ``admit``: lets the holder of a key or a person in, or where there is none whoever the request itself says it is, if they have the
    scope and their rate allows. ``sign_in``: how people sign in through their identity provider, where they can. ``events``: what happens to a question, as names and documents, for one request id.
    ``stream``: the same as server-sent events that can be taken up again. ``growing``: a page that is sent as it comes,
    and not for ever to a reader who takes none of it. ``clock`` is aware, ``budget`` in seconds.
    ``secure``: whether browsers reach the page by https alone. ``connecting``: how people connect accounts of their own,
    where they can; ``noted`` is told by whom what is done with one of which source. ``digests``: theirs, where there may be
    any. ``has_sources``: whether there is anything to ask. ``admin`` and ``setup``: for whoever runs the server.
    """

    sessions: Sessions
    admit: Callable[[Request, ApiKey | Caller | None, Scope], Awaitable[Caller]]
    events: Callable[[Ask, str], AsyncIterator[tuple[str, object]]]
    stream: Callable[[Request, Ask, EventRenderer], Response]
    growing: Callable[[AsyncIterator[bytes]], Response]
    judged: Callable[[Caller, Judgment], Awaitable[None]]
    sources: Callable[[Caller], Awaitable[SourceStates]]
    clock: Callable[[], datetime]
    budget: float
    admin: AdminServices
    setup: SourceSetup
    noted: Callable[[Request, Caller, str, str], Awaitable[None]]
    secure: bool = False
    sign_in: ProviderSignIn | None = None
    connecting: Connecting | None = None
    digests: Callable[[], Digests | None] = lambda: None
    has_sources: Callable[[], bool] = lambda: True
