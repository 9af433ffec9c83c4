"""Words that no hit holds: what else is searched for, beside them. They may be mistyped, written with other blanks, or called otherwise where people work.

A word that some hit holds in any form is no slip, nor is one that the language knows. What is meant by a slip comes from the words
at hand: of the hits, of the names that sources know, of our lists. Where nothing at all was found, a known word is also looked for by
what else it is called (a synonym), which comes from the word pairs by way of the other language. Nothing is replaced: the question stands as asked, the other spelling or word is one more name
that its word goes by, and every place that shows it says so.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

import rapidfuzz.distance
import rapidfuzz.process  # noqa: F401 — loaded with the engine: later, a question would wait for the disk

from orchestrator.model import Status
from orchestrator.understand import NamesBySound, is_known, known_beginning, nearest, vocabulary_of
from translators.inflection import stem
from translators.match import ALL_HANGUL, HANGUL, fold
from translators.patterns import regex
from translators.query import Doubt, Term, all_of, map_leaves
from translators.records import record
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from orchestrator.model import HitList, Outcome
    from orchestrator.understand import Directory, Lexicon
    from translators.query import Clause, Leaf, Query

OPEN = 40  # keywords of a question that are looked for in its hits
LOOKED_AT = 4  # of them, that nothing holds
READ, READ_IN_ALL = 1000, 100_000  # characters of a hit, of all hits
AT_ONCE = 20  # hits that are looked through
ALSO = Said("also searched for “{meant}” (for “{word}”)")
SHORTEST = 2  # syllables of a noun
SYNONYMS = 2  # of a word
PART, TWICE, LONGEST = 3, 6, 24  # letters of a word that may stand in two, and of its parts
PROPER_NAME = regex(r"(?<!\w)[A-Z][a-z]{2,}(?: [A-Z][a-z]{2,}){0,2}(?!\w)")
NAMES = 1000  # that are compared with a word by their sound


@record
class Respelling:
    """A word of the question, or two side by side, and what is searched for beside it.

    ``sure``: it is another spelling or another word for it, and no mere beginning. ``spaced``: the same with other blanks; ``told``: which sources that
    take alternatives were sent with the question.
    """

    word: str
    meant: str
    sure: bool = True
    spaced: bool = False
    told: bool = False

    @property
    def said(self) -> Said:
        """For people."""
        return ALSO.filled(meant=self.meant, word=self.word)


@record
class Strange:
    """Words of a question that no hit holds in any form, the core words first, and what the hits say.

    ``names``: the other names of those words; ``joined``: the word before each with which it may be one.
    """

    words: tuple[str, ...]
    texts: tuple[str, ...]
    names: Mapping[str, tuple[str, ...]]
    joined: Mapping[str, str]


def strange_words(query: Query, outcomes: Sequence[Outcome]) -> Strange | None:
    """At most :data:`LOOKED_AT`; ``None`` where every word is held."""
    words, other = _open_words(query), dict(query.variants)
    texts: list[str] = []
    folded: list[str] = []
    said = _texts(outcomes)
    while more := list(islice(said, AT_ONCE)):  # mostly the first hold all words, and nobody need look at the others
        held = _Held(fold("\n".join(more)), other)
        words = tuple(word for word in words if not held.holds(word))
        if not words:
            return None
        texts += more
        folded.append(held.whole)
    held = _Held("\n".join(folded), other)
    found = [word for word in words if not held.holds(word)][:LOOKED_AT]
    names = {word: each for word, each in query.variants if word in found}
    pairs = (pair for pair in query.joined if HANGUL.match(pair[0]))  # English ones are worth no second round
    joined = {second: first for first, second in pairs if second in found and held.holds(first)}
    return Strange(tuple(found), tuple(texts), names, joined) if found else None


def respellings(strange: Strange, directory: Directory | None, lexicon: Lexicon) -> tuple[Respelling, ...]:
    """What may be meant by each, or what else a known one is called; nothing for a word that is near nothing and has no other name."""
    whole = fold("\n".join(strange.texts))
    known = {word: is_known(word, lexicon) for word in strange.words}
    unknown = [word for word in strange.words if not known[word]]
    names = directory.vocabulary if directory else ()
    vocabulary = vocabulary_of((*names, *strange.texts), unknown) if unknown else {}
    nothing = not strange.texts
    heard = _heard(strange, unknown, lexicon)
    meant = {word: heard.get(word) or _meant(word, whole, vocabulary, lexicon, nothing=nothing) for word in unknown}
    found = ((meant.get(word) or _spaced(word, strange) or _shorter(word, lexicon), word) for word in strange.words)
    return tuple(each for one, word in found for each in ((one,) if one else _synonyms(word, strange, lexicon)))


def _synonyms(word: str, strange: Strange, lexicon: Lexicon) -> tuple[Respelling, ...]:
    """What else it is called in its own language, where nothing at all was found: 세탁 of 빨래, which both are laundry."""
    if strange.texts:
        return ()
    known = [_squeezed(each) for each in (word, *strange.names.get(word, ()))]
    found: list[str] = []
    for other in sorted(lexicon.bilingual.synonyms(word), key=lambda each: " " in each):
        if not any(each in _squeezed(other) for each in known):  # what holds 회식자리 holds 회식
            found.append(other)
            known.append(_squeezed(other))
    return tuple(Respelling(word, each) for each in found[:SYNONYMS])


def _heard(strange: Strange, unknown: Sequence[str], lexicon: Lexicon) -> dict[str, Respelling]:
    """Of words in Hangul that no list has, the name in Latin letters among what hits say that each sounds like: 펜윅 is Fenwick."""
    asked = [each for each in unknown if ALL_HANGUL.fullmatch(each) and not lexicon.bilingual.counterparts(each)]
    if not asked:
        return {}
    said = dict.fromkeys(found[0] for text in strange.texts for found in PROPER_NAME.finditer(text))
    names = NamesBySound(islice(said, NAMES))
    return {word: Respelling(word, name) for word in asked if (name := names.nearest(word))}


def _squeezed(word: str) -> str:
    """Its stem without blanks and hyphens."""
    return stem(fold(word).replace(" ", "").replace("-", ""))


def _meant(
    word: str, whole: str, vocabulary: Mapping[str, int], lexicon: Lexicon, *, nothing: bool
) -> Respelling | None:
    if found := _apart(word, whole):
        return Respelling(word, found)
    if found := nearest(word, vocabulary, lexicon) or "":
        return Respelling(word, found)
    begun = known_beginning(word) if nothing and HANGUL.match(word) else None
    return Respelling(word, begun, sure=False) if begun else None


def _spaced(word: str, strange: Strange) -> Respelling | None:
    """The same apart, or in one word with the one before it."""
    name = next((name for name in strange.names.get(word, ()) if name.replace(" ", "") == word), None)
    if name is not None:
        return Respelling(word, name, spaced=True, told=True)
    first = strange.joined.get(word)
    return Respelling(f"{first} {word}", first + word, spaced=True) if first else None


def _shorter(word: str, lexicon: Lexicon) -> Respelling | None:
    """A Korean noun without the syllable that says which kind of thing it is: who watches the 관제실 stands in a list headed 관제."""
    begun = word[:-1]
    derived = ALL_HANGUL.fullmatch(word) is not None and len(begun) >= SHORTEST and word[-1] in lexicon.kinds_ko
    return Respelling(word, begun) if derived and is_known(begun, lexicon) else None


def _apart(word: str, whole: str) -> str:
    """A word that stands in two: App Store for appstore."""
    folded = fold(word)
    if not folded.isalpha() or not TWICE <= len(folded) <= LONGEST:
        return ""
    cuts = "|".join(f"{folded[:at]}[ -]{folded[at:]}" for at in range(PART, len(folded) - PART + 1))
    found = re.search(rf"(?<!\w)(?:{cuts})(?!\w)", whole)
    return found[0].replace("-", " ") if found else ""


def _open_words(query: Query) -> tuple[str, ...]:
    """Keywords that may be mistyped, as people do not quote nor paste their slips."""
    fixed = {each.text for each in query.ids} | {part for phrase in query.phrases for part in phrase.split()}
    return tuple(word for word in (query.essential or query.keywords)[:OPEN] if word not in fixed)


def _texts(outcomes: Iterable[Outcome]) -> Iterator[str]:
    """What hits say, each once, with the names of people and places on them."""
    left = READ_IN_ALL
    hits = {(hit.source, hit.id): hit for outcome in outcomes for hit in outcome.hits}.values()
    for hit in hits:
        named = (str(each) for each in (hit.author, hit.container) if each)
        text = "\n".join((hit.title, hit.snippet[:READ], *named))
        left -= len(text)
        if left < 0:
            return
        yield text


@dataclass(frozen=True)
class _Held:
    """What was found, folded, as one text; ``names``: the other names of the question's words."""

    whole: str
    names: Mapping[str, tuple[str, ...]]

    @cached_property
    def squeezed(self) -> str:
        """Without its blanks, which only words in Hangul are looked for in: it costs more than all else here."""
        return "".join(self.whole.split())

    def holds(self, word: str) -> bool:
        """Whether it or one of its other names stands anywhere in some form, whatever its blanks."""
        if HANGUL.search(word) is not None and fold(word) in self.squeezed:
            return True
        return any(all(map(self._stands, name.split())) for name in (word, *self.names.get(word, ())))

    def _stands(self, word: str) -> bool:
        return (stem(fold(word)) if word.isascii() else fold(word)) in self.whole


