"""Has pages read in few processes that are ended when one takes too long: a thread could not be."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import TYPE_CHECKING

from orchestrator.websearch.errors import PageUnread, Refusal
from orchestrator.websearch.pages.reading import MainText

if TYPE_CHECKING:
    from asyncio.subprocess import Process

    from orchestrator.websearch.pages.downloading import Download

PROCESSES = 2
LONGEST_REPLY = 4 << 20  # bytes: 200,000 characters as JSON escapes them
COMMAND = (sys.executable, "-P", "-W", "ignore", "-m", "orchestrator.websearch.pages.worker")


class PageReader:
    """At most two pages at a time, ``seconds`` for each once its turn has come."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._turns = asyncio.Semaphore(PROCESSES)
        self._idle: list[Process] = []
        self._ended: list[Process] = []
        self._closed = False

    async def read(self, page: Download) -> MainText:
        """Raises :class:`PageUnread` where there is nothing to read in it, or reading it takes too long."""
        async with self._turns:
            try:
                async with asyncio.timeout(self._seconds):
                    found = await self._asked(page)
            except TimeoutError:
                raise PageUnread(Refusal.TIMEOUT, "it is built in a way that takes too long to read") from None
        if not found.text:
            raise PageUnread(Refusal.EMPTY, "there is no text in it; it may be made by a script in the browser")
        return found

    async def _asked(self, page: Download) -> MainText:
        """A process that did not come to the end of its answer is ended."""
        process = self._idle.pop() if self._idle else await _started()
        finished = False
        try:
            reply = json.loads(await _exchange(process, page))
            finished = True
        except (OSError, ValueError):
            raise PageUnread(Refusal.EMPTY, "its markup cannot be read") from None
        finally:
            if finished and not self._closed:
                self._idle.append(process)
            else:
                self._end(process)
        if "failed" in reply:
            raise PageUnread(Refusal.EMPTY, reply["failed"])
        return MainText(**reply)

    async def aclose(self) -> None:
        """End the processes that wait for work; those at work end with it."""
        self._closed = True
        idle, self._idle = self._idle, []
        for process in idle:
            self._end(process)
        await asyncio.gather(*(process.wait() for process in self._ended))

    def _end(self, process: Process) -> None:
        """At once, whatever it is doing; it is waited for when there is time."""
        if process.returncode is None:
            process.kill()
        self._ended = [*(each for each in self._ended if each.returncode is None), process]


async def _started() -> Process:
    """It gets the way to our packages and nothing else: what the environment holds is no business of a page's."""
    return await asyncio.create_subprocess_exec(
        *COMMAND,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        limit=LONGEST_REPLY,
        env={
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            "PYTHONDONTWRITEBYTECODE": "1",
            "LC_ALL": "C.UTF-8",
        },
    )


async def _exchange(process: Process, page: Download) -> bytes:
    assert process.stdin is not None
    assert process.stdout is not None
    head = {"url": page.url, "kind": page.kind, "charset": page.charset, "size": len(page.body)}
    process.stdin.write(json.dumps(head).encode("ascii") + b"\n" + page.body)
    await process.stdin.drain()
    return await process.stdout.readline()
