"""The law of digests: what counts as read has been read, whatever a source is like and wherever it fails."""

import random
from datetime import timedelta

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from orchestrator.digests.scanning import ScanOptions, ScanWindow, scan
from orchestrator.model import Principal
from tests.unit.orchestrator.digests.world import START, Diary, engine_over, events_of, troubled
from translators.match import happened

BY = st.sampled_from(["second", "second", "day", "nothing"])
SHARE = st.sampled_from([0.0, 0.1, 0.3])


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(BY, st.booleans(), st.integers(1, 7), st.integers(4, 30), SHARE, st.integers(0, 10**6), st.integers(1, 20))
def test_everything_before_the_end_of_what_is_known_was_found(
    in_virtual_time, by, newest_first, page, hits, share, seed, days
):
    diary = Diary("notes", events_of("notes", seed), by, newest_first, page, troubled(random.Random(seed), share))
    since = START + timedelta(seconds=seed % (9 * 86400))
    span = ScanWindow("notes", since, since + timedelta(days=days))

    async def scanned():
        async with engine_over(diary) as engine:
            return await scan(engine, ScanOptions(Principal(), span.until, budget=60.0, hits=hits), [span])

    (found,) = in_virtual_time(scanned())
    got = {hit.id for hit in found.outcome.hits} if found.outcome else set()
    known = [each for each in diary.events if span.since <= happened(each) < found.covered]
    missed = [each for each in known if each.id not in got]
    dense = "more than" in found.problem
    assert span.since <= found.covered <= span.until
    assert not missed or dense, "what was not read is before the end only where nobody could read it, and is named"
    assert not (dense and by == "second" and page > 1), "time parts what a source can tell apart"
    if found.covered < span.until:
        assert found.problem, "a range that ends early says why"
    elif share == 0 and by == "second" and page > 1:
        assert not found.problem
