"""Microsoft 365's pure parts: which requests a question takes, how their hits become one page, and where it goes on."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from connectors.contract import Call, Credential, Hit, HitPage, LeftOut
from connectors.errors import BadReply, Forbidden, Rejected, Unavailable
from connectors.http import HttpRequest, Page, Reply
from connectors.microsoft365 import KEPT, Identities, Microsoft365Source
from connectors.microsoft365.asking import GraphSearch, SearchHits, cursor_of, merged, names_me, places, searches
from connectors.microsoft365.hits import site_of
from connectors.microsoft365.settings import Microsoft365Settings
from connectors.microsoft365.teams import ChannelNames
from connectors.microsoft365.wire import Account
from orchestrator.gather import Gate
from translators.query import Kind
from translators.said import Said
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

ALL = ("message", "chatMessage", "driveItem", "listItem", "site")


def native(text: str = "budget", **args: Any) -> NativeQuery:
    return NativeQuery("kql", text, args)


def asked(
    query: NativeQuery, *types: str, cursor: str | None = None, me: Account | None = None
) -> list[tuple[str, str, int]]:
    return [(each.key, each.query, each.start) for each in searches(query, Page(20, cursor), types or ALL, me)]


def test_what_may_not_stand_together_is_asked_apart() -> None:
    assert asked(native()) == [
        ("message", "budget", 0),
        ("chatMessage", "budget", 0),
        ("driveItem,listItem,site", "budget", 0),
    ]
    assert asked(native(), "site", "message") == [("message", "budget", 0), ("site", "budget", 0)]


def test_each_restriction_makes_a_request_of_its_own() -> None:
    entities = [{"types": ["driveItem"], "where": "author:a"}, {"types": ["site", "message"], "where": ""}]
    assert asked(native(entities=entities)) == [
        ("driveItem", "budget AND author:a", 0),
        ("message", "budget", 0),
        ("site", "budget", 0),
    ]
    assert asked(native("", entities=entities)) == [("driveItem", "author:a", 0), ("message", "", 0), ("site", "", 0)]
    assert asked(native(entities=[])) == []


def test_a_cursor_leaves_out_what_has_come_to_its_end() -> None:
    cursor = cursor_of({"message": 25, "driveItem,listItem,site": 7})
    assert asked(native(), cursor=cursor) == [("message", "budget", 25), ("driveItem,listItem,site", "budget", 7)]
    assert cursor_of({}) is None


@pytest.mark.parametrize(
    "cursor", ["", "page2", "[]", "7", "{}", '{"message": -1}', '{"message": "x"}', '{"message": true}', "[" * 100_000]
)
def test_a_cursor_that_is_none_of_ours_is_the_first_page(cursor: str) -> None:
    assert places(cursor) is None
    assert asked(native(), "message", cursor=cursor) == [("message", "budget", 0)]


def test_whoever_is_signed_in_stands_in_the_query_but_never_in_quotes() -> None:
    entities = [{"types": ["message"], "where": '("from:{me}" OR from:{me})'}]
    me = Account(displayName='Kim "Sarah" *', mail="s@x.example", userPrincipalName="s@x.example")
    assert names_me(native(entities=entities))
    ((_, query, _),) = asked(native("", entities=entities), me=me)
    assert query == '("from:{me}" OR (from:"s@x.example" OR from:"Kim Sarah"))'
    assert not names_me(native(entities=[{"types": ["message"], "where": '"from:{me}"'}]))
    assert not names_me(native())


def test_requests_say_what_each_service_understands() -> None:
    mail, files = GraphSearch(("message",), "a", 0), GraphSearch(("driveItem", "site"), "a", 5)
    relevant, newest = (
        [each.request(50, newest=wish, region="KOR") for each in (mail, files)] for wish in (False, True)
    )
    assert relevant[0].json == {"requests": [{"entityTypes": ("message",), "query": {"queryString": "a"}, "from": 0, "size": 25, "enableTopResults": True}]}  # fmt: skip
    assert relevant[1].json == {"requests": [{"entityTypes": ("driveItem", "site"), "query": {"queryString": "a"}, "from": 5, "size": 50, "region": "KOR"}]}  # fmt: skip
    bodies: list[Any] = [request.json for request in newest]
    assert "enableTopResults" not in bodies[0]["requests"][0]
    assert bodies[1]["requests"][0]["sortProperties"] == ({"name": "lastModifiedDateTime", "isDescending": True},)
    assert [request.bucket for request in relevant] == ["exchange", "sharepoint"]


LESS = LeftOut(Said.given({"en": "files could not be searched", "ko": "파일: 검색하지 못했습니다"}))


def listed(key: str, ids: str, *, start: int = 0, came: int | None = None, more: bool = False) -> SearchHits:
    hits = tuple(Hit("", each, Kind.MAIL) for each in ids)
    return SearchHits(GraphSearch((key,), "q", start), hits, len(ids) if came is None else came, more, None, ())


def test_hits_come_in_turn_and_the_rest_comes_next() -> None:
    page = merged([listed("message", "abc", more=True), listed("site", "xy"), listed("chatMessage", "")], 4, [LESS])
    assert [hit.id for hit in page.hits] == ["a", "x", "b", "y"]
    assert places(page.cursor) == {"message": 2}
    assert (page.notes, page.left_out) == ((), (LESS,))
    assert page.total is None


def test_a_search_goes_on_after_all_that_came_what_could_not_be_read_included() -> None:
    assert places(merged([listed("message", "ab", start=25, came=4, more=True)], 9, ()).cursor) == {"message": 29}
    assert merged([listed("message", "", came=0, more=True)], 9, ()).cursor is None  # else it would never end
    assert places(merged([listed("message", "", came=3, more=True)], 9, ()).cursor) == {"message": 3}


def test_a_hit_found_twice_counts_once() -> None:
    page = merged([listed("message", "aab", more=True), listed("site", "ab")], 2, ())
    assert [hit.id for hit in page.hits] == ["a", "b"]
    assert places(page.cursor) == {"message": 2}


def test_the_account_is_asked_once_for_each_credential(
    in_virtual_time: Callable[[Coroutine[Any, Any, Any]], Any],
) -> None:
    sent: list[HttpRequest] = []

    async def send(request: HttpRequest) -> Reply:
        sent.append(request)
        return Reply(200, {"userPrincipalName": f"u{len(sent)}@x.example"})

    async def run() -> None:
        identities = Identities()
        first = await identities.of("one", send)
        assert await identities.of("one", send) is first
        assert (await identities.of("two", send)).userPrincipalName == "u2@x.example"
        for number in range(KEPT):
            await identities.of(f"other {number}", send)
        assert await identities.of("one", send) is not first
        assert "one" not in f"{vars(identities)}"

    in_virtual_time(run())


def test_a_search_that_is_throttled_alone_pauses_its_service_and_no_other(
    in_virtual_time: Callable[[Coroutine[Any, Any, Any]], Any],
) -> None:
    """Files answer, so nothing is raised; the gate must hear of the mailbox's pause all the same, until it ends."""
    sent: list[str] = []

    class Graph:
        async def send(self, request: HttpRequest, call: Call) -> Reply:
            sent.append(request.bucket)
            if request.bucket == "exchange":
                return Reply(429, {"error": {"code": "TooManyRequests"}}, {"retry-after": "30"})
            return Reply(200, {"value": [{"hitsContainers": []}]})

        async def aclose(self) -> None: ...

    async def run() -> None:
        settings = {"kind": "microsoft365", "token": "t", "search": ["mail", "files"]}
        made = Microsoft365Source("m365", Microsoft365Settings.model_validate(settings))
        made._transport = Graph()  # type: ignore[assignment]
        gate = Gate(made.manifest.limits)
        call = Call(turn=gate.enter, throttled=gate.heed)
        for _ in range(2):
            (missing,) = (await made.search(NativeQuery("kql", "x"), call)).left_out
            assert missing.said.startswith("mail could not be searched")
            assert missing.code == "throttled"
        assert sorted(sent) == ["exchange", "sharepoint", "sharepoint"]
        assert (gate.remaining_pause("exchange"), gate.remaining_pause("sharepoint")) == (30.0, 0.0)
        await asyncio.sleep(31)
        await made.search(NativeQuery("kql", "x"), call)
        assert sent.count("exchange") == 2

    in_virtual_time(run())


