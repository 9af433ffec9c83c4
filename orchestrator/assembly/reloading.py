"""Sources that a running server asks as soon as they are written down: by a page, by a command or by hand."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING

from orchestrator.assembly.accounts import own_kinds
from orchestrator.assembly.searching import make_sources
from orchestrator.assembly.sources import absent
from storage.logs import log_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from orchestrator.engine import Engine
    from orchestrator.settings import Settings, SettingsSite

LOOKING = 2.0  # seconds between two looks at whether anything was written
log = log_of(__name__)


class LiveSources:
    """``started``: the settings that the server began with. All but the sources, and who can connect accounts to them, stays as it was then."""

    def __init__(self, site: SettingsSite, started: Settings) -> None:
        self.site = site
        self._stamp = site.stamp()
        self._opened = frozenset(own.name for own in own_kinds(started))
        self._expected = started.search.expected
        self._alone = asyncio.Lock()

    @asynccontextmanager
    async def watching(self, engine: Engine) -> AsyncIterator[None]:
        """Follow what is written for as long as the context lasts, by whatever process."""
        task = asyncio.create_task(self._watch(engine), name="follow settings")
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def reload(self, engine: Engine) -> None:
        """Ask what is written now. Raises :class:`Misconfigured`, and then asks what it did before; and ``OSError``."""
        async with self._alone:
            stamp = await asyncio.to_thread(self.site.stamp)
            if stamp == self._stamp:
                return
            self._stamp = stamp  # what is wrong is told once
            settings = await asyncio.to_thread(self.site.read)
            made = partial(make_sources, settings, expected=self._expected, waiting=True, opened=self._opened)
            await engine.exchange(made, partial(absent, settings))
            log.info("sources are exchanged", sources=[each.name for each in engine.profiles])

    async def _watch(self, engine: Engine) -> None:
        while True:
            await asyncio.sleep(LOOKING)
            try:
                await self.reload(engine)
            except Exception as failure:  # noqa: BLE001 — whatever it is, what is written next is followed
                log.error("sources stay as they were", error=str(failure) or type(failure).__name__)  # noqa: TRY400 — the trace says nothing more
