"""Which open work is held up, late, or to be done in a time: told by what trackers say of it, and not by the words of the question."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, assert_never

from orchestrator.answer.own import is_blocked
from orchestrator.answer.rows import window_of
from orchestrator.answer.wording import say
from orchestrator.answer.work_claims import beside, is_listed_work, listing, titled
from translators.query import State, WorkFlag

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from connectors.contract import Hit
    from orchestrator.answer.claim import Claim, ClaimMaterial
    from orchestrator.answer.quote import Quote
    from orchestrator.model import Result
    from translators.query import Query, Window

MOST = 8  # pieces of work that are told
LATELY = timedelta(days=14)


def flagged(results: Sequence[Result], chosen: Sequence[Quote], query: Query, now: datetime) -> tuple[Quote, ...]:
    """The titles of open work that is as the question asks, what is due first before the rest, and of the ``chosen`` sentences what was said of it of late; none where no work is so, or none is asked about.

    ``results``: all that was found, numbered by their places.
    """
    if query.flag is None:
        return ()
    days, today = query.due or window_of(query, now), now.date()
    found = [
        titled(number, each)
        for number, each in enumerate(results, 1)
        if is_open_work(each) and each.inside and _is_flagged(each.hit, query.flag, days, today)
    ]
    told = sorted(found, key=lambda each: each.result.hit.due or date.max)[:MOST]
    numbers = {each.number for each in told}
    return (*told, *(each for each in _said(chosen, query, now) if each.number not in numbers)) if told else ()


def is_open_work(result: Result) -> bool:
    """Whether it is a piece of work that is not done, and its title may be told."""
    return result.hit.state is State.OPEN and is_listed_work(result)


def none_flagged(results: Sequence[Result], query: Query) -> str:
    """That no open work is as the question asks; "" where it asks of none, or none that is open was found."""
    return say(query, f"none_{query.flag}") if query.flag and any(map(is_open_work, results)) else ""


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


def _is_flagged(hit: Hit, flag: WorkFlag, days: Window | None, today: date) -> bool:
    match flag:
        case WorkFlag.BLOCKED:
            return is_blocked(hit)
        case WorkFlag.OVERDUE:
            return hit.due is not None and hit.due < today
        case WorkFlag.DUE:
            return hit.due is not None and (days.holds(hit.due) if days else hit.due >= today)
        case _:
            assert_never(flag)
