"""A measurement for people and as JSON. ``docs/reference/cli.md`` describes every key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from orchestrator.surfaces.cli.screen import QUIET, STRONG, columns, line, styled

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import RenderableType

    from orchestrator.evaluate import Ablation, Figure, Measurement, TableRow

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
