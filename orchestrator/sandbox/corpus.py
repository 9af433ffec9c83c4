"""Read corpora (JSON Lines) into rows, grouped by the emulator that is to serve them, and the people whom they list or name."""

import gzip
import json
import pkgutil
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib import resources
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol, TypeVar

DOMAIN = "acme.example"
ThingT = TypeVar("ThingT", bound="OfRow")


@dataclass(frozen=True, slots=True)
class Person:
    """One member of the workplace. `id` is the corpus's own; each emulator derives the vendor's form from it."""

    id: str
    name: str
    handle: str
    email: str
    name_alt: str = ""
    title: str = ""
    team: str = ""


class Directory:
    """People in a stable order, found by id, handle or mail address (all compared without case)."""

    def __init__(self, people: Iterable[Person] = ()) -> None:
        unique: dict[str, Person] = {}
        names: dict[str, Person] = {}
        for person in people:
            unique.setdefault(person.id, person)
            for name in (person.id, person.handle, person.email):
                names.setdefault(name.casefold(), person)
        self._people: Sequence[Person] = tuple(unique.values())
        self._names: Mapping[str, Person] = MappingProxyType(names)

    def __iter__(self) -> Iterator[Person]:
        return iter(self._people)

    def __len__(self) -> int:
        return len(self._people)

    def find(self, name: str | None) -> Person | None:
        """The person with this id, handle (with or without `@`) or mail address."""
        return self._names.get(name.removeprefix("@").casefold()) if name else None


def complete(listed: Iterable[Person], seen: Iterable[tuple[str, str | None]]) -> Directory:
    """A directory of the listed people plus everyone rows mention as `(id, name or None)`.

    Those only seen get a handle made of their name and an address at a reserved domain (RFC 2606).
    """
    people = list(listed)
    known = {person.id for person in people} | {person.email for person in people}
    handles = {person.handle for person in people}
    names: dict[str, str] = {}
    for identity, name in seen:
        if identity not in known and (name or identity not in names):
            names[identity] = names.get(identity) or name or ""
    for identity, name in names.items():
        handle = _free_handle(name or identity.split("@")[0], handles)
        handles.add(handle)
        email = identity if "@" in identity else f"{handle}@{DOMAIN}"
        people.append(Person(id=identity, name=name or identity, handle=handle, email=email))
    return Directory(people)


def _free_handle(name: str, taken: set[str]) -> str:
    base = re.sub(r"[^\w]+", ".", name.casefold()).strip(".") or "someone"
    handle, number = base, 2
    while handle in taken:
        handle, number = f"{base}{number}", number + 1
    return handle


SOURCES = tuple(sorted(found.name for found in pkgutil.iter_modules([str(Path(__file__).parent)]) if found.ispkg))
"""The emulators there are, each a folder beside this file, in the order in which they take ports."""

PEOPLE_FILES = ("people.jsonl", "people.jsonl.gz")
NOT_ROWS = ("people.", "questions.", "queries.")
"""How the names of files begin that lie beside a corpus in its folder and hold no rows of it."""

_FIELDS = ("id", "source", "kind", "text", "title", "container", "author", "author_name", "created", "updated", "url")
_TEXTS = ("thread", "key", "team", "project", "parent", "state", "assignee", "assignee_name", "due", "completed")
_LISTS = ("reactions", "files", "links", "labels", "to", "cc", "bcc", "attachments", "blocks")
_FLAGS = ("private", "pinned", "saved")


class CorpusError(ValueError):
    """A corpus that cannot be read; the message names the file, the line and what to change."""


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """One item of a corpus. `extra` holds what only some sources have (`thread`, `labels`, `comments`, …)."""

    id: str
    source: str
    kind: str
    text: str
    title: str
    container: str
    author: str
    author_name: str
    created: datetime | None
    updated: datetime | None
    url: str
    extra: Mapping[str, Any]

    def said(self, name: str) -> str:
        """The text of an extra field, or nothing."""
        value = self.extra.get(name)
        return value if isinstance(value, str) else ""

    def listed(self, name: str) -> Sequence[str]:
        """The members of an extra field that is a list of texts, or none."""
        value = self.extra.get(name)
        return value if isinstance(value, list) else ()

    def named(self, name: str) -> Mapping[str, object]:
        """What an extra field holds by names, or nothing."""
        value = self.extra.get(name)
        return value if isinstance(value, dict) else {}

    @property
    def merged(self) -> bool:
        """Whether it is a pull request that was taken in, however the corpus writes it."""
        return str(self.extra.get("merged", "")).casefold() == "true"

    def flagged(self, name: str) -> bool:
        """Whether an extra field is true."""
        return self.extra.get(name) is True


class OfRow(Protocol):
    """What an emulator made of a row."""

    @property
    def row(self) -> str:
        """The id of that row."""


