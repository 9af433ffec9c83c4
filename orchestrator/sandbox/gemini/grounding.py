"""An answer and what it stands on: offsets count UTF-8 bytes, and what is zero is left out, as JSON of protocol buffers does."""

import hashlib
import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from orchestrator.sandbox.corpus import Row

REDIRECT = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/"
SENTENCE = re.compile(r".+?[.!?。](?=\s|$)|.+", re.DOTALL)


def grounded(rows: Sequence[Row], query: str) -> tuple[str, dict[str, Any]]:
    """The first sentence of each page, one after another, and the metadata."""
    chunks, supports = [], []
    text = ""
    for place, row in enumerate(rows):
        found = SENTENCE.match(row.text.strip())
        sentence = found[0].strip() if found else row.title
        text += " " if text else ""
        start = len(text.encode())
        text += sentence
        segment: dict[str, Any] = {"startIndex": start} if start else {}
        segment |= {"endIndex": len(text.encode()), "text": sentence}
        supports.append({"segment": segment, "groundingChunkIndices": [place]})
        chunks.append(
            {"web": {"uri": f"{REDIRECT}{_named(row.url)}", "title": urlsplit(row.url).hostname or row.title}}
        )
    metadata: dict[str, Any] = {"webSearchQueries": [query], "searchEntryPoint": {"renderedContent": "<div></div>"}}
    if chunks:
        metadata |= {"groundingChunks": chunks, "groundingSupports": supports}
    return text or "Nothing was found.", metadata


def _named(url: str) -> str:
    return hashlib.sha256(url.encode()).hexdigest()[:40]
