"""The pages, data sources and users that a corpus makes up in Notion's terms."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

from orchestrator.sandbox.corpus import Directory, Person, Row
from orchestrator.sandbox.index import composed
from orchestrator.sandbox.notion.columns import Cell, cells, schema

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SPACE = uuid5(NAMESPACE_URL, "https://www.notion.so/acme")
_LINKED_ID = re.compile(r"https?://.*?([0-9a-f]{32})(?:[?#].*)?", re.ASCII)
_SLUG = re.compile(r"[^\w]+")


@dataclass(frozen=True, slots=True, eq=False)
class DataSource:
    """A table of pages: what a container is that is not itself a page. Its times are those of its latest page.

    `columns`: all but the title's, as a data source describes them.
    """

    id: UUID
    database: UUID
    title: str
    created: datetime
    edited: datetime
    columns: Mapping[str, Any]

    @property
    def url(self) -> str:
        """Where people open it."""
        return f"https://www.notion.so/acme/{self.database.hex}"


@dataclass(frozen=True, slots=True, eq=False)
class Page:
    """One page; its parent is a page, a data source, or (none) the workspace."""

    id: UUID
    row: Row
    title: str
    author: UUID
    parent: "UUID | DataSource | None"
    url: str
    cells: Sequence[Cell] = ()
    """What it has in the columns of its table."""

    @property
    def created(self) -> datetime:
        """When it was made."""
        return self.row.created or _EPOCH

    @property
    def edited(self) -> datetime:
        """When it was last changed; never, if the corpus does not say."""
        return self.row.updated or self.created


class Space:
    """Everything one connection may see."""

    def __init__(self, rows: Sequence[Row], people: Directory) -> None:
        self.users: Mapping[UUID, Person] = {user_id(person): person for person in people}
        titles = {row.title.casefold(): page_id(row) for row in reversed(rows) if row.title}
        self._cells = {page_id(row): tuple(cells(row, _member(row, people))) for row in rows}
        self.sources = _data_sources(rows, titles, self._cells)
        self.pages = {page_id(row): self._page(row, titles, people) for row in rows}

    def _page(self, row: Row, titles: Mapping[str, UUID], people: Directory) -> Page:
        number, name = page_id(row), row.container.casefold()
        parent = titles.get(name) or self.sources.get(name)
        author = people.find(row.author)
        return Page(
            id=number,
            row=row,
            title=composed(row.title),
            author=user_id(author) if author else uuid5(_SPACE, "nobody"),
            parent=None if parent == number else parent,
            url=row.url if row.url.startswith(("https://", "http://")) else _url(row.title, number),
            cells=self._cells[number] if isinstance(parent, DataSource) else (),
        )

    def source(self, number: UUID) -> DataSource | None:
        """The data source with this id."""
        return next((source for source in self.sources.values() if source.id == number), None)

    def database(self, number: UUID) -> DataSource | None:
        """The one data source of the database with this id."""
        return next((source for source in self.sources.values() if source.database == number), None)


def page_id(row: Row) -> UUID:
    """The id in the page's own link, else one derived from the row's id."""
    link = _LINKED_ID.fullmatch(row.url)
    return UUID(link[1]) if link else uuid5(_SPACE, f"page:{row.id}")


def user_id(person: Person) -> UUID:
    """The user's id in Notion's form."""
    return uuid5(_SPACE, f"user:{person.id}")


def _url(title: str, number: UUID) -> str:
    slug = _SLUG.sub("-", title).strip("-")[:80]
    return f"https://www.notion.so/acme/{slug}-{number.hex}" if slug else f"https://www.notion.so/acme/{number.hex}"


def member(shown: Person) -> dict[str, Any]:
    """A user as Notion gives one to who may read user information."""
    contact = {"email": shown.email}
    known = {"object": "user", "id": str(user_id(shown)), "type": "person", "name": shown.name}
    return {**known, "avatar_url": None, "person": contact}


def _member(row: Row, people: Directory) -> dict[str, Any] | None:
    found = people.find(row.said("assignee"))
    return member(found) if found else None


def _data_sources(
    rows: Sequence[Row], titles: Mapping[str, UUID], held: Mapping[UUID, Sequence[Cell]]
) -> Mapping[str, DataSource]:
    members: dict[str, list[Row]] = {}
    for row in rows:
        if row.container and row.container.casefold() not in titles:
            members.setdefault(row.container.casefold(), []).append(row)
    return {name: _data_source(name, group, held) for name, group in members.items()}


def _data_source(name: str, rows: Sequence[Row], held: Mapping[UUID, Sequence[Cell]]) -> DataSource:
    created = [row.created or _EPOCH for row in rows]
    edited = [row.updated or row.created or _EPOCH for row in rows]
    number, database = uuid5(_SPACE, f"data_source:{name}"), uuid5(_SPACE, f"database:{name}")
    columns = schema([held[page_id(row)] for row in rows])
    return DataSource(number, database, composed(rows[0].container), min(created), max(edited), columns)
