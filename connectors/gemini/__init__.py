"""Gemini: pages of the web that its answer to a question is grounded on, found by Google search.

https://ai.google.dev/gemini-api/docs/google-search
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from connectors.contract import Health, HitPage
from connectors.errors import BadReply
from connectors.gemini.asking import body
from connectors.gemini.errors import error_from, refusal
from connectors.gemini.hits import grounded
from connectors.gemini.reply import read_generated
from connectors.gemini.settings import GeminiSettings
from connectors.gemini.wire import Model
from connectors.http import HttpRequest, Page, Reply
from connectors.manifest import load_manifest
from connectors.web_search import WebSearchSource
from connectors.wire import read

if TYPE_CHECKING:
    from connectors.contract import Call
    from connectors.errors import SourceError
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


SOURCE = GeminiSource
