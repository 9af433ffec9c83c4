"""The golden questions over the packaged workplace (tests/fixtures/answers/workplace.toml): what is wrong with an answer."""

from __future__ import annotations

import tomllib
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from orchestrator.model import Ask, Confidence, Part
from orchestrator.trial import open_sandboxes
from tests.quality.asking import BUDGET, engine_of
from translators.query import QueryType

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from orchestrator.model import Answer, Statement
    from orchestrator.sandbox import Corpus

QUESTIONS: list[dict[str, Any]] = tomllib.loads(
    (Path(__file__).parents[1] / "fixtures" / "answers" / "workplace.toml").read_text("utf-8")
)["question"]
LEVELS = [Confidence.NONE, Confidence.LOW, Confidence.MEDIUM, Confidence.HIGH]
TALLIED = {QueryType.EXPLORATORY}  # begins with how many results there are of each theme


async def right(corpus: Corpus, now: datetime) -> int:
    """How many of the questions are answered rightly, each asked once."""
    return sum(not list(wrongs(*each)) for each in await answers(corpus, now))


async def answers(corpus: Corpus, now: datetime) -> list[tuple[dict[str, Any], Answer]]:
    """The questions, each with what is answered to it."""
    async with AsyncExitStack() as stack:
        opened = await open_sandboxes(corpus, now, stack)
        engine = await stack.enter_async_context(engine_of(opened.sources))
        return [(each, await engine.search(Ask(each["text"], now, budget=BUDGET))) for each in QUESTIONS]


def wrongs(question: dict[str, Any], answer: Answer) -> Iterator[str]:
    """Every way in which an answer is not what the file says of it."""
    claims = [each for each in answer.statements if each.part is Part.CLAIM]
    said = "\n".join(each.text for each in claims)
    yield from (f"does not say {each}" for each in question.get("says", ()) if not holds(said, each))
    yield from (f"says {each}" for each in question.get("never", ()) if holds(said, each))
    first = first_of(answer, claims)
    if "first" in question and not (first and holds(first.text, question["first"])):
        yield f"does not begin with {question['first']}: {said}"
    if "by" in question and not (first and authors_of(answer, first) & set(question["by"])):
        yield f"does not cite {question['by']} first: {said}"
    if question.get("settled") and answer.conflicts:
        yield f"tells {answer.conflicts} apart"
    if LEVELS.index(answer.confidence) > LEVELS.index(Confidence(question.get("most", "high"))):
        yield f"is too sure: {answer.confidence}"


def holds(text: str, wanted: str) -> bool:
    """Whether one of the alternatives is in it."""
    return any(each in text for each in wanted.split("|"))


def first_of(answer: Answer, claims: list[Statement]) -> Statement | None:
    """The first claim that quotes or links, if there is one."""
    tallied = answer.query.type in TALLIED
    return next((each for each in claims if not tallied or "“" in each.text), None)


def authors_of(answer: Answer, claim: Statement) -> set[str]:
    """Who wrote what it cites."""
    cited = [result.hit.author for result in answer.results if result.number in claim.numbers]
    return {author.name for author in cited if author}
