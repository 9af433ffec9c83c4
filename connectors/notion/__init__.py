"""Notion: pages and data sources by title, then the text of the best pages."""

from __future__ import annotations

import asyncio
from collections import ChainMap
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from connectors.contract import WORKSPACE, Call, Fact, Health, Hit, HitPage, LeftOut, SourceDirectory, known_facts
from connectors.errors import (
    Forbidden,
    Misconfigured,
    Rejected,
    Remedy,
    SourceError,
    Throttled,
    Unauthenticated,
    Unavailable,
)
from connectors.exchange import UNSPECIFIED
from connectors.http import HttpRequest, HttpSource, Page, Reply
from connectors.manifest import SourceSettings, load_manifest
from connectors.notion.properties import PageProperties, read_properties
from connectors.notion.settings import NotionSettings
from connectors.notion.transport import CLIENT, NotionTransport
from connectors.notion.wire import Found, Listing, Me, User, plain_runs, text_of, text_request
from connectors.paging import read_list
from connectors.text import clip, plain_line, quote
from connectors.wire import read, read_each, read_replies, text_in, texts_not_read
from translators.query import Container, Kind, Person
from translators.said import Said, quoting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from connectors.http import Transport
    from translators.translator import Json, NativeQuery

LISTED = "100"  # people a page
MOST_TITLES = 20_000  # that are remembered, so that a page is said to stand in the one above it
INCOMPLETE = Said("Notion's list is incomplete ({what})")
IN_THE_TRASH = Said("left out, as it lies in the trash: {trashed} of {found} pages")
NOT_FOUND = 404
FETCHED = ("pages", "databases", "data_sources")  # an address does not say which of them it is of
ONE = ("page", "database", "data_source")


class NotShared(Forbidden):
    """There is no such page, or it is not shared with the connection: Notion does not say which."""


REMEDIES: Mapping[int | str, Remedy] = MappingProxyType(
    {
        "rate_limited": Remedy(Throttled),
        "unauthorized": Remedy(Unauthenticated, Said("copy the connection's secret (ntn_…) again")),
        "restricted_resource": Remedy(
            Forbidden,
            Said("give the connection the capability to read content, and user information for the names of people"),
        ),
        "object_not_found": Remedy(NotShared, Said("share the page with the connection")),
        "conflict_error": Remedy(Unavailable, Said("ask again")),
        NOT_FOUND: Remedy(Misconfigured, Said("is base_url the address of Notion's API?")),
    }
)


