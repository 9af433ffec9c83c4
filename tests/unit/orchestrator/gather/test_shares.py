"""What one process may take of a shared rate while it cannot ask the others."""

import random

from orchestrator.gather.shares import UNKNOWN, OwnPasses


def test_alone_a_process_takes_its_share_and_no_more():
    passes = OwnPasses()
    assert [passes.take_alone(100.0, 20, 60.0, 4, heard=0.0) for _ in range(5)] == [0.0] * 5
    assert passes.take_alone(110.0, 20, 60.0, 4, heard=0.0) == 50.0
    assert passes.take_alone(160.0, 20, 60.0, 4, heard=0.0) == 0.0


def test_what_the_others_were_heard_to_have_taken_is_not_taken_again():
    passes = OwnPasses()
    passes.taken(100.0, 60.0, 18)
    assert passes.take_alone(101.0, 20, 60.0, 2, heard=100.0) == 0.0
    assert passes.take_alone(101.0, 20, 60.0, 2, heard=100.0) == 0.0
    assert passes.take_alone(101.0, 20, 60.0, 2, heard=100.0) > 0.0, "20 are taken, 17 of them by others"
    full = OwnPasses()
    full.taken(100.0, 60.0, 20)
    full.others = 20
    assert full.take_alone(101.0, 20, 60.0, 2, heard=100.0) == 59.0


def test_what_the_others_may_have_taken_unheard_is_waited_for():
    fresh = OwnPasses()
    assert fresh.take_alone(100.0, 20, 60.0, 2, heard=99.0) == UNKNOWN
    assert fresh.take_alone(163.0, 20, 60.0, 2, heard=99.5) == 0.0, "its share was left to it for a whole period"
    long_ago = OwnPasses()
    long_ago.taken(100.0, 60.0, 1)
    assert long_ago.take_alone(120.0, 20, 60.0, 2, heard=119.0) == UNKNOWN


def test_a_share_of_less_than_one_is_one_in_a_longer_time():
    passes = OwnPasses()
    assert passes.take_alone(10.0, 1, 1.0, 4, heard=0.0) == 0.0
    assert passes.take_alone(11.5, 1, 1.0, 4, heard=0.0) == 2.5


def test_processes_that_hear_nothing_of_each_other_stay_within_the_rate_together():
    rng = random.Random(7)
    for _ in range(200):
        sharers = rng.randrange(1, 6)
        rate, period = rng.randrange(sharers, 30), 10.0
        everybody = [OwnPasses() for _ in range(sharers)]
        moments = sorted(rng.uniform(50.0, 100.0) for _ in range(200))
        times = [now for now in moments if not rng.choice(everybody).take_alone(now, rate, period, sharers, heard=0.0)]
        assert all(later - first > period - 1e-6 for first, later in zip(times, times[rate:], strict=False))
