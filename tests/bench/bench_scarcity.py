"""What answers lose where turns are short: HERB's questions, one every few seconds, at the rates as shipped, and those of the judged companies.

``bench_scarcity.py [companies] [SECONDS …]`` (3, unless said). HERB is as large as a company, so that all words together mostly find nothing.
Of the companies it is graded whether answers are right, as ``tests/quality/companies.py`` does it with all turns. The
clock leaps from one question to the next, so that a question takes the same share of a rate however busy the machine is; each
has three times its usual budget, since that is not the point here. ``HERB_QUESTIONS`` says how many are asked.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections import Counter
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from asyncio_throttle import throttler

from orchestrator.assembly.searching import build_engine
from orchestrator.evaluate import Recorded, best_possible, homes_of, read_judgments, replay, sample, tidied
from orchestrator.model import Ask, Status
from orchestrator.packaged import config_dir
from orchestrator.rank import RankingConfig
from orchestrator.sandbox import load_corpus
from orchestrator.settings import load_settings
from orchestrator.trial import NAMESAKES, open_sandboxes
from tests.quality.companies import figures, grades

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from orchestrator.engine import Engine
    from tests.quality.companies import Grade

HERB = Path(__file__).resolve().parents[3] / "shared" / "data" / "herb"
COMPANIES = Path(__file__).resolve().parents[1] / "data" / "companies"
BUDGET, TAKES = 9.0, 0.3  # seconds that a question has, and that it counts as
PACES = (3.0,)


async def asked_every(pace: float) -> list[Recorded]:
    """HERB's questions by one asker, ``pace`` seconds between one answer and the next question."""
    corpus = load_corpus(HERB / "corpus.jsonl.gz", fallback=NAMESAKES, drop_repeats=True)
    judged = read_judgments(HERB / "queries.dev.jsonl", HERB / "qrels.dev.tsv").questions
    now = corpus.newest
    leap = leaping()
    async with AsyncExitStack() as stack:
        opened = await open_sandboxes(corpus, now, stack)
        known, homes = tidied(opened.origins), homes_of(opened.origins)
        sources = {name: {key: each[key] for key in each if key != "rate"} for name, each in opened.sources.items()}
        engine = await stack.enter_async_context(as_shipped(sources))
        found = []
        for question in sample(judged, int(os.environ.get("HERB_QUESTIONS", "60"))):
            started = asyncio.get_running_loop().time()
            answer = await engine.search(Ask(question.text, now, budget=BUDGET))
            found.append(Recorded.of(question, now, answer, known, homes))
            leap(pace + TAKES - (asyncio.get_running_loop().time() - started))
        return found


@asynccontextmanager
async def as_shipped(sources: dict[str, dict[str, Any]]) -> AsyncIterator[Engine]:
    """An engine that keeps to the vendors' rates."""
    with TemporaryDirectory() as folder:
        settings = load_settings({"sources": sources, "storage": {"data_dir": folder}}, {})
        async with build_engine(settings) as engine:
            await engine.prepare()
            yield engine


async def graded_every(pace: float, company: Path) -> list[Grade]:
    """A company's golden questions by one asker, ``pace`` seconds between one answer and the next question."""
    leap = leaping()
    return await grades(company, as_shipped, lambda: leap(pace))


def leaping(slower: float = 1.0):
    """Puts the loop's clock forward, and that of rates with it; in between a second takes ``slower`` real ones."""
    loop = asyncio.get_running_loop()
    real, ahead = loop.time, 0.0
    began = real()

    def leap(seconds: float) -> None:
        nonlocal ahead
        ahead += max(0.0, seconds)

    loop.time = lambda: began + (real() - began) / slower + ahead
    throttler.time = SimpleNamespace(monotonic=loop.time)
    return leap


def of_companies(paces: tuple[float, ...]) -> None:
    """Print what is right of all companies at each pace."""
    homes = sorted(each.parent for each in COMPANIES.glob("*/golden.jsonl"))
    for pace in paces:
        rows = list(chain.from_iterable(asyncio.run(graded_every(pace, each)) for each in homes))
        told = ", ".join(f"{each.name} {each.value} of {each.of}" for each in figures(rows))
        print(f"one every {pace:g} s: {told}")


def main(paces: tuple[float, ...]) -> None:
    """Print what each pace leaves of HERB."""
    config = RankingConfig.load(config_dir() / "ranking.toml")
    for pace in paces:
        found = asyncio.run(asked_every(pace))
        outcomes = [each for question in found for each in question.outcomes]
        unasked = Counter(each.source for each in outcomes if each.status is Status.THROTTLED)
        spared = Counter(each.source for each in outcomes if each.spared)
        print(
            f"one every {pace:g} s: limit of ranking {best_possible(found).mean('ndcg_10'):.3f}, nDCG@10 {replay(found, config).mean('ndcg_10'):.3f}, "
            f"requests {sum(each.requests for each in outcomes) / len(found):.1f}, hits {sum(len(each.hits) for each in outcomes) / len(found):.0f} a question; "
            f"of {len(found)} unasked {dict(unasked)}, asked for less {dict(spared)}"
        )


if __name__ == "__main__":
    of_what, *_ = (*sys.argv[1:], "")
    if of_what == "companies":
        of_companies(tuple(map(float, sys.argv[2:])) or PACES)
    elif HERB.is_dir():
        main(tuple(map(float, sys.argv[1:])) or PACES)
    else:
        print("HERB is not at hand (data in a folder `shared` beside the checkout)")
