"""What `HttpSource` does for every source."""

from __future__ import annotations

import asyncio
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import pytest

from connectors.contract import Call, Credential, Health, Hit, HitPage
from connectors.errors import (
    Rejected,
    SourceError,
    Throttled,
    Unauthenticated,
    Unavailable,
)
from connectors.http import (
    HttpRequest,
    HttpSource,
    Page,
    Reply,
    answered,
)
from connectors.manifest import Auth, Limits, Manifest, SourceSettings
from translators.query import Category, Kind
from translators.said import Said, said_in
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Canned:
    """A transport that plays replies."""

    def __init__(self, *replies: Reply | SourceError) -> None:
        self.replies = list(replies)
        self.calls: list[Call] = []
        self.closed = 0

    async def send(self, request: HttpRequest, call: Call) -> Reply:
        self.calls.append(call)
        reply = self.replies.pop(0)
        if isinstance(reply, SourceError):
            raise reply
        return reply

    async def send_all(self, requests: Sequence[HttpRequest], call: Call) -> list[Reply | SourceError]:
        self.calls.append(call)
        return [self.replies.pop(0) for _ in requests]

    async def aclose(self) -> None:
        self.closed += 1


class Tiny(HttpSource):
    """Ids separated by blanks."""

    manifest = Manifest(
        name="tiny",
        title="Tiny",
        category=Category.WIKI,
        dialect="tiny",
        kinds=(Kind.PAGE,),
        default_url="https://tiny.example",
        limits=Limits(rate=1, period=1, page=3),
        auth=Auth(help="ask Tim"),
    )
    settings_type = SourceSettings
    pages: list[Page]

    def request(self, native: NativeQuery, page: Page) -> HttpRequest:
        self.pages = [*getattr(self, "pages", []), page]
        return HttpRequest("GET", "search")

    def parse(self, reply: Reply) -> HitPage:
        return HitPage(
            tuple(Hit("", each, Kind.PAGE, f"{place}") for place, each in enumerate(str(reply.data).split()))
        )

    async def probe(self, call: Call) -> Health:
        return Health(ok=True)


class Detailed(Tiny):
    """With a detail for each hit."""

    def details(self, page: HitPage) -> tuple[HttpRequest, ...]:
        return tuple(HttpRequest("GET", hit.id) for hit in page.hits)

    def enrich(self, page: HitPage, replies: Sequence[Reply | SourceError]) -> HitPage:
        texts = [str(reply.data) if isinstance(reply, Reply) else reply.code for reply in replies]
        return replace(page, hits=tuple(replace(h, snippet=t) for h, t in zip(page.hits, texts, strict=True)))


def tiny(kind: type[Tiny], *replies: Reply | SourceError, token: str | None = "configured") -> tuple[Tiny, Canned]:
    source = kind("mine", SourceSettings.model_validate({"kind": "tiny", "token": token}))
    source._transport = canned = Canned(*replies)
    return source, canned


QUERY = NativeQuery("tiny", "words")


async def test_hits_are_distinct_cut_ranked_and_named() -> None:
    """A repeated hit stands where it came first; the limit is that of the call, and of the manifest."""
    source, _ = tiny(Tiny, Reply(200, "a b a c d"))
    page = await source.search(QUERY, Call(limit=50))
    assert [(hit.source, hit.id, hit.rank, hit.title) for hit in page.hits] == [
        ("mine", "a", 1, "0"), ("mine", "b", 2, "1"), ("mine", "c", 3, "3"),
    ]  # fmt: skip
    assert source.pages == [Page(3)]


async def test_a_senseless_limit_asks_for_one() -> None:
    """No vendor takes zero."""
    source, _ = tiny(Tiny, Reply(200, ""))
    await source.search(QUERY, Call(limit=0, cursor="c"))
    assert source.pages == [Page(1, "c")]


async def test_details_are_checked_one_by_one() -> None:
    """A detail that failed is a value; those of hits that are cut off are not asked for."""
    source, _ = tiny(Detailed, Reply(200, "a b c d"), Reply(200, "text"), Reply(404), Unavailable("gone"))
    page = await source.search(QUERY, Call())
    assert [hit.snippet for hit in page.hits] == ["text", "rejected", "unavailable"]


class Completed(Detailed):
    """Whose details can wait."""

    completes = True


