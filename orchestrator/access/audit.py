"""The audit log: who asked what of which source, when, and how much came back. One JSON object a line."""

from __future__ import annotations

import asyncio
import json
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from orchestrator.model import Answer, Ask


class AuditLog:
    """Appends to one file, a line at a time, off the event loop. ``texts``: whether the question itself is kept.

    A line is one ``write`` to a file opened for appending: several processes may share it.
    """

    def __init__(self, path: Path | None, *, texts: bool) -> None:
        self._path = path
        self._texts = texts

    async def asked(self, ask: Ask, answer: Answer, request: str) -> None:
        """One answered question. ``request`` is the id under which the logs speak of it."""
        if self._path is None:
            return
        line: dict[str, Any] = {
            "at": ask.now.isoformat(),
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
        if self._texts:
            line["question"] = ask.text
        await asyncio.to_thread(self._append, json.dumps(line, ensure_ascii=False) + "\n")

    def _append(self, line: str) -> None:
        assert self._path is not None
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(handle, line.encode())
        finally:
            os.close(handle)
