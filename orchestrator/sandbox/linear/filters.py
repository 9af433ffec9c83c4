"""Linear's filters, and its date inputs: ISO 8601, shortcuts such as `2026`, and durations counted from now."""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import Any

from graphql import GraphQLError

from orchestrator.sandbox.index import composed
from orchestrator.sandbox.logic import months_after

_SHORT = re.compile(r"(\d{4})(?:-(\d{2}))?", re.ASCII)
_DURATION = re.compile(
    r"([-+]?)P(?=\d|T\d)(?:(\d{1,4})Y)?(?:(\d{1,5})M)?(?:(\d{1,5})W)?(?:(\d{1,6})D)?"
    r"(?:T(?=\d)(?:(\d{1,7})H)?(?:(\d{1,8})M)?(?:(\d{1,9})S)?)?",
    re.ASCII,
)


_FIRST = datetime(1, 1, 1, tzinfo=UTC)
_LAST = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Duration:
    """A stretch of time that calendar months are part of."""

    sign: int
    months: int
    rest: timedelta

    def after(self, moment: datetime) -> datetime:
        """The moment this far from another; time ends where it ends."""
        try:
            return months_after(moment, self.sign * self.months) + self.sign * self.rest
        except (ValueError, OverflowError):
            return _FIRST if self.sign < 0 else _LAST


Moment = datetime | Duration


def parse_moment(value: object) -> Moment:
    """A `DateTimeOrDuration`; raises `GraphQLError`."""
    if not isinstance(value, str):
        raise GraphQLError(f"Expected an ISO 8601 date or duration, found {value!r}.")
    if duration := _DURATION.fullmatch(value):
        return _duration(duration)
    try:
        if short := _SHORT.fullmatch(value):
            return datetime(int(short[1]), int(short[2] or 1), 1, tzinfo=UTC)
        parsed = datetime.fromisoformat(value)
        return parsed.astimezone(UTC) if parsed.tzinfo else parsed.replace(tzinfo=UTC)
    except (ValueError, OverflowError) as error:
        raise GraphQLError(f"{value[:100]!r} is neither an ISO 8601 date nor a duration such as '-P2W'.") from error


def parse_day(value: object) -> date | Duration:
    """A `TimelessDateOrDuration`; raises `GraphQLError`."""
    moment = parse_moment(value)
    return moment if isinstance(moment, Duration) else moment.date()


def _duration(found: re.Match[str]) -> Duration:
    years, months, weeks, days, hours, minutes, seconds = (int(part or 0) for part in found.groups()[1:])
    rest = timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes, seconds=seconds)
    return Duration(-1 if found[1] == "-" else 1, years * 12 + months, rest)


Filter = Mapping[str, Any]

RELATIONS = frozenset({"assignee", "creator", "team", "state", "project", "user"})
COLLECTIONS = frozenset({"labels", "comments"})


def holds(node: object, wanted: Filter | None, now: datetime) -> bool:
    """Whether a node passes a filter; everything named beside each other must hold."""
    return all(_entry(node, name, test, now) for name, test in (wanted or {}).items() if test is not None)


@cache
def snake(name: str) -> str:
    """The attribute that holds a field: `createdAt` is `created_at`."""
    return re.sub(r"(?<=[a-z])([A-Z])", r"_\1", name).lower()


def _entry(node: object, name: str, test: Any, now: datetime) -> bool:
    if name == "and":
        return all(holds(node, part, now) for part in test)
    if name == "or":
        return any(holds(node, part, now) for part in test)
    if name == "null":  # a related node that is there; see _related for one that is not
        return test is False
    value = getattr(node, snake(name))
    if name in RELATIONS:
        return _related(value, test, now)
    if name in COLLECTIONS:
        return _collected(value, test, now)
    return all(_compare(value, operator, wanted, now) for operator, wanted in test.items())


def _related(node: object | None, test: Filter, now: datetime) -> bool:
    """A missing node passes `null: true` and, as in SQL, nothing else: not even a `neq`."""
    if node is not None:
        return holds(node, test, now)
    return bool(test) and all(_absent(name, part, now) for name, part in test.items())


def _absent(name: str, test: Any, now: datetime) -> bool:
    match name:
        case "and":
            return all(_related(None, part, now) for part in test)
        case "or":
            return any(_related(None, part, now) for part in test)
        case _:
            return name == "null" and test is True


def _collected(nodes: Sequence[object], test: Filter, now: datetime) -> bool:
    return all(_collection_entry(nodes, name, part, now) for name, part in test.items() if part is not None)


def _collection_entry(nodes: Sequence[object], name: str, test: Any, now: datetime) -> bool:
    if name in ("and", "or"):
        return (all if name == "and" else any)(_collected(nodes, part, now) for part in test)
    if name in ("some", "every"):
        return (any if name == "some" else all)(holds(node, test, now) for node in nodes)
    if name == "length":
        return all(_compare(len(nodes), operator, wanted, now) for operator, wanted in test.items())
    if name == "null":
        return test is not bool(nodes)
    return any(_entry(node, name, test, now) for node in nodes)  # a field of the members, asked of any of them


def _compare(value: Any, operator: str, wanted: Any, now: datetime) -> bool:
    if operator == "null":
        return wanted is None or (value is None) is wanted
    if wanted is None:
        return {"eq": value is None, "neq": value is not None}.get(operator, True)
    if value is None:
        return False
    if isinstance(wanted, list):
        return _OPERATORS[operator](value, [_placed(member, value, now) for member in wanted])
    return _OPERATORS[operator](value, _placed(wanted, value, now))


def _placed(wanted: Any, value: Any, now: datetime) -> Any:
    """The wanted value in the form of the one it is compared with: durations count from now."""
    if isinstance(wanted, Duration):
        moment = wanted.after(now)
        return moment if isinstance(value, datetime) or not isinstance(value, date) else moment.date()
    return composed(wanted) if isinstance(wanted, str) else wanted


def _bare(text: str) -> str:
    """Without case and accents; Hangul syllables lose nothing, their parts are letters."""
    return "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))


_OPERATORS: Mapping[str, Callable[[Any, Any], bool]] = {
    "eq": lambda value, wanted: value == wanted,
    "neq": lambda value, wanted: value != wanted,
    "in": lambda value, wanted: value in wanted,
    "nin": lambda value, wanted: value not in wanted,
    "gt": lambda value, wanted: value > wanted,
    "gte": lambda value, wanted: value >= wanted,
    "lt": lambda value, wanted: value < wanted,
    "lte": lambda value, wanted: value <= wanted,
    "eqIgnoreCase": lambda value, wanted: value.casefold() == wanted.casefold(),
    "neqIgnoreCase": lambda value, wanted: value.casefold() != wanted.casefold(),
    "contains": lambda value, wanted: wanted in value,
    "containsIgnoreCase": lambda value, wanted: wanted.casefold() in value.casefold(),
    "containsIgnoreCaseAndAccent": lambda value, wanted: _bare(wanted) in _bare(value),
    "notContains": lambda value, wanted: wanted not in value,
    "notContainsIgnoreCase": lambda value, wanted: wanted.casefold() not in value.casefold(),
    "startsWith": lambda value, wanted: value.startswith(wanted),
    "startsWithIgnoreCase": lambda value, wanted: value.casefold().startswith(wanted.casefold()),
    "notStartsWith": lambda value, wanted: not value.startswith(wanted),
    "endsWith": lambda value, wanted: value.endswith(wanted),
    "notEndsWith": lambda value, wanted: not value.endswith(wanted),
}
