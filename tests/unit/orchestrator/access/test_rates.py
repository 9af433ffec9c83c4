"""A caller's rate: exact in any window, and nobody's affair but their own."""

from hypothesis import given
from hypothesis import strategies as st

from orchestrator.access import Rates
from orchestrator.access.rates import MOST_CALLERS
from orchestrator.gather.ledger import NoLedger, RateDecision
from orchestrator.gather.store_link import AWAY


class Lost(NoLedger):
    """A store that does not answer, so that nobody knows what others have let in."""

    trouble = AWAY

    async def take(self, key, rate, period):
        return RateDecision(wait=1.0)


async def test_a_caller_is_not_turned_away_because_the_store_is():
    rates = Rates(2, 60.0, lambda: 0.0, Lost())
    assert [await rates.enter("me") for _ in range(3)] == [0.0, 0.0, 60.0]


@given(gaps=st.lists(st.floats(0, 3), min_size=1, max_size=60), rate=st.integers(1, 5))
async def test_never_more_than_the_rate_in_any_window_and_the_wait_is_enough(gaps, rate):
    now, let_in = [0.0], []
    rates = Rates(rate, 2.0, lambda: now[0])
    for gap in gaps:
        now[0] += gap
        wait = await rates.enter("me")
        if wait:
            now[0] += wait + 1e-9
            assert await rates.enter("me") == 0.0
        let_in.append(now[0])
    for start in let_in:
        assert sum(1 for each in let_in if start <= each < start + 2.0) <= rate


async def test_callers_do_not_share():
    rates = Rates(1, 60.0, lambda: 0.0)
    assert await rates.enter("a") == 0.0
    assert await rates.enter("a") == 60.0
    assert await rates.enter("b") == 0.0


async def test_memory_is_bounded():
    rates = Rates(1, 60.0, lambda: 0.0)
    for number in range(MOST_CALLERS + 100):
        await rates.enter(str(number))
    assert len(rates._asked) == MOST_CALLERS
