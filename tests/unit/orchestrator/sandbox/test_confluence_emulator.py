"""The Confluence emulator asked directly: CQL by Atlassian's rules, pages, rights, and what is refused."""

from __future__ import annotations

import base64
import json
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlencode, urlsplit
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.sandbox import Corpus, Directory, Fault, Person
from orchestrator.sandbox.confluence.grammar import CqlError, Needle, needles, parse
from orchestrator.sandbox.server import emulator
from orchestrator.sandbox.wire import Situation, WireRequest
from tests.rows import each_row

if TYPE_CHECKING:
    from collections.abc import Callable

SEARCH, PEOPLE, ME = "/wiki/rest/api/search", "/wiki/rest/api/search/user", "/wiki/rest/api/user/current"
SPACES = "/wiki/api/v2/spaces"
ROWS = [
    {"title": "배포 절차", "text": "# 배포를 합니다\n금요일에 **rolling** deploys", "container": "ENG", "author": "U01HANEUL",
     "created": "2026-03-01T00:00:00Z", "updated": "2026-03-10T00:00:00Z", "labels": ["Runbook"],
     "comments": [{"text": "재배포 일정은?", "author": "U02SARAH", "created": "2026-03-11T00:00:00Z"}, {"text": "plan B"}]},
    {"title": "Release train", "text": "The release leaves at noon: deploy <b>&", "container": "결제 플랫폼", "author": "U02SARAH",
     "created": "2026-03-02T00:00:00Z", "kind": "blog"},
    {"title": "train-schedule.pdf", "container": "ENG", "author": "U03BORA", "created": "2026-03-03T00:00:00Z", "kind": "file"},
    {"title": "Roadmap", "text": "deploy deploy deploy", "container": "결제", "kind": "database"},
    {"text": "no title, no space\nsecond line", "created": "2026-03-05T15:30:00Z", "updated": "2026-03-05T15:30:30Z"},
]  # fmt: skip


@pytest.fixture
def site(ask: Callable[..., Any]) -> Any:
    """A site of five rows, one of them with two comments; the account is haneul's, in Seoul."""
    return ask("confluence", ROWS)


def titles(site: Any, cql: str, **more: str) -> list[str]:
    return [result["title"] for result in site.json(SEARCH, query={"cql": cql, "excerpt": "none", **more})["results"]]


PAGE, POST, FILE, DATA, BARE = "배포 절차", "Release train", "train-schedule.pdf", "Roadmap", "no title, no space"
COMMENT = f"Re: {PAGE}"


