"""``fedsearch recency``: what is left of a result's recency with age, for each kind of source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from orchestrator.surfaces.cli.failures import Exit, guarded
from orchestrator.surfaces.cli.inputs import AsJson  # noqa: TC001 - typer reads it at run time

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rich.console import RenderableType

    from orchestrator.rank.config import Decay

AGES = (0, 1, 7, 14, 30, 60, 90)  # days

Relevance = Annotated[
    float | None, typer.Option(min=0.0, max=1.0, help="Show the boosted score of this relevance too.", metavar="R")
]


def add(app: typer.Typer) -> None:
    """Register the command."""

    @app.command()
    @guarded
    def recency(*, relevance: Relevance = None, as_json: AsJson = False) -> int:
        """Show how recency decays with age, for each kind of source."""
        from orchestrator.packaged import config_dir
        from orchestrator.rank import RankingConfig

        decays = RankingConfig.load(config_dir() / "ranking.toml").recency.sources
        if as_json:
            from orchestrator.surfaces.cli.documents import print_json

            print_json({"sources": [source_document(name, decays[name], relevance) for name in decays]})
        else:
            from orchestrator.surfaces.cli.screen import show

            show(recency_view(decays, relevance))
        return Exit.FOUND


def source_document(name: str, decay: Decay, relevance: float | None) -> dict[str, Any]:
    """One kind of source as JSON; ``score`` is null without a relevance."""
    ages = [{"days": days, "recency": left, "score": score} for days, left, score in _ages(decay, relevance)]
    return {"name": name, "weight": decay.weight, "half_life": decay.half_life, "ages": ages}


def recency_view(decays: Mapping[str, Decay], relevance: float | None) -> Iterator[RenderableType]:
    """A row a source, a column an age."""
    from orchestrator.surfaces.cli.screen import QUIET, STRONG, columns, styled

    heads = ("source", "weight", "half-life", *(f"{days} d" for days in AGES))
    rows = [tuple(styled(head, QUIET) for head in heads)]
    for name, decay in decays.items():
        ages = tuple(_ages(decay, relevance))
        known = (styled(name, STRONG), styled(f"{decay.weight:g}"), styled(f"{decay.half_life:g} d"))
        rows.append((*known, *(styled(f"{left:.2f}") for _, left, _ in ages)))
        if relevance is not None:
            said = (styled(""), styled("score", QUIET), styled(f"{relevance:g}", QUIET))
            rows.append((*said, *(styled(f"{score:.2f}", QUIET) for _, _, score in ages)))
    yield columns(rows)


def _ages(decay: Decay, relevance: float | None) -> Iterator[tuple[int, float, float | None]]:
    from orchestrator.rank.recency import boost
    from orchestrator.rank.recency import decay as left_after

    for days in AGES:
        left = left_after(days, decay.half_life)
        yield days, left, None if relevance is None else boost(relevance, left, decay.weight)