@pytest.mark.parametrize(
    ("kind", "heads", "read"), [(Detailed, True, True), (Completed, False, True), (Completed, True, False)]
)
async def test_details_that_can_wait_are_read_of_the_hits_that_are_wanted(
    kind: type[Tiny], heads: bool, read: bool
) -> None:
    source, canned = tiny(kind, Reply(200, "a b"), Reply(200, "text"), Reply(200, "text"))
    page = await source.search(QUERY, Call(heads=heads))
    assert [hit.snippet for hit in page.hits] == ["text" if read else ""] * 2
    if not read:
        wanted = await source.complete(page.hits[1:], Call())
        assert [(hit.source, hit.id, hit.rank, hit.snippet) for hit in wanted.hits] == [("mine", "b", 2, "text")]
        assert len(canned.calls) == 2


async def test_what_was_read_lately_is_not_read_again_and_for_nobody_else() -> None:
    """Lists of one question, and of questions that are alike, mostly hold the same things."""
    source, canned = tiny(Detailed, Reply(200, "a b"), Reply(200, "of a"), Reply(200, "of b"), Reply(200, "b c"))
    await source.search(QUERY, Call())
    canned.replies += [Reply(200, "of c"), Reply(200, "a"), Reply(200, "another's a")]
    assert [hit.snippet for hit in (await source.search(QUERY, Call())).hits] == ["of b", "of c"]
    other = await source.search(QUERY, Call(credential=Credential("another")))
    assert [hit.snippet for hit in other.hits] == ["another's a"]


class Slow(Canned):
    """Details that never come."""

    async def send_all(self, requests: Sequence[HttpRequest], call: Call) -> list[Reply | SourceError]:
        self.calls.append(call)
        await asyncio.sleep(100)
        raise AssertionError("cancelled long before")


def test_details_that_are_late_do_not_cost_the_hits(in_virtual_time: Any) -> None:
    """They get most of the time that is left when the list is there; the rest is for handing the hits over."""
    source, _ = tiny(Detailed)
    source._transport = slow = Slow(Reply(200, "a b"))

    async def search() -> tuple[float, HitPage]:
        page = await source.search(QUERY, Call(timeout=2.0))
        return asyncio.get_running_loop().time(), page

    took, page = in_virtual_time(search())
    assert [(hit.id, hit.snippet) for hit in page.hits] == [("a", "unavailable"), ("b", "unavailable")]
    assert took == pytest.approx(1.7)
    assert slow.calls[1].timeout < 1.7


async def test_each_request_waits_for_its_turn() -> None:
    """The vendor counts every request, so the gate must see every one; a refused turn sends nothing."""
    source, canned = tiny(Tiny, Reply(200, "a"))
    turns: list[int] = []

    async def turn(_: str = "") -> None:
        turns.append(len(canned.calls))
        if len(turns) > 1:
            raise Throttled("quiet, please", 3.0)

    await source.search(QUERY, Call(turn=turn))
    with pytest.raises(Throttled):
        await source.search(QUERY, Call(turn=turn))
    assert turns == [0, 1]
    assert len(canned.calls) == 1


async def test_the_callers_credential_goes_before_the_configured_one() -> None:
    """Nobody sees what they may not see."""
    source, canned = tiny(Tiny, Reply(200, ""), Reply(200, ""))
    await source.search(QUERY, Call(credential=Credential("their-own")))
    await source.search(QUERY, Call())
    assert [call.credential for call in canned.calls] == [Credential("their-own"), Credential("configured")]


async def test_without_a_token_nothing_is_sent() -> None:
    """The error says where to get one."""
    source, canned = tiny(Tiny, token=None)
    with pytest.raises(Unauthenticated, match="ask Tim"):
        await source.search(QUERY, Call())
    assert canned.calls == []


@pytest.mark.parametrize("secret", ["two words", "line\nbreak", "암호", "\x7f"])
async def test_a_credential_that_cannot_stand_in_a_header_is_not_sent(secret: str) -> None:
    """It is not even named."""
    source, canned = tiny(Tiny)
    with pytest.raises(Unauthenticated) as caught:
        await source.search(QUERY, Call(credential=Credential(secret)))
    assert secret not in str(caught.value)
    assert canned.calls == []


async def test_what_the_vendor_refused_is_kept_with_the_error() -> None:
    """So that the bug, which is ours, can be found."""
    source, _ = tiny(Tiny, Reply(400))
    with pytest.raises(Rejected) as caught:
        await source.search(QUERY, Call())
    assert caught.value.native == "words"


