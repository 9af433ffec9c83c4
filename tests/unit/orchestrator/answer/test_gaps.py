"""What went wrong, in the asker's language; what a vendor said, as it said it."""

from __future__ import annotations

from typing import Any

import pytest

from orchestrator.answer.gaps import OURS as PREFIXED
from orchestrator.answer.gaps import problem_in_words
from orchestrator.gather import fanout, outcomes
from orchestrator.gather.breaker import LEFT_ALONE, TRIED
from orchestrator.gather.gate import LIMIT, PAUSED
from orchestrator.model import Problem, Status
from translators.said import said_in

OURS = {
    "timed_out": outcomes.SILENT.filled(took=3.0),
    "own_rate_limit": outcomes.NO_TURN.filled(gate=LIMIT.filled(rate=20, period=60.0), took=2.5),
    "no_time": fanout.NO_TIME.filled(left=0.05),
    "connector_bug": outcomes.BROKEN.filled(failure="KeyError"),
    "suspended": LEFT_ALONE.filled(waits=TRIED, count=3, code="timed_out", said=outcomes.SILENT.filled(took=3.0)),
    "throttled": PAUSED.filled(left=4.0),
}


@pytest.mark.parametrize("code", PREFIXED)
def test_before_a_vendors_message_stands_what_it_means(desk: Any, code: str) -> None:
    problem = Problem(code, "HTTP 503: try later")
    said = problem_in_words(problem, desk.ask(language="ko").query)
    assert "가" <= said[0] <= "힣"
    assert said.endswith("HTTP 503: try later")
    assert problem_in_words(problem, desk.ask().query) == problem.message


@pytest.mark.parametrize("code", OURS)
def test_what_is_ours_is_said_in_korean_only(desk: Any, code: str) -> None:
    problem = Problem(code, OURS[code])
    assert problem_in_words(problem, desk.ask(language="ko").query) == said_in(OURS[code], "ko")
    assert problem_in_words(problem, desk.ask().query) == str(OURS[code])


def test_the_numbers_are_those_of_the_message() -> None:
    assert said_in(OURS["timed_out"], "ko") == "3.0초 안에 답이 없었습니다"
    assert said_in(OURS["own_rate_limit"], "ko").startswith("우리 쪽 호출 제한(60초에 요청 20개) 때문에 2.5초 안에")
    assert said_in(OURS["suspended"], "ko").endswith("(timed_out: 3.0초 안에 답이 없었습니다)")


def test_a_message_of_another_code_stays_as_it_is(desk: Any) -> None:
    query = desk.ask(language="ko").query
    assert problem_in_words(Problem("timed_out", "gone"), query) == "gone"
    assert problem_in_words(Problem("brand_new", "gone"), query) == "gone"


def test_the_summary_speaks_korean_about_a_source_that_was_late(desk: Any) -> None:
    late = Problem("timed_out", OURS["timed_out"])
    desk = desk.ask(keywords=("API",), language="ko").but("gmail", Status.TIMED_OUT, late)
    answer = desk.answer(desk.result("slack:1", "API는 승인됐습니다."))
    assert answer.statements[-1].text == "포함되지 않은 소스: Gmail (시간 초과: 3.0초 안에 답이 없었습니다)."
    assert "no answer" not in answer.summary + "".join(answer.suggestions)
