"""Which words a source is asked for: one at a time, all, any, and at both ends; by what it has shown, and the turns that are left."""

import asyncio
from dataclasses import replace

import pytest

from connectors.manifest import Limits
from connectors.yields import FRUITLESS
from orchestrator.gather import Asking, Care, PageCache
from orchestrator.gather.asking import SHARED
from orchestrator.gather.gate import OutOfTurn
from orchestrator.gather.habit import STRICT
from orchestrator.model import Principal, Status
from tests.unit.orchestrator.gather.conftest import gather
from translators.query import Term, all_of

FEW_TURNS = Limits(rate=11, period=60.0, page=100)
VERY_FEW_TURNS = Limits(rate=3, period=60.0, page=100)


def by_word(kit):
    """A step for a source without OR: all words, then each alone."""
    strict = replace(kit.rung("outage export"), meaning=all_of((Term("outage"), Term("export"))))
    words = replace(kit.rung("outage", "export", dropped=("all but one",)), height=2)
    between = replace(kit.rung("outage log", dropped=("export",)), height=1)
    return kit.plan_of(replace(kit.step("s", strict, between, words), by_word=True))


def test_a_small_source_without_or_is_asked_for_one_word_at_a_time(kit, in_virtual_time):
    """What came back whole holds what narrower requests would bring: it stands where they would have put it."""
    both, one = "export after the outage", "outage in the hall"
    source = kit.Pretend(
        "s", {"outage": kit.found(one, both), "export": kit.found(both, "export of wine")}, limits=FEW_TURNS
    )
    arrived, _ = in_virtual_time(gather(by_word(kit), kit.sources(source)))
    outcome = arrived["s"][1]
    assert [text for text, _ in source.calls] == ["outage", "export"]
    assert next((each.rung, [hit.id for hit in each.hits]) for each in outcome.lists) == (0, [both])
    assert {hit.id for hit in outcome.hits} == {one, both, "export of wine"}


def test_where_the_first_word_brings_more_than_is_read_narrower_requests_go_out_too(kit, in_virtual_time):
    much = replace(kit.found(*(f"outage {n}" for n in range(9))), cursor="more")
    replies = {
        "outage": much,
        "export": kit.page(),
        "outage export": kit.found("outage export"),
        "outage log": kit.page(),
    }
    source = kit.Pretend("s", replies, limits=FEW_TURNS)
    sources = kit.sources(source)
    step = replace(by_word(kit).steps[0], limit=5)

    async def story():
        first = (await gather(kit.plan_of(step), sources, enough=1))[0]["s"][1]
        return first, sources["s"].habit.is_small

    outcome, small = in_virtual_time(story())
    assert [native.text for native in outcome.sent] == ["outage", "outage export"], (
        "other words would bring no more of both"
    )
    assert outcome.lists[0].rung == 0
    assert {hit.id for hit in outcome.hits} >= {"outage export", "outage 0"}, "what the words brought is kept"
    assert not small, "the next question is asked for all of its words first"


def test_a_source_that_showed_all_of_a_word_at_the_last_step_is_asked_by_word_again(kit, in_virtual_time):
    """One search that brought too much does not settle it for ever: questions with turns in plenty teach it, too."""
    source = kit.Pretend("s", {"outage": kit.found("outage in the hall"), "export": kit.page()})
    source.replies |= {"outage export": kit.page(), "outage log": kit.page()}
    sources = kit.sources(source)

    async def story():
        habit = sources["s"].habit
        habit.searched(whole=False)
        before = habit.is_small
        await gather(by_word(kit), sources)
        await gather(by_word(kit), sources)
        return before, habit.is_small

    assert in_virtual_time(story()) == (False, True)


def test_nothing_under_any_word_is_asked_for_by_other_names_too(kit, in_virtual_time):
    replies = {"outage": kit.page(), "export": kit.page(), "outage export": kit.page(), "outage log": kit.page()}
    source = kit.Pretend("s", replies, limits=FEW_TURNS)
    arrived, _ = in_virtual_time(gather(by_word(kit), kit.sources(source)))
    assert [text for text, _ in source.calls] == ["outage", "export", "outage export"]
    assert arrived["s"][1].status is Status.EMPTY


def test_who_has_turns_in_plenty_is_asked_for_all_words_first(kit, in_virtual_time):
    source = kit.Pretend("s", {"outage export": kit.found("export after the outage")})
    arrived, _ = in_virtual_time(gather(by_word(kit), kit.sources(source), enough=1))
    assert [text for text, _ in source.calls] == ["outage export"]
    assert arrived["s"][1].lists[0].rung == 0


