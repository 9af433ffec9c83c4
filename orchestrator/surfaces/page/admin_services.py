"""What the pages for whoever runs the server stand on, put together by the composition root."""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from starlette.requests import Request

    from orchestrator.access import (
        AuditedAction,
        Caller,
        ConnectedAccount,
        KeyRing,
        RoleBook,
        SettledRole,
        UsageFigures,
    )
    from orchestrator.documents.sources import SourceStates
    from orchestrator.learning import Reaction


@record
class AdminServices:
    """``usage``, ``feedback`` and ``changes`` read disks, and raise ``OSError``; ``accounts`` asks the database, and raises :class:`SourceError`.

    ``keys``: none where everybody is let in. ``roles``: what people may besides what is ``settled``. ``sources``: as everybody is shown them. ``counts``: whether use is counted; ``keeps_words``:
    whether with the words of questions that found no answer. ``noted`` writes down by whom what is about to be done to what, and raises where it cannot.
    """

    usage: Callable[[], UsageFigures]
    feedback: Callable[[], Mapping[Reaction, int]]
    changes: Callable[[], Sequence[AuditedAction]]
    sources: Callable[[], Awaitable[SourceStates]]
    accounts: Callable[[], Awaitable[Sequence[ConnectedAccount]]]
    keys: KeyRing | None
    roles: RoleBook
    settled: tuple[SettledRole, ...]
    noted: Callable[[Request, Caller, str, str], Awaitable[None]]
    counts: bool
    keeps_words: bool
