"""``fedsearch secrets``: how each secret of the secrets directory is kept, and those in plain files sealed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from orchestrator.surfaces.cli.failures import Exit, complain, guarded, said_here
from orchestrator.surfaces.cli.init import InKeyring  # noqa: TC001 - typer reads it at run time
from orchestrator.surfaces.cli.inputs import AsJson  # noqa: TC001 - typer reads it at run time
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Iterable

    from orchestrator.settings import KeptSecret
    from orchestrator.surfaces.cli.documents import ListedRow

HOW = {
    "plain": Said("as it is"),
    "sealed": Said("sealed; the key is {key}"),
    "open": Said("sealed; the key is {key}, which others may be able to read, or is not there"),
    "keyring": Said("in the system's keyring"),
}
NO_SECRET = Said("there are none; `fedsearch init` asks for what a source needs")
NOTHING_TO_DO = Said("nothing to do: none lies in a plain file, or is sealed with an older key")


def add(app: typer.Typer) -> None:
    """Register the commands."""
    secrets = typer.Typer(
        no_args_is_help=True, help="Secrets in the secrets directory: list, seal.", rich_markup_mode=None
    )
    app.add_typer(secrets, name="secrets")

    @secrets.command("list")
    @guarded
    def list_secrets(*, as_json: AsJson = False) -> int:
        """Show which secrets there are and how each is kept, without what they are."""
        from orchestrator.settings import kept_secrets
        from orchestrator.surfaces.cli.documents import print_rows

        print_rows("secrets", list(map(_row, kept_secrets())), as_json=as_json, empty=NO_SECRET)
        return Exit.FOUND

    @secrets.command()
    @guarded
    def seal(*, keyring: InKeyring = None) -> int:
        """Seal what lies in plain files, or was sealed with an older key; the plain files go."""
        from orchestrator.settings import seal_kept

        done, failed = seal_kept(in_keyring=keyring)
        _tell(done)
        for each in failed:
            complain(each)
        return Exit.NOTHING if failed else Exit.FOUND


def _tell(done: Iterable[KeptSecret]) -> None:
    rows = [f"{each.setting}: {said_here(_how(each))}" for each in done]
    typer.echo("\n".join(rows) if rows else said_here(NOTHING_TO_DO))


def _row(kept: KeptSecret) -> ListedRow:
    return {"setting": kept.setting, "kept": _how(kept), "file": str(kept.file)}


def _how(kept: KeptSecret) -> Said:
    return HOW[kept.how].filled(key=kept.key.path)
