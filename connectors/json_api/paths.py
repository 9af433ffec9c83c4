"""JSONPath (RFC 9535) into replies: checked when a source is configured, applied to whatever comes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated

from pydantic import AfterValidator

from connectors.errors import BadReply
from translators.said import Said

if TYPE_CHECKING:
    from jsonpath import JSONPath

GAP = " … "  # between passages that do not follow each other in the text they are from


@lru_cache(maxsize=512)
def compiled(path: str) -> JSONPath:
    """``path`` ready for use; raises ``ValueError`` where it is none."""
    from jsonpath import JSONPath, JSONPathEnvironment, JSONPathError

    try:
        found = JSONPathEnvironment(strict=True).compile(path)
        assert isinstance(found, JSONPath), "strict mode has no compound paths"
    except JSONPathError as failure:
        said = str(failure).splitlines()[0]
        raise ValueError(f"{path!r} is no JSONPath: {said}; one looks like $.results or $.author.name") from None
    return found


def _checked(path: str) -> str:
    if path:
        compiled(path)
    return path


Path = Annotated[str, AfterValidator(_checked)]


def values(path: str, data: object) -> list[object]:
    """Everything that ``path`` points at; nothing for no path, or in what has no parts."""
    from jsonpath import JSONPathError

    # A text would be taken for JSON to be parsed.
    if not path or not isinstance(data, Mapping | list):
        return []
    try:
        return list(compiled(path).findall(data))
    except (JSONPathError, RecursionError):
        raise BadReply(Said("the reply is nested too deeply to look for {path}").filled(path=path)) from None


def first(path: str, data: object) -> object:
    """The first value that is not null, ``None`` without one."""
    return next((each for each in values(path, data) if each is not None), None)


def listed(path: str, data: object, *, may_lack: bool = False) -> list[object]:
    """The members of the list at ``path``, or everything that it points at where it may point at several things.

    ``may_lack``: nothing in its place is an empty list. Raises :class:`BadReply`.
    """
    found = values(path, data)
    if not compiled(path).singular_query():
        return found
    if may_lack and found in ([], [None]):
        return []
    if not found or not isinstance(found[0], list):
        raise BadReply(
            Said(
                "the reply holds no list at {path}, where reply.items says that the results are; "
                "if it leaves an empty one out, say reply.omits_empty = true"
            ).filled(path=path)
        )
    return found[0]


def text(path: str, data: object) -> str:
    """All texts and numbers at ``path``, those in lists included, as passages of one text."""
    return GAP.join(each for value in values(path, data) for each in _texts(value) if each.strip())


def line(path: str, data: object) -> str:
    """The first text or number at ``path``."""
    return next((each for value in values(path, data) for each in _texts(value) if each.strip()), "")


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield str(value)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)
