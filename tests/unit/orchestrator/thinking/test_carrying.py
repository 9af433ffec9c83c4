"""What is carried once is the same thing on either side from then on, and is forgotten with its question."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from connectors.contract import Hit
from orchestrator.model import HitList, Outcome, Status
from orchestrator.plan import PlanLimits, make_plan
from orchestrator.rank import RankMemo
from orchestrator.signals import NOTHING
from orchestrator.thinking import GatheredHits, open_mind, understood
from orchestrator.thinking.carrying import LENGTH, MOST, KnownThings, ToldTopics, packed, unpacked
from orchestrator.understand import Directory, DirectoryPerson
from tests.security.runaway import RANKING
from translators.query import Category, Kind
from translators.translator import NativeQuery, Translation

NOW = datetime(2026, 11, 20, 10, tzinfo=UTC)
NATIVE = NativeQuery("web", "billing")


class Way:
    """To a process and back, without the process."""

    def __init__(self) -> None:
        self.topics, self.there, self.sizes = ToldTopics(), KnownThings(), []

    def over(self, message, about):
        """As it arrives, and what is known of it here."""
        things, forgotten = self.topics.of(about)
        data = packed((message, forgotten), things.taught, things.kinds)
        self.sizes.append(len(data))
        arrived, forgotten = unpacked(data[LENGTH:], self.there)
        self.there.forget(forgotten)
        return arrived, things

    def back(self, message, things):
        """As it comes back."""
        return unpacked(packed(message, self.there.mentioned, self.there.kinds)[LENGTH:], things)


@pytest.fixture(scope="module")
def plan():
    query = understood(open_mind("factors", RANKING), "what did we decide about billing?", NOW)
    return make_plan(query, (), (), PlanLimits())


def outcome(source, plan):
    hits = tuple(Hit(source, str(each), Kind.PAGE, f"Billing {each}", snippet="It moved. " * 50) for each in range(20))
    return Outcome(source, source, Category.WIKI, Status.OK, (HitList(Translation(NATIVE), hits),), sent=(NATIVE,))


def test_a_hit_is_carried_once_and_is_the_same_object_each_time(plan):
    way, memo = Way(), RankMemo()
    first, second = outcome("notion", plan), outcome("slack", plan)
    ahead, _ = way.over(GatheredHits((first,), plan, NOW, NOTHING, memo), memo)
    whole, things = way.over(GatheredHits((first, second), plan, NOW, NOTHING, memo), memo)
    again, _ = way.over(GatheredHits((first, second), plan, NOW, NOTHING, memo), memo)
    assert whole.outcomes == (first, second)
    assert whole.plan == plan
    assert whole.outcomes[0].hits[0] is ahead.outcomes[0].hits[0] is again.outcomes[0].hits[0]
    assert whole.memo is ahead.memo is not memo
    assert whole.plan.query is ahead.plan.query
    assert way.sizes[2] < way.sizes[1] / 5
    mine, new = way.back((whole.outcomes[1].hits[3], replace(whole.outcomes[1].hits[3], title="Other")), things)
    assert mine is second.hits[3]
    assert new == replace(mine, title="Other")


def test_a_hit_with_another_name_on_it_is_another(plan):
    way, memo = Way(), RankMemo()
    found = outcome("notion", plan)
    first, _ = way.over(found, memo)
    hits = (replace(found.hits[0], title="Else"), *found.hits[1:])
    named, _ = way.over(replace(found, lists=(replace(found.lists[0], hits=hits),)), memo)
    assert [one is other for one, other in zip(first.hits, named.hits, strict=True)] == [False] + [True] * 19
    assert named.hits[0].title == "Else"


def test_the_question_before_last_is_forgotten_on_both_sides_and_not_what_another_shares_with_it(plan):
    way, memos, found = Way(), [RankMemo() for _ in range(MOST + 1)], outcome("notion", plan)
    for memo in memos:
        arrived, _ = way.over(found, memo)
    assert memos[0] not in way.topics
    assert all(memo in way.topics for memo in memos[1:])
    kept = len(list(way.there))
    assert kept == sum(len(list(way.topics.of(memo)[0])) for memo in memos[1:])
    assert way.over(found, memos[-1])[0] is arrived
    assert way.over(found, memos[0])[0] == found
    assert len(list(way.there)) == kept


def test_questions_put_no_directory_out(plan):
    way, office = Way(), Directory(people=(DirectoryPerson("Maya Chen"),))
    first, _ = way.over(("report", office), office)
    for _ in range(MOST + 1):
        way.over(plan, RankMemo())
    assert way.over(("plan", office), office)[0][1] is first[1]


def test_a_directory_is_carried_with_all_that_it_names():
    office = Directory((DirectoryPerson("Maya Chen"),), channels=("billing",), places={"C0123": "billing"})
    assert office.channel("billing")
    (arrived, _), _ = Way().over((office, "plan"), office)
    assert arrived == office
    assert vars(arrived).keys() < vars(office).keys(), "what it looks up in was carried too"


def test_of_a_call_about_nothing_nothing_is_kept(plan):
    way = Way()
    arrived, _ = way.over((plan.query, RankMemo()), None)
    assert arrived[0] == plan.query
    assert not list(way.there)
