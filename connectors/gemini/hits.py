"""Hits from a grounding: each page with what it bears out of the answer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from connectors.contract import HitPage
from connectors.notes import Unread
from connectors.text import absolute_url, plain_line, plain_text, quote
from connectors.web_search import page_hit
from translators.query import Container
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from connectors.contract import Hit
    from connectors.gemini.reply import Candidate, Generated, Grounding, Segment, Web

REDIRECTS = "vertexaisearch.cloud.google.com"  # addresses there lead on to the page, for a while
NOT_SEARCHED = Said("Gemini answered without searching the web")


def grounded(generated: Generated) -> HitPage:
    """The pages, in Gemini's order."""
    candidate = generated.first
    if candidate is None or candidate.groundingMetadata is None:
        return HitPage(notes=(NOT_SEARCHED,))
    grounding = candidate.grounding
    said, unread = _said(candidate, grounding)
    chunks = grounding.chunks
    queries = tuple(filter(None, map(plain_line, grounding.webSearchQueries)))
    hits = [
        hit
        for place, chunk in enumerate(chunks)
        if chunk and chunk.web and (hit := _hit(chunk.web, said.get(place, ()), queries))
    ]
    bad = sum(chunk is None or (chunk.web is not None and not absolute_url(chunk.web.uri)) for chunk in chunks)
    notes = (
        *((Unread.of(bad, len(chunks), "pages"),) if bad else ()),
        *((Unread.of(unread, len(grounding.groundingSupports), "supports"),) if unread else ()),
        *((NOT_SEARCHED,) if not queries and not chunks else ()),
    )
    return HitPage(tuple(hits), None, None, notes)


def _said(candidate: Candidate, grounding: Grounding) -> tuple[Mapping[int, Sequence[str]], int]:
    """What is said of each chunk, by its place, and how many supports cannot be read or point nowhere."""
    said: dict[int, list[str]] = {}
    unread = 0
    for support in grounding.supports:
        text = _text(support.segment, candidate) if support and support.segment else ""
        places = (
            [place for place in support.groundingChunkIndices if 0 <= place < len(grounding.chunks)] if support else []
        )
        unread += not (text and places)
        for place in places if text else ():
            said.setdefault(place, []).append(text)
    return said, unread


def _text(segment: Segment, candidate: Candidate) -> str:
    """As the support repeats it, else the bytes that it names, if there are such."""
    if segment.text:
        return segment.text
    if not 0 <= segment.partIndex < len(candidate.parts):
        return ""
    whole = candidate.parts[segment.partIndex].text.encode("utf-8", "replace")
    return whole[max(segment.startIndex, 0) : max(segment.endIndex, 0)].decode("utf-8", "ignore")


def _hit(web: Web, said: Sequence[str], queries: tuple[str, ...]) -> Hit | None:
    """A title is often but the host, and then it says where the page is, which a redirect does not."""
    if not absolute_url(web.uri):
        return None
    hit = page_hit(web.uri, "", "", facts={"searched": queries})
    title = plain_line(web.title)
    host = plain_line(web.domain) or (title if "." in title and " " not in title else "")
    moved = (urlsplit(web.uri).hostname or "") == REDIRECTS
    place = Container(host.removeprefix("www.")) if host else None if moved else hit.container
    snippet = plain_text("\n".join(dict.fromkeys(said)))
    return replace(hit, title=title or (place.name if place else quote(web.uri)), snippet=snippet, container=place)
