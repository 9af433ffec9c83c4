"""The domains on which the order is learnt: each asked anew through sockets, with all that ranking reads. HERB is none of them: it judges."""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import takewhile
from typing import TYPE_CHECKING, Any

import numpy as np

from orchestrator.evaluate import (
    JudgedQuestion,
    Recorded,
    homes_of,
    read_judgments,
    read_recording,
    tidied,
    write_recording,
)
from orchestrator.model import Ask
from orchestrator.rank import STAGES, RankContext, RankingConfig, learned, order_rungs, rank
from orchestrator.rank.features import FEATURES
from orchestrator.rank.learned import best_by_score
from orchestrator.rank.pool import CandidatePool
from orchestrator.sandbox import Sandbox, default_corpus, load_corpus
from orchestrator.trial import PACKAGED, open_sandboxes
from tests.quality.asking import BUDGET, engine_of
from tests.quality.labelled import rows_of
from tests.quality.parts import COMPANIES, KO_DOMAINS, NOW, SHARED
from tests.ranking import invented

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from orchestrator.sandbox import Corpus

    Floats = NDArray[np.float64]

DEPTH = 10
BEFORE = tuple(takewhile(lambda stage: stage is not learned, STAGES))
Similarities = dict[tuple[str, str], float]


@dataclass(frozen=True, slots=True)
class Case:
    """One judged question: what was found, and how near hits in the other language were to it in meaning."""

    recorded: Recorded
    semantic: Similarities


# ---- asking


async def ask_domain(name: str, folder: Path) -> list[Case]:
    """``folder``: where invented companies may be laid out."""
    async with AsyncExitStack() as stack:
        if name == "workplace":
            return await _asked_openly(default_corpus(), read_judgments(PACKAGED).questions, stack)
        if name == "ko_autorag":
            shared = SHARED / name
            corpus = load_corpus(shared / "corpus.jsonl", mapping=dict.fromkeys(KO_DOMAINS, "json_api"))
            return await _asked_openly(
                corpus, read_judgments(shared / "queries.dev.jsonl", shared / "qrels.dev.tsv").questions, stack
            )
        place = COMPANIES / name
        made = {company[0]: company for company in invented.COMPANIES}
        if name in made:
            place = folder / name
            await asyncio.to_thread(invented.lay_out, invented.invent(*made[name]), place)
        return await _asked_company(place, stack)


async def _asked_openly(corpus: Corpus, questions: Sequence[JudgedQuestion], stack: AsyncExitStack) -> list[Case]:
    opened = await open_sandboxes(corpus, NOW, stack)
    return await _asked(opened.sources, opened.origins, questions, NOW, stack)


async def _asked_company(place: Path, stack: AsyncExitStack) -> list[Case]:
    about = json.loads((place / "about.json").read_text("utf-8"))
    now = datetime.fromisoformat(about["now"])
    sandbox = await stack.enter_async_context(Sandbox(load_corpus(place / "corpus"), now=now, owner=about["owner"]))
    ends = sandbox.endpoints.items()
    sources = {name: {"kind": name, "base_url": end.base_url, "token": end.token} for name, end in ends}
    questions = [
        JudgedQuestion(row["id"], row["question"], row.get("grades") or dict.fromkeys(row["evidence"], 1.0))
        for row in rows_of(place / "golden.jsonl")
        if row["answerable"]
    ]
    return await _asked(sources, {name: sandbox.origins(name) for name, _ in ends}, questions, now, stack)


async def _asked(
    sources: dict[str, dict[str, Any]],
    origins: Mapping[str, Mapping[str, str]],
    questions: Sequence[JudgedQuestion],
    now: datetime,
    stack: AsyncExitStack,
) -> list[Case]:
    engine = await stack.enter_async_context(engine_of(sources))
    near: list[Similarities] = []
    hear = engine._hear

    async def overheard(*said: Any) -> Any:
        heard = await hear(*said)
        near.append(dict(heard.semantic or {}))
        return heard

    engine._hear = overheard  # type: ignore[method-assign]
    known, homes = tidied(origins), homes_of(origins)
    cases = []
    for question in questions:
        answer = await engine.search(Ask(question.text, now, budget=BUDGET))
        cases.append(Case(Recorded.of(question, now, answer, known, homes), near[-1]))
    return cases