# ---- the question with it


def asked_instead(query: Query, found: Sequence[Respelling]) -> Query:
    """The question to send: with what is meant in place of each such word, under any name where that is several."""
    meant: dict[str, str] = {}
    besides: dict[str, tuple[str, ...]] = {}
    for each in found:
        if each.word in meant:
            besides[meant[each.word]] = (*besides.get(meant[each.word], ()), each.meant)
        for part in (each.word, *each.word.split()):  # both of two become the one
            meant.setdefault(part, each.meant)

    def change(leaf: Leaf) -> Clause:
        if isinstance(leaf, Term) and leaf.text in meant:
            return all_of(Term(word) for word in meant[leaf.text].split())
        return leaf

    def said(text: str) -> tuple[str, ...]:
        return tuple(meant.get(text, text).split()) if text in meant else (text,)

    return replace(
        query,
        where=map_leaves(query.where, change),
        keywords=tuple(dict.fromkeys(part for word in query.keywords for part in said(word))),
        essential=tuple(dict.fromkeys(part for word in query.essential for part in said(word))),
        variants=(*((word, names) for word, names in query.variants if word not in meant), *besides.items()),
        joined=(),
    )


def respelt(query: Query, found: Sequence[Respelling]) -> Query:
    """The question as asked, each such word with one more name that it goes by, and a doubt that says so."""
    sure = [each for each in found if each.sure and not each.spaced]
    if not sure:
        return query
    names = dict(query.variants)
    for each in sure:
        names[each.word] = (*names.get(each.word, ()), each.meant)
    doubts = (Doubt("respelt", each.said) for each in sure)
    return replace(
        query,
        variants=tuple(names.items()),
        doubts=(*query.doubts, *doubts),
        respelt=tuple((each.word, each.meant) for each in sure),
    )


def merged(first: Outcome, second: Outcome, found: Sequence[Respelling]) -> Outcome:
    """What one source said to both. Lists of the second say which words they are without; its failures cost nothing."""
    known = {str(each.translation.native) for each in first.lists}
    words = tuple(dict.fromkeys(each.word for each in found if not each.spaced))
    lists = tuple(_beside(each, words) for each in second.lists if str(each.translation.native) not in known)
    status = Status.OK if first.status is Status.EMPTY and any(each.hits for each in lists) else first.status
    return replace(
        first,
        status=status,
        lists=(*first.lists, *lists),
        took=first.took + second.took,
        requests=first.requests + second.requests,
        sent=(*first.sent, *(each for each in second.sent if each not in first.sent)),
        losses=tuple(dict.fromkeys((*first.losses, *second.losses))),
        notes=tuple(dict.fromkeys((*first.notes, *(each.said for each in found)))),
    )


def _beside(found: HitList, words: tuple[str, ...]) -> HitList:
    """A step further from the question than it would be with the words as typed."""
    if not words:
        return found
    return replace(found, rung=found.rung + 1, dropped=(*words, *(each for each in found.dropped if each not in words)))
