"""Hand-typed filters: ``from: author: in: repo: after: before: on: type: is: assignee: source:`` and ``-word``; and what each does with its value."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Protocol

from orchestrator.understand.draft import (
    KNOWN,
    MEANT,
    NEVER,
    NO_DAY,
    NO_FILTER,
    NO_SOURCE,
    NO_STATE,
    NO_TYPE,
    NONE,
    NOT_WITHOUT,
    Role,
)
from orchestrator.understand.people_words import without_titles
from orchestrator.understand.time import period_named
from translators.inflection import numbers
from translators.names import handle_mentioned, person_mentioned, place_mentioned
from translators.patterns import regex
from translators.query import Category, Container, Doubt, Entity, EntityKind, Kind, Person, State, Window

if TYPE_CHECKING:
    from collections.abc import Iterator

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
        _set(draft, "author", person)
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
        known = draft.directory.places.get(mentioned.native_id or "")
        _set(draft, "container", replace(mentioned, name=known or mentioned.name))
    else:
        _set(draft, "container", Container(draft.directory.channel(name) or name))
    return True


def _repo(draft: Draft, value: str, at: int, *, negative: bool) -> bool:
    if negative:
        draft.negated.append((at, value))
        return True
    draft.hints.append((at, Category.CODE))
    _set(draft, "container", Container(value))
    return True


def _set(draft: Draft, name: str, value: Person | Container) -> None:
    """Each further value of a filter is one that will do as well, as in Slack and GitHub: ``from:dana from:lee``."""
    if getattr(draft, name) is None:
        setattr(draft, name, value)
    else:
        draft.others.append((name, value))


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
    _set(draft, "assignee", person)
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


QUOTED = r"\"[^\"]*\"|'[^']*'|“[^”]*”|‘[^’]*’|「[^」]*」"
MENTION = r"<[@#][A-Z0-9]{2,21}(?:\|[^<>|\"]{0,80})?>"
"""As Slack writes people and channels; the name in it may have blanks."""
FILTER = regex(
    rf"(?<![\w:/#@.])(?P<not>-)?(?P<name>(?i:{'|'.join(READERS)})(?=:)|[A-Za-z]{{2,12}}(?=:\S)):(?P<gap>\s?)"
    rf"(?P<value>{QUOTED}|{MENTION}|(?!//)[^\s\"“”「」]+)"
)
"""Behind a name that is known, a blank may stand: ``from: 김민수``."""
HEADER = regex(r"\b(?:subject|sent|to|cc|date):\s|(?:제목|받는 ?사람|보낸 ?날짜):\s", re.IGNORECASE)
"""The head of a mail that was pasted: what stands there after "From:" is no filter."""
GOING_ON = regex(r" [^\s:\"'“”‘’「」<-][^\s:\"“”]*(?=\s|$)")
"""A word that may belong to the value before it."""
MORE = 3
"""Words at most that a value goes on for."""
MINUS = regex(rf"(?<![^\s(])-(?P<value>{QUOTED}|[^\W_][^\s,;\"]*)")
EITHER = regex(r"(?<=\S )OR(?= \S)")
PLACE = regex(r"\d+(?::\d+)?\W*")
"""A line of a file, a port, the number of an error: localhost:8080, retries:3."""

NEAR_MISSES = {"form": "from", "frm": "from", "auther": "author", "befor": "before", "afer": "after", "tpye": "type",
               "assigne": "assignee", "asignee": "assignee", "srouce": "source", "sorce": "source"}  # fmt: skip


def read_filters(draft: Draft) -> None:
    """Take the filters out of the text; what is no filter stays as plain words, with a doubt that says so."""
    if ":" not in draft.open:
        return
    pasted = HEADER.search(draft.open) is not None
    for match in list(FILTER.finditer(draft.open)):
        name, (value, end) = match["name"].lower(), _value(draft, match)
        read = READERS.get(name)
        if match["gap"] and (pasted or not names_something(draft, name, value)):
            continue
        if read is None:
            _doubt_unknown(draft, name, match)
        elif value and read(draft, value, match.start(), negative=bool(match["not"])):
            draft.filtered = True
            draft.typed.update(_typed(draft, name, negative=bool(match["not"])))
            draft.claim(match.start(), end, Role.FILTER)
        elif read in DATED:
            draft.claim(match.start(), end, Role.FILTER)  # a day no calendar has is no word to search for
        else:
            draft.claim(match.start(), match.start("value"), Role.FILTER)
    _order_window(draft)


def _value(draft: Draft, match: re.Match[str]) -> tuple[str, int]:
    """What a filter is given, and where that ends: a name or a time of several words needs no quotes (``after:last week``, ``from:Sarah Kim``)."""
    value = match["value"].strip("\"'“”‘’「」").rstrip(",;")
    ends: list[int] = []
    if match["value"][0] not in "\"'“‘「<" and not match["value"].endswith((",", ";")):
        while len(ends) < MORE and (word := GOING_ON.match(draft.open, ends[-1] if ends else match.end())):
            ends.append(word.end())
    for end in reversed(ends):
        longer = value + draft.open[match.end() : end].rstrip(",;.?!")
        if names_known(draft, match["name"].lower(), longer):
            return longer, end
    return value, match.end()


def read_minuses(draft: Draft) -> None:
    """Take ``-word`` and ``-"several words"`` out of the text."""
    if "-" not in draft.open:
        return
    for match in list(MINUS.finditer(draft.open)):
        months = match["value"].isdecimal() and draft.open[: match.start()].rstrip()[-1:].isdecimal()
        if match["value"].strip("\"'“”‘’「」") and not months:  # "2016 -11" is a month
            draft.negated.append((match.start(), match["value"].strip("\"'“”‘’「」").rstrip(".?!")))
            draft.typed.add(f"-{draft.negated[-1][1]}")
            draft.claim(match.start(), match.end(), Role.FILTER)


def read_either(draft: Draft) -> None:
    """Take OR in capitals, as search boxes have it, out of the text."""
    if " OR " in draft.open:
        for match in list(EITHER.finditer(draft.open)):
            draft.either.append(match.start())
            draft.claim(match.start(), match.end(), Role.FILTER)


def _typed(draft: Draft, name: str, *, negative: bool) -> Iterator[str]:
    """The conditions that a filter sets, by the names of their fields."""
    if negative and draft.negated:
        yield f"-{draft.negated[-1][1]}"
    elif (field := FIELDS.get(name)) is not None:
        yield field


def _doubt_unknown(draft: Draft, name: str, match: re.Match[str]) -> None:
    if (
        name in {"http", "https", "ftp", "mailto", "re", "fw", "fwd", "note", "tel", "urgent"}
        or match["value"][0] in "/\\:"
        or (name not in NEAR_MISSES and PLACE.fullmatch(match["value"]))
    ):
        return
    near = NEAR_MISSES.get(name)
    if near:
        draft.claim(match.start(), match.start("value"), Role.FILTER)
    hint = MEANT.filled(near=near) if near else KNOWN.filled(known=", ".join(f"{known}:" for known in READERS))
    draft.doubts.append(Doubt("unknown_filter", NO_FILTER.filled(name=name, hint=hint)))
    # The name of a filter nobody knows says nothing; its value may be what is searched.
    draft.open = f"{draft.open[: match.end('name')]} {draft.open[match.end('name') + 1 :]}"


def _order_window(draft: Draft) -> None:
    window = draft.window
    if window and window.start and window.end and window.start >= window.end:
        draft.doubts.append(Doubt("contradictory_window", NEVER.filled(start=window.start, end=window.end)))
        draft.window = None
