"""Which passages of a long text are read, and what stands around a sentence in its paragraph, so that a reader sees what "it" is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from connectors.passages import LONGEST, Passage, in_pieces
from orchestrator.answer.cover import covered
from orchestrator.answer.own import SPOKEN, signed
from orchestrator.answer.sentences import READ, last_heading, sentences
from orchestrator.answer.signals import asks, is_reported
from orchestrator.answer.speaking import speakers
from orchestrator.answer.text import quotable_line
from orchestrator.commanding import commands
from translators.patterns import regex
from translators.query import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from connectors.contract import Hit
    from orchestrator.answer.cover import TermAlternatives

BEST = 3  # passages of a text that are read: what is no longer than these is read whole
LENGTH = 240  # characters of what is shown around a sentence
# Who writes these writes in paragraphs; of a page or a file a line may be about something else than the next.
WRITTEN = SPOKEN | {Kind.MAIL, Kind.ISSUE}
NOT_OURS = regex(r"\[\d+\]|[“”]")  # what would read as a citation, or as the end of a quote


def telling(
    text: str, words: Mapping[str, TermAlternatives], heading: str = "", *, wrapped: bool = True
) -> tuple[Passage, ...]:
    """What of a text is read: the passages that hold most of the question's words, in their order; all of it where it is short.

    Each stands under the heading that it has in the text, wherever that is written. ``heading``, ``wrapped``: as of :func:`read`.
    """
    if len(text) <= BEST * LONGEST:
        return (Passage(text, heading),)
    pieces = tuple(in_pieces(text[:READ], LONGEST))
    held = [len(covered(each, words)) for each in pieces]
    best = sorted(range(len(pieces)), key=lambda at: -held[at])[:BEST]
    told = []
    for at, piece in enumerate(pieces[: max(best) + 1]):
        if at in best:
            told.append(Passage(piece, heading))
        heading = last_heading(piece, "".join(pieces[at + 1 : at + 2]), wrapped=wrapped) or heading
    return tuple(told)


def passage_of(hit: Hit, words: str) -> str:
    """The sentence ``words`` with those beside it that fit, those that follow first; literal, but for its line ends."""
    if speakers(hit):  # who said it is told, and the next sentence may be somebody else's
        return words
    paragraph = next((each for each in _paragraphs(hit) if words in each), words)
    if len(paragraph) <= len(words):
        return words
    parts = _places(paragraph)
    here = next((index for index, (start, end) in enumerate(parts) if words in paragraph[start:end]), None)
    if here is None or NOT_OURS.search(paragraph[slice(*parts[here])]):
        return words
    first = last = here
    for index in (*range(here + 1, len(parts)), *range(here - 1, -1, -1)):
        beside = index in (first - 1, last + 1)
        wider = (min(first, index), max(last, index))
        if beside and _fits(paragraph, parts, index, wider):
            first, last = wider
    return paragraph[parts[first][0] : parts[last][1]] if first < last else words


def _paragraphs(hit: Hit) -> list[str]:
    text = signed(hit)[0][:READ]
    return [quotable_line(each) for each in text.split("\n\n" if hit.kind in WRITTEN else "\n")]


def _places(paragraph: str) -> list[tuple[int, int]]:
    """Where its sentences begin and end."""
    found, at = [], 0
    for sentence in sentences(paragraph):
        start = paragraph.find(sentence, at)
        if start >= 0:
            at = start + len(sentence)
            found.append((start, at))
    return found


def _fits(paragraph: str, parts: list[tuple[int, int]], index: int, wider: tuple[int, int]) -> bool:
    said, whole = paragraph[slice(*parts[index])], paragraph[parts[wider[0]][0] : parts[wider[1]][1]]
    if len(whole) > LENGTH or said.endswith((",", "，")) or asks(said) or is_reported(said):
        return False
    return not (NOT_OURS.search(whole) or commands(whole))
