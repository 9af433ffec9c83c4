"""Play an exemplar against a source over a real socket and note all that can be seen of it."""

from __future__ import annotations

import asyncio
import copy
import json
import logging
import threading
import time
import traceback
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from connectors.contract import Call, Health, Hit, HitPage, SourceDirectory
from connectors.errors import Throttled
from connectors.http import HttpSource, Page
from connectors.testing.exemplar import claims_nothing, spoiled
from connectors.testing.stage import ExchangePlayer, LineStage
from connectors.testing.stage_program import ProgramStage
from storage.loading import IMPORTER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from connectors.contract import Connector, Heed
    from connectors.testing.exemplar import Filed
    from translators.translator import NativeQuery

TURN = (
    0.01  # seconds from one look at what was cancelled to the next; on a busy machine they come later, and none is lost
)
TURNS = 100  # looks within which a cancelled request must have ended
HANGING = 20.0  # seconds after which what still stands stands for good: a busy machine is slow, and not wrong

ObservedResult = HitPage | Health | SourceDirectory


@dataclass
class Observation:
    """All that could be seen while one exemplar was played."""

    source: type[Connector]
    filed: Filed
    turns: int = TURNS
    hanging: float = HANGING
    result: ObservedResult | None = None
    error: BaseException | None = None
    surprises: list[str] = field(default_factory=list)
    unplayed: int = 0
    strays: list[str] = field(default_factory=list)
    out_of_turn: int = 0
    told: list[Throttled] = field(default_factory=list)
    shown: str = ""
    changed: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    cancellations: list[str] = field(default_factory=list)
    false_claims: list[str] = field(default_factory=list)

    @property
    def hits(self) -> tuple[Hit, ...]:
        """The hits of a search, none of anything else."""
        return self.result.hits if isinstance(self.result, HitPage) else ()


@cache
def observed(source: type[Connector], filed: Filed, *, turns: int = TURNS, hanging: float = HANGING) -> Observation:
    """Play an exemplar against a real socket; again with no turn to ask; for each request, cancelled in flight; and spoiled.

    ``turns`` and ``hanging`` (seconds) say how long the end is waited for; fewer are for sources that are known to hang.
    """
    seen = Observation(source, filed, turns, hanging)
    IMPORTER.submit(str).result()  # the one thread that imports belongs to the process
    threads = set(threading.enumerate())
    with _log() as log:
        asyncio.run(_play(seen))
        asyncio.run(_refuse(seen))
        for number in range(1, len(filed.exemplar.exchanges or filed.exemplar.lines or filed.exemplar.runs) + 1):
            asyncio.run(_cancel(seen, number))
        for what, worse in spoiled(filed.exemplar):
            other = Observation(source, replace(filed, exemplar=worse), turns, hanging)
            asyncio.run(_play(other))
            if isinstance(other.result, HitPage) and claims_nothing(other.result):
                seen.false_claims.append(what)
    seen.shown += "\n".join(log)
    deadline = time.monotonic() + hanging
    while (more := set(threading.enumerate()) - threads) and time.monotonic() < deadline:
        time.sleep(0.01)
    seen.left += [f"thread {thread.name}" for thread in more]
    return seen


# ---- playing


async def _play(seen: Observation) -> None:
    exemplar = seen.filed.exemplar
    tasks = asyncio.all_tasks()
    async with _stage(seen) as stage:
        connector = _connector(seen, stage)
        native = seen.filed.native(seen.source.manifest.dialect)
        call = replace(seen.filed.call(), throttled=_to(seen.told))
        before = copy.deepcopy((native, call))
        _check_purity(seen, connector, native, call)
        (outcome,) = await asyncio.gather(_ask(connector, exemplar.ask, native, call), return_exceptions=True)
        if isinstance(outcome, BaseException):
            seen.error = outcome
        else:
            seen.result = outcome
        seen.changed += [
            name for name, was, now in zip(("query", "call"), before, (native, call), strict=True) if was != now
        ]
        seen.shown += _shown(connector, seen)
        await _close(seen, connector, stage, tasks)
        seen.surprises, seen.unplayed, seen.strays = stage.surprises, len(stage.unplayed), stage.strays


