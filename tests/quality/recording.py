"""What answering is given for every golden question, written down once: another choice of sentences is then judged in half a minute instead of six (``python -m tests.quality.replay``).

The files are pickles, which only who wrote them should read, and hold for the code that they were written by.
"""

from __future__ import annotations

import asyncio
import copyreg
import pickle
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from orchestrator.answer import compose
from orchestrator.answer.confidence import shipped_calibration
from orchestrator.answer.sentence_features import SentenceWeights, shipped_weights
from orchestrator.sandbox import default_corpus
from orchestrator.thinking import stages
from orchestrator.understand import load_lexicon
from tests.quality import golden
from tests.quality.companies import Asked, answers, figures, unread
from tests.quality.figures import COMPANY, Figure, Measured
from tests.quality.parts import COMPANIES, NOW

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from orchestrator.answer.themes import Counterparts
    from orchestrator.model import Answer, Outcome, Plan, Ranking

WORKPLACE = "workplace"


def _read_only(given: dict[Any, Any]) -> Mapping[Any, Any]:
    return MappingProxyType(given)


copyreg.pickle(MappingProxyType, lambda each: (_read_only, (dict(each),)))


@dataclass(frozen=True, slots=True)
class Given:
    """A golden question, and what :func:`compose` was given for it. ``origins``: as of :class:`Asked`; none of the packaged workplace's, which are judged by what is said."""

    golden: Mapping[str, Any]
    ranking: Ranking
    outcomes: Sequence[Outcome]
    plan: Plan
    now: datetime
    reordered: bool
    origins: Mapping[str, Mapping[str, str]]

    def asked(self, weights: SentenceWeights | None = None) -> Asked:
        """As it is answered now."""
        answer = compose(
            self.ranking,
            self.outcomes,
            self.plan,
            self.now,
            calibration=shipped_calibration(),
            weights=weights or shipped_weights(),
            called=_called(),
            reordered=self.reordered,
        )
        return Asked(self.golden, answer, self.origins, self.now)


@cache
def _called() -> Counterparts:
    return load_lexicon().bilingual.together


@contextmanager
def _heard() -> Iterator[list[dict[str, Any]]]:
    """What answering is given while this is open."""
    calls: list[dict[str, Any]] = []

    def hearing(
        ranking: Ranking, outcomes: Sequence[Outcome], plan: Plan, now: datetime, *rest: Any, **by: Any
    ) -> Answer:
        calls.append({"ranking": ranking, "outcomes": outcomes, "plan": plan, "now": now, "reordered": by["reordered"]})
        return compose(ranking, outcomes, plan, now, *rest, **by)

    with patch.object(stages, "compose", hearing):
        yield calls


def record(name: str, folder: Path) -> int:
    """Ask the questions of one part, and write down what answering was given; how many there are."""
    given = asyncio.run(_asked_anew(name))
    (folder / f"{name}.pickle").write_bytes(pickle.dumps(given))
    return len(given)


async def _asked_anew(name: str) -> list[Given]:
    with _heard() as calls:
        if name == WORKPLACE:
            asked = [Asked(*each, {}, NOW) for each in await golden.answers(default_corpus(), NOW)]
        else:
            asked = await answers(COMPANIES / name)
    last = {call["plan"].query.text: call for call in calls}  # of a question, by what it was answered in the end
    given = (Given(each.golden, **last[each.answer.query.text], origins=each.origins) for each in asked)
    return [replace(each, plan=_written_out(each.plan)) for each in given]


def _written_out(plan: Plan) -> Plan:
    """With all rungs of its ladders, which are made as they are climbed."""
    return replace(plan, steps=tuple(replace(step, rungs=tuple(step.rungs)) for step in plan.steps))


def read(name: str, folder: Path) -> list[Given]:
    """What :func:`record` wrote."""
    given: list[Given] = pickle.loads((folder / f"{name}.pickle").read_bytes())
    return given


def replayed(name: str, folder: Path, weights: SentenceWeights | None = None) -> Measured:
    """The figures of one part as they would be, by the code and the weights of now."""
    given = read(name, folder)
    if name == WORKPLACE:
        right = sum(not list(golden.wrongs(dict(each.golden), each.asked(weights).answer)) for each in given)
        return Measured(WORKPLACE, (Figure("golden_right", right, len(given)),))
    rows = [each.asked(weights).grade for each in given]
    return Measured(f"{COMPANY}{name}", (*figures(rows), *unread(COMPANIES / name, rows)))
