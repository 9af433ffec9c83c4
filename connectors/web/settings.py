"""What can be set for the chain of web searches: its links, and in which order they are asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from connectors.brave import BraveSettings  # noqa: TC001 — pydantic reads the annotations at run time
from connectors.gemini.settings import GeminiSettings  # noqa: TC001 — pydantic reads the annotations at run time
from connectors.gemini_cli.settings import GeminiCliSettings
from connectors.manifest import Rate, SourceSettings, load_manifest
from connectors.mcp_client.settings import McpSettings
from connectors.searxng.settings import SearxngSettings  # noqa: TC001 — pydantic reads the annotations at run time
from connectors.serpapi import SerpapiSettings  # noqa: TC001 — pydantic reads the annotations at run time

if TYPE_CHECKING:
    from collections.abc import Mapping

    from connectors.manifest import Manifest

Link = Literal["mcp", "gemini_cli", "gemini", "brave", "serpapi", "searxng"]
ORDER: tuple[Link, ...] = ("mcp", "gemini_cli", "gemini", "brave", "serpapi", "searxng")
KINDS: Mapping[Link, str] = {each: each if each != "mcp" else "mcp_client" for each in ORDER}
NAMES: Mapping[Link, str] = {
    "mcp": "Gemini by MCP",
    "gemini_cli": "Gemini CLI",
    "gemini": "Gemini",
    "brave": "Brave Search",
    "serpapi": "SerpApi",
    "searxng": "SearXNG",
}
# What a server of Gemini's search is likely to offer; any tool can be named.
BY_MCP = {"tool": "google_web_search", "kinds": ["web_page"], "category": "web", "title": NAMES["mcp"]}


def _of_kind(kind: str, more: Mapping[str, object] | None = None) -> BeforeValidator:
    """A link says no ``kind``: its name does."""
    return BeforeValidator(lambda given: {**(more or {}), **given, "kind": kind} if isinstance(given, dict) else given)


class WebSettings(SourceSettings):
    """Settings of the chain. A link that has no table is not set up, one with ``enabled = false`` is not asked.

    ``order``: links in the order in which they are asked; those left out are not. ``share``: how much of the time that
    is left a link gets while others may still be asked. ``base_url``: of a gateway before all links that have no
    address of their own.
    """

    mcp: Annotated[McpSettings | None, _of_kind(KINDS["mcp"], BY_MCP)] = None
    gemini_cli: Annotated[GeminiCliSettings | None, _of_kind("gemini_cli")] = None
    gemini: Annotated[GeminiSettings | None, _of_kind("gemini")] = None
    brave: Annotated[BraveSettings | None, _of_kind("brave")] = None
    serpapi: Annotated[SerpapiSettings | None, _of_kind("serpapi")] = None
    searxng: Annotated[SearxngSettings | None, _of_kind("searxng")] = None
    order: tuple[Link, ...] = ORDER
    share: float = Field(default=0.6, gt=0.0, le=1.0)

    @model_validator(mode="before")
    @classmethod
    def _order_by_commas(cls, given: Any) -> Any:
        """In the environment an order is a text."""
        said = given.get("order") if isinstance(given, dict) else None
        listed = [each.strip() for each in said.split(",")] if isinstance(said, str) else said
        return {**given, "order": listed} if said is not None else given

    @property
    def links(self) -> Mapping[Link, SourceSettings]:
        """The links to ask, in order, at the gateway where there is one."""
        named = {name: getattr(self, name) for name in dict.fromkeys(self.order)}
        return {name: self._placed(link) for name, link in named.items() if link is not None and link.enabled}

    @property
    def absent(self) -> tuple[str, ...]:
        """What people call the links that are not asked."""
        return tuple(NAMES[each] for each in ORDER if each not in self.links)

    @property
    def signed(self) -> bool:
        """Each link is signed in to by itself, so what matters is whether there is one."""
        return bool(self.links)

    def described(self, manifest: Manifest) -> Manifest:
        """With the rate of each link, as a bucket of its own."""
        own = super().described(manifest)
        limits = {
            name: link.described(load_manifest(f"connectors.{KINDS[name]}")).limits for name, link in self.links.items()
        }
        buckets = {name: Rate(rate=each.rate, period=each.period) for name, each in limits.items()}
        return own.model_copy(update={"limits": own.limits.model_copy(update={"buckets": buckets})})

    def _placed(self, link: SourceSettings) -> SourceSettings:
        local = isinstance(link, GeminiCliSettings | McpSettings)
        return (
            link if local or link.base_url or not self.base_url else link.model_copy(update={"base_url": self.base_url})
        )
