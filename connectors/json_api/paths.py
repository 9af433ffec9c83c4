"""JSONPath (RFC 9535) into replies: checked when a source is configured, applied to whatever comes.

Most paths name members and places, ``$.author.name``: they are looked up step by step. The others are patterns, which a
general matcher applies at fifty times the cost.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, Annotated, Any, Final
from urllib.parse import quote

from pydantic import AfterValidator

from connectors.errors import BadReply
from connectors.text import plain_line
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from jsonpath import JSONPath

GAP = " … "  # between passages that do not follow each other in the text they are from
# What RFC 9535 calls a singular query, as far as its steps are written in ASCII and without escapes.
STEP = re.compile(r"\.([A-Za-z_][A-Za-z0-9_]*)|\[(?:'([A-Za-z0-9_ .:@-]*)'|(0|[1-9][0-9]{0,3}))\]")
STEPS = re.compile(rf"\$(?:{STEP.pattern})*")
HOLE = re.compile(r"\{(\$[^{}]*)\}")
MISSING: Final = object()

PathSteps = tuple[str | int, ...]


def steps(path: str) -> PathSteps | None:
    """The names and places that lead to what ``path`` points at; ``None`` of a pattern, or of what is no path."""
    if not STEPS.fullmatch(path):
        return None
    return tuple(int(place) if place else name or quoted for name, quoted, place in STEP.findall(path))


@lru_cache(maxsize=512)
def compiled(path: str) -> JSONPath:
    """``path`` ready for use; raises ``ValueError`` where it is none."""
    from jsonpath import JSONPath, JSONPathEnvironment, JSONPathError

    try:
        found = JSONPathEnvironment(strict=True).compile(path)
        assert isinstance(found, JSONPath), "strict mode has no compound paths"
    except JSONPathError as failure:
        said = str(failure).splitlines()[0]
        raise ValueError(
            Said("{path} is no JSONPath: {said}; one looks like $.results or $.author.name").filled(
                path=repr(path), said=said
            )
        ) from None
    return found


def _checked(path: str) -> str:
    if path and steps(path) is None:
        compiled(path)
    return path


def _checked_text(text: str) -> str:
    if not HOLE.search(text):
        return _checked(text)
    for path in HOLE.findall(text):
        _checked(path)
    if set(HOLE.sub("", text)) & set("{}"):
        raise ValueError(
            Said("{text}: a path in a text stands in braces, as in https://wiki.example/{{$.id}}").filled(
                text=repr(text)
            )
        )
    return text


def _checked_order(order: str) -> str:
    path = order.removeprefix("-")
    if order and not path:
        raise ValueError(Said("a path stands behind the sign for what is sorted the other way round, as in -$.created"))
    _checked(path)
    return order


Path = Annotated[str, AfterValidator(_checked)]
OrderPath = Annotated[str, AfterValidator(_checked_order)]
PathOrText = Annotated[str, AfterValidator(_checked_text)]


class Pointer:
    """A path made ready, for all the shapes in which a reading wants what is there."""

    __slots__ = ("_at", "path", "singular")

    def __init__(self, path: str) -> None:
        self.path = path
        way = steps(path)
        self._at = _nowhere if not path else None if way is None else _walker(way)
        self.singular = self._at is not None or compiled(path).singular_query()

    def values(self, data: object) -> Sequence[object]:
        """Everything that is there; nothing for no path, or in what has no parts."""
        if self._at is None:
            return self._matched(data)
        found = self._at(data)
        return () if found is MISSING else (found,)

    def _matched(self, data: object) -> Sequence[object]:
        from jsonpath import JSONPathError

        if not isinstance(data, dict | list):  # a text would be taken for JSON to be parsed
            return ()
        try:
            return compiled(self.path).findall(data)
        except (JSONPathError, RecursionError):
            raise BadReply(Said("the reply is nested too deeply to look for {path}").filled(path=self.path)) from None

    def all(self, data: object) -> object:
        """What is there: the one value, or the list of several."""
        found = self.values(data)
        return found[0] if len(found) == 1 else [*found]

    def first(self, data: object) -> object:
        """The first value that is not null, ``None`` without one."""
        if self._at is not None:
            found = self._at(data)
            return None if found is MISSING else found
        return next((each for each in self.values(data) if each is not None), None)

    def text(self, data: object) -> str:
        """All texts and numbers, those in lists included, as passages of one text."""
        return text_of(self._found(data))

    def line(self, data: object) -> str:
        """The first text or number."""
        return line_of(self._found(data))

    def plain(self, data: object) -> str:
        """The same as it may be shown."""
        return plain_line(self.line(data))

    def _found(self, data: object) -> object:
        return self._matched(data) if self._at is None else self._at(data)


def text_of(found: object) -> str:
    """All texts and numbers of what a path has found, those in lists included, as passages of one text."""
    if isinstance(found, str):
        return found if found.strip() else ""
    return "" if found is None else GAP.join(_texts(found))


def line_of(found: object) -> str:
    """The first of them."""
    if isinstance(found, str):
        return found if found.strip() else ""
    return "" if found is None else next(_texts(found), "")


@lru_cache(maxsize=512)
def pointer(path: str) -> Pointer:
    """Each path is made ready once."""
    return Pointer(path)


class WrittenText:
    """A text with paths in it (``https://wiki.example/{$.id}``): nothing at all where one of them leads nowhere.

    What is put into an address is encoded, so that it stays the part that it is.
    """

    __slots__ = ("_encode", "_parts")

    def __init__(self, text: str) -> None:
        self._parts = tuple(pointer(part) if at % 2 else part for at, part in enumerate(HOLE.split(text)))
        self._encode = text.startswith(("https://", "http://"))

    def line(self, data: object) -> str:
        """The text for one result."""
        told = [part if isinstance(part, str) else part.line(data) for part in self._parts]
        if not all(told[1::2]):
            return ""
        return "".join(
            quote(part, "/", errors="replace") if at % 2 and self._encode else part for at, part in enumerate(told)
        )

    def plain(self, data: object) -> str:
        """The same as it may be shown."""
        return plain_line(self.line(data))


@lru_cache(maxsize=512)
def line_at(path: str) -> Pointer | WrittenText:
    """What a path, or a text with paths in it, says of a result in one line."""
    return WrittenText(path) if HOLE.search(path) else pointer(path)


class PathLookup:
    """Several paths into one thing, looked up together: a call for each of them is most of what a short one costs.

    ``wanted``: the paths, two or more, each with what reads it where it leads anywhere but to a member, or a member of one.
    """

    __slots__ = ("_members", "_nothing", "_others", "_parts", "_unsaid")

    def __init__(self, wanted: Sequence[tuple[str, Callable[[object], object]]], unsaid: object = None) -> None:
        names: list[str | None] = [None] * len(wanted)  # None is no member of anything
        parts: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
        others: list[tuple[int, Callable[[object], object]]] = []
        for place, (path, read) in enumerate(wanted):
            match steps(path):
                case (str() as name,):
                    names[place] = name
                case (str() as outer, str() as inner):
                    parts[outer].append((place, inner))
                case _ if path:
                    others.append((place, read))
        self._members, self._nothing = itemgetter(*names), unsaid
        self._unsaid = dict.fromkeys(names, unsaid)
        self._parts, self._others = tuple(parts.items()), tuple(others)

    def __call__(self, data: object) -> list[Any]:
        """What is at each of them; ``unsaid`` where nothing is, and for no path."""
        known = self._unsaid | data if isinstance(data, dict) else self._unsaid
        found = [*self._members(known)]
        for outer, members in self._parts:
            if isinstance(part := known.get(outer), dict):
                for place, name in members:
                    found[place] = part.get(name, self._nothing)
        for place, read in self._others:
            found[place] = read(data)
        return found


def _nowhere(_: object) -> object:
    return MISSING


def _walker(way: PathSteps) -> Callable[[object], object]:
    """Look up step by step; ``MISSING`` where a step leads nowhere."""
    if not way:
        return lambda data: data if isinstance(data, dict | list) else MISSING
    if len(way) == 1 and isinstance(way[0], str):
        name = way[0]
        return lambda data: data.get(name, MISSING) if isinstance(data, dict) else MISSING
    if len(way) == 2 and isinstance(way[0], str) and isinstance(way[1], str):  # noqa: PLR2004 - a part of a part, as most others are
        outer, inner = way
        return lambda data: (
            part.get(inner, MISSING)
            if isinstance(data, dict) and isinstance(part := data.get(outer), dict)
            else MISSING
        )

    def walk(data: object) -> object:
        for step in way:
            if isinstance(step, str):
                data = data.get(step, MISSING) if isinstance(data, dict) else MISSING
            else:
                data = data[step] if isinstance(data, list) and step < len(data) else MISSING
        return data

    return walk


def listed(path: str, data: object, *, may_lack: bool = False) -> Sequence[object]:
    """The members of the list at ``path``, or everything that it points at where it may point at several things.

    ``may_lack``: nothing in its place is an empty list. Raises :class:`BadReply`.
    """
    where = pointer(path)
    found = where.values(data)
    if not where.singular:
        return found
    if may_lack and all(each is None for each in found):
        return ()
    if not found or not isinstance(found[0], list):
        raise BadReply(
            Said(
                "the reply holds no list at {path}, where reply.items says that the results are; "
                "if it leaves an empty one out, say reply.omits_empty = true"
            ).filled(path=path)
        )
    return found[0]


def _texts(value: object) -> Iterator[str]:
    """Those that hold anything but blanks."""
    if isinstance(value, str):
        if value.strip():
            yield value
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield str(value)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)
