"""Discourse: topics of one forum, by its search: https://docs.discourse.org/#tag/Search/operation/search .

What the manual does not say was read in the source (https://github.com/discourse/discourse, 2025) and is marked
"source", or is told from memory and marked so; nothing here was tried on a forum.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from connectors.contract import Health, Hit, HitPage, SourceDirectory
from connectors.discourse.settings import DiscourseSettings
from connectors.discourse.wire import Category, Current, Directory, Found, Listed, Post, Site, Topic
from connectors.errors import Forbidden, Rejected, Remedy, Unauthenticated, Unavailable
from connectors.http import HttpRequest, Page, Reply
from connectors.manifest import load_manifest
from connectors.markup import from_html
from connectors.paging import CutPages, VendorPage, read_list
from connectors.text import quote
from connectors.wire import object_in, read, read_each, text_in
from translators.query import Container, Kind, Person
from translators.said import Said

if TYPE_CHECKING:
    from connectors.contract import Call
    from connectors.errors import SourceError
    from translators.translator import NativeQuery

# Source: a query without a filter is refused where each of its words has fewer letters than the forum wants (three by
# default, and Korean words have two), and an empty one finds nothing. This filter holds for every post.
EVER = "after:1970-01-01"


WRONG_KEY = Said("the key is wrong, or may not act as that username, or may not search")
PUT_OFF = Said("Discourse did not search: {said}")


class DiscourseSource(CutPages):
    """One forum. A hit is a topic, shown by the post in it that was found."""

    manifest = load_manifest("connectors.discourse")
    settings_type = DiscourseSettings
    settings: DiscourseSettings
    example_url = "https://forum.example"
    last_page = 10  # source: beyond this page the first one comes again
    # From memory: so is a wrong key told, in the forum's language.
    remedies: ClassVar = {"not_logged_in": Remedy(Unauthenticated), "invalid_access": Remedy(Forbidden, WRONG_KEY)}

    def request(self, native: NativeQuery, page: Page) -> HttpRequest:
        """A search; Discourse alone says how many hits a page holds."""
        query = f"{native.text} {EVER}".lstrip()
        return HttpRequest("GET", "search.json", {"q": query, "page": str(VendorPage.read(page.cursor).number)})

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
        """Source: a search that is put off, because there are too many, says so with HTTP 200 and no hits."""
        why = text_in(object_in(reply.data, "grouped_search_result"), "error") if reply.ok else ""
        return Unavailable(PUT_OFF.filled(said=quote(why))) if why else super().error(reply)

    def refusal(self, reply: Reply) -> tuple[str, str]:
        """``errors`` and ``error_type`` (source: app/controllers/application_controller.rb)."""
        listed = reply.data.get("errors") if isinstance(reply.data, Mapping) else None
        told = listed[0] if isinstance(listed, list) and listed else ""
        return text_in(reply.data, "error_type"), quote(told)

    def wait(self, reply: Reply) -> float | None:
        """As the headers say, else as the body does."""
        asked, told = super().wait(reply), object_in(reply.data, "extras").get("wait_seconds")
        return float(told) if asked is None and isinstance(told, int | float) else asked

    def authorization(self, secret: str) -> Mapping[str, str]:
        """The key, and as whom it acts: https://docs.discourse.org/ (Authentication)."""
        return {"Api-Key": secret, **({"Api-Username": self.settings.username} if self.settings.username else {})}

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
        async def page(number: int | None) -> tuple[Sequence[object], int | None]:
            params = {"period": "all", "order": "days_visited", "page": str(number or 0)}
            reply = await self.send(HttpRequest("GET", "directory_items.json", params), call)
            items = read(Directory, reply.data, "Discourse").directory_items
            return items, (number or 0) + 1 if items else None

        # Forums may keep no directory.
        listed, notes = await read_list(page, self.settings.directory_pages, "people", refusals=(Forbidden, Rejected))
        found, unread = read_each(Listed, listed, lambda each: each.user, "people")
        return tuple(who for user in found for who in user.people), (*unread, *notes)

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
