"""What one process may take of a rate that several share: while it can ask, and while it cannot."""

import random

import pytest

from orchestrator.gather.shares import SILENT, UNKNOWN, OwnPasses, SharedLog


def test_alone_for_long_a_process_takes_its_share_and_no_more():
    passes = OwnPasses()
    assert [passes.take_alone(100.0, 20, 60.0, 4, heard=0.0) for _ in range(5)] == [0.0] * 5
    assert passes.take_alone(110.0, 20, 60.0, 4, heard=0.0) == 50.0
    assert passes.take_alone(160.0, 20, 60.0, 4, heard=0.0) == 0.0


def test_at_first_it_takes_what_was_promised_for_as_long_as_that_holds():
    passes = OwnPasses()
    passes.told(99.0, 100.0, 60.0, 3, taken=True)
    assert [passes.take_alone(101.0, 20, 60.0, 2, heard=100.0) for _ in range(3)] == [0.0, 0.0, UNKNOWN]
    assert passes.tell(111.0, 60.0) == (10.0, 10.0)
    idle = OwnPasses()
    idle.told(40.0, 40.0, 60.0, 3, taken=True)
    assert idle.take_alone(100.0, 20, 60.0, 2, heard=99.0) == UNKNOWN, "it has not passed for a whole period"


def test_what_the_others_may_have_taken_unheard_is_waited_for():
    fresh = OwnPasses()
    assert fresh.take_alone(100.0, 20, 60.0, 2, heard=99.0) == UNKNOWN
    assert fresh.take_alone(163.0, 20, 60.0, 2, heard=99.5) == 0.0, "its share was left to it for a whole period"


def test_a_share_of_less_than_one_is_one_in_a_longer_time():
    passes = OwnPasses()
    assert passes.take_alone(10.0, 1, 1.0, 4, heard=0.0) == 0.0
    assert passes.take_alone(11.5, 1, 1.0, 4, heard=0.0) == 2.5


def test_a_promise_costs_whoever_asks_as_often_as_the_others_nothing():
    log = SharedLog()
    taken = [log.take(number / 10, 20, 60.0, "ab"[number % 2], 2)[0] for number in range(21)]
    assert taken.count(0.0) == 20
    assert (log.promised("a"), log.promised("b")) == (5, 5)
    other = SharedLog()
    assert other.take(0.0, 20, 60.0, "a", 2) == (0.0, 5)
    assert [other.take(1.0, 20, 60.0, "b", 2)[0] for _ in range(16)].count(0.0) == 15, "four are left for a"
    assert other.take(30.0, 20, 60.0, "b", 2)[0] == 30.0
    assert [other.take(120.0, 20, 60.0, "b", 2)[0] for _ in range(21)].count(0.0) == 20, "a has been idle for long"


def together_for(everybody, rng):
    """Whoever shares, each cut off from the log for a while, and unaware of that until the end of it."""
    rate, period = rng.randrange(1, 30), 10.0
    log, sharers = SharedLog(), len(everybody)
    away = [[rng.uniform(0, 100), rng.uniform(0, SILENT + period)] for _ in everybody]
    times = []
    for now in sorted(rng.uniform(0.0, 120.0) for _ in range(600)):
        number = rng.randrange(sharers)
        passes, (since, spell) = everybody[number], away[number]
        if since <= now < since + spell:
            wait = passes.take_alone(now, rate, period, sharers, heard=since)
        else:
            log.hear(now, str(number), passes.tell(now, period))
            wait, promised = log.take(now, rate, period, str(number), sharers)
            passes.told(now, now, period, promised, taken=not wait)
        if not wait:
            times.append(now)
    return times, rate, period


@pytest.mark.parametrize("seed", range(8))
def test_whoever_is_cut_off_all_stay_within_the_rate_together(seed):
    rng = random.Random(seed)
    for _ in range(20):
        everybody = [OwnPasses() for _ in range(rng.randrange(1, 6))]
        times, rate, period = together_for(everybody, rng)
        assert all(later - first > period - 1e-6 for first, later in zip(times, times[rate:], strict=False))


def test_processes_that_hear_nothing_of_each_other_stay_within_the_rate_together():
    rng = random.Random(7)
    for _ in range(200):
        sharers = rng.randrange(1, 6)
        rate, period = rng.randrange(sharers, 30), 10.0
        everybody = [OwnPasses() for _ in range(sharers)]
        moments = sorted(rng.uniform(50.0, 100.0) for _ in range(200))
        times = [now for now in moments if not rng.choice(everybody).take_alone(now, rate, period, sharers, heard=0.0)]
        assert all(later - first > period - 1e-6 for first, later in zip(times, times[rate:], strict=False))
