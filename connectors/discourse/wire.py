"""The parts of Discourse's replies that are read: https://docs.discourse.org/ ."""

from __future__ import annotations

from connectors.wire import IsoInstant, Line, Wire
from translators.query import Person


class Post(Wire):
    """The post of a topic that was found. ``blurb`` is what stands around the words, perhaps with markup."""

    id: int
    topic_id: int
    post_number: int = 1
    name: Line = ""
    username: Line = ""
    blurb: str = ""
    created_at: IsoInstant | None = None
    like_count: int = 0


class Topic(Wire):
    """What stands beside the posts of a reply, once for each topic."""

    id: int
    title: Line = ""
    category_id: int | None = None
    posts_count: int = 0
    closed: bool = False


class Category(Wire):
    """A place for topics."""

    id: int
    name: Line = ""


class Grouped(Wire):
    """About the search as a whole. ``error``: why nothing was searched, with HTTP 200 (source)."""

    more_full_page_results: bool | None = None
    error: Line = ""


class Found(Wire):
    """A page of a search."""

    posts: list[object] | None = None
    topics: list[object] | None = None
    categories: list[object] | None = None
    grouped_search_result: Grouped


class Site(Wire):
    """The forum: https://docs.discourse.org/#tag/Site ."""

    categories: list[object]


class User(Wire):
    """Somebody, by user name and perhaps by full name."""

    username: Line
    name: Line = ""

    @property
    def people(self) -> tuple[Person, ...]:
        """Once for each name, the fullest first."""
        return tuple(Person(name, self.username) for name in dict.fromkeys((self.name, self.username)) if name)


class Listed(Wire):
    """An entry of the directory of people."""

    user: User


class Directory(Wire):
    """A page of it: https://docs.discourse.org/#tag/Users/operation/listUsersPublic ."""

    directory_items: list[object]


class Current(Wire):
    """Who is signed in."""

    current_user: User
