"""The ready declarations of systems that have no connector of their own: what each asks, and how it reads replies of the shape that its vendor documents."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from aiohttp import web

from connectors.contract import Call
from connectors.errors import Unauthenticated
from connectors.http import Page, Reply
from connectors.json_api import JsonApiSource
from connectors.json_api.paths import line_at
from connectors.wikitext import from_wikitext
from orchestrator.assembly.sources import source_settings
from translators.query import Compare, Field, Kind, Op, Person, Query, Sort, State, Term, all_of
from translators.translator import NativeQuery
from translators.words import Words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from connectors.http import HttpRequest

EXAMPLES = Path(__file__).parents[4] / "config" / "sources.d.examples"


def recipe(name: str, **more: Any) -> JsonApiSource:
    table = tomllib.loads((EXAMPLES / f"{name}.toml").read_text("utf-8"))
    secret = {} if table.get("auth", {}).get("kind") == "none" else {"token": "t0ken-t0ken"}
    _, options = source_settings(name, {**table, **secret, **more})
    return JsonApiSource(name, options)


def sent(source: JsonApiSource, *, by: Person | None = None, sort: Sort = Sort.RELEVANCE) -> HttpRequest:
    """What is asked for two words, and by whom."""
    words = [Term("deploy"), Term("배포")]
    query = Query("?", where=all_of((*words, *([Compare(Field.AUTHOR, Op.EQ, by)] if by else []))), sort=sort)
    powers = source.manifest.can
    assert powers is not None
    return source.request(Words().translate(query, Words.can.meet(powers.capabilities)).native, Page(10, None))


def test_mediawiki_is_asked_for_whole_pages_and_puts_them_in_the_order_of_the_search() -> None:
    source = recipe("mediawiki")
    asked = sent(source)
    assert (asked.path, asked.params["gsrsearch"], asked.params["gsrlimit"]) == ("api.php", "deploy 배포", "10")
    revision = {
        "user": "Minsu",
        "timestamp": "2026-11-01T10:00:00Z",
        "slots": {"main": {"content": "'''배포''' [[일정|일정표]]"}},
    }
    pages = [
        {"pageid": 3, "title": "Later", "index": 2, "revisions": [revision]},
        {"pageid": 9, "title": "First", "index": 1, "revisions": [revision]},
    ]
    found = source.parse(Reply(200, {"batchcomplete": True, "query": {"pages": pages}}))
    assert [(hit.title, hit.url) for hit in found.hits] == [
        ("First", "https://wiki.example/w/index.php?curid=9"),
        ("Later", "https://wiki.example/w/index.php?curid=3"),
    ]
    assert found.hits[0].snippet == "배포 일정표"
    assert source.parse(Reply(200, {"batchcomplete": True})).hits == ()


def test_matrix_is_asked_by_the_id_of_a_person_and_leads_to_the_message() -> None:
    source = recipe("matrix")
    asked = sent(source, by=Person("김민수", "@minsu:example"), sort=Sort.NEWEST)
    criteria = asked.json["search_categories"]["room_events"]
    assert (criteria["search_term"], criteria["order_by"]) == ("deploy 배포", "recent")
    assert criteria["filter"] == {"limit": 10, "senders": ["@minsu:example"]}
    event = {
        "event_id": "$e/1",
        "room_id": "!r:example",
        "sender": "@minsu:example",
        "origin_server_ts": 1_793_500_000_000,
        "content": {"body": "배포했습니다"},
    }
    profile = {"profile_info": {"@minsu:example": {"displayname": "김민수", "avatar_url": None}}}
    reply = {
        "search_categories": {
            "room_events": {
                "count": 1,
                "next_batch": "n2",
                "results": [{"rank": 0.5, "result": event, "context": profile}],
            }
        }
    }
    page = source.parse(Reply(200, reply))
    (hit,) = page.hits
    assert (hit.url, page.cursor) == ("https://matrix.to/#/%21r%3Aexample/%24e/1", "n2")
    assert (str(hit.container), hit.author) == ("!r:example", Person("김민수", "@minsu:example"))


@pytest.mark.parametrize(
    ("name", "reply", "expected"),
    [
        ("meilisearch", {"hits": [{"id": 7, "title": "Deploy", "body": "How", "slug": "deploy", "updated": 1_793_500_000, "_rankingScore": 0.9}], "estimatedTotalHits": 1}, ("Deploy", "https://handbook.example/deploy", Kind.PAGE, None)),
        ("gitlab", [{"references": {"full": "acme/app#4"}, "title": "Deploy", "description": "How", "web_url": "https://gitlab.com/acme/app/-/issues/4", "author": {"name": "Min", "username": "min"}, "assignees": [], "state": "closed", "created_at": "2026-11-01T10:00:00.000Z", "updated_at": "2026-11-01T10:00:00.000Z"}], ("Deploy", "https://gitlab.com/acme/app/-/issues/4", Kind.ISSUE, State.DONE)),
        ("redmine", {"results": [{"id": 4, "title": "Bug #4 (Closed): Deploy", "type": "issue-closed", "url": "https://redmine.example/issues/4", "description": "How", "datetime": "2026-11-01T10:00:00Z"}], "total_count": 1}, ("Bug #4 (Closed): Deploy", "https://redmine.example/issues/4", Kind.ISSUE, State.DONE)),
        ("outline", {"data": [{"ranking": 1.2, "document": {"id": "d1", "title": "Deploy", "text": "How", "urlId": "deploy-x1", "collectionId": "c1", "createdAt": "2026-11-01T10:00:00.000Z", "updatedAt": "2026-11-01T10:00:00.000Z", "updatedBy": {"id": "u1", "name": "Min"}}}]}, ("Deploy", "https://outline.example/doc/deploy-x1", Kind.PAGE, None)),
        ("zendesk", {"results": [{"id": 4, "subject": "Deploy", "description": "How", "status": "solved", "requester_id": 12, "created_at": "2026-11-01T10:00:00Z", "updated_at": "2026-11-01T10:00:00Z"}], "count": 1}, ("Deploy", "https://acme.zendesk.com/agent/tickets/4", Kind.ISSUE, State.DONE)),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)  # fmt: skip
def test_a_reply_of_the_documented_shape_is_read(name: str, reply: Any, expected: tuple[object, ...]) -> None:
    source = recipe(name)
    assert "deploy 배포" in json.dumps([dict(sent(source).params), sent(source).json], ensure_ascii=False)
    (hit,) = source.parse(Reply(200, reply)).hits
    assert (hit.title, hit.url, hit.kind, hit.state) == expected
    assert hit.updated
    assert hit.updated.year == 2026


def test_mattermost_shows_the_latest_first_as_its_map_is_in_no_order() -> None:
    posts = {
        str(at): {
            "id": f"p{at}",
            "message": "deploy",
            "user_id": "u1",
            "channel_id": "c1",
            "create_at": at,
            "edit_at": 0,
        }
        for at in (5000, 9000, 7000)
    }
    found = recipe("mattermost").parse(Reply(200, {"order": [], "posts": posts}))
    assert [hit.id for hit in found.hits] == ["p9000", "p7000", "p5000"]


async def test_people_and_places_are_listed_page_by_page_and_go_by_their_ids() -> None:
    """Over a real socket: full pages lead on, and whoever has no full name goes by a handle."""
    asked: list[str] = []
    people = [
        {
            "id": f"u{n}",
            "first_name": "민수",
            "last_name": f"김{n}",
            "username": f"minsu{n}",
            "nickname": "",
            "email": "",
        }
        for n in range(3)
    ]
    people[2]["first_name"] = ""

    async def users(request: web.Request) -> web.Response:
        asked.append(request.query_string)
        start = 2 * int(request.query["page"])
        return web.json_response(people[start : start + 2])

    async def channels(request: web.Request) -> web.Response:
        return web.json_response(
            [{"id": "c1", "display_name": "결제", "name": "payments"}] if request.query["page"] == "0" else []
        )

    app = web.Application()
    app.router.add_get("/users", users)
    app.router.add_get("/teams/TEAM_ID/channels", channels)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    table = tomllib.loads((EXAMPLES / "mattermost.toml").read_text("utf-8"))
    source = recipe(
        "mattermost", base_url=f"http://127.0.0.1:{runner.addresses[0][1]}", people={**table["people"], "page": 2}
    )
    try:
        known = await source.directory(Call())
    finally:
        await source.aclose()
        await runner.cleanup()
    assert asked == ["per_page=2&page=0", "per_page=2&page=1"]
    assert [(each.name, each.native_id) for each in known.people] == [
        ("민수 김0", "u0"), ("minsu0", "u0"), ("민수 김1", "u1"), ("minsu1", "u1"), ("minsu2", "u2"),
    ]  # fmt: skip
    assert [(each.name, each.native_id) for each in known.containers] == [("결제", "c1"), ("payments", "c1")]


async def test_whose_the_token_is_is_told_though_anybody_may_search() -> None:
    whose: dict[str | None, Any] = {
        "t0ken-t0ken": {"user": {"login": " min\x1b\n"}},
        "of-nobody": {"user": {"login": None}},
    }

    async def current(request: web.Request) -> web.Response:
        key = request.headers.get("X-Redmine-API-Key")
        return web.json_response(whose.get(key), status=200 if key in whose else 401)

    async def public(_: web.Request) -> web.Response:
        return web.json_response({"results": [], "total_count": 0})

    app = web.Application()
    app.router.add_get("/users/current.json", current)
    app.router.add_get("/search.json", public)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    here = f"http://127.0.0.1:{runner.addresses[0][1]}"
    sources = [recipe("redmine", base_url=here, token=token) for token in ("t0ken-t0ken", "of-nobody", "wrong")]
    try:
        assert (await sources[0].probe(Call())).account == "min"
        for source in sources[1:]:
            assert (await source.search(NativeQuery("words", "x"), Call())).total == 0
            with pytest.raises(Unauthenticated):
                await source.probe(Call())
    finally:
        for source in sources:
            await source.aclose()
        await runner.cleanup()


@pytest.mark.parametrize(
    ("text", "data", "line"),
    [
        ("https://x.example/{$.id}", {"id": "a b/ü?&#"}, "https://x.example/a%20b/%C3%BC%3F%26%23"),
        ("https://x.example/{$.id}", {"id": None}, ""),
        ("https://x.example/{$.id}/{$.n}", {"id": "a"}, ""),
        ("@{$.name}:example", {"name": "min su"}, "@min su:example"),
        ("$.id", {"id": 7}, "7"),
    ],
)
def test_a_text_with_paths_in_it(text: str, data: Mapping[str, object], line: str) -> None:
    assert line_at(text).line(data) == line


def test_wikitext_is_read_as_people_see_it() -> None:
    assert from_wikitext(
        "{{Infobox|a={{b}}|c}}'''배포''' 일정은 [[사용자:김민수|김민수]]가 정합니다.<ref name='x'>출처</ref>\n== 일정 ==\n"
        "* 월요일: [https://ci.example/x CI] [[분류:운영]][[File:a.png|thumb|caption [[link]]]]\n"
        '{| class="wikitable"\n! 이름 !! 날짜\n|-\n| style="x" | v2 || 12월 1일\n|}\n__TOC__ {{ open'
    ).splitlines() == [
        "배포 일정은 김민수가 정합니다.",
        "일정",
        "월요일: CI (https://ci.example/x)",
        "",
        "이름 | 날짜",
        "",
        "v2 | 12월 1일",
        "",
        "{{ open",
    ]
