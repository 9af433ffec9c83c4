"""Asana's task search: the parameters it takes, what they let through, and every word of the text in names or descriptions.

https://developers.asana.com/reference/searchtasksforworkspace
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from orchestrator.sandbox.asana.render import AsanaError, refused
from orchestrator.sandbox.asana.store import Task, Workspace
from orchestrator.sandbox.index import Matches, TextIndex, is_hangul, words
from orchestrator.sandbox.wire import whole_number

Passes = Callable[[Task], bool]

SORTS = ("due_date", "created_at", "completed_at", "likes", "modified_at", "relevance")
SUBTYPES = ("default_task", "milestone", "approval", "custom")
USUAL, MOST = 20, 100

_NUMBER = re.compile(r"[0-9]{1,20}", re.ASCII)
_ADDRESS = re.compile(r"[^@\s,]+@[^@\s,]+")
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", re.ASCII)

_PEOPLE: Mapping[str, Callable[[Task], Collection[str]]] = {
    "assignee": lambda task: {task.assignee.gid} if task.assignee else (),
    "created_by": lambda task: {task.created_by.gid} if task.created_by else (),
    "followers": lambda task: {user.gid for user in task.followers},
    "assigned_by": lambda _: (),
    "liked_by": lambda _: (),
    "commented_on_by": lambda task: task.commenters,
}
_THINGS: Mapping[str, Callable[[Task], Collection[str]]] = {
    "projects": lambda task: {each.project.gid for each in task.memberships},
    "sections": lambda task: {each.section.gid for each in task.memberships},
    "tags": lambda task: {tag.gid for tag in task.tags},
    "teams": lambda task: {team.gid for team in task.teams},
    "portfolios": lambda _: (),
}
_WAYS: Mapping[str, Collection[str]] = {
    **dict.fromkeys(("assignee", "created_by", "followers", "assigned_by"), ("any", "not")),
    **dict.fromkeys(("liked_by", "commented_on_by"), ("not",)),
    **dict.fromkeys(("projects", "sections", "tags"), ("any", "not", "all")),
    **dict.fromkeys(("teams", "portfolios"), ("any",)),
}
_MOMENTS: Mapping[str, Callable[[Task], datetime | None]] = {
    "created": lambda task: task.created_at,
    "completed": lambda task: task.completed_at,
    "modified": lambda task: task.modified_at,
}
_FLAGS: Mapping[str, Passes] = {
    "completed": lambda task: task.completed,
    "is_blocking": lambda task: not task.completed and bool(task.dependents),
    "is_blocked": lambda task: any(not each.completed for each in task.dependencies),
    **dict.fromkeys(("has_attachment", "is_subtask"), lambda _: False),
}
_WITHOUT_EFFECT = frozenset({"opt_pretty"})


@dataclass(frozen=True, slots=True)
class Asked:
    """A search: its text (nothing where none was given), what its parameters let through, order, size and fields."""

    text: str | None
    conditions: Sequence[Passes]
    sort: str
    ascending: bool
    size: int
    fields: str

    def passes(self, task: Task) -> bool:
        """Whether every condition lets a task through."""
        return all(passes(task) for passes in self.conditions)


def read_search(query: Iterable[tuple[str, str]], workspace: Workspace) -> Asked:
    """Read the parameters of a search. Raises `AsanaError`, for parameters that are not described too."""
    given = dict(query)
    sort = given.pop("sort_by", "modified_at")
    if sort not in SORTS:
        raise refused("sort_by", f"Not one of {', '.join(SORTS)}")
    ascending = _flag("sort_ascending", given.pop("sort_ascending", "false"))
    size = whole_number(given.pop("limit", str(USUAL)), 1, MOST)
    if size is None:
        raise refused("limit", f"Must be between 1 and {MOST}")
    text, fields = given.pop("text", None), given.pop("opt_fields", "")
    reader = _Reader(workspace)
    conditions = [*reader.union(given), *(reader.condition(name, value) for name, value in given.items())]
    return Asked(text, conditions, sort, ascending, size, fields)


class _Reader:
    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def union(self, given: dict[str, str]) -> Sequence[Passes]:
        """`projects.any` beside `sections.any` is taken out: both together let through what either does."""
        if not {"projects.any", "sections.any"} <= given.keys():
            return ()
        either = [self.condition(name, given.pop(name)) for name in ("projects.any", "sections.any")]
        return (lambda task: any(passes(task) for passes in either),)

    def condition(self, name: str, value: str) -> Passes:
        field, _, way = name.partition(".")
        if name in _FLAGS:
            wanted = _flag(name, value)
            return lambda task: _FLAGS[name](task) is wanted
        if name == "resource_subtype":
            if value not in SUBTYPES:
                raise refused(name, f"Not one of {', '.join(SUBTYPES)}")
            return lambda task: task.subtype == value
        if way in _WAYS.get(field, ()):
            return self._listed(name, field, way, value)
        if name in _WITHOUT_EFFECT:
            return lambda _: True
        return self._date(name, value) or _unknown(name)

    def _listed(self, name: str, field: str, way: str, value: str) -> Passes:
        people = field in _PEOPLE
        held = _PEOPLE[field] if people else _THINGS[field]
        wanted = {self._user(name, each) if people else _number(name, each) for each in value.split(",")}
        match way:
            case "any":
                return lambda task: not wanted.isdisjoint(held(task))
            case "all":
                return lambda task: wanted <= set(held(task))
            case _:
                return lambda task: wanted.isdisjoint(held(task))

    def _user(self, name: str, value: str) -> str:
        if value == "me":
            return self._workspace.viewer.gid
        if _ADDRESS.fullmatch(value):
            found = (user.gid for user in self._workspace.users if user.email.casefold() == value.casefold())
            return next(found, "nobody")
        return _number(name, value)

    def _date(self, name: str, value: str) -> Passes | None:
        """Days and moments; what lies on a bound is not let through, which Asana leaves open."""
        found = re.fullmatch(r"(due|start|created|completed|modified)_(on|at)(?:\.(before|after))?", name)
        if found is None or (found[2] == "at" and (found[1] == "start" or not found[3])):
            return None
        if found[2] == "at":
            bound = _moment(name, value)
            return _compared(found[3], bound, _MOMENTS.get(found[1], lambda _: None))
        days = _days(found[1], self._workspace.zone)
        if not found[3]:
            wanted = None if value == "null" else _day(name, value)
            return lambda task: days(task) == wanted
        return _compared(found[3], _day(name, value), days)


def _compared(way: str, bound: date, held: Callable[[Task], date | None]) -> Passes:
    def passes(task: Task) -> bool:
        value = held(task)
        return value is not None and (value < bound if way == "before" else value > bound)

    return passes


def _days(field: str, zone: ZoneInfo) -> Callable[[Task], date | None]:
    """The day of something in the zone of who asks."""
    if field in ("due", "start"):
        return lambda task: task.due_on if field == "due" else None

    def day(task: Task) -> date | None:
        moment = _MOMENTS[field](task)
        return moment.astimezone(zone).date() if moment else None

    return day


def _flag(name: str, value: str) -> bool:
    if value not in ("true", "false"):
        raise refused(name, "Not a boolean")
    return value == "true"


def _number(name: str, value: str) -> str:
    if not _NUMBER.fullmatch(value):
        raise refused(name, f"Not a recognized ID: {value[:100]}")
    return value


def _day(name: str, value: str) -> date:
    try:
        if _DAY.fullmatch(value):
            return date.fromisoformat(value)
    except ValueError:
        pass
    raise refused(name, f"Not a valid date: {value[:100]}")


def _moment(name: str, value: str) -> datetime:
    try:
        if _MOMENT.fullmatch(value):
            return datetime.fromisoformat(value).astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise refused(name, f"Not a valid datetime: {value[:100]}")


def _unknown(name: str) -> Passes:
    raise AsanaError(400, f"{name[:100]}: No such parameter")


LAG = timedelta(seconds=30)
"""How long a change takes to reach the search; Asana says 10 to 60 seconds."""

NAME_WEIGHT = 2.0
"""How much more a word in a name counts; Asana does not say."""


class TaskSearch:
    """Search over one workspace; the indexes are built once."""

    def __init__(self, tasks: Sequence[Task]) -> None:
        self._tasks = tasks
        self._texts = TextIndex((task.name, task.notes) for task in tasks)
        self._names = TextIndex((task.name,) for task in tasks)

    def find(self, asked: Asked, now: datetime) -> Sequence[Task]:
        """The tasks that are found, in the order asked for; what changed just now is not among them."""
        scores = self._scores(asked.text)
        found = [
            (number, task)
            for number, task in enumerate(self._tasks)
            if (scores is None or number in scores) and task.modified_at <= now - LAG and asked.passes(task)
        ]
        if asked.sort == "relevance" and scores is not None:
            found.sort(key=lambda each: (-scores[each[0]], each[1].gid))
            return [task for _, task in found]
        return _ordered([task for _, task in found], asked)

    def _scores(self, text: str | None) -> Mapping[int, float] | None:
        """How well each task with all the words of the text fits; nothing where no text was given."""
        if text is None:
            return None
        wanted = list(dict.fromkeys(words(text)))
        matches = [_matches(self._texts, word) for word in wanted]
        numbers = set.intersection(*(set(each) for each in matches)) if matches else set()
        scores = self._texts.score(matches, numbers)
        named = self._names.score([_matches(self._names, word) for word in wanted], numbers)
        return {number: scores[number] + NAME_WEIGHT * named[number] for number in numbers}


def _matches(index: TextIndex, word: str) -> Matches:
    """Latin words match by their stem, Hangul words only as they stand."""
    return index.find(word, "exact" if is_hangul(word) else "stem")


def _ordered(tasks: Sequence[Task], asked: Asked) -> Sequence[Task]:
    """By a date, what has none at the end; of equal dates, by number."""
    dated = [(value, task) for task in tasks if (value := _held(task, asked.sort)) is not None]
    dated.sort(key=lambda each: (each[0], each[1].gid), reverse=not asked.ascending)
    return [*(task for _, task in dated), *(task for task in tasks if _held(task, asked.sort) is None)]


def _held(task: Task, sort: str) -> date | int | None:
    match sort:
        case "created_at":
            return task.created_at
        case "completed_at":
            return task.completed_at
        case "due_date":
            return task.due_on
        case "likes":
            return 0
        case _:
            return task.modified_at
