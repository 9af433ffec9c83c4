"""What readers of files make: a document in sections, before it has a place in the index."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from typing import TYPE_CHECKING

from translators.query import Container, Kind, Person, State
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from connectors.contract import Fact
    from connectors.passages import DocumentSection


class Reason(StrEnum):
    """Why a file is not in the index, or not all of it."""

    BROKEN = "broken"
    PASSWORD = "password"  # noqa: S105 — the name of a reason
    TOO_BIG = "too_big"
    TOO_SLOW = "too_slow"
    UNREADABLE = "unreadable"
    UNSAFE = "unsafe"
    WRONG_TYPE = "wrong_type"
    EMPTY = "empty"
    PARTLY = "partly"  # it is there, but for what the detail says


class Skip(Exception):
    """A file, or a member of an archive, that cannot be read; the rest goes on. ``detail`` is for people."""

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(reason, detail)  # both, so that it can be sent between processes
        self.reason = reason
        self.detail = detail


@record
class DocumentDraft:
    """A document as its file tells it. ``key`` names it within the file; empty where the file is the document.

    ``lost``: what of the file is not in it, and what to do, for people. ``description`` and ``examples``: what it says it is for, and questions that it says it answers. ``readers``: who may see it, where the file says that not everybody may (members of a private channel).
    """

    title: str
    sections: tuple[DocumentSection, ...]
    key: str = ""
    kind: Kind = Kind.FILE
    url: str = ""
    author: Person | None = None
    assignee: Person | None = None
    container: Container | None = None
    state: State | None = None
    created: datetime | None = None
    updated: datetime | None = None
    readers: tuple[str, ...] | None = None
    description: str = ""
    examples: tuple[str, ...] = ()
    lost: str = ""
    facts: Mapping[str, Fact] = field(default_factory=dict)  # goes between processes, which NO_FACTS cannot


@record
class IngestLimits:
    """What is too much. Sizes in bytes, times in seconds.

    ``document``: a file that is read whole. ``container``: a mailbox or an archive. ``unpacked``: all that comes out of
    an archive, ``ratio`` times its packed size at most. ``depth``: archives within archives. ``memory``: of the
    process that reads documents.
    """

    document: int = 64 << 20
    container: int = 2 << 30
    unpacked: int = 8 << 30
    members: int = 1_000_000
    ratio: float = 200.0
    depth: int = 3
    seconds: float = 60.0
    memory: int = 2 << 30
    characters: int = 5_000_000


DEFAULT_LIMITS = IngestLimits()
