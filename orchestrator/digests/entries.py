"""What a matter is to the reader: something to do, a decision, a mention, a document, or news."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from orchestrator.answer import read_quotes
from orchestrator.answer.decided import QUESTION, decides, is_noise, says_something
from orchestrator.answer.own import WORK, is_blocked
from orchestrator.answer.signals import STANDING
from orchestrator.answer.text import shorten
from orchestrator.digests.content import DigestEntry, Origin, SectionKind, Why
from orchestrator.digests.matters import hit_place, origin_of, voice
from orchestrator.digests.reader import BY_WHEN, PROMISE, REQUEST
from translators.match import happened
from translators.query import Kind as Thing
from translators.query import Query, QueryType, State

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from connectors.contract import Hit
    from orchestrator.answer import Quote
    from orchestrator.digests.matters import Matter
    from orchestrator.digests.reader import Reader

TEXT = 240  # characters of an entry
DOCUMENTS = frozenset({Thing.PAGE, Thing.FILE, Thing.DATABASE})
ANSWERING = timedelta(hours=4)  # within which whoever speaks next in a place answers
TALK = frozenset({Thing.MESSAGE, Thing.THREAD, Thing.MAIL})
WEIGHTS = {Why.OVERDUE: 6.0, Why.DUE: 5.0, Why.REQUEST: 5.0, Why.PROMISED: 4.5, Why.ASSIGNED: 4.0, Why.QUESTION: 2.5}
DECISION, MENTIONED, CHANGED, APPROVED, SAYS_LITTLE = 4.0, 3.0, 1.0, 0.0, -1.0
URGENT = (1.0, 0.5)  # what is most urgent, and what is next


def sort_out(matter: Matter, reader: Reader) -> tuple[SectionKind, DigestEntry]:
    """Where a matter belongs and how it is told. The first of the sections that it fits.

    Of what was there before ``reader.since`` and has changed, nobody knows which of its sentences are new: none is quoted.
    """
    quotes = tuple(quote for quote in _sentences(matter, reader.language) if _is_new(quote.result.hit, reader))
    decided = next(filter(decides, quotes), None)
    if action := _action(matter, quotes, reader):
        return SectionKind.ACTIONS, _saying(action, decided, reader)
    if decided is not None:
        return SectionKind.DECISIONS, _decision(matter, reader, decided)
    if mention := next((quote for quote in quotes if _mentions(quote, reader)), None):
        return SectionKind.MENTIONS, _told(matter, reader, mention, MENTIONED)
    lead = _lead(matter)
    if lead.kind in DOCUMENTS:
        return SectionKind.DOCUMENTS, _entry(matter, reader, lead, _title(lead), CHANGED)
    return SectionKind.UPDATES, _news(matter, quotes, lead, reader)


def standing(hits: Iterable[Hit], reader: Reader, shown: frozenset[tuple[str, str]]) -> Iterator[DigestEntry]:
    """The reader's open work that is due soon, whether or not something happened to it; but not twice."""
    for hit in hits:
        due = hit.due
        soon = due is not None and due <= reader.soon and hit.state is State.OPEN and reader.is_meant(hit)
        if soon and (hit.source, hit.id) not in shown and happened(hit) is not None:
            entry = DigestEntry(_title(hit), origin_of(hit, reader), count=0)
            yield _dated(entry, hit, reader)


def promised(matter: Matter, reader: Reader) -> DigestEntry | None:
    """What the reader has said that they will do, and by when: told besides what the matter is."""
    if not any(reader.wrote(hit) for hit in matter.hits):
        return None
    for quote in _sentences(matter, reader.language):
        if _promises(quote, reader):
            told = _told(matter, reader, quote, WEIGHTS[Why.PROMISED])
            return replace(told, why=Why.PROMISED, also=(), count=1)
    return None


# ---- sections


