"""Google's own client as the transport: a bounded pool of threads, whose work is broken off when nobody waits for it."""

from __future__ import annotations

import asyncio
import contextlib
from concurrent.futures import Future, ThreadPoolExecutor
from http.client import HTTPException
from typing import TYPE_CHECKING, TypeVar

from connectors.errors import BadReply, SourceError, Unauthenticated, Unavailable
from connectors.http import describe_failure
from connectors.transport import load

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from connectors.contract import Call
    from connectors.gmail.bounded import BoundedHttp
    from connectors.gmail.official import OfficialClient
    from connectors.http import HttpRequest, Reply

CLIENT = ("connectors.gmail.official",)
BATCH = 50  # parts; Google allows 100 and says that more than 50 are likely to be throttled
FAREWELL = 1.0  # seconds that closing waits for threads whose connections were broken off

DoneT = TypeVar("DoneT")


class GmailTransport:
    """Sends through :mod:`googleapiclient`, in at most ``threads`` threads, each request on connections of its own."""

    def __init__(self, base_url: str, threads: int) -> None:
        self._base_url = base_url
        self._client: OfficialClient | None = None
        self._threads = ThreadPoolExecutor(max_workers=threads, thread_name_prefix="connectors-gmail")
        self._idle: list[BoundedHttp] = []
        self._busy: dict[Future[Any], BoundedHttp] = {}

    async def send(self, request: HttpRequest, call: Call) -> Reply:
        """One exchange. Raises :class:`Unavailable`."""
        return await self._in_thread(lambda client, http, token: client.send(request, http, token), call)

    async def send_all(self, requests: Sequence[HttpRequest], call: Call) -> list[Reply | SourceError]:
        """In batches of 50 at most, which go out together."""
        batches = [requests[start : start + BATCH] for start in range(0, len(requests), BATCH)]
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._batch(batch, call)) for batch in batches]
        return [outcome for task in tasks for outcome in task.result()]

    async def aclose(self) -> None:
        """Break off what runs, close what is idle, and let the threads end."""
        for http in self._busy.values():
            http.stop()
        running = asyncio.gather(*map(asyncio.wrap_future, self._busy), return_exceptions=True)
        self._threads.shutdown(wait=False, cancel_futures=True)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(running, FAREWELL)
        while self._idle:
            self._idle.pop().close()

    async def _batch(self, requests: Sequence[HttpRequest], call: Call) -> list[Reply | SourceError]:
        try:
            return await self._in_thread(lambda client, http, token: client.send_batch(requests, http, token), call)
        except SourceError as failure:
            return [failure] * len(requests)

    async def _in_thread(self, work: Callable[[OfficialClient, BoundedHttp, str], DoneT], call: Call) -> DoneT:
        """``work`` in a thread; cancelled or out of time, its connections are broken, so that the thread ends too."""
        await load(*CLIENT)
        if call.credential is None:
            raise Unauthenticated("Gmail needs an access token")
        http = self._borrow(call.timeout)
        future = self._threads.submit(self._work, work, http, call.credential.secret)
        self._busy[future] = http
        kept = False
        try:
            async with asyncio.timeout(call.timeout):
                done = await asyncio.wrap_future(future)
            kept = True
        except TimeoutError:
            raise Unavailable(f"no answer within {call.timeout:.1f} s") from None
        finally:
            del self._busy[future]
            self._give_back(http, future, kept=kept)
        return done

    def _work(self, work: Callable[[OfficialClient, BoundedHttp, str], DoneT], http: BoundedHttp, token: str) -> DoneT:
        """What runs in the thread; raises only what a transport may raise, and TimeoutError."""
        from httplib2 import HttpLib2Error

        try:
            return work(self._open(), http, token)
        except TimeoutError:
            raise
        except (OSError, HTTPException, HttpLib2Error) as failure:
            raise Unavailable(describe_failure(failure, self._base_url)) from None
        except RecursionError:
            raise BadReply("the reply is nested too deeply") from None

    def _open(self) -> OfficialClient:
        from connectors.gmail.official import OfficialClient

        if self._client is None:
            self._client = OfficialClient(self._base_url)
        return self._client

    def _borrow(self, timeout: float) -> BoundedHttp:
        from connectors.gmail.bounded import BoundedHttp

        http = self._idle.pop() if self._idle else BoundedHttp(timeout)
        http.renew(timeout)
        return http

    def _give_back(self, http: BoundedHttp, future: Future[Any], *, kept: bool) -> None:
        if kept:
            self._idle.append(http)
        else:
            http.stop()
            future.add_done_callback(lambda _: http.close())