@each_row(
    ("cql", "found"),
    [
        ('text ~ "deploy"', {PAGE, POST, DATA}),  # plurals are the same word
        ('text ~ "DEPLOY"', {PAGE, POST, DATA}),
        ('text ~ "배포"', {PAGE, COMMENT}),  # the titles have the bare word; 재배포 is another
        ('text ~ "재배포"', {COMMENT}),
        ('text ~ "배포를"', {PAGE}),
        ('text ~ "일정"', set()),  # 일정은 in the comment is another word
        ('text ~ "일정*"', {COMMENT}),
        ('text ~ "depl*"', {PAGE, POST, DATA}),
        ('text ~ "d?ploy"', {POST, DATA}),
        ('text ~ "r*ng"', {PAGE}),
        ('text ~ "train release"', {POST}),  # both, in any order
        ('text ~ "\\"release train\\""', {POST}),
        ('text ~ "\\"train release\\""', set()),
        ('text ~ "\\"train\\\\-schedule\\""', {FILE}),
        ('text ~ "runbook"', {PAGE}),
        ('title ~ "train"', {POST, FILE}),
        ('title = "release train"', {POST}),
        ('siteSearch ~ "noon"', {POST}),
        ("text ~ deploy and type = page", {PAGE}),
        ("type in (page, blogpost)", {PAGE, POST, BARE}),
        ('type in ("page", blogpost) AND type != page', {POST}),
        ('type in (page, blogpost, database) AND text !~ "noon"', {PAGE, DATA, BARE}),
        ('type in (page, blogpost) AND NOT text ~ "noon"', {PAGE, BARE}),
        ("type in (page, blogpost) AND type not in (page)", {POST}),
        ("space = ENG AND type != comment", {PAGE, FILE}),
        ('space in ("eng") and type = attachment', {FILE}),
        ('space.title ~ "결제"', {POST, DATA}),
        ('space.title ~ "\\"결제 플랫폼\\""', {POST}),
        ("creator = currentUser()", {PAGE}),
        ("type = page AND creator != currentUser()", {BARE}),
        ("label = runbook", {PAGE}),
        ('text ~ "noon" OR text ~ "rolling" AND type = blogpost', {POST}),
        ('(text ~ "noon" OR text ~ "rolling") AND type = page', {PAGE}),
        ('lastmodified >= "2026-03-10"', {PAGE, COMMENT}),
        ('type = page AND created < "2026-03-02"', {PAGE}),
        ('created >= "2026/03/06"', {COMMENT, BARE}),  # half past midnight in Seoul
        ('created >= "2026-03-06 00:30" AND created <= "2026-03-06 00:30"', {BARE}),
        ('created > "2026-03-06 00:30"', {COMMENT}),
        ('created = "2026-03-06"', {BARE}),
        ('created = "2026-03-06 00:30"', {BARE}),
        ('type = page AND created != "2026-03-06"', {PAGE}),
        ('lastmodified > now("-10d")', {COMMENT}),
        ('lastmodified >= startOfMonth() AND created < startOfDay("-16d")', {PAGE, COMMENT, POST, FILE}),
        ('created > endOfYear("-1y") AND type = page', {PAGE, BARE}),
        ('created > startOfWeek("-2w") AND type = page', {BARE}),
        ('created > now("-2M") AND created < now("-18d") AND type != database', {PAGE, COMMENT, POST}),
        ("type = database AND created < endOfDay()", {DATA}),
    ],
)  # fmt: skip
def test_what_a_query_finds(site: Any, cql: str, found: set[str]) -> None:
    assert set(titles(site, cql)) == found


@each_row(
    "cql",
    [
        'text !~ "a"', "type != page", "type not in (page)", 'NOT text ~ "a"', '(text !~ "a")',
        'type = page AND (text !~ "a" OR text ~ "b")', "type = page AND (NOT type = page)",
        "text = x", 'text > "x"', 'type ~ "page"', "created ~ x", "space > A", "nothing = x", "type = nothing",
        "id = abc", "creator = today()", "text ~ currentUser()", "created > currentUser()", "created > now(x)", "created > now(now())",
        'created > "2026-13-01"', 'created > "2026-03-01T00:00"', 'created > "yesterday"', "created > endOfAge()", 'created > now("-99999y")',
        'text ~ "*a"', 'text ~ "a~"', 'text ~ "a:b"', 'text ~ "a OR b"', 'text ~ "OR"', 'text ~ "a-b"', 'text ~ "("', 'text ~ ""', 'text ~ "--"',
        'text ~ "\\"a"', 'text ~ "\\\\"', 'text ~ "a\\"b"',
        'text ~ "a', "text ~", "text", "~", "text ~ and", "text ~ (a)", "text ~ a)", "(text ~ a", "type in ()", "type in (page", "type in page",
        "type not page", "creator = currentUser(", 'creator = f("a" "b")', "type = page text ~ a", "type = page AND", "type = page OR", "= page",
        "type = page ORDER", "type = page ORDER BY", "type = page ORDER BY text", "type = page ORDER BY created desc x", "type = page #",
        "(" * 60 + "type = page" + ")" * 60, "type = page AND " + "NOT " * 60 + "type = page",
    ],
)  # fmt: skip
def test_what_is_no_cql_is_refused(site: Any, cql: str) -> None:
    """As a bad request that repeats the query, and never as an empty result."""
    reply = site(SEARCH, query={"cql": cql})
    value = json.loads(reply.body)
    assert (reply.status, value["statusCode"]) == (400, 400)
    assert value["message"].startswith(
        "com.atlassian.confluence.api.service.exceptions.BadRequestException: Could not parse cql : "
    )
    assert cql[:100] in value["message"]


