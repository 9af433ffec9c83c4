"""A page is read once for all lists of one credential, and for nobody else."""

from __future__ import annotations

import asyncio
from typing import Any

from connectors.contract import Call
from connectors.errors import Unavailable
from connectors.http import HttpRequest, Reply
from connectors.reads import KEPT_READS, SharedReads

A, B, C = (HttpRequest("GET", name) for name in "abc")
CALL = Call(timeout=5.0)


class Notion:
    """Answers after a second with the path, or with an error."""

    def __init__(self, *, broken: bool = False) -> None:
        self.sent: list[str] = []
        self.broken = broken

    async def send_all(self, requests: Any, call: Call) -> list[Any]:
        self.sent += [request.path for request in requests]
        await asyncio.sleep(1 if requests else 0)
        return [Unavailable("down") if self.broken else Reply(200, request.path) for request in requests]


def paths(outcomes: list[Any]) -> list[Any]:
    return [outcome.data if isinstance(outcome, Reply) else type(outcome) for outcome in outcomes]


def test_lists_that_overlap_read_each_page_once(in_virtual_time: Any) -> None:
    notion, reads = Notion(), SharedReads(30.0)

    async def both() -> list[Any]:
        first, second = await asyncio.gather(
            reads.send_all([A, B], CALL, "kim", notion.send_all), reads.send_all([B, C], CALL, "kim", notion.send_all)
        )
        later = await reads.send_all([C, A], CALL, "kim", notion.send_all)
        return [paths(first), paths(second), paths(later), asyncio.get_running_loop().time()]

    assert in_virtual_time(both()) == [["a", "b"], ["b", "c"], ["c", "a"], 1.0]
    assert notion.sent == ["a", "b", "c"]


def test_another_credential_reads_for_itself(in_virtual_time: Any) -> None:
    notion, reads = Notion(), SharedReads(30.0)

    async def two() -> None:
        await reads.send_all([A], CALL, "kim", notion.send_all)
        await reads.send_all([A], CALL, "lee", notion.send_all)

    in_virtual_time(two())
    assert notion.sent == ["a", "a"]


def test_reads_are_forgotten_after_a_while_and_never_too_many(in_virtual_time: Any) -> None:
    notion, reads = Notion(), SharedReads(30.0)

    async def wait() -> int:
        await reads.send_all([A], CALL, "kim", notion.send_all)
        await asyncio.sleep(31)
        await reads.send_all([A], CALL, "kim", notion.send_all)
        for number in range(KEPT_READS + 20):
            await reads.send_all([HttpRequest("GET", str(number))], CALL, "kim", notion.send_all)
        return len(reads._reads)

    assert in_virtual_time(wait()) <= KEPT_READS + 1
    assert notion.sent[:2] == ["a", "a"]


def test_a_failed_read_is_not_kept(in_virtual_time: Any) -> None:
    notion, reads = Notion(broken=True), SharedReads(30.0)

    async def twice() -> list[Any]:
        first = await reads.send_all([A], CALL, "kim", notion.send_all)
        notion.broken = False
        return [paths(first), paths(await reads.send_all([A], CALL, "kim", notion.send_all))]

    assert in_virtual_time(twice()) == [[Unavailable], ["a"]]


def test_who_waits_for_a_read_that_is_broken_off_is_told_and_the_next_one_reads_anew(in_virtual_time: Any) -> None:
    notion, reads = Notion(), SharedReads(30.0)

    async def broken_off() -> list[Any]:
        reader = asyncio.create_task(reads.send_all([A], CALL, "kim", notion.send_all))
        await asyncio.sleep(0)
        waiter = asyncio.create_task(reads.send_all([A], CALL, "kim", notion.send_all))
        await asyncio.sleep(0.5)
        reader.cancel()
        await asyncio.gather(reader, return_exceptions=True)
        return [paths(await waiter), paths(await reads.send_all([A], CALL, "kim", notion.send_all))]

    assert in_virtual_time(broken_off()) == [[Unavailable], ["a"]]


def test_who_waits_waits_no_longer_than_its_own_time(in_virtual_time: Any) -> None:
    notion, reads = Notion(), SharedReads(30.0)

    async def impatient() -> list[Any]:
        reader = asyncio.create_task(reads.send_all([A], CALL, "kim", notion.send_all))
        await asyncio.sleep(0)
        waited = await reads.send_all([A], Call(timeout=0.2), "kim", notion.send_all)
        reads.clear()
        await asyncio.gather(reader, return_exceptions=True)
        return paths(waited)

    assert in_virtual_time(impatient()) == [Unavailable]
