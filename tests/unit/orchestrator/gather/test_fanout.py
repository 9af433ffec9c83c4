"""Whatever the sources do, the fan-out ends in time and every source has exactly one outcome."""

import asyncio
from contextlib import aclosing
from dataclasses import replace

import pytest

from connectors.errors import BadReply, Forbidden, Misconfigured, Rejected, Throttled, Unauthenticated, Unavailable
from orchestrator.gather import Deadline, fan_out
from orchestrator.model import Status
from tests.unit.orchestrator.gather.conftest import gather
from translators.said import said_in


def test_total_time_is_that_of_the_slowest_source(kit, in_virtual_time):
    connectors = [kit.Pretend(f"s{n}", {"q": kit.page(*"abc")}, delay=n / 10) for n in range(1, 6)]
    plan = kit.plan_of(*(kit.step(each.name) for each in connectors))
    arrived, left = in_virtual_time(gather(plan, kit.sources(*connectors)))
    assert [at for at, _ in arrived.values()] == [0.1, 0.2, 0.3, 0.4, 0.5]
    assert left == []


def test_a_hanging_source_is_cancelled_at_the_deadline_and_named(kit, in_virtual_time):
    quick, hangs = kit.Pretend("quick", {"q": kit.page(*"abc")}), kit.Pretend("hangs", {}, delay=30)
    plan = kit.plan_of(kit.step("quick"), kit.step("hangs"))
    arrived, left = in_virtual_time(gather(plan, kit.sources(quick, hangs)))
    assert arrived["quick"][1].status is Status.OK
    at, outcome = arrived["hangs"]
    assert (at, outcome.status, outcome.problem.code) == (2.85, Status.TIMED_OUT, "timed_out")
    assert hangs.cancelled
    assert left == []


def test_a_source_that_ignores_cancellation_delays_nobody(kit, in_virtual_time):
    quick, stubborn = (
        kit.Pretend("quick", {"q": kit.page(*"abc")}),
        kit.Pretend("stubborn", {}, delay=30, stubborn=True),
    )
    plan = kit.plan_of(kit.step("quick"), kit.step("stubborn"))
    arrived, _ = in_virtual_time(gather(plan, kit.sources(quick, stubborn)))
    at, outcome = arrived["stubborn"]
    assert at <= 3.0
    assert outcome.status is Status.TIMED_OUT


