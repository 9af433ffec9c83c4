"""``fedsearch keys``: make, list, rotate and revoke the keys of the HTTP API."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from orchestrator.documents.plain import one_line
from orchestrator.surfaces.cli.composition import BadInput
from orchestrator.surfaces.cli.failures import Exit, guarded, tell
from orchestrator.surfaces.cli.inputs import AsJson  # noqa: TC001 - typer reads it at run time
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from orchestrator.access import ApiKey, KeyRing, Scope
    from orchestrator.settings import Settings
    from orchestrator.surfaces.cli.composition import Composition
    from orchestrator.surfaces.cli.documents import ListedRow

Name = Annotated[str, typer.Argument(help="What the key is for.", show_default=False)]
KeyId = Annotated[str, typer.Argument(help="The key's id, as `fedsearch keys list` shows it.", show_default=False)]
Scopes = Annotated[
    list[str] | None, typer.Option("--scope", help="What it may do (default: search, sources); may be repeated.")
]
Days = Annotated[int | None, typer.Option(help="Days until it expires (default: never).", min=1, max=3650)]
Overlap = Annotated[int, typer.Option(help="Hours that the old secret still opens.", min=0, max=24 * 30)]
KEEP = Said("Keep it safe: it cannot be shown again.")
MADE = Said("id {id}, may: {scopes}. {keep}")
ROTATED = Said("The old secret opens for {hours} more hours. {keep}")
ROTATED_AT_ONCE = Said("The old secret opens nothing any more. {keep}")
REVOKED = Said("It opens nothing any more. What is kept for its holder goes by `fedsearch people forget key:{id}`.")


def add(app: typer.Typer, composition: Composition) -> None:
    """Register the commands."""
    keys = typer.Typer(no_args_is_help=True, help="API keys: create, list, rotate, revoke.", rich_markup_mode=None)
    app.add_typer(keys, name="keys")

    @keys.command()
    @guarded
    def create(name: Name, *, scope: Scopes = None, days: Days = None) -> int:
        """Make a key and print it, once."""
        settings, scopes = load(), scopes_named(scope)
        composition.noted(settings, "key made", f"{one_line(name)} ({', '.join(scopes)})")
        lasting = timedelta(days=days) if days else None
        key, text = composition.key_ring(settings).create(one_line(name), scopes, lasting)
        typer.echo(text)
        tell(MADE.filled(id=key.id, scopes=", ".join(key.scopes), keep=KEEP))
        return Exit.FOUND

    @keys.command("list")
    @guarded
    def list_keys(*, as_json: AsJson = False) -> int:
        """Show every key, without its secret."""
        from orchestrator.access import NO_KEY
        from orchestrator.surfaces.cli.documents import print_rows

        settings = load()
        rows = [_row(key) for key in composition.key_ring(settings).all()]
        if not as_json and not any(row["old_until"] for row in rows):
            rows = [{name: told for name, told in row.items() if name != "old_until"} for row in rows]
        print_rows("keys", rows, settings.locale.timezone, as_json=as_json, empty=NO_KEY)
        return Exit.FOUND

    @keys.command()
    @guarded
    def rotate(key_id: KeyId, *, overlap: Overlap = 24) -> int:
        """Give a key a new secret and print it, once; the old one still opens for a while."""
        with _changing(composition, "key rotated", key_id) as ring:
            typer.echo(ring.rotate(key_id, timedelta(hours=overlap)))
        tell(ROTATED.filled(hours=overlap, keep=KEEP) if overlap else ROTATED_AT_ONCE.filled(keep=KEEP))
        return Exit.FOUND

    @keys.command()
    @guarded
    def revoke(key_id: KeyId) -> int:
        """Let a key open nothing from now on."""
        with _changing(composition, "key revoked", key_id) as ring:
            ring.revoke(key_id)
        tell(REVOKED.filled(id=key_id))
        return Exit.FOUND


def load() -> Settings:
    """The settings of this installation."""
    from orchestrator.settings import load_settings

    return load_settings()


@contextmanager
def _changing(composition: Composition, action: str, key_id: str) -> Iterator[KeyRing]:
    """The keys, after it is written down what is done to one. An id that none has is a slip of the hand, not a fault."""
    from orchestrator.access import NoSuchKey

    settings = load()
    ring = composition.key_ring(settings)
    try:
        composition.noted(settings, action, f"{ring.known(key_id).name} ({key_id})")
        yield ring
    except NoSuchKey as failure:
        raise BadInput(failure.args[0]) from None


def scopes_named(typed: list[str] | None) -> list[Scope]:
    """What was asked for by ``--scope``. Raises :class:`BadInput`."""
    from orchestrator.access import SCOPES, Scope

    unknown = [each for each in typed or () if each not in SCOPES]
    if unknown:
        raise BadInput(
            Said("--scope {unknown} is none; there are: {scopes}").filled(
                unknown=repr(unknown[0]), scopes=", ".join(SCOPES)
            )
        )
    return [Scope(each) for each in typed or (Scope.SEARCH, Scope.SOURCES)]


def _row(key: ApiKey) -> ListedRow:
    return {
        "id": key.id,
        "name": key.name,
        "scopes": ", ".join(key.scopes),
        "created": key.created,
        "expires": key.expires,
        "old_until": key.overlap(datetime.now(UTC)),
    }
