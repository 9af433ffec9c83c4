"""What can be asked of each field of an issue in JQL, and how its values are read, dates in the zone of the account."""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from orchestrator.sandbox.jira.bodies import JiraError, refused
from orchestrator.sandbox.jira.grammar import Call, Clause, Empty, Operand, Value
from orchestrator.sandbox.jira.store import CATEGORIES, Issue, Project, Site, User

_DATE = re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?: (\d{1,2}):(\d{2}))?", re.ASCII)
_SPAN = re.compile(r"[-+]?(?:\d{1,5}[wdhm]\s*)+", re.ASCII)
_PART = re.compile(r"(\d{1,5})([wdhm])", re.ASCII)
_UNITS = {"w": "weeks", "d": "days", "h": "hours", "m": "minutes"}
ALIASES = {
    "createddate": "created", "updateddate": "updated", "due": "duedate", "resolved": "resolutiondate",
    "type": "issuetype", "issuekey": "key", "id": "key", "issue": "key",
}  # fmt: skip
TEXTS = frozenset({"text", "summary", "description", "comment"})
DATES = frozenset({"created", "updated", "duedate", "resolutiondate"})
_EQUAL = frozenset({"=", "!=", "in", "not in"})
_EMPTY = frozenset({"is", "is not"})
_ORDER = frozenset({"<", ">", "<=", ">="})
_MATCH = frozenset({"~", "!~"})
OPERATORS: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(TEXTS, _MATCH),
    "summary": _MATCH | _EMPTY,
    "description": _MATCH | _EMPTY,
    **dict.fromkeys(DATES, _EQUAL | _EMPTY | _ORDER),
    **dict.fromkeys(
        ("project", "assignee", "reporter", "creator", "issuetype", "labels", "resolution"), _EQUAL | _EMPTY
    ),
    **dict.fromkeys(("status", "statuscategory"), _EQUAL | _EMPTY),
    **dict.fromkeys(("priority", "key"), _EQUAL | _EMPTY | _ORDER),
}
_RANKS = {name: rank for rank, name in enumerate(("Lowest", "Low", "Medium", "High", "Highest"))}


def _midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


_BEGINNINGS: Mapping[str, Callable[[datetime], datetime]] = {
    "now": lambda now: now,
    "startofday": _midnight,
    "startofweek": lambda now: _midnight(now) - timedelta(days=(now.weekday() + 1) % 7),
    "startofmonth": lambda now: _midnight(now).replace(day=1),
    "startofyear": lambda now: _midnight(now).replace(month=1, day=1),
}


def instant(text: str, field: str, now: datetime, zone: ZoneInfo) -> datetime:
    """The moment that a value of a date field stands for. Raises `JiraError`."""
    try:
        if found := _DATE.fullmatch(text.strip()):
            year, month, day, hour, minute = (int(part or 0) for part in found.groups())
            return datetime(year, month, day, hour, minute, tzinfo=zone)
        if _SPAN.fullmatch(text.strip()):
            return now + _span(text.strip())
    except (ValueError, OverflowError) as error:  # a day the calendar does not have
        raise _invalid(text, field) from error
    raise _invalid(text, field)


def beginning(name: str, now: datetime, zone: ZoneInfo) -> datetime | None:
    """What a function without arguments stands for, nothing if there is no such function."""
    begin = _BEGINNINGS.get(name)
    return begin(now.astimezone(zone)) if begin else None


def _span(text: str) -> timedelta:
    parts = {_UNITS[unit]: int(number) for number, unit in _PART.findall(text)}
    span = timedelta(**parts)
    return -span if text.startswith("-") else span


def _invalid(text: str, field: str) -> JiraError:
    formats = (
        "'yyyy/MM/dd HH:mm', 'yyyy-MM-dd HH:mm', 'yyyy/MM/dd', 'yyyy-MM-dd', or a period format e.g. '-5d', '4w 2d'"
    )
    return refused(f"Date value '{text[:100]}' for field '{field}' is invalid. Valid formats include: {formats}.")


def known(name: str) -> str:
    """The field behind a name. Raises `JiraError` for one that is none."""
    field = ALIASES.get(name, name)
    if field not in OPERATORS:
        raise refused(f"Field '{name[:100]}' does not exist or you do not have permission to view it.")
    return field


