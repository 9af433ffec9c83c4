"""A measurement, and what tuning has found, for people and as JSON. ``docs/reference/cli.md`` describes every key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from orchestrator.surfaces.cli.screen import QUIET, STRONG, columns, line, styled

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rich.console import RenderableType

    from orchestrator.evaluate import Ablation, Figure, Measurement, TableRow
    from orchestrator.learning import FeedbackFigures, FeedbackRow, Tuning
    from orchestrator.rank import RankingConfig

MEASURES = ("nDCG@10", "MRR@10", "recall@100")


def figures_view(trial: Measurement) -> Iterator[RenderableType]:
    """The tables, the time, and what went wrong."""
    tables = trial.tables
    served = ", ".join(f"{name} {items:,}" for name, items in sorted(trial.served.items()))
    asked = "ranked again from a recording" if trial.replayed else f"over {served}"
    said = f"  {tables.whole.questions:,} questions {asked}, asked at {trial.now.isoformat(timespec='minutes')}"
    yield line(("fedsearch eval", STRONG), (said, QUIET))
    yield ""
    yield columns(_table("", (tables.whole, *tables.halves)))
    yield ""
    yield columns(_table("by type", tables.types))
    yield ""
    yield columns(_table("by source", tables.sources))
    yield ""
    yield columns(_table("limit of ranking", (tables.best,)))
    yield ""
    yield styled(f"a question took {_seconds(tables.mean)} on average, 95 of 100 at most {_seconds(tables.slow)}")
    for trouble, count in sorted(tables.troubles.items()):
        yield styled(f"{trouble} at {count:,} questions")
    if tables.losses:
        yield ""
        yield columns(_losses(tables.losses))


def trial_document(trial: Measurement) -> dict[str, Any]:
    """A measurement as JSON."""
    tables = trial.tables
    return {
        "now": trial.now.isoformat(),
        "replayed": trial.replayed,
        "served": dict(trial.served),
        "all": line_document(tables.whole),
        "halves": [line_document(each) for each in tables.halves],
        "types": [line_document(each) for each in tables.types],
        "sources": [line_document(each) for each in tables.sources],
        "best_order": line_document(tables.best),
        "seconds": {"mean": figure_document(tables.mean), "slow": figure_document(tables.slow)},
        "troubles": dict(tables.troubles),
        "ablation": [
            {**line_document(each.line), "difference": {"low": each.low, "high": each.high}} for each in tables.losses
        ],
        "notes": list(trial.notes),
    }


def line_document(of: TableRow) -> dict[str, Any]:
    """The figures of some questions."""
    figures = (of.ndcg_10, of.mrr_10, of.recall_100)
    named = zip(("ndcg_10", "mrr_10", "recall_100"), map(figure_document, figures), strict=True)
    return {"name": of.name, "questions": of.questions, **dict(named)}


def figure_document(figure: Figure) -> dict[str, float]:
    """A figure and its interval."""
    return {"value": figure.value, "low": figure.low, "high": figure.high}


def _table(title: str, lines: Sequence[TableRow]) -> Iterator[Sequence[Any]]:
    yield tuple(styled(head, QUIET) for head in (title, "questions", *MEASURES))
    for each in lines:
        figures = (each.ndcg_10, each.mrr_10, each.recall_100)
        shown = (styled(f"{figure.value:.3f} {figure.low:.2f}–{figure.high:.2f}") for figure in figures)
        yield (styled(each.name, STRONG), styled(f"{each.questions:,}"), *shown)


def _losses(losses: Sequence[Ablation]) -> Iterator[Sequence[Any]]:
    yield tuple(styled(head, QUIET) for head in ("what each part brings", *MEASURES, "difference"))
    for each in losses:
        figures = (each.line.ndcg_10, each.line.mrr_10, each.line.recall_100)
        shown = (styled(f"{figure.value:.3f}") for figure in figures)
        yield (styled(each.line.name, STRONG), *shown, styled(f"{each.low:+.3f} … {each.high:+.3f}"))


def _seconds(figure: Figure) -> str:
    return f"{figure.value:.2f} s ({figure.low:.2f}–{figure.high:.2f})"


def tuning_view(tuning: Tuning, present: RankingConfig, written: str) -> Iterator[RenderableType]:
    """``written``: the file, empty for none."""
    yield line(("fedsearch tune", STRONG), (f"  {tuning.judgments:,} judgments of {tuning.people:,} people", QUIET))
    if tuning.rows:
        yield ""
        yield columns(_rows(tuning))
    if tuning.numbers:
        yield ""
        yield columns(_numbers(tuning.numbers, present.model_dump(mode="json")))
    yield ""
    yield styled(tuning.why)
    if written:
        yield styled(f"written to {written}; a server reads it when it starts; fedsearch tune --undo takes it back")


def _rows(tuning: Tuning) -> Iterator[Sequence[Any]]:
    heads = ("held back", "judgments", "nDCG@10 now", "tuned", "difference, 99 of 100 times")
    yield tuple(styled(head, QUIET) for head in heads)
    for each in tuning.rows:
        figures = (f"{each.before:.3f}", f"{each.after:.3f}", f"{each.low:+.3f} … {each.high:+.3f}")
        yield (styled(each.name, STRONG), styled(f"{each.judgments:,}"), *map(styled, figures))


def _numbers(numbers: Mapping[str, Any], present: Mapping[str, Any]) -> Iterator[Sequence[Any]]:
    yield tuple(styled(head, QUIET) for head in ("number", "now", "tuned"))
    for name, now, then in _changed(numbers, present, ()):
        yield (styled(name, STRONG), styled(f"{now:g}"), styled(f"{then:g}"))


def _changed(
    numbers: Mapping[str, Any], present: Mapping[str, Any], place: tuple[str, ...]
) -> Iterator[tuple[str, float, float]]:
    for name, value in numbers.items():
        if isinstance(value, dict):
            yield from _changed(value, present[name], (*place, name))
        elif value != present[name]:
            yield ".".join((*place, name)), present[name], value


def tuning_document(tuning: Tuning, written: str) -> dict[str, Any]:
    """As JSON."""
    return {
        "judgments": tuning.judgments,
        "people": tuning.people,
        "held_back": [
            {
                "name": each.name,
                "judgments": each.judgments,
                "ndcg_10": {"before": each.before, "after": each.after},
                "difference": {"low": each.low, "high": each.high},
            }
            for each in tuning.rows
        ],
        "examined": tuning.examined,
        "better": tuning.better,
        "why": tuning.why,
        "numbers": dict(tuning.numbers),
        "written": written or None,
    }


def feedback_view(figures: FeedbackFigures) -> Iterator[RenderableType]:
    """The present order by what people did."""
    told = f"  {figures.whole.judgments:,} judgments of {figures.people:,} people, {figures.shown:,} answers shown"
    yield line(("fedsearch eval --from-feedback", STRONG), (told, QUIET))
    yield ""
    yield columns(_feedback_rows((figures.whole, *figures.types)))
    for note in feedback_notes(figures):
        yield styled(note)


def _feedback_rows(rows: Sequence[FeedbackRow]) -> Iterator[Sequence[Any]]:
    yield tuple(styled(head, QUIET) for head in ("", "judgments", "nDCG@10", "MRR@10"))
    for each in rows:
        shown = (f"{one.value:.3f} {one.low:.2f}–{one.high:.2f}" for one in (each.ndcg_10, each.mrr_10))
        yield (styled(each.name, STRONG), styled(f"{each.judgments:,}"), *map(styled, shown))


def feedback_notes(figures: FeedbackFigures) -> list[str]:
    """What to know of the figures."""
    notes = []
    if figures.unreplayed:
        notes.append(
            f"{figures.unreplayed:,} of orders that a reranker, a date or an index alone gave, as they were shown"
        )
    if figures.torn:
        notes.append(f"{figures.torn:,} lines could not be read")
    return notes


def feedback_document(figures: FeedbackFigures) -> dict[str, Any]:
    """As JSON."""
    return {
        "all": _feedback_row(figures.whole),
        "types": [_feedback_row(each) for each in figures.types],
        "people": figures.people,
        "shown": figures.shown,
        "notes": feedback_notes(figures),
    }


def _feedback_row(row: FeedbackRow) -> dict[str, Any]:
    told = {"ndcg_10": figure_document(row.ndcg_10), "mrr_10": figure_document(row.mrr_10)}
    return {"name": row.name, "judgments": row.judgments, **told}