@pytest.mark.parametrize(
    ("failure", "status", "code"),
    [
        (Unavailable("down"), Status.FAILED, "unavailable"),
        (Throttled("slow down", 7.0), Status.THROTTLED, "throttled"),
        (Unauthenticated("sign in"), Status.DENIED, "unauthenticated"),
        (Forbidden("no scope"), Status.DENIED, "forbidden"),
        (Rejected("bad query", "x:y"), Status.FAILED, "rejected"),
        (BadReply("HTML"), Status.FAILED, "bad_reply"),
        (Misconfigured("wrong url"), Status.NOT_CONNECTED, "misconfigured"),
        (RuntimeError("token=xoxp-secret"), Status.FAILED, "connector_bug"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else str(value),
)
def test_every_failure_becomes_an_outcome_and_hurts_no_other(kit, in_virtual_time, capsys, failure, status, code):
    bad, good = kit.Pretend("bad", {"q": failure}), kit.Pretend("good", {"q": kit.page(*"abc")})
    arrived, _ = in_virtual_time(gather(kit.plan_of(kit.step("bad"), kit.step("good")), kit.sources(bad, good)))
    outcome = arrived["bad"][1]
    assert (outcome.status, outcome.problem.code) == (status, code)
    assert "xoxp-secret" not in f"{outcome}{''.join(capsys.readouterr())}"
    assert arrived["good"][1].status is Status.OK


def test_retry_after_is_told_and_the_gate_stays_shut(kit, in_virtual_time):
    bad = kit.Pretend("bad", {"q": Throttled("slow down", 7.0)})
    sources, plan = kit.sources(bad), kit.plan_of(kit.step("bad"))

    async def twice():
        first, _ = await gather(plan, sources)
        second, _ = await gather(plan, sources)
        await asyncio.sleep(7)
        bad.replies["q"] = kit.page(*"abc")
        third, _ = await gather(plan, sources)
        return first["bad"][1], second["bad"][1], third["bad"][1]

    first, second, third = in_virtual_time(twice())
    assert first.problem.retry_after == 7.0
    assert second.status is Status.THROTTLED
    assert second.requests == 0
    assert third.status is Status.OK


def test_with_too_little_time_left_a_source_is_not_asked_and_says_so(kit, in_virtual_time):
    source = kit.Pretend("s", {"q": kit.page("a")})
    arrived, _ = in_virtual_time(gather(kit.plan_of(kit.step("s")), kit.sources(source), budget=0.2))
    assert arrived["s"][1].problem.code == "no_time"
    assert source.calls == []


def test_leaving_early_cancels_the_rest(kit, in_virtual_time):
    quick, slow = kit.Pretend("quick", {"q": kit.page("a")}, delay=0.1), kit.Pretend("slow", {}, delay=30)

    async def leave():
        plan = kit.plan_of(kit.step("quick"), kit.step("slow"))
        deadline = Deadline.of(3.0, 0.15, 0.1)
        async with aclosing(fan_out(plan, kit.sources(quick, slow), deadline, kit.asking(1))) as outcomes:
            async for _ in outcomes:
                break
        return asyncio.get_running_loop().time()

    assert in_virtual_time(leave()) < 0.3
    assert slow.cancelled


def test_cancelling_the_question_cancels_every_source(kit, in_virtual_time):
    slow = kit.Pretend("slow", {}, delay=30)

    async def cancel():
        task = asyncio.create_task(gather(kit.plan_of(kit.step("slow")), kit.sources(slow)))
        await asyncio.sleep(0.5)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    in_virtual_time(cancel())
    assert slow.cancelled


def test_the_principal_and_the_time_left_travel_with_the_call(kit, in_virtual_time):
    source = kit.Pretend("s", {"q": kit.page("a")})
    source.manifest = source.manifest.model_copy(update={"by_asker": True})
    in_virtual_time(gather(kit.plan_of(kit.step("s")), kit.sources(source)))
    _, call = source.calls[0]
    assert call.principal == "kim"
    assert call.timeout == pytest.approx(2.85)


@pytest.mark.parametrize(("delay", "rests"), [(0.34, False), (0.02, True)])
def test_who_was_given_too_little_time_has_not_failed(kit, in_virtual_time, delay, rests):
    """A connector says "no answer" as its time runs out: of a second that says nothing of the source, of the rest of one neither."""
    source = kit.Pretend("s", {"q": Unavailable("no answer")}, delay=delay)
    sources = kit.sources(source)

    async def story():
        for _ in range(4):
            await gather(kit.plan_of(kit.step("s")), sources, budget=0.5)
        return sources["s"].breaker.rests

    assert in_virtual_time(story()) is rests


def test_what_a_source_still_allows_is_told_in_questions_once_some_were_asked(kit, in_virtual_time):
    """Two requests a question; a second round of a question counts with it. Before the first nothing is claimed."""

    async def scenario():
        few = kit.Limits(rate=12, period=60.0, page=100)
        slack = kit.Pretend("slack", {"q": kit.page(), "r": kit.page("1")}, limits=few)
        sources = kit.sources(slack)
        before = await sources["slack"].standing()
        plan = kit.plan_of(kit.step("slack", kit.rung("q"), kit.rung("r")))
        await gather(plan, sources)
        after = await sources["slack"].standing()
        await gather(kit.plan_of(kit.step("slack", kit.rung("r"))), sources, asking=replace(kit.asking(), further=True))
        return before, after, await sources["slack"].standing()

    before, after, further = in_virtual_time(scenario())
    assert (before.free, before.questions) == (12, None)
    assert str(before.said) == "12 questions a minute at most, at one request each; 12 of 12 requests in 60 s left"
    assert (after.free, after.questions, after.questions_a_minute) == (10, 5, 6.0)
    assert str(after.said).startswith("about 5 more questions now and 6 a minute, at 2.0 requests each; 10 of 12")
    assert said_in(after.said, "ko").startswith(
        "지금 질문 5개쯤 더, 1분에 6개쯤(질문마다 요청 2.0개); 60초에 요청 12개 중 10개 남음"
    )
    assert (further.free, further.cost) == (9, 2.3)
