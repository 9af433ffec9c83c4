"""What happened in a time: what was decided, what was finished and what is held up, of all that was found and not of the first ten."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from orchestrator.answer.choosing import repeats
from orchestrator.answer.claim import TITLE
from orchestrator.answer.dates import newest_first
from orchestrator.answer.decided import decides, says_something
from orchestrator.answer.own import SPOKEN, TALK, WORK, conversation_of, conversations, is_blocked, whole_of
from orchestrator.answer.passages import passage_of
from orchestrator.answer.quotes import read_quotes, says_little
from orchestrator.answer.signals import DECIDED, HEDGED, changes
from orchestrator.answer.text import quotable_line, shorten
from orchestrator.answer.work_claims import beside, is_listed_work, listing, titled
from orchestrator.commanding import commands
from translators.match import happened
from translators.query import Query, QueryType, State

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from connectors.contract import Hit
    from orchestrator.answer.claim import Claim, ClaimMaterial
    from orchestrator.answer.own import ConversationKey
    from orchestrator.answer.quote import Quote
    from orchestrator.model import Result
    from translators.query import Window

DECISIONS = 5  # that are told,
PIECES = 5  # of work that was finished, and as many that are held up
SAID = 3  # sentences that are told where nothing was decided, finished or held up
FINISHED, HELD_UP, CHANGED = "claim_finished", "claim_blocked", "claim_changed"


def happenings(results: Sequence[Result], query: Query, now: datetime) -> tuple[Quote, ...]:
    """What was decided, what says so outright before what only moves something, the newest first, one of each conversation; then the titles of work that was finished or is held up. Where there is none of that, what was said last, in sentences that say something, and the titles of work that was changed. None where no period is asked about.

    ``results``: all that was found, numbered by their places; what is outside of what was asked, or happened at another time, is left out.
    """
    window = query.window if query.of_a_period else None
    if window is None:
        return ()
    found = [(number, each) for number, each in enumerate(results, 1) if each.inside and _is_within(each, window, now)]
    asked = Query("", type=QueryType.DECISION, language=query.language)
    said = conversations(results)
    sentences = tuple(_sentences(found, asked))
    decided = sorted(
        filter(_is_told, sentences), key=lambda each: (not DECIDED.search(each.words), newest_first(each.when))
    )
    told = _one_of_each(decided, said, DECISIONS)
    work = [each for each in found if is_listed_work(each[1])]
    finished, held = ([titled(*each) for each in work if _line_of(each[1]) == line] for line in (FINISHED, HELD_UP))
    if told or finished or held:
        return (*told, *finished[:PIECES], *held[:PIECES])
    spoken = sorted(filter(_is_said, sentences), key=lambda each: newest_first(each.when))
    changed = [titled(*each) for each in sorted(work, key=lambda each: newest_first(happened(each[1].hit)))]
    return (*_one_of_each(spoken, said, SAID), *changed[:PIECES])


def _one_of_each(
    quotes: Iterable[Quote], said: Mapping[ConversationKey, Sequence[Hit]], most: int
) -> tuple[Quote, ...]:
    """The first of each conversation, each with what that began with; nothing twice."""
    told: list[Quote] = []
    for quote in quotes:
        hit = quote.result.hit
        known = any(whole_of(hit) == whole_of(each.result.hit) or repeats(quote.words, each.words) for each in told)
        if not known and len(told) < most:
            told.append(replace(quote, passage=passage_of(hit, quote.words), answers=_begun_by(hit, said)))
    return tuple(told)


def _begun_by(hit: Hit, said: Mapping[ConversationKey, Sequence[Hit]]) -> str:
    """What the conversation of a reply began with, so that "moved to the 27th" says what did."""
    first = next(iter(said.get(conversation_of(hit), ())), hit) if hit.kind in SPOKEN else hit
    return "" if first.id == hit.id or commands(first.snippet) else shorten(quotable_line(first.snippet), TITLE)


def _is_within(result: Result, window: Window, now: datetime) -> bool:
    """A page that was written then and changed since is told where it was changed."""
    when = happened(result.hit)
    return when is not None and window.holds(when.astimezone(now.tzinfo).date())


def _sentences(found: Iterable[tuple[int, Result]], asked: Query) -> Iterator[Quote]:
    """Each sentence, read as nobody has asked about a decision; work is told by its title."""
    for number, result in found:
        if result.hit.kind not in WORK:
            yield from (replace(each, number=number) for each in read_quotes((result,), asked))


def _is_said(quote: Quote) -> bool:
    """Somebody says something in it: no question, no row of a table, no name and no heading."""
    tells = quote.result.hit.kind in TALK and says_something(quote) and not says_little(quote.words)
    return tells and not (quote.asks or quote.table or quote.words in quotable_line(quote.result.hit.title))


def _is_told(quote: Quote) -> bool:
    moves = changes(quote.words) and not HEDGED.search(quote.words) and says_something(quote)
    named = quote.words in quotable_line(quote.result.hit.title)  # "Facade: decisions" is a name
    return (decides(quote) or moves) and not (quote.asks or named)


def _line_of(work: Result) -> str:
    """The line in which it is told what became of a piece of work."""
    if work.hit.state is State.DONE:
        return FINISHED
    return HELD_UP if work.hit.state is State.OPEN and is_blocked(work.hit) else CHANGED


def period_claims(material: ClaimMaterial) -> Iterator[Claim]:
    """The decisions word for word, then a line of what was finished, one of what is held up, and one of what only changed."""
    work = [each.result for each in material.quotes if is_listed_work(each.result)]
    yield from beside(material, work)
    for line in (FINISHED, HELD_UP, CHANGED):
        if listed := [each for each in work if _line_of(each) == line]:
            yield listing(line, listed, material)


def is_eventful(quotes: Sequence[Quote]) -> bool:
    """Whether something was decided, finished or held up, and not only said or changed."""
    return any(_line_of(each.result) != CHANGED if is_listed_work(each.result) else _is_told(each) for each in quotes)
