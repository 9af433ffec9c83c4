"""A backtracking matcher over the parse tree of :mod:`re`, which counts its steps.

It tries what CPython's engine tries, in the same order; only the engine's shortcuts by a constant factor (a literal prefix,
a table of first characters) are left out. A step is a character that is compared, an alternative that is entered, or a place
from which a repetition goes on.
"""

from __future__ import annotations

import re
import sys
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Step = Callable[[int], int]
    Test = Callable[[str], bool]

FAILED = -1
DEEP = 1_000_000
"""The recursion limit that a match of a long text needs; for this work alone, as C code that recurses trusts the usual one."""
SPACES = " \t\n\r\f\v"
WORDS_ASCII = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")


class TooManySteps(Exception):
    """The budget is used up."""


class Counting:
    """A pattern that can be matched against texts: ``steps`` of the last call, and never more than ``budget``."""

    def __init__(self, pattern: str | bytes, flags: int = 0) -> None:
        self.bytes = isinstance(pattern, bytes)
        self.tree = parser.parse(pattern, flags)
        self.flags: int = self.tree.state.flags
        self.steps, self.budget = 0, 0
        self._text, self._whole = "", False
        self._groups: dict[int, tuple[int, int]] = {}
        self._runs: list[dict[int, int]] = []
        self._tests: list[Test] = []
        self._refers = False  # to what was found before, which is compared letter by letter
        self._kind_of: dict[str, str] = {}
        self._kinds: dict[tuple[bool, ...], str] = {}
        self._begins: dict[Step, tuple[Test, int]] = {}  # what it begins with, and its steps where that is not there
        self._back = 1  # characters before a place that tell how it goes on there
        self._gone: dict[tuple[bool, int, str], tuple[int, int]] = {}  # characters taken and steps, by what is seen
        self._first = self._sequence(self.tree, self.flags, self._end)
        self._opening = self._begins.get(self._first)

    def count(self, text: str, how: str, budget: int) -> int:
        """Steps of one call on the text. ``how``: match, fullmatch, search, or all for sub, split and finditer."""
        self.spans(text, how, budget)
        return self.steps

    def spans(self, text: str, how: str, budget: int) -> list[tuple[int, int]]:
        """What is matched, as :mod:`re` would say; :class:`TooManySteps` where the budget does not do."""
        self._text, self._whole, self.steps, self.budget = text, how == "fullmatch", 0, budget
        for runs in self._runs:
            runs.clear()
        if how in ("match", "fullmatch"):
            end = self._at(0)
            return [(0, end)] if end >= 0 else []
        found: list[tuple[int, int]] = []
        start = 0
        while start <= len(text) and not (found and how == "search"):
            end = self._at(start)
            if end < 0:
                start += 1
                continue
            found.append((start, end))
            start = end if end > start else start + 1
        return found

    def in_kinds(self, text: str) -> str:
        """The text with each character told by the first that the pattern cannot tell from it: both take the same steps."""
        return text if self._refers else "".join(map(self._kind, text))

    def _kind(self, char: str) -> str:
        if (known := self._kind_of.get(char)) is None:
            traits = (
                char == "\n",
                char.isalnum() or char == "_",
                char in WORDS_ASCII,
                *(test(char) for test in self._tests),
            )
            known = self._kind_of[char] = self._kinds.setdefault(traits, char)
        return known

    def _at(self, start: int) -> int:
        """Where a match from there ends. Texts that repeat themselves are seen again and again: by their ends, each once."""
        seen = min(start, self._back)
        key = self._whole, seen, self._text[start - seen :]
        if (gone := self._gone.get(key)) is None:
            before = self.steps
            end = self._looked_at(start)
            gone = end - start if end >= 0 else FAILED, self.steps - before
            self._gone[key] = gone
        else:
            self._took(gone[1])
        return start + gone[0] if gone[0] >= 0 else FAILED

    def _looked_at(self, start: int) -> int:
        self._took(1)
        if self._opening is not None:
            test, steps = self._opening
            if start == len(self._text) or not test(self._text[start]):
                self._took(steps)
                return FAILED
        self._groups.clear()
        return self._first(start)

    def _took(self, steps: int) -> None:
        self.steps += steps
        if self.steps > self.budget:
            raise TooManySteps

    def _end(self, place: int) -> int:
        return FAILED if self._whole and place != len(self._text) else place

    # ---- building

    def _sequence(self, items: Iterable[Any], flags: int, then: Step) -> Step:
        for code, value in reversed(list(items)):
            then = self._one(code, value, flags, then)
        return then

    def _one(self, code: Any, value: Any, flags: int, then: Step) -> Step:
        if (test := self._single(code, value, flags)) is not None:
            return self._character(test, then)
        if code is op.AT:
            return self._anchor(value, flags, then)
        if code is op.BRANCH:
            return self._branch([self._sequence(each, flags, then) for each in value[1]])
        if code is op.SUBPATTERN:
            group, add, delete, items = value
            return self._group(group, items, (flags | add) & ~delete, then)
        if code in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            return self._repeat(code, value, flags, then)
        return self._looking(code, value, flags, then)

    def _looking(self, code: Any, value: Any, flags: int, then: Step) -> Step:
        """Nodes that do not go back, look around, or repeat what was found."""
        if code is op.ATOMIC_GROUP:
            return self._atomic(self._sequence(value, flags, lambda place: place), then)
        if code in (op.ASSERT, op.ASSERT_NOT):
            return self._assertion(code is op.ASSERT, value, flags, then)
        if code is op.GROUPREF:
            self._refers = True
            return self._again(value, then)
        if code is op.GROUPREF_EXISTS:
            group, yes, no = value
            there = self._sequence(yes, flags, then)
            absent = self._sequence(no, flags, then) if no else then
            return lambda place: there(place) if group in self._groups else absent(place)
        if code is op.FAILURE:
            return lambda _: FAILED
        raise NotImplementedError(code)

    def _begun(self, step: Step, *ways: Step, test: Test | None = None, steps: int) -> Step:
        """Note that the step fails in so many steps, besides those of its ways, where no character stands that one begins with."""
        begins = [self._begins.get(way) for way in ways]
        known = [each for each in begins if each is not None]
        if len(known) == len(begins):
            tests = [*([test] if test else []), *(each for each, _ in known)]
            self._begins[step] = (_any_of(tests), steps + sum(each for _, each in known))
        return step

    def _character(self, test: Test, then: Step) -> Step:
        def step(place: int) -> int:
            self._took(1)
            text = self._text
            return then(place + 1) if place < len(text) and test(text[place]) else FAILED

        return self._begun(step, test=test, steps=1)

    def _branch(self, branches: Sequence[Step]) -> Step:
        """Alternatives that cannot begin with a character are not entered for it: their steps are known."""
        ways: dict[str, tuple[list[tuple[int, Step]], int]] = {}

        def sorted_out(char: str) -> tuple[list[tuple[int, Step]], int]:
            entered, steps = [], 0
            for branch in branches:
                begins, steps = self._begins.get(branch), steps + 1
                if begins is None or (char and begins[0](char)):
                    entered.append((steps, branch))
                    steps = 0
                else:
                    steps += begins[1]
            return entered, steps

        def step(place: int) -> int:
            char = self._text[place : place + 1]
            if (known := ways.get(char)) is None:
                known = ways[char] = sorted_out(char)
            entered, rest = known
            for steps, branch in entered:
                self._took(steps)
                if (end := branch(place)) >= 0:
                    return end
            self._took(rest)
            return FAILED

        return self._begun(step, *branches, steps=len(branches))

    def _group(self, group: int | None, items: Any, flags: int, then: Step) -> Step:
        if group is None:
            return self._sequence(items, flags, then)
        starts: list[int] = []

        def closing(place: int) -> int:
            before, start = self._groups.get(group), starts.pop()
            self._groups[group] = (start, place)
            end = then(place)
            starts.append(start)
            if end < 0:
                self._groups.pop(group)
                if before is not None:
                    self._groups[group] = before
            return end

        inner = self._sequence(items, flags, self._begun(closing, then, steps=0))

        def step(place: int) -> int:
            starts.append(place)
            end = inner(place)
            starts.pop()
            return end

        return self._begun(step, inner, steps=0)

    def _repeat(self, code: Any, value: Any, flags: int, then: Step) -> Step:
        least, most, items = value
        most = sys.maxsize if most is op.MAXREPEAT else most
        alone = self._single(*items[0], flags) if len(items) == 1 else None
        if code is op.POSSESSIVE_REPEAT:
            end: Step = lambda place: place  # noqa: E731
            inner = (
                self._run(alone, least, most, True, end) if alone else self._loop(items, flags, least, most, True, end)
            )
            return self._atomic(inner, then)
        greedy = code is op.MAX_REPEAT
        if alone:
            return self._run(alone, least, most, greedy, then)
        return self._loop(items, flags, least, most, greedy, then)

    def _run(self, test: Test, least: int, most: int, greedy: bool, then: Step) -> Step:
        ends: dict[int, int] = {}
        self._runs.append(ends)

        def end_of_run(place: int) -> int:
            if (known := ends.get(place)) is None:
                text, known = self._text, place
                while known < len(text) and test(text[known]):
                    known += 1
                ends.update((each, known) for each in range(place, known + 1))
            return known

        def longest(place: int) -> int:
            last = min(end_of_run(place), place + most)
            self._took(last - place + 1)
            return tried(range(last, place + least - 1, -1))

        def shortest(place: int) -> int:
            last = min(end_of_run(place), place + most)
            return tried(range(place + least, last + 1))

        begins = self._begins.get(then)

        def tried(stops: Iterable[int]) -> int:
            text = self._text
            for stop in stops:
                if begins is not None and (stop == len(text) or not begins[0](text[stop])):
                    self._took(1 + begins[1])
                    continue
                self._took(1)
                if (end := then(stop)) >= 0:
                    return end
            return FAILED

        step, before = (longest, 1) if greedy else (shortest, 0)
        return self._begun(step, *([] if least else [then]), test=test, steps=before + (not least))

    def _loop(self, items: Any, flags: int, least: int, most: int, greedy: bool, then: Step) -> Step:
        times, last = 0, FAILED

        def again(place: int) -> int:
            nonlocal times, last
            if times >= most or (times >= least and place == last):
                return FAILED
            kept = times, last
            times, last = times + 1, place
            end = inner(place)
            times, last = kept
            return end

        def leave(place: int) -> int:
            nonlocal times, last
            if times < least:
                return FAILED
            kept = times, last
            end = then(place)
            times, last = kept
            return end

        def turn(place: int) -> int:
            self._took(1)
            first, second = (again, leave) if greedy else (leave, again)
            end = first(place)
            return end if end >= 0 else second(place)

        inner = self._sequence(items, flags, turn)

        def step(place: int) -> int:
            nonlocal times, last
            kept = times, last
            times, last = 0, FAILED
            end = turn(place)
            times, last = kept
            return end

        return self._begun(step, inner, *([] if least else [then]), steps=1)

    def _atomic(self, inner: Step, then: Step) -> Step:
        def step(place: int) -> int:
            end = inner(place)
            return then(end) if end >= 0 else FAILED

        return self._begun(step, inner, steps=0)

    def _assertion(self, wanted: bool, value: Any, flags: int, then: Step) -> Step:
        direction, items = value
        back = items.getwidth()[0] if direction < 0 else 0
        self._back += back
        inner = self._sequence(items, flags, lambda place: place)

        def step(place: int) -> int:
            self._took(1)
            found = place >= back and inner(place - back) >= 0
            return then(place) if found is wanted else FAILED

        return self._begun(step, inner, steps=1) if wanted and direction > 0 else step

    def _again(self, group: int, then: Step) -> Step:
        def step(place: int) -> int:
            start, end = self._groups.get(group, (0, FAILED))
            self._took(max(end - start, 0) + 1)
            if end < 0 or not self._text.startswith(self._text[start:end], place):
                return FAILED
            return then(place + end - start)

        return step

    def _anchor(self, where: Any, flags: int, then: Step) -> Step:
        letter = self._category(op.CATEGORY_WORD, flags)

        def holds(place: int) -> bool:
            text = self._text
            if where in (op.AT_BEGINNING, op.AT_BEGINNING_STRING):
                lines = where is op.AT_BEGINNING and flags & re.MULTILINE
                return place == 0 or bool(lines and text[place - 1] == "\n")
            if where is op.AT_END_STRING:
                return place == len(text)
            if where is op.AT_END:
                last = place == len(text) or (place == len(text) - 1 and text[place] == "\n")
                return last or bool(flags & re.MULTILINE and text[place] == "\n")
            before = place > 0 and letter(text[place - 1])
            after = place < len(text) and letter(text[place])
            return (before != after) is (where is op.AT_BOUNDARY)

        def step(place: int) -> int:
            self._took(1)
            return then(place) if holds(place) else FAILED

        return step

    # ---- characters

    def _single(self, code: Any, value: Any, flags: int) -> Test | None:
        """What one character must be, where the node is about just one."""
        if code is op.ANY:
            return (lambda _: True) if flags & re.DOTALL else (lambda char: char != "\n")  # which `_kind` knows apart
        if code in (op.LITERAL, op.NOT_LITERAL):
            return self._remembered([(op.LITERAL, value)], flags, code is op.NOT_LITERAL)
        if code is op.IN:
            negated = bool(value) and value[0][0] is op.NEGATE
            return self._remembered(value[1:] if negated else value, flags, negated)
        return None

    def _remembered(self, items: Sequence[Any], flags: int, negated: bool) -> Test:
        known: dict[str, bool] = {}
        tests = [self._member(code, value, flags) for code, value in items]

        def test(char: str) -> bool:
            if (found := known.get(char)) is None:
                forms = {char, char.lower(), char.upper()} if flags & re.IGNORECASE else {char}
                found = known[char] = (
                    any(each(form) for each in tests for form in forms if len(form) == 1) is not negated
                )
            return found

        self._tests.append(test)
        return test

    def _member(self, code: Any, value: Any, flags: int) -> Test:
        if code is op.LITERAL:
            return lambda char: ord(char) == value
        if code is op.RANGE:
            return lambda char: value[0] <= ord(char) <= value[1]
        return self._category(value, flags)

    def _category(self, category: Any, flags: int) -> Test:
        ascii_only = self.bytes or bool(flags & re.ASCII)
        tests: dict[Any, Test] = {
            op.CATEGORY_DIGIT: (lambda char: char in "0123456789") if ascii_only else str.isdecimal,
            op.CATEGORY_SPACE: (lambda char: char in SPACES) if ascii_only else str.isspace,
            op.CATEGORY_WORD: WORDS_ASCII.__contains__ if ascii_only else (lambda char: char.isalnum() or char == "_"),
        }
        opposite = {
            op.CATEGORY_NOT_DIGIT: op.CATEGORY_DIGIT,
            op.CATEGORY_NOT_SPACE: op.CATEGORY_SPACE,
            op.CATEGORY_NOT_WORD: op.CATEGORY_WORD,
        }
        if (positive := opposite.get(category)) is not None:
            wanted = tests[positive]
            return lambda char: not wanted(char)
        return tests[category]


def _any_of(tests: Sequence[Test]) -> Test:
    if len(tests) == 1:
        return tests[0]
    known: dict[str, bool] = {}

    def test(char: str) -> bool:
        if (found := known.get(char)) is None:
            found = known[char] = any(each(char) for each in tests)
        return found

    return test
