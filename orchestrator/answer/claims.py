"""What an answer says of the matter, in the form that each type of question wants, each claim with what it cites.

A decision is what, when, by whom and where; a status what is open and blocked, and the latest words; a person is named
with what shows it; a date stands before what it was taken from; a document is its link; a rule comes with its source;
what is known comes by theme.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from connectors.text import absolute_url
from orchestrator.answer.cover import TermAlternatives, attached, covered, covered_by, wanted
from orchestrator.answer.dates import day, day_at, day_in_words, newest_first
from orchestrator.answer.earliest import begun, wants_earliest
from orchestrator.answer.ledger import Former
from orchestrator.answer.moves import DayMove
from orchestrator.answer.own import SPEAKING, own_text, text_of
from orchestrator.answer.people import Concerned, people_in
from orchestrator.answer.places import place_in
from orchestrator.answer.quotes import DIGIT, ID, is_quotable
from orchestrator.answer.replaced import replaced_by
from orchestrator.answer.revoked import STRUCK, day_moves
from orchestrator.answer.rows import asked_state, items_of, tally
from orchestrator.answer.scope import within
from orchestrator.answer.sentences import sentences
from orchestrator.answer.signals import BLOCKED, DONE, HEDGED
from orchestrator.answer.slot import AnswerKind, kind_of
from orchestrator.answer.speaking import speaker
from orchestrator.answer.text import hosts, quotable_line, shorten
from orchestrator.answer.themes import TEXT, find_themes
from orchestrator.answer.wording import say
from orchestrator.commanding import commands
from orchestrator.model import Part, Statement
from translators.match import fold, happened
from translators.query import Compare, Field, Kind, QueryType, State, conjuncts
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from connectors.contract import Hit
    from orchestrator.answer.polar import YesOrNo
    from orchestrator.answer.quote import Quote
    from orchestrator.model import Plan, Result
    from translators.query import Query

CELL = 40  # characters; a longer one tells by itself
NAME = 60  # characters of a name or place
TITLE = 120  # and of a title
GROUPS = 4  # themes
TITLES = 4  # things that are open, or blocked
ITEMS = 8  # of a list
WORK = frozenset({Kind.ISSUE, Kind.MILESTONE, Kind.PULL_REQUEST})
HALF = 0.5  # of the question's words: a thing that holds fewer is about something else
# Which facts of a result stand beside its words, and in which order: a decision is when, who, where.
ORDERS = {QueryType.DECISION: ("day", "person", "place"), QueryType.STATUS: ("day", "place", "person")}
ORDER = ("place", "day", "person")


@record
class Claim:
    """One statement, and for each result it cites the words that it leans on ("" for the result's own facts)."""

    statement: Statement
    spans: tuple[tuple[Result, str], ...]


@record
class ClaimMaterial:
    """What claims are made from."""

    quotes: Sequence[Quote]
    results: Sequence[Result]
    plan: Plan
    now: datetime
    verdict: YesOrNo | None = None
    former: Former | None = None

    def say(self, key: str, **values: object) -> str:
        """A phrase in the asker's language."""
        return say(self.plan.query, key, **values)

    def about(self) -> list[Result]:
        """Results on the matter, best first."""
        words = wanted(self.plan.query)
        return [each for each in self.results if len(covered_by((each,), words)) >= HALF * len(words)]


def claims_for(
    quotes: Sequence[Quote],
    results: Sequence[Result],
    plan: Plan,
    now: datetime,
    *,
    verdict: YesOrNo | None = None,
    former: Former | None = None,
) -> tuple[Claim, ...]:
    """In the order in which they are read. ``verdict``: what they say to a question for yes or no; ``former``: what the first replaced."""
    material = ClaimMaterial(quotes, within(results, wanted(plan.query), plan.query), plan, now, verdict, former)
    match plan.query.type:
        case QueryType.PERSON:
            return _concerned(material)
        case QueryType.DOCUMENT:
            links = tuple(_links(material))
            linked = {result.hit.id for claim in links for result, _ in claim.spans}
            return (
                *links,
                *(each for each in quoted(material) if not _repeats(each, linked) and not _strays(each, results)),
            )
        case QueryType.STATUS:
            return _state(material)
        case QueryType.EXPLORATORY:
            return (*quoted(material), *_themes(material))
        case _:
            return tuple(quoted(material))


# ---- quotes


def quoted(material: ClaimMaterial) -> Iterator[Claim]:
    """What is said, in quotes, the likeliest first; behind it what it replaced."""
    kind = material.plan.query.type
    for quote in _verdict_first(material):
        facts = _origin(quote.result.hit, material, quote.words) | {"day": day_at(quote.when, material.now)}
        told = ", ".join(filter(None, (facts[name] for name in ORDERS.get(kind, ORDER))))
        days = _days(quote, material) if kind is QueryType.TEMPORAL else ""
        shown = f"“{quote.shown}”"
        text = f"{shown} — {told}" if kind is QueryType.FACTUAL else f"{told}: {shown}"
        direct = days or _direct(quote, material)
        cells = "" if direct else _cells(quote, kind)
        spans = (quote.words, quote.table) if cells else (quote.words,)
        first = f"{direct or cells} — " if direct or cells else ""
        yield _claim(f"{first}{text}", tuple((quote.result, words) for words in spans))
        if quote is material.quotes[0]:
            yield from _replaced(quote, material)


def _verdict_first(material: ClaimMaterial) -> tuple[Quote, ...]:
    """The quotes, and before all the one that says yes or no."""
    if material.verdict is None:
        return tuple(material.quotes)
    says = material.quotes[material.verdict.place]
    return (says, *(each for each in material.quotes if each is not says))


def _direct(quote: Quote, material: ClaimMaterial) -> str:
    """The answer in a word, where the sentence says it beyond doubt: yes or no, the place."""
    verdict = material.verdict
    if verdict and quote is material.quotes[verdict.place]:
        return material.say("claim_yes" if verdict.yes else "claim_no")
    where = quote.signal and kind_of(material.plan.query) is AnswerKind.PLACE and not HEDGED.search(quote.words)
    return named(place_in(quote.words)) if where else ""


def _cells(quote: Quote, kind: QueryType) -> str:
    """What holds of a row, under the name of each column but the first, which says of what it is: a row alone is a riddle.

    Where somebody is asked for, only cells that may name one.
    """
    columns, cells = quote.table.split(" | "), STRUCK.sub("", quote.words).split(" | ")
    if len(columns) != len(cells) or max(map(len, (*columns, *cells))) > CELL:
        return ""
    named = zip(columns[1:], map(str.strip, cells[1:]), strict=True)
    told = (f"{column}: {cell}" for column, cell in named if column and _may_answer(cell, kind))
    return named_title(shorten(", ".join(told), TITLE))


def _may_answer(cell: str, kind: QueryType) -> bool:
    return any(map(str.isalnum, cell)) and not (kind is QueryType.PERSON and DIGIT.search(cell))


def _replaced(quote: Quote, material: ClaimMaterial) -> Iterator[Claim]:
    """What held before, until when, and why no longer, where what holds says so itself, or another message shows it."""
    query, said, former = material.plan.query, day_at(quote.when, material.now), material.former
    amount = kind_of(query) is AnswerKind.AMOUNT
    was = replaced_by(quote, query, material.now, amount=amount) if quote.signal and said else None
    if was:
        yield _was(material, Former(quote, quote, was.old, was.reason))
    elif former:
        yield _was(material, former)


def _was(material: ClaimMaterial, former: Former) -> Claim:
    key = "claim_was_why" if former.reason else "claim_was"
    told = ((former.older, former.older.words), (former.turn, former.turn.words), (former.turn, former.reason))
    spans = tuple((quote.result, words) for quote, words in told if words)
    until = day_at(former.turn.when, material.now)
    return _claim(material.say(key, old=named(former.value), day=until, reason=former.reason), spans)


def _origin(hit: Hit, material: ClaimMaterial, words: str = "") -> dict[str, str]:
    """Where, when and by whom ``words`` of a hit were said, as far as the source says."""
    titles = {step.source: step.title for step in material.plan.steps}
    place = titles.get(hit.source, hit.source)
    if hit.container and hit.container.name:
        place = f"{place} {named(hit.container.name)}"
    person = (hit.assignee if material.plan.query.type is QueryType.PERSON else None) or speaker(hit, words)
    return {"place": place, "day": day(hit, material.now), "person": named(person.name) if person else ""}


def named(text: str) -> str:
    """A name is text of the source too: shortened, without brackets or quotes that would read as ours."""
    shown = shorten(text, NAME)
    for mark, plain in (("[", "("), ("]", ")"), ("“", '"'), ("”", '"')):
        shown = shown.replace(mark, plain)
    return shown


def _days(quote: Quote, material: ClaimMaterial) -> str:
    """The days that the sentence names, as the asker writes them: what they were and became, or from when to when.

    Of a sentence without any that says that something is done, the day it was said; so too of what came first.
    """
    first_of_all = wants_earliest(material.plan.query)
    is_day = first_of_all or (quote.signal and DONE.search(quote.words))
    when = begun(quote.result.hit) if first_of_all else happened(quote.result.hit)
    found = () if first_of_all else day_moves(quote, material.now)
    if not found and is_day and when:
        found = (DayMove(when.astimezone(material.now.tzinfo).date()),)
    first, *others = (day_in_words(each.day, material.plan.query.language) for each in found) if found else ("",)
    return first + "".join(f"{step.tie.value}{told}" for step, told in zip(found[1:], others, strict=True))


# ---- documents


def _links(material: ClaimMaterial) -> Iterator[Claim]:
    """The link first: that is what was asked for. What only speaks of it comes after a thing that holds as many words.

    Of such things first what is called most like what was asked for, a file before a page that may only say where it lies, and the newest of several versions.
    """
    quoted = [quote.result for quote in material.quotes]
    about = [each for each in (*material.about(), *quoted) if _is_somewhere(each.hit) and not commands(each.hit.title)]
    words = wanted(material.plan.query)
    held = {id(each): len(covered_by((each,), words)) for each in about}
    most = max(held.values(), default=0)

    def order(result: Result) -> tuple[bool, int, bool, float]:
        hit = result.hit
        speaks = hit.kind in SPEAKING or held[id(result)] < most
        return speaks, -len(covered(hit.title, words)), hit.kind is not Kind.FILE, newest_first(happened(hit))

    for result in sorted(about, key=order)[:1]:
        title = shorten(result.hit.title, TITLE) or _origin(result.hit, material)["place"]
        if file := _file_of(result.hit, words):
            title = f"{shorten(file, TITLE)} ({title})"
        span = quotable_line(result.hit.title)
        yield _claim(
            material.say("claim_document", title=named_title(title), url=_address(result.hit)), ((result, span),)
        )


def _file_of(hit: Hit, words: Mapping[str, TermAlternatives]) -> str:
    """The file that hangs on it, where that is called more like what was asked for than the thing itself is."""
    least = len(covered(hit.title, words))
    held = {name: len(covered(name, words)) for name in attached(hit) if is_quotable(name)}
    best = max(held, key=lambda name: held[name], default="")
    return best if best and held[best] > least else ""


def _is_somewhere(hit: Hit) -> bool:
    return bool(absolute_url(hit.url) if hit.url else hit.address)


def _address(hit: Hit) -> str:
    """The link; of a file without one its path, which nobody shall take for a citation."""
    return hit.url or named_title(quotable_line(hit.address))


def _repeats(claim: Claim, linked: set[str]) -> bool:
    """Nothing but words of the title of what is linked already."""
    return all(result.hit.id in linked and quote in quotable_line(result.hit.title) for result, quote in claim.spans)


def _strays(claim: Claim, results: Sequence[Result]) -> bool:
    """It holds an address elsewhere than anything found: a link that somebody planted among those asked for."""
    known = hosts(" ".join(each.hit.url for each in results))
    return any(not hosts(quote) <= known for _, quote in claim.spans)


def named_title(text: str) -> str:
    """A title that cannot be taken for a citation."""
    return text.replace("[", "(").replace("]", ")").replace("“", '"').replace("”", '"')


# ---- people


def _concerned(material: ClaimMaterial) -> tuple[Claim, ...]:
    """Who is assigned, then what is said; where no sentence names anybody, who wrote of it: that is not to be responsible for it.

    What says who it is stands before who is assigned something that was found behind that.
    """
    people = people_in(material.results, wanted(material.plan.query))
    assigned, others = [each for each in people if each.assigned], [each for each in people if not each.assigned]
    best = min((result.number for each in assigned for result in each.assigned), default=0)
    told, given = tuple(quoted(material)), tuple(_people(assigned, material))
    first = bool(told) and material.quotes[0].signal and material.quotes[0].number < best
    named = any(each.signal for each in material.quotes)
    return (*((*told, *given) if first else (*given, *told)), *(() if named else _people(others, material)))


def _people(people: Sequence[Concerned], material: ClaimMaterial) -> Iterator[Claim]:
    for person in people:
        counts = [material.say("claim_assigned", count=len(person.assigned))] if person.assigned else []
        counts += [material.say("claim_written", count=len(person.written))] if person.written else []
        text = material.say("claim_named", name=named(person.name), counts=", ".join(counts))
        yield _claim(text, tuple((result, "") for result in (*person.assigned, *person.written)))


# ---- work


def _state(material: ClaimMaterial) -> tuple[Claim, ...]:
    """What is said, and what is open and blocked; these first where they were asked for, or are listed in what holds all that the first quote does.

    A list says no yes or no. What blocks a thing stands in what is said of it, and not in its name.
    """
    items, work, quotes = tuple(_items(material)), tuple(_work(material)), material.quotes
    told = tuple(each for each in quoted(material) if not _is_listed(each, items))
    blocking, kind = BLOCKED.search(material.plan.query.text), kind_of(material.plan.query)
    if (blocking and items) or _is_of_work(material.plan.query):
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
            origin = ", ".join(filter(None, (counted, *_origin(result.hit, material).values())))
            text = material.say(key, titles=titles, origin=origin)
            yield _claim(text, tuple((result, each) for each in found))
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
    blocked = [each for each in unfinished if BLOCKED.search(f"{each.hit.title}\n{each.hit.facts.get('state', '')}")]
    for key, listed in (("blocked", blocked), ("open", [each for each in unfinished if each not in blocked])):
        if listed:
            shown = sorted(listed, key=_due)[:ITEMS] if _is_of_work(material.plan.query) else listed[:TITLES]
            titles = "; ".join(f"{_called(each.hit, material)} [{each.number}]" for each in shown)
            text = material.say(f"claim_{key}", titles=titles)
            yield Claim(_statement(text, shown), tuple((each, quotable_line(each.hit.title)) for each in shown))


def _is_of_work(query: Query) -> bool:
    """Whether nothing is asked but what somebody is to do."""
    assigned = (isinstance(each, Compare) and each.field is Field.ASSIGNEE for each in conjuncts(query.where))
    return not (query.keywords or query.phrases or query.ids) and any(assigned)


def _due(result: Result) -> date:
    return result.hit.due or date.max


def _called(hit: Hit, material: ClaimMaterial) -> str:
    """Its key, by which people know it, its title, and the day by which it is to be done."""
    key = f"{hit.id} " if ID.fullmatch(hit.id) and hit.id not in hit.title else ""
    due = f" ({material.say('due', day=hit.due)})" if hit.due else ""
    return f"{key}{named_title(shorten(hit.title, TITLE))}{due}"


# ---- themes


def _themes(material: ClaimMaterial) -> Iterator[Claim]:
    """What the results are about besides, and how many of them; where that does not tell them apart, where they are."""
    themes, _ = find_themes((each.hit for each in material.results), material.plan.query)
    by_key = {(each.hit.source, each.hit.id): each for each in material.results}
    groups = {theme.label: [by_key[key] for key in theme.hits] for theme in themes}
    about = bool(groups)
    if len(groups) < 2:  # noqa: PLR2004
        about, groups = False, {}
        for each in material.about():
            groups.setdefault(_origin(each.hit, material)["place"], []).append(each)
    if len(groups) < 2:  # noqa: PLR2004
        return
    for label, members in sorted(groups.items(), key=lambda each: -len(each[1]))[:GROUPS]:
        text = material.say("claim_theme" if about else "claim_place", label=named(label), count=len(members))
        yield _claim(text, tuple((each, _saying(label, each.hit) if about else "") for each in members))


def _saying(label: str, hit: Hit) -> str:
    """The title or the sentence that holds the theme's word; "" where only a fact (the project) does."""
    texts = (quotable_line(hit.title), *sentences(hit.snippet[:TEXT]))
    return next((text for text in texts if fold(label) in fold(text) and is_quotable(text)), "")


def _claim(text: str, spans: tuple[tuple[Result, str], ...]) -> Claim:
    """With its numbers at the end."""
    numbers = tuple(dict.fromkeys(result.number for result, _ in spans))
    marks = "".join(f"[{number}]" for number in numbers)
    return Claim(Statement(f"{text} {marks}", Part.CLAIM, numbers), spans)


def _statement(text: str, results: Sequence[Result]) -> Statement:
    return Statement(text, Part.CLAIM, tuple(dict.fromkeys(each.number for each in results)))