def test_a_value_is_read_on_two_levels() -> None:
    """CQL's escapes are undone first, then those of the text search."""
    clause: Any = parse(r'text ~ "\"C\\+\\+ \\\"x\\\"\" deploy* a\\*"').condition
    assert clause.values == [r'"C\+\+ \"x\"" deploy* a\*']
    assert needles(clause.values[0]) == [Needle('C++ "x"', "phrase"), Needle("deploy", "prefix"), Needle("a*", "word")]


@given(st.text(max_size=60) | st.lists(st.sampled_from([*'()"\\*?~', " AND ", " OR ", "NOT ", "text", "type", "=", "!~", "in", "a", "배포", "now", ",", " ORDER BY "]), max_size=25).map("".join))  # fmt: skip
def test_the_grammar_reads_or_refuses_whatever_comes(text: str) -> None:
    """And nothing else happens."""
    for read in (parse, needles):
        with suppress(CqlError):
            read(text)


def test_results_have_all_that_is_documented(site: Any) -> None:
    page = site.json(SEARCH, query={"cql": 'text ~ "배포를"'})
    assert (page["totalSize"], page["size"], page["start"], page["limit"]) == (1, 1, 0, 25)
    assert "next" not in page["_links"]
    (found,) = page["results"]
    number = found["content"]["id"]
    assert found["url"].startswith(f"/spaces/ENG/pages/{number}/")
    assert found["content"]["space"]["key"] == "ENG"
    assert found["content"]["history"]["createdBy"]["displayName"] == "이하늘"
    assert found["lastModified"] == "2026-03-10T00:00:00.000Z"
    assert found["excerpt"] == "@@@hl@@@배포를@@@endhl@@@ 합니다 금요일에 rolling deploys"
    assert found["title"] == "배포 절차"
    assert (
        site.served.origins()[number]
        == site.served.origins()[f"https://acme.atlassian.net/wiki{found['url']}"]
        == "row0"
    )


@each_row(
    ("excerpt", "shown"),
    [
        ("highlight", "The release leaves at noon: @@@hl@@@deploy@@@endhl@@@ &lt;b&gt;&amp;"),
        ("highlight_unescaped", "The release leaves at noon: @@@hl@@@deploy@@@endhl@@@ <b>&"),
        ("indexed", "The release leaves at noon: deploy &lt;b&gt;&amp;"),
        ("indexed_unescaped", "The release leaves at noon: deploy <b>&"),
        ("none", ""),
    ],
)
def test_excerpts(site: Any, excerpt: str, shown: str) -> None:
    (found,) = site.json(SEARCH, query={"cql": "type = blogpost AND text ~ deploy", "excerpt": excerpt})["results"]
    assert found["excerpt"] == shown


def test_a_long_text_is_cut_between_words_about_what_matched(ask: Callable[..., Any]) -> None:
    text = " ".join(f"before{n}" for n in range(100)) + " needle " + " ".join(f"after{n}" for n in range(100))
    site = ask("confluence", [{"title": "x", "text": text}])
    (found,) = site.json(SEARCH, query={"cql": "text ~ needle"})["results"]
    excerpt = found["excerpt"]
    assert excerpt.startswith("... before")
    assert excerpt.endswith(" ...")
    assert " @@@hl@@@needle@@@endhl@@@ after0 " in excerpt
    assert set(excerpt.replace("@@@hl@@@", "").replace("@@@endhl@@@", "").strip(". ").split()) <= set(text.split())


def test_a_comment_stands_on_its_page(site: Any) -> None:
    results = site.json(SEARCH, query={"cql": "type = comment"})["results"]
    assert {result["resultParentContainer"]["title"] for result in results} == {PAGE}
    (page,) = site.json(SEARCH, query={"cql": "type = page AND space = ENG"})["results"]
    number = page["content"]["id"]
    inside = site.json(SEARCH, query={"cql": f"container = {number}"})["results"]
    assert {result["url"] for result in inside} == {result["url"] for result in results}
    assert all(result["url"].startswith(f"{page['url']}?focusedCommentId=") for result in results)
    assert {site.served.origins()[result["content"]["id"]] for result in results} == {"row0"}
    assert site.served.origins()[f"https://acme.atlassian.net/wiki{page['url']}"] == "row0"


