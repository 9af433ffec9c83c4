"""A day or a number that was given up is no answer, in any type; what replaced it is."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from orchestrator.answer.quotes import read_quotes
from orchestrator.answer.revoked import standing, values
from translators.query import QueryType

FIRST = "The office move is on 28 March."
MOVED = "The office move is postponed from 28 March to 12 April."


@pytest.mark.parametrize(
    "kind", [QueryType.TEMPORAL, QueryType.DECISION, QueryType.EXPLORATORY, QueryType.FACTUAL], ids=str
)
def test_the_newer_day_is_told_and_the_older_is_not(desk: Any, kind: QueryType) -> None:
    desk = desk.ask(type=kind, keywords=("office", "move"))
    answer = desk.answer(desk.result("gmail:1", FIRST, age=20), desk.result("slack:2", MOVED, age=2, score=0.8))
    assert FIRST not in answer.summary
    assert MOVED in answer.summary


def test_words_that_nothing_found_holds_do_not_part_two_statements_of_one_matter(desk: Any) -> None:
    desk = desk.ask(type=QueryType.TEMPORAL, keywords=("office", "hit", "shops"))
    answer = desk.answer(desk.result("gmail:1", FIRST, age=20), desk.result("slack:2", MOVED, age=2, score=0.8))
    assert FIRST not in answer.summary


@pytest.mark.parametrize(
    ("one", "other", "ages"),
    [
        (FIRST, MOVED, (2, 20)),
        (FIRST, MOVED, (None, 2)),
        (FIRST, "The office party is postponed from 29 March to 12 April.", (20, 2)),
        ("The office move is on 28 March, the party on 3 May.", MOVED, (20, 2)),
    ],
    ids=["the move came first", "undated", "another day", "more than that day"],
)
def test_what_nothing_newer_took_back_stands(desk: Any, one: str, other: str, ages: tuple[Any, Any]) -> None:
    desk = desk.ask(type=QueryType.TEMPORAL, keywords=("office", "move"))
    answer = desk.answer(desk.result("gmail:1", one, age=ages[0]), desk.result("slack:2", other, age=ages[1]))
    assert one in answer.summary


def test_a_story_that_went_on_is_no_open_conflict(desk: Any) -> None:
    desk = desk.ask(keywords=("launch", "date"))
    told = [
        ("The launch date is agreed: 20 March.", 30),
        ("We agreed: the launch date moved from 20 March to 3 April.", 20),
        ("We agreed: the launch date moved from 3 April to 12 April.", 10),
    ]
    answer = desk.answer(*(desk.result(f"slack:{age}", text, age=age) for text, age in told))
    assert "12 April" in answer.statements[1].text
    assert all("12 April" in each for each in answer.conflicts)


@pytest.mark.parametrize(
    ("language", "old", "new"),
    [
        (
            "ko",
            "남은 연차는 다음 해로 이월할 수 없습니다.",
            "남은 연차는 최대 5일까지 다음 해 3월 31일로 이월할 수 있습니다.",
        ),
        (
            "en",
            "Unused 연차 cannot be carried over.",
            "Up to five days of unused 연차 can be carried over until 31 March.",
        ),
    ],
)
@pytest.mark.parametrize("kind", [QueryType.STATUS, QueryType.FACTUAL, QueryType.EXPLORATORY], ids=str)
def test_a_rule_of_which_something_newer_says_the_opposite_is_not_told(
    desk: Any, kind: QueryType, language: str, old: str, new: str
) -> None:
    desk = desk.ask(type=kind, keywords=("연차",), language=language)
    answer = desk.answer(desk.result("notion:1", old, age=300), desk.result("slack:2", new, age=80))
    assert old not in answer.summary
    assert new in answer.summary
    turned = desk.answer(desk.result("notion:1", old, age=80), desk.result("slack:2", new, age=300))
    assert old in turned.summary
    assert new not in turned.summary


@pytest.mark.parametrize(
    ("language", "planned", "denied"),
    [
        ("ko", "창고 습도 알림은 다음 주까지 걸어 보겠습니다.", "창고 습도에는 알림이 없었습니다."),
        ("en", "The humidity alert of the store will come next week.", "There was no humidity alert in the store."),
    ],
)
def test_that_there_was_none_takes_back_nothing_that_is_planned(
    desk: Any, language: str, planned: str, denied: str
) -> None:
    desk = desk.ask(type=QueryType.STATUS, keywords=("습도", "알림", "humidity", "alert"), language=language)
    results = desk.result("slack:1", planned, age=9), desk.result("notion:2", denied, age=3)
    assert planned in {each.words for each in standing(read_quotes(results, desk.query, desk.now), desk.now)}


@pytest.mark.parametrize(("hours", "held"), [((26, 28), 2), ((30, 37), 1)], ids=["one day in Seoul", "two"])
def test_what_is_said_the_other_way_round_on_the_same_day_stands(desk: Any, hours: tuple[int, int], held: int) -> None:
    now = datetime(2026, 11, 26, 12, tzinfo=ZoneInfo("Asia/Seoul"))
    desk = replace(desk, now=now.astimezone(UTC)).ask(type=QueryType.FACTUAL, keywords=("badge",))
    old, new = "A badge cannot be lent to visitors.", "A badge can be lent to visitors."
    results = desk.result("notion:1", old, age=hours[1] / 24), desk.result("slack:2", new, age=hours[0] / 24)
    assert len(standing(read_quotes(results, desk.query, now), now)) == held


@pytest.mark.parametrize(
    ("old", "age", "held"),
    [
        ("Ships get Wi-Fi by LTE router, 54 won a month.", 90, False),
        ("Ships get Wi-Fi by LTE router, 54 won a month.", 1, True),
        ("Ships get Wi-Fi by LTE next year.", 90, True),
    ],
    ids=["said before", "said again since", "something else"],
)
def test_what_something_newer_repeats_and_strikes_out_is_not_told(desk: Any, old: str, age: int, held: bool) -> None:
    desk = desk.ask(type=QueryType.DECISION, keywords=("Wi-Fi", "ships"))
    page = "Ships get Skyloop for Wi-Fi. ~~LTE router, 54 won a month~~ (cancelled)."
    results = desk.result("slack:1", old, age=age), desk.result("notion:2", page, title="Wi-Fi on ships", age=20)
    assert (old in {each.words for each in standing(read_quotes(results, desk.query, desk.now), desk.now)}) is held


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("API v2는 GraphQL이 아니라 REST로 만든다.", "API v2 문서는 REST로 만든다."),
        ("The API cannot be paged.", "The API answers within ten seconds as of today."),
    ],
    ids=["one of two things", "another matter"],
)
def test_what_only_denies_something_else_stands(desk: Any, one: str, other: str) -> None:
    desk = desk.ask(type=QueryType.FACTUAL, keywords=("API",))
    results = (desk.result("notion:1", one, age=20), desk.result("slack:2", other, age=2))
    assert one in {each.words for each in standing(read_quotes(results, desk.query, desk.now), desk.now)}


@pytest.mark.parametrize(
    ("text", "held", "left"),
    [
        ("R석은 77,000원이 아니라 66,000원으로 갑니다.", {"66000"}, {"77000"}),
        ("Corrected: the last boat is 16:10, not 16:40.", {"16:10"}, {"16:40"}),
        ("9월 1일부터 11,200원 → 11,800원.", {"11800"}, {"11200"}),
        ("48mm 대신 52mm로 여섯 줄.", {"52"}, {"48"}),
        ("은파호 | ~~20통~~ 12통 | 40캔", {"12", "40"}, {"20"}),
        ("타워 풍속 12 → 10m/s, 지붕 10 → 8.", {"10"}, {"12"}),  # what one thing leaves another has reached
        ("정원 20명 → 15명 → 12명", {"12"}, {"20", "15"}),
        ("The sample size goes up from 84 to 96.", {"96"}, {"84"}),
        ("They reduce their order from 120 to 90 pumps.", {"90"}, {"120"}),
        ("식대 한도가 12,000원에서 13,000원으로 오릅니다.", {"13000"}, {"12000"}),
        ("Open from 10:00 to 18:00.", {"10:00", "18:00"}, set()),
        ("10에서 20 사이입니다.", {"10", "20"}, set()),
        ("준공: ~~2027년 3월 31일~~ 2027년 4월 16일", set(), set()),  # days are told by themselves
        ("Room 7, not 8.", set(), set()),  # said by chance
    ],
)
def test_a_number_holds_or_is_left(text: str, held: set[str], left: set[str]) -> None:
    assert (values(text).held, values(text).left) == (held, left)


OLD, NEW = "The ticket of the gala costs 30,000 won.", "The ticket of the gala: 25,000 won, not 30,000."


def told(desk: Any, old: str, new: str, *ages: int) -> str:
    desk = desk.ask("ticket of the gala", type=QueryType.FACTUAL, keywords=("ticket", "gala"))
    answer = desk.answer(desk.result("gmail:1", old, age=ages[0]), desk.result("slack:2", new, age=ages[1], score=0.8))
    return str(answer.summary)


def test_a_price_that_something_newer_leaves_is_no_answer(desk: Any) -> None:
    assert OLD not in told(desk, OLD, NEW, 20, 2)
    assert NEW in told(desk, OLD, NEW, 20, 2)


@pytest.mark.parametrize(
    ("old", "new", "ages"),
    [
        (OLD, NEW, (2, 20)),
        (OLD, "The ticket of the play: 25,000 won, not 30,000.", (20, 2)),
        ("The ticket of the gala costs 25,000 won (30,000 before).", NEW, (20, 2)),
    ],
    ids=["it came first", "of another thing", "it says the new one too"],
)
def test_what_nothing_newer_leaves_stands(desk: Any, old: str, new: str, ages: tuple[int, int]) -> None:
    assert old in told(desk, old, new, *ages)
