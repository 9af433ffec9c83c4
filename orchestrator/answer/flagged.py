"""Which open work is held up, late, or to be done in a time: told by what trackers say of it, and not by the words of the question."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

from connectors.contract import URGENCIES
from orchestrator.answer.own import is_blocked
from orchestrator.answer.wording import say
from orchestrator.answer.work_claims import beside, is_listed_work, listing, titled
from orchestrator.model import Confidence
from translators.query import CERTAIN, Category, Compare, Field, Op, State, WorkFlag, conjuncts
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from connectors.contract import Hit
    from orchestrator.answer.claim import Claim, ClaimMaterial
    from orchestrator.answer.gaps import Gaps
    from orchestrator.answer.quote import Quote
    from orchestrator.model import HitList, Outcome, Result
    from translators.query import Query

MOST = 8  # pieces of work that are told
LATELY = timedelta(days=14)
TRACKING = frozenset({Category.TRACKER, Category.CODE})
TOLD_BY_DAY = frozenset({WorkFlag.OVERDUE, WorkFlag.DUE})
OPEN = Compare(Field.STATE, Op.EQ, State.OPEN)


@record
class LookedAt:
    """How much of a source's open work came back: so many pieces, or the ``whole`` of it, or all that is as the question asks."""

    title: str
    count: int
    whole: bool


@record
class FlaggedWork:
    """What is told of open work that is as the question asks, how many pieces are, and where they were looked for."""

    quotes: tuple[Quote, ...]
    count: int
    looked: tuple[LookedAt, ...]

    def scope(self, query: Query) -> Iterator[str]:
        """How many more there are than are told, and of which sources not all open work was looked at; of one that has more it proves nothing. What is less urgent is no more of the same."""
        if self.count > MOST and query.flag is not WorkFlag.URGENT:
            yield say(query, "flag_more", count=self.count - MOST)
        part = [each for each in self.looked if not each.whole]
        whole = [each.title for each in self.looked if each.whole]
        if whole and not self.count:
            yield say(query, "flag_whole", sources=", ".join(whole))
        yield from (say(query, "flag_part", source=each.title, count=each.count) for each in part)

    def trust(self, gaps: Gaps, query: Query) -> Confidence | None:
        """How far it can be trusted that there is none, where all open work of every source was looked at; nothing elsewhere. A day is told by every tracker, that something is held up only by who has marked it."""
        if self.count or not self.looked or gaps.silent or gaps.partly or gaps.spared:
            return None
        if not all(each.whole for each in self.looked):
            return None
        return Confidence.HIGH if query.flag in TOLD_BY_DAY else Confidence.MEDIUM


def flagged(
    results: Sequence[Result], outcomes: Sequence[Outcome], chosen: Sequence[Quote], query: Query, now: datetime
) -> FlaggedWork | None:
    """The titles of open work that is as the question asks, what is due first before the rest, and of the ``chosen`` sentences what was said of it of late; nothing where none is asked about, or no source told of open work: then words answer it, as any other.

    ``results``: all that was found, numbered by their places.
    """
    if query.flag is None:
        return None
    found = [
        titled(number, each)
        for number, each in enumerate(results, 1)
        if is_open_work(each) and each.inside and _is_flagged(each.hit, query)
    ]
    told = sorted(found, key=lambda each: _in_order(each.result.hit, query))[:MOST]
    numbers = {each.number for each in told}
    said = (each for each in _said(chosen, query, now) if each.number not in numbers)
    looked = tuple(_looked_at(outcomes, query))
    if not told and not looked and not any(map(is_open_work, results)):
        return None
    return FlaggedWork((*told, *said), len(found), looked)


def _in_order(hit: Hit, query: Query) -> tuple[int, date]:
    """By priority where that is asked for, what tells none behind the rest; then by the day by which it is due."""
    urgency = hit.urgency if query.flag is WorkFlag.URGENT else 0
    return len(URGENCIES) if urgency is None else urgency, hit.due or date.max


def _looked_at(outcomes: Sequence[Outcome], query: Query) -> Iterator[LookedAt]:
    """Of each source that was asked for open work, whatever words it holds, how much it returned."""
    if query.strength(OPEN) == CERTAIN:
        return  # typed, it was asked for beside the words
    for outcome in outcomes:
        lists = [each for each in outcome.lists if outcome.category in TRACKING and _asks_for_it(each)]
        if lists:
            work = {hit.id for each in lists for hit in each.hits if hit.state is State.OPEN}
            whole = any(not each.more or _has_first(each, query) for each in lists)
            yield LookedAt(outcome.title, len(work), whole)


def _asks_for_it(found: HitList) -> bool:
    translation = found.translation
    return not found.rung and all(OPEN not in conjuncts(each.clause) for each in translation.preferred)


def _has_first(found: HitList, query: Query) -> bool:
    """Whether its source was asked for the most urgent first, where that is asked: then what it did not return matters less."""
    return query.flag is WorkFlag.URGENT and found.translation.keeps(query.sort)


def is_open_work(result: Result) -> bool:
    """Whether it is a piece of work that is not done, and its title may be told."""
    return result.hit.state is State.OPEN and is_listed_work(result)


def flagged_claims(material: ClaimMaterial) -> Iterator[Claim]:
    """A line of the work that is as the question asks; then what else is said of that."""
    work = [each.result for each in material.quotes if is_open_work(each.result)]
    if work:
        yield listing(f"claim_{material.plan.query.flag}", work, material)
    yield from beside(material, work)


def _said(chosen: Sequence[Quote], query: Query, now: datetime) -> Iterator[Quote]:
    """That something is held up people say. That it is late or due their trackers do, and "due" is said of much else."""
    if query.flag is WorkFlag.BLOCKED:
        yield from (each for each in chosen if each.signal and each.when and each.when >= now - LATELY)


def _is_flagged(hit: Hit, query: Query) -> bool:
    if query.flag is WorkFlag.BLOCKED:
        return is_blocked(hit)
    if query.flag is WorkFlag.BLOCKING:
        return bool(hit.facts.get("blocks"))
    if query.flag is WorkFlag.URGENT:
        return hit.urgency is not None or hit.due is not None
    return hit.due is not None and query.due is not None and query.due.holds(hit.due)