def test_ids_are_found_with_and_without_what_marks_a_file(site: Any) -> None:
    (found,) = site.json(SEARCH, query={"cql": "type = attachment"})["results"]
    number = found["content"]["id"]
    assert number.startswith("att")
    for wanted in (number, number.removeprefix("att")):
        assert titles(site, f"id = {wanted}") == [FILE]
        assert titles(site, f"content in (1, {wanted})") == [FILE]


def test_order(site: Any) -> None:
    """The best first, unless an order is asked for."""
    assert titles(site, 'text ~ "deploy"')[0] == DATA
    assert titles(site, "type in (page, blogpost, attachment) order by created") == [PAGE, POST, FILE, BARE]
    assert titles(site, "type in (page, blogpost) ORDER BY lastmodified DESC") == [PAGE, BARE, POST]
    assert titles(site, "type in (page, blogpost) ORDER BY title asc, created") == [BARE, POST, PAGE]


def test_pages_are_followed_by_their_cursor(site: Any) -> None:
    cql, seen, cursor = "type in (page, blogpost, comment, attachment, database)", [], None
    for _ in range(10):
        page = site.json(SEARCH, query={"cql": cql, "limit": "3", **({"cursor": cursor} if cursor else {})})
        seen += [result["content"]["id"] for result in page["results"]]
        following = page["_links"].get("next")
        if following is None:
            break
        assert following.startswith("/rest/api/search?")
        cursor = parse_qs(urlsplit(following).query)["cursor"][0]
    assert len(seen) == len(set(seen)) == page["totalSize"] == 7
    assert [len(site.json(SEARCH, query={"cql": cql, "start": str(n)})["results"]) for n in (0, 5, 9)] == [7, 2, 0]
    for wrong in ("x", base64.b64encode(b"0:0").decode(), cursor):
        assert site(SEARCH, query={"cql": "type = page", "cursor": wrong}).status == 400


def test_a_page_holds_fifty_at_most(ask: Callable[..., Any]) -> None:
    site = ask("confluence", [{"title": f"page {n}"} for n in range(60)])
    page = site.json(SEARCH, query={"cql": "type = page", "limit": "1000"})
    assert (page["limit"], page["size"], page["totalSize"]) == (50, 50, 60)
    assert site.json(SEARCH, query={"cql": "type = page", "limit": "0"})["results"] == []


@each_row(
    ("path", "query", "status"),
    [
        (SEARCH, {}, 400),
        (SEARCH, {"cql": " "}, 400),
        (SEARCH, {"cql": "type = page", "limit": "ten"}, 400),
        (SEARCH, {"cql": "type = page", "limit": "-1"}, 400),
        (SEARCH, {"cql": "type = page", "start": "x"}, 400),
        (SEARCH, {"cql": "type = page", "excerpt": "all"}, 400),
        (PEOPLE, {"cql": "type = page"}, 400),
        (PEOPLE, {"cql": "user = currentUser()"}, 400),
        (PEOPLE, {"cql": "type = user ORDER BY created"}, 400),
        (SPACES, {"limit": "251"}, 400),
        (SPACES, {"cursor": "x"}, 400),
        ("/wiki/api/v2/pages/1", {}, 404),
        ("/rest/api/search", {"cql": "type = page"}, 404),
        ("/", {}, 404),
    ],
)
def test_other_requests_that_are_refused(site: Any, path: str, query: dict[str, str], status: int) -> None:
    reply = site(path, query=query)
    assert reply.status == status
    assert ("errors" in json.loads(reply.body)) is path.startswith("/wiki/api/v2")


def test_only_reading(site: Any) -> None:
    assert site(SEARCH, method="POST", query={"cql": "type = page"}).status == 405


