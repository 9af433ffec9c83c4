"""Where the words of a question stand in hits: found out for each hit once, when it arrives, whoever asks afterwards.

One word at a time is looked for in all texts at once, since that is what Python is quick at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from orchestrator.rank.canonical import canonical_url
from orchestrator.rank.lexical import FIELD, spaced
from orchestrator.rank.wanted import pieces_of, wanted_of
from translators.letters import holds_any
from translators.match import across_blanks

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from connectors.contract import Hit
    from orchestrator.rank.config import KeywordWorth
    from orchestrator.rank.lexical import Text
    from orchestrator.rank.stage import RankContext
    from orchestrator.rank.wanted import InflectedForm, Substrings, WantedWord
    from translators.query import Query

TITLE, BODY, NAMES = 1, 2, 4  # parts of a hit, as bits; nine of them say where a word stands as asked,
OTHER, JOINED = 3, 6  # so many bits further by another name, and in one with the word before it
PART = TITLE | BODY | NAMES
ANYWHERE = {part: part | part << OTHER | part << JOINED for part in (TITLE, BODY, NAMES)}


class SoughtWords(NamedTuple):
    """What of a question is looked for, and what finding it is worth."""

    words: tuple[WantedWord, ...]
    pieces: tuple[Substrings, ...]
    worth: KeywordWorth

    @classmethod
    def of(cls, query: Query, worth: KeywordWorth) -> SoughtWords:
        """By what its words are worth."""
        words = wanted_of(query, worth)
        return cls(words, pieces_of(query, words, worth), worth)


class HeldWords(NamedTuple):
    """What one text holds of them. ``marks``: the parts that hold each word; ``values``: what its best place is worth, 0 where there is none.

    ``counts``: how often each piece is there, at most once where that does not matter; ``length`` of its body.
    """

    marks: tuple[int, ...]
    values: tuple[float, ...]
    counts: tuple[int, ...]
    length: int

    def holds(self, word: int, part: int) -> bool:
        """Whether a part holds a word of the question, by its number, under any name."""
        return self.marks[word] & ANYWHERE[part] != 0


def sought(context: RankContext) -> SoughtWords:
    """Of the question that is asked."""
    return SoughtWords.of(context.query, context.config.keywords.asked_for(context.query.type))


def held(hits: Sequence[Hit], context: RankContext) -> list[HeldWords]:
    """Column: what each hit holds of the question's words."""
    return held_in(context.texts(hits), context.once(sought))


def named_places(hits: Sequence[Hit], context: RankContext) -> list[frozenset[int]]:
    """Column: which words of the question, by number, the name of the place of each hit holds."""
    names = [hit.container.name if hit.container else "" for hit in hits]
    distinct = list(dict.fromkeys(names))
    spelt = [spaced(name.replace("_", " ")) if name else "" for name in distinct]
    known: dict[str, set[int]] = {name: set() for name in distinct}
    for number, word in enumerate(context.once(sought).words):
        for at in holders((*word.forms, *word.others, *word.joined), spelt):
            known[distinct[at]].add(number)
    found = {name: frozenset(numbers) for name, numbers in known.items()}
    return [found[name] for name in names]


def held_in(texts: Sequence[Text], wished: SoughtWords) -> list[HeldWords]:
    """What each text holds."""
    words, pieces, worth = wished
    parts = {
        TITLE: [text.title for text in texts],
        BODY: [text.body for text in texts],
        NAMES: [text.names for text in texts],
    }
    untitled = [text.title.isspace() for text in texts]
    wholes = {part: FIELD.join(each) for part, each in parts.items() if part is not BODY}
    marks = [_marks(word, parts, wholes, len(texts)) for word in words]
    values = [_values(word, own, untitled, texts, worth) for word, own in zip(words, marks, strict=True)]
    everything = [text.whole for text in texts]
    counts = [_counts(piece, everything) for piece in pieces]
    rows = (zip(*columns, strict=True) if columns else [()] * len(texts) for columns in (marks, values, counts))
    return [HeldWords(own, value, count, len(text.body)) for own, value, count, text in zip(*rows, texts, strict=True)]


def _marks(word: WantedWord, parts: dict[int, list[str]], wholes: dict[int, str], size: int) -> list[int]:
    """``wholes``: parts that are short, each of all texts in one: what is in none of them is told by one look."""
    marks = [0] * size
    for shift, forms in ((0, word.forms), (OTHER, word.others), (JOINED, word.joined)):
        for part, texts in parts.items() if forms else ():
            bit = part << shift
            whole = wholes.get(part)
            likely = forms if whole is None else [form for form in forms if form.stem in whole]
            for at in holders(likely, texts) if likely else ():
                marks[at] |= bit
    return marks


def holders(forms: Iterable[InflectedForm], texts: Sequence[str]) -> set[int]:
    """Which texts hold any of the needles. What the needles begin with is looked for first, and mostly settles it."""
    found: set[int] = set()
    plain = all(map(str.isascii, texts))
    for form in forms:
        stem = form.stem
        if plain and not stem.isascii():
            continue
        likely = [at for at, text in enumerate(texts) if stem in text]
        if form.needles == (stem,):
            found.update(likely)
            continue
        for needle in form.needles:
            if not likely:
                break
            found.update([at for at in likely if needle in texts[at]])
            likely = [at for at in likely if at not in found]
    return found


def _values(
    word: WantedWord, marks: Sequence[int], untitled: Sequence[bool], texts: Sequence[Text], worth: KeywordWorth
) -> list[float]:
    where = list(zip(marks, untitled, strict=True))
    known = {each: _worth(*each, worth) if each[0] else 0.0 for each in set(where)}
    values = [known[each] for each in where]
    if word.compound:
        _look_across(word.compound, texts, values, worth)
    if word.address:
        for at, text in enumerate(texts):
            if word.address == canonical_url(text.url):
                values[at] = 1.0
    return values


def _worth(mark: int, untitled: bool, worth: KeywordWorth) -> float:  # noqa: FBT001 — the second half of a key
    """The most of: as asked, by another name, in one with the word before; each by its title, then text, then names."""
    body = worth.untitled if untitled else worth.body
    shares = (1.0, mark & PART), (worth.variant, mark >> OTHER & PART), (worth.compound, mark >> JOINED & PART)
    return max(
        share * (worth.title if own & TITLE else body if own & BODY else worth.names) for share, own in shares if own
    )


def _look_across(compound: str, texts: Sequence[Text], values: list[float], worth: KeywordWorth) -> None:
    """A Korean compound written in two words, where it was not found in one."""
    titled, bodied = worth.title * worth.compound, worth.body * worth.compound
    for at, text in enumerate(texts):
        if values[at] <= worth.names or values[at] < bodied:
            if across_blanks(compound, text.title):
                values[at] = max(values[at], titled)
            elif across_blanks(compound, text.body):
                values[at] = max(values[at], bodied)


def _counts(piece: Substrings, wholes: Sequence[str]) -> list[int]:
    one, *others = piece.needles
    if piece.counted:
        return [whole.count(one) for whole in wholes]
    return [1 if one in whole or (others and holds_any(whole, others)) else 0 for whole in wholes]
