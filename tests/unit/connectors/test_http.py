"""The one place where status becomes error, and what HttpSource does for every source."""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
from dataclasses import fields, replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import pytest

from connectors.contract import Call, Credential, Health, Hit, HitPage
from connectors.errors import (
    BadReply,
    Forbidden,
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
    describe_failure,
    error_for,
    plain_json,
    plain_params,
    reply_from_text,
    retry_after,
)
from connectors.manifest import Auth, Limits, Manifest, SourceSettings
from translators.query import Category, Kind
from translators.said import Said, said_in
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("7", 7.0),
        (" 7.5 ", 7.5),
        ("-3", 0.0),
        ("0", 0.0),
        ("", None),
        ("soon", None),
        ("inf", None),
        ("Sat, 21 Nov 2026 12:01:00 GMT", 60.0),
        ("Sat, 21 Nov 2026 11:00:00 GMT", 0.0),
        ("Sat, 21 Nov 2026 12:01:00 -0000", 60.0),
        ("Sat, 99 Nov 2026 12:01:00 GMT", None),
    ],
)
def test_retry_after_in_either_form(value: str, seconds: float | None) -> None:
    """Seconds or a date; what makes no sense is not a time."""
    assert retry_after({"retry-after": value}, NOON) == seconds


def test_retry_after_as_a_date_is_counted_by_the_clock_of_the_reply() -> None:
    """Our clock may differ from the vendor's."""
    headers = {"retry-after": "Fri, 01 Jan 2038 00:00:30 GMT", "date": "Fri, 01 Jan 2038 00:00:00 GMT"}
    assert retry_after(headers) == 30.0


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (200, None), (204, None), (302, BadReply), (400, Rejected), (401, Unauthenticated), (402, Forbidden),
        (403, Forbidden), (404, Rejected), (408, Unavailable), (422, Rejected), (425, Unavailable), (429, Throttled),
        (500, Unavailable), (503, Unavailable), (529, Unavailable), (599, Unavailable),
    ],
)  # fmt: skip
def test_every_status_is_an_error_named_by_what_to_do(status: int, kind: type[SourceError] | None) -> None:
    """Or none."""
    problem = error_for(Reply(status), "said")
    assert (type(problem) if problem else None) is kind


@pytest.mark.parametrize("body", [b"<html>", b"{", b"nonsense", b"[" * 100_000, b"\xff\xfe"])
def test_a_success_that_is_no_json_is_a_bad_reply(body: bytes) -> None:
    """A login page, a broken body, a bomb of brackets."""
    with pytest.raises(BadReply):
        reply_from_text(200, body, {})


def test_a_failure_that_is_no_json_keeps_its_status() -> None:
    """The status says what is wrong; gateways answer HTML."""
    assert reply_from_text(502, b"<html>", {"Retry-After": "1"}) == Reply(502, None, {"retry-after": "1"})


def test_no_body_is_no_data() -> None:
    """As for 204."""
    assert reply_from_text(204, b" ", {}) == Reply(204, None, {})


def test_requests_are_turned_into_what_every_client_can_send() -> None:
    """Read-only mappings and tuples of a native query, and halves of surrogate pairs that a terminal handed in."""
    value: Any = MappingProxyType({"and": ({"a": MappingProxyType({"eq": "x\ud800"})}, 1, None, True)})
    assert plain_json(value) == {"and": [{"a": {"eq": "x\ufffd"}}, 1, None, True]}
    assert plain_params({"q": "결제\udcff", "h": ("a", "b")}) == {"q": "결제\ufffd", "h": ["a", "b"]}


def _refused() -> ssl.SSLCertVerificationError:
    failure = ssl.SSLCertVerificationError(1, "[SSL: CERTIFICATE_VERIFY_FAILED]")
    failure.verify_message = "self-signed certificate"
    return failure


class _AsAiohttpSays(ssl.SSLCertVerificationError):
    """Such an error by its class, which knows no reason."""

    certificate_error = _refused()


def test_a_certificate_that_is_not_trusted_is_told_as_that() -> None:
    wrapped = OSError("cannot connect")
    wrapped.__cause__ = _refused()
    for failure in (_refused(), _AsAiohttpSays(), wrapped):
        told = describe_failure(failure, "https://wiki.example/api")
        assert told.startswith("the certificate of wiki.example is not trusted (self-signed certificate); ")
        assert "SSL_CERT_FILE" in said_in(told, "ko")


@pytest.mark.parametrize(
    ("cause", "said"),
    [
        (socket.gaierror(-2, "Name or service not known"), "its name cannot be resolved"),
        (ConnectionRefusedError(111, "Connect call failed"), "nothing listens there"),
        (ConnectionResetError(104, "reset"), "it broke the connection off"),
        (BrokenPipeError(32, "Broken pipe"), "it broke the connection off"),
        (TimeoutError(), "it did not answer in time"),
        (ValueError("x"), "RuntimeError"),
    ],
)
def test_why_nobody_was_reached_is_said_in_words_of_the_field(cause: Exception, said: str) -> None:
    """Each client wraps what the system says in a class of its own."""
    failure = RuntimeError("https://user:secret@wiki.example")
    failure.__cause__ = cause
    told = str(describe_failure(failure, "https://wiki.example/api"))
    assert told == f"cannot reach wiki.example ({said}); is the address right and the service running?"


@pytest.mark.parametrize("end", ["/secret/path", "?token=secret", "#secret"])
def test_a_failed_connection_is_described_without_secrets(end: str) -> None:
    """Nothing but the host of the address."""
    told = describe_failure(OSError(), f"https://user:secret@host.example:8443{end}")
    assert "host.example:8443" in told
    assert "secret" not in told


# ---- HttpSource


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


@pytest.mark.parametrize(
    ("body", "data"),
    [
        (b'{"a": "\\ud800"}', {"a": "\ud800"}),
        ("\ufeff[1]".encode(), [1]),
        ('{"a": "가"}'.encode("utf-16"), {"a": "가"}),
        (b"[" * 400 + b"]" * 400, None),
        (b'{"a": 1, "a": 2}', {"a": 2}),
        (b'{"a": NaN, "b": [-Infinity, 1.5]}', {"a": None, "b": [None, 1.5]}),
    ],
)
def test_what_the_quick_parser_does_not_know_the_other_reads(body: bytes, data: object) -> None:
    """Half a surrogate pair, a mark of byte order, another encoding, many brackets, numbers that are none: all of it vendors send."""
    assert reply_from_text(200, body, {}) == Reply(200, json.loads(body) if data is None else data)


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
