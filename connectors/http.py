"""HTTP for sources: the pure request/parse pair, and all that is done around it.

What a source needs of HTTP is imported from here; the values of one exchange stand in :mod:`connectors.exchange`.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

from connectors.auth import signer_for
from connectors.contract import Call, Credential, Health, Hit, HitPage, SourceDirectory
from connectors.errors import (
    BAD_TOKEN,
    LATE,
    NO_ADDRESS,
    NO_TOKEN,
    Misconfigured,
    Rejected,
    SourceError,
    Throttled,
    Unauthenticated,
    Unavailable,
    advised,
)
from connectors.exchange import (
    MAX_REPLY_BYTES,
    HttpRequest,
    Page,
    Reply,
    Transport,
    answered,
    describe_failure,
    error_for,
    plain_json,
    plain_params,
    reply_from_text,
    reply_time,
    retry_after,
)
from connectors.reads import SharedReads
from connectors.wire import ItemMemo

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from connectors.auth import Signer
    from connectors.errors import Remedy
    from connectors.manifest import Manifest, SourceSettings
    from translators.said import Said
    from translators.translator import NativeQuery

__all__ = [
    "MAX_REPLY_BYTES",
    "HttpRequest",
    "HttpSource",
    "Page",
    "Reply",
    "Transport",
    "answered",
    "describe_failure",
    "error_for",
    "plain_json",
    "plain_params",
    "reply_from_text",
    "reply_time",
    "retry_after",
]

DETAILS_SHARE = 0.85  # of the time that is left when the list is there


class HttpSource(ABC):
    """What most sources implement: pure ``request`` and ``parse``; sending, checking and closing are done here.

    A source whose list is not enough overrides ``details`` (further requests for the hits of a page, sent at once)
    and ``enrich`` (put their replies into the page). A source that tells errors by codes or in words of its own says in
    ``refusal`` where they are and in ``remedies`` what to do; one with its own way of reporting them overrides ``error``. A source where the vendor has an official client overrides ``open_transport``.

    Both are pure, so that what is sent can be seen without sending it:

    >>> from connectors.registry import load_source
    >>> from translators.translator import NativeQuery
    >>> searxng = load_source("searxng")
    >>> source = searxng("web", searxng.settings_type(kind="searxng", base_url="https://search.example"))
    >>> request = source.request(NativeQuery("web", "okta rollout"), Page(limit=10))
    >>> request.method, request.path, request.params["q"]
    ('GET', 'search', 'okta rollout')
    """

    manifest: Manifest
    settings_type: ClassVar[type[SourceSettings]]
    client: ClassVar[tuple[str, ...]] = ("aiohttp",)  # modules of the transport that take long to import
    vendor: ClassVar[str] = ""  # who speaks in errors, where that is not the title
    key_header: ClassVar[str] = ""  # where a secret is no bearer token: the header that it goes into,
    key_parameter: ClassVar[str] = ""  # or the parameter of the address
    example_url: ClassVar[str] = ""  # what an address looks like, where every site has its own and none is known
    remedies: ClassVar[Mapping[int | str, Remedy]] = MappingProxyType(
        {}
    )  # by the vendor's own code, or by HTTP's status
    completes: ClassVar[bool] = False  # whether ``details`` can wait until it is known which hits are wanted
    keeps_details: ClassVar[float] = 60.0  # seconds that what a thing's own request said is not asked for again

    def __init__(self, name: str, settings: SourceSettings) -> None:
        self.name = name
        self.settings = settings
        self.manifest = settings.described(self.manifest)
        self.base_url = settings.base_url or self.manifest.default_url
        self._transport: Transport | None = None
        self._signer = signer_for(name, self.manifest, settings)
        self.known = ItemMemo()
        self._reads = SharedReads(self.keeps_details)

    # -- pure, per source

    @abstractmethod
    def request(self, native: NativeQuery, page: Page) -> HttpRequest:
        """The request for one page of hits; ``page.limit`` is never above the manifest's."""

    @abstractmethod
    def parse(self, reply: Reply) -> HitPage:
        """The hits in a successful reply; raises :class:`BadReply` where its shape is not the documented one."""

    def details(self, page: HitPage) -> tuple[HttpRequest, ...]:  # noqa: ARG002 — a default
        """Further requests that complete the hits of ``page``."""
        return ()

    def enrich(self, page: HitPage, replies: Sequence[Reply | SourceError]) -> HitPage:  # noqa: ARG002 — a default
        """``page`` with what the replies to ``details`` add; a reply that failed costs its detail, not the page."""
        return page

    def error(self, reply: Reply) -> SourceError | None:
        """What is wrong with a reply, if anything; the message is for people and holds no secret."""
        if reply.ok:
            return None
        code, why = self.refusal(reply)
        said = self.told(reply, code, why)
        remedy = self.remedies.get(code) or self.remedies.get(reply.status)
        found = remedy.of(said) if remedy else error_for(reply, said)
        if isinstance(found, Throttled):
            found.retry_after = self.wait(reply)
        return found

    def refusal(self, _reply: Reply, /) -> tuple[str, str]:
        """The vendor's own code for what is wrong, and its words for people; empty where there are none."""
        return "", ""

    def told(self, reply: Reply, _code: str, why: str, /) -> Said:
        """The vendor's error in a sentence, before what to do about it."""
        return answered(self.vendor or self.manifest.title, reply.status, why)

    def wait(self, reply: Reply, /) -> float | None:
        """Seconds until the vendor may be asked again, as far as it says."""
        return retry_after(reply.headers)

    def open_transport(self) -> Transport:
        """How requests travel; called once, inside the running event loop."""
        if self.example_url and not self.settings.base_url:  # a credential goes to that address and nowhere else
            raise Misconfigured(NO_ADDRESS.filled(name=self.name, example=self.example_url))
        from connectors.transport import AiohttpTransport

        return AiohttpTransport(
            self.base_url, self.authorization, self.manifest.limits.concurrency, key_parameter=self.key_parameter
        )

    def authorization(self, secret: str) -> Mapping[str, str]:
        """The headers that carry a credential."""
        if self.key_parameter:
            return {}
        return {self.key_header: secret} if self.key_header else {"Authorization": f"Bearer {secret}"}

    def signed_by(self, signer: Signer) -> None:
        """Sign by another than the settings say: a person's own, renewed as they allowed."""
        self._signer = signer

    # -- the contract

    async def prepare(self) -> None:
        """Import the client off the event loop."""
        from storage.loading import load

        await load(*self.client)

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        """Request, check, parse, complete."""
        limit = self.manifest.limits.hits(call.limit)
        deadline = asyncio.get_running_loop().time() + call.timeout
        reply = await self.send(self.request(native, Page(limit, call.cursor)), call, sent=str(native))
        page = self.parse(reply)
        page = replace(page, hits=_distinct(page.hits)[:limit])
        if not (self.completes and call.heads):
            page = await self._enriched(page, call, deadline)
        return replace(page, hits=tuple(hit.placed(self.name, rank) for rank, hit in enumerate(page.hits, 1)))

    async def complete(self, hits: Sequence[Hit], call: Call) -> HitPage:
        """Hits of a search that came as heads, with what their own requests add; those that cannot be read stay as they are."""
        return await self._enriched(HitPage(tuple(hits)), call, asyncio.get_running_loop().time() + call.timeout)

    async def directory(self, call: Call) -> SourceDirectory:  # noqa: ARG002 — a default
        """Nobody known by name, unless a source says otherwise."""
        return SourceDirectory()

    @abstractmethod
    async def probe(self, call: Call) -> Health:
        """The cheapest request that proves address, credential and rights."""

    async def aclose(self) -> None:
        """Close the transport if one was opened."""
        self._reads.clear()
        transport, self._transport = self._transport, None
        if transport is not None:
            await transport.aclose()

    # -- sending

    @property
    def transport(self) -> Transport:
        """The transport, opened at first use."""
        if self._transport is None:
            self._transport = self.open_transport()
        return self._transport

    async def send(self, request: HttpRequest, call: Call, *, sent: str = "") -> Reply:
        """One checked exchange: raises what :meth:`error` finds, with the native text on a :class:`Rejected`."""
        signed, secret = await self.signed(call)
        await call.turn(request.bucket)
        reply = await self.transport.send(request, signed)
        problem = self.error(reply)
        if isinstance(problem, Unauthenticated) and (other := await self._another(call, secret)) is not None:
            await call.turn(request.bucket)
            reply = await self.transport.send(request, replace(signed, credential=Credential(other)))
            problem, secret = self.error(reply), other
        if isinstance(problem, Rejected) and not problem.native:
            problem = Rejected(problem.message, sent)
        if isinstance(problem, Unauthenticated):
            problem = Unauthenticated(advised(problem.message, self.manifest.auth.help))
        if isinstance(problem, Throttled) and not problem.bucket:
            problem.bucket = request.bucket
        if problem is not None:
            raise problem.without(secret)
        return reply

    async def send_all(self, requests: Sequence[HttpRequest], call: Call) -> list[Reply | SourceError]:
        """Several checked exchanges at once, in the order given; each that failed is a value."""
        signed, secret = await self.signed(call)
        outcomes = await self._exchanged(requests, signed, secret)
        refused = [place for place, each in enumerate(outcomes) if isinstance(each, Unauthenticated)]
        if refused and (other := await self._another(call, secret)) is not None:
            again = replace(signed, credential=Credential(other))
            repeated = await self._exchanged([requests[place] for place in refused], again, other)
            for place, outcome in zip(refused, repeated, strict=True):
                outcomes[place] = outcome
        return outcomes

    async def send_each(
        self, requests: Sequence[HttpRequest], call: Call, *, within: float, sent: str = ""
    ) -> list[Reply | SourceError]:
        """Several checked exchanges at once, each as :meth:`send` makes it, in the order given; failures are values.

        For the parts of one search, which may go on without one of them: a part that the vendor wants left alone is
        told to ``call.throttled`` at once. What has not come ``within`` so many seconds is left out if another part is
        there by then. Where none is, nothing is lost by waiting: whoever set the deadline knows what it was lost to.
        """
        if not requests:
            return []
        gate = asyncio.Semaphore(self.manifest.limits.concurrency)

        async def one(request: HttpRequest) -> Reply | SourceError:
            async with gate:
                try:
                    return await self.send(request, call, sent=sent)
                except Throttled as refusal:
                    await call.throttled(refusal)
                    return refusal
                except SourceError as failure:
                    return failure

        tasks = [asyncio.create_task(one(request)) for request in requests]
        try:
            done, _ = await asyncio.wait(tasks, timeout=within)
            if not done:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            late = [task for task in tasks if task.cancel()]
            await asyncio.gather(*late, return_exceptions=True)
        return [task.result() if not task.cancelled() else Unavailable(LATE) for task in tasks]

    async def _exchanged(self, requests: Sequence[HttpRequest], signed: Call, secret: str) -> list[Reply | SourceError]:
        outcomes: list[Reply | SourceError] = []
        for request, outcome in zip(requests, await self.transport.send_all(requests, signed), strict=True):
            problem = outcome if isinstance(outcome, SourceError) else self.error(outcome)
            if isinstance(problem, Throttled):
                problem.bucket = problem.bucket or request.bucket
                if problem is not outcome:  # else it was our own gate that refused
                    await signed.throttled(problem)
            outcomes.append(outcome if problem is None else problem.without(secret))
        return outcomes

    async def _enriched(self, page: HitPage, call: Call, deadline: float) -> HitPage:
        wanted = self.details(page)
        return self.enrich(page, await self._completed(wanted, call, deadline)) if wanted else page

    async def _completed(
        self, wanted: Sequence[HttpRequest], call: Call, deadline: float
    ) -> Sequence[Reply | SourceError]:
        """Details must not cost the hits that they were to complete: they get most of what is left, not all of it."""
        left = (deadline - asyncio.get_running_loop().time()) * DETAILS_SHARE
        try:
            async with asyncio.timeout(left):
                return await self._shared(wanted, replace(call, timeout=left * DETAILS_SHARE))
        except TimeoutError:
            return [Unavailable(LATE)] * len(wanted)

    async def _shared(self, wanted: Sequence[HttpRequest], call: Call) -> list[Reply | SourceError]:
        """Each but once for all lists that hold the thing, of one credential."""
        signed, _ = await self.signed(call)
        owner = signed.credential.secret if signed.credential else ""
        return await self._reads.send_all(wanted, call, owner, self.send_all)

    async def signed(self, call: Call) -> tuple[Call, str]:
        """``call`` with the credential that it travels with, and that secret; the asker's own goes before ours."""
        secret = call.credential.secret if call.credential else await self._signer.secret() if self._signer else ""
        if not secret and "none" in self.manifest.auth.kinds:
            return call, ""
        if not secret:
            raise Unauthenticated(NO_TOKEN.filled(name=self.name, help=self.manifest.auth.help))
        if not secret.isascii() or not secret.isprintable() or " " in secret:  # it goes into a header
            raise Unauthenticated(BAD_TOKEN.filled(name=self.name))
        return replace(call, credential=Credential(secret)), secret

    async def _another(self, call: Call, refused: str) -> str | None:
        """What else to sign with after a refusal; the asker's own credential is theirs to renew."""
        return None if call.credential or self._signer is None else await self._signer.after(refused)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, {self.base_url!r})"


def _distinct(hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """A hit that is repeated (pages overlap when something new arrives in between) stands where it came first."""
    first: dict[str, Hit] = {}
    for hit in hits:
        first.setdefault(hit.id, hit)
    return tuple(first.values())
