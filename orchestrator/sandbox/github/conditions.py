"""What each qualifier asks of a thing and of a file; dates are a day or an instant, compared or as a range."""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, date, datetime, timedelta

from orchestrator.sandbox.github.grammar import QueryError
from orchestrator.sandbox.github.store import File, Thing, User

_COMPARED = re.compile(r"(>=|<=|>|<)?(.+)")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
KINDS = {"issue": "issue", "pr": "pull", "pull-request": "pull"}


def dated(value: str, moment: datetime) -> bool:
    """Whether a moment is what `created:` and its like ask for. Raises `QueryError` for what is no date."""
    if ".." in value:
        first, _, last = value.partition("..")
        return (first == "*" or moment >= _span(first)[0]) and (last == "*" or moment < _span(last)[1])
    operator, at = _COMPARED.fullmatch(value).groups()  # type: ignore[union-attr]
    start, end = _span(at)
    match operator:
        case ">=":
            return moment >= start
        case ">":
            return moment >= end
        case "<=":
            return moment < end
        case "<":
            return moment < start
        case _:
            return start <= moment < end


def _span(text: str) -> tuple[datetime, datetime]:
    """The day or the second that is meant, in UTC unless an offset says otherwise; its end does not belong to it."""
    try:
        if _DAY.fullmatch(text):
            day = date.fromisoformat(text)
            start = datetime(day.year, day.month, day.day, tzinfo=UTC)
            return start, start + timedelta(days=1)
        parsed = datetime.fromisoformat(text)
        start = (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).astimezone(UTC)
        return start, start + timedelta(seconds=1)
    except (ValueError, OverflowError) as error:
        raise QueryError(f"'{text[:60]}' is not a recognized date/time format.") from error


def thing_is(thing: Thing, name: str, value: str) -> bool:
    """Whether a thing satisfies a qualifier; one that is for code or for the order says nothing of it."""
    test = _THINGS.get(name)
    return test is None or test(thing, name, value.casefold())


def file_is(file: File, name: str, value: str) -> bool:
    """Whether a file satisfies a qualifier; none satisfies one that is for things only."""
    if name in ("in", "sort", "language"):
        return True
    test = _FILES.get(name)
    return test is not None and test(file, value.casefold())


def _stands_in(repository: str, name: str, wanted: str) -> bool:
    held = repository.casefold()
    return held == wanted if name == "repo" else held.partition("/")[0] == wanted


def _is(thing: Thing, _: str, wanted: str) -> bool:
    match wanted:
        case "issue" | "pr" | "pull-request":
            return thing.kind == KINDS[wanted]
        case "open" | "closed":
            return thing.closed is (wanted == "closed")
        case "merged" | "unmerged":
            return thing.kind == "pull" and thing.merged is (wanted == "merged")
        case _:
            return wanted == "draft" and thing.draft


def _by(thing: Thing, name: str, wanted: str) -> bool:
    people: dict[str, Iterable[User | None]] = {
        "author": [thing.author],
        "assignee": thing.assignees,
        "commenter": [comment.author for comment in thing.comments],
    }
    named = people[name] if name in people else [user for users in people.values() for user in users]
    return wanted in {user.login.casefold() for user in named if user}


def _labelled(thing: Thing, _: str, wanted: str) -> bool:
    return bool({each.strip('"') for each in wanted.split(",")} & {label.casefold() for label in thing.labels})


def _lacks(thing: Thing, _: str, wanted: str) -> bool:
    return not {"assignee": thing.assignees, "label": thing.labels, "milestone": thing.milestone}.get(wanted, "there")


def _happened(thing: Thing, name: str, wanted: str) -> bool:
    """GitHub keeps seconds."""
    moments: Mapping[str, datetime | None] = {
        "created": thing.created,
        "updated": thing.updated,
        "closed": thing.completed,
    }
    moment = moments[name]
    return dated(wanted.upper(), moment.replace(microsecond=0)) if moment else False


_THINGS: Mapping[str, Callable[[Thing, str, str], bool]] = {
    **dict.fromkeys(("repo", "org", "user"), lambda thing, name, wanted: _stands_in(thing.repository, name, wanted)),
    **dict.fromkeys(("is", "type", "state"), _is),
    **dict.fromkeys(("author", "assignee", "commenter", "involves"), _by),
    **dict.fromkeys(("created", "updated", "closed"), _happened),
    "label": _labelled,
    "no": _lacks,
    "milestone": lambda thing, _, wanted: thing.milestone.casefold() == wanted,
    "category": lambda thing, _, wanted: thing.category.casefold() == wanted,
}


_FILES: Mapping[str, Callable[[File, str], bool]] = {
    "repo": lambda file, wanted: _stands_in(file.repository, "repo", wanted),
    "org": lambda file, wanted: _stands_in(file.repository, "org", wanted),
    "user": lambda file, wanted: _stands_in(file.repository, "user", wanted),
    "path": lambda file, wanted: file.path.casefold().startswith(wanted.strip("/")),
    "filename": lambda file, wanted: file.path.casefold().rpartition("/")[2].startswith(wanted),
    "extension": lambda file, wanted: file.path.casefold().endswith(f".{wanted}"),
}