class NotionSource(HttpSource):
    """One Notion workspace, as far as its pages are shared with the connection. A hit is a page or a data source."""

    manifest = load_manifest("connectors.notion")
    completes = True
    client = CLIENT
    settings_type = NotionSettings
    settings: NotionSettings
    remedies = REMEDIES

    def __init__(self, name: str, settings: SourceSettings) -> None:
        super().__init__(name, settings)
        self._titles: dict[str, str] = {}

    def open_transport(self) -> Transport:
        """Notion's own client."""
        return NotionTransport(self.base_url, self.settings.version, self.manifest.limits.concurrency)

    def request(self, native: NativeQuery, page: Page) -> HttpRequest:
        """``POST /v1/search``, or ``GET`` of one thing: https://developers.notion.com/reference/retrieve-a-page."""
        if "id" in native.args:
            return HttpRequest("GET", f"/v1/{native.args.get('object', FETCHED[0])}/{native.args['id']}")
        body: dict[str, Json] = {"query": native.text, "page_size": page.limit}
        body |= {name: native.args[name] for name in ("filter", "sort") if name in native.args}
        if page.cursor is not None:
            body["start_cursor"] = page.cursor
        return HttpRequest("POST", "/v1/search", json=body)

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        """A page of hits; an id is looked for among pages first, then among databases."""
        if "id" not in native.args:
            return self._in_their_places(await super().search(native, call), call)
        loop = asyncio.get_running_loop()
        end = loop.time() + call.timeout
        failures: list[SourceError] = []
        for kind in FETCHED:
            one = replace(native, args={**native.args, "object": kind})
            try:
                return await super().search(one, replace(call, timeout=end - loop.time()))
            except (NotShared, Rejected) as failure:  # an id of another kind is refused in either way
                failures.append(failure)
        if not any(isinstance(failure, NotShared) for failure in failures):
            raise failures[0]
        return HitPage(remarks=(Said("no such page or database, or none that is shared with the connection"),))

    async def complete(self, hits: Sequence[Hit], call: Call) -> HitPage:
        """The same with their texts, and by then with the names of the pages that they stand in."""
        return self._in_their_places(await super().complete(hits, call), call)

    def parse(self, reply: Reply) -> HitPage:
        """Pages and data sources, or the one that was fetched; each without text yet."""
        listing = read(Listing, _as_listing(reply.data), "Notion")
        found, notes = read_each(
            Found, listing.results, lambda item: (item.in_trash, self._hit(item)), "pages", self.known
        )
        hits = tuple(hit for in_trash, hit in found if not in_trash)
        trashed = len(found) - len(hits)
        remarks = (IN_THE_TRASH.filled(trashed=trashed, found=len(found)),) if trashed else ()
        cursor = listing.next_cursor if listing.has_more else None
        return HitPage(hits, cursor, None, notes, _truncated(listing), remarks)

    def details(self, page: HitPage) -> tuple[HttpRequest, ...]:
        """One request for the text of each of the best pages."""
        return tuple(text_request(hit.id, self.settings.version) for hit in self._readable(page))

    def enrich(self, page: HitPage, replies: Sequence[Reply | SourceError]) -> HitPage:
        """Each page with its text; one that could not be read stays, with its title only."""
        texts, failures = read_replies((hit.id for hit in self._readable(page)), replies, self._text)
        hits = tuple(_with_text(hit, texts.get(hit.id), self.settings.max_text) for hit in page.hits)
        return replace(page, hits=hits, notes=(*page.notes, *texts_not_read(failures, len(replies), "pages")))

    def refusal(self, reply: Reply) -> tuple[str, str]:
        """Notion's codes: https://developers.notion.com/reference/status-codes."""
        return text_in(reply.data, "code"), quote(text_in(reply.data, "message"))

    def told(self, reply: Reply, code: str, why: str) -> Said:
        """By its code, which people find in Notion's manual."""
        known = quote(code or f"HTTP {reply.status}")
        return (
            Said("Notion says {code}: {message}").filled(code=known, message=why)
            if why
            else Said("Notion says {code}").filled(code=known)
        )

    @property
    def mirrored(self) -> int:
        """As it is set; none where no text is to be read at all."""
        return self.settings.mirrored if self.settings.pages_read else 0

    async def directory(self, call: Call) -> SourceDirectory:
        """People; without the capability to read user information nobody, and a note."""

        async def page(more: Mapping[str, str] | None) -> tuple[Sequence[object], Mapping[str, str] | None]:
            asked = {"page_size": LISTED, **(more or {})}
            found = read(Listing, (await self.send(HttpRequest("GET", "/v1/users", asked), call)).data, "Notion")
            return found.results, {"start_cursor": found.next_cursor} if found.has_more and found.next_cursor else None

        listed, notes = await read_list(page, self.settings.directory_pages, "people")
        people, unread = read_each(User, listed, _somebody, "people")
        return SourceDirectory(people, (), (*notes, *unread))

    async def probe(self, call: Call) -> Health:
        """The connection's own user."""
        me = read(Me, (await self.send(HttpRequest("GET", "/v1/users/me"), call)).data, "Notion")
        workspace = WORKSPACE.filled(name=quoting(me.bot.workspace_name)) if me.bot and me.bot.workspace_name else ""
        return Health(ok=True, detail=workspace, account=me.name)

    def _in_their_places(self, page: HitPage, call: Call) -> HitPage:
        """Each hit in the page or database that it stands in, by the names on this page and those that the same credential was shown before."""
        titles = {_bare(hit.id): hit.title for hit in page.hits}
        if call.credential is None and len(self._titles) < MOST_TITLES:
            self._titles |= titles
        known = ChainMap(titles, self._titles) if call.credential is None else titles
        return replace(page, hits=tuple(_placed(hit, known) for hit in page.hits))

    def _readable(self, page: HitPage) -> list[Hit]:
        return [hit for hit in page.hits if hit.kind is Kind.PAGE][: self.settings.pages_read]

    def _text(self, reply: Reply | SourceError) -> tuple[str, bool]:
        if isinstance(reply, SourceError):
            raise reply
        return text_of(reply, self.settings.max_text)

    def _hit(self, found: Found) -> Hit:
        told = _told(found)
        text = "\n".join(told.lines) or plain_runs(found.description)
        return Hit(
            source="",
            id=found.id,
            kind=Kind.PAGE if found.what == "page" else Kind.DATABASE,
            title=_title(found),
            url=found.url or f"https://www.notion.so/{_bare(found.id)}",
            snippet=clip(text, self.settings.max_text)[0],
            author=_person(found.created_by),
            assignee=_person(told.assignee),
            state=told.state,
            created=found.created_time,
            updated=found.last_edited_time,
            facts=_facts(found, told),
        )


