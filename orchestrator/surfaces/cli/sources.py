"""``fedsearch sources``: every configured source, whether it answers, and what to do where it does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from orchestrator.surfaces.cli import source_trial
from orchestrator.surfaces.cli.failures import Exit, complain, guarded
from orchestrator.surfaces.cli.inputs import AsJson, Powers  # noqa: TC001 - typer reads them at run time

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import RenderableType

    from orchestrator.documents.sources import SourceState, SourceStates
    from orchestrator.settings import Settings
    from orchestrator.surfaces.cli.composition import Composition, KindPowers

SAID = {
    "exact": "checks exactly",
    "wider": "checks roughly, we check again",
    "approximate": "has its own idea of",
    "none": "cannot check, we do",
}
NONE_CONFIGURED = (
    "no source is configured; `fedsearch init` sets one up, and `fedsearch demo` shows answers without any"
)


def add(app: typer.Typer, composition: Composition) -> None:
    """Register the command."""
    group = typer.Typer(invoke_without_command=True, rich_markup_mode=None)
    app.add_typer(group, name="sources")
    source_trial.add(group, composition)

    @group.callback()
    def sources(context: typer.Context, *, powers: Powers = False, as_json: AsJson = False) -> None:
        """Show whether each source answers, and what it needs."""
        if context.invoked_subcommand is None:
            guarded(_shown)(composition, powers=powers, as_json=as_json)


def _shown(composition: Composition, *, powers: bool, as_json: bool) -> int:
    import asyncio

    from orchestrator.settings import load_settings

    if powers:
        _print_powers(composition.powers(), as_json=as_json)
        return Exit.FOUND
    found = asyncio.run(_probe(composition, load_settings()))
    _print(found, as_json=as_json)
    return Exit.FOUND if any(state["status"] == "ok" for state in found["sources"]) else Exit.NO_SOURCES


async def _probe(composition: Composition, settings: Settings) -> SourceStates:
    from orchestrator.documents.sources import source_states

    async with composition.engine(settings) as engine:
        return await source_states(engine)


def _print_powers(kinds: Sequence[KindPowers], *, as_json: bool) -> None:
    if as_json:
        from dataclasses import asdict

        from orchestrator.surfaces.cli.documents import print_json

        print_json({"kinds": [asdict(kind) for kind in kinds]})
    else:
        from orchestrator.surfaces.cli.screen import show

        show(powers_view(kinds))


def powers_view(kinds: Sequence[KindPowers]) -> Iterator[RenderableType]:
    """For each kind of source: what it checks how, what it leaves to us, and its terms."""
    from orchestrator.surfaces.cli.screen import QUIET, STRONG, hanging, indented, line, styled

    for kind in kinds:
        yield line((kind.title, STRONG), (f"  {kind.kind}, {kind.category}, finds {', '.join(kind.finds)}", QUIET))
        rows = [(SAID[fidelity], [name for name, how in kind.powers.items() if how == fidelity]) for fidelity in SAID]
        rows += [("leaves out", list(kind.excludes)), ("orders by", list(kind.orders))]
        rows += [("terms", [kind.limits]), ("signs in by", [each.replace("_", " ") for each in kind.signs_in_by])]
        told = [(styled(label, QUIET), styled(", ".join(what) or "nothing")) for label, what in rows]
        yield indented(hanging([*told, *([(styled("note", QUIET), styled(kind.note))] if kind.note else [])]))


def _print(found: SourceStates, *, as_json: bool) -> None:
    if as_json:
        from orchestrator.surfaces.cli.documents import print_json

        print_json(found)
    elif not found["sources"]:
        complain(NONE_CONFIGURED)
    else:
        from orchestrator.surfaces.cli.screen import show

        show(sources_view(found["sources"]))


def sources_view(states: Sequence[SourceState]) -> Iterator[RenderableType]:
    """One line a source, and under it what to do."""
    from orchestrator.surfaces.cli.screen import BAD, GOOD, QUIET, STRONG, WARN, columns, indented, styled

    colours = {"ok": GOOD, "failed": BAD, "not connected": WARN}
    yield columns(
        (
            styled(state["name"], STRONG),
            styled(state["title"]),
            styled(state["category"], QUIET),
            styled(state["status"], colours[state["status"]]),
            styled(state["account"], QUIET),
            styled(state["standing"], QUIET),
        )
        for state in states
    )
    if told := [state for state in states if state["remarks"] and state["status"] == "ok"]:
        yield ""
        for state in told:
            yield styled(state["title"], STRONG)
            yield from (indented(styled(remark)) for remark in state["remarks"])
    if advised := [state for state in states if state["advice"] and state["status"] != "ok"]:
        yield ""
        for state in advised:
            yield styled(state["title"], STRONG)
            yield indented(styled(state["advice"]))