def check(clause: Clause) -> str:
    """The field of a clause, if its operator and operands may be used with it. Raises `JiraError`."""
    field = known(clause.field)
    if clause.operator not in OPERATORS[field]:
        raise refused(f"The operator '{clause.operator}' is not supported by the '{clause.field}' field.")
    empties = any(isinstance(operand, Empty) for operand in clause.operands)
    if clause.operator in _EMPTY and not empties:
        raise refused(f"The operator '{clause.operator}' for the field '{clause.field}' takes EMPTY only.")
    if empties and clause.operator in _ORDER | _MATCH:
        raise refused(f"The operator '{clause.operator}' for the field '{clause.field}' does not support EMPTY.")
    return field


def held(issue: Issue, field: str) -> Any:
    """What an issue has in a field, in a form that can be compared; nothing if it is empty."""
    return _HELD[field](issue)


_HELD: Mapping[str, Callable[[Issue], Any]] = {
    "summary": lambda issue: issue.summary or None,
    "description": lambda issue: issue.description or None,
    "project": lambda issue: issue.project,
    "reporter": lambda issue: issue.reporter,
    "creator": lambda issue: issue.reporter,
    "assignee": lambda issue: issue.assignee,
    "status": lambda issue: issue.status.casefold(),
    "statuscategory": lambda issue: issue.category,
    "issuetype": lambda issue: issue.kind.casefold(),
    "priority": lambda issue: _RANKS[issue.priority],
    "labels": lambda issue: [label.casefold() for label in issue.labels] or None,
    "resolution": lambda issue: "done" if issue.category == "done" else None,
    "key": lambda issue: (issue.project.key, int(issue.key.rpartition("-")[2])),
    "created": lambda issue: issue.created,
    "updated": lambda issue: issue.updated,
    "duedate": lambda issue: datetime.combine(issue.due, time(), UTC) if issue.due else None,
    "resolutiondate": lambda issue: issue.resolved,
}


class Reader:
    """Reads the values of one query, asked at one time."""

    def __init__(self, site: Site, now: datetime) -> None:
        self._site = site
        self._now = now
        self._readers: Mapping[str, Callable[[str, str], Any]] = {
            **dict.fromkeys(DATES, self._instant),
            **dict.fromkeys(("reporter", "creator", "assignee"), self._user),
            **dict.fromkeys(("status", "issuetype"), self._named),
            "project": self._project,
            "key": self._key,
            "statuscategory": _category,
            "priority": _rank,
        }

    def wanted(self, field: str, operand: Operand) -> Any:
        """What an operand stands for, as `held` gives it; nothing for EMPTY. Raises `JiraError`."""
        match operand:
            case Empty():
                return None
            case Call():
                return self._called(field, operand)
            case Value(text=text):
                read = self._readers.get(field)
                return read(field, text) if read else text.casefold()

    def _instant(self, field: str, text: str) -> datetime:
        """Days are days everywhere; times are the account's."""
        return instant(text, field, self._now, ZoneInfo("UTC") if field == "duedate" else self._site.zone)

    def _called(self, field: str, call: Call) -> Any:
        if field in DATES and not call.arguments:
            moment = beginning(call.name, self._now, self._site.zone)
            if moment is not None:
                return moment
        if call.name == "currentuser" and field in ("reporter", "creator", "assignee") and not call.arguments:
            return self._site.viewer
        raise refused(f"Unable to find JQL function '{call.name[:100]}({', '.join(call.arguments)[:100]})'.")

    def _project(self, field: str, text: str) -> Project:
        """By name, key or number."""
        for project in self._site.projects:
            if text.casefold() in (project.name.casefold(), project.key.casefold(), str(project.number)):
                return project
        raise _unknown(field, text)

    def _user(self, field: str, text: str) -> User:
        """By account id only: names and addresses are no longer looked up."""
        for user in self._site.users:
            if user.account == text:
                return user
        raise _unknown(field, text)

    def _key(self, field: str, text: str) -> Any:
        issue = self._site.by_name.get(text.casefold())
        if issue is None:
            raise refused(f"An issue with key '{text[:100]}' does not exist for field '{field}'.")
        return held(issue, field)

    def _named(self, field: str, text: str) -> str:
        """What no issue has is not known here."""
        if all(held(issue, field) != text.casefold() for issue in self._site.issues):
            raise _unknown(field, text)
        return text.casefold()


def _category(field: str, text: str) -> str:
    for key, (number, name, _) in CATEGORIES.items():
        if text.casefold() in (key, name.casefold(), str(number)):
            return key
    raise _unknown(field, text)


def _rank(field: str, text: str) -> int:
    if text.capitalize() not in _RANKS:
        raise _unknown(field, text)
    return _RANKS[text.capitalize()]


def _unknown(field: str, text: str) -> JiraError:
    return refused(f"The value '{text[:200]}' does not exist for the field '{field}'.")
