"""Words as the emulators compare them, and a small inverted index of them: phrases by position, BM25 for order."""

import re
import unicodedata
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Literal

_HANGUL = "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff"
WORD = re.compile(f"[{_HANGUL}]+|[^\\W_{_HANGUL}]+")
"""One word of a text in NFC: a run of Hangul, or a run of other letters and digits."""

SHORTEST_INFLECTED, SHORTEST_STEM = 4, 3

_IS_HANGUL = re.compile(f"[{_HANGUL}]")
_VOWEL = re.compile("[aeiouy]")
_DOUBLED = re.compile(r"([^aeiouylsz])\1$")


def composed(text: str) -> str:
    """The text in NFC, so that decomposed Hangul equals composed Hangul."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def words(text: str) -> list[str]:
    """The words of a text, casefolded."""
    return [word.casefold() for word in WORD.findall(composed(text))]


def is_hangul(word: str) -> bool:
    """Whether a word is written in Hangul."""
    return _IS_HANGUL.match(word) is not None


def stem(word: str) -> str:
    """The light stem of a Latin word: plural, -ing and -ed are taken off, nothing else is.

    Much lighter than Porter's on purpose: the vendors promise no more than this.
    """
    if not (word.isascii() and word.isalpha()) or len(word) < SHORTEST_INFLECTED:
        return word
    for ending in ("ing", "ed"):
        bare = word.removesuffix(ending)
        if bare != word and len(bare) >= SHORTEST_STEM and _VOWEL.search(bare):
            return _DOUBLED.sub(r"\1", bare).removesuffix("e")
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "ches", "shes", "xes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    return word.removesuffix("e")


K1, B = 1.2, 0.75
"""Robertson's usual constants for term saturation and length normalisation."""

Matching = Literal["exact", "beginning", "stem", "prefix"]
"""How a word is compared: as it stands; Hangul by its beginning; that and Latin by its stem; any by its beginning."""

Matches = Mapping[int, int]
"""Documents that match, each with how often."""

_GAP = 0
_LAST = "\U0010ffff"


@dataclass(frozen=True, slots=True)
class Text:
    """A word; words side by side when quoted."""

    text: str
    quoted: bool = False


class TextIndex:
    """The words of numbered documents, each made of one or more fields that no phrase crosses."""

    def __init__(self, documents: Iterable[Sequence[str]]) -> None:
        self._ids: dict[str, int] = {"": _GAP}
        self._documents: list[array[int]] = []
        self._postings: list[array[int]] = [array("I")]
        self._counts: list[array[int]] = [array("B")]
        spelling = _Spelling(self._ids)
        for fields in documents:
            self._add([[spelling[word] for word in WORD.findall(composed(field))] for field in fields])
        total = sum(len(document) for document in self._documents)
        self._mean = max(1.0, total / max(1, len(self._documents)))
        self._sorted: Sequence[str] = sorted(word for word in self._ids if word)
        self._stems: dict[str, list[int]] = {}
        for word in self._sorted:
            self._stems.setdefault(stem(word), []).append(self._ids[word])

    def _add(self, fields: Sequence[Sequence[int]]) -> None:
        number = len(self._documents)
        sequence = array("I")
        for field in fields:
            sequence.extend(field)
            sequence.append(_GAP)
        self._documents.append(sequence)
        counts = Counter(sequence)
        del counts[_GAP]
        while len(self._postings) < len(self._ids):
            self._postings.append(array("I"))
            self._counts.append(array("B"))
        for word, count in counts.items():
            self._postings[word].append(number)
            self._counts[word].append(min(count, 255))

    def __len__(self) -> int:
        return len(self._documents)

    def find(self, text: str, matching: Matching) -> Matches:
        """Documents holding the words of `text` side by side; of a prefix, the last word is only a beginning."""
        parts = words(text)
        if not parts:
            return {}
        rest: Matching = "exact" if matching == "prefix" else matching
        slots = [*(self._spellings(word, rest) for word in parts[:-1]), self._spellings(parts[-1], matching)]
        return self._union(slots[0]) if len(slots) == 1 else self._adjacent(slots)

    def find_text(self, text: Text) -> Matches:
        """Words side by side when quoted, else by their beginnings."""
        return self.find_phrase(text.text) if text.quoted else self.find(text.text, "beginning")

    def find_phrase(self, text: str) -> Matches:
        """Documents holding the exact words of `text` in order; a last Hangul word may go on (a particle)."""
        parts = words(text)
        if not parts:
            return {}
        slots = [*(self._spellings(word, "exact") for word in parts[:-1]), self._spellings(parts[-1], "beginning")]
        return self._union(slots[0]) if len(slots) == 1 else self._adjacent(slots)

    def _spellings(self, word: str, matching: Matching) -> Collection[int]:
        if matching == "prefix" or (matching != "exact" and is_hangul(word)):
            first, last = bisect_left(self._sorted, word), bisect_left(self._sorted, word + _LAST)
            return {self._ids[found] for found in self._sorted[first:last]}
        if matching == "stem":
            return self._stems.get(stem(word), ())
        return (self._ids[word],) if word in self._ids else ()

    def _union(self, spellings: Collection[int]) -> Matches:
        found: dict[int, int] = {}
        for number in sorted(spellings):
            for document, count in zip(self._postings[number], self._counts[number], strict=True):
                found[document] = found.get(document, 0) + count
        return found

    def _adjacent(self, slots: Sequence[Collection[int]]) -> Matches:
        candidates = set.intersection(*({d for n in slot for d in self._postings[n]} for slot in slots))
        found = ((document, self._occurrences(document, slots)) for document in sorted(candidates))
        return {document: count for document, count in found if count}

    def _occurrences(self, document: int, slots: Sequence[Collection[int]]) -> int:
        sequence = self._documents[document]
        width = len(slots)
        starts = (place for place, word in enumerate(sequence) if word in slots[0])
        return sum(
            all(word in slot for word, slot in zip(sequence[start : start + width], slots, strict=False))
            for start in starts
            if start + width <= len(sequence)
        )

    def score(self, matches: Iterable[Matches], documents: Iterable[int]) -> dict[int, float]:
        """BM25 of the given documents over the given words, each word given by what it matches."""
        weighted = [(log(1 + (len(self) - len(m) + 0.5) / (len(m) + 0.5)), m) for m in matches if m]
        return {document: self._score(document, weighted) for document in documents}

    def _score(self, document: int, weighted: Sequence[tuple[float, Matches]]) -> float:
        norm = K1 * (1 - B + B * len(self._documents[document]) / self._mean)
        counts = ((weight, found.get(document, 0)) for weight, found in weighted)
        return sum(weight * count * (K1 + 1) / (count + norm) for weight, count in counts)


class _Spelling(dict[str, int]):
    """A word as written to the number of its casefolded form; new words get the next number."""

    def __init__(self, ids: dict[str, int]) -> None:
        super().__init__()
        self._ids = ids

    def __missing__(self, written: str) -> int:
        number = self._ids.setdefault(written.casefold(), len(self._ids))
        self[written] = number
        return number
