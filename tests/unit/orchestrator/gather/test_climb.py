"""What one source is asked: rung by rung until there is enough, with variants and alternatives, and page by page."""

from dataclasses import replace

import pytest

from connectors.errors import BadReply, Unavailable
from orchestrator.gather import Asking, Care, PageCache
from orchestrator.gather.asking import SHARED
from orchestrator.gather.habit import ENOUGH
from orchestrator.model import Plan, Principal, Rung, Status, Step
from orchestrator.plan.lazily import lazily
from tests.unit.orchestrator.gather.conftest import gather
from translators.query import Category, Query, Term
from translators.translator import Loss, LossKind, NativeQuery, Translation


def test_the_ladder_is_climbed_until_there_is_enough(kit, in_virtual_time):
    replies = {"strict": kit.page(), "wider": kit.page("a"), "widest": kit.page("a", "b", "c"), "never": kit.page("z")}
    source = kit.Pretend("s", replies)
    rungs = [kit.rung("strict"), kit.rung("wider", dropped=("dates",)), kit.rung("widest", dropped=("dates", "일정"))]
    arrived, _ = in_virtual_time(
        gather(kit.plan_of(kit.step("s", *rungs, kit.rung("never", dropped=("x",)))), kit.sources(source))
    )
    outcome = arrived["s"][1]
    assert [text for text, _ in source.calls] == ["strict", "wider", "widest"]
    assert outcome.broadened == "without dates, 일정"
    assert [hit.id for hit in outcome.hits] == ["a", "b", "c"]
    assert [native.text for native in outcome.sent] == ["strict", "wider", "widest"]


def test_hits_that_fail_our_own_check_do_not_count_as_enough(kit, in_virtual_time):
    replies = {"strict": kit.page(*"abc", text="nothing of it"), "wider": kit.page("d", text="결제 장애")}
    source = kit.Pretend("s", replies)
    rungs = (kit.rung("strict", residual=Term("장애")), kit.rung("wider", dropped=("dates",), residual=Term("장애")))
    in_virtual_time(gather(kit.plan_of(kit.step("s", *rungs)), kit.sources(source), enough=1))
    assert [text for text, _ in source.calls] == ["strict", "wider"]


@pytest.mark.parametrize(("ahead", "looked_at"), [(0, 1), (1, 2)])
def test_a_rung_is_looked_at_only_when_it_is_about_to_be_sent(kit, in_virtual_time, ahead, looked_at):
    """Looking translates it. What a broader one would have lost is no loss of what was asked."""
    loss = Loss(LossKind.CHECKED, "일정", "it cannot be asked")
    made = []

    @lazily
    def rungs():
        for text in ("strict", "wider", "widest"):
            made.append(text)
            yield Rung((Translation(NativeQuery("plain", text), losses=(loss,) * (text != "strict")),))

    source = kit.Pretend("s", {"strict": kit.page(*"abc"), "wider": kit.page(*"abcd")})
    sources = kit.sources(source)
    sources["s"].habit.note(broadened=True)
    asked = Plan(Query("q"), (Step("s", "S", Category.CHAT, rungs()),))
    arrived, _ = in_virtual_time(gather(asked, sources, asking=kit.asking(ahead=ahead)))
    assert len(made) == looked_at
    assert arrived["s"][1].losses == (loss,) * ahead


def test_what_would_have_been_lost_is_told_where_nothing_was_sent(kit, in_virtual_time):
    loss = Loss(LossKind.CHECKED, "일정", "it cannot be asked")
    source = kit.Pretend("s", {})
    strict = Rung((Translation(NativeQuery("plain", "q"), losses=(loss,)),))

    async def asked():
        sources = kit.sources(source)
        for _ in range(3):
            await sources["s"].breaker.failed("unavailable", "gone")
        return await gather(kit.plan_of(kit.step("s", strict)), sources)

    arrived, _ = in_virtual_time(asked())
    assert arrived["s"][1].losses == (loss,)


def test_rungs_that_share_a_native_query_send_it_once(kit, in_virtual_time):
    source = kit.Pretend("s", {"q": kit.page("a", text="x")})
    rungs = (kit.rung("q", residual=Term("absent")), kit.rung("q", dropped=("dates",)))
    arrived, _ = in_virtual_time(gather(kit.plan_of(kit.step("s", *rungs)), kit.sources(source)))
    assert len(source.calls) == 1
    assert [hit.id for hit in arrived["s"][1].hits] == ["a"]


