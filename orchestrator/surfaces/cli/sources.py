"""``fedsearch sources``: every configured source, whether it answers, and what to do where it does not.

``try``: one question to a source that is declared and not yet anybody's, and what of its replies is read.
"""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any

import typer

from orchestrator.surfaces.cli.composition import BadInput
from orchestrator.surfaces.cli.failures import Exit, complain, guarded, said_here
from orchestrator.surfaces.cli.inputs import AsJson, Powers, Question, read_now, read_question
from orchestrator.surfaces.cli.running import note
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rich.console import RenderableType

    from connectors.contract import Hit
    from orchestrator.documents.filters import FilterJudgment, FilterVerdict
    from orchestrator.documents.sources import SourceState, SourceStates
    from orchestrator.model import Answer, Ask
    from orchestrator.settings import KeptFilters, Settings
    from orchestrator.surfaces.cli.composition import Composition, KindPowers

SAID = {
    "exact": "checks exactly",
    "wider": "checks roughly, we check again",
    "approximate": "has its own idea of",
    "none": "cannot check, we do",
}
NONE_CONFIGURED = Said(
    "no source is configured; `fedsearch init` sets one up, and `fedsearch demo` shows answers without any"
)


def add(app: typer.Typer, composition: Composition) -> None:
    """Register the command."""
    group = typer.Typer(invoke_without_command=True, rich_markup_mode=None)
    app.add_typer(group, name="sources")
    _add_try(group, composition)
    _add_keeping(group, composition)

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
            styled(said_here(state["standing"]), QUIET),
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


# By what became of a condition: what that is in [can], and what was seen.
JUDGED: Mapping[FilterVerdict, str] = MappingProxyType(
    {
        "exact": "exact: nothing else came, and nothing that fits is missing",
        "wider": "wider: {wrong} came that do not fit, and nothing that fits is missing",
        "unheeded": "not heeded: as much came as without it; leave it out of [can]",
        "narrower": "{lost} that fit are missing; leave it out of [can], or they are never found",
        "undeclared": "not asked: [can] does not name it, and it is checked here",
        "unanswered": "no answer came, so nothing was seen; try it again",
    }
)
Filters = Annotated[
    bool,
    typer.Option("--filters", help="Ask for results by author, place and day too, and see whether that is heeded."),
]
Keep = Annotated[
    bool, typer.Option("--keep", help="With --filters: keep what was seen, and plan by it while FILE stays as it is.")
]
Forget = Annotated[bool, typer.Option("--forget", help="Take away what was kept of it.")]
Name = Annotated[str | None, typer.Argument(help="Of which source (default: all).", show_default=False)]
Removed = Annotated[str, typer.Argument(help="Its name, as `fedsearch sources` shows it.", show_default=False)]
File = Annotated[str, typer.Argument(help="A file as it would lie in sources.d.", metavar="FILE", show_default=False)]


def _add_try(app: typer.Typer, composition: Composition) -> None:
    @app.command("try")
    @guarded
    def try_source(
        file: File, question: Question = None, *, filters: Filters = False, keep: Keep = False, as_json: AsJson = False
    ) -> int:
        """Ask a source that FILE declares, and no other; nothing is kept, but with --keep what it filters by."""
        import asyncio

        from orchestrator.model import Ask
        from orchestrator.settings import SettingsSite, name_of, read_source
        from orchestrator.surfaces.cli.searching import exit_code, print_answer

        path, text = Path(file), read_question(question)
        if keep and not filters:
            raise BadInput(Said("--keep keeps what --filters sees; say both"))
        name, declared = name_of(path), read_source(path)
        # As it is declared here, and not as another file of that name says or as it was found to be before.
        # A broadened question gives up its filters too, and nobody could tell whether they were heeded.
        told: dict[str, Any] = {"sources": {name: declared}, **({"search": {"enough": 1}} if filters else {})}
        settings = SettingsSite(told).read(without=frozenset({name})).alone(name)
        ask = Ask(text, read_now(None, settings.locale.timezone), sources=(name,), budget=settings.search.budget)
        answer, judged = asyncio.run(_asked(composition, settings, ask, filters=filters))
        print_answer(answer, ask, as_json=as_json, with_receipt=True)
        hits = [hit for outcome in answer.outcomes for hit in outcome.hits]
        if hits and not as_json:
            _print_read(hits)
        if filters and not as_json:
            _print_judged(judged)
        if keep:
            _keep(name, declared, judged, f"{ask.now.date()}: {ask.text}")
        return exit_code(answer)


