"""Suggestions: concrete things to do, only where they help."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from orchestrator.model import Dropped, HitList, Problem, Skipped, Status
from translators.query import Container, Kind, Person, Window
from translators.said import Said
from translators.translator import NativeQuery, Translation

FACTS: dict[str, Any] = {
    "keywords": ("migration", "timeline", "q2"),
    "essential": ("migration", "timeline", "q2"),
    "variants": (("migration", ("이관", "전환")), ("q2", ("2분기",))),
    "window": Window(date(2025, 1, 1), None, "since January"),
    "author": Person("sarah"),
    "container": Container("eng"),
    "kinds": (Kind.FILE,),
    "phrases": ("cut over",),
    "negated": ("draft",),
}


def test_every_filter_can_be_given_up_by_name(desk: Any) -> None:
    assert desk.ask(**FACTS).answer().suggestions == (
        "Ask without the dates (since January).",
        "Ask without from:sarah.",
        "Ask without in:eng.",
        "Ask without type:file.",
        "Ask without the quotation marks around “cut over”.",
        "Ask without -draft.",
        "Ask for fewer words: migration timeline.",
        "Try another name: 이관, 전환.",
    )


def test_they_speak_korean_to_koreans(desk: Any) -> None:
    suggestions = desk.ask(**FACTS, language="ko").answer().suggestions
    assert len(suggestions) == 8
    assert suggestions[0] == "기간(since January) 없이 물어보세요."


@pytest.mark.parametrize(
    ("window", "shown"),
    [
        (Window(date(2025, 1, 1), date(2025, 2, 1)), "2025-01-01~2025-02-01"),
        (Window(None, date(2025, 2, 1)), "~2025-02-01"),
        (Window(date(2025, 1, 1), None), "2025-01-01~"),
    ],
)
def test_a_window_without_words_is_shown_by_its_days(desk: Any, window: Window, shown: str) -> None:
    assert desk.ask(window=window).answer().suggestions == (f"Ask without the dates ({shown}).",)


def test_a_short_question_is_not_shortened(desk: Any) -> None:
    assert desk.ask(keywords=("migration", "plan")).answer().suggestions == ()


def test_a_good_answer_needs_no_advice(desk: Any) -> None:
    desk = desk.ask(**{**FACTS, "phrases": ()})
    assert desk.answer(desk.result("slack:1", "We decided on the migration timeline for q2.")).suggestions == ()


def test_what_was_tried_already_is_told_once_with_its_sources(desk: Any) -> None:
    tried = HitList(Translation(NativeQuery("test", "x")), (), 1, ("dates",))
    strict = replace(tried, rung=0, dropped=())
    desk = desk.but("slack", Status.EMPTY, lists=(strict, tried, tried)).but("gmail", Status.EMPTY, lists=(tried,))
    assert desk.answer().suggestions == ("Tried already: without dates (Slack, Gmail).",)


def test_what_was_left_out_is_counted_by_reason(desk: Any) -> None:
    hit = desk.result("slack:1").hit
    dropped = (
        Dropped(hit, "does not satisfy: from Sarah"),
        Dropped(hit, "x"),
        Dropped(hit, "does not satisfy: from Sarah"),
    )
    assert desk.answer(dropped=dropped).suggestions == (
        "2 hits left out (does not satisfy: from Sarah).",
        "1 hit left out (x).",
    )


def test_a_source_that_answered_in_part_did_answer(desk: Any) -> None:
    hits = HitList(Translation(NativeQuery("test", "x")), (desk.result("slack:1", "The API was approved.").hit,))
    desk = desk.ask(keywords=("API",)).but(
        "slack", Status.PARTIAL, Problem("timed_out", "no more pages"), lists=(hits,)
    )
    answer = desk.answer(desk.result("slack:1", "The API was approved."))
    assert answer.suggestions == ("Slack answered only in part (no more pages).",)


def test_missing_sources_are_named_even_beside_a_good_answer(desk: Any) -> None:
    desk = desk.ask(keywords=("API",)).but("gmail", Status.THROTTLED, Problem("throttled", "too many requests", 20))
    desk = replace(
        desk,
        skipped=(
            Skipped("drive", "Drive", Status.NOT_CONNECTED, "no token; see the manual."),
            Skipped("jira", "Jira", Status.SKIPPED, "only slack was to be asked"),
        ),
    )
    answer = desk.answer(desk.result("slack:1", "The API was approved."))
    assert answer.suggestions == (
        "Gmail did not answer (too many requests; ask again in 20 s).",
        "Drive is not connected: no token; see the manual.",
        "Jira was not asked: only slack was to be asked.",
    )


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Gmail, Slack were not asked: only local was to be asked."),
        ("ko", "Gmail, Slack: 모두 묻지 않았습니다. local만 묻도록 했습니다."),
    ],
)
def test_sources_that_were_not_asked_for_one_reason_are_named_together(desk: Any, language: str, said: str) -> None:
    reason = Said.given({"en": "only local was to be asked", "ko": "local만 묻도록 했습니다"})
    skipped = tuple(Skipped(name.lower(), name, Status.SKIPPED, reason) for name in ("Gmail", "Slack"))
    desk = replace(desk.ask(keywords=("API",), language=language), skipped=skipped)
    told = [each for each in desk.answer().suggestions if "Slack" in each and "Gmail" in each]
    assert said in told
    assert sum("local" in each for each in desk.answer().suggestions) == 1
