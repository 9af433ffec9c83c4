"""Vendors' JSON read with pydantic: what is missing or of the wrong type becomes a BadReply that names the field."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from connectors.errors import BadReply, SourceError
from connectors.notes import Unread
from connectors.text import absolute_url, plain_line, plain_text, quote
from translators.said import Said

MOST_KNOWN = 256  # items remembered by one source: what the queries of one question, and of the next, have in common
LONGEST_KNOWN = 16_384  # bytes of one item; longer ones are read anew, so that little is kept
# Of the encodings that marshal knows the last in which the same value is always the same bytes, whoever else holds it.
ENCODING = 2

# Years that survive any arithmetic with time zones and half-lives; the rest is not when anything at work happened.
FIRST_YEAR, LAST_YEAR = 1970, 9000


class Wire(BaseModel):
    """A vendor's object: the fields that we read, and nothing said about the others."""

    model_config = ConfigDict(extra="ignore", frozen=True, hide_input_in_errors=True)


WireT = TypeVar("WireT", bound=Wire)
ItemT = TypeVar("ItemT")
MadeT = TypeVar("MadeT")
KeyT = TypeVar("KeyT", bound=Hashable)
ReplyT = TypeVar("ReplyT")


def _cleaned(clean: Callable[[str], str]) -> Callable[[object], object]:
    def apply(value: object) -> object:
        if isinstance(value, str):
            return clean(value)
        return "" if value is None else value

    return apply


def unix_seconds(value: object) -> datetime:
    """Seconds since 1970, as a number or in digits: what Slack calls ``ts``. Raises :class:`ValueError`, as the others do."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError("is not a time stamp")  # noqa: TRY004 — pydantic collects ValueErrors
    try:
        return _sane(datetime.fromtimestamp(float(value), UTC))
    except (OverflowError, OSError, ValueError):
        raise ValueError("is not a time stamp within reason") from None


def unix_milliseconds(value: object) -> datetime:
    """Milliseconds since 1970, as a number or in digits: Gmail's ``internalDate``."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise ValueError("is not a time stamp")  # noqa: TRY004 — pydantic collects ValueErrors
    try:
        return _sane(datetime.fromtimestamp(int(value) / 1000, UTC))
    except (OverflowError, OSError, ValueError):
        raise ValueError("is not a time stamp within reason") from None


def iso_instant(value: object) -> datetime:
    """An ISO 8601 instant; without an offset it is UTC."""
    if not isinstance(value, str):
        raise ValueError("is not a date")  # noqa: TRY004 — pydantic collects ValueErrors
    try:
        moment = datetime.fromisoformat(value)
        if moment.tzinfo is not UTC:  # in which most are written
            moment = moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
        return _sane(moment)
    except (OverflowError, ValueError):
        raise ValueError("is not a date within reason") from None


def _if_iso(value: object) -> object:
    return value if isinstance(value, str) and value[:4].isdigit() and value[4:5] == "-" else None


def inside(name: str, default: object) -> BeforeValidator:
    """In place of an object what it holds under ``name``, for objects of which only that is read; ``default`` if nothing."""

    def opened(value: object) -> object:
        if value is not None and not isinstance(value, Mapping):
            raise ValueError("should be an object")
        return default if value is None else value.get(name, default)

    return BeforeValidator(opened)


