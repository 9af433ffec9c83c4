"""Choose the sentences that answer the question, word for word, from the best results."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from orchestrator.answer.cover import Alternatives, covered, wanted
from orchestrator.answer.moments import newest_first
from orchestrator.answer.sentences import Sentence, read
from orchestrator.answer.signals import signals
from orchestrator.answer.text import ADDRESS, cut_at_word, one_line
from translators.match import words as words_of
from translators.query import Kind, QueryType

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from orchestrator.model import Result
    from translators.query import Query

RESULTS = 8  # results that are read
SENTENCES = 60  # sentences read of each
MOST = 3  # sentences quoted
OF_ONE = 2  # of them from one result
LENGTH = 240  # characters of a quote
SHORT = 12  # characters, addresses not counted, below which a sentence says little
WORTHWHILE = 0.6  # of the best sentence's score
CONTEXT = 600  # characters of a message, which has no title, that say what its sentences are about
SAME = 0.7  # of the shorter quote's words in the other: it says the same again
DIGIT = re.compile(r"\d")
# A bracketed number inside a quote would read as one of our citations.
MARKER = re.compile(r"\[\d+\]")
HEADED = frozenset({QueryType.DECISION, QueryType.STATUS, QueryType.PERSON})
NEWEST_FIRST = frozenset({QueryType.STATUS, QueryType.DECISION})


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of result ``number`` (its place in the list, from 1), literally; ``more``: the sentence goes on.

    ``own``: the words of the question in the sentence, ``held``: in it or its title (for a message:
    its text); ``signal``: it sounds like the
    type of answer.
    """

    number: int
    result: Result
    words: str
    more: bool = False
    own: frozenset[str] = frozenset()
    held: frozenset[str] = frozenset()
    signal: bool = False
    score: float = 0.0

    @property
    def shown(self) -> str:
        """As it stands between quotation marks."""
        return f"{self.words}…" if self.more else self.words


def read_quotes(results: Sequence[Result], query: Query) -> tuple[Quote, ...]:
    """Every sentence of the first results that could be quoted, scored by how well it answers."""
    words = wanted(query)
    best = max((result.score for result in results), default=0.0) or 1.0
    return tuple(
        replace(quote, score=quote.score + result.score / best)  # a sentence of a better result counts more
        for number, result in enumerate(results[:RESULTS], 1)
        for quote in _quotes_of(number, result, query.type, words)
    )


def choose_quotes(quotes: Sequence[Quote], kind: QueryType) -> tuple[Quote, ...]:
    """Two or three sentences, fewer where there are no more worth it; none only if no result holds any text."""
    candidates = sorted(quotes, key=lambda quote: (-quote.score, quote.number, quote.words))
    chosen: list[Quote] = []
    for quote in candidates:
        if len(chosen) == MOST or quote.score < WORTHWHILE * candidates[0].score:
            break
        if _adds(quote, chosen):
            chosen.append(quote)
    return tuple(sorted(chosen, key=lambda quote: _place(quote, kind)))


def _place(quote: Quote, kind: QueryType) -> tuple[bool, float]:
    """Decisions and states from the newest back; what only comes near a decision in the order of its score."""
    if kind not in NEWEST_FIRST:
        return (False, 0.0)
    dated = quote.signal or kind is QueryType.STATUS
    return (not quote.signal, newest_first(quote.result.hit) if dated else 0.0)


def _adds(quote: Quote, chosen: list[Quote]) -> bool:
    if sum(1 for each in chosen if each.number == quote.number) >= OF_ONE or (chosen and _says_little(quote.words)):
        return False
    return not any(repeats(quote.words, each.words) for each in chosen)


def repeats(one: str, other: str) -> bool:
    """Mostly the same words, and the same numbers: a date that differs is what a reader must see."""
    first, second = set(words_of(one)), set(words_of(other))
    if {word for word in first if DIGIT.search(word)} != {word for word in second if DIGIT.search(word)}:
        return False
    return len(first & second) >= SAME * max(1, min(len(first), len(second)))


def _quotes_of(number: int, result: Result, kind: QueryType, words: dict[str, Alternatives]) -> Iterator[Quote]:
    title = one_line(result.hit.title)
    named = covered(title or result.hit.snippet[:CONTEXT], words)
    for sentence in _quotable(result, title, kind):
        own = covered(sentence.text, words)
        signal = _sounds_right(sentence, kind)
        quoted, more = _fit(sentence.text, own, words)
        score = _score(sentence.text, own, named, words, signal=signal)
        yield Quote(number, result, quoted, more, own, own | named, signal, score)


def _sounds_right(sentence: Sentence, kind: QueryType) -> bool:
    """By itself, or by the heading it stands under: minutes list under "Decisions" what was decided."""
    under = f"{sentence.heading} {sentence.text}"
    return signals(kind, sentence.text) or (kind in HEADED and bool(sentence.heading) and signals(kind, under))


def _quotable(result: Result, title: str, kind: QueryType) -> Iterator[Sentence]:
    """The text's sentences; the title too, where it is the answer (a document), says it (an issue), or is all there is."""
    found = read(result.hit.snippet)[:SENTENCES]
    if not found or kind is QueryType.DOCUMENT or result.hit.kind is Kind.ISSUE or signals(kind, title):
        found = tuple({sentence.text: sentence for sentence in (*found, Sentence(title))}.values())
    yield from (each for each in found if each.text and not MARKER.search(each.text))


def _score(
    sentence: str, own: frozenset[str], named: frozenset[str], words: dict[str, Alternatives], *, signal: bool
) -> float:
    """Twice the words held (half for those only in title or context), a point for a signal on the matter, less if very short."""
    coverage = (len(own) + 0.5 * len(named - own)) / len(words) if words else 1.0
    return 2.0 * coverage + (1.0 if signal and coverage else 0.0) - (0.5 if _says_little(sentence) else 0.0)


def _says_little(sentence: str) -> bool:
    return len(ADDRESS.sub("", sentence)) < SHORT


def _fit(sentence: str, own: frozenset[str], words: dict[str, Alternatives]) -> tuple[str, bool]:
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
