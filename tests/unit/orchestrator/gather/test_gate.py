"""The gate keeps a source's rate, in order of arrival, and honours its pauses."""

import asyncio

import asyncio_throttle.throttler
import pytest

from connectors.errors import Throttled
from connectors.manifest import Limits, Rate
from orchestrator.gather import Deadline, Gate, fan_out
from orchestrator.gather.gate import LONGEST_PAUSE, TRIAL
from orchestrator.gather.ledger import NoLedger, RateDecision
from orchestrator.gather.queueing import Comer
from orchestrator.model import Lane, Status
from translators.said import said_in


@pytest.fixture
def _throttle_in_virtual_time(monkeypatch):
    """asyncio-throttle reads the wall clock; here it reads the loop's."""

    class Clock:
        @staticmethod
        def monotonic():
            return asyncio.get_running_loop().time()

    monkeypatch.setattr(asyncio_throttle.throttler, "time", Clock)


@pytest.mark.usefixtures("_throttle_in_virtual_time")
def test_no_window_holds_more_than_the_rate(in_virtual_time):
    async def rush():
        gate = Gate(Limits(rate=5, period=1.0, page=10))
        passed = []

        async def one(number):
            await gate.enter()
            passed.append((asyncio.get_running_loop().time(), number))

        await asyncio.gather(*map(one, range(20)))
        return passed

    passed = in_virtual_time(rush())
    assert [number for _, number in passed] == list(range(20))
    times = [at for at, _ in passed]
    assert all(later - earlier > 1.0 for earlier, later in zip(times, times[5:], strict=False))
    assert times[-1] < 3.2


def test_a_pause_refuses_at_once_and_ends(in_virtual_time):
    async def pause():
        gate = Gate(Limits(rate=5, period=1.0, page=10))
        await gate.pause(4.0)
        await gate.pause(1.0)
        await asyncio.sleep(2.0)
        with pytest.raises(Throttled) as refusal:
            await gate.enter()
        await asyncio.sleep(2.0)
        await gate.enter()
        return refusal.value.retry_after

    assert in_virtual_time(pause()) == pytest.approx(2.0)


def test_a_pause_of_unknown_length_has_a_default(in_virtual_time):
    async def pause():
        gate = Gate(Limits(rate=5, period=1.0, page=10))
        await gate.pause(None)
        return gate.remaining_pause()

    assert in_virtual_time(pause()) == pytest.approx(10.0)


def test_a_waiter_that_is_cancelled_frees_its_place(in_virtual_time):
    async def leave():
        gate = Gate(Limits(rate=1, period=1000.0, page=10))
        await gate.enter()
        waiter = asyncio.create_task(gate.enter())
        await asyncio.sleep(0)
        waiter.cancel()
        await asyncio.gather(waiter, return_exceptions=True)
        await asyncio.sleep(0)
        others = asyncio.all_tasks() - {asyncio.current_task()}
        return gate._allowance("")._line, others

    assert in_virtual_time(leave()) == ([], set())


@pytest.mark.usefixtures("_throttle_in_virtual_time")
def test_waiting_for_our_own_limit_is_told_apart_from_a_slow_source(kit, in_virtual_time):
    source = kit.Pretend("s", {"q": kit.page("a")}, limits=kit.Limits(rate=1, period=1000.0, page=10))
    sources = kit.sources(source)

    async def exhaust():
        await sources["s"].gate.enter()
        outcomes = fan_out(kit.plan_of(kit.step("s")), sources, Deadline.of(1.0, 0.1, 0.1), kit.asking(1))
        return [outcome async for outcome in outcomes]

    (outcome,) = in_virtual_time(exhaust())
    assert (outcome.status, outcome.problem.code) == (Status.THROTTLED, "own_rate_limit")
    assert "1 requests in 1000 s" in outcome.problem.message
    assert (outcome.took, outcome.problem.retry_after) == (pytest.approx(0.0, abs=0.01), 1000.0)  # told at once


