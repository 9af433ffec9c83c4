"""Which open work is held up, late, or to be done in a time: told by what trackers say of it, and not by the words of the question."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

from orchestrator.answer.own import WORK, is_blocked
from orchestrator.answer.quote import Quote
from orchestrator.answer.quotes import is_quotable
from orchestrator.answer.rows import window_of
from orchestrator.answer.text import quotable_line
from orchestrator.answer.wording import say
from translators.match import happened
from translators.query import State, WorkFlag

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from orchestrator.model import Result
    from translators.query import Query, Window

MOST = 8  # pieces of work that are told
LATELY = timedelta(days=14)


def flagged(results: Sequence[Result], query: Query, now: datetime) -> tuple[Quote, ...]:
    """The titles of open work that is as the question asks, what is due first before the rest; none where it asks of no work.

    ``results``: all that was found, numbered by their places.
    """
    if query.flag is None:
        return ()
    days, today = query.due or window_of(query, now), now.date()
    held = [
        Quote(number, each, quotable_line(each.hit.title), when=happened(each.hit))
        for number, each in enumerate(results, 1)
        if is_open_work(each) and each.inside and _is_flagged(each, query.flag, days, today)
    ]
    return tuple(sorted(held, key=lambda each: each.result.hit.due or date.max)[:MOST])


def is_open_work(result: Result) -> bool:
    """Whether it is a piece of work that is not done, and its title may be told."""
    hit = result.hit
    return hit.kind in WORK and hit.state is State.OPEN and bool(hit.title) and is_quotable(quotable_line(hit.title))


def none_flagged(results: Sequence[Result], query: Query) -> str:
    """That no open work is as the question asks; "" where it asks of none, or none that is open was found."""
    return say(query, f"none_{query.flag}") if query.flag and any(map(is_open_work, results)) else ""


def beside_flagged(quotes: Sequence[Quote], query: Query, now: datetime) -> tuple[Quote, ...]:
    """What people said of late of being held up. That something is late or due their trackers say, and "due" is said of much else."""
    lately = now - LATELY
    told = (each for each in quotes if each.signal and each.when and each.when >= lately)
    return tuple(told) if query.flag is WorkFlag.BLOCKED else ()


def _is_flagged(result: Result, flag: WorkFlag, days: Window | None, today: date) -> bool:
    if flag is WorkFlag.BLOCKED:
        return is_blocked(result.hit)
    due = result.hit.due
    if due is None or flag is WorkFlag.OVERDUE:
        return due is not None and due < today
    return days.holds(due) if days else due >= today
