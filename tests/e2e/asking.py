"""What the end-to-end tests of every source have in common: asking to the last page, and the faults that any server may have."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

import pytest

from connectors.contract import Call
from connectors.errors import BadReply, Forbidden, Throttled, Unauthenticated, Unavailable
from connectors.registry import load_source
from orchestrator.events import Answered, Arrived
from orchestrator.sandbox import Fault
from tests.clock import HANGING, leaping
from translators.match import matches
from translators.query import EVERYTHING

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from connectors.contract import Hit, HitPage
    from connectors.exchange import Reply
    from connectors.http import HttpSource
    from orchestrator.engine import Engine
    from orchestrator.model import Answer, Ask
    from orchestrator.sandbox import Sandbox
    from translators.query import Query
    from translators.translator import Translator

MOST_PAGES = 100
FAULTS = {
    "throttle": (Fault(retry_after=2), Throttled),
    "500": (Fault(status=500), Unavailable),
    "503": (Fault(status=503), Unavailable),
    "401": (Fault(status=401), Unauthenticated),
    "403": (Fault(status=403), Forbidden),
    "malformed": (Fault(malformed=True), BadReply),
    "disconnect": (Fault(disconnect=True), Unavailable),
    "hang": (Fault(hang=True), Unavailable),
}
"""Each with the error that names it."""


def connected(sandbox: Sandbox, kind: str, *, name: str = "", of: str = "", **settings: Any) -> Any:
    """A connector to what the sandbox serves of a kind (or of what is called ``of`` there), with the token that it gives out."""
    made: Any = load_source(kind)
    end = sandbox.endpoints[of or kind]
    given = {"kind": kind, "base_url": end.base_url, "token": end.token, **settings}
    return made(name or kind, made.settings_type.model_validate(given))


def faults(*, but: tuple[str, ...] = ()) -> pytest.MarkDecorator:
    """The test's ``fault`` and the ``expected`` error, without those that the vendor says in a way of its own."""
    kept = {name: given for name, given in FAULTS.items() if name not in but}
    return pytest.mark.parametrize(("fault", "expected"), kept.values(), ids=kept)


async def past(seconds: float, source: HttpSource, *, answered: int, asking: Coroutine[Any, Any, HitPage]) -> HitPage:
    """What ``asking`` brings where so many seconds pass as soon as the source has had as many replies as ``answered``."""
    leap, had, send = leaping(), asyncio.Semaphore(0), source.send

    async def counted(*arguments: Any, **options: Any) -> Reply:
        reply = await send(*arguments, **options)
        had.release()
        return reply

    source.send = counted  # type: ignore[method-assign]
    page = asyncio.create_task(asking)
    async with asyncio.timeout(HANGING):
        for _ in range(answered):
            await had.acquire()
    leap(seconds)
    return await page


async def over_after(engine: Engine, ask: Ask, *sources: str) -> Answer:
    """The answer to a question whose budget is over as soon as these have said how it went."""
    leap, left = leaping(), set(sources)
    async with aclosing(engine.stream(ask)) as events:
        async for event in events:
            if isinstance(event, Arrived) and left and not (left := left - {event.outcome.source}):
                leap(ask.budget)
            if isinstance(event, Answered):
                return event.answer
    raise AssertionError("a stream ends with its answer")


def time_for(fault: Fault) -> float:
    """Seconds for a request: little where no answer comes, and else all that a busy machine may take."""
    return 1.0 if fault.hang else HANGING


async def kept_of(source: HttpSource, dialect: type[Translator], query: Query, *, limit: int) -> list[Hit]:
    """The hits that are kept of everything that a question finds, ``limit`` a page."""
    translation = dialect().translate(query, dialect.can)
    kept: list[Hit] = []
    cursor = None
    for _ in range(MOST_PAGES):
        page = await source.search(translation.native, Call(limit=limit, cursor=cursor))
        assert page.notes == ()
        kept += [hit for hit in page.hits if matches(translation.residual or EVERYTHING, hit) is not False]
        cursor = page.cursor
        if cursor is None:
            return kept
    raise AssertionError("the pages do not end")
