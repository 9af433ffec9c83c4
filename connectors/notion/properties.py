"""What stands in the properties of a page, most of all of a row of a database: https://developers.notion.com/reference/page-property-values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from pydantic import ValidationError

from connectors.notion.wire import User, marked_runs
from connectors.structure import box
from connectors.text import clip, known_name, plain_line
from connectors.trackers import ASSIGNEE, DUE, EXACT, NOT_AT_ALL, STATUS, state_of
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from connectors.trackers import ColumnName
    from translators.query import State

MOST, NAME, VALUE, ALL = 40, 80, 500, 4000
"""Properties of one page that are told, and characters of a name, of a value and of all lines."""
READ = 500  # properties and members of a value that are looked at, as many as a database may have
REFERENCES = 25
"""Of more pages and people than these a search's reply leaves out the rest, and does not say so."""
EXACTLY = 10**15  # numbers from here on a double holds no more digit by digit
LEFT_OUT = "…"
TITLE = "own_title"
DAY = len("2026-12-01")


@record
class PageProperties:
    """What the properties of a page say: ``lines`` in its order, ``whole`` where nothing that it shows is missing from them.

    ``assignees``: the names of those whose it is to do, ``assignee`` who that is where it is one person; ``due`` the day or moment by which, in ISO; ``status`` as its column says it, and the ``state`` that means.
    """

    lines: tuple[str, ...] = ()
    whole: bool = True
    assignees: tuple[str, ...] = ()
    assignee: User | None = None
    due: str = ""
    status: str = ""
    state: State | None = None


class ToldValue(NamedTuple):
    """What one property says, and whether that is all it holds."""

    said: str
    whole: bool = True


class PageColumn(NamedTuple):
    """One property: its name, its type, and what stands in it."""

    name: str
    type: str
    content: object


NOTHING, UNTOLD = ToldValue(""), ToldValue("", whole=False)


def read_properties(properties: Mapping[str, object]) -> PageProperties:
    """What is said by the properties of a page, whatever they hold; its title is none of them."""
    columns = [_column(name, held) for name, held in islice(properties.items(), READ)]
    said = [(each, _value(each.type, each.content)) for each in columns]
    lines, whole = _lines(said)
    owners, status = _owners(columns), _status(columns)
    return PageProperties(
        lines,
        whole and len(properties) <= READ,
        tuple(name for each in owners if (name := known_name(_name(each)))),
        _user(owners[0]) if len(owners) == 1 else None,  # of several none can stand for the others
        _due(columns),
        status,
        state_of(status),
    )


def _column(name: str, held: object) -> PageColumn:
    """One that cannot be read is of no type."""
    kind = held.get("type") if isinstance(held, Mapping) else None
    name = clip(plain_line(name), NAME)[0]
    if not isinstance(held, Mapping) or not isinstance(kind, str):
        return PageColumn(name, "", held)
    return PageColumn(name, TITLE if kind == "title" else kind, held.get(kind))


def _lines(said: Sequence[tuple[PageColumn, ToldValue]]) -> tuple[tuple[str, ...], bool]:
    lines: list[str] = []
    whole, left = True, ALL
    for column, value in said:
        whole = whole and value.whole
        if not value.said:
            continue
        line, all_of_it = _line(column.name, value)
        whole, left = whole and all_of_it, left - len(line)
        if left < 0 or len(lines) == MOST:
            return (*lines, LEFT_OUT), False
        lines.append(line)
    return tuple(lines), whole


def _line(name: str, value: ToldValue) -> tuple[str, bool]:
    text, within = clip(plain_line(value.said), VALUE)
    cut = not within or not value.whole
    told = f"{text}{LEFT_OUT if cut else ''}"
    return (f"{name}: {told}" if name else told), not cut


# ---- what tells of the work


def _owners(columns: Sequence[PageColumn]) -> Sequence[object]:
    column = _called(ASSIGNEE, (each for each in columns if each.type == "people" and _members(each.content)))
    return _members(column.content) if column else ()


