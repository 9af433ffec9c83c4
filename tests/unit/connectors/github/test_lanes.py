"""Which searches a question becomes, how they stay inside the settings, how the cursor keeps their places, and how their lists are merged."""

from __future__ import annotations

import base64
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from connectors.contract import Hit
from connectors.github.lanes import (
    LaneCursor,
    LanesProgress,
    SearchLane,
    by_date,
    cursor_of,
    in_turn,
    lanes_of,
    merged,
    progress_of,
)
from connectors.github.settings import GitHubSettings
from translators.query import Kind
from translators.translator import NativeQuery

ALL = "issues pull_requests discussions code"


def settings(**given: Any) -> GitHubSettings:
    return GitHubSettings.model_validate({"kind": "github", **given})


def queries(text: str, *searches: str, order: str = "", **given: Any) -> list[tuple[str, str]]:
    args: dict[str, Any] = {"search": list(searches)} if searches else {}
    args |= {"sort": "updated", "order": order} if order else {}
    return [(lane.scope, lane.query) for lane in lanes_of(NativeQuery("github", text, args), settings(**given))]


def test_one_search_of_each_kind_says_what_it_is_for() -> None:
    assert queries("x", ALL) == [
        ("issues", "x is:issue"), ("pull_requests", "x is:pull-request"), ("discussions", "x"), ("code", "x"),
    ]  # fmt: skip
    assert queries("x") == queries("x", ALL), "a query that names no searches is for all of them"
    assert queries("x", ALL, scopes=["code", "issues"]) == [("code", "x"), ("issues", "x is:issue")]
    assert queries("x", "code", scopes=["issues"]) == []


def test_nothing_wanted_is_no_search() -> None:
    assert lanes_of(NativeQuery("github", "", {"search": []}), settings()) == ()


def test_several_texts_go_where_they_belong() -> None:
    assert queries("a || b || c", "issues", "discussions code", "code") == [
        ("issues", "a is:issue"), ("discussions", "b"), ("code", "b"), ("code", "c"),
    ]  # fmt: skip


def test_without_words_code_is_not_searched_and_discussions_are_all_wanted() -> None:
    assert queries("", ALL) == [
        ("issues", "is:issue"), ("pull_requests", "is:pull-request"), ("discussions", "created:>=2008-01-01"),
    ]  # fmt: skip


def test_the_order_of_discussions_stands_in_their_query() -> None:
    assert queries("x", "discussions", order="asc") == [("discussions", "x sort:created-asc")]
    assert queries("x", "discussions", order="desc") == [("discussions", "x sort:created-desc")]
    assert queries("x", "issues code", order="desc") == [("issues", "x is:issue"), ("code", "x")]


def test_an_organisation() -> None:
    assert queries("x", ALL, org="acme") == [
        ("issues", "x is:issue org:acme"), ("pull_requests", "x is:pull-request org:acme"), ("discussions", "x org:acme"), ("code", "x org:acme"),
    ]  # fmt: skip


def test_repositories_are_alternatives_in_each_grammar() -> None:
    assert queries("x", "issues code", org="acme", repos=["app", "other/lib"]) == [
        ("issues", "x is:issue (repo:acme/app OR repo:other/lib)"), ("code", "x repo:acme/app repo:other/lib"),
    ]  # fmt: skip
    assert queries("x", "issues", repos=["acme/app"]) == [("issues", "x is:issue repo:acme/app")]


@pytest.mark.parametrize(
    ("text", "sizes"),
    [("x", [6, 2]), ("x NOT y", [5, 3]), ('"OR" "a OR b"', [6, 2]), ("(a OR b) (c OR d) NOT e", [3, 3, 2]), ("a NOT b NOT c NOT d NOT e NOT f", [1] * 8)],
)  # fmt: skip
def test_what_is_left_of_five_operators_joins_repositories(text: str, sizes: list[int]) -> None:
    found = queries(text, "issues", repos=[f"acme/r{number}" for number in range(8)])
    assert [query.count("repo:") for _, query in found] == sizes
    assert all(
        query.count(" OR ") - text.count(" OR ") == size - 1 for (_, query), size in zip(found, sizes, strict=True)
    )


def test_a_query_that_names_its_repository_gets_no_other() -> None:
    assert queries("x repo:acme/app", "issues code", org="ACME") == [
        ("issues", "x repo:acme/app is:issue"), ("code", "x repo:acme/app"),
    ]  # fmt: skip
    assert queries("x repo:other/lib", "issues code", org="acme") == []
    assert queries("x repo:acme/web", "code", repos=["acme/app"]) == []
    assert queries('x "repo:other/lib" -repo:acme/web', "code", org="acme") == [
        ("code", 'x "repo:other/lib" -repo:acme/web org:acme')
    ]
    assert queries("(repo:acme/a OR repo:acme/b)", "issues", org="acme") == [
        ("issues", "(repo:acme/a OR repo:acme/b) is:issue org:acme")
    ]


def test_titles_and_bodies_only() -> None:
    assert queries("x", "issues discussions code", comments=False) == [
        ("issues", "x is:issue in:title,body"), ("discussions", "x in:title,body"), ("code", "x"),
    ]  # fmt: skip


# ---- settings


