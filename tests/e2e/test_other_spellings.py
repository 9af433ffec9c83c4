"""Over the demo workplace: words without regard to blanks, and slips that are searched for beside the question."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from orchestrator.answer.receipt import receipt
from tests.e2e.demo_workplace import ask
from translators.said import said_in

if TYPE_CHECKING:
    from orchestrator.engine import Engine

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize(
    ("question", "holds"),
    [
        ("배포체크리스트에 뭐가 추가됐어?", "배포 체크리스트"),
        ("커넥션풀 포화도 알림 이슈", "커넥션 풀"),
        ("중복환불 몇 건 회수했나요", "중복 환불"),
        ("간편 결제 버튼 실험", "간편결제"),
        ("모의 해킹 결과", "모의해킹"),
        ("할인 행사 트래픽 때문에 변경 동결", "할인행사"),
    ],
)
async def test_a_word_is_found_as_others_space_it(engine: Engine, question: str, holds: str) -> None:
    answer = await ask(engine, question)
    best = answer.results[0].hit
    assert holds in f"{best.title} {best.snippet}"
    assert not answer.query.respelt


@pytest.mark.parametrize(
    ("question", "typed", "meant", "holds"),
    [
        ("tablet layuot for the Maru app", "layuot", "layout", "Tablet layout"),
        ("GCP commitmnet for Halla", "commitmnet", "commitment", "commitment"),
        ("appstore rejection", "appstore", "app store", "App Store rejection"),
        ("온콜 수댱 얼마로 올랐어?", "수댱", "수당", "수당"),
        ("송년회 마니토 선물", "마니토", "마니또", "마니또"),
    ],
)
async def test_a_slip_is_searched_for_beside_the_question_and_told(
    engine: Engine, question: str, typed: str, meant: str, holds: str
) -> None:
    answer = await ask(engine, question)
    best = answer.results[0]
    assert holds in f"{best.hit.title} {best.hit.snippet}"
    assert typed in answer.query.keywords  # never replaced
    assert answer.query.respelt == ((typed, meant),)
    assert any(f"{typed} → {meant}" in reason for reason in best.why)
    (doubt,) = answer.query.doubts
    said = said_in(doubt.message, answer.query.language)
    assert (doubt.code, typed in said, meant in said) == ("respelt", True, True)
    lines = receipt(answer)
    assert any(said in map(partial(said_in, language=answer.query.language), line.notes) for line in lines)


@pytest.mark.parametrize(
    ("question", "typed", "meant", "holds"),
    [
        ("공책", "공책", "노트북", "노트북"),
        ("연수", "연수", "훈련", "훈련"),
        ("merchandise", "merchandise", "goods", "Good"),
    ],
)
async def test_where_nothing_was_found_a_word_is_searched_for_by_what_else_it_is_called(
    engine: Engine, question: str, typed: str, meant: str, holds: str
) -> None:
    answer = await ask(engine, question)
    best = answer.results[0]
    assert holds in f"{best.hit.title} {best.hit.snippet}"
    assert (typed, meant) in answer.query.respelt
    assert typed in answer.query.keywords
    assert any(f"{typed} → " in reason and meant in reason for reason in best.why)


@pytest.mark.parametrize(
    "question", ["tablet layout for the Maru app", "온콜 수당 얼마로 올랐어?", "quarterly kangaroo parade"]
)
async def test_words_that_are_spelt_right_or_near_nothing_cost_no_round(engine: Engine, question: str) -> None:
    answer = await ask(engine, question)
    assert not answer.query.respelt
    assert not any("also searched" in note for outcome in answer.outcomes for note in outcome.notes)


async def test_sources_that_are_short_of_turns_are_not_asked_again(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("orchestrator.gather.gate.Gate.share", lambda *_: 0)
    answer = await ask(engine, "tablet layuot for the Maru application")
    assert not answer.query.respelt
