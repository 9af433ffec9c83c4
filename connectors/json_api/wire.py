"""One result as a declaration finds it in a reply."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import AfterValidator, BeforeValidator

from connectors.json_api.paths import first, line, text, values
from connectors.text import plain_line
from connectors.wire import IsoInstant, Line, Text, UnixMilliseconds, UnixSeconds, Url, Wire
from translators.query import Container, Person

if TYPE_CHECKING:
    from collections.abc import Mapping

    from connectors.json_api.settings import HitSettings


def _is_there(text: str) -> str:
    if not text:
        raise ValueError("is not where hit.id says")
    return text


class Result(Wire):
    """What is read of a result, dates apart."""

    id: Annotated[Line, AfterValidator(_is_there)]
    title: Line
    text: Text
    url: Url
    kind: str
    author: Line
    author_id: Line
    author_email: Line
    assignee: Line
    assignee_id: Line
    container: Line
    container_id: Line
    state: str
    score: Annotated[float | None, BeforeValidator(lambda value: value if isinstance(value, int | float) else None)]
    facts: dict[str, str | bool | int | float]

    @property
    def written_by(self) -> Person | None:
        """Who wrote it."""
        return _person(self.author, self.author_id, self.author_email)

    @property
    def given_to(self) -> Person | None:
        """Who is to do it."""
        return _person(self.assignee, self.assignee_id)

    @property
    def place(self) -> Container | None:
        """Where it is."""
        name = self.container or self.container_id
        return Container(name, self.container_id or None) if name else None


class IsoResult(Result):
    """Dates by ISO 8601."""

    created: IsoInstant | None
    updated: IsoInstant | None


class SecondsResult(Result):
    """Dates in seconds since 1970."""

    created: UnixSeconds | None
    updated: UnixSeconds | None


class MillisecondsResult(Result):
    """Dates in milliseconds since 1970."""

    created: UnixMilliseconds | None
    updated: UnixMilliseconds | None


AnyResult = IsoResult | SecondsResult | MillisecondsResult
RESULTS: Mapping[str, type[AnyResult]] = {
    "iso": IsoResult,
    "seconds": SecondsResult,
    "milliseconds": MillisecondsResult,
}
LINES = (
    "id",
    "title",
    "url",
    "kind",
    "author",
    "author_id",
    "author_email",
    "assignee",
    "assignee_id",
    "container",
    "container_id",
    "state",
)


def picked(where: HitSettings, item: object) -> dict[str, object]:
    """The parts of one result by the names that we read."""
    dates = {name: first(getattr(where, name), item) or None for name in ("created", "updated")}
    lines = {name: line(getattr(where, name), item) for name in LINES}
    facts = {name: fact for name, path in where.facts.items() if (fact := _fact(path, item)) != ""}
    return {**lines, **dates, "text": text(where.text, item), "score": first(where.score, item), "facts": facts}


def _fact(path: str, item: object) -> str | bool | int | float:
    found = values(path, item)
    if len(found) == 1 and isinstance(found[0], bool | int | float):
        return found[0]
    return plain_line(text(path, item))


def _person(name: str, native_id: str, email: str = "") -> Person | None:
    return Person(name, native_id or None, email or None) if name or native_id or email else None