def test_a_small_source_is_asked_for_a_name_alone_however_many_turns_there_are(kit, in_virtual_time):
    both, one = "export after the outage", "outage in the hall"
    source = kit.Pretend("s", {"outage": kit.found(one, both), "export": kit.found(both)})
    step = replace(by_word(kit).steps[0], coined=True)
    sources = kit.sources(source)
    for _ in range(FRUITLESS):
        sources["s"].habit.ways.searched(STRICT, found=False)
    arrived, _ = in_virtual_time(gather(kit.plan_of(step), sources))
    assert [text for text, _ in source.calls] == ["outage", "export"]
    assert next((each.rung, [hit.id for hit in each.hits]) for each in arrived["s"][1].lists) == (0, [both])


@pytest.mark.parametrize("implied", [False, True])
def test_all_words_at_once_are_left_out_where_they_find_nothing_and_broader_steps_hold_them(
    kit, in_virtual_time, implied
):
    """What holds all words comes first among what holds any: it stands where all words would have put it."""
    both, one = "export after the outage", "outage in the hall"
    source = kit.Pretend("s", {"outage OR export": kit.found(both, one), "outage export": kit.page()})
    sources = kit.sources(source)
    step = ranked(kit).steps[0]

    async def sent(implied):
        await asyncio.sleep(60.0)
        outcome = (await gather(kit.plan_of(replace(step, implied=implied)), sources))[0]["s"][1]
        return [native.text for native in outcome.sent], [(each.rung, len(each.hits)) for each in outcome.lists]

    async def story():
        before = [(await sent(implied))[0][0] for _ in range(FRUITLESS)]
        return before, await sent(implied), (await sent(not implied))[0]

    before, after, other = in_virtual_time(story())
    assert before == ["outage export"] * FRUITLESS
    assert after == (["outage OR export"], [(0, 1), (1, 2)])
    assert other == ["outage export", "outage OR export"], "what prose implies beside the words may find something"


def test_a_source_that_shows_less_than_all_of_a_word_is_asked_for_one_along_with_all(kit, in_virtual_time):
    """It knows best what comes first of what holds all words, and one word brings what these leave out: nothing between is asked for."""
    both, one = "export after the outage", "outage in the hall"
    replies = {"outage export": kit.found(both), "outage": replace(kit.found(one, both, "outage 2"), cursor="more")}
    source = kit.Pretend("s", replies)
    sources = kit.sources(source)
    step = replace(by_word(kit).steps[0], limit=3)

    async def story():
        sources["s"].habit.searched(whole=False)
        return (await gather(kit.plan_of(step), sources, asking=kit.asking(2, ahead=2)))[0]["s"][1]

    outcome = in_virtual_time(story())
    assert sorted(native.text for native in outcome.sent) == ["outage", "outage export"]
    assert outcome.lists[0].rung == 0
    assert {both, one} <= {hit.id for hit in outcome.hits}


def test_what_lies_between_is_not_asked_for_where_no_time_is_left_behind_both_ends(kit, in_virtual_time):
    words = {"outage": replace(kit.found("outage", "outage 2"), cursor="more"), "export": kit.page()}
    source = kit.Pretend("s", {"outage export": kit.page(), "outage log": kit.page(), **words})
    sources = kit.sources(source)
    step = replace(by_word(kit).steps[0], limit=2)

    async def story():
        sources["s"].habit.searched(whole=False)
        for _ in range(20):
            sources["s"].latency.add(source.delay)
        return (await gather(kit.plan_of(step), sources, 0.75, asking=kit.asking(3, ahead=2)))[0]["s"][1]

    outcome = in_virtual_time(story())
    assert (outcome.problem, len(outcome.hits)) == (None, 2)
    assert [native.text for native in outcome.sent] == ["outage", "outage export", "export"]


