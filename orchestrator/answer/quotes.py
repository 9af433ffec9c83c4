"""Read the sentences that may answer the question, word for word, from the best results, and score them by rules."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import chain, islice
from typing import TYPE_CHECKING

from orchestrator.answer.accepted import accepted, accepts
from orchestrator.answer.actors import TITLES
from orchestrator.answer.cover import TermAlternatives, covered, wanted
from orchestrator.answer.own import (
    AS_WRITTEN,
    context_of,
    conversations,
    is_cut,
    is_dated,
    is_notice,
    is_reply,
    last_word,
    own_text,
    signed,
    text_of,
    titles_of,
    whole_of,
)
from orchestrator.answer.passages import telling
from orchestrator.answer.quote import Quote
from orchestrator.answer.revoked import STRUCK
from orchestrator.answer.rows import WindowRows, asked_state, entered, items_of, rows_of_window, window_of
from orchestrator.answer.scope import is_near, within
from orchestrator.answer.sentences import Sentence, read
from orchestrator.answer.signals import asks, counted
from orchestrator.answer.slot import slot_of
from orchestrator.answer.sound import sound_of
from orchestrator.answer.speaking import last_said
from orchestrator.answer.text import ADDRESS, cut_at_word, quotable_line
from orchestrator.answer.whole_lists import steps_in, things_in
from orchestrator.commanding import commands
from orchestrator.model import NAMED
from translators.match import happened
from translators.patterns import regex
from translators.query import Kind, QueryType, State
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from connectors.contract import Hit
    from orchestrator.answer.own import ConversationKey
    from orchestrator.answer.sound import Sound
    from orchestrator.model import Result
    from translators.query import Query, Window

RESULTS = 8  # results that are read,
MOST_READ = 20  # with what else was said where the best was
SENTENCES = 100  # sentences read of each
LENGTH = 240  # characters of a quote
SHORT = 12  # characters, addresses not counted, below which a sentence says little
DIGIT = regex(r"\d")
ID = regex(r"\b[A-Z][A-Z0-9]+-\d+\b")
# A title before a name or behind it; a title alone (소장님, 고객님) is nobody's name.
NAME = regex(
    r"\b(?:Dr|Prof|Mr|Mrs|Ms)\.? [A-Z]\w+(?: [A-Z]\w+)?"
    rf"|(?<![가-힣])(?!고객|회원|손님|(?:{TITLES})\s?님)[가-힣]{{2,4}}\s?(?:(?:{TITLES})\s?)?님(?=[\s,.)은는이가을를과와께도의]|입|$)"
    rf"|(?<![가-힣])[가-힣]{{2,4}}\s(?:{TITLES})(?=[\s,.)은는이가을를과와께도의]|입|님|$)"
)
# A bracketed number inside a quote would read as one of our citations.
MARKER = regex(r"\[\d+\]")
HALF = 0.5  # of the question's words: a sentence that holds fewer is about something else, however right it sounds
MOSTLY = 0.65  # of them: it may be called otherwise there
WHOLE = 1.0
PLAINLY = 0.5  # what a sentence is worth more that says who, what to do or which things there are in so many words, and does not only sound so
GUESSED = 0.5  # what one counts that sounds like an answer by the order of its words alone, beside one that says a word for it
UNSURE = 0.5  # taken from what gives orders to its reader
LETTERS = frozenset({Kind.MAIL, Kind.ISSUE})  # of one matter from the first line to the last
OTHER = {State.OPEN: State.DONE, State.DONE: State.OPEN}


@record
class _Reading:
    """What is looked for, and what the results are together."""

    words: Mapping[str, TermAlternatives]
    core: frozenset[str]
    ids: bool
    sound: Sound
    titles: tuple[tuple[str, str], ...]
    said: Mapping[ConversationKey, Sequence[Hit]]
    shares: Mapping[ConversationKey, float]
    window: Window | None
    past: Window | None
    people: frozenset[str]
    state: State | None
    fresh: frozenset[str]
    accepted: Mapping[str, Hit]

    def agreed(self, hit: Hit, sentence: Sentence, about: frozenset[str]) -> bool:
        """Whether a sentence proposes what is asked for and somebody said yes to it, or says that yes and what it is about."""
        if hit.id in self.accepted:
            proposed = asks(sentence.text)
        else:
            proposed = any(each.id == hit.id for each in self.accepted.values()) and accepts(sentence.text)
        decided = self.sound.kind is QueryType.DECISION and not self.sound.asked and about >= self.words.keys()
        valued = self.sound.valued and not self.sound.measure and DIGIT.search(sentence.text) is not None
        return proposed and (decided or valued or self.sound.heard(sentence))

    def on_matter(self, own: frozenset[str], held: frozenset[str], least: float = HALF) -> bool:
        """Half of the question's words, and among them the one that tells most, or by itself most of the others."""
        telling = self.core <= held or len(own) >= max(MOSTLY * len(self.words), 2)
        return telling and len(held) >= least * len(self.words)

    def of_it(self, result: Result, held: frozenset[str]) -> bool:
        """Whether a result has anything to do with the question: a word of it, or a nearness that was measured.

        What holds no word that a follow-up adds has to do with the question before it.
        """
        told = bool(held & self.fresh if self.fresh else held)
        return told or not self.words or is_near(result)

    def names(self, text: str, own: frozenset[str]) -> bool:
        """Of a question for a person: half of its words, and somebody's name that is none of them."""
        if self.sound.kind is not QueryType.PERSON or len(own) < max(HALF * len(self.words), 2):
            return False
        known = any(name in text for name in self.people if not covered(name, self.words))
        return known or any(not covered(each[0], self.words) for each in NAME.finditer(text))

    def only_names(self, sentence: Sentence) -> bool:
        """A heading or the columns of a table, that say nothing by themselves: no number, and nobody of whom one asks."""
        if not sentence.names or " | " in sentence.text:
            return sentence.names
        owner = self.sound.kind is QueryType.PERSON and self.sound.heard(sentence)
        return not DIGIT.search(sentence.text) and not owner

    def told(self, text: str) -> str:
        """Without ids of things, unless one was asked for: ``PAY-151`` says nothing of what somebody pays."""
        return text if self.ids or "-" not in text else ID.sub(" ", text)


