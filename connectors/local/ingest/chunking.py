"""Cuts a document into parts that are found by themselves: at headings, paragraphs and sentences, never inside a word if it can be helped."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from connectors.local.documents import Chunk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from connectors.local.ingest.drafts import DocumentSection

LONGEST = 1200  # characters of a part
OVERLAP = 150  # characters of the end of a part with which the next begins, in whole sentences
SHORT = 300  # sections shorter than this share a part with the next of the same parent
HEADING = " › "
PARAGRAPHS = re.compile(r"\n\s*\n")
# A sentence ends at its mark. Korean ones end in 다 or 요 as well, where people leave the mark out and begin a new line.
SENTENCE = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+|(?<=[。！？])|(?<=[다요죠음함])\n|\n")
BLANK = re.compile(r"\s+")


def chunks_of(sections: Sequence[DocumentSection]) -> tuple[Chunk, ...]:
    """The parts of a document, in order. Every part keeps the headings that it stands under."""
    made: list[Chunk] = []
    for path, text in _joined(sections):
        heading = HEADING.join(path)
        made += (Chunk(part, heading) for part in parts(text))
    return tuple(made)


def parts(text: str) -> Iterator[str]:
    """``text`` in pieces of at most ``LONGEST`` characters; a piece begins with the last sentences of the one before."""
    held: list[str] = []
    length, fresh = 0, False
    for piece in _pieces(text):
        if fresh and length + len(piece) > LONGEST:
            yield "".join(held).strip()
            held = _tail(held, LONGEST - len(piece))
            length = sum(map(len, held))
        held.append(piece)
        length, fresh = length + len(piece), True
    if fresh and (last := "".join(held).strip()):
        yield last


def _joined(sections: Sequence[DocumentSection]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Short sections beside each other become one, so that a list of one-line headings is not a hundred parts."""
    path: tuple[str, ...] = ()
    text = ""
    for section in sections:
        if not section.text.strip():
            continue
        if text and len(text) < SHORT and len(section.text) < SHORT and section.path[:-1] == path[:-1]:
            told = f"{section.path[-1]}\n" if section.path and section.path != path else ""
            text = f"{text}\n\n{told}{section.text}"
            continue
        if text:
            yield path, text
        path, text = section.path, section.text
    if text:
        yield path, text


def _pieces(text: str) -> Iterator[str]:
    """Sentences with what follows them; where one is too long, its words; where a word is, its letters."""
    for paragraph in PARAGRAPHS.split(text):
        start = 0
        for end in [*(match.end() for match in SENTENCE.finditer(paragraph)), len(paragraph)]:
            sentence, start = paragraph[start:end], end
            if len(sentence) <= LONGEST:
                yield sentence
                continue
            yield from _broken(sentence)
        yield "\n\n"


def _broken(sentence: str) -> Iterator[str]:
    start = 0
    while len(sentence) - start > LONGEST:
        blanks = BLANK.finditer(sentence, start + LONGEST // 2, start + LONGEST)
        end = max((match.end() for match in blanks), default=start + LONGEST)
        yield sentence[start:end]
        start = end
    yield sentence[start:]


def _tail(held: Sequence[str], room: int) -> list[str]:
    kept: list[str] = []
    left = min(OVERLAP, room)
    for piece in reversed(held):
        if len(piece) > left:
            break
        kept.insert(0, piece)
        left -= len(piece)
    return kept
