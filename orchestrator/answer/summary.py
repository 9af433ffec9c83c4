"""The summary: quoted sentences with their citations inside a frame in the asker's language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.answer.gaps import Gaps, describe
from orchestrator.answer.moments import day
from orchestrator.answer.text import shorten
from orchestrator.answer.wording import lead, say
from orchestrator.model import Citation
from translators.query import QueryType

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from connectors.contract import Hit
    from orchestrator.answer.quotes import Quote
    from orchestrator.model import Dropped, Plan, Result

NAME = 60  # characters of a name or place
PEOPLE = 3
NAMING = 10  # results whose people are named


def summarise(quotes: Sequence[Quote], results: Sequence[Result], gaps: Gaps, plan: Plan, now: datetime) -> str:
    """Quotes with ``[n]``, people where they are asked for, and what the answer could not include."""
    parts = [_lead(quotes, plan) if quotes else say(plan.query, "untold", count=len(results))]
    parts += [_quoted(quote, plan, now) for quote in quotes]
    if plan.query.type is QueryType.PERSON:
        parts += _people(results, plan)
    return " ".join(parts + _missing(gaps, plan))


def summarise_nothing(gaps: Gaps, dropped: Sequence[Dropped], plan: Plan) -> str:
    """What an empty answer means: nothing there, nothing that fits, or nobody who could tell."""
    heard = (*gaps.answered, *gaps.partly)
    if not heard:
        unheard = describe(gaps.silent, plan) or "; ".join(f"{each.title}: {each.reason}" for each in plan.skipped)
        return say(plan.query, "none_answered", sources=unheard)
    parts = [say(plan.query, "none_fit", count=len(dropped))] if dropped else []
    if not dropped:
        parts.append(say(plan.query, "none_found", sources=", ".join(each.title for each in heard)))
    silent = (*gaps.silent, *gaps.partly)
    if silent:
        parts.append(say(plan.query, "incomplete", sources=describe(silent, plan)))
    return " ".join(parts)


def cite(quotes: Sequence[Quote], results: Sequence[Result], plan: Plan) -> tuple[Citation, ...]:
    """One citation for each ``[n]`` of the summary, in its order. ``n`` is the number that the result goes by."""
    cited = [Citation(quote.number, quote.result, quote.words) for quote in quotes]
    if plan.query.type is QueryType.PERSON:
        known = {citation.number for citation in cited}
        by_number = {result.number: result for result in results}
        more = sorted({number for numbers in _named(results).values() for number in numbers} - known)
        cited += [Citation(number, by_number[number]) for number in more]
    return tuple(cited)


def _lead(quotes: Sequence[Quote], plan: Plan) -> str:
    if all(quote.result.factors.get("asked", 1.0) == 0.0 for quote in quotes):
        return say(plan.query, "outside")
    return lead(plan.query, strong=any(quote.signal for quote in quotes))


def _quoted(quote: Quote, plan: Plan, now: datetime) -> str:
    return f"{_origin(quote.result.hit, plan, now)}: “{quote.shown}” [{quote.number}]"


def _origin(hit: Hit, plan: Plan, now: datetime) -> str:
    """Where, when and by whom, as far as the source says."""
    titles = {step.source: step.title for step in plan.steps}
    place = titles.get(hit.source, hit.source)
    if hit.container and hit.container.name:
        place = f"{place} {_name(hit.container.name)}"
    person = (hit.assignee if plan.query.type is QueryType.PERSON else None) or hit.author
    return ", ".join(filter(None, (place, day(hit, now), _name(person.name) if person else "")))


def _name(text: str) -> str:
    """A name is text of the source too: shortened, and without brackets that would read as a citation."""
    return shorten(text, NAME).replace("[", "(").replace("]", ")")


def _people(results: Sequence[Result], plan: Plan) -> list[str]:
    named = _named(results)
    shown = [f"{name} {''.join(f'[{number}]' for number in numbers)}" for name, numbers in named.items()]
    return [say(plan.query, "people", people=", ".join(shown))] if shown else []


def _named(results: Sequence[Result]) -> dict[str, list[int]]:
    """The people who own or wrote most of the first results, with the results that show it; owners before writers."""
    owners: dict[str, list[int]] = {}
    for result in results[:NAMING]:
        person = result.hit.assignee or result.hit.author
        if person and (name := _name(person.name)):
            owners.setdefault(name, []).append(result.number)
    ranked = sorted(owners, key=lambda name: (-len(owners[name]), owners[name][0]))
    return {name: owners[name] for name in ranked[:PEOPLE]}


def _missing(gaps: Gaps, plan: Plan) -> list[str]:
    parts = [say(plan.query, "gap", sources=describe(gaps.silent, plan))] if gaps.silent else []
    return parts + ([say(plan.query, "partly", sources=describe(gaps.partly, plan))] if gaps.partly else [])