def _as_listing(data: object) -> object:
    one = isinstance(data, Mapping) and data.get("object") in ONE
    return {"results": [data]} if one else data


def _bare(notion_id: str) -> str:
    """Notion writes the same id with and without dashes."""
    return notion_id.replace("-", "").lower()


def _title(found: Found) -> str:
    """A data source has a title, a page one property of the type title, whatever its name."""
    if found.what != "page":
        return plain_line(plain_runs(found.title))
    for value in found.properties.values():
        if isinstance(value, Mapping) and value.get("type") == "title":
            return plain_line(plain_runs(value.get("title")))
    return ""


def _parent(found: Found) -> str:
    parent = found.parent
    return (parent.page_id or parent.data_source_id or parent.database_id or parent.block_id) if parent else ""


def _person(user: User | None) -> Person | None:
    if user is None:
        return None
    return Person(user.name, user.id, (user.person.email if user.person else "") or None)


def _somebody(user: User) -> Person | None:
    return _person(user) if user.type == "person" and user.name else None


def _told(found: Found) -> PageProperties:
    """Of a data source the properties say which columns it has, and nothing of any work."""
    return read_properties(found.properties) if found.what == "page" else PageProperties()


def _placed(hit: Hit, titles: Mapping[str, str]) -> Hit:
    parent = str(hit.facts.get("parent_id", ""))
    name = titles.get(_bare(parent), "")
    return replace(hit, container=Container(name, parent)) if name and hit.container is None else hit


def _facts(found: Found, told: PageProperties) -> Mapping[str, Fact]:
    editor = found.last_edited_by
    facts: dict[str, Fact] = {
        "object": found.what,
        "parent_id": _parent(found),
        "edited_by": (editor.name or editor.id) if editor else "",
        "state": told.status,
        "due": told.due,
        "assignees": told.assignees if len(told.assignees) > 1 else (),
        "properties": told.lines,
        "properties_cut": not told.whole,
    }
    return known_facts(facts)


def _with_text(hit: Hit, text: tuple[str, bool] | None, limit: int) -> Hit:
    """What its properties say stays before what stands on the page."""
    if text is None:
        return hit
    lines = hit.facts.get("properties", ())
    said = "\n".join(lines) if isinstance(lines, tuple) else ""
    kept, within = clip("\n\n".join(each for each in (said, text[0]) if each), limit)
    return replace(hit, snippet=kept, complete=text[1] and within and not hit.facts.get("properties_cut"))


def _truncated(listing: Listing) -> tuple[LeftOut, ...]:
    status = listing.request_status
    if status is None or status.type != "incomplete":
        return ()
    why = status.incomplete_reason or UNSPECIFIED
    return (LeftOut(INCOMPLETE.filled(what=why)),)


SOURCE = NotionSource
