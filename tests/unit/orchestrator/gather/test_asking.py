"""Second attempts, second requests, rungs in advance, memory and rest: what is sent, when, and never too much."""

import asyncio

import asyncio_throttle.throttler
import pytest

from connectors.errors import BadReply, Throttled, Unavailable
from orchestrator.gather import Deadline, Gate, PageCache, fan_out
from orchestrator.gather.habit import TELLING
from orchestrator.gather.queueing import Comer
from orchestrator.model import Lane, Principal, Status


@pytest.fixture(autouse=True)
def _throttle_in_virtual_time(monkeypatch):
    """asyncio-throttle reads the wall clock; here it reads the loop's."""

    class Clock:
        @staticmethod
        def monotonic():
            return asyncio.get_running_loop().time()

    monkeypatch.setattr(asyncio_throttle.throttler, "time", Clock)


async def ask(plan, sources, asking, budget=3.0):
    """The outcomes by source, and how long they took together."""
    loop = asyncio.get_running_loop()
    started = loop.time()
    outcomes = [outcome async for outcome in fan_out(plan, sources, Deadline.of(budget, 0.15, 0.1), asking)]
    return {outcome.source: outcome for outcome in outcomes}, round(loop.time() - started, 3)


class Flaky:
    """Replies in turn, whatever is asked; each after its own time."""

    def __init__(self, kit, *replies):
        self.inner = kit.Pretend("s", {})
        self.replies = list(replies)
        self.manifest, self.name = self.inner.manifest, "s"
        self.at = []

    async def prepare(self):
        pass

    async def search(self, native, call):
        await call.turn()
        self.at.append(round(asyncio.get_running_loop().time(), 3))
        delay, reply = self.replies.pop(0)
        await asyncio.sleep(delay)
        if isinstance(reply, Exception):
            raise reply
        return reply


@pytest.mark.parametrize("failure", [Unavailable("HTTP 503"), Throttled("slow down", 0.3)])
def test_what_may_have_passed_is_tried_once_more(kit, in_virtual_time, failure):
    source = Flaky(kit, (0.2, failure), (0.2, kit.page("a", "b", "c")))
    outcomes, took = in_virtual_time(ask(kit.plan_of(kit.step("s")), kit.sources(source), kit.asking()))
    assert outcomes["s"].status is Status.OK
    assert outcomes["s"].requests == 2
    assert took <= 0.7


@pytest.mark.parametrize(
    ("failure", "requests"), [(BadReply("HTML"), 1), (Throttled("slow down", 30.0), 1), (Unavailable("HTTP 503"), 2)]
)
def test_what_will_not_pass_in_time_is_not(kit, in_virtual_time, failure, requests):
    source = Flaky(kit, *[(0.2, failure)] * 5)
    outcomes, took = in_virtual_time(ask(kit.plan_of(kit.step("s")), kit.sources(source), kit.asking()))
    assert outcomes["s"].status in {Status.FAILED, Status.THROTTLED}
    assert outcomes["s"].requests == requests
    assert took < 0.7


def test_no_second_attempt_where_no_time_is_left(kit, in_virtual_time):
    source = Flaky(kit, (0.8, Unavailable("HTTP 503")), (0.2, kit.page("a")))
    sources = kit.sources(source)
    for _ in range(TELLING):
        sources["s"].latency.add(0.5)
    outcomes, _ = in_virtual_time(ask(kit.plan_of(kit.step("s")), sources, kit.asking(), budget=1.2))
    assert outcomes["s"].requests == 1