def test_what_arrived_before_a_failure_is_kept_as_partial(kit, in_virtual_time):
    source = kit.Pretend("s", {"strict": kit.page("a"), "wider": Unavailable("down")})
    rungs = (kit.rung("strict"), kit.rung("wider", dropped=("dates",)))
    arrived, _ = in_virtual_time(gather(kit.plan_of(kit.step("s", *rungs)), kit.sources(source)))
    outcome = arrived["s"][1]
    assert (outcome.status, outcome.problem.code, [hit.id for hit in outcome.hits]) == (
        Status.PARTIAL,
        "unavailable",
        ["a"],
    )


def test_variants_are_asked_together_and_one_failure_is_a_note(kit, in_virtual_time):
    source = kit.Pretend("s", {"k8s": kit.page("a"), "쿠버네티스": BadReply("HTML"), "Kubernetes": kit.page("a", "b")})
    arrived, _ = in_virtual_time(
        gather(kit.plan_of(kit.step("s", kit.rung("k8s", "쿠버네티스", "Kubernetes"))), kit.sources(source), enough=1)
    )
    at, outcome = arrived["s"]
    assert at == 0.2
    assert [hit.id for hit in outcome.hits] == ["a", "b"]
    assert outcome.notes == ("one of 3 variants failed: HTML",)
    assert outcome.status is Status.OK


def test_the_alternatives_of_a_broader_rung_are_asked_for_while_the_rate_has_room(kit, in_virtual_time):
    """Of twenty-four requests a minute the first question may spend on alternatives, those close behind it must be content with the first."""
    replies = {"strict": kit.page(), "one": kit.page("a"), "two": kit.page("b"), "three": kit.page("c")}
    source = kit.Pretend("s", replies, limits=kit.Limits(rate=24, period=60.0, page=100))
    plan = kit.plan_of(kit.step("s", kit.rung("strict"), kit.rung("one", "two", "three", dropped=("the rest",))))
    sources = kit.sources(source)

    async def thrice():
        return [(await gather(plan, sources))[0]["s"][1] for _ in range(3)]

    first, _, third = in_virtual_time(thrice())
    assert [native.text for native in first.sent] == ["strict", "one", "two", "three"]
    assert [native.text for native in third.sent] == ["strict", "one"]
    assert f"asked for 1 of 3 alternatives: {SHARED}" in third.notes
    assert not [note for note in first.notes if "alternatives" in note]


def many(kit, text, count):
    page = kit.page(*(f"{text}{number}" for number in range(count)))
    return replace(page, hits=tuple(replace(hit, title=text, snippet=text) for hit in page.hits))


@pytest.mark.parametrize(
    ("shown", "asked", "sent"),
    [
        ("refund", ("refund", "환불"), ["refund"]),
        ("환불 refund", ("refund", "환불"), ["refund", "환불"]),
        ("refund", ("환불", "refund"), ["환불", "refund"]),
        ("refund", ("환불", "교환"), ["환불", "교환"]),
    ],
    ids=["no Korean", "some Korean", "asked in Korean", "asked in Korean alone"],
)
def test_who_has_shown_nothing_korean_is_not_asked_for_it_beside_english(kit, in_virtual_time, shown, asked, sent):
    """Until it shows something, or the question as asked finds nothing at all."""
    replies = {
        "all": many(kit, shown, 60),
        asked[0]: kit.page("a"),
        asked[1]: kit.page("b"),
        "none": kit.page(),
        "배포": kit.page(),
    }
    source = kit.Pretend("s", replies, limits=kit.Limits(rate=1000, period=60.0, page=100))
    sources = kit.sources(source)

    async def sent_for(*texts):
        plan = kit.plan_of(kit.step("s", kit.rung(*texts)))
        return [each.text for each in (await gather(plan, sources, enough=1))[0]["s"][1].sent]

    async def three():
        first = await sent_for("all", "배포")
        for _ in range(ENOUGH):
            await sent_for("all")
        return [first, await sent_for(*asked), await sent_for("none", asked[1])]

    first, second, third = in_virtual_time(three())
    assert first == ["all", "배포"], "nothing is known of it yet"
    assert second == sent
    assert third == ["none", asked[1]], "that there is nothing is said of both languages"


