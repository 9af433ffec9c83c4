"""Which open work is held up, late or due is told by what trackers say of it, and not by the words of the question."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from orchestrator.answer.flagged import OPEN as OPEN_WORK
from orchestrator.answer.flagged import FlaggedWork, flagged
from orchestrator.answer.gaps import Gaps
from orchestrator.model import Confidence, HitList, Outcome, Status
from translators.query import Category, Implied, Query, QueryType, State, Window, WorkFlag
from translators.translator import NativeQuery, Translation

OPEN = State.OPEN


def statements(answer: Any) -> list[str]:
    return [each.text for each in answer.statements]


def ask(desk: Any, flag: WorkFlag, language: str = "en", **facts: Any) -> Any:
    return desk.ask("what is so", type=QueryType.STATUS, language=language, keywords=("so",), flag=flag, **facts)


@pytest.mark.parametrize(("language", "begins"), [("en", "Blocked: "), ("ko", "막힘: ")])
def test_what_is_held_up_is_told_by_its_state_its_column_or_a_label(desk: Any, language: str, begins: str) -> None:
    answer = ask(desk, WorkFlag.BLOCKED, language).answer(
        desk.result("slack:1", "so and so"),
        desk.result("linear:1", title="Renew the lease", state=OPEN, facts={"state": "In Progress"}),
        desk.result("linear:2", title="New door signs", state=OPEN, facts={"state": "Blocked"}),
        desk.result("linear:3", title="New bells", state=OPEN, facts={"section": "Blocked"}),
        desk.result("linear:4", title="New locks", state=OPEN, facts={"labels": ("blocked",)}),
        desk.result("linear:5", title="New lamps", state=State.DONE, facts={"state": "Blocked"}),
    )
    listed = next(each for each in statements(answer) if each.startswith(begins))
    assert [name in listed for name in ("signs", "bells", "locks", "lease", "lamps")] == [True] * 3 + [False] * 2
    assert [each.hit.id for each in answer.results[:3]] == ["2", "3", "4"]


@pytest.mark.parametrize(
    ("language", "overdue", "due"), [("en", "Overdue: ", "Due: "), ("ko", "기한 지남: ", "기한이 그때인 일: ")]
)
def test_what_is_late_and_what_is_due_is_told_by_its_day_the_first_first(
    desk: Any, language: str, overdue: str, due: str
) -> None:
    today = desk.now.date()

    def work(key: str, days: int) -> Any:
        return desk.result(
            f"linear:{key}", title=f"Task {key}", state=OPEN, facts={"due": str(today + timedelta(days))}
        )

    found = (work("A", 3), work("B", -2), work("C", 1), work("D", -9), work("E", 30))
    late = statements(ask(desk, WorkFlag.OVERDUE, language, due=Window(None, today)).answer(*found))[1]
    assert (late.startswith(overdue), late.index("Task D") < late.index("Task B"), "Task C" in late) == (
        True,
        True,
        False,
    )
    days = Window(today, today + timedelta(7))
    near = statements(ask(desk, WorkFlag.DUE, language, due=days).answer(*found))[1]
    assert (near.startswith(due), near.index("Task C") < near.index("Task A"), "Task E" in near) == (True, True, False)


@pytest.mark.parametrize(("language", "begins"), [("en", "The most urgent first: "), ("ko", "급한 순서: ")])
def test_what_is_most_urgent_goes_by_priority_and_then_by_its_day(desk: Any, language: str, begins: str) -> None:
    today = desk.now.date()

    def work(key: str, priority: str, days: int | None = None) -> Any:
        facts = {"priority": priority} | ({"due": str(today + timedelta(days))} if days else {})
        return desk.result(f"linear:{key}", title=f"Task {key}", state=OPEN, facts=facts)

    found = (
        work("A", "낮음", 1),
        work("B", "High", 9),
        work("C", "Urgent"),
        work("D", "높음", 2),
        work("E", "No priority"),
    )
    answer = ask(desk, WorkFlag.URGENT, language).answer(*found)
    told = statements(answer)[1]
    assert told.startswith(begins)
    assert [each.hit.id for each in answer.results[:4]] == ["C", "D", "B", "A"]
    assert ("Task C (Urgent)" in told, "Task E" in told) == (True, False)


@pytest.mark.parametrize(("language", "told"), [("en", "None of the open work"), ("ko", "찾은 열린 일 가운데")])
def test_that_none_is_so_is_told_where_open_work_was_found(desk: Any, language: str, told: str) -> None:
    lease = desk.result("linear:1", title="Renew the lease", state=OPEN)
    for flag in WorkFlag:
        assert statements(ask(desk, flag, language).answer(lease))[0].startswith(told)
    assert not statements(ask(desk, WorkFlag.DUE, language).answer(desk.result("slack:1", "good")))[0].startswith(told)


def test_of_what_people_said_of_it_the_latest_stands_beside(desk: Any) -> None:
    desk = desk.ask("what's blocked?", type=QueryType.STATUS, keywords=("blocked",), flag=WorkFlag.BLOCKED)
    answer = desk.answer(
        desk.result("linear:2", title="New door signs", state=OPEN, facts={"state": "Blocked"}),
        desk.result("slack:1", "The gate is blocked by the crane.", age=2),
        desk.result("slack:2", "Of all cards 2 % were blocked.", age=90),
    )
    told = " ".join(statements(answer))
    assert ("crane" in told, "cards" in told) == (True, False)


@pytest.mark.parametrize(
    ("language", "whole", "part"),
    [
        ("en", "All open work in Linear was asked for.", "Linear has more open work than it returned"),
        ("ko", "Linear에는 열린 일을 모두 물었습니다.", "Linear에는 돌려준 것 말고도 열린 일이 더 있고"),
    ],
)
def test_that_none_is_so_is_a_claim_of_what_was_looked_at(desk: Any, language: str, whole: str, part: str) -> None:
    implied = (Implied(OPEN_WORK, 0.5, "so"),)
    asked = ask(desk, WorkFlag.BLOCKED, language, where=OPEN_WORK, implied=implied)
    lease = desk.result("linear:1", title="Renew the lease", state=OPEN)

    def made(*, more: bool, preferred: tuple[Implied, ...] = ()) -> FlaggedWork | None:
        found = HitList(Translation(NativeQuery("linear", ""), preferred=preferred), (lease.hit,), more=more)
        outcome = Outcome("linear", "Linear", Category.TRACKER, Status.OK, (found,))
        return flagged((lease,), (outcome,), (), asked.query, asked.now)

    def told(**so: Any) -> list[str]:
        work = made(**so)
        return list(work.scope(asked.query)) if work else []

    def trusted(flag: WorkFlag, gaps: Gaps, *, more: bool) -> Confidence | None:
        work = made(more=more)
        return work.trust(gaps, replace(asked.query, flag=flag)) if work else None

    assert told(more=False) == [whole]
    assert [each.startswith(part) for each in told(more=True)] == [True]
    assert told(more=False, preferred=implied) == []  # what was asked for its words proves nothing
    assert trusted(WorkFlag.OVERDUE, Gaps(), more=False) is Confidence.HIGH
    assert trusted(WorkFlag.BLOCKED, Gaps(), more=False) is Confidence.MEDIUM, "as far as somebody has marked it"
    assert trusted(WorkFlag.OVERDUE, Gaps(), more=True) is None
    silent = Outcome("jira", "Jira", Category.TRACKER, Status.FAILED)
    assert trusted(WorkFlag.OVERDUE, Gaps(silent=(silent,)), more=False) is None


def test_a_question_without_such_a_word_is_told_as_before() -> None:
    assert Query("status of the gate").flag is None