def test_a_failing_source_is_left_alone_and_tried_again(kit, in_virtual_time):
    source = Flaky(kit, *[(0.1, Unavailable("HTTP 503"))] * 4, (0.1, kit.page("a")))
    plan, sources = kit.plan_of(kit.step("s")), kit.sources(source)

    async def story():
        told = []
        for _ in range(3):
            outcomes, took = await ask(plan, sources, kit.asking())
            told.append((outcomes["s"].problem.code, outcomes["s"].requests, took))
        for _ in range(2):
            await asyncio.sleep(20)
            outcomes, _ = await ask(plan, sources, kit.asking(1))
            told.append((outcomes["s"].status, outcomes["s"].requests))
        return told

    first, second, third, trial, last = in_virtual_time(story())
    assert first[:2] == ("unavailable", 2)
    assert second[:2] == ("unavailable", 1), "the third failure in a row opens the breaker: no second attempt"
    assert third == ("suspended", 0, 0.0)
    assert trial == (Status.FAILED, 1)
    assert last == (Status.OK, 1)


def test_a_source_that_never_answers_is_left_alone_after_three_questions(kit, in_virtual_time):
    source = kit.Pretend("s", {}, delay=30)
    plan, sources = kit.plan_of(kit.step("s")), kit.sources(source)

    async def story():
        return [(await ask(plan, sources, kit.asking()))[1] for _ in range(4)]

    assert in_virtual_time(story()) == [2.85, 2.85, 2.85, 0.0]


def test_a_question_in_haste_is_not_held_against_the_source(kit, in_virtual_time):
    source = kit.Pretend("s", {}, delay=30)
    plan, sources = kit.plan_of(kit.step("s")), kit.sources(source)

    async def story():
        for _ in range(5):
            await ask(plan, sources, kit.asking(), budget=0.5)
        return sources["s"].breaker.describe()

    assert in_virtual_time(story()) == ""


def test_waiting_for_a_turn_with_us_is_not_held_against_the_source(kit, in_virtual_time):
    """It answers in 1.5 s whatever it is sent; three of six questions at once are sent too late for that."""
    source = kit.Pretend("s", {"q": kit.page("a")}, delay=1.5, limits=kit.Limits(rate=3, period=2.0, page=100))
    plan, sources = kit.plan_of(kit.step("s")), kit.sources(source)

    async def story():
        told = await asyncio.gather(*(ask(plan, sources, kit.asking(1)) for _ in range(6)))
        return [outcomes["s"].status for outcomes, _ in told], sources["s"].breaker.describe()

    statuses, breaker = in_virtual_time(story())
    assert sorted(statuses) == [Status.OK] * 3 + [Status.TIMED_OUT] * 3
    assert breaker == ""


# ---- second requests


def test_an_unusually_late_request_is_sent_once_more(kit, in_virtual_time):
    source = Flaky(kit, (2.5, kit.page("late")), (0.2, kit.page("quick")))
    sources = kit.sources(source)
    for _ in range(TELLING):
        sources["s"].latency.add(0.25)
    outcomes, took = in_virtual_time(ask(kit.plan_of(kit.step("s")), sources, kit.asking(1, hedge=True)))
    assert source.at == [0.0, 0.25]
    assert took == 0.45
    assert [hit.id for hit in outcomes["s"].hits] == ["quick"]


def test_a_second_request_that_fails_does_not_hurt_the_first(kit, in_virtual_time):
    source = Flaky(kit, (0.5, kit.page("late")), (0.1, BadReply("HTML")))
    sources = kit.sources(source)
    for _ in range(TELLING):
        sources["s"].latency.add(0.25)
    outcomes, took = in_virtual_time(ask(kit.plan_of(kit.step("s")), sources, kit.asking(1, hedge=True)))
    assert (outcomes["s"].status, took) == (Status.OK, 0.5)


def test_no_second_request_without_room_in_the_rate(kit, in_virtual_time):
    source = Flaky(kit, (0.5, kit.page("late")), (0.1, kit.page("quick")))
    source.manifest = source.manifest.model_copy(update={"limits": kit.Limits(rate=2, period=60.0, page=10)})
    sources = kit.sources(source)
    for _ in range(TELLING):
        sources["s"].latency.add(0.25)

    async def story():
        await sources["s"].gate.enter()
        return await ask(kit.plan_of(kit.step("s")), sources, kit.asking(1, hedge=True))

    outcomes, _ = in_virtual_time(story())
    assert outcomes["s"].requests == 1


