"""Figures of use: what is written of an answer, what of a person is not, and what comes of it by day and by hour."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING

import pytest

from orchestrator.access import AuditLog, UsageLog, newest_actions, usage_figures
from orchestrator.access.usage import MOST_UNANSWERED
from orchestrator.model import Answer, Ask, Confidence, Outcome, Plan, Principal, Status
from translators.query import EVERYTHING, Category, Query

if TYPE_CHECKING:
    from pathlib import Path

KST = timezone(timedelta(hours=9))
NOW = datetime(2026, 11, 20, 9, 30, tzinfo=KST)  # half an hour after midnight in UTC
QUESTION = "연봉 협상은 어떻게 하나요?"


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def answer(confidence: Confidence = Confidence.HIGH, results: int = 1, **statuses: Status) -> Answer:
    outcomes = tuple(Outcome(name, name, Category.CHAT, status, requests=2) for name, status in statuses.items())
    plan = Plan(Query(EVERYTHING, QUESTION), ())
    return Answer(plan, ("a result",) * results, outcomes, confidence=confidence, took=0.25)  # type: ignore[arg-type]


def log_in(folder: Path, clock: Clock, *, keep: int = 31, texts: bool = False) -> UsageLog:
    return UsageLog(folder, lambda: b"s" * 32, clock, keep, texts=texts)


async def ask(log: UsageLog, given: Answer, who: str = "minji@acme.example", text: str = QUESTION) -> None:
    await log.asked(Ask(text, NOW, Principal(who)), given)


def written(folder: Path) -> str:
    return "".join(path.read_text("utf-8") for path in folder.rglob("*.jsonl"))


async def test_no_name_stands_there_and_no_word_unless_the_audit_log_may_hold_words(tmp_path, clock) -> None:
    quiet, worded = log_in(tmp_path / "a", clock), log_in(tmp_path / "b", clock, texts=True)
    for log in (quiet, worded):
        await ask(log, answer(Confidence.NONE, 0, slack=Status.EMPTY))
        await ask(log, answer(slack=Status.OK), text="an answered question")
    for folder in (tmp_path / "a", tmp_path / "b"):
        assert "minji" not in written(folder)
        assert "an answered question" not in written(folder)
        assert (QUESTION in written(folder)) == (folder.name == "b")
    assert usage_figures(tmp_path / "a", NOW).unanswered == ()
    (left,) = usage_figures(tmp_path / "b", NOW).unanswered
    assert (left.words, left.times, left.last) == (QUESTION, 1, NOW)


async def test_days_and_hours_are_those_of_the_server_and_end_with_now(tmp_path, clock) -> None:
    log = log_in(tmp_path, clock)
    clock.now = NOW - timedelta(hours=1)
    await ask(log, answer(slack=Status.OK, notion=Status.THROTTLED, jira=Status.NOT_CONNECTED))
    clock.now = NOW
    await ask(log, answer(slack=Status.PARTIAL))
    await ask(log, answer(Confidence.NONE, 3, slack=Status.FAILED), who="jiho@acme.example")
    figures = usage_figures(tmp_path, NOW.astimezone(KST))
    assert (len(figures.days), figures.days[-1].day) == (14, NOW.date())
    today = figures.days[-1]
    assert (today.questions, today.unanswered, today.people) == (3, 1, 2)
    assert not any(day.questions for day in figures.days[:-1])
    assert figures.hours[-1] == NOW.replace(minute=0)
    *_, before, last = figures.sources["slack"]
    assert (before.answered, before.failed, before.requests) == (1, 0, 2)
    assert (last.answered, last.failed, last.requests) == (1, 1, 4)
    assert figures.sources["notion"][-2].failed == 1
    assert (figures.sources["jira"][-2].answered, figures.sources["jira"][-2].failed) == (0, 0)
    assert figures.confidence == {"high": 2, "none": 1}
    assert (figures.median, figures.slow, figures.cut) == (0.25, 0.25, False)


async def test_old_days_go_and_torn_lines_cost_themselves_alone(tmp_path, clock) -> None:
    log = log_in(tmp_path, clock, keep=2)
    for back in (20, 5, 0):
        clock.now = NOW - timedelta(days=back)
        await ask(log, answer())
    assert [path.stem for path in tmp_path.iterdir()] == ["2026-11-20"]
    file = next(tmp_path.iterdir())
    more = [
        '{"at": 5}',
        "[]",
        '{"at": "2026-11-20T09:00:00", "took": 1}',
        '{"torn',
        json.dumps({"at": NOW.isoformat()}),
    ]
    file.write_text(file.read_text("utf-8") + "\n".join(more), "utf-8")
    assert usage_figures(tmp_path, NOW).days[-1].questions == 1


async def test_what_was_asked_again_is_told_once_and_not_without_end(tmp_path, clock) -> None:
    log = log_in(tmp_path, clock, texts=True)
    for number in range(MOST_UNANSWERED + 5):
        await ask(log, answer(Confidence.NONE, 0), text=f"question {number}")
    for _ in range(2):
        await ask(log, answer(Confidence.NONE, 0), text="where is it?")
    figures = usage_figures(tmp_path, NOW)
    assert len(figures.unanswered) == MOST_UNANSWERED
    assert (figures.unanswered[0].words, figures.unanswered[0].times) == ("where is it?", 2)


async def test_nothing_is_counted_where_nothing_shall_be_and_a_full_disk_costs_no_answer(tmp_path, clock) -> None:
    await ask(log_in(tmp_path / "none", clock, keep=0), answer())
    assert not (tmp_path / "none").exists()
    (tmp_path / "file").touch()
    await ask(log_in(tmp_path / "file", clock), answer())
    assert usage_figures(tmp_path / "nowhere", NOW).days[-1].questions == 0


async def test_what_was_done_is_read_newest_first_between_questions(tmp_path) -> None:
    path = tmp_path / "audit.jsonl"
    assert newest_actions(path, 2) == ()
    log = AuditLog(path, lambda: NOW.astimezone(UTC), texts=False)
    for number in range(3):
        await log.noted("key:1", "key made", str(number), NOW, "request")
        await log.asked(Ask(QUESTION, NOW, Principal("key:2")), answer(), "request")
    assert [(each.action, each.source) for each in newest_actions(path, 2)] == [("key made", "2"), ("key made", "1")]


async def test_what_stands_there_of_somebody_is_counted_and_taken_out(tmp_path, clock) -> None:
    log = log_in(tmp_path, clock, texts=True)
    for who in ("kim@acme.example", "lee@acme.example", "kim@acme.example"):
        await ask(log, answer(Confidence.NONE, 0), who=who, text=f"a question of {who}")
        clock.now += timedelta(days=1)
    assert await log.kept_of("kim@acme.example") == 2
    assert await log.erase("kim@acme.example") == 2
    assert await log.kept_of("kim@acme.example") == 0
    assert "of kim" not in written(tmp_path)
    assert await log.kept_of("lee@acme.example") == 1
    assert "of lee" in written(tmp_path)
