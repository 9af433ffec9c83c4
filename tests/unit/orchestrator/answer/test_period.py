"""What happened in a time is told from all that was found in it: decisions, what was finished, what is held up."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from translators.query import Compare, Field, Op, Person, Query, QueryType, State, Window, all_of

WEEK = Window(date(2025, 2, 24), date(2025, 3, 3), "last week")


def claims(answer: Any) -> list[str]:
    return [each.text for each in answer.statements if each.part == "claim"]


def talk(desk: Any, count: int) -> list[Any]:
    return [desk.result(f"slack:{at}", f"Lunch number {at} was good and long.", age=3) for at in range(count)]


@pytest.mark.parametrize(
    ("language", "decided", "told"),
    [
        ("en", "We decided to move the office to Harbour Street.", ("Finished: ", "Blocked: ")),
        ("ko", "사무실은 항구로로 옮기기로 결정했습니다.", ("끝난 일: ", "막힘: ")),
    ],
)
def test_what_was_decided_finished_and_held_up_is_told_however_far_down_it_was_found(
    desk: Any, language: str, decided: str, told: tuple[str, str]
) -> None:
    desk = desk.ask("last week", type=QueryType.EXPLORATORY, language=language, window=WEEK)
    answer = desk.answer(
        *talk(desk, 30),
        desk.result("slack:decided", decided, age=4),
        desk.result("linear:1", title="Renew the lease", state=State.DONE, age=2),
        desk.result("linear:2", title="Blocked: new door signs", state=State.OPEN, age=2),
    )
    first, *others = claims(answer)
    assert decided in first
    assert [each.startswith(begin) for each, begin in zip(others, told, strict=True)] == [True, True]
    assert [each.hit.id for each in answer.results[:3]] == ["decided", "1", "2"], "what is told stands first"


def test_what_happened_at_another_time_is_left_out(desk: Any) -> None:
    desk = desk.ask("last week", type=QueryType.EXPLORATORY, window=WEEK)
    answer = desk.answer(
        desk.result("notion:old", "We decided to use the old gate.", age=60),
        desk.result("slack:new", "We decided to use the new gate.", age=3),
    )
    assert len(claims(answer)) == 1
    assert "new gate" in claims(answer)[0]


@pytest.mark.parametrize(
    "said",
    ["Did we decide on the gate?", "Maybe we should move it to May.", "Great decision-making, all!", "Gate: decisions"],
)
def test_questions_guesses_courtesies_and_names_are_no_decisions(desk: Any, said: str) -> None:
    desk = desk.ask("last week", type=QueryType.EXPLORATORY, window=WEEK)
    decided = desk.result("slack:1", "We decided on the blue gate.", age=4)
    answer = desk.answer(decided, desk.result("notion:2", said, title=said, age=3))
    assert len(claims(answer)) == 1
    assert "blue gate" in claims(answer)[0]


def test_of_a_conversation_one_decision_is_told(desk: Any) -> None:
    desk = desk.ask("last week", type=QueryType.EXPLORATORY, window=WEEK)
    thread = {"channel_id": "C1", "thread_ts": "1"}
    answer = desk.answer(
        desk.result("slack:1", "We decided on the blue gate.", age=4, facts=thread),
        desk.result("slack:2", "Agreed, and the hinges are approved.", age=4, facts=thread),
    )
    assert len(claims(answer)) == 1


def test_only_a_question_that_names_nothing_but_a_time_is_of_a_period() -> None:
    of_time = Query("last week", type=QueryType.EXPLORATORY, window=WEEK)
    somebody = all_of([Compare(Field.AUTHOR, Op.EQ, Person("Dana"))])
    assert of_time.of_a_period
    assert not Query("last week", type=QueryType.EXPLORATORY).of_a_period
    assert not Query("gate last week", type=QueryType.EXPLORATORY, window=WEEK, keywords=("gate",)).of_a_period
    assert not Query("Dana last week", type=QueryType.STATUS, window=WEEK, where=somebody).of_a_period
    assert not Query("who last week", type=QueryType.PERSON, window=WEEK).of_a_period


@pytest.mark.parametrize(
    ("language", "told", "behind"),
    [
        ("en", "We postponed the signing to Friday the 27th.", ", in reply to: When do we sign the lease?"),
        ("ko", "27일 금요일로 다시 잡았습니다.", " (답한 글: When do we sign the lease?)"),
    ],
)
def test_a_reply_is_told_with_what_the_conversation_began_with(
    desk: Any, language: str, told: str, behind: str
) -> None:
    desk = desk.ask("last week", type=QueryType.EXPLORATORY, language=language, window=WEEK)
    thread = {"thread_ts": "1"}
    answer = desk.answer(
        desk.result("slack:reply", told, age=3, facts=thread),
        desk.result("slack:first", "When do we sign the lease?", age=9, facts=thread),
    )
    assert f"“{told}”{behind}" in claims(answer)[0]
    assert behind not in claims(desk.answer(desk.result("slack:reply", told, age=3)))[0]


@pytest.mark.parametrize(
    ("language", "lead", "changed"),
    [
        ("en", "Nothing that was found was decided", "Changed: "),
        ("ko", "그동안 결정되거나 끝나거나 막힌 일은 찾지 못했고", "바뀐 일: "),
    ],
)
def test_where_nothing_happened_what_was_said_and_changed_is_told_and_no_fragments(
    desk: Any, language: str, lead: str, changed: str
) -> None:
    desk = desk.ask("last week", type=QueryType.EXPLORATORY, language=language, window=WEEK)
    answer = desk.answer(
        desk.result("notion:1", "| Week | Who |\n| --- | --- |\n| 24 Feb | Sabine Wolter |", age=3),
        desk.result("slack:1", "1.8", age=3),
        desk.result("slack:2", "The hinges came back from the painter today.", age=3),
        desk.result("slack:3", "문짝 칠이 오늘 다 끝나서 돌아왔습니다.", age=4),
        desk.result("linear:1", title="Renew the lease", state=State.OPEN, age=2),
    )
    told = claims(answer)
    assert answer.statements[0].text.startswith(lead)
    assert ("hinges" in told[0], "문짝" in told[1], told[2].startswith(changed), len(told)) == (True, True, True, 3)
