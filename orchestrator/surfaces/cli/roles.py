"""``fedsearch roles``: what people may whom an identity provider or a proxy signs in; what the holders of keys may, stands with their keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from orchestrator.surfaces.cli.composition import BadInput
from orchestrator.surfaces.cli.failures import Exit, complain, guarded
from orchestrator.surfaces.cli.inputs import AsJson  # noqa: TC001 - typer reads it at run time
from orchestrator.surfaces.cli.keys import Scopes, load, scopes_named
from translators.said import Said

if TYPE_CHECKING:
    from orchestrator.access import Grantee
    from orchestrator.settings import Settings
    from orchestrator.surfaces.cli.composition import Composition
    from orchestrator.surfaces.cli.documents import ListedRow

Who = Annotated[
    str,
    typer.Argument(
        help="person:ADDRESS or person:ID, group:NAME as the identity provider calls it, or everybody.",
        show_default=False,
    ),
]
NOBODY = Said(
    "nobody may open /admin; let somebody: `fedsearch roles give person:ADDRESS --scope admin`, or `fedsearch keys create NAME --scope admin`"
)


NO_ROLE = Said("nobody signs in but by keys, and nothing was given to anybody")
NOT_YET = Said("this counts once people sign in by an identity provider or a proxy (docs/how-to/sign-people-in.md)")
NOBODY_YET = Said(
    "nobody may open /admin; until people sign in, a key opens it: `fedsearch keys create NAME --scope admin`"
)


def add(app: typer.Typer, composition: Composition) -> None:
    """Register the commands."""
    roles = typer.Typer(
        no_args_is_help=True, help="What people may who sign in: give, list, take.", rich_markup_mode=None
    )
    app.add_typer(roles, name="roles")

    @roles.command()
    @guarded
    def give(who: Who, *, scope: Scopes = None) -> int:
        """Let somebody do this, besides what settings let them and in place of what was given to them before."""
        from orchestrator.access import role_id

        settings, (grantee, name), scopes = load(), _who(who), scopes_named(scope)
        composition.noted(settings, "role given", f"{role_id(grantee, name)} ({', '.join(scopes)})")
        composition.role_book(settings).give(grantee, name, scopes, "command line")
        if not composition.settled_roles(settings):
            complain(NOT_YET)
        _warn(composition, settings)
        return Exit.FOUND

    @roles.command("list")
    @guarded
    def list_roles(*, as_json: AsJson = False) -> int:
        """Show who may what: what was given here, and what settings say."""
        from orchestrator.surfaces.cli.documents import print_rows

        settings = load()
        rows = _rows(composition, settings)
        print_rows("roles", rows, settings.locale.timezone, as_json=as_json, empty=NO_ROLE)
        return Exit.FOUND

    @roles.command()
    @guarded
    def take(who: Who) -> int:
        """Take away what was given to somebody; what settings say stays."""
        from orchestrator.access import NoSuchRole, role_id

        settings, wanted = load(), role_id(*_who(who))
        book = composition.role_book(settings)
        known = [each.id for each in book.all()]
        if wanted not in known:
            raise BadInput(
                Said("nothing was given to {who}; to: {known}").filled(
                    who=repr(who), known=", ".join(known) or "nobody"
                )
            )
        composition.noted(settings, "role taken", wanted)
        try:
            book.take(wanted)
        except NoSuchRole:  # somebody else was quicker
            return Exit.NOTHING
        _warn(composition, settings)
        return Exit.FOUND


def _who(typed: str) -> tuple[Grantee, str]:
    from orchestrator.access import Grantee, holder_name

    kind, _, name = typed.partition(":")
    try:
        return Grantee(kind), holder_name(Grantee(kind), name)
    except ValueError:
        raise BadInput(
            Said("{typed} is nobody; say person:ADDRESS, person:ID, group:NAME or everybody").filled(typed=repr(typed))
        ) from None


def _rows(composition: Composition, settings: Settings) -> list[ListedRow]:
    given: list[ListedRow] = [
        {"who": each.id, "scopes": ", ".join(each.scopes), "from": each.by, "given": each.given}
        for each in composition.role_book(settings).all()
    ]
    return given + [
        {"who": each.id, "scopes": ", ".join(each.scopes), "from": f"settings: {each.setting}", "given": None}
        for each in composition.settled_roles(settings)
    ]


def _warn(composition: Composition, settings: Settings) -> None:
    """Whoever has the machine can always let somebody in again, so nothing is refused here."""
    if is_nobodys(composition, settings):
        complain(NOBODY if composition.settled_roles(settings) else NOBODY_YET)


def is_nobodys(composition: Composition, settings: Settings) -> bool:
    """Whether neither a key that opens nor, of those who sign in, a role or a setting lets anybody administer this."""
    from datetime import UTC, datetime

    from orchestrator.access import Scope

    now, settled = datetime.now(UTC), composition.settled_roles(settings)
    given = [each.scopes for each in composition.key_ring(settings).all() if each.live(now)]
    if settled:  # else nobody signs in who could have a role
        given += [each.scopes for each in settled]
        given += [each.scopes for each in composition.role_book(settings).all()]
    return not any(Scope.ADMIN in scopes for scopes in given)