def test_what_one_word_brings_stands_where_all_would_have_put_it_though_these_are_left_out(kit, in_virtual_time):
    both, one = "export after the outage", "outage in the hall"
    source = kit.Pretend("s", {"outage": replace(kit.found(one, both, "outage 2"), cursor="more")})
    source.replies |= {"outage export": kit.page(), "outage log": kit.page(), "export": kit.found(both)}
    sources = kit.sources(source)
    step = replace(by_word(kit).steps[0], limit=3)

    async def story():
        sources["s"].habit.searched(whole=False)
        for _ in range(FRUITLESS):
            sources["s"].habit.ways.searched(STRICT, found=False)
        return (await gather(kit.plan_of(step), sources, asking=kit.asking(2, ahead=2)))[0]["s"][1]

    outcome = in_virtual_time(story())
    assert "outage export" not in [native.text for native in outcome.sent]
    assert (outcome.lists[0].rung, [hit.id for hit in outcome.lists[0].hits]) == (0, [both])


def test_a_source_that_shows_less_than_all_of_a_narrower_question_is_large(kit, in_virtual_time):
    source = kit.Pretend(
        "s", {"outage export": replace(kit.found(*(f"export outage {n}" for n in range(9))), cursor="more")}
    )
    sources = kit.sources(source)
    step = replace(by_word(kit).steps[0], limit=5)
    in_virtual_time(gather(kit.plan_of(step), sources, enough=1))
    assert not sources["s"].habit.is_small


def test_a_large_source_too_is_asked_for_the_most_telling_words_where_turns_are_very_few(kit, in_virtual_time):
    """All words at once find nothing there, and no turn would be left for what does."""
    source = kit.Pretend("s", {"outage": kit.found("outage"), "export": kit.found("export")}, limits=VERY_FEW_TURNS)
    sources = kit.sources(source)

    async def story():
        for _ in range(3):
            sources["s"].habit.searched(whole=False)
        return (await gather(by_word(kit), sources))[0]["s"][1], sources["s"].habit.is_small

    outcome, small = in_virtual_time(story())
    assert not small
    assert [native.text for native in outcome.sent] == ["outage", "export"]


def ranked(kit, *texts):
    """A step for a source that puts first what holds most of the words: all of them, then any one."""
    strict = replace(kit.rung("outage export"), meaning=all_of((Term("outage"), Term("export"))))
    anything = replace(kit.rung("outage OR export", dropped=("all but one",)), height=1)
    return kit.plan_of(replace(kit.step("s", strict, anything), ranked=True))


@pytest.mark.parametrize(("rate", "sent"), [(1, ["outage OR export"]), (100, ["outage export", "outage OR export"])])
def test_who_has_one_turn_asks_a_source_that_ranks_for_any_of_the_words(kit, in_virtual_time, rate, sent):
    both, one = "export after the outage", "outage in the hall"
    replies = {"outage OR export": kit.found(both, one), "outage export": kit.found(both)}
    source = kit.Pretend("s", replies, limits=kit.Limits(rate=rate, period=60.0, page=100))
    outcome = in_virtual_time(gather(ranked(kit), kit.sources(source)))[0]["s"][1]
    assert [text for text, _ in source.calls] == sent
    strict, anything = outcome.lists
    assert (strict.rung, [hit.id for hit in strict.hits]) == (0, [both]), "it stands where all words would have put it"
    assert {hit.id for hit in (*strict.hits, *anything.hits)} == {both, one}


def test_that_there_is_more_than_the_best_of_any_of_the_words_is_told(kit, in_virtual_time):
    more = replace(kit.found("outage", "export"), cursor="more")
    source = kit.Pretend("s", {"outage OR export": more}, limits=kit.Limits(rate=1, period=60.0, page=100))
    step = replace(ranked(kit).steps[0], limit=2)
    outcome = in_virtual_time(gather(kit.plan_of(step), kit.sources(source)))[0]["s"][1]
    assert f"asked at once for any of the words: {SHARED}" in outcome.notes


@pytest.mark.parametrize(("rate", "spared"), [(1, True), (100, False)])
def test_a_source_with_next_to_no_turns_is_told_to_have_been_asked_less_thoroughly(kit, in_virtual_time, rate, spared):
    replies = {"outage": kit.found("outage"), "export": kit.found("export")}
    replies |= {"outage export": kit.page(), "outage log": kit.page()}
    source = kit.Pretend("s", replies, limits=kit.Limits(rate=rate, period=60.0, page=100))
    outcome = in_virtual_time(gather(by_word(kit), kit.sources(source)))[0]["s"][1]
    assert (outcome.spared, outcome.status) == (spared, Status.OK)


class Thrifty:
    """Mixed into a pretend source: it leaves something out of "q"."""

    def whole(self, native):
        return replace(native, text="whole q") if native.text == "q" else None


