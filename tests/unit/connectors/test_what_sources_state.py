"""What sources state as data: remedies, where a secret goes, addresses of their own, pages that are cut; and nested replies."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

import pytest

from connectors.auth import basic
from connectors.contract import Call, Credential, Health, Hit, HitPage
from connectors.errors import BadReply, Forbidden, Misconfigured, Remedy, Throttled, Unavailable
from connectors.http import HttpRequest, HttpSource, Page, Reply
from connectors.manifest import Auth, Limits, Manifest, SourceSettings
from connectors.paging import CutPages, VendorPage
from connectors.transport import AiohttpTransport
from connectors.wire import IfIso, Line, Wire, inside, object_in, read, text_in
from translators.query import Category, Kind
from translators.said import Said
from translators.translator import NativeQuery

NOT_IN_PLAN = Said("the plan does not include it")


class Stating(HttpSource):
    manifest = Manifest(
        name="stating",
        title="Stating",
        category=Category.WIKI,
        dialect="notion",
        kinds=(Kind.PAGE,),
        default_url="https://stating.invalid",
        limits=Limits(rate=1, period=1, page=4),
        auth=Auth(help=Said("ask Tim"), kinds=("none",)),
    )
    settings_type = SourceSettings
    remedies: ClassVar = {
        "plan": Remedy(Forbidden, NOT_IN_PLAN),
        "busy": Remedy(Throttled),
        418: Remedy(Unavailable, NOT_IN_PLAN),
    }

    def request(self, native: NativeQuery, page: Page) -> HttpRequest:
        return HttpRequest("GET", "search", {"page": str(VendorPage.read(page.cursor).number)})

    def parse(self, reply: Reply) -> HitPage:
        return HitPage(tuple(Hit("", each, Kind.PAGE) for each in str(reply.data).split()), "more")

    def refusal(self, reply: Reply) -> tuple[str, str]:
        return text_in(reply.data, "code"), text_in(reply.data, "why")

    def wait(self, reply: Reply) -> float | None:
        asked = super().wait(reply)
        return 9.0 if asked is None else asked

    async def probe(self, call: Call) -> Health:
        return Health(ok=True)


class Cut(CutPages, Stating):
    last_page = 2


class Pages:
    """Pages of three hits."""

    async def send(self, request: HttpRequest, call: Call) -> Reply:
        number = request.params["page"]
        return Reply(200, f"a{number} b{number} c{number}")


def source(kind: type[Stating], **settings: Any) -> Any:
    return kind("mine", SourceSettings(kind="stating", **settings))


@pytest.mark.parametrize(
    ("status", "body", "kind", "said"),
    [
        (403, {"code": "plan", "why": "no"}, Forbidden, "Stating answered HTTP 403: no; the plan does not include it"),
        (418, None, Unavailable, "Stating answered HTTP 418; the plan does not include it"),
        (400, {"code": "busy"}, Throttled, "Stating answered HTTP 400"),
        (429, {"code": "unknown"}, Throttled, "Stating answered HTTP 429"),
        (500, ["not an object"], Unavailable, "Stating answered HTTP 500"),
    ],
)
def test_an_error_is_what_its_code_says_else_its_status(status: int, body: object, kind: type, said: str) -> None:
    found = source(Stating).error(Reply(status, body))
    assert (type(found), found.message) == (kind, said)


def test_whoever_is_throttled_learns_for_how_long() -> None:
    told = [source(Stating).error(Reply(429, None, headers)).retry_after for headers in ({}, {"retry-after": "3"})]
    assert told == [9.0, 3.0]
    assert source(Stating).error(Reply(200, {"code": "plan"})) is None


async def test_nothing_is_sent_where_no_address_is_known() -> None:
    class Own(Stating):
        example_url = "https://own.example"

    with pytest.raises(Misconfigured, match=r"set base_url of mine to its address, such as https://own\.example"):
        await source(Own).search(NativeQuery("notion", "x"), Call())
    opened = source(Own, base_url="https://forum.example").open_transport()
    await opened.aclose()


def test_a_secret_goes_where_the_vendor_wants_it() -> None:
    class ByHeader(Stating):
        key_header = "X-Key"

    class ByParameter(Stating):
        key_parameter = "key"

    assert source(Stating).authorization("s") == {"Authorization": "Bearer s"}
    assert source(ByHeader).authorization("s") == {"X-Key": "s"}
    assert source(ByParameter).authorization("s") == {}
    assert basic("이름:비밀") == {"Authorization": "Basic 7J2066aEOuu5hOuwgA=="}


def test_a_key_is_put_into_the_address_on_the_way() -> None:
    """So no request of ours ever holds it; that it arrives is what SerpApi's exemplars show."""
    transport = AiohttpTransport("https://x.example", lambda _: {}, 1, key_parameter="key")
    assert transport._key(Call(credential=Credential("hidden"))) == {"key": "hidden"}
    assert AiohttpTransport("https://x.example", lambda _: {}, 1)._key(Call(credential=Credential("hidden"))) == {}


async def test_pages_of_the_vendors_own_size_are_cut_without_a_gap() -> None:
    cut = source(Cut, base_url="https://x.example")
    cut._transport = Pages()
    seen: list[str] = []
    cursor: str | None = None
    for _ in range(9):
        page = await cut.search(NativeQuery("notion", "x"), Call(limit=2, cursor=cursor))
        assert [hit.rank for hit in page.hits] == list(range(1, len(page.hits) + 1))
        seen += [hit.id for hit in page.hits]
        cursor = page.cursor
        if cursor is None:
            break
    assert seen == ["a1", "b1", "c1", "a2", "b2", "c2"]  # the vendor has no third page


@pytest.mark.parametrize("cursor", [None, "", "0", "x", "1:", "-1", "100:1", "１"])
def test_a_cursor_that_is_none_of_ours_is_the_start(cursor: str | None) -> None:
    assert VendorPage.read(cursor) == VendorPage(1, 0)


class Nested(Wire):
    web: Annotated[tuple[object, ...], inside("results", ())] = ()
    who: Annotated[Line, inside("name", "")]
    when: IfIso = None


def test_of_an_object_one_thing_is_read() -> None:
    found = read(Nested, {"web": {"results": [1]}, "who": {"name": " 김 "}, "when": "어제"}, "Acme")
    assert (found.web, found.who, found.when) == ((1,), "김", None)
    bare = read(Nested, {"who": {}, "web": None, "when": "2026-03-01"}, "Acme")
    assert (bare.web, bare.who, bare.when and bare.when.year) == ((), "", 2026)


@pytest.mark.parametrize("reply", [{}, {"who": "김"}, {"who": {}, "web": []}, {"who": {}, "web": {"results": None}}])
def test_what_is_no_object_is_no_empty_one(reply: object) -> None:
    with pytest.raises(BadReply):
        read(Nested, reply, "Acme")


@pytest.mark.parametrize("data", [None, [], "x", {"a": 1}, {"a": None}])
def test_of_an_errors_body_nothing_is_sure(data: object) -> None:
    assert (object_in(data, "a"), text_in(data, "a")) == ({}, "")
    assert (object_in({"a": {"b": "c"}}, "a"), text_in({"a": "b"}, "a")) == ({"b": "c"}, "b")
