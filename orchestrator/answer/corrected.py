"""What somebody said and took back in the same thread: "sorry, I meant the 9th", 정정: 14시 아니고 15시입니다, "scratch that, Dublin".

A correction holds none of the question's words: it is about what the message before it said. It tells nothing but the value that is right, and maybe the one
that was wrong; who says "sorry, I can't make the 9th" corrects nothing.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from orchestrator.answer.actors import actor_in
from orchestrator.answer.ledger import Former
from orchestrator.answer.own import SPOKEN, conversation_of
from orchestrator.answer.places import place_in
from orchestrator.answer.signals import MOMENT
from orchestrator.answer.slot import AnswerKind, kind_of
from orchestrator.answer.sound import sound_of
from orchestrator.answer.text import STOP
from translators.match import words as words_of
from translators.patterns import regex
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from orchestrator.answer.quote import Quote
    from orchestrator.answer.sound import Sound
    from translators.query import Query

READ = 120  # characters of a message that corrects another: what is longer tells more than that
MARKS = regex(
    r"\b(?:sorry|apologies|oops|whoops|my (?:mistake|bad|apologies|error)|correction|corrected|scratch that|strike that|(?:ignore|forget) (?:that|the last|my last|the above)(?: (?:one|message))?"
    r"|(?:what )?i meant(?: to (?:say|write))?|i mean|wait|make (?:that|it)|edit|typo|i was wrong|(?:that|it) should (?:be|say|read)|should (?:be|say|read|have been)|rather|actually)\b"
    r"|정정(?:합니다|할게요|해요|드립니다|이요|입니다)?|수정(?:합니다|할게요|해요|드립니다)?|바로잡(?:습니다|을게요|아요)|잘못 (?:적었|말했|썼|올렸|알려\s?드렸|알았|봤)(?:네요|습니다|어요|음)?|오타(?:입니다|예요|네요|요)?"
    r"|(?:제가 )?착각(?:했네요|했습니다|했어요)?|아차|앗|헉|아니다|(?:아 |앗 )?(?:죄송|미안)(?:합니다|해요|요)?|방금 (?:거|건|말)(?:은)?|다시 말씀드리면",
    re.IGNORECASE,
)
# What says of a value that it is the wrong one.
WRONG = regex(
    r"\b(?:not|instead of|rather than)\s(?:the\s|at\s|on\s|in\s)?(?P<en>[^,.;!?]{1,40})|(?P<ko>[^\s,.!?]{1,20}(?:\s[^\s,.!?]{1,12}){0,2}?)\s?(?:이\s|가\s)?(?:아니고|아니라|아닙니다|말고)",
    re.IGNORECASE,
)
FILLERS = regex(
    r"^(?:입니다|이에요|예요|이요|요|으로|로|에|에서|은|는|이|가|을|를|it|its|s|the|is|at|on|in|to|that|no|yes|아|어|음|네|을게요|할게요|니다)$"
)
NUMBER = regex(r"[€$£¥₩]?\d[\d,.:]{0,20}(?:st|nd|rd|th)?[^\s\d,.!?;:]{0,6}")
ENDS = regex(r"(?:입니다|이에요|예요|이요|(?<=\d[시일월명개원분층호])요|으로|로)$")
EDGES = " \t.,:;!?~…—–-()\"'“”"
VALUED_BY_A_WORD = frozenset({AnswerKind.PLACE, AnswerKind.PERSON})


@record
class Correction:
    """What ``older`` said until ``newer`` took it back: ``value``, as it stood there ("" where that cannot be told)."""

    older: Quote
    newer: Quote
    value: str


def may_correct(text: str) -> bool:
    """Whether a message looks like one that takes something back."""
    return len(text) <= READ and MARKS.search(text) is not None


def corrections(quotes: Sequence[Quote], query: Query) -> tuple[Correction, ...]:
    """What messages of a thread take back of what was said before in it, as far as that tells what is asked for."""
    correcting = [
        each
        for each in quotes
        if each.result.hit.kind in SPOKEN and not each.asks and may_correct(each.result.hit.snippet)
    ]
    turns = ((turn, _what_it_corrects(turn, quotes, query)) for turn in _each_message(correcting))
    made = (_corrected(older, turn, query) for turn, older in turns if older)
    return tuple(each for each in made if each)


def with_corrections(quotes: Sequence[Quote], made: Sequence[Correction]) -> tuple[Quote, ...]:
    """The quotes with the corrections among them, without what those took back."""
    if not made:
        return tuple(quotes)
    gone = {each.older.number for each in made} | {each.newer.number for each in made}
    return (*(each for each in quotes if each.number not in gone), *(each.newer for each in made))


def former_corrected(quotes: Sequence[Quote], made: Sequence[Correction]) -> Former | None:
    """What the first of ``quotes`` took back; None where it is no correction, or nobody can tell what it was."""
    first = quotes[0] if quotes else None
    found = next((each for each in made if first and each.newer.number == first.number and each.value), None)
    return Former(found.older, found.newer, found.value) if found else None


def _each_message(quotes: Iterable[Quote]) -> Iterable[Quote]:
    return {each.number: each for each in quotes}.values()


def _what_it_corrects(turn: Quote, quotes: Sequence[Quote], query: Query) -> Quote | None:
    """The last that was said before it in its thread and tells a value such as is asked for: by the same person, or a value that it names as wrong."""
    hit, said = turn.result.hit, turn.when
    before = [
        each
        for each in quotes
        if each.when
        and said
        and each.when < said
        and each.own
        and conversation_of(each.result.hit) == conversation_of(hit)
    ]
    wrong = WRONG.search(hit.snippet)
    named = next(filter(None, wrong.groups()), "").strip(EDGES) if wrong else ""
    fitting = [
        each
        for each in before
        if (each.result.hit.author == hit.author or (named and named in each.words)) and value_in(each.words, query)
    ]
    return max(fitting, key=lambda each: each.when.timestamp() if each.when else 0.0, default=None)


def _corrected(older: Quote, turn: Quote, query: Query) -> Correction | None:
    text = " ".join(turn.result.hit.snippet.split())
    old = value_in(older.words, query)
    told = _left_of(text, old)
    new = value_in(told, query) or _bare_value(told, old, query)
    if not new or new.casefold() == old.casefold() or not _is_bare(told, new, older):
        return None
    newer = replace(
        turn,
        words=turn.words if new in turn.words else text,
        own=older.own,
        held=older.held,
        signal=True,
        score=max(older.score, turn.score),
        asks=False,
        guessed=True,
    )
    return Correction(older, newer, old)


def value_in(text: str, query: Query) -> str:
    """The value of the kind that is asked for, as it stands in a text; "" where it says none."""
    kind, sound = kind_of(query), sound_of(query)
    if kind is AnswerKind.PLACE:
        return place_in(text)
    if kind is AnswerKind.PERSON:
        return actor_in(text, sound.acting) if sound.acting else ""
    found = _value(text, sound, kind)
    return ENDS.sub("", found[0].strip(EDGES)) if found else ""


def _value(text: str, sound: Sound, kind: AnswerKind) -> re.Match[str] | None:
    if kind is AnswerKind.DAY:
        return MOMENT.search(text)
    return sound.says.search(text) if sound.valued else None


def _left_of(text: str, old: str) -> str:
    """What a correction says beside that it is one, and beside what it calls wrong."""
    told = MARKS.sub(" ", WRONG.sub(" ", text))
    if old:
        told = told.replace(old, " ")
    return " ".join(told.split()).strip(EDGES)


def _bare_value(told: str, old: str, query: Query) -> str:
    """A number where the old value was one, a name or a place of a few words where one of those is asked for."""
    if kind_of(query) in VALUED_BY_A_WORD:
        return ENDS.sub("", told) if told and len(told.split()) <= 3 else ""  # noqa: PLR2004
    found = NUMBER.search(told) if any(map(str.isdigit, old)) else None
    return ENDS.sub("", found[0].strip(EDGES)) if found else ""


def _is_bare(told: str, new: str, older: Quote) -> bool:
    """Whether it tells nothing but the value, and what the message before it said."""
    known = set(words_of(older.words))
    beside = [
        each
        for each in words_of(told.replace(new, " "))
        if each not in STOP and each not in known and not FILLERS.match(each)
    ]
    return not beside
