"""Choose the sentences that answer the question, word for word, from the best results."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from orchestrator.answer.cover import TermAlternatives, covered, wanted
from orchestrator.answer.moments import newest_first
from orchestrator.answer.own import (
    AS_WRITTEN,
    context_of,
    is_cut,
    is_dated,
    is_notice,
    is_reply,
    openings,
    own_text,
    text_of,
    titles_of,
)
from orchestrator.answer.scope import within
from orchestrator.answer.sentences import Sentence, read
from orchestrator.answer.signals import asks, is_reported
from orchestrator.answer.sound import sound_of
from orchestrator.answer.text import ADDRESS, cut_at_word, one_line
from orchestrator.commanding import commands
from translators.match import happened
from translators.match import words as words_of
from translators.query import Kind, QueryType

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from orchestrator.answer.own import ConversationKey
    from orchestrator.answer.sound import Sound
    from orchestrator.model import Result
    from translators.query import Query

RESULTS = 8  # results that are read
SENTENCES = 60  # sentences read of each
NAMED = "named"  # the factor that ranking gives to what the question names by its id
MEANING = "meaning"  # and its nearness to a question in another language
CLEARLY_NEAR = 0.5  # of the nearest: it may be quoted without holding a word of the question
MOST = 3  # sentences quoted
OF_ONE = 2  # of them from one result
LENGTH = 240  # characters of a quote
SHORT = 12  # characters, addresses not counted, below which a sentence says little
WORTHWHILE = 0.6  # of the best sentence's score;
NEARLY = 0.75  # of a decision or a date, where the newest comes first and what is only near must not
SAME = 0.7  # of the shorter quote's words in the other: it says the same again
DAY = 86_400.0  # seconds
DIGIT = re.compile(r"\d")
ID = re.compile(r"\b[A-Z][A-Z0-9]+-\d+\b")
# A bracketed number inside a quote would read as one of our citations.
MARKER = re.compile(r"\[\d+\]")
HALF = 0.5  # of the question's words: a sentence that holds fewer is about something else, however right it sounds
WHOLE = 1.0
UNSURE = 0.5  # taken from what is not to be relied on: it ends with a question, tells an opinion, gives orders
NEWEST_FIRST = frozenset({QueryType.STATUS, QueryType.DECISION, QueryType.TEMPORAL})
# Where something on the matter sounds right, what does not is no answer. The others can be shown by anything.
STRICT = frozenset({QueryType.DECISION, QueryType.TEMPORAL})


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of result ``number`` (its place in the list, from 1), literally; ``more``: the sentence goes on.

    ``own``: the words of the question in the sentence, ``held``: in it or its title (for a message: its text and what it
    replies to); ``signal``: it is on the matter and sounds like the type of answer; ``asks``: it is a question itself.
    ``when``: when it was said, as far as that is known. ``brief``: it is an answer in a few words.
    """

    number: int
    result: Result
    words: str
    more: bool = False
    own: frozenset[str] = frozenset()
    held: frozenset[str] = frozenset()
    signal: bool = False
    score: float = 0.0
    asks: bool = False
    when: datetime | None = None
    brief: bool = False

    @property
    def shown(self) -> str:
        """As it stands between quotation marks."""
        return f"{self.words}…" if self.more else self.words


@dataclass(frozen=True, slots=True)
class _Reading:
    """What is looked for, and what the results are together."""

    words: dict[str, TermAlternatives]
    core: frozenset[str]
    ids: bool
    sound: Sound
    titles: tuple[tuple[str, str], ...]
    opened: Mapping[ConversationKey, str]

    def on_matter(self, held: frozenset[str], least: float = HALF) -> bool:
        """Half of the question's words, and among them the one that tells most."""
        return self.core <= held and len(held) >= least * len(self.words)

    def of_it(self, result: Result, held: frozenset[str]) -> bool:
        """Whether a result has anything to do with the question: a word of it, or a nearness that was measured."""
        return bool(held) or not self.words or result.factors.get(MEANING, 0.0) >= CLEARLY_NEAR

    def told(self, text: str) -> str:
        """Without ids of things, unless one was asked for: ``PAY-151`` says nothing of what somebody pays."""
        return text if self.ids or "-" not in text else ID.sub(" ", text)


