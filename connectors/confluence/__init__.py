"""Confluence Cloud: pages, blog posts, comments and files, searched with CQL by its REST API."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

from connectors.atlassian import SIGN_IN, AtlassianSource
from connectors.confluence import wire
from connectors.confluence.settings import ConfluenceSettings
from connectors.confluence.wire import Content, Found, Listed, Result, Space, Text, User, error_from
from connectors.contract import Call, Fact, Health, Hit, HitPage, SourceDirectory, known_facts
from connectors.errors import SourceError, Unauthenticated
from connectors.http import HttpRequest, Page, Reply
from connectors.manifest import load_manifest
from connectors.markup import from_page
from connectors.paging import read_list
from connectors.text import absolute_url, clip
from connectors.wire import read, read_each, read_replies, texts_not_read
from translators.query import Container, Kind, Person
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from translators.translator import NativeQuery

SEARCH, ME = "wiki/rest/api/search", "wiki/rest/api/user/current"
PEOPLE, SPACES = "wiki/rest/api/search/user", "wiki/api/v2/spaces"
PEOPLE_LISTED, SPACES_LISTED = 200, 250  # a page
EXPAND = "content.space,content.history"
OUTSIDE = Said("{count} results outside the spaces that may be searched were left out")
READABLE = MappingProxyType({"page": "wiki/api/v2/pages", "blogpost": "wiki/api/v2/blogposts"})
NUMBER = re.compile(r"\d{1,18}", re.ASCII)
FOCUSED = re.compile(r"[?&]focusedCommentId=\d+$")
"""What leads from the address of a page to a comment on it."""
KINDS = MappingProxyType({"comment": Kind.MESSAGE, "attachment": Kind.FILE, "database": Kind.DATABASE})
WireT = TypeVar("WireT", Found, Listed)


class ConfluenceSource(AtlassianSource):
    """One Confluence Cloud site, seen with the eyes of the token's owner. A hit is one piece of content."""

    manifest = load_manifest("connectors.confluence")
    completes = True
    settings_type = ConfluenceSettings
    settings: ConfluenceSettings

    def __init__(self, name: str, settings: ConfluenceSettings) -> None:
        super().__init__(name, settings)
        self.base_url = settings.root or self.manifest.default_url
        self._allowed = frozenset(key.casefold() for key in settings.spaces)

    def request(self, native: NativeQuery, page: Page) -> HttpRequest:
        """A search; its next page is asked for by the cursor alone, as a start would repeat and skip results."""
        keys = ", ".join(f'"{key}"' for key in self.settings.spaces)
        asked = {
            "cql": f"space in ({keys}) AND {native.text}" if keys else native.text,
            "limit": str(page.limit),
            "excerpt": "highlight",
            "expand": EXPAND,
        }
        if self.settings.archived:
            asked["includeArchivedSpaces"] = "true"
        if page.cursor is not None:
            asked["cursor"] = page.cursor
        return HttpRequest("GET", SEARCH, asked)

    def parse(self, reply: Reply) -> HitPage:
        """The content of a page; spaces and people among the results are no hits."""
        found = read(Found, reply.data, "Confluence")
        base = found.links.base
        hits, notes = read_each(Result, found.results, lambda result: _hit(result, base), "results")
        allowed = tuple(hit for hit in hits if self._may_show(hit))
        strays = len(hits) - len(allowed)
        outside = (OUTSIDE.filled(count=strays),) if strays else ()
        if found.links.next and found.links.cursor is None:
            notes = (
                *notes,
                Said("there are more results, but Confluence gave no cursor to them"),
            )
        return HitPage(allowed, found.links.cursor, found.totalSize, notes, remarks=outside)

    def details(self, page: HitPage) -> tuple[HttpRequest, ...]:
        """One request for the text of each of the best pages: a list of them would come without macros."""
        return tuple(
            HttpRequest("GET", f"{READABLE[str(hit.facts['type'])]}/{hit.id}", {"body-format": "view"})
            for hit in self._readable(page)
        )

    def enrich(self, page: HitPage, replies: Sequence[Reply | SourceError]) -> HitPage:
        """Each page with its text instead of the excerpt; one that could not be read keeps that."""
        texts, failures = read_replies((hit.id for hit in self._readable(page)), replies, self._clipped)
        hits = tuple(replace(hit, snippet=texts.get(hit.id) or hit.snippet) for hit in page.hits)
        return replace(page, hits=hits, notes=(*page.notes, *texts_not_read(failures, len(replies), "pages")))

    def _clipped(self, reply: Reply | SourceError) -> str:
        return clip(_text(reply), self.settings.max_text)[0]

    def error(self, reply: Reply) -> SourceError | None:
        """Confluence's own words with what to do."""
        return error_from(reply)

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        """A page that names itself as the next is the last; of a page asked for by address, only this site's counts."""
        page = await super().search(native, call)
        if page.cursor is not None and page.cursor == call.cursor:
            page = replace(page, cursor=None)
        site = native.args.get("site")
        if not site or all(urlsplit(hit.url).hostname == site for hit in page.hits):
            return page
        return HitPage(
            total=0,
            remarks=(Said("the address is one of {site}, which is another site").filled(site=site),),
        )

    async def directory(self, call: Call) -> SourceDirectory:
        """People by each of their names, and spaces by name and by key; a list that may not be read is told."""
        users, few_users = await self._people(call)
        spaces, few_spaces = await self._spaces(call)
        people, unread = read_each(Result, users, _names, "people")
        containers, unread_spaces = read_each(Space, spaces, _containers, "spaces")
        return SourceDirectory(
            tuple(person for names in people for person in names),
            tuple(container for names in containers for container in names),
            (*few_users, *few_spaces, *unread, *unread_spaces),
        )

    async def probe(self, call: Call) -> Health:
        """Who the token belongs to; a site that is open to the public knows a wrong one as nobody."""
        me = read(User, (await self.send(HttpRequest("GET", ME), call)).data, "Confluence")
        if me.type == "anonymous" or not me.accountId:
            raise Unauthenticated(Said("Confluence takes the token for nobody's; {sign_in}").filled(sign_in=SIGN_IN))
        only = f"only in {', '.join(self.settings.spaces)}" if self.settings.spaces else ""
        return Health(ok=True, detail=only, account=me.email or me.name)

    async def _people(self, call: Call) -> tuple[list[object], tuple[str, ...]]:
        """Everybody, page by page within reason; a page may hold fewer than were asked for and still not be the last."""

        async def page(at: int | None) -> tuple[Sequence[object], int | None]:
            asked = {"cql": "type=user", "limit": str(PEOPLE_LISTED), "start": str(at or 0)}
            found = read(Found, (await self.send(HttpRequest("GET", PEOPLE, asked), call)).data, "Confluence")
            end = (at or 0) + len(found.results)
            last = not found.results or (found.totalSize is not None and end >= found.totalSize)
            return found.results, None if last else end

        return await read_list(page, self.settings.directory_pages, "people")

    async def _spaces(self, call: Call) -> tuple[list[object], tuple[str, ...]]:
        asked = {"limit": str(SPACES_LISTED), "status": "current"}

        async def page(more: Mapping[str, str] | None) -> tuple[Sequence[object], Mapping[str, str] | None]:
            found = read(
                Listed,
                (await self.send(HttpRequest("GET", SPACES, {**asked, **(more or {})}), call)).data,
                "Confluence",
            )
            return found.results, None if found.links.cursor is None else {"cursor": found.links.cursor}

        return await read_list(page, self.settings.directory_pages, "spaces")

    def _readable(self, page: HitPage) -> list[Hit]:
        readable = (hit for hit in page.hits if hit.facts.get("type") in READABLE and NUMBER.fullmatch(hit.id))
        return list(islice(readable, self.settings.pages_read))

    def _may_show(self, hit: Hit) -> bool:
        """Nothing but the spaces that may be searched is shown, whatever a query makes of the condition before it."""
        key = hit.container.native_id if hit.container else None
        return not self._allowed or (key or "").casefold() in self._allowed


