"""A source that keeps failing is left alone, tried again by one, and forgiven as soon as it works."""

import asyncio

import pytest

from orchestrator.gather.breaker import TRIAL, Breaker, Suspended
from orchestrator.gather.ledger import NoLedger
from orchestrator.model import Lane
from translators.said import Said, said_in


def test_it_opens_after_several_failures_of_a_kind_and_closes_on_the_first_success(in_virtual_time):
    async def story():
        breaker = Breaker()
        for _ in range(2):
            await breaker.failed("unavailable", "HTTP 503")
            await breaker.check()
        assert breaker.describe() == ""
        await breaker.failed("unavailable", "HTTP 503")
        with pytest.raises(Suspended, match=r"failed 3 times .unavailable: HTTP 503") as refusal:
            await breaker.check()
        assert refusal.value.retry_after == pytest.approx(10.0)
        assert breaker.describe() == "left alone for 10 s more (unavailable)"
        await asyncio.sleep(10.0)
        assert breaker.describe() == "will be tried again (unavailable)"
        await breaker.check()
        with pytest.raises(Suspended, match="until another question has tried it"):
            await breaker.check()
        await breaker.worked()
        await breaker.check()
        assert breaker.describe() == ""

    in_virtual_time(story())


def test_questions_that_were_under_way_when_it_opened_do_not_make_minutes_of_a_moment(in_virtual_time):
    async def story():
        breaker = Breaker()
        for _ in range(12):
            await breaker.failed("unavailable")
        with pytest.raises(Suspended) as refusal:
            await breaker.check()
        return refusal.value.retry_after

    assert in_virtual_time(story()) == pytest.approx(10.0)


def test_what_does_not_answer_is_tried_within_a_minute_however_long_it_was_away(in_virtual_time):
    async def story():
        breaker = Breaker()
        for _ in range(40):
            await breaker.failed("timed_out")
            await asyncio.sleep(60.0)
            await breaker.check()

    in_virtual_time(story())


def test_a_failed_trial_doubles_the_rest_up_to_a_limit(in_virtual_time):
    async def story():
        breaker, rests = Breaker(), []
        for _ in range(2):
            await breaker.failed("bad_reply")
        for _ in range(9):
            while not breaker.describe().startswith("left alone"):
                await breaker.failed("bad_reply")
            with pytest.raises(Suspended) as refusal:
                await breaker.check()
            rests.append(refusal.value.retry_after)
            await asyncio.sleep(refusal.value.retry_after)
            await breaker.check()
        return rests

    rests = in_virtual_time(story())
    assert rests[:4] == pytest.approx([30.0, 60.0, 120.0, 240.0])
    assert rests[-1] == pytest.approx(300.0)


def test_kinds_are_counted_apart_and_questions_of_ours_are_not_counted(in_virtual_time):
    async def story():
        breaker = Breaker()
        for _ in range(2):
            await breaker.failed("unavailable")
            await breaker.failed("timed_out")
        for _ in range(50):
            await breaker.failed("rejected")
            await breaker.failed("throttled")
        await breaker.check()
        await breaker.failed("unauthenticated", "token revoked")
        with pytest.raises(Suspended, match="unauthenticated: token revoked"):
            await breaker.check()

    in_virtual_time(story())


def test_a_trial_whose_asker_left_is_passed_on(in_virtual_time):
    async def story():
        breaker = Breaker()
        await breaker.failed("misconfigured")
        await asyncio.sleep(60)
        await breaker.check()
        breaker.let_go()
        await breaker.check()

    in_virtual_time(story())


class Shared(NoLedger):
    """What one process keeps and another finds."""

    def __init__(self):
        self.kept = {}

    async def put(self, key, value, ttl):
        self.kept[key] = (value, asyncio.get_running_loop().time() + ttl)

    async def get(self, key):
        value, until = self.kept.get(key, (b"", 0.0))
        left = until - asyncio.get_running_loop().time()
        return (value, left) if left > 0 else None

    async def forget(self, key):
        self.kept.pop(key, None)


@pytest.mark.parametrize("earlier", [False, True])
def test_another_process_hears_why_in_both_languages(in_virtual_time, earlier):
    async def story():
        ledger = Shared()
        await Breaker("s", ledger).failed("unauthenticated", Said.given({"en": "no token", "ko": "토큰이 없습니다"}))
        if earlier:  # one that knows English only
            ledger.kept.clear()
            await ledger.put("rest:s", b'["unauthenticated", "no token", 1]', 15.0)
        with pytest.raises(Suspended, match=r"left alone for 15 s more.*unauthenticated: no token") as refusal:
            await Breaker("s", ledger).check()
        said = "no token" if earlier else "토큰이 없습니다"
        assert said_in(refusal.value.message, "ko") == (
            f"앞으로 15초 동안 묻지 않습니다. 1번 잇달아 실패했습니다(unauthenticated: {said})"
        )

    in_virtual_time(story())


def test_a_rest_ends_where_another_process_found_that_the_source_works_again(in_virtual_time):
    """Each doubles its own rest: one that was unlucky left a source alone for most of a minute that the other asked."""

    async def story():
        ledger, loop = Shared(), asyncio.get_running_loop()
        unlucky, lucky = Breaker("s", ledger), Breaker("s", ledger)
        for _ in range(3):
            await unlucky.failed("timed_out")
            await lucky.failed("timed_out")
        await asyncio.sleep(10)
        await unlucky.check()
        await unlucky.failed("timed_out")
        await unlucky.hear()
        assert unlucky.rests
        await asyncio.sleep(1)
        began = loop.time()
        await lucky.worked()
        await unlucky.check()
        assert loop.time() == began
        with pytest.raises(Suspended, match="until another question has tried it"):
            await unlucky.check()
        await unlucky.failed("timed_out")  # not to this one, which takes back what was said
        for _ in range(3):
            with pytest.raises(Suspended) as refusal:
                await unlucky.check()
        assert refusal.value.retry_after == pytest.approx(40.0)

    in_virtual_time(story())


def rested(breaker):
    """As it stands when its first rest is over."""

    async def go():
        await breaker.failed("misconfigured")
        await asyncio.sleep(15)

    return go()


def test_a_trial_has_seconds_of_its_own(in_virtual_time):
    """Whoever tries may have minutes for an answer; the others do not wait for that."""

    async def story():
        breaker = Breaker()
        await rested(breaker)
        await breaker.check()
        await asyncio.sleep(TRIAL - 0.1)
        with pytest.raises(Suspended):
            await breaker.check()
        await asyncio.sleep(0.1)
        await breaker.check()
        with pytest.raises(Suspended):
            await breaker.check()

    in_virtual_time(story())


def test_a_person_does_not_wait_for_a_digest_that_tries(in_virtual_time):
    async def story():
        breaker = Breaker()
        await rested(breaker)
        await breaker.check(Lane.DIGEST)
        with pytest.raises(Suspended):
            await breaker.check(Lane.DIGEST)
        await breaker.check(Lane.INTERACTIVE)
        with pytest.raises(Suspended):
            await breaker.check(Lane.INTERACTIVE)
        with pytest.raises(Suspended):
            await breaker.check(Lane.DIGEST)

    in_virtual_time(story())
