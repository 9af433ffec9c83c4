"""``fedsearch index group``: who belongs to the groups that documents are visible to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from orchestrator.surfaces.cli.composition import BadInput
from orchestrator.surfaces.cli.failures import Exit, complain, guarded
from orchestrator.surfaces.cli.inputs import AsJson  # noqa: TC001 - typer reads it at run time
from orchestrator.surfaces.cli.running import using

if TYPE_CHECKING:
    from collections.abc import Sequence

    from connectors.local.ingest import Ingest
    from orchestrator.surfaces.cli.composition import Composition

GROUP, USER, OIDC = "group:", "user:", "oidc:"
Name = Annotated[str, typer.Argument(help="The group, with or without `group:`.", metavar="NAME", show_default=False)]
Members = Annotated[
    list[str],
    typer.Argument(
        help="All its members: user:NAME, group:NAME, or oidc:NAME for a group of the identity provider.",
        metavar="MEMBER...",
        show_default=False,
    ),
]


def add(index: typer.Typer, composition: Composition) -> None:
    """Register the commands."""
    group = typer.Typer(no_args_is_help=True, help="Groups: set, list, remove.", rich_markup_mode=None)
    index.add_typer(group, name="group")
    for register in (_add_set, _add_list, _add_remove):
        register(group, composition)


def _add_set(app: typer.Typer, composition: Composition) -> None:
    @app.command("set")
    @guarded
    def set_members(name: Name, members: Members) -> int:
        """Say who belongs to a group from now on, whoever did before."""
        group, named = _group(name), [_member(each) for each in members]
        using(composition.ingest, lambda ingest: _set(ingest, group, named))
        return Exit.FOUND


def _add_list(app: typer.Typer, composition: Composition) -> None:
    @app.command("list")
    @guarded
    def list_groups(*, as_json: AsJson = False) -> int:
        """Show every group and who belongs to it directly."""
        from orchestrator.surfaces.cli.index_view import print_groups

        found = using(composition.ingest, lambda ingest: ingest.index.groups())
        print_groups(found, as_json=as_json)
        return Exit.FOUND if found else Exit.NOTHING


def _add_remove(app: typer.Typer, composition: Composition) -> None:
    @app.command()
    @guarded
    def remove(name: Name) -> int:
        """Let nobody belong to a group; what is visible to it stays, and is seen by nobody through it."""
        group = _group(name)

        async def removed(ingest: Ingest) -> bool:
            known = group in await ingest.index.groups()
            return known and await _set(ingest, group, ())

        done = using(composition.ingest, removed)
        if not done:
            complain(f"nobody belongs to {group}; `fedsearch index group list` shows the groups")
        return Exit.FOUND if done else Exit.NOTHING


async def _set(ingest: Ingest, group: str, members: Sequence[str]) -> bool:
    await ingest.index.set_members(group, members)
    return True


def _group(name: str) -> str:
    known = name.removeprefix(GROUP).strip()
    if not known or name.startswith((USER, OIDC)):
        raise BadInput(f"{name!r} is no name of a group; write NAME or group:NAME")
    return GROUP + known


def _member(name: str) -> str:
    if not any(name.startswith(kind) and name.removeprefix(kind).strip() for kind in (GROUP, USER, OIDC)):
        raise BadInput(f"{name!r} cannot belong to a group; write user:NAME, group:NAME or oidc:NAME")
    return name