def _action(matter: Matter, quotes: tuple[Quote, ...], reader: Reader) -> DigestEntry | None:
    """What the reader is to do: what is asked, then what is assigned, then what nobody has answered."""
    for quote in quotes:
        if _asks(quote, reader):
            return replace(_told(matter, reader, quote, WEIGHTS[Why.REQUEST]), why=Why.REQUEST)
    mine = [hit for hit in matter.hits if hit.kind in WORK and hit.state is State.OPEN and reader.is_meant(hit)]
    if mine:
        hit = mine[-1]
        entry = _entry(matter, reader, hit, _title(hit), WEIGHTS[Why.ASSIGNED])
        return _dated(_saying(replace(entry, why=Why.ASSIGNED), _last_said(quotes, hit), reader), hit, reader)
    for quote in reversed(quotes):
        if _is_open_question(quote, matter, reader):
            why = Why.REQUEST if _is_to(quote, reader) else Why.QUESTION
            return replace(_told(matter, reader, quote, WEIGHTS[why]), why=why)
    return None


def _dated(entry: DigestEntry, hit: Hit, reader: Reader) -> DigestEntry:
    due = hit.due
    if due is None:
        return entry
    if due > reader.soon:
        return replace(entry, due=due)
    why = Why.OVERDUE if due < reader.today else Why.DUE
    nearness = max(0.0, 1.0 - (due - reader.today).days / (reader.ahead + 1))
    return replace(entry, why=why, due=due, weight=max(entry.weight, WEIGHTS[why]) + min(1.0, nearness))


def _asks(quote: Quote, reader: Reader) -> bool:
    hit = quote.result.hit
    if hit.kind not in TALK or not REQUEST.search(quote.words) or reader.wrote(hit) or is_noise(hit):
        return False
    return _is_to(quote, reader)


def _is_to(quote: Quote, reader: Reader) -> bool:
    return reader.names.named_in(quote.words) or reader.is_addressed(quote.result.hit)


def _promises(quote: Quote, reader: Reader) -> bool:
    """The reader has said what they will do, and by when."""
    said, hit = quote.words, quote.result.hit
    mine = hit.kind in TALK and reader.wrote(hit) and says_something(quote)
    return mine and bool(PROMISE.search(said)) and bool(BY_WHEN.search(said)) and not QUESTION.search(said)


def _decision(matter: Matter, reader: Reader, quote: Quote) -> DigestEntry:
    hit = quote.result.hit
    if hit.kind not in WORK:
        return _told(matter, reader, quote, DECISION)
    weight = DECISION if says_something(quote) else APPROVED  # "LGTM" on a change says that it goes on
    return _saying(_entry(matter, reader, hit, _title(hit), weight), quote, reader)


def _saying(entry: DigestEntry, quote: Quote | None, reader: Reader) -> DigestEntry:
    """With what was said besides, unless the entry says that itself or has something already."""
    if quote is None or entry.said or (said := reader.shown(quote.shown)) in entry.text:
        return entry
    hit = quote.result.hit
    by = "" if (hit.source, hit.id) == (entry.origin.source, entry.origin.id) else voice(hit, reader)
    return replace(entry, said=said, by=by)


def _last_said(quotes: tuple[Quote, ...], work: Hit) -> Quote | None:
    """How the newest message that tells something says that a piece of work stands; one that names it goes before others."""
    talk = [each for each in quotes if each.result.hit.kind in TALK and says_something(each)]
    telling = [each for each in talk if not QUESTION.search(each.words) and not REQUEST.search(each.words)]
    naming = [each for each in telling if str(work.facts.get("key", work.id)) in each.result.hit.snippet]
    newest = (naming or telling)[-1:]
    said = [each for each in telling if each.result is newest[0].result] if newest else []
    return next((each for each in said if STANDING.search(each.words)), said[0] if said else None)


def _mentions(quote: Quote, reader: Reader) -> bool:
    hit = quote.result.hit
    return not reader.wrote(hit) and reader.names.named_in(quote.words)


def _is_open_question(quote: Quote, matter: Matter, reader: Reader) -> bool:
    """Nobody else has said anything in the conversation since; the reader's own questions wait for others."""
    hit = quote.result.hit
    if hit.kind not in TALK or not QUESTION.search(quote.words) or reader.wrote(hit) or not says_something(quote):
        return False
    if reader.is_for_others(hit, quote.words) or _answered_in_place(hit, reader):
        return False
    asked, who = happened(hit), hit.author
    later = (
        each for each in matter.hits if each.kind in TALK and asked is not None and (happened(each) or asked) > asked
    )
    return not any(each.author != who for each in later)