def read_quotes(results: Sequence[Result], query: Query, now: datetime | None = None) -> tuple[Quote, ...]:
    """Every sentence of the first results that could be quoted, scored by how well it answers. ``now``: when it is asked."""
    words, said = wanted(query), conversations(results)
    reading = _Reading(
        words,
        _core(results, words, query),
        bool(query.ids),
        sound_of(query),
        titles_of(results),
        said,
        _shares(results),
        window_of(query, now),
        query.window,
        frozenset(each.name for result in results for each in (result.hit.author, result.hit.assignee) if each),
        asked_state(query),
        frozenset(query.fresh),
        accepted(said.values()),
    )
    spoken_for = {id(each) for each in within(results, words, query)}
    read_from = [(number, each) for number, each in enumerate(results, 1) if id(each) in spoken_for]
    best = {whole_of(result.hit) for _, result in read_from[:1]}  # its conversation is read whole
    read_from = [each for at, each in enumerate(read_from[:MOST_READ]) if at < RESULTS or whole_of(each[1].hit) in best]
    quotes = tuple(quote for number, result in read_from for quote in _quotes_of(number, result, reading))
    return _counting(quotes, counted(query.text, words), reading.sound) if reading.sound.count else quotes


def _counting(quotes: tuple[Quote, ...], thing: str, sound: Sound) -> tuple[Quote, ...]:
    """Where a sentence counts what is asked for, one that counts something else and does not speak of it counts nothing."""
    if not any(quote.signal and thing in quote.own for quote in quotes):
        return quotes
    return tuple(
        replace(quote, signal=False, score=quote.score - sound.worth)
        if quote.signal and thing not in quote.held
        else quote
        for quote in quotes
    )


def _core(results: Sequence[Result], words: Mapping[str, TermAlternatives], query: Query) -> frozenset[str]:
    """The word that tells most; none where it is called otherwise everywhere."""
    first = {word: words[word] for word in slot_of(query).entity}
    found = any(covered(text_of(each.hit), first) for each in results[:RESULTS])
    return frozenset(first) if found or len(words) <= 2 else frozenset()  # noqa: PLR2004