@pytest.mark.parametrize(
    "wrong",
    [
        {"org": "acme OR org:evil"}, {"org": "-acme"}, {"org": "a/b"}, {"repos": ["app"]}, {"repos": ["acme/.."]},
        {"repos": ["acme/app repo:evil/x"]}, {"repos": [f"a/r{n}" for n in range(13)]}, {"scopes": []}, {"scopes": ["wiki"]},
        {"version": "latest\r\nX: y"},
    ],
)  # fmt: skip
def test_settings_that_could_leave_their_place_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        settings(**wrong)


def test_what_is_inside() -> None:
    assert settings().inside("any/thing")
    assert settings(org="Acme").inside("acme/app")
    assert not settings(org="acme").inside("acme2/app")
    assert settings(org="acme", repos=["app", "other/lib"]).inside("ACME/App")
    assert not settings(org="acme", repos=["app"]).inside("acme/web")


# ---- cursors

LANES = (SearchLane("issues", "x"), SearchLane("code", "x"))


def test_a_cursor_keeps_every_place() -> None:
    progress = LanesProgress(size=7, places=(LaneCursor(position="3", skip=2), None))
    cursor = cursor_of(progress)
    assert cursor is not None
    assert progress_of(cursor, LANES, 20) == progress
    assert progress_of(None, LANES, 20) == LanesProgress(size=20, places=(LaneCursor(), LaneCursor()))
    assert cursor_of(LanesProgress(size=7, places=(None, None))) is None


def encoded(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode()


@pytest.mark.parametrize(
    "cursor",
    [
        "", "%%%", "배포", encoded("["), encoded("{}"), encoded('{"size": 0, "places": [null, null]}'),
        encoded('{"size": 5, "places": [null]}'), encoded('{"size": 5, "places": [{"skip": -1}, null]}'), encoded("[" * 100_000),
        encoded('{"size": 5, "places": [null, null]}'),
    ],
)  # fmt: skip
def test_a_cursor_that_is_not_ours_begins_anew(cursor: str) -> None:
    assert progress_of(cursor, LANES, 20) == LanesProgress(size=20, places=(LaneCursor(), LaneCursor()))


def hits(*names: str) -> list[Hit]:
    return [Hit("", name, Kind.ISSUE) for name in names]


def named(found: list[Hit]) -> list[str]:
    return [hit.id for hit in found]


def test_each_search_gives_its_best_in_turn() -> None:
    lists = [hits("i1", "i2", "i3"), hits("p1"), hits("c1", "c2")]
    found, used = merged(lists, in_turn(lists, ["issues", "pulls", "code"]), 5)
    assert named(found) == ["i1", "p1", "c1", "i2", "c2"]
    assert used == [2, 1, 2]


def test_a_search_that_was_asked_twice_counts_once() -> None:
    """Its lists share its turns: three alternatives do not make discussions three times as important."""
    lists = [hits("i1", "i2", "i3"), hits("a1", "a2"), hits("b1", "b2")]
    found, _ = merged(lists, in_turn(lists, ["issues", "discussions", "discussions"]), 6)
    assert named(found) == ["i1", "a1", "i2", "b1", "i3", "a2"]


def test_a_hit_of_two_lists_stands_once_and_is_used_up_in_both() -> None:
    lists = [hits("x", "a"), hits("x", "b")]
    found, used = merged(lists, in_turn(lists, ["discussions", "discussions"]), 3)
    assert named(found) == ["x", "a", "b"]
    assert used == [2, 2]


def dated(name: str, day: int | None, kind: Kind = Kind.ISSUE) -> Hit:
    moment = None if day is None else datetime(2026, 1, day, tzinfo=UTC)
    return Hit("", name, kind, created=moment, updated=None if kind is Kind.THREAD else moment)


def test_by_date_the_undated_come_last() -> None:
    lists = [[dated("i9", 9), dated("i3", 3)], [dated("d5", 5, Kind.THREAD)], [dated("c", None, Kind.CODE)]]
    found, _ = merged(lists, by_date(lists, newest=True), 9)
    assert named(found) == ["i9", "d5", "i3", "c"]
    lists = [[dated("i3", 3), dated("i9", 9)], [dated("d5", 5, Kind.THREAD)], [dated("c", None, Kind.CODE)]]
    found, _ = merged(lists, by_date(lists, newest=False), 9)
    assert named(found) == ["i3", "d5", "i9", "c"]


@given(st.lists(st.lists(st.integers(0, 30), max_size=8, unique=True), max_size=5), st.integers(1, 12))
def test_nothing_is_lost_or_repeated_from_page_to_page(numbers: list[list[int]], size: int) -> None:
    """Reading on from what was used gives every hit, whatever the lists share."""
    lists = [hits(*map(str, each)) for each in numbers]
    groups = [str(place % 3) for place in range(len(lists))]
    seen: list[str] = []
    while any(lists):
        found, used = merged(lists, in_turn(lists, groups), size)
        assert len(found) <= size
        assert len({hit.id for hit in found}) == len(found)
        assert sum(used) >= len(found) > 0
        seen += named(found)
        lists = [each[count:] for each, count in zip(lists, used, strict=True)]
    assert set(seen) == {str(number) for each in numbers for number in each}