def cases_of(name: str, kept: Path) -> list[Case]:
    """As kept in a folder, or asked anew and kept there."""
    recording, nearness = kept / f"{name}.jsonl.gz", kept / f"{name}.semantic.json"
    if not nearness.exists():
        cases = asyncio.run(ask_domain(name, kept))
        write_recording(recording, [case.recorded for case in cases])
        nearness.write_text(json.dumps([[[*key, value] for key, value in case.semantic.items()] for case in cases]))
    near = [{(source, made): value for source, made, value in each} for each in json.loads(nearness.read_text())]
    return [Case(recorded, semantic) for recorded, semantic in zip(read_recording(recording), near, strict=True)]


# ---- as numbers


@dataclass(slots=True)
class Domain:
    """The results of all questions of a domain, one after the other. A column a feature; ``formula``: its scores.

    ``question``: of each result; ``begins``: of each question, its first result. ``tier``: what stands before what however it scores.
    ``ideal``: of each question, the gain of the best order of all that is judged; ``found``: how many results there are, the best of
    which are here; ``unfound``: questions for which nothing came back.
    """

    name: str
    features: Floats
    formula: Floats
    grades: Floats
    tier: Floats
    question: NDArray[np.int64]
    begins: NDArray[np.int64]
    ideal: Floats
    found: NDArray[np.int64]
    unfound: int

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Results by question."""
        return np.diff(np.append(self.begins, len(self.question)))

    def ndcg(self, scores: Floats) -> Floats:
        """nDCG@10 of each question, ordered by ``scores``."""
        order = np.lexsort((-scores, self.tier, self.question))
        place = np.arange(len(order)) - self.begins[self.question[order]]
        seen = place < DEPTH
        gains = self.grades[order][seen] / np.log2(place[seen] + 2)
        found = np.bincount(self.question[order][seen], gains, len(self.begins)) / self.ideal
        return np.append(found, np.zeros(self.unfound))

    def first(self, scores: Floats, depth: int) -> int:
        """How many questions have something relevant in the first ``depth``."""
        order = np.lexsort((-scores, self.tier, self.question))
        place = np.arange(len(order)) - self.begins[self.question[order]]
        return len(set(self.question[order][(place < depth) & (self.grades[order] > 0)]))


def domain_of(name: str, cases: Sequence[Case], config: RankingConfig) -> Domain:
    """Everything up to the learnt order is done as in a search."""
    rows = [row for case in cases if (row := _row(case, config))]
    sizes = [len(row[0]) for row in rows]
    columns = [np.concatenate([row[at] for row in rows]) for at in range(4)]
    begins = np.cumsum([0, *sizes[:-1]])
    question = np.repeat(np.arange(len(rows)), sizes)
    ideal = np.array([row[4] for row in rows])
    found = np.array([row[5] for row in rows])
    return Domain(name, *columns, question, begins, ideal, found, len(cases) - len(rows))


def _row(case: Case, config: RankingConfig) -> tuple[Floats, Floats, Floats, Floats, float, int] | None:
    recorded = case.recorded
    query = replace(recorded.plan.query, limit=100)
    context = RankContext(query, recorded.now, recorded.plan, config, case.semantic or None)
    ranking = rank(recorded.outcomes, context, BEFORE)
    if not ranking.results:
        return None
    ranked = order_rungs(ranking, context).results
    looked_at = best_by_score([result.score for result in ranking.results], config.learned.most)
    pool = CandidatePool([ranking.results[at] for at in looked_at], context)
    judged = recorded.question.grades
    grades = [
        max(judged.get(recorded.corpus_id(hit.source, hit.id), 0.0) for hit in (result.hit, *result.also))
        for result in pool.results
    ]
    tiers = [ranked[at].tier for at in looked_at]
    best = sorted(judged.values(), reverse=True)[:DEPTH]
    ideal = sum(grade / np.log2(place + 2) for place, grade in enumerate(best))
    columns = np.array([feature(pool) for feature in FEATURES.values()]).T
    scores = np.array([result.score for result in pool.results])
    return columns, scores, np.array(grades), np.array(tiers), ideal, len(ranking.results)


def names() -> Iterator[str]:
    """All domains, those that people wrote first."""
    yield from ("workplace", "ko_autorag", *(each.name for each in sorted(COMPANIES.iterdir()) if each.is_dir()))
    yield from (name for name, _, _ in invented.COMPANIES)
