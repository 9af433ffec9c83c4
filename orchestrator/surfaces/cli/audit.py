"""``fedsearch audit``: who asked what of which source, when, and how much came back; and what was changed here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from orchestrator.surfaces.cli.composition import BadInput
from orchestrator.surfaces.cli.failures import Exit, complain, guarded
from translators.said import Said

if TYPE_CHECKING:
    from datetime import tzinfo
    from pathlib import Path

    from orchestrator.settings import Settings
    from orchestrator.surfaces.cli.audit_view import AuditExtract, AuditFilter

MOST = 100_000  # entries that are held at once
UNSET = Said(
    "no audit log is kept: set server.audit to a file, in the settings or as FEDSEARCH_SERVER__AUDIT, "
    "and start the server again"
)
CHANGES = Said("no questions are noted, since server.audit names no file; shown is what was changed here")

Last = Annotated[int, typer.Option("--last", "-n", help="How many of the newest.", min=1, max=MOST)]
Whose = Annotated[str | None, typer.Option("--principal", help="Only what this one asked.", metavar="WHOSE")]
Source = Annotated[str | None, typer.Option("--source", "-s", help="Only where this source was asked.", metavar="NAME")]
Since = Annotated[
    str | None,
    typer.Option("--since", help="Only from then on: a day or a moment, e.g. 2026-11-20.", metavar="ISO-8601"),
]
AsLines = Annotated[bool, typer.Option("--json", help="The lines as they are, and nothing else on standard output.")]


def add(app: typer.Typer) -> None:
    """Register the command."""

    @app.command()
    @guarded
    def audit(
        *,
        last: Last = 50,
        principal: Whose = None,
        source: Source = None,
        since: Since = None,
        as_json: AsLines = False,
    ) -> int:
        """Show the audit log as a table, the newest last; where none is kept, what was changed here. Asks no source."""
        from orchestrator.settings import load_settings
        from orchestrator.surfaces.cli.audit_view import AuditFilter
        from orchestrator.surfaces.cli.inputs import read_moment

        settings = load_settings()
        zone = settings.locale.timezone
        begin = read_moment("--since", since, zone) if since is not None else None
        path = _file(settings)
        found = _found(path, AuditFilter(last, principal, source, begin))
        _print(found, zone, as_json=as_json)
        if found.broken:
            lines = "1 line" if found.broken == 1 else f"{found.broken:,} lines"
            complain(Said("left out {lines} of {path} that cannot be read").filled(lines=lines, path=path))
        if not found.entries:
            complain(Said("nothing of that kind stands in {path}").filled(path=path))
        return Exit.FOUND if found.entries else Exit.NOTHING


def _file(settings: Settings) -> Path:
    """The audit log; where none is kept, what was changed all the same."""
    if settings.server.audit_file is None:
        if not settings.changes_file.exists():
            raise BadInput(UNSET)
        complain(CHANGES)
    return settings.changes_file


def _found(path: Path, wanted: AuditFilter) -> AuditExtract:
    from orchestrator.surfaces.cli.audit_view import AuditExtract, newest

    try:
        if not path.exists():  # it is made with the first question
            return AuditExtract((), 0)
        if not path.is_file():
            raise BadInput(f"server.audit: {path} is no file; set it to one")
        return newest(path, wanted)
    except OSError as failure:
        raise BadInput(
            f"{path} cannot be read: {failure.strerror}; only its owner may, whom the server runs as"
        ) from None


def _print(found: AuditExtract, zone: tzinfo | None, *, as_json: bool) -> None:
    if as_json:
        from orchestrator.surfaces.cli.documents import print_json

        for entry in found.entries:
            print_json(entry.line, indent=None)
    elif found.entries:
        from orchestrator.surfaces.cli.audit_view import audit_view
        from orchestrator.surfaces.cli.screen import show

        show([audit_view(found.entries, zone)])