def _user(person: object) -> User | None:
    """Somebody, and no group of people."""
    if not isinstance(person, Mapping) or person.get("object") == "group":
        return None
    try:
        return User.model_validate(person)
    except ValidationError:
        return None


def _due(columns: Sequence[PageColumn]) -> str:
    """Of several days the last: by then it is to be done."""
    column = _called(DUE, (each for each in columns if _is_day(each)))
    if column is None:
        return ""
    told = _formula(column.content)[1] if column.type == "formula" else column.content
    assert isinstance(told, Mapping)
    return next(str(each) for each in (told.get("end"), told.get("start")) if _is_iso(each))


def _is_day(column: PageColumn) -> bool:
    kind, content = _formula(column.content) if column.type == "formula" else (column.type, column.content)
    return (
        kind == "date" and isinstance(content, Mapping) and any(_is_iso(content.get(each)) for each in ("end", "start"))
    )


def _status(columns: Sequence[PageColumn]) -> str:
    """Of a status, whatever it is called; of a choice only if it is called so, as a choice may be of anything."""
    named = [each for each in columns if each.type == "status" and _name(each.content)]
    chosen = [
        each for each in columns if each.type == "select" and STATUS.fits(each.name) == EXACT and _name(each.content)
    ]
    sure = [each for each in named if STATUS.fits(each.name) == EXACT]
    first = next(iter((*sure, *(named if len(named) == 1 else ()), *chosen)), None)
    return clip(_name(first.content), NAME)[0] if first else ""


def _called(wanted: ColumnName, columns: Iterator[PageColumn]) -> PageColumn | None:
    """The first that is called just so; else the only one that says so with more words, as of two none can stand for the other."""
    fits = [(wanted.fits(each.name), each) for each in columns]
    exact = next((each for sure, each in fits if sure == EXACT), None)
    others = [each for sure, each in fits if sure != NOT_AT_ALL]
    return exact or (others[0] if len(others) == 1 else None)


# ---- values by their types


def _value(kind: str, content: object) -> ToldValue:
    """What a value of this type says; a type that is not known is read by its shape."""
    return READERS.get(kind, _shaped)(content) if kind else UNTOLD


def _text(content: object) -> ToldValue:
    return ToldValue(plain_line(content)) if isinstance(content, str) else NOTHING


def _runs(content: object) -> ToldValue:
    runs = content if isinstance(content, list) else []
    mentions = sum(1 for run in runs if isinstance(run, Mapping) and run.get("type") == "mention")
    return ToldValue(plain_line(marked_runs(runs)), mentions < REFERENCES)


def _number(content: object) -> ToldValue:
    if isinstance(content, bool) or not isinstance(content, int | float):
        return NOTHING
    if not -EXACTLY < content < EXACTLY:
        return UNTOLD
    return ToldValue(f"{content:.15g}")


def _checkbox(content: object) -> ToldValue:
    return ToldValue(box(ticked=content)) if isinstance(content, bool) else NOTHING


def _name(content: object) -> str:
    name = content.get("name") if isinstance(content, Mapping) else None
    return plain_line(name) if isinstance(name, str) else ""


def _named(content: object) -> ToldValue:
    return ToldValue(_name(content))


def _all_named(content: object) -> ToldValue:
    return _joined(ToldValue(_name(each)) for each in _members(content))


def _person(content: object) -> ToldValue:
    """By name; an id tells a reader nothing."""
    if not isinstance(content, Mapping):
        return NOTHING
    name = known_name(_name(content))
    return ToldValue(name) if name else UNTOLD


def _maker(content: object) -> ToldValue:
    """Who created or changed a page is told of each by their id: no name, nothing missing."""
    return ToldValue(_person(content).said)


def _people(content: object) -> ToldValue:
    said, whole = _joined(map(_person, _members(content)))
    return ToldValue(said, whole and len(_members(content)) < REFERENCES)


def _relation(content: object) -> ToldValue:
    """Other pages by their ids alone: the reader of the page sees their titles."""
    return UNTOLD if _members(content) else NOTHING


