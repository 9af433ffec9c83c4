"""What each hand-typed filter does with its value."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Protocol

from orchestrator.understand.doubts import NO_DAY, NO_SOURCE, NO_STATE, NO_TYPE, NONE, NOT_WITHOUT
from orchestrator.understand.draft import Role
from orchestrator.understand.people_words import without_titles
from orchestrator.understand.time import period_named
from translators.inflection import numbers
from translators.mentions import handle_mentioned, person_mentioned, place_mentioned
from translators.patterns import regex
from translators.query import Category, Container, Doubt, Entity, EntityKind, Kind, Person, State, Window

if TYPE_CHECKING:
    from orchestrator.understand.draft import Draft

ISO_DAY = regex(r"(\d{4})[-./](\d{1,2})(?:[-./](\d{1,2}))?")

KINDS: dict[str, tuple[Kind, Category | None]] = {
    "message": (Kind.MESSAGE, Category.CHAT),
    "thread": (Kind.THREAD, Category.CHAT),
    "page": (Kind.PAGE, Category.WIKI),
    "wiki": (Kind.PAGE, Category.WIKI),
    "database": (Kind.DATABASE, Category.WIKI),
    "file": (Kind.FILE, Category.DRIVE),
    "doc": (Kind.FILE, Category.DRIVE),
    "issue": (Kind.ISSUE, Category.TRACKER),
    "ticket": (Kind.ISSUE, Category.TRACKER),
    "task": (Kind.ISSUE, Category.TRACKER),
    "milestone": (Kind.MILESTONE, Category.TRACKER),
    "pr": (Kind.PULL_REQUEST, Category.CODE),
    "pull_request": (Kind.PULL_REQUEST, Category.CODE),
    "code": (Kind.CODE, Category.CODE),
    "mail": (Kind.MAIL, Category.MAIL),
    "email": (Kind.MAIL, Category.MAIL),
    "event": (Kind.EVENT, None),
    "web": (Kind.WEB_PAGE, Category.WEB),
    "web_page": (Kind.WEB_PAGE, Category.WEB),
}
STATES = {
    "open": State.OPEN,
    "unresolved": State.OPEN,
    "active": State.OPEN,
    "closed": State.DONE,
    "done": State.DONE,
    "resolved": State.DONE,
    "merged": State.DONE,
    "completed": State.DONE,
}
ME = frozenset({"me", "@me", "self", "나", "본인", "저"})


def _from(draft: Draft, value: str, at: int, *, negative: bool) -> bool:
    person = person_named(draft, value)
    if negative:
        draft.excluded_authors.append(str(person))
        draft.negated.append((at, str(person)))
    else:
        draft.author = person
        draft.mine = draft.mine or person.me
    if not person.me:
        draft.entities.append((at, Entity(EntityKind.PERSON, str(person), 1.0, person.email)))
    return True


def person_named(draft: Draft, value: str) -> Person:
    """The person a filter value or a name in the text stands for, completed from the directory."""
    if value.lower() in ME:
        return Person("", me=True)
    if (mentioned := person_mentioned(value)) is not None:
        known = draft.directory.member(mentioned.native_id or "")
        name = known.name if known else mentioned.name
        return replace(mentioned, name=name, email=known.email if known else None)
    bare = value.lstrip("@")
    names = dict.fromkeys((bare, without_titles(bare, draft.lexicon.titles_ko)))
    for name in names:
        if found := draft.directory.person(name, fuzzy=False):
            return Person(found[0].name, email=found[0].email)
    return handle_mentioned(value) or Person(list(names)[-1], email=bare if "@" in bare else None)


def _in(draft: Draft, value: str, at: int, *, negative: bool) -> bool:
    name = value.lstrip("#")
    if not name:
        return False
    if negative:
        draft.negated.append((at, name))
        return True
    if value.startswith("#") or draft.directory.channel(name):
        draft.hints.append((at, Category.CHAT))
    if (mentioned := place_mentioned(value)) is not None:
        draft.hints.append((at, Category.CHAT))
        draft.container = replace(
            mentioned, name=draft.directory.places.get(mentioned.native_id or "") or mentioned.name
        )
        return True
    draft.container = Container(draft.directory.channel(name) or name)
    return True


def _repo(draft: Draft, value: str, at: int, *, negative: bool) -> bool:
    if negative:
        draft.negated.append((at, value))
        return True
    draft.hints.append((at, Category.CODE))
    draft.container = Container(value)
    return True


def _day(draft: Draft, value: str, name: str) -> date | None:
    match = ISO_DAY.fullmatch(value.rstrip("."))
    try:
        if match:
            return date(int(match[1]), int(match[2]), int(match[3] or 1))
    except ValueError:
        pass  # falls through to the doubt: the digits are there but no calendar has that day
    else:
        if (period := period_named(value, draft.now.date(), draft.lexicon)) and period.start:
            return period.start
    draft.doubts.append(Doubt("bad_date", NO_DAY.filled(name=name, value=value)))
    return None


def _after(draft: Draft, value: str, _at: int, *, negative: bool) -> bool:
    if negative:
        return _before(draft, value, _at, negative=False)
    start = _day(draft, value, "after")
    if start is None:
        return False
    draft.window = Window(start, draft.window.end if draft.window else None, _words(draft, f"after:{value}"))
    return True


def _before(draft: Draft, value: str, _at: int, *, negative: bool) -> bool:
    if negative:
        return _after(draft, value, _at, negative=False)
    end = _day(draft, value, "before")
    if end is None:
        return False
    draft.window = Window(draft.window.start if draft.window else None, end, _words(draft, f"before:{value}"))
    return True


def _during(draft: Draft, value: str, _at: int, *, negative: bool) -> bool:
    """``on:yesterday``, ``during:october``: all of that time, and nothing else."""
    period = period_named(value, draft.now.date(), draft.lexicon)
    if period is None or negative:
        draft.doubts.append(Doubt("bad_date", NO_DAY.filled(name="on", value=value)))
        return False
    draft.window = Window(period.start, period.end, f"on:{value}")
    return True


def _words(draft: Draft, said: str) -> str:
    return f"{draft.window.words} {said}" if draft.window else said


def _type(draft: Draft, value: str, at: int, *, negative: bool) -> bool:
    found = next(filter(None, map(KINDS.get, numbers(value.lower()))), None)
    if found is None:
        known = ", ".join(kind for kind in KINDS)
        draft.doubts.append(Doubt("unknown_type", NO_TYPE.filled(value=value, known=known)))
        return False
    if negative:
        return True
    draft.kinds.append(found[0])
    if found[1]:
        draft.hints.append((at, found[1]))
    return True


def _is(draft: Draft, value: str, _at: int, *, negative: bool) -> bool:
    state = STATES.get(value.lower())
    if state is None:
        draft.doubts.append(Doubt("unknown_state", NO_STATE.filled(value=value, known=", ".join(STATES))))
        draft.claim(_at, _at + len(f"is:{value}"), Role.FILTER)  # is:thread sets no field, and is no word either
        return False
    other = State.DONE if state is State.OPEN else State.OPEN
    draft.states.append(other if negative else state)
    return True


def _assignee(draft: Draft, value: str, at: int, *, negative: bool) -> bool:
    person = person_named(draft, value)
    if negative:
        draft.negated.append((at, str(person)))
        return True
    draft.assignee = person
    draft.mine = draft.mine or person.me
    if not person.me:
        draft.entities.append((at, Entity(EntityKind.PERSON, str(person), 1.0, person.email)))
    return True


def _source(draft: Draft, value: str, at: int, *, negative: bool) -> bool:
    name = value.lower()
    if draft.known is not None and name not in draft.known:
        names = ", ".join(sorted(draft.known)) or NONE
        draft.doubts.append(Doubt("unknown_source", NO_SOURCE.filled(value=value, names=names)))
    if negative:
        draft.doubts.append(Doubt("unsupported_filter", NOT_WITHOUT.filled(value=value)))
        return True
    draft.sources.append(name)
    if category := (draft.known or {}).get(name) or draft.lexicon.categories.get(name):
        draft.hints.append((at, category))
    return True


class FilterReader(Protocol):
    """Reads the value of one filter; false where it could not be taken at its word."""

    def __call__(self, draft: Draft, value: str, at: int, /, *, negative: bool) -> bool: ...


READERS: dict[str, FilterReader] = {
    "from": _from,
    "author": _from,
    "by": _from,
    "in": _in,
    "repo": _repo,
    "after": _after,
    "since": _after,
    "before": _before,
    "until": _before,
    "on": _during,
    "during": _during,
    "type": _type,
    "is": _is,
    "assignee": _assignee,
    "source": _source,
}
FIELDS = {
    "from": "author",
    "author": "author",
    "by": "author",
    "in": "container",
    "repo": "container",
    "after": "window",
    "since": "window",
    "before": "window",
    "until": "window",
    "on": "window",
    "during": "window",
    "type": "kinds",
    "is": "states",
    "assignee": "assignee",
    "source": "sources",
}
"""The field of a draft that a filter sets."""
DATED = frozenset({_after, _before, _during})


def names_known(draft: Draft, name: str, value: str) -> bool:
    """Whether several words together are somebody, a place or a time that is known."""
    field = FIELDS.get(name)
    if field == "window":
        return period_named(value, draft.now.date(), draft.lexicon) is not None
    if field == "container":
        return draft.directory.channel(value) is not None
    bare = without_titles(value.lstrip("@"), draft.lexicon.titles_ko)
    return field in {"author", "assignee"} and draft.directory.person(bare, fuzzy=False) is not None


def names_something(draft: Draft, name: str, value: str) -> bool:
    """Whether what stands apart from the name of a filter is a value of it: "the question is: who" has none."""
    match FIELDS.get(name):
        case "window":
            return bool(ISO_DAY.fullmatch(value)) or names_known(draft, name, value)
        case "kinds":
            return any(kind in KINDS for kind in numbers(value.lower()))
        case "states":
            return value.lower() in STATES
        case "sources":
            return value.lower() in (draft.known or draft.lexicon.categories)
        case _:
            said = value.lower()
            named = value[:1].isalnum() or value[:1] in {"@", "#", "<"}
            return named and (said in ME or said not in draft.lexicon.stop_en)
