"""What a word is called in the other language, Korean or English: looked up in ``config/language/korean_english.txt``.

The file is read when the first word is looked up. Names, ids and phrases are not for here: callers leave them out.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cached_property
from itertools import chain
from operator import itemgetter, ne
from typing import TYPE_CHECKING
from unicodedata import normalize

from orchestrator.understand.sounds import syllables_heard
from translators.inflection import base_forms
from translators.letters import has_hangul

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from importlib.resources.abc import Traversable
    from pathlib import Path

FILE = "korean_english.txt"
SENSES = 2
"""Counterparts of the likelier sense that come before those of a less likely one."""
SHARED = 3  # of a counterpart's own counterparts
SOUNDING = 3  # syllables of a word that is known by its sound alone
LONGEST = 14  # syllables of a word that is taken apart
SHORTEST = 2  # syllables of a part: one alone means too many things
BEGINNING = 2  # letters with which all forms of a word begin: 오르, 올랐
DROPPED = 10  # what a syllable without a counterpart costs, in parts

Senses = tuple[tuple[str, ...], ...]


class BadWords(ValueError):
    """The file of word pairs is not what it should be; the message names the line and what to do."""


class Bilingual:
    """Word pairs of one file; ``None``: there are none. It is read at once, and understood with the first question."""

    def __init__(self, path: Path | Traversable | None = None) -> None:
        self._text = path.read_text("utf-8") if path is not None and path.is_file() else ""
        self._known: dict[str, tuple[str, ...]] = {}

    def counterparts(self, text: str) -> tuple[str, ...]:
        """What a word is called in the other language, likeliest first, however it is inflected or compounded."""
        return self.together(text) or (self._of_verb(text) or self._of_parts(text) if has_hangul(text) else ())

    def synonyms(self, text: str) -> tuple[str, ...]:
        """What else its likeliest counterparts are called in its own language: 세탁 of 빨래, being laundry, and photo of picture, being 사진.

        Where two counterparts agree on a name, the names that only one of them has are left out: goods of merchandise, and not product (inverse
        consultation: Tanaka, Umemura, "Construction of a bilingual dictionary intermediated by a third language", COLING 1994).
        """
        korean = has_hangul(text)
        shared = Counter(each for name in self.together(text)[:SENSES] for each in self.together(name)[:SHARED])
        own = {text, *base_forms(text.lower())}
        others = {each: many for each, many in shared.items() if has_hangul(each) == korean and each not in own}
        most = max(others.values(), default=0)
        return tuple(each for each, many in others.items() if many == most)

    def _of_verb(self, word: str) -> tuple[str, ...]:
        """Of a verb as a noun: 걷기 is walk."""
        return self.together(f"{word[:-1]}다") if word.endswith("기") else ()

    def verb(self, stem: str, typed: str) -> tuple[str, ...]:
        """The forms by which a Korean verb is listed, as it was ``typed`` first: 깨졌, 깨져, 깨진 of 깨졌어. None of what is no listed verb.

        ``stem``: what morphology takes for the verb. Where the list does not have that, what was typed may begin with more (늦/어/지).
        """
        longer = (typed[:size] for size in range(len(typed), max(len(stem), SHORTEST) - 1, -1))
        forms = next((self._verbs[each] for each in (stem, *longer) if each in self._verbs), ())
        first = next((each for each in sorted(forms, key=len, reverse=True) if typed.startswith(each)), stem)
        return tuple(dict.fromkeys((first, *(each for each in forms if each != stem)))) if forms else ()

    def together(self, text: str) -> tuple[str, ...]:
        """What a word, or words side by side, are called as a whole: business trip is 출장."""
        if has_hangul(text):
            return _mixed(self._korean.get("".join(text.split()), ()))
        written = text.lower()
        apart = written.replace("-", " ")
        others = map(self._hyphened.get, _forms(apart)) if " " in apart else ()
        return next((self._ordered(form) for form in chain(_forms(written), others) if form in self._english), ())

    def _ordered(self, word: str) -> tuple[str, ...]:
        """Of an English word that has some: the likelier first, of which it is the likelier name, and which have fewer others."""
        if word not in self._known:
            names = dict.fromkeys(name for *_, name in sorted(self._korean_names(word)))
            self._known[word] = tuple(spelling for name in names for spelling in self._spelled(name))
        return self._known[word]

    def begins_expression(self, word: str, after: str) -> bool:
        """Whether any English words together have a counterpart that begin with it, however it is inflected, and go on as ``after`` does."""
        first, _, rest = word.lower().partition("-")
        goes_on = (rest or after.lower())[:BEGINNING]
        return any(goes_on in self._beginnings.get(form, ()) for form in base_forms(first))

    def misspelt(self, text: str) -> tuple[str, ...]:
        """Of a Korean word that is not listed, one that sounds like it but for a vowel, and what that is called: 메시지, message for 메세지."""
        if len(text) < SOUNDING or not has_hangul(text):
            return ()
        consonants, vowels = syllables_heard(text)
        near = self._sounding.get(consonants, ()) if consonants else ()
        meant = next((word for word, others in near if sum(map(ne, vowels, others)) <= 1), "")
        return (meant, *self.together(meant)) if meant else ()

    def is_name(self, text: str) -> bool:
        """Whether an English word has a counterpart and is written with these capitals: Busan."""
        return any(text in names for name in self.together(text) for names in self._korean.get(name, ()))

    def _of_parts(self, word: str) -> tuple[str, ...]:
        """A compound as the likeliest counterparts of its parts: 공급계약 is supply contract, 총예산 is budget."""
        said = [self._korean[part][0] for part in self._parts(word)]
        return said[0] if len(said) == 1 else (" ".join(names[0] for names in said),) if said else ()

    def _parts(self, word: str) -> tuple[str, ...]:
        """The fewest words that a Korean compound is made of; a syllable before or behind them may be none (가격표)."""
        if not SHORTEST < len(word) <= LONGEST:
            return ()
        best: list[tuple[int, tuple[str, ...]] | None] = [(0, ())]
        for end in range(1, len(word) + 1):
            ways = [
                (before[0] + cost, (*before[1], *parts))
                for start in reversed(range(end))  # of two ways as likely, the syllable behind: 서양|식
                if (before := best[start]) and (step := self._step(word, start, end))
                for cost, parts in (step,)
            ]
            best.append(min(ways, key=itemgetter(0), default=None))
        whole = best[-1]
        return whole[1] if whole and whole[0] < 2 * DROPPED else ()

    def _step(self, word: str, start: int, end: int) -> tuple[int, tuple[str, ...]] | None:
        part = word[start:end]
        if SHORTEST <= len(part) < len(word) and part in self._korean:
            return 1, (part,)
        if part.isdigit() and word[end : end + 1].isdigit():
            return None  # 12월 is no February
        return (DROPPED, ()) if len(part) == 1 and (not start or end == len(word)) else None

    def _spelled(self, name: str) -> tuple[str, ...]:
        """A Korean compound of known words as they are written apart, and together: not every source finds one by the other."""
        parts = self._parts(name) if name.replace(" ", "") == name else ()
        return (" ".join(parts), name) if "".join(parts) == name and len(parts) > 1 else (name,)

    @cached_property
    def _pairs(self) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
        return tuple(_read(self._text))

    @cached_property
    def _korean(self) -> dict[str, Senses]:
        found: dict[str, Senses] = {}
        for korean, english in self._pairs:
            for word in () if korean[0].isascii() else korean:
                found[word] = (*found.get(word, ()), english)
        return found

    @cached_property
    def _verbs(self) -> Mapping[str, tuple[str, ...]]:
        """By each of them, Korean words of a line that begin alike: 오르, 올랐, 오른."""
        found: dict[str, tuple[str, ...]] = {}
        for words, _ in self._pairs:
            if len(words) > 1 and len({normalize("NFD", each)[:BEGINNING] for each in words}) == 1:
                found.update(dict.fromkeys((each for each in words if len(each) >= SHORTEST), words))
        return found

    @cached_property
    def _beginnings(self) -> Mapping[str, frozenset[str]]:
        """The first of several words, and with which letters the second begins."""
        found: defaultdict[str, set[str]] = defaultdict(set)
        for words in (*self._english, *self._hyphened):
            first, blank, rest = words.partition(" ")
            if blank:
                found[first].add(rest[:BEGINNING])
        return {first: frozenset(rest) for first, rest in found.items()}

    @cached_property
    def _hyphened(self) -> Mapping[str, str]:
        """What is listed with a hyphen, by how it is written with a blank: people type "year end party"."""
        return {word.replace("-", " "): word for word in self._english if "-" in word}

    @cached_property
    def _sounding(self) -> Mapping[str, Sequence[tuple[str, tuple[str, ...]]]]:
        found: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
        for word in self._korean:
            if len(word) >= SOUNDING:
                consonants, vowels = syllables_heard(word)
                found.setdefault(consonants, []).append((word, vowels))
        return found

    @cached_property
    def _english(self) -> dict[str, list[int]]:
        """The lines of each English word. What they say of it is read when somebody asks for it: a question has few of ten thousand."""
        found: dict[str, list[int]] = {}
        for line, (korean, english) in enumerate(self._pairs):
            for word in korean[:1] if korean[0].isascii() else english:
                lines = found.setdefault(word.lower(), [])
                if lines[-1:] != [line]:
                    lines.append(line)
        return found

    def _korean_names(self, word: str) -> Iterator[tuple[int, int, int, int, str]]:
        """What an English word is called, with its place among the names of the line, how many these are, the line, and the place there."""
        for line in self._english[word]:
            korean, english = self._pairs[line]
            if korean[0].isascii():  # an order for this direction
                yield from ((-1, 0, line, at, name) for at, name in enumerate(english))
                continue
            for place, other in enumerate(english):
                if other.lower() == word:
                    yield from ((place, len(english), line, at, name) for at, name in enumerate(korean))


NO_WORDS = Bilingual()


def _read(text: str) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    for number, line in enumerate(text.splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        korean, equals, english = line.partition(" = ")
        if not (korean and equals and english):
            raise BadWords(
                f"line {number} of {FILE} is no “한국어 = English”: {line!r}; compare it with the shipped one"
            )
        yield tuple(korean.split(", ")), tuple(english.split(", "))


def _forms(words: str) -> Iterator[str]:
    """What English words may be listed as: the last of several inflected, or the first."""
    verb, blank, rest = words.partition(" ")
    yield from base_forms(words)
    if blank:
        yield from (form + blank + rest for form in base_forms(verb))


def _mixed(senses: Senses) -> tuple[str, ...]:
    """Counterparts of the first sense, those of the others, and what is left of each."""
    first = [name for names in senses for name in names[:SENSES]]
    return tuple(dict.fromkeys((*first, *(name for names in senses for name in names[SENSES:]))))