def _shares(results: Sequence[Result]) -> Mapping[ConversationKey, float]:
    """How well each was ranked, of the best: a reply counts as much as the best message of its conversation."""
    best = max((result.score for result in results), default=0.0) or 1.0
    shares: dict[ConversationKey, float] = {}
    for each in results:
        key = whole_of(each.hit)
        shares[key] = max(shares.get(key, 0.0), each.score / best)
    return shares


def _quotes_of(number: int, result: Result, reading: _Reading) -> Iterator[Quote]:
    """A sentence of a better result counts more."""
    words, sound, hit = reading.words, reading.sound, result.hit
    share = reading.shares[whole_of(hit)]
    title = quotable_line(hit.title)
    named = covered(reading.told(f"{title}\n{context_of(hit, reading.said)}"), words)
    beside = covered(hit.author.name, words) if hit.author else frozenset()  # whoever speaks need not name themselves
    is_it = NAMED in result.factors
    called = covered(f"{hit.id}\n{hit.url}", words) if is_it else frozenset()  # its text need not say so
    planted = commands(text_of(hit))  # who wrote orders in it may have written the rest for the same reader
    wholes = {} if planted else _wholes(hit, title, reading)
    told = (each for each in _quotable(result, title, reading) if not (planted and commands(each.text)))
    rows = _rows((*wholes, *told), hit, reading)
    found, current = rows.left, rows.current
    stale = rows.stale if sound.kind is QueryType.PERSON else frozenset()  # nobody is on duty by the row of another day
    topics: dict[str, frozenset[str]] = {"": frozenset()}
    owned = sound.kind is QueryType.PERSON and hit.assignee is not None  # that says who, whatever the sentence says
    taken = reading.accepted.get(hit.id)
    owned_by = {
        each: covered(reading.told(each.text), words) | called | wholes.get(each, frozenset()) for each in found
    }
    most: Counter[str] = Counter()  # of each table: the words that its best row holds
    for row, own in owned_by.items():
        most[row.table] = max(most[row.table], len(own))
    items = frozenset(items_of(own_text(hit), reading.state))
    others = frozenset(items_of(own_text(hit), OTHER[reading.state])) if reading.state else frozenset()
    reports = sound.kind is QueryType.STATUS and not sound.asked and bool(words)  # not what somebody did
    newest, closing = reports and last_word(hit, reading.said), last_said(hit) if reports else ""
    for sentence, own in owned_by.items():
        if sentence.table and len(own) < most[sentence.table]:
            continue  # another row of the table is the one that was asked for
        item = sentence.text.partition(" | ")[0]
        if item in others:
            continue  # what is done is not open
        if sentence.heading not in topics:
            topics[sentence.heading] = covered(reading.told(sentence.heading), words)
        about = own | named | topics[sentence.heading]
        held = about | beside
        # What was said is what the rest is about; what follows may be about something else.
        if not title and sentence not in wholes:
            named |= own
        elif hit.kind in LETTERS or sound.reason:  # it only speaks for the rest; below what happened stands why
            beside |= own
        if not reading.of_it(result, held):
            continue
        # Among all that a conversation is about, "Then let us confirm it so" may be about anything of it.
        on_matter = reading.on_matter(own, about, HALF if own or title or is_it or sound.tells(sentence) else WHOLE)
        agreed = reading.agreed(hit, sentence, about)
        may = on_matter and sentence not in stale and not sound.awaits(sentence.text)
        plainly = may and (sound.plainly(sentence) or (sentence in wholes and sound.all))
        heard = may and (
            newest
            or agreed
            or sentence.text in closing
            or sentence in current
            or item in items
            or sound.heard(sentence)
            or reading.names(sentence.text, own)
            or (sound.steps and sentence in wholes)
        )
        guessed = may and not heard and (plainly or sound.may_say(sentence))
        signal = heard or guessed or (owned and on_matter)
        answers = float(heard or (owned and is_it)) or GUESSED * guessed
        quoted, more = (sentence.text, False) if sentence in wholes else _fit(sentence.text, own, words)
        # "Owner: Kim" is short, and all that was asked for.
        brief = (heard or guessed) and sound.kind is QueryType.PERSON
        yield Quote(
            number,
            result,
            quoted,
            more or is_cut(hit, quoted),
            own,
            held,
            signal,
            share
            + _score(sentence.text, own, held, words, brief=brief)
            + sound.worth * (answers + (heard and sentence in current))  # the row of the days that were asked for
            + PLAINLY * plainly
            - UNSURE * planted,
            asks(sentence.text) and not agreed,
            entered(
                sentence.text,
                happened(taken) if agreed and taken else _said(result, sound.kind, titled=sentence.text == title),
            ),
            brief,
            heading=sentence.heading,
            table=sentence.table,
            agreed=agreed,
            guessed=guessed,
        )