def holding_up(rows: Iterable[Row], things: Iterable[ThingT]) -> Iterator[tuple[ThingT, ThingT]]:
    """Each thing with each that waits for it, as the field `blocks` of its row lists them."""
    by_row = {each.row: each for each in things}
    for row in rows:
        yield from ((by_row[row.id], by_row[held]) for held in row.listed("blocks") if held in by_row)


@dataclass(frozen=True, slots=True)
class Corpus:
    """Rows by emulator, the people they mention, how many rows of which source nobody serves, and how many repeated an id."""

    rows: Mapping[str, Sequence[Row]]
    people: Directory
    unserved: Mapping[str, int]
    repeated: int = 0

    def of(self, source: str) -> Sequence[Row]:
        """The rows one emulator serves."""
        return self.rows.get(source, ())

    @property
    def newest(self) -> datetime | None:
        """The latest moment that a served row bears, if any does."""
        dates = (moment for rows in self.rows.values() for row in rows for moment in (row.created, row.updated))
        return max((moment for moment in dates if moment), default=None)


def load_corpus(
    path_or_paths: str | PathLike[str] | Iterable[str | PathLike[str]],
    *,
    mapping: Mapping[str, str] = MappingProxyType({}),
    fallback: Mapping[str, str] = MappingProxyType({}),
    drop_repeats: bool = False,
) -> Corpus:
    """Read `.jsonl` and `.jsonl.gz` files, or folders of them, with the `people.jsonl` beside them.

    In a folder, files called `people.…`, `questions.…` or `queries.…` are no part of the corpus's rows.
    `mapping` says which emulator serves a foreign source (`{"github": "linear"}`). Rows of a source that is neither
    an emulator's nor mapped are counted in `Corpus.unserved`. `fallback` says the same of sources that the corpus may lack.
    `drop_repeats` leaves out rows whose id was there before instead of refusing them. Raises `CorpusError`.
    """
    paths = [path_or_paths] if isinstance(path_or_paths, (str, PathLike)) else list(path_or_paths)
    _check_targets({**fallback, **mapping})
    files = [file for path in paths for file in _files(Path(path))]
    people = [person for folder in dict.fromkeys(file.parent for file in files) for person in _read_people(folder)]
    rows: dict[str, list[Row]] = {}
    unserved: Counter[str] = Counter()
    seen: set[str] = set()
    repeated = 0
    for where, row in _read_rows(files):
        served = mapping.get(row.source, row.source)
        served = served if served in SOURCES else fallback.get(served, served)
        if served not in SOURCES:
            unserved[row.source] += 1
            continue
        if row.id in seen and drop_repeats:
            repeated += 1
            continue
        if row.id in seen:
            unique = "ids of served rows must be unique; leave later rows of an id out with --drop-repeats"
            raise CorpusError(f"{where}: the id {row.id!r} occurs twice; {unique}")
        seen.add(row.id)
        rows.setdefault(served, []).append(row)
    _check_origins(mapping, {row.source for group in rows.values() for row in group} | unserved.keys())
    directory = complete(people, (name for group in rows.values() for row in group for name in _mentioned(row)))
    return Corpus(MappingProxyType(rows), directory, MappingProxyType(dict(unserved)), repeated)


@cache
def default_corpus() -> Corpus:
    """The small workplace that is packaged with the sandbox, read once."""
    with resources.as_file(resources.files(__package__) / "workplace") as folder:
        return load_corpus(folder)


def _check_targets(mapping: Mapping[str, str]) -> None:
    for source, served in mapping.items():
        if served not in SOURCES:
            raise CorpusError(f"cannot serve {source!r} as {served!r}: choose one of {', '.join(SOURCES)}")


def _check_origins(mapping: Mapping[str, str], found: set[str]) -> None:
    for source in mapping:
        if source not in found:
            there = ", ".join(sorted(found)) or "no row at all"
            raise CorpusError(f"cannot map {source!r}: the corpus has no such source, it has {there}")


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        names = (file for file in path.iterdir() if file.name.endswith((".jsonl", ".jsonl.gz")))
        found = sorted(file for file in names if not file.name.startswith(NOT_ROWS))
        if not found:
            raise CorpusError(f"{path}: no .jsonl or .jsonl.gz file in this folder")
        return found
    if not path.is_file():
        raise CorpusError(f"{path}: there is no such file or folder")
    return [path]


