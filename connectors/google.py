"""Google's own client as the transport: a bounded pool of threads, whose work is broken off when nobody waits for it."""

from __future__ import annotations

import asyncio
import contextlib
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from http.client import HTTPException
from typing import TYPE_CHECKING, ClassVar, TypeVar

from connectors.errors import SILENT, BadReply, SourceError, Unauthenticated, Unavailable
from connectors.google_api import accepts_text, google_error
from connectors.http import HttpSource, describe_failure
from storage.loading import load
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from connectors.contract import Call
    from connectors.google_api import GoogleApi
    from connectors.google_client import BoundedHttp, OfficialClient
    from connectors.http import HttpRequest, Reply, Transport

CLIENT = ("connectors.google_client",)
FAREWELL = 5.0  # seconds that closing waits for threads whose connections were broken off, which one that connects notices late

DoneT = TypeVar("DoneT")


class GoogleSource(HttpSource):
    """An account at one of Google's services. ``api``: which; ``scope``: the right that its tokens need."""

    client = CLIENT
    api: ClassVar[GoogleApi]
    scope: ClassVar[str]

    def open_transport(self) -> Transport:
        """Google's own client, in threads."""
        return GoogleTransport(self.api, self.base_url, self.manifest.limits.concurrency)

    def error(self, reply: Reply) -> SourceError | None:
        """Google says the reason in the body."""
        return google_error(reply, self.api.title, self.scope)


class GoogleTransport:
    """Sends through :mod:`googleapiclient`, in at most ``threads`` threads, each request on connections of its own.

    A request that accepts text (``Accept: text/…``) is one for the content of a file: its reply's ``data`` is a string,
    and it travels by itself, since a batch cannot hold it.
    """

    def __init__(self, api: GoogleApi, base_url: str, threads: int) -> None:
        self._api = api
        self._base_url = base_url
        self._client: OfficialClient | None = None
        self._threads = ThreadPoolExecutor(max_workers=threads, thread_name_prefix=f"connectors-{api.name}")
        self._idle: list[BoundedHttp] = []
        self._busy: dict[Future[Any], BoundedHttp] = {}
        # Nobody waits for them any more: their connections are broken, which they have not noticed yet.
        self._leaving: set[Future[Any]] = set()

    async def send(self, request: HttpRequest, call: Call) -> Reply:
        """One exchange. Raises :class:`Unavailable`."""
        return await self._in_thread(lambda client, http, token: client.send(request, http, token), call)

    async def send_all(self, requests: Sequence[HttpRequest], call: Call) -> list[Reply | SourceError]:
        """In batches, which go out together, as do the requests that travel by themselves. Google counts each part of a batch."""
        outcomes: dict[int, Reply | SourceError] = {}
        for place, request in enumerate(requests):
            try:
                await call.turn(request.bucket)
            except SourceError as failure:
                outcomes[place] = failure
        groups = list(
            _grouped({place: each for place, each in enumerate(requests) if place not in outcomes}, self._api.batch)
        )
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._all([requests[place] for place in places], call)) for places in groups]
        for places, task in zip(groups, tasks, strict=True):
            outcomes |= zip(places, task.result(), strict=True)
        return [outcomes[place] for place in range(len(requests))]

    async def aclose(self) -> None:
        """Break off what runs, close what is idle, and let the threads end."""
        for http in self._busy.values():
            http.stop()
        running = asyncio.gather(*map(asyncio.wrap_future, {*self._busy, *self._leaving}), return_exceptions=True)
        self._threads.shutdown(wait=False, cancel_futures=True)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(running, FAREWELL)
        while self._idle:
            self._idle.pop().close()

    async def _all(self, requests: Sequence[HttpRequest], call: Call) -> list[Reply | SourceError]:
        try:
            if accepts_text(requests[0]) or self._api.batch == 1:
                return [await self.send(requests[0], call)]
            return await self._in_thread(lambda client, http, token: client.send_batch(requests, http, token), call)
        except SourceError as failure:
            return [failure] * len(requests)

    async def _in_thread(self, work: Callable[[OfficialClient, BoundedHttp, str], DoneT], call: Call) -> DoneT:
        """``work`` in a thread; cancelled or out of time, its connections are broken, so that the thread ends too."""
        await load(*CLIENT)
        if call.credential is None:
            raise Unauthenticated(Said("{title} needs an access token").filled(title=self._api.title))
        http = self._borrow(call.timeout)
        future = self._threads.submit(self._work, work, http, call.credential.secret)
        self._busy[future] = http
        kept = False
        try:
            async with asyncio.timeout(call.timeout):
                done = await asyncio.wrap_future(future)
            kept = True
        except TimeoutError:
            raise Unavailable(SILENT.filled(seconds=call.timeout)) from None
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
            raise BadReply(Said("the reply is nested too deeply")) from None
        finally:
            if http.stopped:
                http.close()

    def _open(self) -> OfficialClient:
        from connectors.google_client import OfficialClient

        if self._client is None:
            self._client = OfficialClient(self._api, self._base_url)
        return self._client

    def _borrow(self, timeout: float) -> BoundedHttp:
        from connectors.google_client import BoundedHttp

        http = self._idle.pop() if self._idle else BoundedHttp(timeout)
        http.renew(timeout)
        return http

    def _give_back(self, http: BoundedHttp, future: Future[Any], *, kept: bool) -> None:
        if kept:
            self._idle.append(http)
        else:
            http.stop()
            self._leaving.add(future)
            future.add_done_callback(partial(self._left, http))

    def _left(self, http: BoundedHttp, future: Future[Any]) -> None:
        http.close()
        self._leaving.discard(future)


def _grouped(requests: Mapping[int, HttpRequest], batch: int) -> Iterator[list[int]]:
    """Places of requests that travel together."""
    batched = [place for place, request in requests.items() if not accepts_text(request)]
    yield from ([place] for place, request in requests.items() if accepts_text(request))
    yield from (batched[start : start + batch] for start in range(0, len(batched), batch))
