"""``fedsearch digest add`` and ``remove``: definitions that are kept in the database, for anybody, by whoever runs this."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from orchestrator.surfaces.cli.composition import BadInput
from orchestrator.surfaces.cli.failures import Exit, guarded
from orchestrator.surfaces.cli.running import note, using

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from orchestrator.digests import Maker
    from orchestrator.digests.service import DigestService
    from orchestrator.surfaces.cli.composition import Composition

Name = Annotated[str, typer.Argument(help="What it is called.", show_default=False)]
Person = Annotated[
    str, typer.Option(help="The principal with whose rights it is read, and whose it is.", metavar="PRINCIPAL")
]
Told = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        help="A setting of it, as in a settings file: schedule='0 9 * * 1'; lists by commas.",
        metavar="KEY=VALUE",
    ),
]
Question = Annotated[str, typer.Option(help="Make it a saved search that asks this.", metavar="TEXT")]
SIGNED = ("http://", "https://")


def add(app: typer.Typer, composition: Composition) -> None:
    """Register the commands."""

    @app.command("add")
    @guarded
    def add_one(name: Name, *, person: Person = "local", told: Told = None, question: Question = "") -> int:
        """Define a digest or saved search in the database, where every worker and server sees it without a restart."""
        said = dict(map(_pair, told or ()))
        if question:
            said["question"] = question
        if any(each.strip().startswith(SIGNED) for each in said.get("deliver", "").split(",")):
            said["secret"] = typer.prompt("secret that signs the webhook", hide_input=True, err=True)
        kind = "search" if question else "digest"
        maker = _maker(person, said, partial(note, composition, "digest defined", f"{name} ({person})"))
        return _done(composition, lambda service: service.defining.create(maker, name, kind, said))

    @app.command("remove")
    @guarded
    def remove_one(name: Name, *, person: Person = "local") -> int:
        """Remove a definition that the database has, with all that was kept of its runs."""
        maker = _maker(person, {}, partial(note, composition, "digest removed", f"{name} ({person})"))
        return _done(composition, lambda service: service.defining.remove(maker, name))


def _done(composition: Composition, change: Callable[[DigestService], Awaitable[str]]) -> int:
    async def changed(service: DigestService) -> str:
        from orchestrator.digests import NotDefined

        try:
            return await change(service)
        except NotDefined as failure:
            raise BadInput(str(failure)) from None

    typer.echo(using(composition.digests, changed))
    return Exit.FOUND


def _maker(person: str, said: dict[str, str], noted: Callable[[], Awaitable[None]]) -> Maker:
    from orchestrator.digests import Maker
    from orchestrator.model import Principal

    return Maker(Principal(person, said.pop("name", ""), said.pop("email", "")), rules=False, noted=noted)


def _pair(typed: str) -> tuple[str, str]:
    key, equals, value = typed.partition("=")
    if not equals or key in {"secret", "person"}:
        raise BadInput(f"--set {key}: write KEY=VALUE; a person is --person, a secret is asked for")
    return key.strip(), value.strip()
