"""``fedsearch keys``: make, list, rotate and revoke the keys of the HTTP API."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from orchestrator.documents.plain import one_line
from orchestrator.surfaces.cli.composition import BadInput
from orchestrator.surfaces.cli.failures import Exit, guarded
from orchestrator.surfaces.cli.inputs import AsJson  # noqa: TC001 - typer reads it at run time

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from orchestrator.access import ApiKey, Scope
    from orchestrator.settings import Settings
    from orchestrator.surfaces.cli.composition import Composition

Name = Annotated[str, typer.Argument(help="What the key is for.", show_default=False)]
KeyId = Annotated[str, typer.Argument(help="The key's id, as `fedsearch keys list` shows it.", show_default=False)]
Scopes = Annotated[
    list[str] | None, typer.Option("--scope", help="What it may do (default: search, sources); may be repeated.")
]
Days = Annotated[int | None, typer.Option(help="Days until it expires (default: never).", min=1, max=3650)]
Overlap = Annotated[int, typer.Option(help="Hours that the old secret still opens.", min=0, max=24 * 30)]


def add(app: typer.Typer, composition: Composition) -> None:
    """Register the commands."""
    keys = typer.Typer(no_args_is_help=True, help="API keys: create, list, rotate, revoke.", rich_markup_mode=None)
    app.add_typer(keys, name="keys")

    @keys.command()
    @guarded
    def create(name: Name, *, scope: Scopes = None, days: Days = None) -> int:
        """Make a key and print it, once."""
        ring = composition.key_ring(_settings())
        key, text = ring.create(one_line(name), _scopes(scope), timedelta(days=days) if days else None)
        typer.echo(text)
        may = ", ".join(key.scopes)
        typer.echo(f"id {key.id}, may: {may}. Keep it safe: it cannot be shown again.", err=True)
        return Exit.FOUND

    @keys.command("list")
    @guarded
    def list_keys(*, as_json: AsJson = False) -> int:
        """Show every key, without its secret."""
        settings = _settings()
        rows = [_row(key) for key in composition.key_ring(settings).all()]
        if as_json:
            from orchestrator.surfaces.cli.documents import print_json, written

            print_json({"keys": [written(row) for row in rows]})
        elif rows:
            from orchestrator.surfaces.cli.screen import headed, show

            show([headed(rows, settings.locale.timezone)])
        else:
            typer.echo("there are no keys; make one with `fedsearch keys create NAME`", err=True)
        return Exit.FOUND

    @keys.command()
    @guarded
    def rotate(key_id: KeyId, *, overlap: Overlap = 24) -> int:
        """Give a key a new secret and print it, once; the old one still opens for a while."""
        with _named():
            typer.echo(composition.key_ring(_settings()).rotate(key_id, timedelta(hours=overlap)))
        return Exit.FOUND

    @keys.command()
    @guarded
    def revoke(key_id: KeyId) -> int:
        """Let a key open nothing from now on."""
        with _named():
            composition.key_ring(_settings()).revoke(key_id)
        return Exit.FOUND


def _settings() -> Settings:
    from orchestrator.settings import load_settings

    return load_settings()


@contextmanager
def _named() -> Iterator[None]:
    """An id that no key has is a slip of the hand, not a fault."""
    from orchestrator.access import NoSuchKey

    try:
        yield
    except NoSuchKey as failure:
        raise BadInput(str(failure.args[0])) from None


def _scopes(typed: list[str] | None) -> list[Scope]:
    from orchestrator.access import SCOPES, Scope

    unknown = [each for each in typed or () if each not in SCOPES]
    if unknown:
        raise BadInput(f"--scope {unknown[0]!r} is none; there are: {', '.join(SCOPES)}")
    return [Scope(each) for each in typed or (Scope.SEARCH, Scope.SOURCES)]


def _row(key: ApiKey) -> dict[str, str | datetime | None]:
    return {
        "id": key.id,
        "name": key.name,
        "scopes": ", ".join(key.scopes),
        "created": key.created,
        "expires": key.expires,
    }
