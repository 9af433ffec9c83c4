"""Hand-typed filters: ``from: author: in: repo: after: before: on: type: is: assignee: source:`` and ``-word``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from orchestrator.understand.doubts import KNOWN, MEANT, NEVER, NO_FILTER
from orchestrator.understand.draft import Role
from orchestrator.understand.filter_values import DATED, FIELDS, READERS, names_known, names_something
from translators.patterns import regex
from translators.query import Doubt

if TYPE_CHECKING:
    from collections.abc import Iterator

    from orchestrator.understand.draft import Draft

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
