"""What a measurement says: figures of all questions, of each type and each source, and what each part brings."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from statistics import fmean
from typing import TYPE_CHECKING, Any

from orchestrator.evaluate.metrics import interval
from orchestrator.evaluate.recording import Report, Scored, best_possible, found, ranked, replay, score, scored
from orchestrator.model import Ranking, Status
from orchestrator.rank import (
    STAGES,
    RankContext,
    RankingConfig,
    Stage,
    cut,
    dedupe,
    fuse,
    learned,
    match,
    merge_twins,
    order,
    surround,
    weigh,
)
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from orchestrator.evaluate.recording import Recorded

WELL = frozenset({Status.OK, Status.PARTIAL, Status.EMPTY})
SLOW = 0.95  # the share of questions that are answered at least so fast


@record
class Figure:
    """A figure and where it lies, 95 of 100 times."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float], figure: Callable[[Sequence[float]], float] = fmean) -> Figure:
        """The mean of ``values``, or another figure of them; 0 of none."""
        return cls(figure(values), *interval(values, figure=figure)) if values else cls(0.0, 0.0, 0.0)


@record
class TableRow:
    """The figures of some questions, 0 to 1."""

    name: str
    questions: int
    ndcg_10: Figure
    mrr_10: Figure
    recall_100: Figure

    @classmethod
    def of(cls, name: str, rows: Sequence[Scored]) -> TableRow:
        """Over one row a question."""
        return cls(
            name,
            len(rows),
            Figure.of([row.ndcg_10 for row in rows]),
            Figure.of([row.mrr_10 for row in rows]),
            Figure.of([row.recall_100 for row in rows]),
        )


@record
class Ablation:
    """What is left without a part, and where the difference in nDCG@10 to the whole lies, 95 of 100 times."""

    line: TableRow
    low: float
    high: float


@record
class Tables:
    """A measurement. ``mean`` and ``slow`` (the 95th percentile) are seconds a question took when it was asked.

    ``best``: what the best order of what came back would score. A line of ``sources`` judges what one source
    contributed to the ranking by the relevant things that this source holds, over the questions for which it holds any.
    ``troubles`` counts questions by what went wrong with which source.
    """

    whole: TableRow
    halves: tuple[TableRow, ...]
    types: tuple[TableRow, ...]
    sources: tuple[TableRow, ...]
    best: TableRow
    mean: Figure
    slow: Figure
    troubles: Mapping[str, int]
    losses: tuple[Ablation, ...] = ()


@record
class Measurement:
    """A whole measurement. ``served``: how many items under which name; ``notes``: what to know about the figures.

    ``replayed``: the sources were not asked now but when the recording was made.
    """

    tables: Tables
    now: datetime
    served: Mapping[str, int]
    notes: tuple[str, ...] = ()
    replayed: bool = False


def tabulate(recorded: Sequence[Recorded], config: RankingConfig, stages: tuple[Stage, ...] = STAGES) -> Tables:
    """Each question is ranked once."""
    rows: list[Scored] = []
    types: defaultdict[str, list[Scored]] = defaultdict(list)
    sources: defaultdict[str, list[Scored]] = defaultdict(list)
    for each in recorded:
        results = ranked(each, config, stages)
        rows.append(scored(each, results))
        types[each.type].append(rows[-1])
        for source, row in by_source(each, found(each, results)):
            sources[source].append(row)
    report, took = Report(tuple(rows)), [each.took for each in recorded]
    return Tables(
        TableRow.of("all", rows),
        (TableRow.of("first half", report.half(0).rows), TableRow.of("second half", report.half(1).rows)),
        _lines(types),
        _lines(sources),
        TableRow.of("best order", best_possible(recorded).rows),
        Figure.of(took),
        Figure.of(took, slowest),
        _troubles(recorded),
    )


def by_source(each: Recorded, places: Sequence[tuple[str, str]]) -> Iterable[tuple[str, Scored]]:
    """For each source that holds something relevant: its own part of the ranking, judged by its own things."""
    for source in sorted(set(each.homes.values())):
        grades = {name: grade for name, grade in each.question.grades.items() if each.homes.get(name) == source}
        if any(grade > 0 for grade in grades.values()):
            yield source, score(each.question.id, [name for at, name in places if at == source], grades)


