"""Golden questions over the demo workplace: what each answer must say, whom it must lean on, and how sure it may be."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio

from orchestrator.model import Ask, Confidence, Part
from tests.e2e.demo_workplace import NOW, demo_workplace
from translators.query import QueryType

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from orchestrator.engine import Engine
    from orchestrator.model import Answer, Statement

GOLDEN = Path(__file__).parents[1] / "fixtures" / "answers" / "workplace.toml"
QUESTIONS = tomllib.loads(GOLDEN.read_text("utf-8"))["question"]
LEVELS = [Confidence.NONE, Confidence.LOW, Confidence.MEDIUM, Confidence.HIGH]
TALLIED = {QueryType.EXPLORATORY}  # begins with how many results there are of each theme

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def engine() -> AsyncIterator[Engine]:
    async with demo_workplace() as built:
        yield built


def holds(text: str, wanted: str) -> bool:
    return any(each in text for each in wanted.split("|"))


def first_of(answer: Answer, claims: list[Statement]) -> Statement:
    quoting = [each for each in claims if "“" in each.text]
    return quoting[0] if answer.query.type in TALLIED else claims[0]


def authors_of(answer: Answer, claim: Statement) -> set[str]:
    cited = [result.hit.author for result in answer.results if result.number in claim.numbers]
    return {author.name for author in cited if author}


def golden(question: dict[str, Any]) -> Any:
    marks = [pytest.mark.xfail(reason=question["wrong"])] if "wrong" in question else []
    return pytest.param(question, id=question["text"], marks=marks)


@pytest.mark.parametrize("question", [golden(each) for each in QUESTIONS])
async def test_the_answer_is_right(engine: Engine, question: dict[str, Any]) -> None:
    answer = await engine.search(Ask(question["text"], NOW, budget=20.0))
    claims = [each for each in answer.statements if each.part is Part.CLAIM]
    said = "\n".join(each.text for each in claims)
    assert [each for each in question.get("says", ()) if not holds(said, each)] == [], said
    assert [each for each in question.get("never", ()) if holds(said, each)] == [], said
    if "first" in question:
        assert holds(first_of(answer, claims).text, question["first"]), said
    if "by" in question:
        assert authors_of(answer, first_of(answer, claims)) & set(question["by"]), said
    assert answer.conflicts == () or not question.get("settled")
    most = Confidence(question.get("most", "high"))
    assert LEVELS.index(answer.confidence) <= LEVELS.index(most)


async def test_a_status_is_told_from_the_newest_back(engine: Engine) -> None:
    for text in ("status of PAY-151", "status of PAY-153", "status of Halla", "쿠버네티스 이전 지금 어디까지 됐나요?"):
        answer = await engine.search(Ask(text, NOW, budget=20.0))
        days = [each.text[:10] for each in answer.statements if each.part is Part.CLAIM and each.text[:2] == "20"]
        assert answer.query.type is QueryType.STATUS
        assert days
        assert days == sorted(days, reverse=True), text
