"""Korean words written together or apart: 배포자동화 and 배포 자동화 are one thing, and people write either."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from orchestrator.understand.korean import SYLLABLES as SHORT
from orchestrator.understand.korean import analyse
from translators.patterns import regex

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from orchestrator.understand.draft import Draft
    from orchestrator.understand.korean import Morph

LEAST, MOST = 3, 14  # syllables of a word that is looked at for its parts
PART = 2  # syllables of a part; one alone, behind a longer noun, may be a noun as well (커넥션 풀)
PAIRS = 3  # of keywords side by side; each may cost a request
SYLLABLES = regex(r"[가-힣]+")
LETTERS = regex(r"[a-z]{3,12}")
NOUNS = frozenset({"NNG", "NNP", "SL", "XR"})
VERBS = frozenset({"VV", "VV-R", "VV-I"})
HEADS = NOUNS | VERBS | {"XPN", "NP", "NR", "MM", "MAG", "IC", "VA", "VA-R", "VA-I"}
"""What a word begins with; all else ends the one before it."""
ASKED = {
    "NP": {"어디", "누구", "뭐", "무엇", "언제"},
    "NNG": {"얼마", "며칠", "몇일"},
    "NR": {"몇"},
    "MM": {"몇", "어떤", "무슨", "어느"},
    "MAG": {"언제", "왜", "안", "못", "얼마나"},
    "VA-I": {"어떻"},
}
"""Words that ask or deny, by what morphology makes of them: 안 is a noun as well."""
BEGGING = {"알리", "찾", "보이"}
UNITS, WHICH = {"주", "달", "해", "날"}, ("이번", "다음", "지난", "저번", "요번")
"""A time and what says which one are a word together, whatever noun is behind: 이번주 회의."""
RUN = regex(r"(?<!\S)[A-Za-z]*[가-힣][가-힣A-Za-z]{6,39}(?![^\s?!.,…~])")
"""A long word, with nothing in it but letters."""
QUOTES = regex(r"[\"'“”‘’「」]")


def read_joined(draft: Draft) -> tuple[tuple[str, str], ...]:
    """Keywords side by side that may be one word: 배포 자동화, price list. No names of people, and nothing inside quotation marks."""
    taken = {start for start, _ in draft.entities}
    quoted = [(start, start + len(text)) for start, text in draft.phrases]

    def plain(position: int, text: str) -> bool:
        inside = any(start <= position < end for start, end in quoted)
        word = SYLLABLES.fullmatch(text) if len(text) >= PART else None
        return (word or LETTERS.fullmatch(text)) is not None and position not in taken and not inside

    found = [
        (first, second)
        for (at, first), (then, second) in pairwise(sorted(draft.keywords))
        if then == at + len(first) + 1 and draft.text[then - 1] == " " and plain(at, first) and plain(then, second)
        if first.isascii() == second.isascii()
    ]
    return tuple(found[:PAIRS])


def as_spaced(text: str) -> str:
    """``text`` with blanks where whoever typed a whole question as one word left them out: 온콜수당얼마야 is 온콜 수당 얼마야."""
    if not RUN.search(text) or QUOTES.search(text):
        return text
    return RUN.sub(lambda run: _apart(run.group()), text)


def _apart(run: str) -> str:
    """The words of a run, if it holds more than a noun phrase: a word that asks, denies or begs."""
    heads: list[Morph] = []
    begun = False
    for morph in analyse(run):
        if morph.tag in HEADS and not begun:
            heads.append(morph)
        begun = morph.tag == "XPN"
    if len(heads) < 2:  # noqa: PLR2004
        return run
    ends = [*(head.start for head in heads[1:]), len(run)]
    words = _words(heads, [run[head.start : end] for head, end in zip(heads, ends, strict=True)])
    asks = any(head.form in ASKED.get(head.tag, ()) for head in heads) or any(
        head.tag in VERBS and head.form in BEGGING for head in heads[1:]
    )
    return run[: heads[0].start] + " ".join(words) if asks else run


def _words(heads: Sequence[Morph], pieces: Sequence[str]) -> list[str]:
    """A noun of one syllable goes with the noun behind it, or else with what is before: 온콜, 회고문서."""
    words: list[str] = []
    begun = ""
    for head, piece in zip(heads, pieces, strict=True):
        noun = head.tag in NOUNS
        if words and not begun and head.form in UNITS and words[-1].endswith(WHICH):
            words[-1] += piece
            continue
        if begun and not noun:
            words = [*words[:-1], (words[-1] if words else "") + begun]
            begun = ""
        if noun and len(begun + piece) < PART:
            begun += piece
        else:
            words.append(begun + piece)
            begun = ""
    return [*words[:-1], (words[-1] if words else "") + begun] if begun else words


def spellings(word: str, morphs: Sequence[Morph], *, tries: bool) -> tuple[str, ...]:
    """``word`` with blanks between the nouns that it is made of, the likeliest first; none where it is one noun.

    ``morphs``: what morphology makes of it where it stands. What it does not know is divided here if ``tries``: that costs
    twice as many looks into the dictionary as the word has syllables.
    """
    if not LEAST <= len(word) <= MOST or not SYLLABLES.fullmatch(word):
        return ()
    nouns = _nouns(morphs)
    if nouns is None or "".join(nouns) != word:
        nouns = divided(word) if tries else None
    parts = _merged(nouns) if nouns else []
    if len(parts) < 2:  # noqa: PLR2004
        return ()
    first, last = "".join(parts[:-1]), "".join(parts[1:])
    return tuple(dict.fromkeys((" ".join(parts), f"{parts[0]} {last}", f"{first} {parts[-1]}")))


@lru_cache(maxsize=1024)
def divided(word: str) -> list[str] | None:
    """The nouns of a word, or of two parts of one that no dictionary has: every place is tried, the plainest wins."""
    whole = _nouns(analyse(word))
    if whole is not None:
        return whole
    both = (_both(word[:at], word[at:]) for at in range(PART, len(word)))
    return min(filter(None, both), key=_plainness, default=None)


def _plainness(nouns: Sequence[str]) -> tuple[int, int]:
    """Few parts, and none of them short."""
    return len(nouns), -min(map(len, nouns))


def _both(left: str, right: str) -> list[str] | None:
    first = _nouns(analyse(left))
    second = _nouns(analyse(right)) if first else None
    return [*first, *second] if first and second else None


def _merged(nouns: Sequence[str]) -> list[str]:
    """A noun of one syllable goes with the one behind it, the last one with that before: 온콜 수당, 알람 임계값.

    Only behind a single long noun one that does stand alone does: 커넥션 풀, but 파트너사.
    """
    parts: list[str] = []
    begun = ""
    for noun in nouns:
        if len(begun + noun) < PART:
            begun += noun
        else:
            parts.append(begun + noun)
            begun = ""
    if begun in SHORT and len(parts) == 1 and len(parts[0]) > PART:
        return [*parts, begun]
    return [*parts[:-1], parts[-1] + begun] if begun and parts else parts


def _nouns(morphs: Iterable[Morph]) -> list[str] | None:
    """The nouns that follow each other, with what is put before and behind them; ``None`` where other things are among them."""
    found: list[str] = []
    begun = ""
    for morph in morphs:
        if morph.unknown:
            return None
        if morph.tag == "XPN":
            begun += morph.form
        elif morph.tag == "XSN" and found and not begun:
            found[-1] += morph.form
        elif morph.tag in NOUNS:
            found.append(begun + morph.form)
            begun = ""
        else:
            return None
    return found if found and not begun else None
