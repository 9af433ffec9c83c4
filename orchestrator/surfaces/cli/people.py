"""``fedsearch people``: of whom something is kept here, how much, and to forget all of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from orchestrator.surfaces.cli.failures import Exit, guarded, said_here, tell
from orchestrator.surfaces.cli.inputs import AsJson  # noqa: TC001 - typer reads it at run time
from orchestrator.surfaces.cli.running import note, using
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from orchestrator.access import PersonalData
    from orchestrator.surfaces.cli.composition import Composition
    from orchestrator.surfaces.cli.documents import ListedRow

    ResultT = TypeVar("ResultT")

Whose = Annotated[
    str, typer.Argument(help="Whose, as `fedsearch people list` or the audit log shows it.", show_default=False)
]
NOBODYS = Said("nothing is kept of anybody")
NONE_KEPT = Said("nothing is kept of {who}; `fedsearch people list` shows of whom something is")
KEPT = Said("{count} × {title}")


def add(app: typer.Typer, composition: Composition) -> None:
    """Register the commands."""
    people = typer.Typer(
        no_args_is_help=True, help="What is kept of people: list, show, forget.", rich_markup_mode=None
    )
    app.add_typer(people, name="people")

    def at(work: Callable[[PersonalData], Awaitable[ResultT]]) -> ResultT:
        return using(composition.personal_data, work)

    @people.command("list")
    @guarded
    def list_people(*, as_json: AsJson = False) -> int:
        """Show of whom something is kept by name, and how much. What lies in figures by digests alone is not listed."""
        from orchestrator.surfaces.cli.documents import print_json, print_rows

        found = at(lambda data: data.owners())
        if as_json:
            print_json({"people": [{"who": who, "kept": dict(kept)} for who, kept in found.items()]})
            return Exit.FOUND
        rows: list[ListedRow] = [
            {"who": who, "kept": ", ".join(f"{name} {count}" for name, count in kept.items())}
            for who, kept in found.items()
        ]
        print_rows("people", rows, as_json=False, empty=NOBODYS)
        return Exit.FOUND

    @people.command()
    @guarded
    def show(who: Whose, *, as_json: AsJson = False) -> int:
        """Show how much is kept of somebody, and where."""
        from orchestrator.surfaces.cli.documents import print_json

        kept, titles = at(_kept_of(who))
        if as_json:
            print_json({"who": who, "kept": dict(kept)})
        else:
            _print(who, kept, titles)
        return Exit.FOUND if any(kept.values()) else Exit.NOTHING

    @people.command()
    @guarded
    def forget(who: Whose) -> int:
        """Forget somebody who left, or wishes it: accounts are ended at their vendors, digests are sent no more, the rest goes."""
        from orchestrator.access import STAYS

        async def forgotten(data: PersonalData) -> tuple[Mapping[str, int], Mapping[str, Said]]:
            return await data.forget(who, lambda: note(composition, "data forgotten", who)), data.titles

        gone, titles = at(forgotten)
        _print(who, gone, titles)
        tell(STAYS)
        return Exit.FOUND if any(gone.values()) else Exit.NOTHING


def _kept_of(who: str) -> Callable[[PersonalData], Awaitable[tuple[Mapping[str, int], Mapping[str, Said]]]]:
    async def kept(data: PersonalData) -> tuple[Mapping[str, int], Mapping[str, Said]]:
        return await data.kept(who), data.titles

    return kept


def _print(who: str, kept: Mapping[str, int], titles: Mapping[str, Said]) -> None:
    for name, count in kept.items():
        if count:
            typer.echo(said_here(KEPT.filled(count=count, title=titles[name])))
    if not any(kept.values()):
        tell(NONE_KEPT.filled(who=repr(who)))
