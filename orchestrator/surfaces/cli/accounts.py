"""``fedsearch accounts``: the accounts that people have connected: whose, sealed with which key, withdrawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from orchestrator.surfaces.cli.composition import BadInput
from orchestrator.surfaces.cli.failures import Exit, complain, guarded, said_here
from orchestrator.surfaces.cli.inputs import AsJson  # noqa: TC001 - typer reads it at run time
from orchestrator.surfaces.cli.keys import load
from orchestrator.surfaces.cli.running import note, using
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from orchestrator.access import ConnectedAccount, Connecting
    from orchestrator.surfaces.cli.composition import Composition
    from orchestrator.surfaces.cli.documents import ListedRow

    ResultT = TypeVar("ResultT")

Whose = Annotated[str, typer.Argument(help="Whose, as `fedsearch accounts list` shows it.", show_default=False)]
Only = Annotated[str | None, typer.Option("--source", "-s", help="Only this source (default: all of them).")]
NOBODY = Said("nobody has connected an account")
SEALED = Said("{done} accounts sealed anew")
ENDED = Said("ended at the vendor too")
FORGOTTEN = Said("forgotten here; to be ended there by hand")


def add(app: typer.Typer, composition: Composition) -> None:
    """Register the commands."""
    accounts = typer.Typer(
        no_args_is_help=True, help="People's own accounts: list, revoke, keys.", rich_markup_mode=None
    )
    app.add_typer(accounts, name="accounts")

    def at(work: Callable[[Connecting], Awaitable[ResultT]]) -> ResultT:
        return using(composition.accounts, work)

    _add_document(accounts, at)

    @accounts.command()
    @guarded
    def key() -> int:
        """Make a key for accounts.secret and print it; nothing is kept here."""
        from orchestrator.access import new_key

        typer.echo(new_key())
        return Exit.FOUND

    @accounts.command("list")
    @guarded
    def list_accounts(*, as_json: AsJson = False) -> int:
        """Show who has connected what, without what was allowed."""
        from orchestrator.surfaces.cli.documents import print_rows

        rows = [_row(each) for each in at(lambda accounts: accounts.vault.listed())]
        zone = load().locale.timezone
        print_rows("accounts", rows, zone, as_json=as_json, empty=NOBODY)
        return Exit.FOUND

    @accounts.command()
    @guarded
    def revoke(principal: Whose, *, source: Only = None) -> int:
        """Forget somebody's accounts, and end at the vendors what they allowed."""

        async def noted(sources: Sequence[str]) -> None:
            await note(composition, "accounts revoked", f"{principal} ({', '.join(sources)})")

        ended = at(lambda accounts: accounts.forget(principal, source, noted))
        if not ended:
            raise BadInput(
                Said("{principal} has no such account; `fedsearch accounts list` shows which there are").filled(
                    principal=repr(principal)
                )
            )
        for name, withdrawn in ended.items():
            typer.echo(f"{name}: {said_here(ENDED if withdrawn else FORGOTTEN)}")
        return Exit.FOUND

    @accounts.command()
    @guarded
    def reencrypt() -> int:
        """Seal everything with the newest key of accounts.secret, so that older ones can be taken away."""
        done, broken = at(lambda accounts: accounts.vault.seal_again())
        typer.echo(said_here(SEALED.filled(done=done)))
        if broken:
            complain(
                Said("{broken} could not be opened with any key of accounts.secret; keep the older keys").filled(
                    broken=broken
                )
            )
        return Exit.NOTHING if broken else Exit.FOUND


def _add_document(accounts: typer.Typer, at: Callable[..., Any]) -> None:
    async def told(accounts: Connecting) -> Mapping[str, Any] | None:
        return accounts.document

    @accounts.command()
    @guarded
    def document() -> int:
        """Print who we are for vendors that read it, to be published at accounts.client_document."""
        from orchestrator.surfaces.cli.documents import print_json

        if (found := at(told)) is None:
            raise BadInput(Said("set accounts.client_document to where it is to be read, and accounts.address"))
        print_json(found)
        return Exit.FOUND


def _row(account: ConnectedAccount) -> ListedRow:
    return {
        "principal": account.principal,
        "source": account.source,
        "connected": account.connected,
        "renewed": account.renewed,
    }
