"""Reads documents in processes of their own, which are stopped when they take too long or too much memory."""

from __future__ import annotations

import contextlib
import multiprocessing
import queue
from typing import TYPE_CHECKING

from connectors.local.ingest.drafts import DEFAULT_LIMITS, DocumentDraft, IngestLimits, Reason, Skip
from connectors.text import quote

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess
    from typing import Self

STOPPING = 2.0  # seconds that a process which is told to go is given


class IngestWorkers:
    """Some processes that read; each is started when it is first needed. Safe for use by several threads."""

    def __init__(self, count: int = 2, limits: IngestLimits = DEFAULT_LIMITS) -> None:
        self._limits = limits
        self._idle: queue.SimpleQueue[_Worker | None] = queue.SimpleQueue()
        for _ in range(count):
            self._idle.put(None)
        self._count = count
        self._working: set[_Worker] = set()
        self._closed = False

    def read(self, name: str, raw: bytes) -> DocumentDraft:
        """The draft of a document. Waits for a process to be free. Raises :class:`Skip`, and nothing else."""
        worker = self._idle.get()
        try:
            worker = worker or self._started()
            told = worker.ask(name, raw)
        except BaseException:
            if worker is not None:
                self._working.discard(worker)
                worker.stop()
                worker = None
            raise
        finally:
            self._idle.put(worker)
        if isinstance(told, Skip):
            raise told
        return told

    def _started(self) -> _Worker:
        if self._closed:
            raise Skip(Reason.UNREADABLE, "reading was stopped")
        worker = _Worker(self._limits)
        self._working.add(worker)
        return worker

    def close(self) -> None:
        """Stop all processes; what they were reading is skipped."""
        self._closed = True
        for worker in tuple(self._working):
            worker.kill()
        for _ in range(self._count):
            if (idle := self._idle.get()) is not None:
                idle.stop()
        for _ in range(self._count):
            self._idle.put(None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *told: object) -> None:
        self.close()


class _Worker:
    """One process and the pipe to it."""

    def __init__(self, limits: IngestLimits) -> None:
        context = multiprocessing.get_context("spawn")  # a copy of a process with threads and loops would hang
        self._limits = limits
        self._pipe, theirs = context.Pipe()
        self._process: BaseProcess = context.Process(target=serve, args=(theirs, limits), daemon=True)
        self._process.start()
        theirs.close()
        self._pipe.recv()  # it is up; what follows is measured

    def ask(self, name: str, raw: bytes) -> DocumentDraft | Skip:
        try:
            self._pipe.send((name, raw))
            if self._pipe.poll(self._limits.seconds):
                told: DocumentDraft | Skip = self._pipe.recv()
                return told
        except (EOFError, OSError):
            raise Skip(Reason.BROKEN, "reading it ended the program that read it, or took all its memory") from None
        raise Skip(Reason.TOO_SLOW, f"it was not read within {self._limits.seconds:g} s")

    def kill(self) -> None:
        self._process.kill()

    def stop(self) -> None:
        self.kill()
        self._pipe.close()
        self._process.join(STOPPING)


def serve(pipe: Connection, limits: IngestLimits) -> None:
    """What such a process does until its pipe is closed."""
    import logging
    import signal
    import warnings

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who started us
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)  # what parsers say of a file, the report says in a word
    _bound_memory(limits.memory)
    pipe.send("ready")
    with contextlib.suppress(EOFError, OSError):
        while True:
            name, raw = pipe.recv()
            pipe.send(attempted(name, raw, limits))


def attempted(name: str, raw: bytes, limits: IngestLimits) -> DocumentDraft | Skip:
    """A draft, or why there is none: parsers raise all there is when a file is broken."""
    from connectors.local.ingest.reading import read_document

    try:
        return read_document(name, raw, limits)
    except Skip as skip:
        return skip
    except MemoryError:
        return Skip(Reason.TOO_BIG, f"reading it takes more than {limits.memory >> 20} MB of memory")
    except RecursionError:
        return Skip(Reason.BROKEN, "it is nested too deeply")
    except Exception as failure:  # noqa: BLE001 — a broken file is no bug of ours, whatever the parser calls it
        return Skip(Reason.BROKEN, f"it is damaged ({type(failure).__name__}: {quote(failure)})")


def _bound_memory(most: int) -> None:
    try:
        import resource
    except ImportError:  # Windows has none
        return
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