def object_in(data: object, name: str) -> Mapping[str, object]:
    """The object that ``data`` holds under ``name``; an empty one where it holds none."""
    found = data.get(name) if isinstance(data, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def text_in(data: object, name: str) -> str:
    """The text that ``data`` holds under ``name``; empty where it holds none."""
    found = data.get(name) if isinstance(data, Mapping) else None
    return found if isinstance(found, str) else ""


def _sane(moment: datetime) -> datetime:
    if not FIRST_YEAR <= moment.year <= LAST_YEAR:
        raise ValueError("is out of range")
    return moment


Text = Annotated[str, BeforeValidator(_cleaned(plain_text))]
Line = Annotated[str, BeforeValidator(_cleaned(plain_line))]
Url = Annotated[str, BeforeValidator(_cleaned(absolute_url))]
UnixSeconds = Annotated[datetime, BeforeValidator(unix_seconds)]
UnixMilliseconds = Annotated[datetime, BeforeValidator(unix_milliseconds)]
IsoInstant = Annotated[datetime, BeforeValidator(iso_instant)]
IfIso = Annotated[IsoInstant | None, BeforeValidator(_if_iso)]
"""A date in words, or one that could not be read, costs the date and not the item."""


def read(model: type[WireT], data: object, whose: str) -> WireT:
    """``data`` as ``model``; raises :class:`BadReply` that names ``whose`` reply it is and the first field amiss."""
    if not isinstance(data, Mapping):
        raise BadReply(Said("{whose} answered something other than a JSON object").filled(whose=whose))
    try:
        return model.model_validate(data)
    except ValidationError as failure:
        raise BadReply(
            Said("{whose} answered in a shape that is not the documented one: {what}").filled(
                whose=whose, what=amiss(failure)
            )
        ) from None


class Amiss(ValueError):
    """What is wrong with an item that is read by hand, by the field that it is wrong with."""

    def __init__(self, field: str, wrong: str) -> None:
        super().__init__(f"{field}: {wrong}")


ItemKey = tuple[object, tuple[str, ...], int, int]


class ItemMemo:
    """What was made of items before: most of what a source answers to another name of a thing it has answered already.

    An item is known by a digest of everything it says, so nothing is ever out of date, and nobody learns by it
    anything but what was sent to them as well. Only for what depends on the item alone, and on the source's settings.
    The digest is Python's own of bytes: 64 bits of SipHash, by a key that each process draws, an eighth of what BLAKE2 takes.
    """

    def __init__(self) -> None:
        self._made: dict[ItemKey, Any] = {}

    def get(self, key: ItemKey) -> Any:
        """What was made of it, ``None`` if it is not known."""
        return self._made.get(key)

    def put(self, key: ItemKey, made: object) -> None:
        """Remember; the oldest goes where too much is known."""
        if len(self._made) >= MOST_KNOWN:
            del self._made[next(iter(self._made))]
        self._made[key] = made


def key_of(kind: object, item: Any) -> ItemKey | None:
    """By what an item of a ``kind`` is known; ``None`` for one that is long, or holds more than JSON can say."""
    names, values = (tuple(item), [*item.values()]) if isinstance(item, dict) else ((), item)
    try:
        said = marshal.dumps(values, ENCODING)
    except ValueError:
        return None
    return (kind, names, len(said), hash(said)) if len(said) <= LONGEST_KNOWN else None


def read_each(
    model: type[WireT],
    items: Iterable[object],
    make: Callable[[WireT], MadeT | None],
    what: str,
    known: ItemMemo | None = None,
) -> tuple[tuple[MadeT, ...], tuple[Said, ...]]:
    """Each item as ``make`` turns it; one that is not of the documented shape costs itself and is told in a note.

    ``make`` returns ``None`` for an item that is not wanted. With ``known`` an item is made once, however often it comes.
    """
    validate = model.__pydantic_validator__.validate_python
    return read_items(items, lambda item: make(validate(item)), what, known, model)


def read_items(
    items: Iterable[object],
    make: Callable[[object], MadeT | None],
    what: str,
    known: ItemMemo | None = None,
    kind: object = None,
) -> tuple[tuple[MadeT, ...], tuple[Said, ...]]:
    """The same of items that ``make`` takes as they are, and raises :class:`Amiss` of; ``kind``: of which it makes what."""
    made: list[MadeT] = []
    faults: list[str] = []
    listed = tuple(items)
    for item in listed:
        key = None if known is None else key_of(kind, item)
        result: MadeT | None = None if known is None or key is None else known.get(key)
        if result is None:
            try:
                result = make(item)
            except (Amiss, ValidationError) as failure:
                faults.append(amiss(failure))
                continue
            if known is not None and key is not None and result is not None:
                known.put(key, result)
        if result is not None:
            made.append(result)
    notes = (Unread.of(len(faults), len(listed), what, faults[0]),) if faults else ()
    return tuple(made), notes


def read_replies(
    keys: Iterable[KeyT], replies: Iterable[ReplyT], make: Callable[[ReplyT], MadeT]
) -> tuple[dict[KeyT, MadeT], list[SourceError]]:
    """What ``make`` makes of the reply to each of ``keys``, and the errors that it raised: a detail that fails costs itself."""
    made: dict[KeyT, MadeT] = {}
    failures: list[SourceError] = []
    for key, reply in zip(keys, replies, strict=True):
        try:
            made[key] = make(reply)
        except SourceError as failure:
            failures.append(failure)
    return made, failures


def texts_not_read(failures: Sequence[SourceError], everything: int, what: str) -> tuple[Said, ...]:
    """The note that so many of ``everything`` have no text, and why the first has none; none where nothing failed."""
    return (Unread.of(len(failures), everything, what, failures[0].message, text=True),) if failures else ()


def amiss(failure: Amiss | ValidationError) -> str:
    """The first thing wrong, by the path of its field; never the value, which is the vendor's or a person's."""
    if isinstance(failure, Amiss):
        return quote(failure)
    first = failure.errors(include_url=False, include_context=False, include_input=False)[0]
    path = ".".join(str(step) for step in first["loc"]) or "the item"
    kind, message = first["type"], first["msg"].removeprefix("Value error, ")
    said = {"missing": "is missing", "model_type": "should be an object"}.get(kind, message)
    return quote(f"{path}: {said[:1].lower()}{said[1:]}")