def read_quotes(results: Sequence[Result], query: Query) -> tuple[Quote, ...]:
    """Every sentence of the first results that could be quoted, scored by how well it answers."""
    words = wanted(query)
    reading = _Reading(
        words,
        frozenset(query.essential[:1]) & words.keys(),
        bool(query.ids),
        sound_of(query),
        titles_of(results),
        openings(results),
    )
    best = max((result.score for result in results), default=0.0) or 1.0
    spoken_for = {id(each) for each in within(results, words)}
    read_from = [(number, each) for number, each in enumerate(results, 1) if id(each) in spoken_for]
    return tuple(
        quote
        for number, result in read_from[:RESULTS]
        for quote in _quotes_of(number, result, result.score / best, reading)
    )


def choose_quotes(quotes: Sequence[Quote], kind: QueryType) -> tuple[Quote, ...]:
    """Two or three sentences, fewer where there are no more worth it; none only if no result holds any text."""
    candidates = [quote for quote in quotes if not quote.asks] or list(quotes)
    worthwhile = WORTHWHILE
    if kind in STRICT:
        least = WORTHWHILE * max((quote.score for quote in candidates), default=0.0)
        right = [quote for quote in candidates if quote.signal and quote.score >= least]
        candidates, worthwhile = (right, NEARLY) if right else (candidates, WORTHWHILE)
    candidates.sort(key=lambda quote: (-quote.score, quote.number, quote.words))
    chosen: list[Quote] = []
    for quote in candidates:
        if len(chosen) == MOST or quote.score < worthwhile * candidates[0].score:
            break
        if _adds(quote, chosen):
            chosen.append(quote)
    return tuple(sorted(chosen, key=lambda quote: _place(quote, kind)))


