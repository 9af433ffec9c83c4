"""``fedsearch recency``: what is left of a result's recency with age, in the local index and for each kind of source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Protocol

import typer

from orchestrator.surfaces.cli.failures import Exit, guarded
from orchestrator.surfaces.cli.inputs import AsJson  # noqa: TC001 - typer reads it at run time

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from rich.console import RenderableType

    from connectors.local.numbers import DocumentRecency
    from orchestrator.surfaces.cli.composition import Composition

AGES = (0, 1, 7, 14, 30, 60, 90)  # days
FORMS = {
    "mix": "(1 - w)·relevance + w·recency",
    "boost": "relevance × (1 + w·recency)",
}

Relevance = Annotated[
    float | None, typer.Option(min=0.0, max=1.0, help="Show the boosted score of this relevance too.", metavar="R")
]


class Decaying(Protocol):
    """A row of a table: ``half_life`` in days."""

    @property
    def weight(self) -> float: ...

    @property
    def half_life(self) -> float: ...


def add(app: typer.Typer, composition: Composition) -> None:
    """Register the command."""

    @app.command()
    @guarded
    def recency(*, relevance: Relevance = None, as_json: AsJson = False) -> int:
        """Show how recency decays with age: of documents in the local index, and of each kind of source."""
        from orchestrator.settings import load_settings

        settings = load_settings()
        indexes, decays = composition.ageing(settings), composition.ranking(settings).recency.sources
        if as_json:
            from orchestrator.surfaces.cli.documents import print_json

            listed = [source_document(name, decays[name], relevance) for name in decays]
            told = [index_document(name, table, relevance) for name, table in indexes.items()]
            print_json({"indexes": told, "sources": listed})
        else:
            from orchestrator.surfaces.cli.screen import show

            show(recency_view(indexes, decays, relevance))
        return Exit.FOUND


def source_document(name: str, decay: Decaying, relevance: float | None) -> dict[str, Any]:
    """One kind of source as JSON; ``score`` is null without a relevance."""
    return _document(name, decay, _mixed(decay, relevance))


def index_document(name: str, table: DocumentRecency, relevance: float | None) -> dict[str, Any]:
    """The table of one index as JSON: of sorts of things with the kinds of documents that are one, and of collections."""

    def told(of: str, decay: Decaying) -> dict[str, Any]:
        return _document(of, decay, _final(table, decay, relevance))

    things = [{**told(thing, decay), "kinds": _kinds(table, thing)} for thing, decay in table.things.items()]
    collections = [told(of, decay) for of, decay in table.collections.items()]
    return {
        "name": name, "form": table.form, "new": table.new, "missing": table.missing, "things": things, "collections": collections,
    }  # fmt: skip


def recency_view(
    indexes: Mapping[str, DocumentRecency], decays: Mapping[str, Decaying], relevance: float | None
) -> Iterator[RenderableType]:
    """A table for each index, and one for the other sources where it is another: a row a thing, a column an age."""
    from orchestrator.surfaces.cli.screen import line

    for name, table in indexes.items():
        yield line(f"{name}: by what a document is; {FORMS[table.form]}")
        if table.new != table.form:
            yield line(f"where what is new is asked for: {FORMS[table.new]}")
        yield _table(
            [
                (of, decay, _final(table, decay, relevance))
                for of, decay in {**table.things, **table.collections}.items()
            ],
            relevance,
        )
        sorts = {thing: _kinds(table, thing) for thing in table.things}
        yield line("; ".join(f"{thing}: {', '.join(kinds) or 'everything else'}" for thing, kinds in sorts.items()))
    plain = {name: (each.weight, each.half_life) for name, each in decays.items()}
    told = relevance is None  # else scores are shown as well, which others mix
    if all(
        {of: (each.weight, each.half_life) for of, each in table.things.items()} == plain
        and (told or table.form == "mix")
        for table in indexes.values()
    ):
        yield line("other sources: the same numbers, by the category of the source")
        return
    yield line("other sources: by the category of the source")
    yield _table([(name, decay, _mixed(decay, relevance)) for name, decay in decays.items()], relevance)


def _table(
    listed: Sequence[tuple[str, Decaying, Callable[[float], float | None]]], relevance: float | None
) -> RenderableType:
    from orchestrator.surfaces.cli.screen import QUIET, STRONG, columns, styled

    heads = ("source", "weight", "half-life", *(f"{days} d" for days in AGES))
    rows = [tuple(styled(head, QUIET) for head in heads)]
    for name, decay, score in listed:
        known = (styled(name, STRONG), styled(f"{decay.weight:g}"), styled(f"{decay.half_life:g} d"))
        left = [_left(decay, days) for days in AGES]
        rows.append((*known, *(styled(f"{each:.2f}") for each in left)))
        if relevance is not None:
            said = (styled(""), styled("score", QUIET), styled(f"{relevance:g}", QUIET))
            rows.append((*said, *(styled(f"{score(each) or 0.0:.2f}", QUIET) for each in left)))
    return columns(rows)


def _document(name: str, decay: Decaying, score: Callable[[float], float | None]) -> dict[str, Any]:
    ages = [{"days": days, "recency": (left := _left(decay, days)), "score": score(left)} for days in AGES]
    return {"name": name, "weight": decay.weight, "half_life": decay.half_life, "ages": ages}


def _kinds(table: DocumentRecency, thing: str) -> list[str]:
    return [str(kind) for kind, sort in table.kinds.items() if sort == thing]


def _left(decay: Decaying, days: float) -> float:
    from orchestrator.rank.factors import decay as left_after

    return left_after(days, decay.half_life)


def _mixed(decay: Decaying, relevance: float | None) -> Callable[[float], float | None]:
    from orchestrator.rank.factors import boost

    return lambda left: None if relevance is None else boost(relevance, left, decay.weight)


def _final(table: DocumentRecency, decay: Decaying, relevance: float | None) -> Callable[[float], float | None]:
    return lambda left: None if relevance is None else table.final(relevance, left, decay.weight)