def _date(content: object) -> ToldValue:
    if not isinstance(content, Mapping):
        return NOTHING
    start, end = (_moment(content.get(each)) for each in ("start", "end"))
    return ToldValue(" – ".join(each for each in (start, end) if each))


def _passed_over(_: object) -> ToldValue:
    """A page's own title, and when it was created and last changed, are told of each page; a button says nothing."""
    return NOTHING


def _formula(content: object) -> tuple[str, object]:
    kind = content.get("type") if isinstance(content, Mapping) else None
    return (kind, content.get(kind)) if isinstance(content, Mapping) and isinstance(kind, str) else ("", None)


def _calculated(content: object) -> ToldValue:
    kind, held = _formula(content)
    if kind not in CALCULATED:
        return UNTOLD if kind else NOTHING  # unsupported, or incomplete
    return CALCULATED[kind](held)


def _array(content: object) -> ToldValue:
    """Values of one property of other pages, each with its type."""
    members = _members(content)
    said, whole = _joined(_value(*_formula(each)) if _formula(each)[0] not in NESTING else UNTOLD for each in members)
    return ToldValue(said, whole and len(members) < REFERENCES)


def _number_of(content: object) -> ToldValue:
    """A key as people say it: ``TASK-12``."""
    number = _number(content.get("number")) if isinstance(content, Mapping) else NOTHING
    prefix = _text(content.get("prefix")).said if isinstance(content, Mapping) else ""
    return ToldValue(f"{prefix}-{number.said}" if prefix and number.said else number.said)


def _verification(content: object) -> ToldValue:
    state = content.get("state") if isinstance(content, Mapping) else None
    return ToldValue(plain_line(state)) if isinstance(state, str) and state != "unverified" else NOTHING


def _place(content: object) -> ToldValue:
    held = content if isinstance(content, Mapping) else {}
    return _joined(_text(held.get(each)) for each in ("name", "address"))


def _shaped(content: object) -> ToldValue:
    """A value of a type that came later than this was written."""
    if content is None:
        return NOTHING
    for reader in (_text, _number, _checkbox, _named, _all_named, _date):
        if (found := reader(content)).said:
            return found
    return UNTOLD if content else NOTHING


def _joined(values: Iterator[ToldValue]) -> ToldValue:
    found = list(values)
    return ToldValue(", ".join(each.said for each in found if each.said), all(each.whole for each in found))


def _members(content: object) -> Sequence[object]:
    return content[:READ] if isinstance(content, list) else ()


def _is_iso(value: object) -> bool:
    if not isinstance(value, str):
        return False
    try:
        date.fromisoformat(value[:DAY])
    except ValueError:
        return False
    return len(value) >= DAY


def _moment(value: object) -> str:
    """A day as it is, a time as it is read where it was written down; that in UTC says so."""
    if not isinstance(value, str) or not _is_iso(value):
        return ""
    if len(value) == DAY:
        return value
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return value[:DAY]
    universal = " UTC" if moment.utcoffset() == timedelta(0) else ""
    return f"{moment:%Y-%m-%d %H:%M}{universal}"


READERS: Mapping[str, Callable[[object], ToldValue]] = MappingProxyType(
    {
        "rich_text": _runs,
        "title": _runs,  # of other pages, in a rollup
        TITLE: _passed_over,
        "number": _number,
        "select": _named,
        "status": _named,
        "multi_select": _all_named,
        "date": _date,
        "people": _people,
        "files": _all_named,
        "checkbox": _checkbox,
        "url": _text,
        "email": _text,
        "phone_number": _text,
        "formula": _calculated,
        "rollup": _calculated,
        "relation": _relation,
        "created_by": _maker,
        "last_edited_by": _maker,
        "created_time": _passed_over,
        "last_edited_time": _passed_over,
        "unique_id": _number_of,
        "verification": _verification,
        "place": _place,
        "button": _passed_over,
    }
)
CALCULATED: Mapping[str, Callable[[object], ToldValue]] = MappingProxyType(
    {"string": _text, "number": _number, "boolean": _checkbox, "date": _date, "array": _array}
)
NESTING = frozenset({"rollup", "formula"})
"""Of a rollup's values these would lead on and on."""