def _hit(result: Result, base: str) -> Hit | None:
    content = result.content
    if content is None:
        return None
    history = content.history
    author = history.createdBy if history else None
    return Hit(
        source="",
        id=content.id,
        kind=KINDS.get(content.type, Kind.PAGE),
        title=wire.title(result.title or "") or content.title,
        url=_address(result.url or "", base),
        snippet=wire.excerpt(result.excerpt or ""),
        author=_person(author) if author else None,
        container=_space(result, content),
        created=history.createdDate if history else None,
        updated=result.lastModified,
        score=result.score or None,
        facts=_facts(result, content, _address(result.url or "", base)),
    )


def _text(reply: Reply | SourceError) -> str:
    """The text of one page, macros included, as a browser shows it."""
    if isinstance(reply, SourceError):
        raise reply
    body = read(Text, reply.data, "Confluence").body
    return from_page(body.view.value if body and body.view else "")


def _address(url: str, base: str) -> str:
    """Addresses are relative to the site's, which is not the one that was asked where a gateway stands between."""
    whole = url.startswith(("https://", "http://"))
    return absolute_url(url if whole else f"{base.rstrip('/')}/{url.lstrip('/')}") if url else ""


def _person(user: User) -> Person | None:
    """A name and an id; those who left or were never signed in have but one of them, or neither."""
    return Person(user.name, user.accountId or None, user.email or None) if user.name or user.accountId else None


def _space(result: Result, content: Content) -> Container | None:
    """The space by name and key; the summary for display tells them too, where the space was not expanded."""
    if content.space and content.space.key:
        return Container(content.space.name or content.space.key, content.space.key)
    shown = result.resultGlobalContainer
    if shown is None or not shown.title:
        return None
    steps = urlsplit(shown.displayUrl).path.strip("/").split("/")
    return Container(shown.title, steps[-1] if steps[-2:-1] in (["spaces"], ["display"]) else None)


def _facts(result: Result, content: Content, address: str) -> Mapping[str, Fact]:
    parent = result.resultParentContainer
    facts: dict[str, Fact] = {
        "type": content.type,
        "space": content.space.key if content.space else "",
        "parent": wire.title(parent.title) if parent else "",
        "comments_on": FOCUSED.sub("", address) if content.type == "comment" else "",
    }
    return known_facts(facts)


def _names(result: Result) -> tuple[Person, ...] | None:
    """A person under each name; programs that act as one are left out."""
    user = result.user
    if user is None or not user.accountId or user.accountType == "app":
        return None
    names = dict.fromkeys((user.displayName, user.publicName))
    return tuple(Person(name, user.accountId, user.email or None) for name in names if name)


def _containers(space: Space) -> tuple[Container, ...]:
    """By name and by key; nobody knows the key of a personal space."""
    names = (space.name,) if space.type == "personal" else (space.name, space.key)
    return tuple(Container(name, space.key) for name in dict.fromkeys(names) if name and space.key)


SOURCE = ConfluenceSource
