"""The audit log, read from its end, and as a table. :mod:`orchestrator.access.audit` writes it."""

from __future__ import annotations

import json
from dataclasses import field
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, ValidationError
from rich.text import Text

from orchestrator.access import newest_first
from orchestrator.model import Status
from orchestrator.surfaces.cli.answer_view import status_colour
from orchestrator.surfaces.cli.inputs import FIRST_YEAR, LAST_YEAR
from orchestrator.surfaces.cli.screen import QUIET, STRONG, WARN, Clipped, columns, joined, styled
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime, tzinfo
    from pathlib import Path

    from rich.console import RenderableType

LINES = 3  # of a question that is longer; `--json` shows all of it
STATUSES = frozenset(Status)


def _reckonable(moment: AwareDatetime) -> AwareDatetime:
    if not FIRST_YEAR <= moment.year <= LAST_YEAR:
        raise ValueError("the moment cannot be shown in another zone")
    return moment


Count = Annotated[int, Field(ge=0, lt=2**53)]


class AuditedSource(BaseModel):
    """What became of one source."""

    model_config = ConfigDict(frozen=True)

    status: str
    requests: Count
    returned: Count


class AuditEntry(BaseModel):
    """An answered question; or what somebody did with an account at ``source``, which ``action`` names.

    ``took`` in seconds; ``question`` only where the words are kept; ``line`` is the JSON object as it was written.
    """

    model_config = ConfigDict(frozen=True)

    at: Annotated[AwareDatetime, AfterValidator(_reckonable)]
    principal: str
    type: str = ""
    results: Count | None = None
    took: float | None = None
    question: str | None = None
    sources: dict[str, AuditedSource] = {}
    action: str = ""
    source: str = ""
    line: dict[str, Any] = Field(exclude=True)


@record
class AuditFilter:
    """Which entries: the newest ``last`` of those that ``principal`` made, of ``source``, from ``since`` on."""

    last: int
    principal: str | None = None
    source: str | None = None
    since: datetime | None = None

    def takes(self, entry: AuditEntry) -> bool:
        """Whether it is one of them."""
        return (
            (self.principal is None or entry.principal == self.principal)
            and (self.source is None or self.source in entry.sources or self.source == entry.source)
            and (self.since is None or entry.at >= self.since)
        )


@record
class AuditExtract:
    """The entries, the newest last; ``broken``: how many lines on the way to them could not be read."""

    entries: tuple[AuditEntry, ...] = field(repr=False)
    broken: int


def newest(path: Path, wanted: AuditFilter) -> AuditExtract:
    """What is wanted of the file, read from its end until there is enough. Raises ``OSError``.

    It is not read only until the first entry before ``since``: who asked as if at another moment stands under that one,
    so that times do not only grow.
    """
    entries: list[AuditEntry] = []
    broken = 0
    for line in newest_first(path):
        if line is not None and not line.strip():
            continue
        entry = read_entry(line) if line is not None else None
        if entry is None:
            broken += 1
        elif wanted.takes(entry):
            entries.append(entry)
            if len(entries) == wanted.last:
                break
    return AuditExtract(tuple(reversed(entries)), broken)


def read_entry(line: bytes) -> AuditEntry | None:
    """The entry of a line; ``None`` where it holds none, such as one whose writer was killed half-way."""
    try:
        document = json.loads(line.decode("utf-8"))
        return AuditEntry.model_validate({**document, "line": document}) if isinstance(document, dict) else None
    except (ValidationError, ValueError, RecursionError):
        return None


def audit_view(entries: Sequence[AuditEntry], zone: tzinfo | None) -> RenderableType:
    """A row an entry, times in ``zone`` (``None``: this machine's own). Questions have a column where one was kept."""
    worded = any(entry.question is not None for entry in entries)
    return columns(_rows(entries, zone, worded=worded))


def _rows(entries: Sequence[AuditEntry], zone: tzinfo | None, *, worded: bool) -> Iterator[Sequence[RenderableType]]:
    heads = ("time", "principal", "type", "source requests / returned", "results", "took")
    from orchestrator.surfaces.cli.words import heading

    yield tuple(styled(heading(head), QUIET) for head in (*heads, "question") if worded or head != "question")
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
