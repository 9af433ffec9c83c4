"""A worker of the job queue: takes jobs one after the other until it is told to stop, and looks after those that others left lying."""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from storage.errors import BadReply, Misconfigured, Rejected, SourceError, Throttled, Unavailable
from storage.jobs.queue import JobOutcome, Queue
from storage.logs import log_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from _typeshed import DataclassInstance
    from procrastinate import App
    from procrastinate.jobs import Job
    from procrastinate.retry import BaseRetryStrategy, RetryDecision
    from procrastinate.worker import Worker

    from storage.database import Database

T = TypeVar("T")

LASTING = (Misconfigured, Rejected, BadReply)  # trying again does not help
MOST_ATTEMPTS = 10
LONGEST_REST = 60.0  # seconds until a database that does not answer is asked again
LONGEST_WAIT = 600.0  # seconds between two attempts
log = log_of(__name__)


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds. ``poll``: between two looks at an empty queue. ``heartbeat``: between two signs of life.

    ``unheard``: after which a worker without one has ended. ``again``: before the second attempt at a job; each further
    one waits twice as long. ``ending``: that a job has to come to its end when the worker is told to stop.
    """

    poll: float = 1.0
    heartbeat: float = 5.0
    unheard: float = 20.0
    again: float = 5.0
    ending: float = 0.1


DEFAULT_PACE = Pace()


@dataclass(frozen=True, slots=True)
class Duty:
    """A kind of job: what does it, with the arguments of the job, and the ``queue`` that such jobs wait in.

    It raises :class:`storage.errors.SourceError`, and may be done again. What it returns is kept as what came of it.
    """

    run: Callable[..., Awaitable[DataclassInstance | None]]
    queue: str


Duties = Mapping[str, Duty]
"""By the name of their task."""


class Busy(Unavailable):
    """Somebody else is at the same work, and alive."""


async def _nothing() -> None: ...


async def work(
    database: Database,
    duties: Duties,
    pace: Pace = DEFAULT_PACE,
    beginning: Callable[[], Awaitable[None]] = _nothing,
) -> None:
    """Work until cancelled. A database that does not answer is asked again; what was begun is taken up by the next.

    ``beginning``: awaited before a worker begins, and again before one that takes its place.
    """
    logging.getLogger("procrastinate").setLevel(logging.CRITICAL)  # what is worth a line is told here
    queue, rest = Queue(database), pace.again
    while True:
        try:
            await beginning()
            await _Shift(database, queue, duties, pace).whole()
            rest = pace.again
        except SourceError as failure:
            if (us := asyncio.current_task()) is not None and us.cancelling():
                raise asyncio.CancelledError from None  # its goodbye failed, and it was told to stop all the same
            log.warning("the worker of jobs rests", seconds=rest, reason=failure.message)
        await asyncio.sleep(rest)
        rest = min(LONGEST_REST, rest * 2)


@asynccontextmanager
async def working(
    database: Database,
    duties: Duties,
    pace: Pace = DEFAULT_PACE,
    beginning: Callable[[], Awaitable[None]] = _nothing,
) -> AsyncIterator[asyncio.Task[None]]:
    """A worker beside whatever else this process does, for as long as the context lasts. One that ends before has failed, which the log says; its task holds by what."""
    task = asyncio.create_task(work(database, duties, pace, beginning), name="the worker of jobs")
    task.add_done_callback(_told_if_failed)
    try:
        yield task
    finally:
        task.cancel()
        await asyncio.wait([task])


def _told_if_failed(worker: asyncio.Task[None]) -> None:
    if not worker.cancelled() and (failure := worker.exception()):
        reason = str(failure).partition("\n")[0]
        log.error("the worker of jobs has ended, so none is done here", error=type(failure).__name__, reason=reason)


class _Shift:
    """One life of a worker, until it is cancelled or its connection breaks."""

    def __init__(self, database: Database, queue: Queue, duties: Duties, pace: Pace) -> None:
        self._database, self._queue, self._duties, self._pace = database, queue, duties, pace
        self._worker: Worker | None = None

    async def whole(self) -> None:
        from procrastinate.exceptions import ConnectorException

        caring = asyncio.create_task(self._care())
        try:
            self._worker = self._made()
            await self._worker.run()  # type: ignore[no-untyped-call]
        except ConnectorException as failure:
            raise Unavailable(str(failure)) from None
        finally:
            caring.cancel()
            await asyncio.gather(caring, return_exceptions=True)

    async def _care(self) -> None:
        """Take up what others left lying, now and then."""
        while True:
            try:
                if count := await self._queue.retry_stalled(self._pace.unheard):
                    log.info("jobs of a worker that has gone are taken up", jobs=count)
            except SourceError as failure:
                log.warning("jobs cannot be looked after", reason=failure.message)
            await asyncio.sleep(self._pace.unheard / 4)

    def _made(self) -> Worker:
        from procrastinate.jobs import DeleteJobCondition
        from procrastinate.worker import Worker

        pace = self._pace
        return Worker(
            self._app(),
            queues=[each.queue for each in self._duties.values()],
            name="fedsearch",
            fetch_job_polling_interval=pace.poll,
            abort_job_polling_interval=60.0,
            shutdown_graceful_timeout=pace.ending,
            listen_notify=False,  # it would hold a connection for good
            delete_jobs=DeleteJobCondition.SUCCESSFUL,
            install_signal_handlers=False,
            update_heartbeat_interval=pace.heartbeat,
            stalled_worker_timeout=pace.unheard,
        )

    def _app(self) -> App:
        from procrastinate import App

        from storage.jobs.connector import PooledConnector

        app = App(connector=PooledConnector(self._database, self._broken))
        again = _retries(self._pace.again)
        for name, duty in self._duties.items():
            app.task(name=name, pass_context=True, retry=again)(self._told(name, duty.run))
        return app

    def _broken(self) -> None:
        if self._worker is not None:
            self._worker.stop()  # type: ignore[no-untyped-call]

    def _told(
        self, name: str, run: Callable[..., Awaitable[DataclassInstance | None]]
    ) -> Callable[..., Awaitable[None]]:
        """A task that writes down what came of it."""

        async def task(context: Any, **arguments: Any) -> None:
            job = context.job
            key = job.lock or name
            try:
                report = await self._alone(key, run, arguments)
            except Busy:
                raise
            except SourceError as failure:
                log.warning("a job went wrong", job=key, attempt=job.attempts + 1, reason=failure.message)
                await self._queue.ended(job.id, name, JobOutcome(None, failure.code, failure.message))
                raise
            except Exception as failure:
                # A traceback would quote documents; the line alone tells whoever mends it.
                at = traceback.extract_tb(failure.__traceback__)[-1]
                said = f"{key} ended with a bug of ours ({type(failure).__name__} in {at.name}, line {at.lineno}); please report it"
                log.error("a job ended with a bug", reason=said)  # noqa: TRY400 — see above
                await self._queue.ended(job.id, name, JobOutcome(None, SourceError.code, said))
                raise
            if report is not None:
                await self._queue.ended(job.id, name, JobOutcome(asdict(report)))
            elif job.attempts:
                await self._queue.forgotten(job.id)

        return task

    async def _alone(self, key: str, run: Callable[..., Awaitable[T]], arguments: Mapping[str, Any]) -> T:
        """A worker that was not heard of may live all the same: what it holds, only its end gives back."""
        async with self._database.held(key) as mine:
            if mine:
                return await run(**arguments)
        raise Busy(f"{key} is being done elsewhere")


def _retries(first: float) -> BaseRetryStrategy:
    from datetime import UTC, datetime, timedelta

    from procrastinate.retry import BaseRetryStrategy, RetryDecision

    class Retries(BaseRetryStrategy):
        """At once where the worker was told to stop; later where that may help, each time after a longer while."""

        def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:
            if isinstance(exception, asyncio.CancelledError):
                return RetryDecision(retry_at=datetime.now(UTC))
            if isinstance(exception, Busy):
                return RetryDecision(retry_at=datetime.now(UTC) + timedelta(seconds=first))
            if (
                not isinstance(exception, SourceError)
                or isinstance(exception, LASTING)
                or job.attempts >= MOST_ATTEMPTS
            ):
                return None
            wait = min(LONGEST_WAIT, first * 2**job.attempts)
            if isinstance(exception, Throttled):
                wait = max(wait, exception.retry_after or 0.0)
            return RetryDecision(retry_at=datetime.now(UTC) + timedelta(seconds=wait))

    return Retries()
