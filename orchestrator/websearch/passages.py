"""The sentences of a text that a question is about. Pure; Korean and English alike, without a dictionary."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import TYPE_CHECKING

from translators.inflection import stem
from translators.match import HANGUL, words
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

READ = 200_000  # characters of a page that are looked at
SENTENCES = 4_000
LONGEST = 600  # characters of a sentence; a longer one is a table or a list without full stops
END = re.compile(r"[.!?…]{1,40}+[\"'”’)\]」』]{0,20}+(?=\s|$)|[。！？]+[\"'”’」』]*|(?<=[다요죠까])\.(?=[가-힣])")
# What a full stop follows without ending a sentence. A Korean date has its full stops between numbers: 2026. 11. 22.
UNENDED = re.compile(
    r"(?:^|[\s(\"'“‘])(?:mr|mrs|ms|dr|prof|st|vs|etc|approx|inc|ltd|co|corp|cf|al|fig|eq|no|e\.g|i\.e|[a-z])$",
    re.IGNORECASE,
)
NUMBER = re.compile(r"(?:^|\s)\d+$")
DATE = re.compile(r"\d\. ?\d{1,2}$")
GOES_ON = re.compile(r"\s*[\da-z]")
ABOUT_NOTHING = frozenset(
    "a an the is are was were be do does did of in on at to for and or with what which who when where why how it this that its can i "
    "you we my your me please tell about page find explain summarize summarise describe list give show from by as 무엇 무엇을 무엇이 뭐 "
    "어떻게 어떤 왜 언제 어디 누가 대해 대한 관한 관해 알려줘 알려주세요 설명해줘 설명해 요약해줘 요약해 있는 있나요 하는 하나요 되나요 인가요 이 그 저 및 또는".split()
)
FIRST = 0.15  # what standing first is worth, beside the words; falls to nothing over the text


@record
class Chosen:
    """Sentences in the order of the text; ``matched``: they hold something of the prompt (else the text's beginning)."""

    sentences: tuple[str, ...]
    matched: bool


def sentences(text: str) -> tuple[str, ...]:
    """Literal pieces of the text, one line each; line ends end a sentence, too."""
    found: list[str] = []
    for line in text[:READ].splitlines():
        found += _split(" ".join(line.split()))
        if len(found) >= SENTENCES:
            break
    return tuple(found[:SENTENCES])


def _split(line: str) -> Iterable[str]:
    start = 0
    for end in END.finditer(line):
        if end[0].startswith(".") and _goes_on(
            line[max(start, end.start() - 12) : end.start()], line[end.end() : end.end() + 4]
        ):
            continue
        yield from _piece(line[start : end.end()])
        start = end.end()
    yield from _piece(line[start:])


def _goes_on(before: str, after: str) -> bool:
    """After an abbreviation, inside a date, or behind the number of an item."""
    if NUMBER.search(before):
        return DATE.search(before) is not None or before.strip().isdecimal() or GOES_ON.match(after) is not None
    return UNENDED.search(before) is not None


def _piece(text: str) -> Iterable[str]:
    stripped = text.strip()
    while len(stripped) > LONGEST:
        cut = stripped.rfind(" ", LONGEST // 2, LONGEST)
        at = cut if cut > 0 else LONGEST
        yield stripped[:at].rstrip()
        stripped = stripped[at:].lstrip()
    if stripped:
        yield stripped


def choose(text: str, prompt: str, most: int) -> Chosen:
    """The ``most`` sentences that hold most of what is rare in the text and asked for in the prompt."""
    pieces = sentences(text)
    wanted = terms(prompt)
    held = [_held(piece) for piece in pieces]
    rarity = _rarity(wanted, held)
    scores = [_score(at, wanted, each, rarity, len(pieces)) for at, each in enumerate(held)]
    best = sorted((at for at, score in enumerate(scores) if score > 0), key=lambda at: (-scores[at], at))
    if not best:
        return Chosen(pieces[:most], matched=False)
    return Chosen(tuple(pieces[at] for at in sorted(_unrepeated(best, pieces)[:most])), matched=True)


def _unrepeated(order: Sequence[int], pieces: Sequence[str]) -> list[int]:
    """Navigation and footers say the same thing several times."""
    seen: dict[str, int] = {}
    for at in order:
        seen.setdefault(pieces[at].casefold(), at)
    return list(seen.values())


def terms(prompt: str) -> frozenset[str]:
    """What of a prompt to look for: words, and of Korean words every two syllables, which survive its endings."""
    said = [word for word in words(prompt) if word not in ABOUT_NOTHING]
    return frozenset(term for word in said for term in _terms_of(word))


def _held(sentence: str) -> frozenset[str]:
    return frozenset(term for word in words(sentence) for term in _terms_of(word))


def _terms_of(word: str) -> Iterable[str]:
    if HANGUL.match(word):
        return [word[at : at + 2] for at in range(len(word) - 1)] or [word]
    return [stem(word)]


def _rarity(wanted: frozenset[str], held: Sequence[frozenset[str]]) -> dict[str, float]:
    """Inverse document frequency over the sentences."""
    counts = Counter(term for each in held for term in each & wanted)
    return {term: math.log(1 + len(held) / count) for term, count in counts.items()}


def _score(at: int, wanted: frozenset[str], held: frozenset[str], rarity: dict[str, float], count: int) -> float:
    found = wanted & held
    if not found:
        return 0.0
    asked = math.fsum(rarity[term] for term in sorted(found))
    # A sentence of twenty words may hold three of them by chance; so length counts against it, gently.
    return asked / (1 + 0.2 * math.log(1 + len(held))) + FIRST * (1 - at / count)
