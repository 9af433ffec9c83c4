"""Declarations: what is wrong with one is said by its key; the ready ones are right and send what they should."""

from __future__ import annotations

import base64
import tomllib
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.contract import Call, HitPage
from connectors.errors import BadReply, Forbidden, Misconfigured
from connectors.http import Page, Reply
from connectors.json_api import JsonApiSource
from connectors.json_api.asking import following
from connectors.json_api.settings import JsonApiSettings
from connectors.json_api.template import Missing, fill
from orchestrator.assembly.searching import build_engine
from orchestrator.assembly.sources import source_settings
from orchestrator.main import Root
from orchestrator.settings import load_settings
from translators.capabilities import Fidelity
from translators.query import Field, Kind, Query, Sort
from translators.strategies import queries
from translators.translator import NativeQuery
from translators.words import Words

if TYPE_CHECKING:
    from collections.abc import Mapping

EXAMPLES = Path(__file__).parents[4] / "config" / "sources.d.examples"
RANGE = {"range": {"updated": {"gte": "{since}", "lt": "{until}"}}}


def declared(**settings: Any) -> JsonApiSource:
    made = JsonApiSettings.model_validate({"kind": "json_api", "base_url": "http://127.0.0.1:1/api", **settings})
    return JsonApiSource("mine", made)


def example(name: str, **more: Any) -> JsonApiSource:
    table = tomllib.loads((EXAMPLES / f"{name}.toml").read_text("utf-8"))
    _, options = source_settings(name, {**table, **more})
    assert isinstance(options, JsonApiSettings)
    return JsonApiSource(name, options)


@pytest.mark.parametrize(
    ("reply", "more"),
    [
        ({"total": 0}, {}),
        ({"total": 0, "items": None}, {}),
        ({}, {}),
        ({"searchInformation": {"totalResults": "0"}}, {"total": "$.searchInformation.totalResults"}),
        ({"took": 3}, {"omits_empty": True}),
        ({"took": 3, "items": None}, {"omits_empty": True}),
    ],
)
def test_an_empty_reply_may_leave_its_list_out(reply: Any, more: Any) -> None:
    assert declared(reply=more).parse(Reply(200, reply)).hits == ()


@pytest.mark.parametrize(
    ("reply", "more"),
    [
        ({"total": 3}, {}),
        ({"took": 3}, {}),
        ({"total": 0, "items": "none"}, {}),
        ([1, 2], {"omits_empty": True}),
        ({"total": False}, {}),
    ],
)
def test_a_list_that_is_elsewhere_than_declared_is_not_taken_for_an_empty_one(reply: Any, more: Any) -> None:
    with pytest.raises(BadReply, match="no list at"):
        declared(reply=more).parse(Reply(200, reply))