# ---- rungs in advance


def test_broadening_costs_no_further_round_trip_while_the_rate_has_room(kit, in_virtual_time):
    replies = {"strict": kit.page(), "wider": kit.page("a"), "widest": kit.page("a", "b", "c")}
    rungs = [kit.rung("strict"), kit.rung("wider", dropped=("dates",)), kit.rung("widest", dropped=("dates", "일정"))]
    for ahead, expected in ((2, 0.2), (1, 0.4), (0, 0.6)):
        source = kit.Pretend("s", replies)
        plan, sources = kit.plan_of(kit.step("s", *rungs)), kit.sources(source)
        outcomes, took = in_virtual_time(ask(plan, sources, kit.asking(ahead=ahead)))
        assert took == expected
        assert outcomes["s"].broadened == "without dates, 일정"
        assert [hit.id for hit in outcomes["s"].hits] == ["a", "b", "c"]


def test_what_was_sent_in_advance_is_not_looked_at_when_the_strict_question_found_enough(kit, in_virtual_time):
    source = kit.Pretend("s", {"strict": kit.page("a", "b", "c"), "wider": kit.page("z")})
    plan = kit.plan_of(kit.step("s", kit.rung("strict"), kit.rung("wider", dropped=("dates",))))
    outcomes, _ = in_virtual_time(ask(plan, kit.sources(source), kit.asking(ahead=2)))
    assert [hit.id for hit in outcomes["s"].hits] == ["a", "b", "c"]
    assert [native.text for native in outcomes["s"].sent] == ["strict", "wider"], "the receipt tells what was sent"


def test_a_failure_in_advance_is_none_unless_it_is_needed(kit, in_virtual_time):
    source = kit.Pretend("s", {"strict": kit.page("a", "b", "c"), "wider": RuntimeError("bug")})
    plan = kit.plan_of(kit.step("s", kit.rung("strict"), kit.rung("wider", dropped=("dates",))))
    outcomes, _ = in_virtual_time(ask(plan, kit.sources(source), kit.asking(ahead=2)))
    assert outcomes["s"].status is Status.OK


def test_nothing_goes_out_in_advance_when_half_the_rate_is_used(kit, in_virtual_time):
    source = kit.Pretend("s", {"strict": kit.page("a", "b", "c")}, limits=kit.Limits(rate=4, period=60.0, page=10))
    plan = kit.plan_of(kit.step("s", kit.rung("strict"), kit.rung("wider", dropped=("dates",))))
    sources = kit.sources(source)

    async def story():
        for _ in range(3):
            await sources["s"].gate.enter()
        return await ask(plan, sources, kit.asking(ahead=2))

    outcomes, _ = in_virtual_time(story())
    assert [native.text for native in outcomes["s"].sent] == ["strict"]


def test_a_source_that_hardly_ever_needs_it_is_not_asked_in_advance_until_it_does_again(kit, in_virtual_time):
    rich = {"strict": kit.page("a", "b", "c"), "wider": kit.page("a", "b", "c")}
    source = kit.Pretend("s", rich, limits=kit.Limits(rate=1000, period=60.0, page=10))
    plan = kit.plan_of(kit.step("s", kit.rung("strict"), kit.rung("wider", dropped=("dates",))))
    sources = kit.sources(source)

    async def sent():
        outcomes, _ = await ask(plan, sources, kit.asking(ahead=2))
        return [native.text for native in outcomes["s"].sent]

    async def story():
        told = [await sent() for _ in range(12)]
        source.replies["strict"] = kit.page()
        return told[0], told[-1], [await sent() for _ in range(6)]

    first, last, poor = in_virtual_time(story())
    assert first == ["strict", "wider"]
    assert last == ["strict"]
    assert poor[0] == ["strict", "wider"], "it was needed, and so asked in a second round"
    assert sources["s"].habit.broadens