async def test_an_echoed_secret_is_masked() -> None:
    """In the message, in the arguments, and in what is kept of the query."""
    source, _ = tiny(Tiny, Reply(400))
    with pytest.raises(Rejected) as caught:
        await source.search(NativeQuery("tiny", "configured"), Call())
    assert caught.value.native == "•••"
    problem = Rejected("no configured!", "a configured").without("configured")
    assert (problem.message, problem.args, problem.native) == ("no •••!", ("no •••!",), "a •••")


def test_a_hit_at_a_place_is_the_same_hit() -> None:
    """Every field of it, whichever are added."""
    values = {each.name: f"some {each.name}" for each in fields(Hit)}
    placed = Hit(**values).placed("mine", 7)  # type: ignore[arg-type]
    assert {name: getattr(placed, name) for name in values} == {**values, "source": "mine", "rank": 7}


async def test_what_a_detail_was_refused_for_is_told() -> None:
    """The page is whole but for it, so nothing is raised; what our own gate refused, the gate knows."""
    told: list[Throttled] = []

    async def heed(throttled: Throttled, /) -> None:
        told.append(throttled)

    replies = (Reply(200, "a b"), Reply(429, None, {"retry-after": "7"}), Throttled("our own gate", 3.0, "own"))
    source, _ = tiny(Detailed, *replies)
    page = await source.search(NativeQuery("tiny", "x"), Call(limit=2, throttled=heed))
    assert [hit.snippet for hit in page.hits] == ["throttled", "throttled"]
    assert [(each.retry_after, each.bucket) for each in told] == [(7.0, "")]


def test_parts_of_a_search_wait_for_one_another_for_a_while(in_virtual_time: Callable[[Any], Any]) -> None:
    """Late ones are left out once another is there; a refused one is told when it is refused and not at the end."""
    told: list[float] = []

    class Parts(Canned):
        async def send(self, request: HttpRequest, call: Call) -> Reply:
            await asyncio.sleep(float(request.path))
            return Reply(429) if request.bucket else Reply(200, request.path)

    async def heed(_: Throttled, /) -> None:
        told.append(asyncio.get_running_loop().time())

    async def play(*parts: HttpRequest) -> tuple[list[object], float]:
        source, _ = tiny(Tiny)
        source._transport = Parts()
        source.manifest = source.manifest.model_copy(update={"limits": Limits(rate=9, period=1, page=3, concurrency=3)})
        started = asyncio.get_running_loop().time()
        outcomes = await source.send_each(parts, Call(throttled=heed), within=1.0)
        said = [each.data if isinstance(each, Reply) else each.code for each in outcomes]
        return said, round(asyncio.get_running_loop().time() - started, 3)

    quick, slow, slower = (HttpRequest("GET", seconds) for seconds in ("0.5", "3", "4"))
    assert in_virtual_time(play()) == ([], 0.0)
    assert in_virtual_time(play(slow, quick)) == (["unavailable", "0.5"], 1.0)
    assert in_virtual_time(play(slower, slow)) == (["unavailable", "3"], 3.0)
    assert in_virtual_time(play(HttpRequest("GET", "0.25", bucket="b"), quick)) == (["throttled", "0.5"], 0.5)
    assert told == [0.25]


async def test_closing_twice_closes_once() -> None:
    """And closing what was never opened does nothing."""
    source, canned = tiny(Tiny)
    await source.aclose()
    await source.aclose()
    assert canned.closed == 1


def test_repr_shows_name_and_address_only() -> None:
    """No settings, no token."""
    source, _ = tiny(Tiny)
    assert repr(source) == "Tiny('mine', 'https://tiny.example')"
    assert (
        "configured"
        not in f"{source.settings!r} {Call(credential=Credential('configured'))!r} {Credential('configured')}"
    )


def test_a_secret_is_masked_in_both_languages() -> None:
    """What a vendor echoes stands in the Korean sentence as well."""
    problem = Unauthenticated(answered("Acme", 401, "no such token: xyzzy-12345")).without("xyzzy-12345")
    assert isinstance(problem.message, Said)
    assert "xyzzy-12345" not in problem.message + said_in(problem.message, "ko")
    assert said_in(problem.message, "ko").startswith("Acme 응답: HTTP 401: no such token: ")
