"""The searches that the chain is made of, each a source of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from connectors.contract import HitPage
from connectors.gemini_cli.pages import pages
from connectors.mcp_client import McpSource
from connectors.mcp_client.reading import texts
from connectors.registry import load_source
from connectors.text import absolute_url
from connectors.web.settings import KINDS
from connectors.web_search import page_hit
from translators.query import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp.types import CallToolResult

    from connectors.contract import Connector, Hit
    from connectors.web.settings import Link, WebSettings


class GeminiByMcp(McpSource):
    """A tool that searches the web. Its text may be an answer with a list of sources, as Gemini's own tool gives it."""

    def _read(self, result: CallToolResult) -> HitPage:
        found = super()._read(result)
        if any(hit.url for hit in found.hits):
            return found
        named = pages("\n".join(texts(result)))
        return HitPage(named, "0") if named else replace(found, hits=())


def open_links(settings: WebSettings) -> Mapping[Link, Connector]:
    """A source for each link that is set up, in order."""
    made: dict[Link, Connector] = {}
    for name, link in settings.links.items():
        kind: Any = GeminiByMcp if name == "mcp" else load_source(KINDS[name])
        made[name] = kind(name, link)
    return made


def as_page(hit: Hit) -> Hit | None:
    """A hit of any tool as a page of the web; what has no address is none."""
    if not absolute_url(hit.url):
        return None
    return (
        hit
        if hit.kind is Kind.WEB_PAGE and hit.container
        else replace(page_hit(hit.url, hit.title, hit.snippet), updated=hit.updated)
    )
