"""What web searches have in common: a hit is a page, found by its address; without a word there is nothing to ask for."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, ClassVar
from urllib.parse import urlsplit

from pydantic import AfterValidator

from connectors.contract import Fact, Health, Hit, HitPage
from connectors.http import HttpSource
from connectors.text import clip, plain_line, plain_text
from connectors.wire import FIRST_YEAR, LAST_YEAR, Url
from translators.query import Container, Kind
from translators.said import Said
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from collections.abc import Mapping

    from connectors.contract import Call

NO_WORDS = Said("a web search can only be asked for words, and the question leaves none for it")
PROBED = "wikipedia"
MAX_TEXT = 2000  # characters of an extract
DAY = timedelta(days=1)


def _opens(url: str) -> str:
    if not url:
        raise ValueError(Said("is no address that a browser opens"))
    return url


Address = Annotated[Url, AfterValidator(_opens)]


class WebSearchSource(HttpSource):
    """One web search. ``following`` says where the next page begins, as replies do not say where they began."""

    parameters: ClassVar[Mapping[str, str]] = MappingProxyType({})  # and the settings that they are sent with

    def chosen(self, **more: str) -> dict[str, str]:
        """The settings as parameters, and what else is said; what is empty is left to the engine."""
        values = {name: getattr(self.settings, setting) for name, setting in self.parameters.items()}
        return {name: text for name, value in (values | more).items() if (text := _text(value))}

    def following(self, found: HitPage, cursor: str | None, limit: int) -> str | None:  # noqa: ARG002 — a default
        """The cursor behind ``found``, the ``limit`` hits from ``cursor`` on; that of the reply, unless overridden."""
        return found.cursor

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        """One page of pages."""
        if not native.text.strip():
            return HitPage(notes=(NO_WORDS,))
        found = await super().search(native, call)
        limit = self.manifest.limits.hits(call.limit)
        return replace(found, cursor=self.following(found, call.cursor, limit))

    async def probe(self, call: Call) -> Health:
        """A search for one word, where nothing cheaper proves as much."""
        found = await self.search(NativeQuery(self.manifest.dialect, PROBED), replace(call, limit=1))
        return Health(ok=True, detail="; ".join((f"{len(found.hits)} results for {PROBED}", *found.notes)))


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return ",".join(value)
    return "" if value is None or value is False else "true" if value is True else str(value)


def page_hit(
    url: str, title: str, text: str, *, when: datetime | None = None, facts: Mapping[str, Fact] | None = None
) -> Hit:
    """A page of the web. An extract proves no absence, so it is never the whole text."""
    host = (urlsplit(url).hostname or "").removeprefix("www.")
    kept = {name: fact for name, fact in (facts or {}).items() if fact not in ("", ())}
    return Hit(
        source="",
        id=url,
        kind=Kind.WEB_PAGE,
        title=plain_line(title) or host,
        url=url,
        snippet=clip(plain_text(text), MAX_TEXT)[0],
        container=Container(host) if host else None,
        updated=when if when is not None and FIRST_YEAR <= when.year <= LAST_YEAR else None,
        facts=MappingProxyType(kept),
    )


def days(native: NativeQuery) -> tuple[date | None, date | None]:
    """The first and the last day that ``native`` allows, each a day wider: no engine says by whose clock it counts."""
    since, until = (_instant(native.args.get(name)) for name in ("since", "until"))
    return (since - DAY).date() if since else None, (until + DAY).date() if until else None


def _instant(value: object) -> datetime | None:
    return datetime.fromisoformat(value).astimezone(UTC) if isinstance(value, str) else None


def number(cursor: str | None, most: int) -> int:
    """The number that a cursor of ours is, from 0 to ``most``; 0 for anything else."""
    text = cursor or ""
    known = text.isascii() and text.isdigit() and len(text) <= len(str(most))
    return int(text) if known and int(text) <= most else 0