@pytest.mark.usefixtures("_throttle_in_virtual_time")
def test_who_comes_now_knows_how_long_the_line_is(in_virtual_time):
    """Two places a minute, both taken 20 s ago: the first has a turn in 40 s, the third a minute later."""

    async def wait():
        gate = Gate(Limits(rate=2, period=60.0, page=10))
        empty = gate.wait()
        for _ in range(2):
            await gate.enter()
        await asyncio.sleep(20)
        waits, line = [], []
        for lane in (Lane.INTERACTIVE, Lane.INTERACTIVE, Lane.DIGEST):
            waits.append(gate.wait(comer=Comer(lane)))
            line.append(asyncio.create_task(gate.enter(comer=Comer(lane))))
            await asyncio.sleep(0)
        waits.append(gate.wait())  # a person goes before the digest
        for each in line:
            each.cancel()
        await asyncio.gather(*line, return_exceptions=True)
        return empty, waits

    empty, waits = in_virtual_time(wait())
    assert empty == 0.0
    assert waits == [pytest.approx(each) for each in (40.0, 40.0, 100.0, 100.0)]


@pytest.mark.usefixtures("_throttle_in_virtual_time")
def test_somebody_who_leaves_at_the_last_moment_does_not_hold_up_the_line(in_virtual_time):
    async def leave():
        gate = Gate(Limits(rate=1, period=1.0, page=10))
        await gate.enter()
        first, second = (asyncio.create_task(gate.enter()) for _ in range(2))
        await asyncio.sleep(0.5)
        gate._allowance("")._line[0].granted.cancel()  # cancelled, and its task has not run since
        await asyncio.wait_for(second, 5.0)
        return first.cancelled()

    assert in_virtual_time(leave())


@pytest.mark.usefixtures("_throttle_in_virtual_time")
def test_a_place_that_is_free_is_taken_without_a_watcher(in_virtual_time):
    """Nearly every request finds one free; who finds none waits in line, and is not overtaken by who comes later."""

    async def come():
        gate = Gate(Limits(rate=2, period=1.0, page=10))
        for _ in range(2):
            await gate.enter()
        alone = len(asyncio.all_tasks())
        spare, passed = gate.spare, []

        async def one(name):
            await gate.enter()
            passed.append(name)

        waiting = asyncio.create_task(one("first"))
        await asyncio.sleep(0.999)
        late = asyncio.create_task(one("second"))
        await asyncio.gather(waiting, late)
        return alone, spare, passed

    assert in_virtual_time(come()) == (1, 0.0, ["first", "second"])


def test_what_was_used_is_forgotten_with_its_window(in_virtual_time):
    async def use():
        gate = Gate(Limits(rate=1000, period=1.0, page=10))
        for _ in range(250):
            await gate.enter()
        before = gate.spare
        await asyncio.sleep(1.0)
        return before, gate.spare, len(gate._allowances[""]._passed)

    assert in_virtual_time(use()) == (0.75, 1.0, 0)


class Told(NoLedger):
    """What other processes hear."""

    def __init__(self):
        self.pauses = []

    async def pause(self, key, seconds):
        self.pauses.append(seconds)


class BrieflyPaused(NoLedger):
    """Says that there is a pause, of so short a time that it is over before anybody is let through; then has passes."""

    def __init__(self):
        self.given = 0

    async def take(self, key, rate, period):
        self.given += 1
        return RateDecision(pause=1e-9) if self.given == 1 else RateDecision()


async def test_whoever_waited_for_a_pause_that_is_over_by_then_has_a_pass_of_their_own():
    ledger = BrieflyPaused()
    await Gate(Limits(rate=5, period=1.0, page=10), "s", ledger).enter()
    assert ledger.given == 2, "one was let through without any"


@pytest.mark.usefixtures("_throttle_in_virtual_time")
def test_a_pause_of_eight_thousand_years_ends_in_minutes_with_a_trial(in_virtual_time):
    """A clock or a proxy that is wrong asks for it; nobody else may be told of such a pause either."""

    async def story():
        ledger = Told()
        gate = Gate(Limits(rate=50, period=1.0, page=10), "s", ledger)
        asked = Throttled("HTTP 429", 251_600_694_759.0)
        await gate.heed(asked)
        with pytest.raises(Throttled, match="one question tries it again in 300 s") as refusal:
            await gate.enter()
        assert "다시 시도합니다" in said_in(refusal.value.message, "ko")
        assert (asked.retry_after, ledger.pauses) == (LONGEST_PAUSE, [LONGEST_PAUSE])
        await asyncio.sleep(LONGEST_PAUSE)
        many = await asyncio.gather(*(gate.enter() for _ in range(10)), return_exceptions=True)
        assert many.count(None) == 1  # all but one wait for what becomes of that
        await asyncio.sleep(TRIAL)
        await asyncio.gather(*(gate.enter() for _ in range(10)))

    in_virtual_time(story())


