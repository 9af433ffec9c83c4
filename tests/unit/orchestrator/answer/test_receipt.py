"""The receipt: one line for every configured source, whatever became of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from orchestrator.answer import AskedRung, FilteredHits, receipt
from orchestrator.model import Dropped, HitList, Problem, Skipped, Status
from translators.translator import Loss, LossKind, NativeQuery, Translation

NATIVE = NativeQuery("slack", "api after:2025-01-01", {"sort": "timestamp"})


def line(answer: Any, source: str) -> Any:
    (found,) = [each for each in receipt(answer) if each.source == source]
    return found


def test_a_source_that_answered_shows_all_that_happened(desk: Any) -> None:
    shown, dropped, other = (desk.result(f"slack:{name}", "text") for name in "abc")
    strict = HitList(Translation(NATIVE), (shown.hit, dropped.hit))
    broad = HitList(Translation(NATIVE), (shown.hit, other.hit), 1, ("dates",))
    loss = Loss(LossKind.DROPPED, "state done", "Slack knows no state")
    desk = desk.but(
        "slack", Status.OK, lists=(strict, broad), requests=2, sent=(NATIVE,), losses=(loss,), notes=("page 1 of 3",)
    )
    found = line(desk.answer(shown, dropped=(Dropped(dropped.hit, "does not satisfy: from Sarah"),)), "slack")
    assert found.headline == "3 hits in 0.10 s"
    assert found.sent == ("api after:2025-01-01 · sort=timestamp",)
    assert found.asked == (AskedRung("as asked", 0, 2), AskedRung("without dates", 1, 2))
    assert (found.returned, found.shown, found.requests) == (3, 1, 2)
    assert found.left_out == (FilteredHits("does not satisfy: from Sarah", 1),)
    assert (found.losses, found.notes, found.problem, found.code) == ((loss,), ("page 1 of 3",), "", "")


@pytest.mark.parametrize(
    ("language", "headline"),
    [
        ("en", "throttled: too many requests; ask again in 20 s"),
        ("ko", "요청 제한: 요청이 너무 많아 잠시 막혔습니다 — too many requests; 20초 뒤에 다시 물어보세요"),
    ],
)
def test_a_failure_says_what_went_wrong_and_what_to_do(desk: Any, language: str, headline: str) -> None:
    desk = desk.ask(language=language).but("slack", Status.THROTTLED, Problem("throttled", "too many requests", 20))
    found = line(desk.answer(), "slack")
    assert found.headline == headline
    assert (found.code, found.retry_after) == ("throttled", 20)


def test_a_partial_answer_shows_its_hits_and_its_problem(desk: Any) -> None:
    hits = HitList(Translation(NATIVE), (desk.result("slack:a").hit,))
    desk = desk.but("slack", Status.PARTIAL, Problem("timed_out", "no answer within 3.0 s"), lists=(hits,))
    found = line(desk.answer(), "slack")
    assert found.headline == "1 hit in 0.10 s, then: no answer within 3.0 s"
    assert found.problem == "no answer within 3.0 s"


def test_an_empty_answer_was_asked_all_the_same(desk: Any) -> None:
    assert line(desk.but("slack", Status.EMPTY).answer(), "slack").headline == "asked, no hits, in 0.10 s"


def test_skipped_sources_stand_at_the_end_with_their_reason(desk: Any) -> None:
    desk = replace(desk, skipped=(Skipped("drive", "Drive", Status.NOT_CONNECTED, "no token"),))
    last = receipt(desk.answer())[-1]
    assert (last.source, last.status, last.problem) == ("drive", Status.NOT_CONNECTED, "no token")
    assert last.headline == "not connected: no token"
    assert last.category is None


def test_a_planned_source_that_nobody_reported_on_does_not_vanish(desk: Any) -> None:
    found = line(replace(desk, outcomes=desk.outcomes[1:]).answer(), "slack")
    assert (found.status, found.code) == (Status.FAILED, "no_outcome")
    assert found.problem.startswith("no outcome was reported")


def test_the_lines_come_in_the_plans_order(desk: Any) -> None:
    desk = replace(desk, outcomes=desk.outcomes[::-1])
    assert [each.source for each in receipt(desk.answer())] == ["slack", "notion", "linear", "gmail"]


def test_every_status_has_words_in_both_languages(desk: Any) -> None:
    for status in Status:
        for language in ("en", "ko"):
            skipped = (Skipped("x", "X", status, "why"),)
            assert receipt(replace(desk.ask(language=language), skipped=skipped).answer())[-1].headline.endswith(
                ": why"
            )