@pytest.fixture
def source() -> Microsoft365Source:
    return Microsoft365Source(
        "m365", Microsoft365Settings.model_validate({"kind": "microsoft365", "token": "t", "search": ["mail"]})
    )


def test_where_nothing_of_the_kind_is_searched_nobody_is_asked(
    source: Microsoft365Source, in_virtual_time: Callable[[Coroutine[Any, Any, Any]], Any]
) -> None:
    """The settings leave Teams out: a question for its messages is answered without a request."""
    page = in_virtual_time(source.search(native(entities=[{"types": ["chatMessage"], "where": ""}]), Call()))
    assert page.hits == ()
    assert page.notes == ("nothing of this kind is searched, only mail",)


def test_the_first_request_stands_for_all(source: Microsoft365Source) -> None:
    assert source.request(native(), Page(5)).path == "search/query"
    assert source.request(native("", fetch={"message": "AA=="}), Page(5)).path == "me/messages/AA=="
    assert (
        source.request(native("", fetch={"chat": "19:a/b@thread.v2", "chatMessage": "1"}), Page(5)).path
        == "chats/19:a%2Fb@thread.v2/messages/1"
    )
    with pytest.raises(Rejected, match="nothing of what is asked"):
        source.request(native(entities=[]), Page(5))
    with pytest.raises(Rejected, match="names nothing"):
        source.request(native("", fetch={"chat": "19:a@thread.v2"}), Page(5))


