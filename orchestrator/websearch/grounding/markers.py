"""Puts ``[1][2]`` behind what a grounded answer has from where. Pure.

Gemini counts segments in bytes of the UTF-8 text of one part, start included, end excluded
(https://ai.google.dev/api/generate-content#Segment). A Hangul syllable has three of them, an emoji four.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from orchestrator.websearch.graphemes import boundary_after

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

FIRST_CONTINUATION, LAST_CONTINUATION = 0x80, 0xBF  # bytes inside a character (RFC 3629, 3)


@dataclass(frozen=True, slots=True)
class GroundingSource:
    """A page that the answer rests on. ``title`` may be no more than its host."""

    uri: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class GroundingSupport:
    """Bytes up to ``end`` of part ``part`` rest on the ``chunks``, by their place from 0. ``text``: what ends there."""

    part: int
    end: int
    chunks: tuple[int, ...]
    text: str = ""


@dataclass(frozen=True, slots=True)
class GroundedText:
    """What the model wrote, in ``parts`` (empty for one that is not shown), and what it rests on.

    ``sources``: one place for each chunk, ``None`` where that is no page, because supports count by places.
    """

    parts: tuple[str, ...] = ()
    sources: tuple[GroundingSource | None, ...] = ()
    supports: tuple[GroundingSupport, ...] = ()


@dataclass(frozen=True, slots=True)
class Cited:
    """``text`` with its markers, at the ``spans`` (in characters); ``sources`` in the order of their numbers, from 1."""

    text: str
    sources: tuple[GroundingSource, ...]
    spans: tuple[tuple[int, int], ...]

    @property
    def plain(self) -> str:
        """The text as the model wrote it."""
        pieces, at = [], 0
        for start, end in self.spans:
            pieces.append(self.text[at:start])
            at = end
        return "".join((*pieces, self.text[at:]))


def cite(grounded: GroundedText) -> Cited:
    """Markers behind every supported segment; what points nowhere (out of range, no such chunk) is passed over.

    Chunks with one address share a number. Everything that has an address is listed, cited or not.
    """
    sources, numbers = _numbered(grounded.sources)
    text, spans = "", []
    for index, part in enumerate(grounded.parts):
        at = 0
        for place, marker in sorted(_markers(part, index, grounded.supports, numbers).items()):
            text += part[at:place]
            spans.append((len(text), len(text) + len(marker)))
            text += marker
            at = place
        text += part[at:]
    return Cited(text, sources, tuple(spans))


def _numbered(chunks: Sequence[GroundingSource | None]) -> tuple[tuple[GroundingSource, ...], Mapping[int, int]]:
    """The sources without repeats, and for each chunk's place its source's number."""
    known: dict[str, int] = {}
    sources: list[GroundingSource] = []
    numbers: dict[int, int] = {}
    for place, chunk in enumerate(chunks):
        if chunk is None or not chunk.uri:
            continue
        if chunk.uri not in known:
            known[chunk.uri] = len(sources) + 1
            sources.append(chunk)
        numbers[place] = known[chunk.uri]
    return tuple(sources), numbers


def _markers(part: str, index: int, supports: Iterable[GroundingSupport], numbers: Mapping[int, int]) -> dict[int, str]:
    """By place in ``part``, in characters. What several supports say of one place is said once, in order."""
    cited: dict[int, set[int]] = {}
    encoded = part.encode("utf-8", "surrogatepass")
    for support in supports:
        found = {numbers[chunk] for chunk in support.chunks if chunk in numbers}
        if support.part == index and found and (place := _place(part, encoded, support)) is not None:
            cited.setdefault(place, set()).update(found)
    return {place: "".join(f"[{number}]" for number in sorted(found)) for place, found in cited.items()}


def _place(part: str, encoded: bytes, support: GroundingSupport) -> int | None:
    """Where a segment ends, in characters and never inside a visible one; ``None`` where there is no such place.

    Where the bytes before the end are not what the segment says, but that occurs exactly once, it is meant.
    """
    said = support.text.encode("utf-8", "surrogatepass")
    end = support.end
    if said and not encoded[: max(end, 0)].endswith(said) and encoded.count(said) == 1:
        end = encoded.index(said) + len(said)
    if not 0 < end <= len(encoded):
        return None
    while end < len(encoded) and FIRST_CONTINUATION <= encoded[end] <= LAST_CONTINUATION:
        end += 1
    return boundary_after(part, len(encoded[:end].decode("utf-8", "surrogatepass")))
