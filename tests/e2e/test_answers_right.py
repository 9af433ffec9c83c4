"""Golden questions over the demo workplace: what each answer must say, whom it must lean on, and how sure it may be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from orchestrator.model import Part
from tests.e2e.demo_workplace import ask
from tests.quality.golden import QUESTIONS, wrongs
from translators.query import QueryType

if TYPE_CHECKING:
    from orchestrator.engine import Engine

pytestmark = pytest.mark.asyncio(loop_scope="module")


PLANNED = "웹훅 서명(PAY-151) 배포, 가이드 한국어판"
"""What the weekly report has under "다음 주"."""


def golden(question: dict[str, Any]) -> Any:
    marks = [pytest.mark.xfail(reason=question["wrong"])] if "wrong" in question else []
    return pytest.param(question, id=question["text"], marks=marks)


@pytest.mark.parametrize("question", [golden(each) for each in QUESTIONS])
async def test_the_answer_is_right(engine: Engine, question: dict[str, Any]) -> None:
    answer = await ask(engine, question["text"])
    assert list(wrongs(question, answer)) == []


async def test_a_status_is_told_from_the_newest_back(engine: Engine) -> None:
    """What stands under a heading of the time to come is planned, however new it is, and told last."""
    for text in ("status of PAY-151", "status of PAY-153", "status of Halla", "쿠버네티스 이전 지금 어디까지 됐나요?"):
        answer = await ask(engine, text)
        told = [each.text for each in answer.statements if each.part is Part.CLAIM and each.text[:2] == "20"]
        days = [each[:10] for each in told if PLANNED not in each]
        assert answer.query.type is QueryType.STATUS
        assert days
        assert [PLANNED in each for each in told] == sorted(PLANNED in each for each in told)
        assert days == sorted(days, reverse=True), text
