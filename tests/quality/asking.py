"""Judged questions asked through real sockets, with a long budget and without the vendors' rates: figures do not depend on how busy a machine is."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from orchestrator.assembly.searching import build_engine
from orchestrator.evaluate import Recorded, best_possible, homes_of, replay, scored, tidied
from orchestrator.model import Ask, Confidence, Principal
from orchestrator.packaged import config_dir
from orchestrator.rank import RankingConfig
from orchestrator.settings import load_settings
from orchestrator.trial import open_sandboxes
from tests.mirrored import mirrors_caught_up
from tests.quality.figures import Figure

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence
    from datetime import datetime

    from orchestrator.engine import Engine
    from orchestrator.evaluate import JudgedQuestion
    from orchestrator.model import Answer
    from orchestrator.sandbox import Corpus

BUDGET = 30.0  # seconds


@dataclass(frozen=True, slots=True)
class Asked:
    """A judged question, what came back, and the answer to it."""

    recorded: Recorded
    answer: Answer

    @property
    def empty(self) -> bool:
        """Nothing is listed though something came back."""
        return not self.answer.results and any(outcome.hits for outcome in self.answer.outcomes)

    @property
    def sure_but_wrong(self) -> bool:
        """High confidence, and nobody judged the first result as relevant."""
        first = (self.answer.results[0].hit, *self.answer.results[0].also) if self.answer.results else ()
        right = any(self.recorded.question.grades.get(self._id(hit), 0) > 0 for hit in first)
        return self.answer.confidence is Confidence.HIGH and not right

    def _id(self, hit: Any) -> str:
        return self.recorded.corpus_id(hit.source, hit.id)


@asynccontextmanager
async def engine_of(sources: dict[str, dict[str, Any]]) -> AsyncIterator[Engine]:
    """As shipped, over these sources alone, with nothing kept from before.

    What a process learns with time is there from the start, and nearness in meaning has time: which of the first
    questions would be asked without the sources' names, and how much would be read, hangs on how busy a machine is.
    """
    with TemporaryDirectory() as folder:
        settings = load_settings({"sources": sources, "storage": {"data_dir": folder}}, {})
        async with build_engine(settings, rated=False) as engine:
            await engine.prepare()
            async with engine._reaching.of(Principal().id) as reach:
                await reach.load(BUDGET)
            await mirrors_caught_up(engine)
            assert engine._signals._budget < BUDGET
            engine._signals._budget = BUDGET
            yield engine


async def ask_judged(corpus: Corpus, questions: Sequence[JudgedQuestion], now: datetime) -> list[Asked]:
    """Each question once, one after the other."""
    async with AsyncExitStack() as stack:
        opened = await open_sandboxes(corpus, now, stack)
        engine = await stack.enter_async_context(engine_of(opened.sources))
        known, homes = tidied(opened.origins), homes_of(opened.origins)
        asked = []
        for question in questions:
            answer = await engine.search(Ask(question.text, now, budget=BUDGET))
            asked.append(Asked(Recorded.of(question, now, answer, known, homes), answer))
        return asked


def retrieval(asked: Sequence[Asked], noise: float) -> Iterator[Figure]:
    """How well what is relevant was found and shown, how much the best order would have made of it, and what was thrown away."""
    recorded = [each.recorded for each in asked]
    report = replay(recorded, RankingConfig.load(config_dir() / "ranking.toml"))
    yield Figure("ndcg_10", report.mean("ndcg_10"), len(asked), noise=noise)
    shown = fmean(scored(each.recorded, each.answer.results).ndcg_10 for each in asked)
    yield Figure("ndcg_10_as_shown", shown, len(asked), noise=noise)
    yield Figure("mrr_10", report.mean("mrr_10"), len(asked), noise=2 * noise)
    yield Figure("limit_of_ranking", best_possible(recorded).mean("ndcg_10"), len(asked), noise=noise)
    yield Figure("empty_with_hits", sum(each.empty for each in asked), len(asked), fewer=True)
    yield Figure("high_but_wrong", sum(each.sure_but_wrong for each in asked), len(asked), fewer=True)
