"""What became of files: how far it has come, and in the end what was put in and what was skipped, with the reason."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from connectors.local.ingest.drafts import Reason
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_SKIPPED = 1000  # members of one archive that are named one by one


@record
class SkippedFile:
    """A file, or what is behind ``!/`` in one, that is not in the index. ``detail`` says what to do, where anything helps."""

    path: str
    reason: Reason
    detail: str


@record
class IngestProgress:
    """How far it has come: ``done`` of ``files``, the one that was finished last, documents so far."""

    done: int
    files: int
    file: str
    documents: int


@dataclass(slots=True)
class IngestReport:
    """A run over one collection. Files first, then documents.

    Each of ``files`` is ``read`` now, the ``same`` as before, or ``left_out``: nothing of it is in the index, now or as
    before, or it could not be read and is as it was. ``skipped`` names these, and parts of others.
    """

    name: str
    files: int = 0
    same: int = 0
    read: int = 0
    left_out: int = 0
    gone: int = 0
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    removed: int = 0
    skipped: list[SkippedFile] = field(default_factory=list)

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> Self:
        """What :func:`dataclasses.asdict` made of one, after it was kept as JSON."""
        skipped = [SkippedFile(each["path"], Reason(each["reason"]), each["detail"]) for each in told["skipped"]]
        return cls(**{**told, "skipped": skipped})

    @property
    def reasons(self) -> dict[str, int]:
        """How many were skipped for each reason, the most frequent first."""
        counts: dict[str, int] = {}
        for each in self.skipped:
            counts[str(each.reason)] = counts.get(str(each.reason), 0) + 1
        return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
