"""Excerpts of a text: the sentences that a question is about, cut where a reader sees a gap: between words if possible, never inside what looks like one character.

Pure; Korean and English alike, without a dictionary.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from connectors.models.reranking_local import word_scores
from connectors.passages import sentences_of
from translators.match import words
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

JOINER = "\u200d"
ELLIPSIS = "…"
# Hangul may be written with a letter for each sound (a Mac's file names are); medial and final ones never begin a syllable.
JAMO_INSIDE = range(0x1160, 0x1200)
SKIN_TONES = range(0x1F3FB, 0x1F400)
FLAG_LETTERS = range(0x1F1E6, 0x1F200)
TAGS = range(0xE0020, 0xE0080)  # of a flag like Scotland's


def boundary_before(text: str, at: int) -> int:
    """The last gap between visible characters that is not behind ``at``."""
    while 0 < at < len(text) and _inside(text, at):
        at -= 1
    return max(0, min(at, len(text)))


def boundary_after(text: str, at: int) -> int:
    """The first gap between visible characters that is not before ``at``."""
    while 0 < at < len(text) and _inside(text, at):
        at += 1
    return max(0, min(at, len(text)))


def _inside(text: str, at: int) -> bool:
    """Whether a cut before ``text[at]`` would part one visible character (after UAX #29, without its rarer scripts)."""
    before, after = text[at - 1], text[at]
    code = ord(after)
    if unicodedata.category(after) in {"Mn", "Me", "Mc"} or JOINER in {before, after}:
        return True
    if code in JAMO_INSIDE or code in SKIN_TONES or code in TAGS or (before, after) == ("\r", "\n"):
        return True
    return code in FLAG_LETTERS and _flag_letters_before(text, at) % 2 == 1


def _flag_letters_before(text: str, at: int) -> int:
    """Two letters make a flag, so a third begins the next one."""
    start = at
    while start and ord(text[start - 1]) in FLAG_LETTERS:
        start -= 1
    return at - start


def clipped(text: str, most: int) -> str:
    """At most ``most`` characters (code points), ended at a word and with ``…`` if something was left out.

    A run without blanks (Chinese, Japanese, a long address) is cut between visible characters.
    """
    if len(text) <= most:
        return text
    room = most - len(ELLIPSIS)
    head = text[: room + 1].rpartition(" ")[0].rstrip()
    if len(head) < room // 2:  # one very long word: a stub of what stands before it would tell nothing
        head = text[: boundary_before(text, room)].rstrip()
    return f"{head}{ELLIPSIS}" if head else ""


READ = 200_000  # characters of a page that are looked at
SENTENCES = 4_000
LONGEST = 600  # characters of a sentence; a longer one is a table or a list without full stops
ABOUT_NOTHING = frozenset(
    "a an the is are was were be do does did of in on at to for and or with what which who when where why how it this that its can i "
    "you we my your me please tell about page find explain summarize summarise describe list give show from by as 무엇 무엇을 무엇이 뭐 "
    "어떻게 어떤 왜 언제 어디 누가 대해 대한 관한 관해 알려줘 알려주세요 설명해줘 설명해 요약해줘 요약해 있는 있나요 하는 하나요 되나요 인가요 이 그 저 및 또는".split()
)


@record
class Chosen:
    """Sentences in the order of the text; ``matched``: they hold something of the prompt (else the text's beginning)."""

    sentences: tuple[str, ...]
    matched: bool


def sentences(text: str) -> tuple[str, ...]:
    """Literal pieces of the text, one line each; line ends end a sentence, too."""
    found: list[str] = []
    for line in text[:READ].splitlines():
        found += (each.strip() for each in sentences_of(" ".join(line.split()), LONGEST))
        if len(found) >= SENTENCES:
            break
    return tuple(found[:SENTENCES])


def choose(text: str, prompt: str, most: int) -> Chosen:
    """The ``most`` sentences that hold most of what is rare in the text and asked for in the prompt."""
    pieces = sentences(text)
    asked = " ".join(word for word in words(prompt) if word not in ABOUT_NOTHING)
    scores = word_scores(asked, pieces)
    best = sorted((at for at, score in enumerate(scores) if score > 0), key=lambda at: -scores[at])
    if not best:
        return Chosen(pieces[:most], matched=False)
    return Chosen(tuple(pieces[at] for at in sorted(_unrepeated(best, pieces)[:most])), matched=True)


def _unrepeated(order: Sequence[int], pieces: Sequence[str]) -> list[int]:
    """Navigation and footers say the same thing several times."""
    seen: dict[str, int] = {}
    for at in order:
        seen.setdefault(pieces[at].casefold(), at)
    return list(seen.values())