def test_a_reply_is_read_by_itself(source: Microsoft365Source) -> None:
    resource = {"@odata.type": "microsoft.graph.message", "subject": "제목"}
    reply = Reply(
        200, {"value": [{"hitsContainers": [{"hits": [{"hitId": "a/b+", "summary": None, "resource": resource}]}]}]}
    )
    (hit,) = source.parse(reply).hits
    assert (hit.id, hit.title) == ("a-b_", "제목")
    with pytest.raises(BadReply, match="value"):
        source.parse(Reply(200, {"value": []}))


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("https://acme.sharepoint.com/sites/Team%20Site/Shared%20Documents/a.docx", ("Team Site", "https://acme.sharepoint.com/sites/team%20site")),
        ("https://acme.sharepoint.com/sites/결제/x", ("결제", "https://acme.sharepoint.com/sites/%EA%B2%B0%EC%A0%9C")),
        ("https://acme.sharepoint.com/teams/eng", ("eng", "https://acme.sharepoint.com/teams/eng")),
        ("https://acme-my.sharepoint.com/personal/s_kim/Documents", ("s_kim", "https://acme-my.sharepoint.com/personal/s_kim")),
        ("https://acme.sharepoint.com/Shared%20Documents/a.docx", ("acme", "https://acme.sharepoint.com")),
        ("https://acme.sharepoint.com", ("acme", "https://acme.sharepoint.com")),
        ("http://acme.sharepoint.com/sites/x", None),
        ("", None),
    ],
)  # fmt: skip
def test_a_site_is_known_by_one_address_however_it_is_written(address: str, place: tuple[str, str] | None) -> None:
    found = site_of(address)
    assert (found and (found.name, found.native_id)) == place


def test_settings_name_what_can_be_searched() -> None:
    for wrong in ({"search": []}, {"search": ["calendar"]}, {"region": "kor"}):
        with pytest.raises(ValueError, match=r"search|region"):
            Microsoft365Settings.model_validate({"kind": "microsoft365", **wrong})


def test_a_credential_of_the_asker_goes_before_the_configured_one(
    source: Microsoft365Source, in_virtual_time: Callable[[Coroutine[Any, Any, Any]], Any]
) -> None:
    signed, secret = in_virtual_time(source.signed(Call(credential=Credential("theirs"))))
    assert (signed.credential, secret) == (Credential("theirs"), "theirs")


def test_what_a_channel_is_called_is_asked_once_and_costs_no_message() -> None:
    """One that may not be asked for has no name; what came to nothing, or is no channel, is asked for another time."""
    names = ChannelNames()
    hits = [
        Hit("m", str(place), Kind.MESSAGE, "", "", "said", facts={"team_id": "t", "channel_id": channel}, rank=place)
        for place, channel in enumerate(("told", "told", "closed", "late", "odd"), 1)
    ]
    asked_for = names.unknown(hits)
    assert [each[1] for each in asked_for] == ["told", "closed", "late", "odd"]
    replies = [
        Reply(200, {"displayName": "Budget"}, {}),
        Forbidden("no right"),
        Unavailable("late"),
        Reply(200, {"displayName": ["?"]}, {}),
    ]
    names.hear(asked_for, replies)
    assert [each[1] for each in names.unknown(hits)] == ["late", "odd"]
    placed = names.named(HitPage(tuple(hits))).hits
    assert [each.container and each.container.name for each in placed] == ["Budget", "Budget", None, None, None]
