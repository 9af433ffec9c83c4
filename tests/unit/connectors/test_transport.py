"""Several requests at once: bounded, each in its turn, late ones given up, the others kept."""

from __future__ import annotations

import asyncio
from typing import Any

from connectors.contract import Call
from connectors.errors import SourceError, Throttled, Unavailable
from connectors.http import HttpRequest, Reply
from connectors.transport import send_together

REQUESTS = [HttpRequest("GET", str(seconds)) for seconds in (1, 2, 30, 3)]


async def wait_as_long_as_the_path_says(request: HttpRequest, call: Call) -> Reply:
    await asyncio.sleep(float(request.path))
    return Reply(200, request.path)


def test_what_came_in_time_is_kept(in_virtual_time: Any) -> None:
    replies = in_virtual_time(send_together(wait_as_long_as_the_path_says, REQUESTS, Call(timeout=5.0), 4))
    assert [reply.data if isinstance(reply, Reply) else type(reply) for reply in replies] == [
        "1",
        "2",
        Unavailable,
        "3",
    ]


def test_no_more_than_allowed_are_in_flight(in_virtual_time: Any) -> None:
    in_flight: list[int] = [0]

    async def send(request: HttpRequest, call: Call) -> Reply:
        in_flight.append(in_flight[-1] + 1)
        await asyncio.sleep(1)
        in_flight.append(in_flight[-1] - 1)
        return Reply(200)

    in_virtual_time(send_together(send, REQUESTS * 3, Call(timeout=60.0), 2))
    assert max(in_flight) == 2


def test_a_refused_turn_is_a_value_and_sends_nothing(in_virtual_time: Any) -> None:
    sent: list[str] = []

    async def turn(_: str = "") -> None:
        if len(sent) >= 2:
            raise Throttled("quiet, please", 3.0)

    async def send(request: HttpRequest, call: Call) -> Reply:
        sent.append(request.path)
        return Reply(200)

    replies = in_virtual_time(send_together(send, REQUESTS, Call(turn=turn), 1))
    assert [isinstance(reply, SourceError) for reply in replies] == [False, False, True, True]
    assert sent == ["1", "2"]


def test_cancelled_it_leaves_nothing_running(in_virtual_time: Any) -> None:
    async def cancel() -> int:
        task = asyncio.create_task(send_together(wait_as_long_as_the_path_says, REQUESTS, Call(timeout=60.0), 4))
        await asyncio.sleep(0.5)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return len(asyncio.all_tasks())

    assert in_virtual_time(cancel()) == 1
