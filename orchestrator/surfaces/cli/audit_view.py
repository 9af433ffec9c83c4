"""The audit log as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from orchestrator.model import Status
from orchestrator.surfaces.cli.receipt_view import status_colour
from orchestrator.surfaces.cli.screen import QUIET, STRONG, WARN, Clipped, columns, joined, styled

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import tzinfo

    from rich.console import RenderableType

    from orchestrator.surfaces.cli.audit_entries import AuditedSource, AuditEntry

LINES = 3  # of a question that is longer; `--json` shows all of it
STATUSES = frozenset(Status)


def audit_view(entries: Sequence[AuditEntry], zone: tzinfo | None) -> RenderableType:
    """A row an entry, times in ``zone`` (``None``: this machine's own). Questions have a column where one was kept."""
    worded = any(entry.question is not None for entry in entries)
    return columns(_rows(entries, zone, worded=worded))


def _rows(entries: Sequence[AuditEntry], zone: tzinfo | None, *, worded: bool) -> Iterator[Sequence[RenderableType]]:
    heads = ("time", "principal", "type", "source requests / returned", "results", "took")
    yield tuple(styled(head, QUIET) for head in (*heads, "question") if worded or head != "question")
    for entry in entries:
        row = (
            styled(f"{entry.at.astimezone(zone):%Y-%m-%d %H:%M:%S}"),
            styled(entry.principal, STRONG),
            styled(entry.action, WARN) if entry.action else styled(entry.type),
            Text("\n").join(_sources(entry)),
            styled("" if entry.results is None else f"{entry.results:,}"),
            styled("" if entry.took is None else f"{entry.took:.2f} s", QUIET),
        )
        question = Clipped(styled(entry.question or ""), max(LINES, len(entry.sources)))
        yield (*row, question) if worded else row


def _sources(entry: AuditEntry) -> Iterator[Text]:
    if entry.source:
        yield styled(entry.source)
    for name, asked in entry.sources.items():
        yield joined([styled(name), _status(asked), styled(f"{asked.requests}/{asked.returned}", QUIET)], " ")


def _status(asked: AuditedSource) -> Text:
    # A later version's log may hold a status that this one does not know.
    return styled(asked.status, status_colour(Status(asked.status)) if asked.status in STATUSES else "")
