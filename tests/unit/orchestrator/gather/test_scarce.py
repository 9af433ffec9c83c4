"""What stands in and what is read where a source's turns are few: what earlier questions brought, and fewer hits."""

import asyncio
from dataclasses import replace

import pytest

from orchestrator.gather import Asking, Care, PageCache, RecentHits
from orchestrator.model import Principal, Status
from tests.unit.orchestrator.gather.conftest import gather
from translators.query import EVERYTHING, Not, Term, all_of

# ---- what a search costs


def costly(kit, name="mail"):
    """A source that reads each hit by a request of its own, of sixty a minute."""

    class Mail(kit.Pretend):
        async def search(self, native, call):
            page = await super().search(native, call)
            hits = page.hits[: call.limit]
            for _ in hits:
                await call.turn()
            return replace(page, hits=hits, cursor="more" if len(hits) < len(page.hits) else None)

    hits = kit.found(*(f"mail {number}" for number in range(20)))
    return Mail(name, {"q": hits, "wider": hits}, limits=kit.Limits(rate=60, period=60.0, page=50, per_hit=True))


def test_what_a_search_costs_is_learnt_with_what_is_read_for_its_hits(kit, in_virtual_time):
    sources = kit.sources(costly(kit))
    in_virtual_time(gather(kit.plan_of(kit.step("mail")), sources))
    assert sources["mail"].habit.cost > 5


def test_where_turns_are_few_fewer_hits_are_read_and_the_receipt_says_so(kit, in_virtual_time):
    """Three questions have all twenty mails and leave none to the fourth; so each has what leaves as many to the next."""
    sources = kit.sources(costly(kit))

    async def story():
        return [(await gather(kit.plan_of(kit.step("mail")), sources))[0]["mail"][1] for _ in range(6)]

    read = in_virtual_time(story())
    counts = [len(each.hits) for each in read]
    assert counts[0] == 20
    assert min(counts) >= 1, "every question has been answered"
    assert all(each.status in {Status.OK, Status.PARTIAL} for each in read)
    short = next(each for each in read if len(each.hits) < 20)
    assert any("were read: " in str(note) for note in short.notes)


# ---- where a source has no turn


def about(kit, *words, typed=EVERYTHING, source="s"):
    step = kit.step(source, kit.rung(" ".join(words)), kit.rung(*words, dropped=("all but one",)))
    return kit.plan_of(replace(step, meaning=all_of((*map(Term, words), typed))))


def asked_in_turn(kit, in_virtual_time, *asked, ttl=600.0, who=("kim", "kim"), apart=0.0, by_asker=True):
    """Two questions to a source that allows one request a minute: how it did the second time."""
    bakery, wine = "the outage in the bakery", "wine"
    page = kit.found(bakery, "an export", wine)
    source = kit.Pretend("s", {"outage": page}, limits=kit.Limits(rate=1, period=3600.0, page=100))
    source.manifest = source.manifest.model_copy(update={"by_asker": by_asker})
    sources, care = kit.sources(source), Care(PageCache(0.0), 0, hedge=False, recent=RecentHits(ttl))

    async def story():
        for person, plan in zip(who, (about(kit, "outage"), *asked), strict=True):
            outcomes = (await gather(plan, sources, asking=Asking(Principal(person), care, 1)))[0]
            await asyncio.sleep(apart)
        return outcomes["s"][1]

    return in_virtual_time(story())


def test_what_earlier_questions_brought_stands_in_where_there_is_no_turn(kit, in_virtual_time):
    outcome = asked_in_turn(kit, in_virtual_time, about(kit, "bakery", "outage", "cause"))
    assert [(each.rung, [hit.id for hit in each.hits]) for each in outcome.lists] == [(1, ["the outage in the bakery"])]
    assert outcome.status is Status.THROTTLED, "it was not asked, and that is said"
    assert outcome.problem.code == "own_rate_limit"
    assert any("from earlier questions" in str(note) for note in outcome.notes)
    assert outcome.requests == 0


def test_what_holds_all_of_the_words_stands_as_if_the_question_had_brought_it(kit, in_virtual_time):
    outcome = asked_in_turn(kit, in_virtual_time, about(kit, "bakery", "outage"))
    assert [each.rung for each in outcome.lists] == [0]


@pytest.mark.parametrize("more", [{"ttl": 0.0}, {"who": ("kim", "lee")}, {"ttl": 60.0, "apart": 61.0}])
def test_nothing_stands_in_of_another_person_or_of_long_ago(kit, in_virtual_time, more):
    outcome = asked_in_turn(kit, in_virtual_time, about(kit, "bakery", "outage"), **more)
    assert (outcome.status, outcome.lists) == (Status.THROTTLED, ())


def test_what_a_source_shows_everybody_stands_in_for_anybody(kit, in_virtual_time):
    outcome = asked_in_turn(kit, in_virtual_time, about(kit, "bakery", "outage"), who=("kim", "lee"), by_asker=False)
    assert [hit.id for hit in outcome.hits] == ["the outage in the bakery"]
    assert outcome.stood_in


def test_nothing_stands_in_that_breaks_what_was_typed_or_holds_no_word(kit, in_virtual_time):
    for plan in (about(kit, "bakery", typed=Not(Term("outage"))), about(kit, "holiday")):
        assert asked_in_turn(kit, in_virtual_time, plan).status is Status.THROTTLED


# ---- in haste