def losses(
    recorded: Sequence[Recorded], config: RankingConfig, told: Callable[[str], None] = lambda _: None
) -> tuple[Ablation, ...]:
    """The ablation table; ``told`` hears the name of each variant before it is ranked."""
    shipped: Report | None = None
    lines: list[Ablation] = []
    for name, numbers, stages in ablation(config):
        told(name)
        figures = replay(recorded, numbers, stages)
        shipped = shipped or figures
        lines.append(Ablation(TableRow.of(name, figures.rows), *figures.gain("ndcg_10", shipped)))
    return tuple(lines)


def slowest(values: Sequence[float]) -> float:
    """The 95th percentile, by the nearest rank."""
    return sorted(values)[math.ceil(SLOW * len(values)) - 1]


def _troubles(recorded: Iterable[Recorded]) -> Counter[str]:
    outcomes = (outcome for each in recorded for outcome in each.outcomes if outcome.status not in WELL)
    return Counter(f"{outcome.source}: {outcome.status}" for outcome in outcomes)


def _lines(groups: dict[str, list[Scored]]) -> tuple[TableRow, ...]:
    return tuple(TableRow.of(name, groups[name]) for name in sorted(groups))


Variant = tuple[str, RankingConfig, tuple[Stage, ...]]


def ablation(config: RankingConfig) -> Iterator[Variant]:
    """The whole first, then each variant: a name, a configuration, a tuple of stages."""
    pieces = {"syllables": 0.0, "side_by_side": 0.0, "said": 0.0}
    yield "as shipped", config, STAGES
    yield "without what was learnt", config, without(learned)
    yield "lists weighted by category only", changed(config, fusion={"unproven": 1.0}), STAGES
    yield "no weights of categories", config.model_copy(update={"sources": even(config).sources}), STAGES
    yield "without the match", config, without(match)
    yield "without relevance", changed(config, relevance={"floor": 1.0}), STAGES
    yield "without the four factors", changed(config, fusion={"share": 1.0}), STAGES
    yield "without the fused rank", changed(config, fusion={"share": 0.0}), STAGES
    yield "words only, no pieces", changed(config, keywords=pieces), STAGES
    yield "names count as any word", changed(config, keywords={"entity": 1.0}), STAGES
    yield "a missing name costs nothing", changed(config, keywords={"unnamed": 1.0}), STAGES
    yield "automatic messages count in full", changed(config, keywords={"notice": 1.0}), STAGES
    yield "without the surroundings", config, without(surround)
    yield "surroundings without the time", changed(config, surroundings={"near": 0.0}), STAGES
    yield "without merging twins", config, without(merge_twins)
    yield "evidence-weighted fusion alone", config, (dedupe, merge_twins, match, fuse, order, cut)
    yield "match alone", changed(config, fusion={"share": 1.0}), (dedupe, merge_twins, match, by_match, order, cut)
    yield "rank fusion, all lists equal", even(config), (dedupe, merge_twins, fuse, order, cut)


def changed(config: RankingConfig, **changes: Mapping[str, Any]) -> RankingConfig:
    """The configuration with some numbers of some sections changed."""
    sections = {name: getattr(config, name).model_copy(update=dict(values)) for name, values in changes.items()}
    return config.model_copy(update=sections)


def even(config: RankingConfig) -> RankingConfig:
    """All sources and rungs worth the same."""
    worth = {kind: dict.fromkeys(table, 1.0) for kind, table in config.sources.items()}
    return changed(config, fusion={"broadening": 1.0, "unproven": 1.0}).model_copy(update={"sources": worth})


def without(stage: Stage) -> tuple[Stage, ...]:
    """The shipped stages but one."""
    return tuple(each for each in STAGES if each is not stage)


def by_match(ranking: Ranking, context: RankContext) -> Ranking:
    """A stage for comparison: the match is the score."""
    alone = changed(context.config, relevance={"floor": 0.0})
    flat = RankContext(context.query, context.now, context.plan, alone)
    same = tuple(each.scored(1.0) for each in ranking.results)
    return weigh(Ranking(same, ranking.dropped), flat)
