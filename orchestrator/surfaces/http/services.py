"""What the HTTP API stands on, put together by the composition root."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import field
from typing import TYPE_CHECKING

from orchestrator.surfaces.http.limits import ApiLimits
from orchestrator.surfaces.http.prefork import Readiness
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager
    from datetime import datetime
    from pathlib import Path

    from starlette.routing import Route
    from starlette.types import ASGIApp

    from connectors.models.reranking import Reranker
    from orchestrator.access import (
        AuditLog,
        Connecting,
        KeyRing,
        PersonalData,
        Rates,
        RoleBook,
        Tokens,
        TrustedProxy,
        UsageLog,
    )
    from orchestrator.dialogue import ConversationTokens
    from orchestrator.digests.service import DigestService
    from orchestrator.engine import Engine
    from orchestrator.learning import LearningLog
    from orchestrator.surfaces.http.protected import ProtectedResource
    from orchestrator.surfaces.http.state import ServerState
    from orchestrator.websearch import WebSearch


@record
class Mount:
    """Another surface behind the same door: whoever may search may use it.

    Its scope holds the caller under ``caller``. ``running`` is entered while the server runs.
    """

    path: str
    app: ASGIApp
    running: Callable[[], AbstractAsyncContextManager[object]]


@record
class Services:
    """The parts behind the routes. ``keys`` of ``None`` lets everybody in: only for a server on loopback. ``roles``: what people may besides.

    ``tokens``: people's own, of an identity provider; ``proxy``: who is believed when it says who asks. ``resource``: where programs read who signs people in.
    ``connecting``: how people connect accounts of their own, where they can. ``personal_data``: entered to see and to forget what is kept of one. ``digests``: entered with the engine;
    ``runs_schedules``: whether that runs their schedules too.

    ``open_engine`` and ``open_web`` are entered, the reranker is opened when the server starts and left when it has drained; ``clock`` gives the aware moment in
    the zone of the installation, ``zone`` is looked up by name for askers elsewhere. ``feedback``: the file that
    judgments are appended to; ``learning``: what is written down in numbers of what was shown and of what was done with it. ``usage``: what every answer is counted in. ``conversations``: what askers go on from. ``beside`` is entered while the server runs, and ``following`` with its engine, which is to follow what is changed in the settings. ``mounts`` is given the running server and makes what stands beside the routes, ``pages``
    what lets people in by itself, by these services. ``readiness``: that of all processes of the server; ``counted``: the folder in which
    these count together.
    """

    open_engine: Callable[[], AbstractAsyncContextManager[Engine]]
    open_reranker: Callable[[], Reranker]
    open_web: Callable[[], AbstractAsyncContextManager[WebSearch]]
    keys: KeyRing | None
    roles: RoleBook
    clock: Callable[[], datetime]
    rates: Rates
    audit: AuditLog
    feedback: Path
    learning: LearningLog
    usage: UsageLog
    conversations: ConversationTokens
    version: str
    limits: ApiLimits = field(default_factory=ApiLimits)
    rerank_patience: float = 10.0
    tokens: Tokens | None = None
    proxy: TrustedProxy | None = None
    resource: ProtectedResource | None = None
    connecting: Connecting | None = None
    personal_data: Callable[[], AbstractAsyncContextManager[PersonalData]] | None = None
    digests: Callable[[Engine], AbstractAsyncContextManager[DigestService]] | None = None
    runs_schedules: bool = False
    beside: Callable[[], AbstractAsyncContextManager[object]] = nullcontext
    following: Callable[[Engine], AbstractAsyncContextManager[object]] = nullcontext
    readiness: Readiness = field(default_factory=Readiness)
    counted: Path | None = None
    mounts: Callable[[ServerState], tuple[Mount, ...]] = lambda _: ()
    pages: Callable[[Services, ServerState], tuple[Route, ...]] = lambda *_: ()