def _to(told: list[Throttled]) -> Heed:
    async def heed(throttled: Throttled, /) -> None:
        told.append(throttled)

    return heed


async def _refuse(seen: Observation) -> None:
    """The same while the vendor wants quiet."""
    tasks = asyncio.all_tasks()
    async with _stage(seen) as stage:
        connector = _connector(seen, stage)
        native, call = seen.filed.native(seen.source.manifest.dialect), replace(seen.filed.call(), turn=_no_turn)
        (refused,) = await asyncio.gather(
            _ask(connector, seen.filed.exemplar.ask, native, call), return_exceptions=True
        )
        seen.out_of_turn = stage.requests
        if isinstance(refused, HitPage) and claims_nothing(refused):
            seen.false_claims.append("no turn was given to it")
        await _close(seen, connector, stage, tasks)


async def _no_turn(bucket: str = "", /) -> None:
    raise Throttled("the vendor wants quiet", 60.0, bucket)


async def _cancel(seen: Observation, number: int) -> None:
    """The same with no answer to request ``number``; an exemplar may end before, by an error, say."""
    exemplar = seen.filed.exemplar
    tasks = asyncio.all_tasks()
    async with _stage(seen, stall_at=number) as stage:
        connector = _connector(seen, stage)
        native, call = seen.filed.native(seen.source.manifest.dialect), seen.filed.call()
        asking = asyncio.create_task(_ask(connector, exemplar.ask, native, call))
        arrived = asyncio.create_task(stage.arrived.wait())
        await asyncio.wait({asking, arrived}, return_when=asyncio.FIRST_COMPLETED, timeout=call.timeout)
        arrived.cancel()
        if not asking.done():
            await _check_end(seen, asking, number)
        await asyncio.wait({asking, arrived}, timeout=HANGING)
        await _close(seen, connector, stage, tasks)


async def _check_end(seen: Observation, asking: asyncio.Task[ObservedResult], number: int) -> None:
    looks = longest = 0
    with turns_beside() as turned:
        asking.cancel()
        while not asking.done() and looks < seen.turns:
            before = turned()
            await asyncio.wait({asking}, timeout=TURN)
            looks, longest = looks + 1, max(longest, turned() - before)
    if not asking.done():
        seen.cancellations.append(f"request {number} went on for {looks * TURN:g} s after it was cancelled")
    elif not asking.cancelled():
        seen.cancellations.append(f"request {number} swallowed its cancellation")
    elif longest > seen.turns:
        seen.cancellations.append(f"request {number} stopped the event loop when it was cancelled")


@contextmanager
def turns_beside() -> Iterator[Callable[[], int]]:
    """How many turns of `TURN` a thread beside the event loop has had: where the machine is busy, it waits as the loop does."""
    had, ended = 0, threading.Event()

    def turn() -> None:
        nonlocal had
        while not ended.wait(TURN):
            had += 1

    beside = threading.Thread(target=turn)
    beside.start()
    try:
        yield lambda: had
    finally:
        ended.set()
        beside.join()


async def _ask(connector: Connector, what: str, native: NativeQuery, call: Call) -> ObservedResult:
    match what:
        case "probe":
            return await connector.probe(call)
        case "directory":
            return await connector.directory(call)
        case _:
            return await connector.search(native, call)


async def _close(
    seen: Observation,
    connector: Connector,
    stage: ExchangePlayer | LineStage | ProgramStage,
    tasks: set[asyncio.Task[Any]],
) -> None:
    await connector.aclose()
    await connector.aclose()
    deadline = time.monotonic() + seen.hanging
    while (left := _left(stage, tasks)) and time.monotonic() < deadline:  # noqa: ASYNC110 — nobody tells
        await asyncio.sleep(0.005)
    seen.left += left