@pytest.mark.usefixtures("_throttle_in_virtual_time")
def test_a_source_that_means_it_is_tried_once_in_a_while(kit, in_virtual_time):
    """Each trial finds that the pause still runs; a question is told in minutes, not in years."""
    source = kit.Pretend("s", {"q": Throttled("HTTP 429", 251_600_694_759.0)}, delay=0.1)
    sources = kit.sources(source)

    async def story():
        waits = []
        for _ in range(60):  # half an hour
            (outcome,) = [
                each
                async for each in fan_out(
                    kit.plan_of(kit.step("s")), sources, Deadline.of(3.0, 0.2, 0.1), kit.asking(1)
                )
            ]
            waits.append(outcome.problem.retry_after)
            await asyncio.sleep(30)
        return waits

    waits = in_virtual_time(story())
    assert max(waits) <= LONGEST_PAUSE
    assert 5 <= len(source.calls) <= 7


# ---- shares


def shares(in_virtual_time, gaps, *, expected=0.0, rate=20, spend=1):
    """What each question may send that comes after ``gaps`` seconds, where each before has sent ``spend`` requests at most."""

    async def story():
        gate, told = Gate(Limits(rate=rate, period=60.0, page=10), expected=expected), []
        for gap in gaps:
            await asyncio.sleep(gap)
            gate.arrived()
            told.append(gate.share())
            for _ in range(min(spend, told[-1])):
                await gate.enter()
        return told

    return in_virtual_time(story())


@pytest.mark.usefixtures("_throttle_in_virtual_time")
def test_a_question_alone_may_spend_what_there_is(in_virtual_time):
    assert shares(in_virtual_time, [0]) == [20]
    assert shares(in_virtual_time, [0, 600, 600], spend=20) == [20, 20, 20]


@pytest.mark.usefixtures("_throttle_in_virtual_time")
def test_a_server_reckons_with_more_from_the_start(in_virtual_time):
    assert shares(in_virtual_time, [0], expected=6.0) == [2]


@pytest.mark.usefixtures("_throttle_in_virtual_time")
def test_whoever_comes_gets_a_turn_where_one_comes_every_three_seconds(in_virtual_time):
    """Each sends its share, the first request in any case; nobody waits, and most of what is allowed is used."""

    async def story():
        gate, waits, sent = Gate(Limits(rate=20, period=60.0, page=10), expected=6.0), [], 0
        for _ in range(100):
            gate.arrived()
            waits.append(gate.wait())
            for _ in range(max(1, gate.share())):
                await gate.enter()
                sent += 1
            await asyncio.sleep(3.2)
        return max(waits), sent

    waited, sent = in_virtual_time(story())
    assert waited == 0.0
    assert sent >= 100


@pytest.mark.usefixtures("_throttle_in_virtual_time")
def test_what_has_been_sent_counts_as_part_of_a_share(in_virtual_time):
    async def story():
        gate = Gate(Limits(rate=20, period=60.0, page=10))
        gate.arrived()
        for _ in range(5):
            await gate.enter()
        return gate.share(5), gate.share()

    assert in_virtual_time(story()) == (15, 15)


@pytest.mark.usefixtures("_throttle_in_virtual_time")
def test_conversations_are_counted_apart_where_the_vendor_does(in_virtual_time):
    async def story():
        limits = Limits(
            rate=2, period=60.0, page=10, buckets={"talk": Rate(rate=50, period=60.0)}, conversations="talk"
        )
        gate = Gate(limits)
        gate.arrived()
        for _ in range(2):
            await gate.enter()
        return gate.share(2), gate.share(0, "talk")

    assert in_virtual_time(story()) == (0, 50)
