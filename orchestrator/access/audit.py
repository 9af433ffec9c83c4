"""The audit log: who asked what of which source, when, and how much came back. One JSON object a line."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING, Any

from orchestrator.lines import append_line, newest_first
from storage.logs import log_of
from translators.records import record
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from orchestrator.model import Answer, Ask

CLOSE = timedelta(minutes=2)  # between a question and its answer, and of clocks
MOST_LINES = 20_000  # that are looked through for what somebody did
UNWRITTEN = Said("it could not be written down in the audit log ({why}), so it is not given; try again")
log = log_of(__name__)


class NotKept(Exception):
    """What was to be written down could not be, so it must not have happened: no answer is given that nobody can account for."""


class AuditLog:
    """Appends to one file, a line at a time; raises :class:`NotKept` where it does not take it. ``texts``: whether the question itself is kept; ``clock``: the server's own.

    ``at`` is when it happened here. A caller may ask as if it were another time, which stands beside it as ``as_if``.
    """

    def __init__(self, path: Path | None, clock: Callable[[], datetime], *, texts: bool) -> None:
        self._path = path
        self._clock = clock
        self._texts = texts

    async def asked(self, ask: Ask, answer: Answer, request: str) -> None:
        """One answered question. ``request`` is the id under which the logs speak of it."""
        if self._path is None:
            return
        at = self._clock()
        line: dict[str, Any] = {
            "at": at.isoformat(),
            "request": request,
            "principal": ask.principal.id,
            "type": str(answer.query.type),
            "results": len(answer.results),
            "took": round(answer.took, 4),
            "sources": {
                outcome.source: {
                    "status": str(outcome.status),
                    "requests": outcome.requests,
                    "returned": len(outcome.hits),
                }
                for outcome in answer.outcomes
            },
        }
        if abs(at - ask.now) > CLOSE:
            line["as_if"] = ask.now.isoformat()
        if self._texts:
            line["question"] = ask.text
        await self._keep(self._path, line)

    async def noted(self, principal: str, action: str, source: str, at: datetime, request: str) -> None:
        """What somebody did with an account of theirs (``connected``, ``disconnected``), with a digest, or to this installation; ``source`` names what."""
        if self._path is not None:
            line = {
                "at": at.isoformat(),
                "request": request,
                "principal": principal,
                "action": action,
                "source": source,
            }
            await self._keep(self._path, line)

    async def _keep(self, path: Path, line: dict[str, Any]) -> None:
        try:
            await append_line(path, line)
        except OSError as failure:
            why = failure.strerror or type(failure).__name__
            log.error("audit", error=type(failure).__name__, said=why)  # noqa: TRY400 — the trace says nothing more
            raise NotKept(UNWRITTEN.filled(why=why)) from failure


@record
class AuditedAction:
    """Something that somebody did, as it stands in the log; ``source`` is what they did it with."""

    at: datetime
    principal: str
    action: str
    source: str


def newest_actions(path: Path, most: int) -> tuple[AuditedAction, ...]:
    """The newest of them, among the last :data:`MOST_LINES` lines. Raises ``OSError``."""
    if not path.exists():
        return ()
    found: list[AuditedAction] = []
    for line in islice(newest_first(path), MOST_LINES):
        try:
            told = json.loads(line or b"")
            found.append(
                AuditedAction(
                    datetime.fromisoformat(told["at"]), str(told["principal"]), str(told["action"]), str(told["source"])
                )
            )
        except (ValueError, TypeError, KeyError, RecursionError):
            continue  # a question, or torn
        if len(found) == most:
            break
    return tuple(found)
