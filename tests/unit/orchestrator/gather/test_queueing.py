"""Nobody's hundred questions stand before another's first, and whoever comes knows how long that takes."""

import asyncio

import asyncio_throttle.throttler
import pytest

from connectors.manifest import Limits
from orchestrator.gather import Asking, Care, Deadline, Gate, PageCache, fan_out
from orchestrator.gather.queueing import Comer
from orchestrator.model import Lane, Principal, Status


class Clock:
    @staticmethod
    def monotonic():
        return asyncio.get_running_loop().time()


@pytest.fixture(autouse=True)
def _throttle_in_virtual_time(monkeypatch):
    monkeypatch.setattr(asyncio_throttle.throttler, "time", Clock)


async def passed(comers, had=(), most=None):
    """In which order (the first ``most`` of) them pass a gate that lets one through a second, after those that ``had`` passed before."""
    gate, order, enough = Gate(Limits(rate=len(had) + 1, period=60.0, page=10)), [], asyncio.Event()
    for comer in had:
        await gate.enter(comer=comer)

    async def one(comer):
        await gate.enter(comer=comer)
        order.append(comer)
        if len(order) == (most or len(comers)):
            enough.set()

    await gate.enter()
    waiting = []
    for comer in comers:
        waiting.append(asyncio.create_task(one(comer)))
        await asyncio.sleep(0)
    await enough.wait()
    for each in waiting:
        each.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    return order


def names(order):
    return "".join(each.person for each in order)


def test_a_hundred_questions_of_one_person_do_not_stand_before_the_first_of_another(in_virtual_time):
    many = [Comer(person="a", question=number) for number in range(100)]
    order = in_virtual_time(passed([*many, Comer(person="b", question=0), Comer(person="c", question=0)], most=4))
    assert names(order[:4]) == "abca"


def test_who_has_had_much_of_late_lets_others_go_first(in_virtual_time):
    had = [Comer(person="a", question=0)] * 3
    order = in_virtual_time(passed([Comer(person="a", question=1), *[Comer(person="b", question=2)] * 4], had))
    assert names(order) == "bbbab"


def test_the_first_request_of_each_of_ones_own_questions_goes_before_anothers_second(in_virtual_time):
    order = in_virtual_time(passed([*[Comer(person="a", question="long")] * 3, Comer(person="a", question="short")]))
    assert [each.question for each in order] == ["long", "short", "long", "long"]


def test_a_digest_waits_however_much_a_person_has_had(in_virtual_time):
    had = [Comer(person="a", question=0)] * 3
    order = in_virtual_time(passed([Comer(Lane.DIGEST, "b"), Comer(Lane.INTERACTIVE, "a")], had))
    assert names(order) == "ab"


def test_whoever_comes_is_told_how_long_their_own_turn_takes(in_virtual_time):
    """Two places a minute are taken, and four of one person wait: another's turn is the second, theirs the fifth."""

    async def story():
        gate = Gate(Limits(rate=2, period=60.0, page=10))
        for _ in range(2):
            await gate.enter(comer=Comer(person="a"))
        line = [asyncio.create_task(gate.enter(comer=Comer(person="a"))) for _ in range(4)]
        await asyncio.sleep(0)
        waits = gate.wait(comer=Comer(person="b")), gate.wait(comer=Comer(person="a"))
        for each in line:
            each.cancel()
        await asyncio.gather(*line, return_exceptions=True)
        return waits

    assert in_virtual_time(story()) == (pytest.approx(60.0), pytest.approx(180.0))


def test_a_question_waits_for_a_turn_within_its_own_time_and_the_receipt_says_so(kit, in_virtual_time):
    """One a second: of five that come at once three are answered within 3 s, two are told at once that there is no turn."""
    source = kit.Pretend("s", {"q": kit.page("a")}, delay=0.1, limits=kit.Limits(rate=1, period=1.0, page=10))
    sources = kit.sources(source)

    async def one(person):
        asking = Asking(Principal(person), Care(PageCache(0.0), 0, hedge=False), 1)
        started = asyncio.get_running_loop().time()
        outcomes = [
            each async for each in fan_out(kit.plan_of(kit.step("s")), sources, Deadline.of(3.0, 0.15, 0.1), asking)
        ]
        return outcomes[0], asyncio.get_running_loop().time() - started

    async def story():
        return await asyncio.gather(*(one(person) for person in "abcde"))

    told = in_virtual_time(story())
    assert [outcome.status for outcome, _ in told] == [Status.OK] * 3 + [Status.THROTTLED] * 2
    assert [round(outcome.waited) for outcome, _ in told] == [0, 1, 2, 0, 0]
    assert [bool(outcome.notes) for outcome, _ in told] == [False, True, True, False, False]
    assert "waited 2.0 s for its turn" in told[2][0].notes
    assert [round(took) for _, took in told] == [0, 1, 2, 0, 0]