def test_a_rung_that_could_not_be_answered_in_time_is_not_asked_and_says_so(kit, in_virtual_time):
    source = kit.Pretend("s", {"strict": kit.page("a"), "wider": kit.page("b")}, delay=0.6)
    plan = kit.plan_of(kit.step("s", kit.rung("strict"), kit.rung("wider", dropped=("dates",))))
    sources = kit.sources(source)
    for _ in range(TELLING):
        sources["s"].latency.add(0.6)
    outcomes, took = in_virtual_time(ask(plan, sources, kit.asking(), budget=1.2))
    assert took == 0.6
    assert outcomes["s"].status is Status.OK
    assert outcomes["s"].notes == ("not asked further: it usually takes 0.60 s and 0.45 s were left",)


# ---- memory


def test_a_question_asked_again_is_remembered_and_says_how_long_ago(kit, in_virtual_time):
    source = kit.Pretend("s", {"q": kit.page("a", "b", "c")})
    plan, sources, asking = kit.plan_of(kit.step("s")), kit.sources(source), kit.asking(ttl=60.0)

    async def story():
        first, _ = await ask(plan, sources, asking)
        await asyncio.sleep(5)
        second, took = await ask(plan, sources, asking)
        return first["s"], second["s"], took

    first, second, took = in_virtual_time(story())
    assert (first.age, first.requests) == (None, 1)
    assert (second.age, second.requests, took) == (pytest.approx(5.0), 0, 0.0)
    assert first.hits == second.hits


def test_what_came_with_a_note_of_something_missing_is_asked_for_again(kit, in_virtual_time):
    source = kit.Pretend("s", {"q": kit.page("a", "b", "c", notes=("1 of 4 messages could not be read",))})
    plan, sources, asking = kit.plan_of(kit.step("s")), kit.sources(source), kit.asking(ttl=60.0)

    async def story():
        await ask(plan, sources, asking)
        return (await ask(plan, sources, asking))[0]["s"]

    assert in_virtual_time(story()).requests == 1


@pytest.mark.parametrize(
    ("by_asker", "told"),
    [(True, {("kim", ()), ("lee", ()), ("kim", ("leads",))}), (False, {("", ())})],
    ids=["who shows each what they may see", "who is asked by one sign-in for all"],
)
def test_what_is_asked_once_is_so_for_whoever_has_the_same_rights(kit, in_virtual_time, by_asker, told):
    """A source that is told of no asker cannot show one of them anything else; one that is told is asked by each."""
    source = kit.Pretend("s", {"q": kit.page("a", "b", "c")})
    source.manifest = source.manifest.model_copy(update={"by_asker": by_asker})
    plan, sources = kit.plan_of(kit.step("s")), kit.sources(source)
    kim, cache = kit.asking(ttl=60.0), PageCache(60.0)
    who = (Principal("kim"), Principal("lee"), Principal("kim", groups=("leads",)))
    askings = [type(kim)(each, type(kim.care)(cache, 0, hedge=False), kim.enough, kim.lane) for each in who]

    async def story():
        await asyncio.gather(*(ask(plan, sources, each) for each in (*askings, *askings)))

    in_virtual_time(story())
    assert len(source.calls) == len(told)
    assert {(call.principal, call.groups) for _, call in source.calls} == told


@pytest.mark.parametrize(
    ("first", "then", "requests"),
    [
        ("Payment outage cause", "cause payment outage", 1),
        ("결제 장애 after:2026-11-17", "장애 결제 after:2026-11-17", 1),
        ('"payment outage"', '"outage payment"', 2),
        ("bread OR wine cheese", "wine OR bread cheese", 2),
        ("in:C0AB", "in:c0ab", 2),
    ],
)
def test_what_differs_in_the_order_of_words_alone_is_asked_once(kit, in_virtual_time, first, then, requests):
    source = kit.Pretend("s", {first: kit.page("a"), then: kit.page("a")})
    sources, asking = kit.sources(source), kit.asking(ttl=60.0)

    async def story():
        for text in (first, then):
            await ask(kit.plan_of(kit.step("s", kit.rung(text))), sources, asking)

    in_virtual_time(story())
    assert len(source.calls) == requests