@pytest.mark.parametrize(("brought", "sent"), [("a", ["q"]), ("", ["q", "whole q"])])
def test_what_a_source_leaves_out_by_itself_is_asked_for_before_nothing_is_said_to_be_there(
    kit, in_virtual_time, brought, sent
):
    thrifty = type("ThriftyPretend", (Thrifty, kit.Pretend), {})
    source = thrifty("s", {"q": kit.page(*brought), "whole q": kit.page()})
    arrived, _ = in_virtual_time(gather(kit.plan_of(kit.step("s")), kit.sources(source)))
    assert [text for text, _ in source.calls] == sent
    assert arrived["s"][1].status is (Status.OK if brought else Status.EMPTY)


def test_who_has_one_turn_asks_for_the_most_telling_word(kit, in_virtual_time):
    source = kit.Pretend("s", {"outage": kit.found("outage")}, limits=kit.Limits(rate=4, period=600.0, page=100))
    sources = kit.sources(source)

    async def story():
        for _ in range(3):
            sources["s"].gate.arrived()
            await sources["s"].gate.enter()
        return (await gather(by_word(kit), sources))[0]["s"][1]

    outcome = in_virtual_time(story())
    assert [native.text for native in outcome.sent] == ["outage"]
    assert f"asked for 1 of 2 alternatives: {SHARED}" in outcome.notes


def in_two_languages(kit):
    """One word, and what it is called in the other language."""
    return kit.plan_of(kit.step("s", kit.rung("Busan", "부산")))


@pytest.mark.parametrize(
    ("shown", "first"), [(["회의록"] * 9, "부산"), (["회의록", "minutes"] * 5, "Busan"), (["minutes"] * 9, "Busan")]
)
def test_who_has_one_turn_asks_in_the_language_of_the_source(kit, in_virtual_time, shown, first):
    source = kit.Pretend(
        "s", {"Busan": kit.page("a"), "부산": kit.page("b")}, limits=kit.Limits(rate=2, period=600.0, page=9)
    )
    sources = kit.sources(source)

    async def story():
        for _ in range(3):
            sources["s"].habit.read(shown)
        sources["s"].gate.arrived()
        await sources["s"].gate.enter()
        return (await gather(in_two_languages(kit), sources))[0]["s"][1]

    outcome = in_virtual_time(story())
    assert [native.text for native in outcome.sent] == [first]
    assert f"asked for 1 of 2 alternatives: {SHARED}" in outcome.notes


def test_what_asking_brought_to_one_is_nobody_elses_where_each_sees_something_else(kit, in_virtual_time):
    """Else what somebody may not see would decide in which language they are asked, and in how many requests."""

    async def story(by_asker):
        replies = {"Busan": kit.page(*map(str, range(9))), "부산": kit.page("b")}
        source = kit.Pretend("s", replies, limits=kit.Limits(rate=900, period=9.0, page=9))
        source.manifest = source.manifest.model_copy(update={"by_asker": by_asker})
        sources = kit.sources(source)
        for _ in range(8):  # until it is known to have nothing Korean for kim
            kim = (await gather(in_two_languages(kit), sources))[0]["s"][1]
        lee = Asking(Principal("lee"), Care(PageCache(0.0), 0, hedge=False), 3)
        other = (await gather(in_two_languages(kit), sources, asking=lee))[0]["s"][1]
        return [native.text for each in (kim, other) for native in each.sent], (await sources["s"].standing("lee")).cost

    alone, cost = in_virtual_time(story(by_asker=True))
    assert (alone, cost) == (["Busan", "Busan", "부산"], 2.0)
    shared, cost = in_virtual_time(story(by_asker=False))
    assert shared == ["Busan", "Busan"]
    assert 1.0 < cost < 2.0


def test_what_the_other_end_has_brought_is_kept_where_one_gets_no_turn(kit, in_virtual_time):
    replies = {"outage export": OutOfTurn("no turn", 5.0), "outage": kit.found("outage in the hall")}
    sources = kit.sources(kit.Pretend("s", replies))

    async def story():
        sources["s"].habit.searched(whole=False)
        return (await gather(by_word(kit), sources, asking=kit.asking(3, ahead=2)))[0]

    outcome = in_virtual_time(story())["s"][1]
    assert [hit.id for hit in outcome.hits] == ["outage in the hall"]
    assert any("no turn" in str(note) for note in outcome.notes)