def test_what_was_not_worth_asking_and_cannot_be_any_more_leaves_it_in_doubt(kit, in_virtual_time):
    source = kit.Pretend(
        "s", {"q": kit.page(), "환불": kit.page("b")}, limits=kit.Limits(rate=4, period=600.0, page=100)
    )
    sources = kit.sources(source)
    sources["s"].habit.read(["nothing"] * ENOUGH)
    plan = kit.plan_of(kit.step("s", kit.rung("q", "환불")))

    async def twice():
        return [(await gather(plan, sources, enough=1))[0]["s"][1] for _ in range(2)]

    first, second = in_virtual_time(twice())
    assert [each.text for each in first.sent] == ["q", "환불"], "that there is nothing is said of both languages"
    assert [each.text for each in second.sent] == ["q"]
    assert second.status is not Status.EMPTY
    assert any("asked for 1 of 2 alternatives" in note for note in second.notes)


def test_what_little_is_left_of_a_rate_is_kept_for_questions_as_they_were_asked(kit, in_virtual_time):
    """Twelve requests a minute: one question broadens, the second is asked as it stands, six that follow in one of its ways.

    Whoever comes after those is told at once when to come again.
    """
    replies = {"strict": kit.page(), "one": kit.page(), "two": kit.page(), "wide": kit.page("d")}
    source = kit.Pretend("s", replies, limits=kit.Limits(rate=12, period=60.0, page=100))
    plan = kit.plan_of(kit.step("s", kit.rung("strict", "one", "two"), kit.rung("wide", dropped=("dates",))))
    sources = kit.sources(source)

    async def ask():
        return [(await gather(plan, sources))[0]["s"][1] for _ in range(9)]

    outcomes = in_virtual_time(ask())
    assert [each.requests for each in outcomes] == [4, 2, 1, 1, 1, 1, 1, 1, 0]
    assert f"not asked for anything broader: {SHARED}" in outcomes[1].notes
    assert outcomes[0].problem is None
    assert [(each.status, each.problem.code) for each in outcomes[1:8]] == [(Status.PARTIAL, "own_rate_limit")] * 7
    assert outcomes[-1].problem.code == "own_rate_limit"
    assert outcomes[-1].problem.retry_after == pytest.approx(60.0, abs=3.0)


def test_a_few_hits_are_enough_where_a_question_has_had_its_share(kit, in_virtual_time):
    """Ten requests a minute: the first question broadens for ten hits, those close behind it stop at three and say why."""
    replies = {"strict": kit.page("a", "b", "c"), "wide": kit.page("d"), "wider": kit.page("e")}
    source = kit.Pretend("s", replies, limits=kit.Limits(rate=10, period=60.0, page=100))
    rungs = [kit.rung("strict"), kit.rung("wide", dropped=("dates",)), kit.rung("wider", dropped=("the rest",))]
    plan, sources = kit.plan_of(kit.step("s", *rungs)), kit.sources(source)

    async def asked():
        return [(await gather(plan, sources, enough=10))[0]["s"][1] for _ in range(3)]

    first, _, third = in_virtual_time(asked())
    assert [native.text for native in first.sent] == ["strict", "wide", "wider"]
    assert [native.text for native in third.sent] == ["strict"]
    assert f"not asked for anything broader: {SHARED}" in third.notes


def test_what_is_remembered_is_used_however_little_of_the_rate_is_left(kit, in_virtual_time):
    replies = {"strict": kit.page("a", "b", "c"), "wide": kit.page("d")}
    source = kit.Pretend("s", replies, limits=kit.Limits(rate=3, period=60.0, page=100))
    plan = kit.plan_of(kit.step("s", kit.rung("strict"), kit.rung("wide", dropped=("dates",))))
    sources, asking = kit.sources(source), Asking(Principal("kim"), Care(PageCache(60.0), 0, hedge=False), 10)

    async def twice():
        return [(await gather(plan, sources, asking=asking))[0]["s"][1] for _ in range(2)]

    first, second = in_virtual_time(twice())
    assert [len(each.lists) for each in (first, second)] == [2, 2]
    assert [each.requests for each in (first, second)] == [2, 0]


