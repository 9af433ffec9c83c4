"""Gemini: pages of the web that its answer to a question is grounded on, found by Google search.

https://ai.google.dev/gemini-api/docs/google-search
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from connectors.contract import Health, HitPage
from connectors.errors import (
    BadReply,
    Forbidden,
    Misconfigured,
    Rejected,
    SourceError,
    Throttled,
    Unauthenticated,
    Unavailable,
    advised,
)
from connectors.exchange import UNSPECIFIED
from connectors.gemini.settings import GeminiSettings
from connectors.gemini.wire import Model, body, read_generated
from connectors.http import HttpRequest, Page, Reply, answered, error_for, retry_after
from connectors.manifest import load_manifest
from connectors.notes import Unread
from connectors.text import absolute_url, plain_line, plain_text, quote
from connectors.web_search import WebSearchSource, page_hit
from connectors.wire import read
from translators.query import Container
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from connectors.contract import Call, Hit
    from connectors.errors import SourceError
    from connectors.gemini.wire import Candidate, Generated, Grounding, Segment, Web
    from connectors.http import Reply
    from translators.translator import NativeQuery


class GeminiSource(WebSearchSource):
    """One model by one key. There is no second page: an answer has the pages that it has."""

    manifest = load_manifest("connectors.gemini")
    settings_type = GeminiSettings
    settings: GeminiSettings
    key_header = "x-goog-api-key"  # and no parameter, as addresses are written down in logs

    def request(self, native: NativeQuery, page: Page) -> HttpRequest:  # noqa: ARG002 — Gemini cannot be told how many
        """A wish for an answer that is grounded on Google search."""
        return HttpRequest("POST", f"v1beta/models/{self.settings.model}:generateContent", json=body(native))

    def parse(self, reply: Reply) -> HitPage:
        """The pages of the grounding."""
        return grounded(read_generated(reply.data))

    def error(self, reply: Reply) -> SourceError | None:
        """Google's own words with what to do; an answer that was refused is an error with HTTP 200."""
        if not reply.ok:
            return error_from(reply, self.settings.model)
        generating = isinstance(reply.data, dict) and "name" not in reply.data
        try:
            return refusal(read_generated(reply.data)) if generating else None
        except BadReply:  # whoever parses it says what is amiss
            return None

    async def probe(self, call: Call) -> Health:
        """The model: free of charge."""
        reply = await self.send(HttpRequest("GET", f"v1beta/models/{self.settings.model}"), call)
        return Health(ok=True, detail=read(Model, reply.data, "Gemini").name)


# ---- hits from a grounding: each page with what it bears out of the answer

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


# ---- Gemini's errors: a ``status`` and ``details`` in the body, and answers that were refused with HTTP 200
# https://ai.google.dev/gemini-api/docs/troubleshooting ; details: https://cloud.google.com/apis/design/errors .

WRONG_KEY = frozenset({"API_KEY_INVALID", "API_KEY_EXPIRED", "API_KEY_SERVICE_BLOCKED", "API_KEY_NOT_FOUND"})
SECONDS = re.compile(r"(\d{1,6}(?:\.\d{1,9})?)s", re.ASCII)


def error_from(reply: Reply, model: str) -> SourceError | None:  # noqa: PLR0911 — one line a kind of error
    """What an HTTP status and its body stand for."""
    if reply.ok:
        return None
    error = _error(reply.data)
    status = str(error.get("status", ""))
    said = answered("Gemini", reply.status, quote(error.get("message") or "") or UNSPECIFIED)
    if status == "RESOURCE_EXHAUSTED" or reply.status == HTTPStatus.TOO_MANY_REQUESTS:
        return Throttled(said, _wait(error, reply))
    if any(each.get("reason") in WRONG_KEY for each in _details(error)):
        return Unauthenticated(said)
    match status:
        case "UNAUTHENTICATED":
            return Unauthenticated(said)
        case "FAILED_PRECONDITION":  # the free tier is not offered everywhere
            return Forbidden(advised(said, Said("enable billing for the project of this key")))
        case "NOT_FOUND":
            return Misconfigured(
                advised(said, Said("set model to one that can search, it is {model}").filled(model=model))
            )
        case "UNAVAILABLE" | "INTERNAL" | "DEADLINE_EXCEEDED":
            return Unavailable(said)
        case _:
            return error_for(reply, said)


def refusal(generated: Generated) -> SourceError | None:
    """Why a reply that succeeded holds no answer."""
    why = generated.refusal
    if not why:
        return None
    if generated.first is None and not (generated.promptFeedback and generated.promptFeedback.blockReason):
        return Unavailable(Said("Gemini answered without a candidate; ask again"))
    return Rejected(
        Said("Gemini does not answer this ({said}); ask in other words, or another search").filled(said=quote(why))
    )


def _error(data: object) -> Mapping[str, object]:
    body = data[0] if isinstance(data, list) and data else data
    error = body.get("error") if isinstance(body, Mapping) else None
    return error if isinstance(error, Mapping) else {}


def _details(error: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    listed = error.get("details")
    yield from (each for each in listed if isinstance(each, Mapping)) if isinstance(listed, list) else ()


def _wait(error: Mapping[str, object], reply: Reply) -> float | None:
    """``RetryInfo.retryDelay``, a duration such as ``37s`` or ``1.5s``; rounded up, for less would be too early."""
    for each in _details(error):
        found = SECONDS.fullmatch(str(each.get("retryDelay", "")))
        if found:
            return float(math.ceil(float(found[1])))
    return retry_after(reply.headers)


SOURCE = GeminiSource
