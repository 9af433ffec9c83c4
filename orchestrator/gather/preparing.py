"""Getting one source ready beside the questions: nobody's deadline ends it, and what failed is tried again by itself."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from connectors.errors import SourceError
from orchestrator.gather.outcomes import broken_by, trace
from storage.logs import log_of

if TYPE_CHECKING:
    from connectors.contract import Connector

FIRST_REST, MOST_REST = 1.0, 30.0  # seconds between two attempts: the first time, doubled up to the most

log = log_of(__name__)


class Preparing:
    """What a connector loads, starts and reaches before its first question. Begun when first needed, done once."""

    def __init__(self, connector: Connector) -> None:
        self._connector = connector
        self._task: asyncio.Task[None] | None = None
        self._tried: asyncio.Future[None] | None = None
        self._failure: SourceError | None = None

    @property
    def failure(self) -> SourceError | None:
        """Why the last attempt failed; ``None`` while none did."""
        return self._failure

    @property
    def is_done(self) -> bool:
        """Whether nothing of it is left to wait for."""
        return self._task is not None and self._task.done() and self._failure is None

    def begin(self) -> asyncio.Future[None]:
        """Begin, unless that was done. What is returned is there when the first attempt has ended, however it did."""
        if self._task is None or self._tried is None:
            self._tried = asyncio.get_running_loop().create_future()
            self._task = asyncio.create_task(self._try(self._tried), name=f"prepare {self._connector.name}")
        return self._tried

    async def ready(self) -> None:
        """Wait for the first attempt. Raises why the source cannot be asked.

        Later attempts are not waited for: until one succeeds, the failure of the last is told at once.
        """
        await asyncio.shield(self.begin())
        if self._failure is not None:
            raise self._failure.with_traceback(None)

    async def aclose(self) -> None:
        """Try no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _try(self, tried: asyncio.Future[None]) -> None:
        rest = FIRST_REST
        try:
            while (failure := await self._attempt()) is not None:
                if self._failure is None:
                    log.warning("not ready", source=self._connector.name, error=failure.code, said=failure.message)
                self._failure = failure
                if not tried.done():
                    tried.set_result(None)
                await asyncio.sleep(rest)
                rest = min(MOST_REST, rest * 2)
            if self._failure is not None:
                log.info("ready again", source=self._connector.name)
            self._failure = None
        finally:
            if not tried.done():
                tried.set_result(None)

    async def _attempt(self) -> SourceError | None:
        try:
            await self._connector.prepare()
        except SourceError as failure:
            return failure
        except Exception as failure:  # noqa: BLE001 — law 3: a broken connector must not hurt the other sources
            log.error("preparing failed", source=self._connector.name, **trace(failure))  # noqa: TRY400 — values may be secret
            return Unprepared(broken_by(failure))
        return None


class Unprepared(SourceError):
    """A bug in a connector, met before it was asked anything."""

    code = "connector_bug"