def asked(source: JsonApiSource, query: Query) -> NativeQuery:
    powers = source.manifest.can
    assert powers is not None
    return Words().translate(query, Words.can.meet(powers.capabilities)).native


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"request": {"params": {"q": "{words}"}}}, "request.params.q: there is no placeholder {words}; there are {text}"),
        ({"request": {"params": {"q": "by:{author}"}}}, "request.params.q: {author} is to stand by itself"),
        ({"request": {"params": {"q": "title:({text})"}}}, "request.params.q: {text} is to stand by itself or between"),
        ({"request": {"params": {"q": ["{text}"]}}}, "request.params: q is to be a text or a number"),
        ({"request": {"path": "../{container}"}}, "request.path: is to be a plain path below base_url"),
        ({"request": {"path": "https://evil.example"}}, "request.path: is to be a plain path"),
        ({"request": {"params": {}}}, "request: nothing in it holds {text}"),
        ({"reply": {"items": "results["}}, "reply.items: 'results[' is no JSONPath"),
        ({"reply": {"items": ""}}, "reply.items: say where the list of results is"),
        ({"hit": {"facts": {"labels": "$.a["}}}, "hit.facts.labels: '$.a[' is no JSONPath"),
        ({"hit": {"tilte": "$.t"}}, "hit.tilte: there is no such setting"),
        ({"can": {"term": "exact", "assignee": "exact"}}, "can.assignee: the request has no place for it; put {assignee}"),
        ({"can": {"term": "exact", "kind": "exact"}}, "can.kind: this source cannot be asked for a kind"),
        ({"can": {"term": "exact"}}, "{author} would never be filled in; say can.author"),
        ({"can": {"term": "sometimes"}}, "can.term: must be one of: 'exact', 'wider', 'approximate', 'none'"),
        ({"can": {}}, "can.term: a search that understands no words"),
        ({"request": {"params": {"q": "{text}", "p": "{page}", "o": "{offset}"}}, "can": {"term": "exact"}}, "two ways to page"),
        ({"request": {"params": {"q": "{text}", "c": "{cursor}"}}, "can": {"term": "exact"}}, "reply.next: say where"),
        ({"reply": {"next": "$.next"}}, "nothing holds {cursor}"),
        ({"request": {"params": {"q": "{text}"}}, "can": {"term": "exact", "sorts": ["newest"]}}, "can.sorts: the request has no place"),
        ({"request": {"params": {"q": "{text}", "s": "{sort}"}}, "can": {"term": "exact"}}, "{sort} would never be filled in"),
        ({"auth": {"kind": "basic"}}, "auth: basic needs a username"),
        ({"auth": {"kind": "none"}, "token": "t0ken"}, "auth.kind: there is a token"),
        ({"auth": {"kind": "header", "name": "X Key"}}, "auth.name: must match"),
        ({"advice": {"200": "fine"}}, "advice"),
        ({"kinds": []}, "kinds: "),
        ({"hit": {"url": "https://wiki.example/{$.a[}"}}, "hit.url: '$.a[' is no JSONPath"),
        ({"hit": {"url": "https://wiki.example/{$.id}/{name}"}}, "a path in a text stands in braces"),
        ({"reply": {"order": "-index["}}, "reply.order: 'index[' is no JSONPath"),
        ({"reply": {"order": "-"}}, "reply.order: a path stands behind the sign"),
        ({"people": {"path": "users?all"}}, "people.path: is to be a plain path"),
        ({"people": {"path": "users", "params": {"q": "{text}"}}}, "people: {text}: a list is asked for whole"),
        ({"places": {"path": "rooms", "params": {"c": "{cursor}"}}}, "places: reply.next"),
    ],
)  # fmt: skip
def test_a_wrong_declaration_is_refused_by_its_key(wrong: dict[str, Any], said: str) -> None:
    """In the words that a person reads, who finds the key in the file."""
    with pytest.raises(Misconfigured) as caught:
        source_settings("wiki", {"kind": "json_api", **wrong})
    assert caught.value.message.startswith("setting sources.wiki")
    assert said in caught.value.message


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.stem)
def test_the_ready_declarations_are_right(path: Path) -> None:
    """Each is accepted as it lies there, and makes an engine that can be asked once it has its token."""
    table = tomllib.loads(path.read_text("utf-8"))
    secret = {} if table.get("auth", {}).get("kind") == "none" else {"token": "t0ken-t0ken"}
    settings = load_settings({"sources": {path.stem.replace("-", "_"): {**table, **secret}}}, {})
    engine = build_engine(settings)
    (profile,) = engine.profiles
    assert (profile.title, profile.category.value, profile.missing) == (table["title"], table["category"], "")


def test_what_a_declaration_says_is_what_is_planned_with() -> None:
    """Title, category, powers and limits are the instance's own, not those of its kind."""
    settings = load_settings({"sources": {"web": tomllib.loads((EXAMPLES / "searxng.toml").read_text("utf-8"))}}, {})
    engine = build_engine(settings)
    (profile,) = engine.profiles
    assert (profile.title, profile.category.value) == ("Web (SearXNG)", "web")
    assert profile.can.term is Fidelity.APPROXIMATE
    assert set(profile.can.fields.values()) == {Fidelity.NONE}
    (row,) = Root().configured(settings)
    assert (row.title, row.problem) == ("Web (SearXNG)", "")


def test_a_declaration_without_an_address_is_told_at_the_first_request(in_virtual_time: Any) -> None:
    made = JsonApiSource("wiki", JsonApiSettings.model_validate({"kind": "json_api", "token": "t0ken-t0ken"}))
    with pytest.raises(Misconfigured, match="source wiki: set base_url"):
        in_virtual_time(made.search(NativeQuery("words", "plan"), Call()))


# ---- what is sent