def _wholes(hit: Hit, title: str, reading: _Reading) -> dict[Sentence, frozenset[str]]:
    """The lists of a text that are an answer as a whole, each with the words that stand above it: steps, where it is asked how, and things, where all are asked for.

    What is not numbered is one only where half of the question's words stand above it: in the line above, which holds one of them at least, or in the title.
    """
    if not (reading.sound.steps or reading.sound.all):
        return {}
    told: dict[Sentence, frozenset[str]] = {}
    for each in (steps_in if reading.sound.steps else things_in)(own_text(hit)):
        above = covered(reading.told(each.heading or title), reading.words)
        named = above | covered(reading.told(title), reading.words)
        numbered = each.counted and reading.sound.steps
        if (numbered or (above and len(named) >= HALF * len(reading.words))) and not MARKER.search(each.text):
            told[Sentence(each.text, each.heading)] = named
    return told


def _rows(found: Sequence[Sentence], hit: Hit, reading: _Reading) -> WindowRows:
    """The rows of the days that are asked about; of a month those of the last one, where the next is in no roster."""
    rows = rows_of_window(found, reading.window, happened(hit))
    past = reading.past if rows.stale and not rows.current else None
    return rows_of_window(found, past, happened(hit)) if past else rows


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
    wrapped = hit.kind not in AS_WRITTEN
    body, signature = signed(hit)
    told = telling(body, reading.words, hit.heading, wrapped=wrapped)
    each_read = (read(each.text, SENTENCES, wrapped=wrapped, heading=each.heading) for each in told)
    # The name stands beside each quote; a telephone or a firm below it may be asked for.
    below = (Sentence(line) for line in signature[1:] if covered(line, reading.words))
    found = tuple(islice(chain(chain.from_iterable(each_read), below), SENTENCES))
    heading = Sentence(title)
    named = hit.kind is Kind.ISSUE and not reading.sound.reason  # what happened is its name, and why stands below
    says_it = kind is QueryType.DOCUMENT or named or reading.sound.heard(heading)
    empty = is_reply(title) or (kind is QueryType.TEMPORAL and is_dated(hit, title))
    if not found or (says_it and not empty):
        found = tuple({sentence.text: sentence for sentence in (*found, heading)}.values())
    return tuple(
        each
        for each in found
        if STRUCK.sub("", each.text).strip()
        and not reading.only_names(each)
        and not MARKER.search(each.text)
        and not is_notice(hit, each.text, reading.titles)
    )


def is_quotable(text: str) -> bool:
    """Whether words of a source may stand in an answer: neither its citations nor orders to its reader could be taken for ours."""
    return not MARKER.search(text) and not commands(text)


def _score(
    sentence: str, own: frozenset[str], held: frozenset[str], words: Mapping[str, TermAlternatives], *, brief: bool
) -> float:
    """Twice the words held (half for those only in title or context), less if it says little."""
    coverage = (len(own) + 0.5 * len(held - own)) / len(words) if words else 1.0
    return 2.0 * coverage - (0.5 if not brief and says_little(sentence) else 0.0)


def says_little(sentence: str) -> bool:
    """A few words, or a line that ends with a comma: it greets somebody, or goes on elsewhere."""
    return sentence.endswith((",", "，")) or len(ADDRESS.sub("", sentence)) < SHORT


def _fit(sentence: str, own: frozenset[str], words: Mapping[str, TermAlternatives]) -> tuple[str, bool]:
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