def test_people_are_found_by_the_beginnings_of_their_names(site: Any) -> None:
    def names(cql: str, **more: str) -> list[str]:
        return [result["user"]["displayName"] for result in site.json(PEOPLE, query={"cql": cql, **more})["results"]]

    everybody = ["이하늘", "Sarah Kim", "최보라"]
    assert names("type=user") == everybody
    assert names("type = user", start="1", limit="1") == ["Sarah Kim"]
    assert names('user.fullname ~ "sar"') == ["Sarah Kim"]
    assert names('user.fullname ~ "최보"') == ["최보라"]
    me = site.json(ME)["accountId"]
    assert names(f'user = "{me}"') == names(f'user.accountid in ("{me}")') == ["이하늘"]
    assert names(f'type = user AND NOT user = "{me}"') == names(f'type = user AND user != "{me}"') == everybody[1:]
    assert names(f'user = "{me}" OR user.fullname ~ "k"') == ["이하늘", "Sarah Kim"]


def test_spaces_are_listed_with_keys_of_their_names(site: Any) -> None:
    listed = site.json(SPACES)["results"]
    named = {space["name"]: space["key"] for space in listed}
    assert named.keys() == {"ENG", "결제 플랫폼", "결제", "General"}
    assert (named["ENG"], named["General"]) == ("ENG", "GENERAL")
    assert all(key.isascii() and key.isalnum() for key in named.values())
    assert len(set(named.values())) == 4
    first = site.json(SPACES, query={"limit": "3"})
    assert first["_links"]["next"].startswith("/wiki/api/v2/spaces?limit=3&cursor=")
    cursor = parse_qs(urlsplit(first["_links"]["next"]).query)["cursor"][0]
    rest = site.json(SPACES, query={"limit": "3", "cursor": cursor})
    assert [*first["results"], *rest["results"]] == listed
    assert [space["name"] for space in site.json(SPACES, query={"keys": "ENG,X"})["results"]] == ["ENG"]
    assert site.json(SPACES, query={"status": "archived"})["results"] == []


def test_names_that_make_the_same_key_get_different_ones(ask: Callable[..., Any]) -> None:
    rows = [{"title": name, "container": name} for name in ("A-B", "a b", "AB", "a.b")]
    keys = [space["key"] for space in ask("confluence", rows).json(SPACES)["results"]]
    assert keys == ["AB", "AB2", "AB3", "AB4"]


def test_the_text_of_a_page_is_html(site: Any) -> None:
    (found,) = site.json(SEARCH, query={"cql": 'text ~ "rolling"'})["results"]
    page = site.json(f"/wiki/api/v2/pages/{found['content']['id']}", query={"body-format": "view"})
    assert page["body"]["view"]["value"] == "<h1>배포를 합니다</h1>\n<p>금요일에 <strong>rolling</strong> deploys</p>\n"
    assert page["authorId"] == site.json(ME)["accountId"]
    assert site.json(f"/wiki/api/v2/pages/{page['id']}")["body"] == {}
    assert site(f"/wiki/api/v2/pages/{page['id']}", query={"body-format": "storage"}).status == 400
    assert site(f"/wiki/api/v2/blogposts/{page['id']}").status == 404


def test_a_page_is_shown_with_its_structure(ask: Callable[..., Any]) -> None:
    text = "마감 ~~5월~~ 6월\n- [x] 계약서\n- [ ] visa\n담당: 김\n## 표\n| a | b |\n|---|---|\n| 1 | 2 |\n1. go"
    site = ask("confluence", [{"title": "Plan", "text": text}])
    (found,) = site.json(SEARCH, query={"cql": 'text ~ "visa"'})["results"]
    page = site.json(f"/wiki/api/v2/pages/{found['content']['id']}", query={"body-format": "view"})
    assert page["body"]["view"]["value"].replace("\n", "") == (
        "<p>마감 <s>5월</s> 6월</p>"
        '<ul><li class="checked" data-inline-task-id="1">계약서</li><li data-inline-task-id="2">visa</li></ul><p>담당: 김</p><h2>표</h2>'
        "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table><ol><li>go</li></ol>"
    )