def test_searxng_is_asked_for_words_alone() -> None:
    source = example("searxng")
    request = source.request(NativeQuery("words", '배포 "release train"'), Page(20))
    assert (request.method, request.path) == ("GET", "search")
    assert request.params == {"q": '배포 "release train"', "format": "json", "pageno": "1"}
    assert source.request(NativeQuery("words", "x"), Page(20, "3")).params["pageno"] == "3"


def test_searxng_that_refuses_json_says_what_to_do() -> None:
    problem = example("searxng").error(Reply(403))
    assert isinstance(problem, Forbidden)
    assert "lists json under search.formats" in problem.message


def test_searxng_is_read() -> None:
    body = {
        "query": "배포",
        "number_of_results": 0,
        "results": [
            {"url": "https://a.example/x", "title": "<b>배포</b> 안내", "content": "금요일 &amp; 토요일", "engines": ["brave", "bing"],
             "score": 3.0, "publishedDate": "2026-01-10T00:00:00", "category": "general"},
            {"url": "https://a.example/y", "title": "둘째", "content": "", "engines": ["brave"], "publishedDate": None},
        ],
        "unresponsive_engines": [["google", "timeout"]],
    }  # fmt: skip
    page = example("searxng").parse(Reply(200, body))
    first, second = page.hits
    assert (first.id, first.url, first.title, first.snippet) == (
        "https://a.example/x",
        "https://a.example/x",
        "배포 안내",
        "금요일 & 토요일",
    )
    assert first.kind is Kind.WEB_PAGE
    assert first.facts["engines"] == "brave … bing"
    assert (second.created, second.complete) == (None, False)
    assert [each.said for each in page.left_out] == ["Web (SearXNG) says that its answer is not complete"]


def test_elasticsearch_is_asked_in_its_own_query_language() -> None:
    source = example("elasticsearch", token="t0ken-t0ken")
    args = {"since": "2025-01-09T15:00:00Z", "author": 'sarah"}}', "sort": "newest"}
    body: Any = source.request(NativeQuery("words", "배포* -draft", args), Page(10, "10")).json
    assert body["query"]["bool"]["must"][0]["simple_query_string"]["query"] == "배포* -draft"
    assert body["query"]["bool"]["filter"] == [
        {"range": {"updated": {"gte": "2025-01-09T15:00:00Z"}}}, {"term": {"author": 'sarah"}}'}}]  # fmt: skip
    assert body["sort"] == [{"updated": {"order": "desc", "unmapped_type": "date"}}]
    assert (body["size"], body["from"]) == (10, 10)
    plain: Any = source.request(NativeQuery("words", "배포"), Page(10)).json
    assert "sort" not in plain
    assert "filter" not in plain["query"]["bool"]
    assert plain["from"] == 0


@pytest.mark.parametrize(
    ("auth", "sent"),
    [
        ({"kind": "bearer"}, {"Authorization": "Bearer t0ken"}),
        (
            {"kind": "basic", "username": "봇"},
            {"Authorization": "Basic " + base64.b64encode("봇:t0ken".encode()).decode()},
        ),
        ({"kind": "header"}, {"X-Api-Key": "t0ken"}),
        ({"kind": "header", "name": "Authorization", "scheme": "ApiKey"}, {"Authorization": "ApiKey t0ken"}),
    ],
)
def test_the_token_is_sent_as_declared(auth: Mapping[str, str], sent: Mapping[str, str]) -> None:
    assert declared(auth=auth).authorization("t0ken") == sent


@pytest.mark.parametrize(
    ("times", "since", "until"),
    [
        ("iso", "2025-01-09T15:00:00.500000Z", "2025-01-31T15:00:00.500000Z"),
        ("date", "2025-01-08", "2025-02-02"),
        ("seconds", "1736434800", "1738335601"),
        ("milliseconds", "1736434800500", "1738335600500"),
    ],
)
def test_an_instant_is_rounded_so_that_nothing_falls_out(times: str, since: str, until: str) -> None:
    source = declared(request={"times": times})
    args = {"since": "2025-01-09T15:00:00.500000Z", "until": "2025-01-31T15:00:00.500000Z"}
    params = source.request(NativeQuery("words", "x", args), Page(20)).params
    assert (params["since"], params["until"]) == (since, until)
    assert source.manifest.can is not None
    assert source.manifest.can.time is (Fidelity.WIDER if times == "date" else Fidelity.EXACT)