def _place(quote: Quote, kind: QueryType) -> tuple[bool, float, int]:
    """States from the newest back, the days of decisions and dates too; what only comes near these in the order of its score."""
    if kind not in NEWEST_FIRST:
        return (False, 0.0, 0)
    if kind is QueryType.STATUS:
        return (False, newest_first(quote.when), -len(quote.own))
    return (not quote.signal, newest_first(quote.when) // DAY if quote.signal else 0.0, -len(quote.own))


def _adds(quote: Quote, chosen: list[Quote]) -> bool:
    little = bool(chosen) and not quote.brief and _says_little(quote.words)
    if little or sum(1 for each in chosen if each.number == quote.number) >= OF_ONE:
        return False
    return not any(repeats(quote.words, each.words) for each in chosen)


def repeats(one: str, other: str) -> bool:
    """Mostly the same words, and the same numbers: a date that differs is what a reader must see."""
    first, second = set(words_of(one)), set(words_of(other))
    if {word for word in first if DIGIT.search(word)} != {word for word in second if DIGIT.search(word)}:
        return False
    return len(first & second) >= SAME * max(1, min(len(first), len(second)))


def _quotes_of(number: int, result: Result, share: float, reading: _Reading) -> Iterator[Quote]:
    """``share``: the result's score of the best one's; a sentence of a better result counts more."""
    words, sound, hit = reading.words, reading.sound, result.hit
    title = one_line(hit.title)
    named = covered(reading.told(title or context_of(hit, reading.opened)), words)
    is_it = NAMED in result.factors
    if is_it:  # its text need not say so
        named |= covered(f"{hit.id}\n{hit.url}", words)
    planted = commands(text_of(hit))  # who wrote orders in it may have written the rest for the same reader
    found = tuple(each for each in _quotable(result, title, reading) if not (planted and commands(each.text)))
    owned = sound.kind is QueryType.PERSON and hit.assignee is not None  # that says who, whatever the sentence says
    wondering = not title and bool(found) and asks(found[-1].text)
    for sentence in found:
        own = covered(reading.told(sentence.text), words)
        held = own | named
        if not reading.of_it(result, held):
            continue
        # Among all that a conversation is about, "Then let us confirm it so" may be about anything of it.
        on_matter = reading.on_matter(held, HALF if own or title or is_it else WHOLE)
        heard = on_matter and sound.heard(sentence)
        signal = heard or (owned and on_matter)
        answers = heard or (owned and is_it)
        unsure = wondering or planted or (sound.kind in STRICT and is_reported(sentence.text))
        quoted, more = _fit(sentence.text, own, words)
        brief = heard and sound.kind is QueryType.PERSON  # "Owner: Kim" is short, and all that was asked for
        yield Quote(
            number,
            result,
            quoted,
            more or is_cut(hit, quoted),
            own,
            held,
            signal,
            share + _score(sentence.text, own, named, words, brief=brief) + sound.worth * answers - UNSURE * unsure,
            asks(sentence.text),
            _said(result, sound.kind, titled=sentence.text == title),
            brief,
        )


def _said(result: Result, kind: QueryType, *, titled: bool) -> datetime | None:
    """When: an issue's title is as old as itself; when what its text decides was written, nobody knows."""
    hit = result.hit
    if hit.kind is not Kind.ISSUE:
        return happened(hit)
    if titled:
        return hit.created or happened(hit)
    return None if kind is QueryType.DECISION else happened(hit)


def _quotable(result: Result, title: str, reading: _Reading) -> tuple[Sentence, ...]:
    """The text's sentences; the title too, where it is the answer (a document), says it (an issue), or is all there is."""
    hit, kind = result.hit, reading.sound.kind
    found = read(own_text(hit), SENTENCES, wrapped=hit.kind not in AS_WRITTEN)
    heading = Sentence(title)
    says_it = kind is QueryType.DOCUMENT or hit.kind is Kind.ISSUE or reading.sound.heard(heading)
    empty = is_reply(title) or (kind is QueryType.TEMPORAL and is_dated(hit, title))
    if not found or (says_it and not empty):
        found = tuple({sentence.text: sentence for sentence in (*found, heading)}.values())
    return tuple(
        each
        for each in found
        if each.text and not MARKER.search(each.text) and not is_notice(hit, each.text, reading.titles)
    )


def is_quotable(text: str) -> bool:
    """Whether words of a source may stand in an answer: neither its citations nor orders to its reader could be taken for ours."""
    return not MARKER.search(text) and not commands(text)


def _score(
    sentence: str, own: frozenset[str], named: frozenset[str], words: dict[str, TermAlternatives], *, brief: bool
) -> float:
    """Twice the words held (half for those only in title or context), less if it says little."""
    coverage = (len(own) + 0.5 * len(named - own)) / len(words) if words else 1.0
    return 2.0 * coverage - (0.5 if not brief and _says_little(sentence) else 0.0)


def _says_little(sentence: str) -> bool:
    """A few words, or a line that ends with a comma: it greets somebody, or goes on elsewhere."""
    return sentence.endswith((",", "，")) or len(ADDRESS.sub("", sentence)) < SHORT


def _fit(sentence: str, own: frozenset[str], words: dict[str, TermAlternatives]) -> tuple[str, bool]:
    """At most ``LENGTH`` characters; a long run starts at the word that holds the first match."""
    if len(sentence) <= LENGTH:
        return sentence, False
    head = cut_at_word(sentence, LENGTH)
    if own and not covered(head, words):
        folded = sentence.casefold()
        places = [place for word in own if (place := folded.find(word.casefold())) >= 0]
        start = sentence.rfind(" ", 0, min(places)) + 1 if places and len(folded) == len(sentence) else 0
        head = cut_at_word(sentence[start:], LENGTH)
    return head, True