# ---- whose turn


def test_people_go_before_bots_before_digests_and_nobody_overtakes_their_own(kit, in_virtual_time):
    async def story():
        gate = kit.sources(kit.Pretend("s", {}, limits=kit.Limits(rate=1, period=1.0, page=10)))["s"].gate
        passed = []

        async def one(lane, number):
            await gate.enter("", Comer(lane))
            passed.append((lane, number))

        await gate.enter()
        lanes = [Lane.DIGEST, Lane.DIGEST, Lane.BOT, Lane.INTERACTIVE, Lane.BOT, Lane.INTERACTIVE]
        async with asyncio.TaskGroup() as group:
            for number, lane in enumerate(lanes):
                group.create_task(one(lane, number))
                await asyncio.sleep(0.01)
        return passed

    assert in_virtual_time(story()) == [
        (Lane.INTERACTIVE, 3),
        (Lane.INTERACTIVE, 5),
        (Lane.BOT, 2),
        (Lane.BOT, 4),
        (Lane.DIGEST, 0),
        (Lane.DIGEST, 1),
    ]


def test_a_bucket_that_is_spent_leaves_the_others_open(kit, in_virtual_time):
    async def story():
        gate = kit.sources(kit.Pretend("s", {}))["s"].gate
        await gate.pause(30.0, "search")
        with pytest.raises(Throttled):
            await gate.enter("search")
        await gate.enter("users")
        await gate.pause(30.0)
        with pytest.raises(Throttled):
            await gate.enter("users")

    in_virtual_time(story())


def test_a_trial_that_is_cut_off_while_it_is_told_of_is_passed_on(kit, in_virtual_time, monkeypatch):
    """A source that is never tried again, because who tried it could not say how that went, is lost until restart."""
    source = Flaky(kit, *[(0.1, Unavailable("HTTP 503"))] * 3, (0.1, Throttled("slow down", 0.1)), (0.1, kit.page("a")))
    sources = kit.sources(source)
    plan, asking = kit.plan_of(kit.step("s")), kit.asking(enough=1)

    async def story():
        await ask(plan, sources, asking)
        await ask(plan, sources, asking)
        assert sources["s"].breaker.rests
        await asyncio.sleep(60)
        heed = Gate.heed

        async def stuck(*_):
            await asyncio.sleep(1000)

        monkeypatch.setattr(Gate, "heed", stuck)
        await ask(plan, sources, asking)
        monkeypatch.setattr(Gate, "heed", heed)
        found, _ = await ask(plan, sources, asking)
        return found["s"]

    assert in_virtual_time(story()).status is Status.OK


def test_a_slow_digest_that_tries_a_source_keeps_nobody_from_it(kit, in_virtual_time):
    """It has five minutes for its answer, and they were refused all that time."""
    source = Flaky(kit, *[(0.1, Unavailable("HTTP 503"))] * 3, (299.0, kit.page("late")), *[(0.1, kit.page("a"))] * 9)
    sources, plan = kit.sources(source), kit.plan_of(kit.step("s"))

    async def story():
        for _ in range(2):
            await ask(plan, sources, kit.asking(enough=1))
        assert sources["s"].breaker.rests
        await asyncio.sleep(20)
        digest = asyncio.create_task(ask(plan, sources, kit.asking(enough=1, lane=Lane.DIGEST), budget=300.0))
        await asyncio.sleep(1)
        found, _ = await ask(plan, sources, kit.asking(enough=1))
        await digest
        return found["s"]

    assert in_virtual_time(story()).status is Status.OK
