"""Discourse: topics of one forum, by its search: https://docs.discourse.org/#tag/Search/operation/search .

What the manual does not say was read in the source (https://github.com/discourse/discourse, 2025) and is marked
"source", or is told from memory and marked so; nothing here was tried on a forum.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from connectors.contract import Health, Hit, HitPage, SourceDirectory
from connectors.discourse.errors import error_from
from connectors.discourse.settings import DiscourseSettings
from connectors.discourse.wire import Category, Current, Directory, Found, Listed, Post, Site, Topic
from connectors.errors import Forbidden, Misconfigured, Rejected
from connectors.http import HttpRequest, HttpSource, Page, Reply
from connectors.manifest import load_manifest
from connectors.markup import from_html
from connectors.wire import read, read_each
from translators.query import Container, Kind, Person
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Mapping

    from connectors.contract import Call
    from connectors.errors import SourceError
    from connectors.http import Transport
    from translators.translator import NativeQuery

CURSOR = re.compile(r"([1-9][0-9]?)(?::([0-9]{1,2}))?", re.ASCII)
LAST = 10  # source: beyond this page the first one comes again
# Source: a query without a filter is refused where each of its words has fewer letters than the forum wants (three by
# default, and Korean words have two), and an empty one finds nothing. This filter holds for every post.
EVER = "after:1970-01-01"


@dataclass(frozen=True, slots=True)
class SearchCursor:
    """``page`` counts from 1 as Discourse does; ``skip`` hits of it were returned before."""

    page: int = 1
    skip: int = 0

    @classmethod
    def read(cls, cursor: str | None) -> Self:
        """The place that a cursor of ours names; the start for anything else."""
        found = CURSOR.fullmatch(cursor or "")
        return cls(int(found[1]), int(found[2] or 0)) if found else cls()

    def after(self, end: int, held: int, *, more: bool) -> str | None:
        """The cursor behind ``end`` of the ``held`` hits of this page; ``more`` says whether another page follows."""
        if end < held:
            return f"{self.page}:{end}"
        return f"{self.page + 1}" if more and self.page < LAST else None


class DiscourseSource(HttpSource):
    """One forum. A hit is a topic, shown by the post in it that was found."""

    manifest = load_manifest("connectors.discourse")
    settings_type = DiscourseSettings
    settings: DiscourseSettings

    def request(self, native: NativeQuery, page: Page) -> HttpRequest:
        """A search; Discourse alone says how many hits a page holds."""
        query = f"{native.text} {EVER}".lstrip()
        return HttpRequest("GET", "search.json", {"q": query, "page": str(SearchCursor.read(page.cursor).page)})

    def parse(self, reply: Reply) -> HitPage:
        """The posts, with what the reply says of their topics. The cursor only tells that there is more."""
        found = read(Found, reply.data, "Discourse")
        topics, untitled = read_each(Topic, found.topics or (), lambda topic: topic, "topics")
        categories, _ = read_each(Category, found.categories or (), lambda category: category, "categories")
        names = {each.id: each.name for each in categories if each.name}
        by_id = {topic.id: topic for topic in topics}
        hits, notes = read_each(Post, found.posts or (), lambda post: self._hit(post, by_id, names), "posts")
        return HitPage(
            hits, "more" if found.grouped_search_result.more_full_page_results else None, None, (*notes, *untitled)
        )

    def error(self, reply: Reply) -> SourceError | None:
        """Discourse's own words with what to do."""
        return error_from(reply)

    def open_transport(self) -> Transport:
        """Every forum has an address of its own; a key goes there and nowhere else."""
        if not self.settings.base_url:
            raise Misconfigured(
                Said("set base_url of {name} to the address of its forum, such as https://forum.example").filled(
                    name=self.name
                )
            )
        return super().open_transport()

    def authorization(self, secret: str) -> Mapping[str, str]:
        """The key, and as whom it acts: https://docs.discourse.org/ (Authentication)."""
        return {"Api-Key": secret, **({"Api-Username": self.settings.username} if self.settings.username else {})}

    async def search(self, native: NativeQuery, call: Call) -> HitPage:
        """A page of at most ``call.limit`` hits, cut from the vendor's pages of fifty, which bear no number."""
        place, most = SearchCursor.read(call.cursor), self.manifest.limits.page
        whole = await super().search(native, replace(call, limit=most))
        end = place.skip + max(1, min(call.limit, most))
        hits = tuple(replace(hit, rank=rank) for rank, hit in enumerate(whole.hits[place.skip : end], 1))
        cursor = place.after(end, len(whole.hits), more=whole.cursor is not None)
        return replace(whole, hits=hits, cursor=cursor)

    async def directory(self, call: Call) -> SourceDirectory:
        """Categories, and the people whom the forum's own directory lists."""
        site = read(Site, (await self.send(HttpRequest("GET", "site.json"), call)).data, "Discourse")
        places, unread = read_each(
            Category,
            site.categories,
            lambda each: Container(each.name, str(each.id)) if each.name else None,
            "categories",
        )
        people, notes = await self._people(call)
        return SourceDirectory(people, places, (*unread, *notes))

    async def probe(self, call: Call) -> Health:
        """As whom the key acts (from memory: ``/session/current.json``)."""
        reply = await self.send(HttpRequest("GET", "session/current.json"), call)
        return Health(ok=True, account=read(Current, reply.data, "Discourse").current_user.username)

    async def _people(self, call: Call) -> tuple[tuple[Person, ...], tuple[str, ...]]:
        people: tuple[Person, ...] = ()
        notes: tuple[str, ...] = ()
        for page in range(self.settings.directory_pages):
            params = {"period": "all", "order": "days_visited", "page": str(page)}
            try:
                reply = await self.send(HttpRequest("GET", "directory_items.json", params), call)
            except (Forbidden, Rejected):  # forums may keep no directory
                return people, (
                    *notes,
                    Said("this forum does not list its people"),
                )
            listed = read(Directory, reply.data, "Discourse").directory_items
            found, unread = read_each(Listed, listed, lambda each: each.user, "people")
            people += tuple(who for user in found for who in user.people)
            notes += unread
            if not listed:
                return people, notes
        return people, (
            *notes,
            Said("people beyond page {directory_pages} of the forum's list are left out").filled(
                directory_pages=self.settings.directory_pages
            ),
        )

    def _hit(self, post: Post, topics: Mapping[int, Topic], names: Mapping[int, str]) -> Hit:
        """Its category only where its name came along: an id without a name could not be compared with a name."""
        topic = topics.get(post.topic_id)
        name = names.get(topic.category_id or 0) if topic else None
        facts = {"likes": post.like_count, "post": post.post_number}
        return Hit(
            "",
            str(post.id),
            Kind.THREAD,
            topic.title if topic else "",
            f"{self.settings.site or self.base_url.rstrip('/')}/t/{post.topic_id}/{post.post_number}",
            from_html(post.blurb),
            author=Person(post.name or post.username, post.username) if post.username else None,
            container=Container(name, str(topic.category_id)) if topic and name else None,
            created=post.created_at,
            facts={**facts, "posts": topic.posts_count, "closed": topic.closed} if topic else facts,
        )


SOURCE = DiscourseSource