def test_the_names_of_the_question_as_asked_are_always_asked_for(kit, in_virtual_time):
    source = kit.Pretend(
        "s", {"k8s": kit.page(), "쿠버네티스": kit.page("a")}, limits=kit.Limits(rate=1, period=0.5, page=9)
    )
    arrived, _ = in_virtual_time(gather(kit.plan_of(kit.step("s", kit.rung("k8s", "쿠버네티스"))), kit.sources(source)))
    assert [native.text for native in arrived["s"][1].sent] == ["k8s", "쿠버네티스"]


def test_what_one_alternative_brought_is_kept_when_another_hangs(kit, in_virtual_time):
    class Uneven(kit.Pretend):
        async def search(self, native, call):
            self.delay = 30 if native.text == "hangs" else 0.2
            return await super().search(native, call)

    source = Uneven("s", {"quick": kit.page("a", "b")})
    arrived, left = in_virtual_time(gather(kit.plan_of(kit.step("s", kit.rung("quick", "hangs"))), kit.sources(source)))
    outcome = arrived["s"][1]
    assert outcome.status is Status.PARTIAL
    assert [hit.id for hit in outcome.hits] == ["a", "b"]
    assert left == []


def test_a_bug_in_one_variant_is_not_taken_for_a_failing_source(kit, in_virtual_time):
    source = kit.Pretend("s", {"a": kit.page("a"), "b": KeyError("oops")})
    arrived, _ = in_virtual_time(gather(kit.plan_of(kit.step("s", kit.rung("a", "b"))), kit.sources(source)))
    assert arrived["s"][1].problem.code == "connector_bug"


def test_pages_are_followed_up_to_the_limit(kit, in_virtual_time):
    pages = [kit.page("a", "b", cursor="1"), kit.page("c", "d", cursor="2"), kit.page("e", "f", cursor="3")]
    source = kit.Pretend("s", {"q": pages})
    arrived, _ = in_virtual_time(gather(kit.plan_of(kit.step("s", kit.rung("q"), limit=5)), kit.sources(source)))
    assert [hit.id for hit in arrived["s"][1].hits] == list("abcde")
    assert [call.limit for _, call in source.calls] == [5, 3, 1]
    assert [hit.rank for hit in arrived["s"][1].hits] == [1, 2, 3, 4, 5]


def test_more_hits_are_taken_where_one_request_brings_them_and_no_further_page_is_read_for_them(kit, in_virtual_time):
    pages = [kit.page(*"abcdefgh", cursor="1"), kit.page("i")]
    source = kit.Pretend("s", {"q": pages})
    step = replace(kit.step("s", kit.rung("q"), limit=5), page=30)
    arrived, _ = in_virtual_time(gather(kit.plan_of(step), kit.sources(source)))
    assert [hit.id for hit in arrived["s"][1].hits] == list("abcdefgh")
    assert [call.limit for _, call in source.calls] == [30]


def test_a_cursor_that_repeats_ends_the_paging(kit, in_virtual_time):
    pages = [kit.page("a", cursor="1"), kit.page("b", cursor="1")]
    source = kit.Pretend("s", {"q": pages})
    in_virtual_time(gather(kit.plan_of(kit.step("s")), kit.sources(source)))
    assert len(source.calls) == 2


def test_endless_pages_are_stopped(kit, in_virtual_time):
    pages = [kit.page(f"hit{n}", cursor=str(n + 1)) for n in range(50)]
    source = kit.Pretend("s", {"q": pages})
    in_virtual_time(gather(kit.plan_of(kit.step("s")), kit.sources(source)))
    assert len(source.calls) == 5


def test_a_page_is_never_larger_than_the_vendor_allows(kit, in_virtual_time):
    source = kit.Pretend("s", {"q": kit.page("a")}, limits=kit.Limits(rate=10, period=1.0, page=7))
    in_virtual_time(gather(kit.plan_of(kit.step("s")), kit.sources(source)))
    assert [call.limit for _, call in source.calls] == [7]


def test_variants_that_come_out_the_same_are_sent_once(kit, in_virtual_time):
    """Two meanings, one native query: the source cannot tell them apart."""
    source = kit.Pretend("s", {"q": kit.page("a")})
    in_virtual_time(gather(kit.plan_of(kit.step("s", kit.rung("q", "q"))), kit.sources(source)))
    assert len(source.calls) == 1