def _lines(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Each object of a file with its `file:line`, for messages."""
    opener = gzip.open if path.name.endswith(".gz") else open
    try:
        with opener(path, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield f"{path}:{number}", _object(f"{path}:{number}", line)
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise CorpusError(f"{path}: cannot be read as UTF-8 JSON Lines: {error}") from error


def _object(where: str, line: str) -> Mapping[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise CorpusError(f"{where}: not JSON: {error}") from error
    if not isinstance(value, dict):
        raise CorpusError(f"{where}: expected a JSON object, found {type(value).__name__}")
    return value


def _read_rows(files: Iterable[Path]) -> Iterator[tuple[str, Row]]:
    for file in files:
        for where, value in _lines(file):
            yield where, _row(where, value)


def _row(where: str, value: Mapping[str, Any]) -> Row:
    for name in ("id", "source"):
        if not value.get(name) or not isinstance(value[name], str):
            raise CorpusError(f"{where}: {name!r} must be a text that is not empty")
    text = {name: _text(where, value, name) for name in (*_FIELDS, *_TEXTS)}
    extra = {name: item for name, item in value.items() if name not in _FIELDS and item is not None}
    _check_extra(where, extra)
    return Row(
        id=text["id"],
        source=sys.intern(text["source"]),
        kind=sys.intern(text["kind"]),
        text=text["text"],
        title=sys.intern(text["title"]),
        container=sys.intern(text["container"]),
        author=sys.intern(text["author"]),
        author_name=sys.intern(text["author_name"]),
        created=_moment(where, "created", text["created"]),
        updated=_moment(where, "updated", text["updated"]),
        url=text["url"],
        extra=extra,
    )


def _text(where: str, value: Mapping[str, Any], name: str) -> str:
    item = value.get(name)
    if item is None:
        return ""
    if not isinstance(item, str):
        raise CorpusError(f"{where}: {name!r} must be a text or null, found {type(item).__name__}")
    # A lone surrogate is legal in JSON but has no UTF-8 form, so no emulator could send it.
    return item if item.isascii() else item.encode("utf-8", "replace").decode("utf-8")


def _check_extra(where: str, extra: Mapping[str, Any]) -> None:
    for name in _LISTS:
        item = extra.get(name, [])
        if not isinstance(item, list) or not all(isinstance(member, str) for member in item):
            raise CorpusError(f"{where}: {name!r} must be a list of texts")
    for name in _FLAGS:
        if not isinstance(extra.get(name, False), bool):
            raise CorpusError(f"{where}: {name!r} must be true or false")
    if not isinstance(extra.get("priority", 0), int):
        raise CorpusError(f"{where}: 'priority' must be a whole number")
    if not isinstance(extra.get("fields", {}), dict):
        raise CorpusError(f"{where}: 'fields' must be an object of names and values")
    for name in ("due", "completed"):
        _moment(where, name, extra.get(name, ""))
    _check_comments(where, extra.get("comments", []))


def _check_comments(where: str, comments: object) -> None:
    if not isinstance(comments, list):
        raise CorpusError(f"{where}: 'comments' must be a list")
    for comment in comments:
        if not isinstance(comment, dict) or not isinstance(comment.get("text"), str):
            raise CorpusError(f"{where}: each comment must be an object with a 'text'")
        for name in ("author", "author_name", "created"):
            _text(where, comment, name)
        _moment(where, "created", comment.get("created") or "")


def _moment(where: str, name: str, text: str) -> datetime | None:
    try:
        return moment(text)
    except (ValueError, OverflowError) as error:
        raise CorpusError(f"{where}: {name!r} must be an ISO 8601 date or time, found {text!r}") from error


def highest(numbered: Iterable[tuple[str, int]]) -> dict[str, int]:
    """The highest number that each name has."""
    found: dict[str, int] = {}
    for name, number in numbered:
        found[name] = max(found.get(name, 0), number)
    return found


def moment(text: str) -> datetime | None:
    """An ISO 8601 date or time as an aware moment (without an offset: UTC), nothing for no text."""
    if not text:
        return None
    parsed = datetime.fromisoformat(text)
    return parsed.astimezone(UTC) if parsed.tzinfo else parsed.replace(tzinfo=UTC)


def _read_people(folder: Path) -> Iterator[Person]:
    for name in PEOPLE_FILES:
        if (folder / name).is_file():
            for where, value in _lines(folder / name):
                yield _person(where, value)


def _person(where: str, value: Mapping[str, Any]) -> Person:
    fields = {
        name: _text(where, value, name) for name in ("id", "name", "handle", "email", "name_alt", "title", "team")
    }
    for name in ("id", "name", "handle", "email"):
        if not fields[name]:
            raise CorpusError(f"{where}: a person needs {name!r}")
    return Person(**fields)


def _mentioned(row: Row) -> Iterator[tuple[str, str | None]]:
    if row.author:
        yield row.author, row.author_name or None
    if assignee := row.said("assignee"):
        yield assignee, row.said("assignee_name") or None
    for comment in row.extra.get("comments", ()):
        if comment.get("author"):
            yield comment["author"], comment.get("author_name")
    for name in ("to", "cc", "bcc"):
        for identity in row.listed(name):
            yield identity, None
