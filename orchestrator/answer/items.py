"""Items that a text says are open or done: boxes of a checklist, and rows of a table with a cell that says so and nothing else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from orchestrator.answer.sentences import READ
from orchestrator.answer.text import quotable_line
from translators.patterns import regex
from translators.query import Compare, Field, Op, State

if TYPE_CHECKING:
    from collections.abc import Iterator

    from translators.query import Query

BOXED = regex(r"[ \t]{0,40}(?:[-*+•][ \t]{1,9})?(?:(?P<open>☐|\[ ?\])|(?:[☑✅✔]|\[[xX]\]))[ \t]{1,9}(?P<name>\S.*)")
OPEN = regex(
    r"open|to ?do|t\.?b\.?d\.?|pending|in progress|not (?:yet )?(?:started|done|decided)|undecided|blocked|waiting"
    r"|미정|미확정|미완료?|미착수|미결|대기(?:\s?중)?|보류|진행\s?중?|예정",
    re.IGNORECASE,
)
DONE = regex(
    r"done|closed|completed?|paid|finished|fixed|resolved|완료|종결|종료|해결|끝|지급(?:\s?완료)?", re.IGNORECASE
)
NAMES = 2  # cells at least in a row: what it is, and how it stands


def asked_state(query: Query) -> State | None:
    """Whether what is open or what is done is asked for, as far as the question says."""
    states = (each.clause for each in query.implied if isinstance(each.clause, Compare))
    found = (each.value for each in states if each.field is Field.STATE and each.op is Op.EQ)
    return next((each for each in found if isinstance(each, State)), None)


def items_of(text: str, state: State | None) -> tuple[str, ...]:
    """What is open, or done, as the text calls it, in order; nothing where no state is asked for."""
    if state is None:
        return ()
    wanted = state is State.OPEN
    return tuple(name for name, is_open in _items(text[:READ]) if is_open is wanted)


def tally(text: str) -> tuple[int, int]:
    """How many of the items that a text lists are done, and how many there are; one item is no list."""
    found = [is_open for _, is_open in _items(text[:READ])]
    return (found.count(False), len(found)) if len(found) > 1 else (0, 0)


def _items(text: str) -> Iterator[tuple[str, bool]]:
    for line in text.split("\n"):
        if box := BOXED.match(line):
            yield quotable_line(box["name"]), box["open"] is not None
        elif "|" in line:
            first, *others = (cell.strip() for cell in line.strip().strip("|").split("|"))
            marks = [bool(OPEN.fullmatch(cell)) for cell in others if OPEN.fullmatch(cell) or DONE.fullmatch(cell)]
            if first and len(marks) == 1 and len(others) + 1 >= NAMES:
                yield quotable_line(first), marks[0]
