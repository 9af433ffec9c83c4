"""What went wrong, in the asker's language; what a vendor said, as it said it."""

from __future__ import annotations

from typing import Any

import pytest

from orchestrator.answer.problems import KOREAN, in_words
from orchestrator.model import Problem, Status

MESSAGES = {
    "timed_out": "no answer within 3.0 s",
    "own_rate_limit": "our own limit for it (20 in 60 s) left no turn within 2.5 s; try again shortly",
    "connector_bug": "its connector failed (KeyError); this is a bug in fedsearch, please report it",
}


@pytest.mark.parametrize("code", KOREAN)
def test_every_code_is_said_in_korean(desk: Any, code: str) -> None:
    problem = Problem(code, MESSAGES.get(code, "HTTP 503: try later"))
    said = in_words(problem, desk.ask(language="ko").query)
    assert any("가" <= letter <= "힣" for letter in said)
    assert ("HTTP 503: try later" in said) == ("{message}" in KOREAN[code])
    assert in_words(problem, desk.ask().query) == problem.message


def test_the_seconds_are_those_of_the_message(desk: Any) -> None:
    query = desk.ask(language="ko").query
    assert in_words(Problem("timed_out", MESSAGES["timed_out"]), query) == "3.0초 안에 답이 없었습니다"
    assert "2.5초 안에" in in_words(Problem("own_rate_limit", MESSAGES["own_rate_limit"]), query)


def test_a_message_of_another_shape_or_code_stays_as_it_is(desk: Any) -> None:
    query = desk.ask(language="ko").query
    assert in_words(Problem("timed_out", "gone"), query) == "gone"
    assert in_words(Problem("brand_new", "gone"), query) == "gone"


def test_the_summary_speaks_korean_about_a_source_that_was_late(desk: Any) -> None:
    late = Problem("timed_out", "no answer within 3.0 s")
    desk = desk.ask(keywords=("API",), language="ko").but("gmail", Status.TIMED_OUT, late)
    answer = desk.answer(desk.result("slack:1", "API는 승인됐습니다."))
    assert answer.statements[-1].text == "포함되지 않은 소스: Gmail (시간 초과: 3.0초 안에 답이 없었습니다)."
    assert "no answer" not in answer.summary + "".join(answer.suggestions)
