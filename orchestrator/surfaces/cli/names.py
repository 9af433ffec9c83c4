"""``fedsearch names``: what else things are called, as sources taught it: list, add, forget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from orchestrator.surfaces.cli.composition import BadInput
from orchestrator.surfaces.cli.failures import Exit, guarded, said_here
from orchestrator.surfaces.cli.inputs import AsJson  # noqa: TC001 - typer reads it at run time
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from orchestrator.aliases import Alias, AliasRepository
    from orchestrator.surfaces.cli.documents import ListedRow

T = TypeVar("T")
NO_NAME = Said("nothing is known yet; questions teach it, or `fedsearch names add NAME OTHER`")
KNOWN = Said("that is known already")
UNKNOWN = Said("that was not known; it will not be learnt either")
OURS = "local"  # whoever asks at this command line

Name = Annotated[str, typer.Argument(help="A name as people use it.", show_default=False)]
Other = Annotated[str, typer.Argument(help="What the same thing is called besides.", show_default=False)]
Whose = Annotated[
    str, typer.Option("--principal", help="Whose: an id as the audit log shows it.", metavar="WHOSE", show_default=OURS)
]


def add(app: typer.Typer) -> None:
    """Register the commands."""
    names = typer.Typer(
        no_args_is_help=True, help="Other names of things: list what was learnt, add, forget.", rich_markup_mode=None
    )
    app.add_typer(names, name="names")

    @names.command("list")
    @guarded
    def list_names(*, principal: Whose = OURS, as_json: AsJson = False) -> int:
        """Show what else things are called, and which result said so."""
        from orchestrator.surfaces.cli.documents import print_rows

        known, said_in = _run(_repository().of(principal)), "said_in" if as_json else "said in"
        rows: list[ListedRow] = [
            {"name": each.name, "other": each.other, "source": each.source, said_in: each.title, "url": each.url}
            for each in known
        ]
        print_rows("names", rows, as_json=as_json, empty=NO_NAME)
        return Exit.FOUND if rows else Exit.NOTHING

    @names.command("add")
    @guarded
    def add_name(name: Name, other: Other, *, principal: Whose = OURS) -> int:
        """Say that two names mean one thing: each is then searched for beside the other."""
        alias = _alias(name, other)
        repository = _repository()
        fresh = _run(repository.learn(principal, [alias], by_hand=True))
        typer.echo(f"{alias.name} = {alias.other}" if fresh else said_here(KNOWN), err=not fresh)
        return Exit.FOUND

    @names.command()
    @guarded
    def forget(name: Name, other: Other, *, principal: Whose = OURS) -> int:
        """Take a pair back; it is not learnt again."""
        alias, repository = _alias(name, other), _repository()
        known = any(each.key == alias.key for each in _run(repository.of(principal)))
        _run(repository.forget(principal, alias))
        if not known:
            typer.echo(said_here(UNKNOWN), err=True)
        return Exit.FOUND


def _alias(name: str, other: str) -> Alias:
    from orchestrator.aliases import Alias
    from orchestrator.documents.plain import one_line

    alias = Alias(one_line(name).strip(), one_line(other).strip())
    if not alias.name or not alias.other or len(alias.key) == 1:
        raise BadInput(Said("two different names are needed, for example: fedsearch names add Moru Nabi"))
    return alias


def _run(work: Coroutine[Any, Any, T]) -> T:
    """Imported here, since `--help` has no use for it."""
    import asyncio

    return asyncio.run(work)


def _repository() -> AliasRepository:
    from orchestrator.aliases import AliasRepository
    from orchestrator.settings import load_settings

    return AliasRepository.in_folder(load_settings().storage.path)