@given(queries())
def test_a_question_never_changes_the_structure_of_a_request(query: Query) -> None:
    """Whatever it says, the body has the keys of the declaration and some text in their places."""
    source = example("elasticsearch", token="t0ken-t0ken")
    native = asked(source, query)
    body: Any = source.request(native, Page(10)).json
    known = {"size", "from", "_source", "sort", "query"}
    assert body.keys() <= known
    clause = body.get("query", {}).get("bool", {})
    assert [set(part) for part in clause.get("must", [])] in ([], [{"simple_query_string"}])
    for part in clause.get("filter", []):
        assert part.keys() in ({"range"}, {"term"})
        assert part.get("range", {"updated": {}}).keys() == {"updated"}
        assert isinstance(part.get("term", {"author": ""})["author"], str)
    assert source.request(native, Page(10)) == source.request(native, Page(10))


TEMPLATES = st.recursive(
    st.sampled_from(["{text}", "{since}", "x {text} y", "plain", "", 3, True, None]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "c"]), inner, max_size=3),
    max_leaves=8,
)


@given(TEMPLATES, st.text())
def test_filling_in_everything_keeps_the_shape(template: object, text: str) -> None:
    before = deepcopy(template)

    def shape(value: object) -> object:
        if isinstance(value, dict):
            return {name: shape(part) for name, part in value.items()}
        return [shape(part) for part in value] if isinstance(value, list) else type(value)

    assert shape(fill(template, {"text": text, "since": "s"})) == shape(template)
    assert template == before


@pytest.mark.parametrize(
    ("template", "given_values", "filled"),
    [
        ({"order": "{sort}", "missing": "last"}, {}, None),
        ({"a": {"order": "{sort}", "missing": "last"}, "b": "kept"}, {}, {"b": "kept"}),
        ({"must": ["{text}"], "must_not": [{"hidden": True}]}, {}, {"must_not": [{"hidden": True}]}),
        (RANGE, {"until": "u"}, {"range": {"updated": {"lt": "u"}}}),
        ({"match_all": {}}, {}, {"match_all": {}}),
        (["{limit}", "{text}"], {"limit": 3}, [3]),
    ],
)
def test_what_is_not_said_is_left_out(template: object, given_values: Mapping[str, Any], filled: object) -> None:
    """A fixed condition beside it stays: it may be what keeps hidden things hidden."""
    found = fill(template, given_values)
    assert isinstance(found, Missing) if filled is None else found == filled


# ---- pages


@pytest.mark.parametrize(
    ("count", "cursor", "expected"), [(2, None, "2"), (2, "2", "3"), (1, "2", None), (0, "3", None)]
)
def test_pages_are_counted_until_one_is_not_full(count: int, cursor: str | None, expected: str | None) -> None:
    source = declared(request={"params": {"q": "{text}", "n": "{limit}", "p": "{page}"}}, can={"term": "exact"})
    assert following(source.settings.request, HitPage(cursor=str(count)), cursor, 2) == expected


@pytest.mark.parametrize("cursor", ["-1", "x", "１", "99999999", ""])
def test_a_cursor_that_is_none_of_ours_begins_at_the_start(cursor: str) -> None:
    assert declared().request(NativeQuery("words", "x"), Page(20, cursor)).params["offset"] == "0"


def test_a_search_that_lists_nothing_is_not_asked_without_a_word(in_virtual_time: Any) -> None:
    page = in_virtual_time(example("searxng").search(NativeQuery("words", ""), Call()))
    assert page.hits == ()
    assert "leaves none for it" in page.notes[0]


def test_orders_go_by_the_names_of_the_search() -> None:
    source = declared(request={"sorts": {"newest": "-date", "relevance": "best"}})
    ordered = source.request(NativeQuery("words", "x", {"sort": Sort.NEWEST.value}), Page(20))
    assert ordered.params["sort"] == "-date"
    assert source.request(NativeQuery("words", "x"), Page(20)).params["sort"] == "best"


def test_filters_that_are_not_declared_stay_with_us() -> None:
    source = example("searxng")
    assert source.manifest.can is not None
    assert Field.TIME not in source.manifest.can.capabilities.fields