def _add_keeping(app: typer.Typer, composition: Composition) -> None:
    @app.command()
    @guarded
    def found(name: Name = None, *, forget: Forget = False) -> int:
        """Show what was kept of sources by `try --filters --keep`, or forget it."""
        from orchestrator.settings import SettingsSite

        site = SettingsSite()
        if forget and not (name and site.forget_found(name)):
            raise BadInput(Said("nothing was kept of such a source; `fedsearch sources found` shows of which"))
        if not forget:
            _print_found([each for each in site.kept_found() if name in {None, each.name}])
        return Exit.FOUND

    @app.command()
    @guarded
    def remove(name: Removed) -> int:
        """Take a source away: its file in sources.d, what was found of it, and its secrets."""
        import asyncio

        from orchestrator.settings import SettingsSite

        site = SettingsSite()
        if not site.files_of_source(name):
            raise BadInput(
                Said("nothing is kept of a source called {name}; `fedsearch config` says where settings stand").filled(
                    name=repr(name)
                )
            )
        asyncio.run(note(composition, "source removed", name))
        typer.echo("\n".join(f"removed {path}" for path in site.forget_source(name)))
        return Exit.FOUND


async def _asked(
    composition: Composition, settings: Settings, ask: Ask, *, filters: bool
) -> tuple[Answer, list[FilterJudgment]]:
    """The answer, and what became of each condition that its results know the answer of."""
    from orchestrator.surfaces.cli.searching import ask_watching

    async with composition.engine(settings) as engine:
        for name, health in (await engine.health()).items():
            if not health.ok:
                complain(Said("{name} says that it is not well: {detail}").filled(name=name, detail=health.detail))
        answer = await ask_watching(engine, ask)
        outcome = next(iter(answer.outcomes), None)
        if not filters or outcome is None:
            return answer, []
        return answer, [each async for each in composition.filters_found(settings, engine, ask, outcome)]


def _keep(name: str, declared: Mapping[str, Any], judged: Sequence[FilterJudgment], seen: str) -> None:
    from orchestrator.settings import FoundFilters, SettingsSite

    heeded = [each for each in judged if each.fidelity]
    if not heeded:
        complain(Said("nothing was seen that could be kept"))
        return
    arguments = {each.argument: each.place for each in heeded if each.argument}
    times = next((each.times for each in heeded if each.times), "")
    kept = FoundFilters({each.power: each.fidelity for each in heeded}, arguments, times)
    path = SettingsSite().keep_found(name, kept, declared, seen)
    typer.echo(f"kept: {path}; `fedsearch sources found {name} --forget` takes it away", err=True)


def _print_judged(judged: Sequence[FilterJudgment]) -> None:
    from orchestrator.surfaces.cli.screen import GOOD, WARN, columns, rule, show, styled

    rows = [
        (
            styled(each.power),
            styled(each.typed),
            styled(_told(each), GOOD if each.verdict == "exact" else WARN),
        )
        for each in judged
    ]
    nothing = styled("no two results differ in author, place or day by enough; ask for something that finds more", WARN)
    show(["", rule("What it filters by, asked and seen"), columns(rows) if rows else nothing])


def _told(judged: FilterJudgment) -> str:
    said = JUDGED[judged.verdict].format(wrong=judged.wrong, lost=judged.lost)
    return f"by the argument {judged.argument}, which arguments does not name; {said}" if judged.argument else said


def _print_found(kept: Sequence[KeptFilters]) -> None:
    from orchestrator.surfaces.cli.screen import QUIET, STRONG, WARN, columns, show, styled

    rows = [
        (
            styled(each.name, STRONG),
            styled(", ".join(f"{power} {how}" for power, how in each.powers.items())),
            styled(f"arguments {', '.join(each.arguments)}" if each.arguments else "", QUIET),
            styled(f"seen {each.seen}", QUIET),
            styled("" if each.holds else "no longer heeded: its file has changed; try it again", WARN),
        )
        for each in kept
    ]
    if rows:
        show([columns(rows)])
    else:
        typer.echo("nothing was kept; `fedsearch sources try FILE QUESTION --filters --keep` does", err=True)


def _print_read(hits: Sequence[Hit]) -> None:
    from orchestrator.documents.sources import read_counts
    from orchestrator.surfaces.cli.screen import QUIET, WARN, columns, rule, show, styled

    rows = [
        (styled(name), styled(f"{count} of {len(hits)}", WARN if count == 0 else QUIET))
        for name, count in read_counts(hits).items()
    ]
    show(["", rule("What was read of the replies"), columns(rows)])
