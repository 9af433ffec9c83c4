"""What takes too long costs one question: its process is ended by its processor time, and the others go on."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from orchestrator.rank import RankMemo
from orchestrator.thinking import Mind, SharedNursery, StartsAgain, TookTooLong, Workers, nursery, open_mind, understood
from orchestrator.thinking.carrying import MOST
from orchestrator.thinking.worker import rehearse
from orchestrator.understand import Directory, DirectoryPerson
from tests.clock import HANGING
from tests.security.runaway import RANKING, runaway_mind

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

ROOT = Path(__file__).resolve().parents[2]
NOW = datetime(2026, 3, 4, tzinfo=UTC)
ATTACKS = [" 찾  " * 400 + "회의록x", " 찾...." * 250 + "회의록", "회의록" + " " * 1996 + "x", "빼고 http://x.y/z " * 110,
           "1월부터 2월까지 김민수님이 a" * 100, "가" * 2000, "일" * 2000, "?" * 2000, "-" * 2000, "a:" * 1000]  # fmt: skip


@pytest.fixture(scope="module")
def shared() -> Iterator[SharedNursery]:
    """A first process that has loaded everything, for all pools that do not need one of their own."""
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(str(ROOT))
        first = SharedNursery(runaway_mind, 1.0)
        yield first
        first.close()


@pytest.fixture
async def workers(shared: SharedNursery) -> AsyncIterator[Workers]:
    """Two processes, split off from one that was split off from the first."""
    pool = Workers(runaway_mind, 1.0, 2, shared.branch())
    yield pool
    await pool.aclose()


@pytest.fixture
async def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> AsyncIterator[Workers]:
    """Two processes that start from nothing and may leave memory in a folder."""
    monkeypatch.syspath_prepend(str(ROOT))
    pool = Workers(runaway_mind, 1.0, 2, folder=tmp_path)
    yield pool
    await pool.aclose()


def failing(_: Mind, word: str) -> None:
    raise LookupError(word)


def uncarried(_: Mind) -> Any:
    return lambda: None


def leaving(_: Mind) -> None:
    import os

    os._exit(7)


async def test_the_others_are_answered_while_one_does_not_end(workers: Workers) -> None:
    await workers.prepare()
    order: list[str] = []

    async def ask(text: str) -> None:
        try:
            await workers.run(understood, text, NOW)
            order.append(text)
        except TookTooLong:
            order.append("too long")

    async with asyncio.TaskGroup() as group:
        group.create_task(ask("trapunderstand"))
        for number in range(5):
            group.create_task(ask(f"회의록 {number}"))
    assert order == [*(f"회의록 {number}" for number in range(5)), "too long"]


async def test_more_runaways_than_processes_end_and_leave_room(workers: Workers) -> None:
    ended = await asyncio.gather(
        *(workers.run(understood, "trapunderstand", NOW) for _ in range(3)), return_exceptions=True
    )
    assert [type(each) for each in ended] == [TookTooLong] * 3
    assert (await workers.run(understood, "지난주 회의록", NOW)).text == "지난주 회의록"


async def test_what_goes_wrong_there_is_raised_here_and_the_process_stays(workers: Workers) -> None:
    with pytest.raises(LookupError, match="nobody") as raised:
        await workers.run(failing, "nobody")
    assert "in failing" in raised.value.__notes__[0]
    with pytest.raises(RuntimeError, match="cannot be carried"):
        await workers.run(uncarried)
    with pytest.raises(RuntimeError, match="has ended with 7"):
        await workers.run(leaving)
    assert (await workers.run(understood, "plan", NOW)).text == "plan"


async def test_directories_are_carried_once_and_each_call_reads_its_own(workers: Workers) -> None:
    offices = [Directory(people=(DirectoryPerson(f"Person{chr(65 + each)}son Vartanian"),)) for each in range(20)]
    for office in (*offices, *reversed(offices)):
        name = office.people[0].name
        query = await workers.run(understood, f"report by {name}", NOW, office, about=office)
        assert query.author is not None
        assert name in str(query)
    assert all(len(slot._known._known[Directory]) <= MOST for slot in workers._slots)


async def test_a_process_that_is_killed_from_outside_costs_nobody_an_answer(workers: Workers) -> None:
    await workers.run(understood, "plan", NOW)
    for slot in workers._slots:
        if slot._line is not None:
            os.kill(slot._line.process, signal.SIGKILL)
    assert (await workers.run(understood, "지난주 회의록", NOW)).text == "지난주 회의록"


async def test_the_first_process_is_started_again_and_nobody_waits_for_that_beyond_a_moment(
    alone: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    workers = alone
    monkeypatch.setattr(nursery, "PATIENCE", 0.0)
    await workers.run(understood, "plan", NOW)
    first, _ = await workers._nursery.started()
    assert first
    for process in [first.pid, *(slot._line.process for slot in workers._slots if slot._line)]:
        os.kill(process, signal.SIGKILL)
    with pytest.raises(StartsAgain):
        await workers.run(understood, "plan", NOW)
    async with asyncio.timeout(HANGING):
        while True:
            try:
                assert (await workers.run(understood, "배포 계획", NOW)).text == "배포 계획"
                break
            except StartsAgain:
                await asyncio.sleep(0.05)
    second, _ = await workers._nursery.started()
    assert second
    assert second.pid != first.pid


async def test_known_attacks_are_read_within_the_limit() -> None:
    """By processor time, which other work on the machine does not change; the limit is the shipped one."""
    pool = Workers(partial(open_mind, "factors", RANKING), 2.0, 1)
    try:
        for text in ATTACKS:
            await pool.run(understood, text[:2000], NOW)
    finally:
        await pool.aclose()


def test_a_question_of_many_names_and_days_costs_calls_as_it_is_long() -> None:
    """For each name the days of the question were gone through for each of its words: 14 million steps, near the limit."""
    mind = open_mind("factors", RANKING)

    def calls(times: int, letter: str) -> int:
        count = 0

        def one(frame: Any, *_: object) -> None:
            nonlocal count
            count += "understand" in frame.f_code.co_filename  # what is thrown away meanwhile may have calls of its own

        sys.setprofile(one)
        try:
            understood(mind, f"1월부터 2월까지 김민수님이 {letter}" * times, NOW)
        finally:
            sys.setprofile(None)
        return count

    for times in (40, 80):
        calls(times, "a")  # loads what is loaded once; what is remembered of a question is of no use to the next
    assert calls(80, "b") < 4 * calls(40, "b")


def noted(_: Mind, memo: RankMemo, what: str) -> tuple[int, list[str]]:
    """The process, and what was noted there of the question so far."""
    notes: list[str] = memo.__dict__.setdefault("notes", [])
    notes.append(what)
    return os.getpid(), notes


def noted_unless_trapped(mind: Mind, memo: RankMemo, what: str) -> None:
    noted(mind, memo, what)
    understood(mind, what, NOW)


async def test_what_is_read_ahead_is_known_where_the_question_goes_next(workers: Workers) -> None:
    questions = [RankMemo() for _ in range(2)]
    for what in ("first", "second"):
        for memo in questions:
            workers.ahead(noted, memo, what, about=memo)
    found = await asyncio.gather(*(workers.run(noted, memo, "third", about=memo) for memo in questions))
    later = await asyncio.gather(*(workers.run(noted, memo, "fourth", about=memo) for memo in questions))
    assert len({process for process, _ in found}) == 2
    for (process, notes), (same, more) in zip(found, later, strict=True):
        assert process == same
        assert notes == ["first", "third"]  # the second had had no turn yet, and the call carries all
        assert more == [*notes, "fourth"]


async def test_nobody_waits_for_what_others_read_ahead(workers: Workers) -> None:
    memo, other = RankMemo(), RankMemo()
    workers.ahead(noted_unless_trapped, memo, "trapunderstand", about=memo)
    await asyncio.sleep(0)
    _, notes = await workers.run(noted, other, "only", about=other)
    assert notes == ["only"]
    assert id(memo) in workers._reading


async def test_a_text_that_takes_too_long_ahead_costs_its_question_and_one_process_once(workers: Workers) -> None:
    memo = RankMemo()
    for what in ("trapunderstand", "plan"):
        workers.ahead(noted_unless_trapped, memo, what, about=memo)
    await asyncio.sleep(0)
    with pytest.raises(TookTooLong):
        await workers.run(noted, memo, "last", about=memo)
    workers.ahead(noted_unless_trapped, memo, "trapunderstand", about=memo)
    assert not workers._reading
    assert not workers._unread
    other = RankMemo()
    assert (await workers.run(noted, other, "only", about=other))[1] == ["only"]


async def test_what_was_read_ahead_by_a_process_that_is_killed_is_read_again(workers: Workers) -> None:
    memo = RankMemo()
    first, _ = await workers.run(noted, memo, "first", about=memo)
    os.kill(first, signal.SIGKILL)
    second, notes = await workers.run(noted, memo, "second", about=memo)
    assert second != first
    assert notes == ["second"]


async def test_whoever_stops_waiting_for_a_process_leaves_it_to_the_next(workers: Workers) -> None:
    await asyncio.gather(*(workers.run(noted, RankMemo(), "warm") for _ in range(2)))
    memos = [RankMemo() for _ in range(4)]
    calls = [asyncio.create_task(workers.run(noted, memo, "one", about=memo)) for memo in memos]
    await asyncio.sleep(0)
    calls[2].cancel()
    done = await asyncio.gather(*calls, return_exceptions=True)
    assert isinstance(done[2], asyncio.CancelledError)
    assert [each[1] for each in done if isinstance(each, tuple)] == [["one"]] * 3
    assert len(workers._idle) == 2


async def test_whoever_stops_waiting_just_when_a_process_is_free_leaves_it_to_the_next(workers: Workers) -> None:
    slots = [await workers._turn(None) for _ in range(2)]
    late = asyncio.create_task(workers.run(noted, RankMemo(), "late"))
    await asyncio.sleep(0)
    late.cancel()
    for slot in slots:
        workers._over(slot)
    await asyncio.wait([late])
    assert late.cancelled()
    assert len(workers._idle) == 2
    assert not workers._waiting


def has_morphology(_: Mind) -> bool:
    import sys

    return "kiwipiepy" in sys.modules


def has_memory_in(_: Mind, folder: Path) -> bool:
    return str(folder) in Path("/proc/self/maps").read_text("utf-8")


async def test_korean_is_learnt_when_it_is_first_needed_and_by_all_that_come_after(
    alone: Workers, tmp_path: Path
) -> None:
    workers = alone
    await workers.prepare(korean=False)
    assert await asyncio.gather(*(workers.run(has_morphology) for _ in range(4))) == [False] * 4
    impatient = asyncio.create_task(workers.prepare())
    await asyncio.sleep(0.05)
    impatient.cancel()
    await workers.prepare()
    assert await asyncio.gather(*(workers.run(has_morphology) for _ in range(4))) == [True] * 4
    assert await asyncio.gather(*(workers.run(has_memory_in, tmp_path) for _ in range(2))) == [True] * 2


async def test_who_needs_no_korean_does_not_wait_until_it_is_learnt(alone: Workers) -> None:
    """It takes seconds, and the one who learns splits nothing off in that time."""
    await alone.prepare(korean=False)
    first, _ = await alone._nursery.started()
    assert first
    first.send_signal(signal.SIGSTOP)  # it is at it until it is told otherwise
    learning = asyncio.create_task(alone.prepare())
    await asyncio.sleep(0.05)
    found = await asyncio.gather(*(alone.run(understood, "okta rollout", NOW) for _ in range(2)))
    assert not learning.done()
    first.send_signal(signal.SIGCONT)
    assert [each.keywords for each in found] == [("okta", "rollout")] * 2
    await learning
    assert (await alone.run(understood, "재택근무 규정 알려줘", NOW)).keywords == ("재택근무", "규정")


async def test_servers_share_what_theirs_are_split_off_from(shared: SharedNursery) -> None:
    pools = [Workers(runaway_mind, 1.0, 1, shared.branch()) for _ in range(2)]
    first, second = await asyncio.gather(*(pool.run(parents) for pool in pools))
    assert first[0] != second[0]
    assert first[1] == second[1]
    with pytest.raises(TookTooLong):
        await pools[0].run(understood, "trapunderstand", NOW)
    assert (await pools[0].run(parents))[1] == first[1]
    for pool in pools:
        await pool.aclose()


def parents(_: Mind) -> tuple[int, int]:
    """What this process was split off from, and what that was."""
    import os

    line = Path(f"/proc/{os.getppid()}/stat").read_text("utf-8")
    return os.getppid(), int(line.rpartition(")")[2].split()[1])


def loaded_by_a_question(mind: Mind, text: str, *, korean: bool) -> set[str]:
    """Modules that a question and its answer import, and tables of words that it makes."""
    import sys

    def loaded() -> set[str]:
        return {*sys.modules, *vars(mind.lexicon.bilingual)}

    before = loaded()
    rehearse(mind, NOW, korean=korean)
    understood(mind, text, NOW)
    return loaded() - before


async def test_the_first_question_loads_nothing(alone: Workers) -> None:
    for korean, text in (
        (False, "who owns the Okta rollout in Busan since March?"),
        (True, "지난달 옥타 전환 담당자가 누구였죠?"),
        (True, "도담봇 배포 담당자가 누구였죠?"),
    ):
        await alone.prepare(korean=korean)
        assert await alone.run(partial(loaded_by_a_question, korean=korean), text) == set(), text
