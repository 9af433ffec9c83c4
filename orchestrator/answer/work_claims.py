"""How work stands: what a list says is open or done, and which things are open or blocked."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from orchestrator.answer.claim import TITLE, Claim, claim_of, named_title, provenance
from orchestrator.answer.cover import covered, covered_by, wanted
from orchestrator.answer.decided import is_noise
from orchestrator.answer.own import WORK, is_blocked, own_text, text_of
from orchestrator.answer.quote import Quote
from orchestrator.answer.quoted import quoted
from orchestrator.answer.quotes import ID, is_quotable
from orchestrator.answer.rows import asked_state, items_of, tally
from orchestrator.answer.scope import within
from orchestrator.answer.signals import BLOCKED, LINKED
from orchestrator.answer.slot import AnswerKind, kind_of
from orchestrator.answer.text import quotable_line, shorten
from orchestrator.commanding import commands
from orchestrator.model import Part, Statement
from translators.match import happened
from translators.query import Compare, Field, State, WorkFlag, conjuncts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from connectors.contract import Hit
    from orchestrator.answer.claim import ClaimMaterial
    from orchestrator.model import Result
    from translators.query import Query

TITLES = 4  # things that are open, or blocked
ITEMS = 8  # of a list
PRIORITY = 20  # characters of a priority
LINKS = ("blocked_by", "blocks", "subtasks")
LINKED_BY = {WorkFlag.BLOCKED: ("blocked_by",), WorkFlag.BLOCKING: ("blocks",)}
"""Facts that name other open work, and which of them a question asks for."""


def how_work_stands(material: ClaimMaterial) -> tuple[Claim, ...]:
    """What is said, and what is open and blocked; these first where they were asked for, or are listed in what holds all that the first quote does.

    A list says no yes or no. What blocks a thing stands in what is said of it, and not in its name.
    """
    items, work, quotes = tuple(_items(material)), tuple(_work(material)), material.quotes
    told = tuple(each for each in quoted(material) if not _is_listed(each, items))
    blocking, kind = BLOCKED.search(material.plan.query.text), kind_of(material.plan.query)
    if (blocking and (items or any(_is_linked(each.hit) for claim in work for each, _ in claim.spans))) or _is_of_work(
        material.plan.query
    ):
        return (*work, *items, *told)
    named = {number for each in work for number in each.statement.numbers}
    if blocking and quotes and quotes[0].signal and named == {quotes[0].number}:
        return (*told, *work)
    listed = kind is AnswerKind.LIST or (kind is not AnswerKind.YES_NO and _are_of_it(items, material))
    return (*items, *work, *told) if listed else (*told, *items, *work)


def _items(material: ClaimMaterial) -> Iterator[Claim]:
    """Of the best result on the matter that lists what is open and what is done: what was asked for, and how many are done.

    What a checklist is about is asked of it where only its title is named: then what is left is told.
    """
    asked, words = asked_state(material.plan.query), wanted(material.plan.query)
    for result in material.about():
        named_by_title = covered(result.hit.title, words) == words.keys()
        state = asked or (State.OPEN if named_by_title else None)
        found = tuple(filter(is_quotable, items_of(own_text(result.hit), state)))[:ITEMS]
        if found and not commands(text_of(result.hit)):
            key = "claim_left" if state is State.OPEN else "claim_done"
            titles = "; ".join(named_title(shorten(each, TITLE)) for each in found)
            done, every = tally(own_text(result.hit))
            counted = material.say("tally", done=done, every=every) if every else ""
            origin = ", ".join(filter(None, (counted, *provenance(result.hit, material).values())))
            text = material.say(key, titles=titles, origin=origin)
            yield claim_of(text, tuple((result, each) for each in found))
            return


def _are_of_it(items: Sequence[Claim], material: ClaimMaterial) -> bool:
    """Whether what lists them is no less about the matter than what is quoted first."""
    lists = [result for each in items for result, _ in each.spans]
    held = covered_by(lists, wanted(material.plan.query))
    return bool(lists) and all(quote.held <= held for quote in material.quotes[:1])


def _is_listed(claim: Claim, items: Sequence[Claim]) -> bool:
    spans = {(result.number, words) for each in items for result, words in each.spans}
    return all((result.number, words) in spans for result, words in claim.spans)


def _work(material: ClaimMaterial) -> Iterator[Claim]:
    """What is blocked and what is open, of the things that are on the matter."""
    things = [each for each in material.about() if each.hit.kind in WORK and not commands(each.hit.title)]
    unfinished = [each for each in things if each.hit.state is State.OPEN and each.hit.title]
    blocked = [each for each in unfinished if is_blocked(each.hit)]
    for key, listed in (("blocked", blocked), ("open", [each for each in unfinished if each not in blocked])):
        if listed:
            shown = sorted(listed, key=_due)[:ITEMS] if _is_of_work(material.plan.query) else listed[:TITLES]
            yield listing(f"claim_{key}", shown, material)


def linked_work(results: Sequence[Result], query: Query) -> tuple[Result, ...]:
    """The open work of which it is asked what it waits for, holds up or has left: what says so itself, and is no less about the matter than anything else.

    Words that ask for that are none that it holds.
    """
    if query.flag or query.of_a_period or not LINKED.search(query.text):
        return ()
    everything = wanted(query)
    results = within(results, everything, query)
    words = {word: names for word, names in everything.items() if not LINKED.search(word)}
    held = {result.number: len(covered_by((result,), words)) for result in results}
    most = max(held.values(), default=0)
    if not most:
        return ()
    about = (each for each in results if held[each.number] == most and is_listed_work(each))
    linked = [each for each in about if each.hit.state is State.OPEN and _is_linked(each.hit)]
    named = {each.number: len(covered(f"{each.hit.id} {each.hit.title}", words)) for each in linked}
    return tuple(each for each in linked if named[each.number] == max(named.values()))[:TITLES]


def is_listed_work(result: Result) -> bool:
    """Whether it is a piece of work whose title may be told."""
    hit = result.hit
    return hit.kind in WORK and bool(hit.title) and is_quotable(quotable_line(hit.title)) and not is_noise(hit)


def titled(number: int, result: Result) -> Quote:
    """Its title, as what is told of a piece of work."""
    return Quote(number, result, quotable_line(result.hit.title), when=happened(result.hit))


def beside(material: ClaimMaterial, listed: Sequence[Result]) -> Iterator[Claim]:
    """What is said word for word, but for what is listed."""
    numbers = {each.number for each in listed}
    return quoted(replace(material, quotes=[each for each in material.quotes if each.number not in numbers]))


def listing(key: str, work: Sequence[Result], material: ClaimMaterial) -> Claim:
    """One line that names pieces of work, each with its number behind it."""
    titles = "; ".join(f"{_called(each.hit, material)} [{each.number}]" for each in work)
    numbers = tuple(dict.fromkeys(each.number for each in work))
    statement = Statement(material.say(key, titles=titles), Part.CLAIM, numbers)
    return Claim(statement, tuple((each, quotable_line(each.hit.title)) for each in work))


def _is_of_work(query: Query) -> bool:
    """Whether nothing is asked but what somebody is to do."""
    assigned = (isinstance(each, Compare) and each.field is Field.ASSIGNEE for each in conjuncts(query.where))
    return not (query.keywords or query.phrases or query.ids) and any(assigned)


def _due(result: Result) -> date:
    return result.hit.due or date.max


def _called(hit: Hit, material: ClaimMaterial) -> str:
    """Its key, by which people know it, its title, its priority where that is asked for or else what holds it up, what it holds up and what is left of it, and the day by which it is to be done."""
    key = f"{hit.id} " if ID.fullmatch(hit.id) and hit.id not in hit.title else ""
    told = ", ".join((*_flagged_by(hit, material), *([material.say("due", day=hit.due)] if hit.due else [])))
    return f"{key}{named_title(shorten(hit.title, TITLE))}{f' ({told})' if told else ''}"


def _flagged_by(hit: Hit, material: ClaimMaterial) -> Iterator[str]:
    """Its priority, or what it waits for, holds up and has open parts of: of these the one that the question asks for, and all where it asks for none."""
    flag = material.plan.query.flag
    if flag is WorkFlag.URGENT and hit.urgency is not None:
        yield named_title(shorten(str(hit.facts["priority"]), PRIORITY))
    for name in LINKS if flag is None else LINKED_BY.get(flag, ()):
        keys = hit.facts.get(name, ())
        if isinstance(keys, tuple) and keys:
            yield material.say(name, keys=", ".join(named_title(shorten(key, TITLE)) for key in keys[:TITLES]))


def _is_linked(hit: Hit) -> bool:
    return any(hit.facts.get(name) for name in LINKS)