def _answered_in_place(hit: Hit, reader: Reader) -> bool:
    """Where people talk without threads, who speaks next answers."""
    asked, place = happened(hit), hit.container
    if asked is None or place is None or hit.kind is not Thing.MESSAGE:
        return False
    talk = reader.talk.get((hit.source, place.name), ())
    return any(asked < when <= asked + ANSWERING and who != hit.author for when, who in talk)


def _news(matter: Matter, quotes: tuple[Quote, ...], lead: Hit, reader: Reader) -> DigestEntry:
    if lead.kind in WORK:
        return _saying(_entry(matter, reader, lead, _title(lead), CHANGED), _last_said(quotes, lead), reader)
    if lead.title and lead.kind is not Thing.MESSAGE:
        return _entry(matter, reader, lead, _title(lead), CHANGED)
    talk = [each for each in quotes if each.result.hit.kind in TALK]
    telling = next(filter(says_something, talk), None)
    if telling is not None:
        return _told(matter, reader, telling, CHANGED)
    if talk:
        return _told(matter, reader, talk[0], SAYS_LITTLE)
    return _entry(matter, reader, lead, _title(lead), CHANGED)


# ---- telling


def _sentences(matter: Matter, language: str) -> tuple[Quote, ...]:
    """Every sentence of a matter in the order in which they were written, those that sound decided marked."""
    query = Query("", type=QueryType.DECISION, language=language)
    return read_quotes(sorted(matter.results, key=lambda each: str(happened(each.hit))), query)


def _is_new(hit: Hit, reader: Reader) -> bool:
    return hit.kind in TALK or (hit.created is not None and hit.created >= reader.since)


def _lead(matter: Matter) -> Hit:
    """What a matter is called by: a piece of work, else a document, else how the talk began."""
    firsts = [result.hit for result in matter.results]
    for kinds in (WORK, DOCUMENTS):
        for hit in firsts:
            if hit.kind in kinds:
                return hit
    return matter.hits[0]


def _told(matter: Matter, reader: Reader, quote: Quote, weight: float) -> DigestEntry:
    """An entry in the words of a sentence."""
    entry = _entry(matter, reader, quote.result.hit, shorten(reader.shown(quote.shown), TEXT), weight)
    return replace(entry, quoted=True)


def _entry(matter: Matter, reader: Reader, hit: Hit, text: str, weight: float) -> DigestEntry:
    others = [each for each in matter.hits if (each.source, each.id) != (hit.source, hit.id)]
    also: dict[tuple[str, str], Origin] = {}
    for each in others:
        origin = origin_of(each, reader)
        if (origin.source, origin.place) != (hit.source, hit_place(hit, reader)):
            also.setdefault((origin.source, origin.place), origin)
    return DigestEntry(
        text, origin_of(hit, reader), tuple(also.values()), count=len(matter.hits), weight=weight + _worth(matter)
    )


def _worth(matter: Matter) -> float:
    """How much happened (of talk: how many took part), in how many sources, how urgent, how much of it written by programs."""
    hits = matter.hits
    told = {hit.author if hit.kind in TALK and hit.author else (hit.source, hit.id) for hit in hits}
    worth = 0.5 * math.log2(len(told)) + min(2, len({hit.source for hit in hits}) - 1)
    urgency = min((hit.urgency for hit in hits if hit.urgency is not None), default=len(URGENT))
    worth += URGENT[urgency] if urgency < len(URGENT) else 0.0
    worth += any(is_blocked(hit) for hit in hits if hit.kind in WORK)
    worth += any(hit.state is State.DONE for hit in hits)
    return worth - 3.0 * all(is_noise(hit) for hit in hits)


def _title(hit: Hit) -> str:
    title = shorten(hit.title, TEXT) or shorten(hit.snippet, TEXT) or hit.id
    key = hit.facts.get("key")
    return f"{key} {title}" if isinstance(key, str) and key not in title else title
