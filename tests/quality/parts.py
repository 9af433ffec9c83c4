"""The parts of the measurement, by name. Each asks anew, in a process of its own, and gives figures."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tests.quality.figures import COMPANY, Figure, Measured
from tests.quality.reliability import Reliability, reliability

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from orchestrator.sandbox import Corpus

TESTS = Path(__file__).resolve().parents[1]
QUERIES = TESTS / "data" / "queries"
COMPANIES = TESTS / "data" / "companies"
SHARED = TESTS.parents[1] / "shared" / "data"
NOW = datetime.fromisoformat("2026-11-20T10:00:00+09:00")
QUICK = 60  # questions of HERB
KO_DOMAINS = ("commerce", "finance", "law", "public")
WORKED_FROM = ("queries", "heldout_en", "heldout_ko", "unseen_en", "unseen_ko")
BLIND = ("blind_en", "blind_ko")  # only scored as a whole, at checkpoints: not in the quick form
NOISE = 0.002  # of a mean of asked questions: three runs agreed to the last digit; processors and libraries may differ


@dataclass(frozen=True, slots=True)
class Part:
    """What is measured under a name. ``needs``: a folder beside the checkout without which it is skipped."""

    name: str
    measure: Callable[[], Iterable[Figure | Reliability]]
    needs: Path | None = None

    def measured(self) -> Measured:
        """Its figures and how long they took, or why there are none."""
        if self.needs and not self.needs.is_dir():
            return Measured(self.name, skipped=f"needs {self.needs.relative_to(TESTS.parents[1])} beside the checkout")
        start = time.monotonic()
        found = tuple(self.measure())
        figures = tuple(each for each in found if isinstance(each, Figure))
        reliable = tuple(each for each in found if isinstance(each, Reliability))
        return Measured(self.name, figures, seconds=time.monotonic() - start, reliability=reliable)


def parts(*, full: bool = False) -> dict[str, Part]:
    """All of them, the slowest first. ``full``: every question of HERB and of the labelled files."""
    herb = SHARED / "herb"
    companies = (
        Part(f"{COMPANY}{each.name}", partial(_company, each)) for each in sorted(COMPANIES.iterdir()) if each.is_dir()
    )
    chosen = [
        *([Part("herb_412", partial(_herb, 0), herb)] if full else []),
        Part("herb_60", partial(_herb, QUICK), herb),
        *companies,
        Part("ko_autorag", _ko_autorag, SHARED / "ko_autorag"),
        Part("workplace", _workplace),
        Part("questions", partial(_questions, WORKED_FROM)),
        *([Part("questions_blind", partial(_questions, BLIND))] if full else []),
        Part("phrases", _phrases),
        Part("windows", _windows),
        Part("date_sentences", _dates, SHARED / "datetime"),
    ]
    return {each.name: each for each in chosen}


def measure(name: str, *, full: bool) -> Measured:
    """One part, in the process that calls it."""
    return parts(full=full)[name].measured()


def _herb(most: int) -> Iterator[Figure]:
    from orchestrator.evaluate import read_judgments, sample
    from orchestrator.sandbox import load_corpus
    from orchestrator.trial import NAMESAKES

    folder = SHARED / "herb"
    corpus = load_corpus(folder / "corpus.jsonl.gz", fallback=NAMESAKES, drop_repeats=True)
    return _judged(
        corpus,
        sample(read_judgments(folder / "queries.dev.jsonl", folder / "qrels.dev.tsv").questions, most),
        corpus.newest,
    )


def _ko_autorag() -> Iterator[Figure]:
    from orchestrator.evaluate import read_judgments
    from orchestrator.sandbox import load_corpus

    folder = SHARED / "ko_autorag"
    corpus = load_corpus(folder / "corpus.jsonl", mapping=dict.fromkeys(KO_DOMAINS, "json_api"))
    return _judged(corpus, read_judgments(folder / "queries.dev.jsonl", folder / "qrels.dev.tsv").questions, NOW)


def _workplace() -> Iterator[Figure]:
    from orchestrator.evaluate import read_judgments
    from orchestrator.sandbox import default_corpus
    from orchestrator.trial import PACKAGED
    from tests.quality.golden import QUESTIONS, right

    yield from _judged(default_corpus(), read_judgments(PACKAGED).questions, NOW)
    yield Figure("golden_right", asyncio.run(right(default_corpus(), NOW)), len(QUESTIONS))


def _judged(corpus: Corpus, questions, now: datetime) -> Iterator[Figure]:
    from tests.quality.asking import ask_judged, retrieval

    return retrieval(asyncio.run(ask_judged(corpus, questions, now)), NOISE)


def _company(folder: Path) -> Iterator[Figure | Reliability]:
    from tests.quality.companies import figures, grades, unread

    rows = asyncio.run(grades(folder))
    yield from figures(rows)
    yield from unread(folder, rows)
    yield from reliability(rows)


def _questions(names: Iterable[str]) -> Iterator[Figure]:
    from tests.quality.labelled import questions

    return questions(QUERIES / f"{name}.jsonl" for name in names)


def _phrases() -> Iterator[Figure]:
    from tests.quality.labelled import phrases

    return phrases(TESTS / "data" / "phrases")


def _windows() -> Iterator[Figure]:
    from tests.quality.labelled import windows

    return windows(QUERIES / "windows.jsonl")


def _dates() -> Iterator[Figure]:
    from tests.quality.labelled import dates

    return dates(SHARED / "datetime")
