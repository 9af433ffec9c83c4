"""Evaluate a CQL query over the content of a site; its dates in the account's time zone."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo

from orchestrator.sandbox.confluence.grammar import Call, Clause, CqlError, Needle, Node, Query, Value, needles
from orchestrator.sandbox.confluence.store import TYPES, Item, Site, account_id
from orchestrator.sandbox.index import Matches, TextIndex, composed, is_hangul, words
from orchestrator.sandbox.logic import Span, Tree, months_after

_WRITTEN = re.compile(r"(\d{4})([-/])(\d{2})\2(\d{2})(?: (\d{2}):(\d{2}))?", re.ASCII)
_OFFSET = re.compile(r"([+-]?)(\d{1,5})([yMwdhm])?", re.ASCII)
_UNITS = {"day": "d", "week": "w", "month": "M", "year": "y"}
_SPANS = {"w": timedelta(weeks=1), "d": timedelta(days=1), "h": timedelta(hours=1), "m": timedelta(minutes=1)}
TITLE_WEIGHT = 2.0
_EQUAL = frozenset({"=", "!=", "in", "not in"})
_TEXT = frozenset({"~", "!~"})
_IN_TEXT = frozenset({"text", "sitesearch", "title"})
_ORDERED = frozenset({"=", "!=", ">", ">=", "<", "<="})
FIELDS: Mapping[str, frozenset[str]] = {
    "text": _TEXT,
    "sitesearch": _TEXT,
    "title": _TEXT | _EQUAL,
    "space": _EQUAL,
    "space.key": _EQUAL,
    "space.title": _TEXT,
    "type": _EQUAL,
    "id": _EQUAL,
    "content": _EQUAL,
    "container": _EQUAL,
    "creator": _EQUAL,
    "label": _EQUAL,
    "created": _ORDERED,
    "lastmodified": _ORDERED,
}
"""The fields there are, and which operators each knows."""
ORDERS: Mapping[str, Callable[[Item], object]] = {
    "created": lambda item: item.created,
    "lastmodified": lambda item: item.updated,
    "title": lambda item: item.title.casefold(),
}
HELD: Mapping[str, Callable[[Item], Sequence[str]]] = {
    "space": lambda item: (item.space.key.casefold(),),
    "space.key": lambda item: (item.space.key.casefold(),),
    "type": lambda item: (item.type,),
    "id": lambda item: (item.id.removeprefix("att"),),
    "content": lambda item: (item.id.removeprefix("att"),),
    "container": lambda item: (item.parent.id,) if item.parent else (),
    "label": lambda item: [label.casefold() for label in item.labels],
    "title": lambda item: (item.title.casefold(),),
}
"""What content holds in the fields that are compared as a whole."""
_POSITIVE = {"!=": "=", "!~": "~", "not in": "in"}
MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
Numbers = frozenset[int]


def instant(value: Value, now: datetime, zone: ZoneInfo) -> datetime:
    """The moment a value means; a bare date is its midnight. Raises `CqlError`."""
    try:
        local = _called(value, now.astimezone(zone)) if isinstance(value, Call) else _written(value, zone)
        return local.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise CqlError(str(error) if isinstance(error, CqlError) else f"no date: {value!r}") from error


def _written(text: str, zone: ZoneInfo) -> datetime:
    found = _WRITTEN.fullmatch(text)
    if found is None:
        raise CqlError(f"{text[:40]!r} is no date; write yyyy-MM-dd or yyyy-MM-dd HH:mm")
    year, month, day, hour, minute = (int(part or 0) for part in found.group(1, 3, 4, 5, 6))
    return datetime(year, month, day, hour, minute, tzinfo=zone)


def _called(call: Call, now: datetime) -> datetime:
    offset = call.arguments[0] if call.arguments else "0"
    if call.name == "now":
        return _shifted(now, offset, "d")
    for edge in ("startof", "endof"):
        unit = _UNITS.get(call.name.removeprefix(edge)) if call.name.startswith(edge) else None
        if unit:
            start = _shifted(_start(now, unit), offset, unit)
            return start if edge == "startof" else _shifted(start, "1", unit) - timedelta(minutes=1)
    raise CqlError(f"no function of dates: {call.name}()")


def _start(now: datetime, unit: str) -> datetime:
    day = now.replace(hour=0, minute=0, second=0, microsecond=0)
    match unit:
        case "w":
            return day - timedelta(days=day.weekday())
        case "M":
            return day.replace(day=1)
        case "y":
            return day.replace(month=1, day=1)
        case _:
            return day


def _shifted(moment: datetime, offset: str, unit: str) -> datetime:
    """`-4w`, `+1M`, `3`: without a unit, in that of the function."""
    found = _OFFSET.fullmatch(offset)
    if found is None:
        raise CqlError(f"no offset: {offset[:40]!r}")
    count = int(found[2]) * (-1 if found[1] == "-" else 1)
    unit = found[3] or unit
    if unit in _SPANS:
        return moment + count * _SPANS[unit]
    return months_after(moment, count * (12 if unit == "y" else 1))


class ContentSearch:
    """Search over one site; the indexes are built once."""

    def __init__(self, site: Site, clock: Callable[[], datetime], zone: ZoneInfo) -> None:
        self._items = site.items
        self._owner = account_id(site.owner)
        self._clock, self._zone = clock, zone
        self._all = frozenset(range(len(site.items)))
        self._texts = TextIndex((item.title, item.text, *item.labels) for item in site.items)
        self._titles = TextIndex((item.title,) for item in site.items)
        self._spaces = TextIndex((item.space.name,) for item in site.items)
        self._vocabulary = cache(
            lambda number: frozenset(words(f"{site.items[number].title} {site.items[number].text}"))
        )

    def find(self, query: Query) -> Sequence[Item]:
        """What matches, in the order asked for, else the best first."""
        found = Tree[Clause](query.condition).satisfying(self._all, self._clause)
        scores = self._scores(query.condition, found)
        numbers = sorted(
            found, key=lambda n: (-scores.get(n, 0.0), -self._items[n].updated.timestamp(), self._items[n].id)
        )
        for field, descending in reversed(query.order):
            if field not in ORDERS:
                raise CqlError(f"cannot order by {field!r}")
            numbers.sort(key=lambda n: ORDERS[field](self._items[n]), reverse=descending)  # type: ignore[arg-type,return-value]
        return [self._items[number] for number in numbers]

    def _clause(self, clause: Clause) -> Numbers:
        known = FIELDS.get(clause.field)
        if known is None:
            raise CqlError(f"no field {clause.field!r}")
        if clause.operator not in known:
            raise CqlError(f"{clause.field!r} does not know {clause.operator!r}")
        positive = _POSITIVE.get(clause.operator, clause.operator)
        found = frozenset().union(*(self._positive(clause.field, positive, value) for value in clause.values))
        return found if positive == clause.operator else self._all - found

    def _positive(self, field: str, operator: str, value: Value) -> Numbers:
        if operator == "~":
            return self._all.intersection(*(self._holding(field, needle) for needle in needles(plain_value(value))))
        test = self._dated(field, operator, value) if FIELDS[field] is _ORDERED else self._equal(field, value)
        return frozenset(number for number, item in enumerate(self._items) if test(item))

    def _holding(self, field: str, needle: Needle) -> Numbers:
        index = {"title": self._titles, "space.title": self._spaces}.get(field, self._texts)
        if needle.kind == "wildcard":
            pattern = re.compile(_pattern(needle.text))
            return frozenset(n for n in self._all if any(map(pattern.fullmatch, self._vocabulary(n))))
        return frozenset(_matches(index, needle))

    def _equal(self, field: str, value: Value) -> Callable[[Item], bool]:
        if field == "creator":
            account = self._account(value)
            return lambda item: item.author is not None and account_id(item.author) == account
        wanted, held = _wanted(field, plain_value(value)), HELD[field]
        return lambda item: wanted in held(item)

    def _account(self, value: Value) -> str:
        if isinstance(value, str):
            return value
        if value.name != "currentuser" or value.arguments:
            raise CqlError(f"no function of people: {value.name}()")
        return self._owner

    def _dated(self, field: str, operator: str, value: Value) -> Callable[[Item], bool]:
        """Minutes at the finest: what happened within the minute named did not happen after it."""
        moment = instant(value, self._clock(), self._zone)
        whole_day = operator == "=" and isinstance(value, str) and ":" not in value
        wanted = Span(moment, moment + (DAY if whole_day else MINUTE))
        return lambda item: wanted.meets(operator, item.created if field == "created" else item.updated)

    def _scores(self, node: Node, found: Numbers) -> Mapping[int, float]:
        """BM25 over the words that were asked for; titles weigh more."""
        wanted = [needle for needle in wanted_text(node) if needle.kind != "wildcard"]
        texts = self._texts.score([_matches(self._texts, needle) for needle in wanted], found)
        titles = self._titles.score([_matches(self._titles, needle) for needle in wanted], found)
        return {number: texts[number] + TITLE_WEIGHT * titles[number] for number in found}


def wanted_text(node: Node) -> Sequence[Needle]:
    """What a query wants in texts and titles, each once."""
    clauses = [
        leaf
        for leaf, wanted in Tree[Clause](node).leaves()
        if wanted and leaf.operator == "~" and leaf.field in _IN_TEXT
    ]
    values = [value for clause in clauses for value in clause.values]
    return list(dict.fromkeys(needle for value in values for needle in needles(plain_value(value))))


def _matches(index: TextIndex, needle: Needle) -> Matches:
    """A Hangul word is compared as it stands: nothing says that Confluence knows particles."""
    if needle.kind == "prefix":
        return index.find(needle.text, "prefix")
    exact = needle.kind == "phrase" or any(map(is_hangul, words(needle.text)))
    return index.find(needle.text, "exact" if exact else "stem")


def _pattern(text: str) -> str:
    steps = {"*": ".*", "?": "."}
    return "".join(steps.get(char) or re.escape(char.casefold()) for char in text)


def plain_value(value: Value) -> str:
    """A value that is no function; raises `CqlError` for one that is."""
    if isinstance(value, Call):
        raise CqlError(f"no function {value.name}() here")
    return value


def _wanted(field: str, text: str) -> str:
    """A value as it is compared; raises `CqlError` for one that the field cannot have."""
    if field in ("id", "content", "container"):
        number = text.removeprefix("att")
        if not (number.isascii() and number.isdigit()):
            raise CqlError(f"no id: {text[:40]!r}")
        return number
    wanted = composed(text).casefold()
    if field == "type" and wanted not in TYPES:
        raise CqlError(f"no type {text[:40]!r}")
    return wanted.strip('"') if field == "title" else wanted