def test_ids_and_addresses_of_the_corpus_are_kept(ask: Callable[..., Any]) -> None:
    """Where they are Confluence's own; two rows never share a number."""
    url = "https://acme.atlassian.net/wiki/spaces/ENG/pages/4242/Plan"
    site = ask(
        "confluence",
        [{"title": "a", "url": url}, {"title": "b", "url": url}, {"title": "c", "url": "https://x.example/1"}],
    )
    results = {r["title"]: r for r in site.json(SEARCH, query={"cql": "type = page", "excerpt": "none"})["results"]}
    assert results["a"]["url"] == "/spaces/ENG/pages/4242/Plan"
    assert [results[name]["content"]["id"] for name in "ab"] == ["4242", "4243"]
    assert site.served.origins()[url] == "row0"


@each_row(
    ("authorization", "status"),
    [
        ("Bearer confluence_oauth_sandbox", 200),
        ("Bearer ATATT_sandbox", 401),  # an API token goes with an address
        ("Basic haneul@acme.example:ATATT_sandbox", 200),
        ("Basic haneul@acme.example:confluence_oauth_sandbox", 200),
        ("Basic sarah@acme.example:ATATT_sandbox", 401),
        ("Basic ATATT_sandbox", 401),
        ("Bearer x", 401),
        ("", 401),
    ],
)
def test_who_is_let_in(site: Any, authorization: str, status: int) -> None:
    scheme, _, secret = authorization.partition(" ")
    sent = base64.b64encode(secret.encode()).decode() if scheme == "Basic" else secret
    reply = site(ME, token=None, headers={"Authorization": f"{scheme} {sent}"})
    assert reply.status == status
    assert ("WWW-Authenticate" in reply.headers) is (status == 401)


def test_a_signature_that_cannot_be_read(site: Any) -> None:
    for sent in ("Basic ###", "Basic /w==", "Basic"):
        assert site(ME, token=None, headers={"Authorization": sent}).status == 401


def test_the_gateway_leads_to_the_same_site(site: Any) -> None:
    gateway = "/ex/confluence/11223344-a1b2-3b33-8444-def123456789"
    assert site.json(f"{gateway}{ME}") == site.json(ME)
    assert site(f"/ex/confluence/x{ME}").status == 404


def test_faults_speak_as_confluence_does(site: Any) -> None:
    throttled = site.served.refuse(Fault(retry_after=7))
    assert (throttled.status, throttled.headers["Retry-After"]) == (429, "7")
    assert throttled.headers["RateLimit-Reason"] == "confluence-burst-based"
    assert json.loads(site.served.refuse(Fault(status=503)).body)["statusCode"] == 503
    assert site.served.too_large().status == 413


@given(
    method=st.sampled_from(["GET", "POST", "HEAD", "X"]),
    path=st.sampled_from([SEARCH, PEOPLE, ME, SPACES, "/wiki/api/v2/pages/1", "/ex/confluence/x"])
    | st.text(max_size=30),
    name=st.sampled_from(["cql", "cursor", "limit", "start", "excerpt", "body-format", "keys"]) | st.text(max_size=5),
    value=st.text(max_size=40) | st.sampled_from(["type = page", "1e9", "-1", "٣", "0" * 40, "\ud800", "=" * 7]),
)
def test_no_request_is_a_server_error(served: Any, method: str, path: str, name: str, value: str) -> None:
    query = urlencode({"cql": "type = user", name: value}, errors="replace")
    signed = {"authorization": f"Bearer {served.tokens[0]}"}
    assert served.answer(WireRequest(method, path, query, signed)).status < 500


@pytest.fixture(scope="module")
def served() -> Any:
    """An emulator over no rows at all."""
    owner = Person(id="U01", name="이하늘", handle="haneul", email="haneul@acme.example")
    at = datetime(2026, 3, 20, tzinfo=UTC)
    situation = Situation(Corpus({}, Directory([owner]), {}), owner, lambda: at, ZoneInfo("Asia/Seoul"))
    return emulator("confluence", situation, None)


def test_an_own_token_replaces_the_first(ask: Callable[..., Any]) -> None:
    assert ask("confluence", ROWS, token="mine").served.tokens[0] == "mine"