def _left(stage: ExchangePlayer | LineStage | ProgramStage, tasks: set[asyncio.Task[Any]]) -> list[str]:
    connections = stage.open_connections
    others = asyncio.all_tasks() - tasks - {asyncio.current_task()}
    # Each open connection has a task of the stage's own.
    return [f"{connections} connections"] if connections else [f"task {task.get_name()}" for task in others]


def _stage(seen: Observation, stall_at: int = 0) -> ExchangePlayer | LineStage | ProgramStage:
    exemplar = seen.filed.exemplar
    if exemplar.exchanges:
        return ExchangePlayer(exemplar.exchanges, exemplar.token, stall_at)
    if exemplar.runs:
        return ProgramStage(exemplar.runs, exemplar.token, stall_at)
    encrypted = urlsplit(seen.source.manifest.default_url).scheme
    return LineStage(exemplar.lines, exemplar.token, encrypted.removesuffix("s"), stall_at)


def _connector(seen: Observation, stage: ExchangePlayer | LineStage | ProgramStage) -> Connector:
    """The source as a configuration would make it, pointed at the stage and without a token of its own."""
    manifest = seen.source.manifest
    place: dict[str, object] = (
        {"command": [str(stage.program)]}
        if isinstance(stage, ProgramStage)
        else {"base_url": f"{stage.url}{urlsplit(manifest.default_url).path}"}
    )
    settings = seen.source.settings_type.model_validate(
        {"kind": manifest.name, **place, **seen.filed.exemplar.settings}
    )
    make: Any = seen.source
    connector: Connector = make("mine", settings)
    return connector


def _check_purity(seen: Observation, connector: Connector, native: NativeQuery, call: Call) -> None:
    if seen.filed.exemplar.ask != "search" or not isinstance(connector, HttpSource):
        return
    page = Page(call.limit, call.cursor)
    first, second = (repr(connector.request(native, page)) for _ in range(2))
    if first != second:
        seen.changed.append("the request, from one time to the next")


# ---- showing


def outcome_json(result: ObservedResult | None) -> Mapping[str, object]:
    """A result as exemplars write it: without what is empty."""
    match result:
        case HitPage():
            page = {
                "hits": [hit_json(hit) for hit in result.hits],
                "cursor": result.cursor,
                "total": result.total,
                "notes": list(result.notes),
                "left_out": [_plain(each) for each in result.left_out],
                "remarks": list(result.remarks),
                "asked": None if result.asked else False,
            }
            return {name: value for name, value in page.items() if value not in (None, [])}
        case Health():
            return {"health": _plain(result)}
        case SourceDirectory():
            return {"directory": _plain(result)}
        case None:
            return {}


def hit_json(hit: Hit) -> Mapping[str, object]:
    """A hit without source, rank (which always count) and whatever is empty."""
    return {name: value for name, value in _plain(hit).items() if name not in ("source", "rank")}


def _plain(value: Any) -> Any:
    if hasattr(value, "__dataclass_fields__"):
        pairs = ((each.name, _plain(getattr(value, each.name))) for each in fields(value))
        return {name: plain for name, plain in pairs if plain not in (None, "", [], {}, False)}
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, tuple | list):
        return [_plain(part) for part in value]
    if hasattr(value, "items"):
        return {name: _plain(part) for name, part in value.items()}
    return json.loads(json.dumps(value))


def _shown(connector: Connector, seen: Observation) -> str:
    error = "".join(traceback.format_exception(seen.error)) if seen.error else ""
    told = getattr(seen.error, "native", "")
    return "\n".join(
        (repr(connector), str(connector), repr(vars(connector)), repr(seen.result), error, repr(seen.error), told)
    )


@contextmanager
def _log() -> Iterator[list[str]]:
    """Everything that is logged by anybody, at every level."""
    lines: list[str] = []

    class Keeper(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(self.format(record))

    root, keeper = logging.getLogger(), Keeper()
    level = root.level
    root.addHandler(keeper)
    root.setLevel(logging.DEBUG)
    try:
        yield lines
    finally:
        root.setLevel(level)
        root.removeHandler(keeper)
