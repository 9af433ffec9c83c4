"""Evaluate a KQL query over the things of a tenant, each type by its own properties; days and moments of its dates."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from types import MappingProxyType
from urllib.parse import unquote
from zoneinfo import ZoneInfo

from orchestrator.sandbox.index import Matches, TextIndex
from orchestrator.sandbox.logic import Span, Tree
from orchestrator.sandbox.microsoft365.grammar import Leaf, Node, Property, Text, positive_texts
from orchestrator.sandbox.microsoft365.store import STORED, Account, Item, Tenant

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_MOMENT = re.compile(r"(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,7})?)Z?", re.ASCII)
TOP = 3
"""How many of the best mails come before the newest, where top results are wished."""
Numbers = frozenset[int]
_TIMES = frozenset({"received", "sent", "lastmodifiedtime", "created"})


def span(text: str, today: date, zone: ZoneInfo | None) -> Span | None:
    """The span of `2026-03-01`, `2026-03-01T10:00:00Z`, `today`, `yesterday`, or `A..B` with both ends in it.

    Days are `zone`'s (UTC without one), moments always UTC and their own microsecond. Nothing for anything else.
    """
    first, dots, last = text.partition("..")
    if dots:
        begin, until = span(first, today, zone), span(last, today, zone)
        return Span(begin.start, until.end) if begin and until else None
    try:
        if found := _MOMENT.fullmatch(text):
            moment = datetime.fromisoformat(found[1][:26]).replace(tzinfo=UTC)
            return Span(moment, moment + timedelta(microseconds=1))
        day = _day(text, today)
        return None if day is None else Span(_midnight(day, zone), _midnight(day + timedelta(days=1), zone))
    except (ValueError, OverflowError):  # a day the calendar does not have
        return None


def _day(text: str, today: date) -> date | None:
    if _DAY.fullmatch(text):
        return date.fromisoformat(text)
    return {"today": today, "yesterday": today - timedelta(days=1)}.get(text.casefold())


def _midnight(day: date, zone: ZoneInfo | None) -> datetime:
    return datetime.combine(day, time(), zone or UTC).astimezone(UTC)


class GraphSearch:
    """Search over one tenant; the indexes are built once. `zone` is the mailbox's, in which days of mail are counted."""

    def __init__(self, tenant: Tenant, zone: ZoneInfo) -> None:
        self._items = tenant.items
        self._zone = zone
        self._all = frozenset(range(len(self._items)))
        self._anything = TextIndex(_everything(item) for item in self._items)
        self._fields: Mapping[str, TextIndex] = {
            "title": TextIndex((item.title,) for item in self._items),
            "body": TextIndex((item.text,) for item in self._items),
            "author": TextIndex(_named([item.author]) for item in self._items),
            "to": TextIndex(_named(item.to) for item in self._items),
            "attachment": TextIndex(item.attachments for item in self._items),
        }

    def find(self, query: Node, types: Collection[str], now: datetime) -> Sequence[Item]:
        """Things of the types that match, the most relevant first."""
        numbers = Tree[Leaf](query).satisfying(self._all, lambda leaf: self._meeting(leaf, now))
        found = [number for number in sorted(numbers) if self._items[number].type in types]
        scores = self._scores(query, found)
        return [self._items[number] for number in sorted(found, key=lambda number: (-scores.get(number, 0.0), number))]

    def _scores(self, query: Node, found: Iterable[int]) -> Mapping[int, float]:
        return self._anything.score([self._holding(text, self._anything) for text in positive_texts(query)], found)

    def _meeting(self, leaf: Leaf, now: datetime) -> Numbers:
        if isinstance(leaf, Text):
            return frozenset(self._holding(leaf, self._anything))
        return self._in_time(leaf, now) if leaf.name in _TIMES else self._having(leaf)

    def _holding(self, text: Text, index: TextIndex) -> Matches:
        return index.find(text.text, "prefix" if text.begun else "exact")

    def _having(self, asked: Property) -> Numbers:
        """The things whose text property holds the words; `<>` is the complement among those that have it."""
        types, field = _PROPERTIES.get(asked.name, (frozenset(), ""))
        having = frozenset(number for number in self._all if self._items[number].type in types)
        if field in self._fields:
            found = having & frozenset(self._holding(asked.value, self._fields[field]))
        else:
            value = asked.value.text.casefold()
            found = frozenset(number for number in having if _TESTS[field](self._items[number], value))
        return having - found if asked.operator == "<>" else found

    def _in_time(self, asked: Property, now: datetime) -> Numbers:
        """Mail and messages know the days of the mailbox's zone, what lies in SharePoint those of UTC."""
        local = asked.name in ("received", "sent")
        zone = self._zone if local else None
        wanted = span(asked.value.text, now.astimezone(zone).date(), zone)
        if wanted is None:
            return frozenset()
        return frozenset(
            number
            for number, item in enumerate(self._items)
            if (moment := _moment(asked.name, item)) is not None and wanted.meets(asked.operator, moment)
        )


def newest_first(items: Iterable[Item], *, top: bool) -> Sequence[Item]:
    """Mail and messages in their own order, from one by relevance: newest first, the best few before them if wished."""
    listed = list(items)
    best = listed[:TOP] if top else []
    return [
        *best,
        *sorted((item for item in listed if item not in best), key=lambda item: (-item.created.timestamp(), item.id)),
    ]


def _moment(name: str, item: Item) -> datetime | None:
    match name, item.type:
        case ("received", "message") | ("sent", "message" | "chatMessage"):
            return item.created
        case "lastmodifiedtime", kind if kind in STORED:
            return item.updated
        case "created", kind if kind in STORED:
            return item.created
        case _:
            return None


def _everything(item: Item) -> Sequence[str]:
    return [item.title, item.text, *_named([item.author, *item.to]), *item.attachments]


def _named(accounts: Iterable[Account]) -> Sequence[str]:
    return [text for account in accounts for text in (account.name, account.address)]


def _lies_below(item: Item, address: str) -> bool:
    """A site's address is matched with everything below it; a blank may stand as it is or as `%20`."""
    return unquote(item.url).casefold().startswith(unquote(address).rstrip("/"))


def _attached(item: Item, value: str) -> bool:
    return bool(item.attachments) is (value == "true")


def _is_document(item: Item, value: str) -> bool:
    return (item.type == "driveItem") is (value in ("true", "1"))


def _filetype(item: Item, value: str) -> bool:
    return item.title.casefold().endswith(f".{value}")


_MAIL, _CHAT = frozenset({"message"}), frozenset({"chatMessage"})


_TESTS: Mapping[str, Callable[[Item, str], bool]] = MappingProxyType(
    {"path": _lies_below, "hasattachment": _attached, "isdocument": _is_document, "filetype": _filetype}
)


_PROPERTIES: Mapping[str, tuple[frozenset[str], str]] = MappingProxyType(
    {
        "from": (_MAIL | _CHAT, "author"),
        "to": (_MAIL | _CHAT, "to"),
        "subject": (_MAIL, "title"),
        "body": (_MAIL, "body"),
        "attachment": (_MAIL, "attachment"),
        "hasattachment": (_MAIL | _CHAT, "hasattachment"),
        "author": (STORED, "author"),
        "createdby": (STORED, "author"),
        "title": (STORED, "title"),
        "filename": (STORED, "title"),
        "filetype": (STORED, "filetype"),
        "isdocument": (STORED, "isdocument"),
        "path": (STORED, "path"),
    }
)


"""Text properties in lower case: of which types, and what they look at."""
