"""Texts that make a pattern repeat itself, derived from its own parse tree."""

from __future__ import annotations

from itertools import islice, product, zip_longest
from re import _constants as op  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tests.security.counting import Counting

GENERIC = (
    " ",
    "1",
    "a",
    "A",
    "가",
    ".",
    "-",
    "\n",
    '"',
    "@",
    "/",
    ",",
    "_",
    "'",
    "(",
    "<",
    "\\",
    "*",
    "|",
    "#",
    "ㄱ",
    "é",
)
"""One character of each sort that patterns tell apart."""
ENDS = ("", "\0", "\n", "a ")
"""What may keep a match from succeeding behind the repetition."""
WIDE = 8
"""A repetition of up to fewer times makes no text long."""
SEVERAL = 12
REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)
CHARACTERS = (op.LITERAL, op.NOT_LITERAL, op.ANY, op.IN)
CATEGORIES = {op.CATEGORY_DIGIT: "1", op.CATEGORY_SPACE: " ", op.CATEGORY_WORD: "a"}


def attacks(pattern: Counting) -> list[tuple[str, str, str]]:
    """(prefix, what is repeated, end) for each text that is tried; none where nothing repeats."""
    wide = list(_wide(pattern.tree, [""]))
    if not wide:
        return []
    pumps: dict[str, None] = {}
    for before, body, behind in wide:
        own = samples(body, SEVERAL)
        pumps.update(dict.fromkeys(opening + one for opening in before[:2] for one in ("", *own[:2])))
        pumps.update(dict.fromkeys(own))
        pumps.update(dict.fromkeys(one + other for one, other in product(own[:4], (*own[:4], *behind[:2]))))
    singles = dict.fromkeys(char for pump in pumps for char in pump if len(pump) < WIDE)
    pumps.update(dict.fromkeys(islice(singles, 2 * SEVERAL)))
    pumps.update(dict.fromkeys(GENERIC))
    pumps.update(
        dict.fromkeys(one + other for _, body, _ in wide for one in samples(body, 3) for other in (" ", ".", ","))
    )
    pumps.pop("", None)
    prefixes = dict.fromkeys(["", *(prefix for before, _, _ in wide for prefix in before[:1])])
    return [(prefix, pump, end) for prefix in islice(prefixes, 4) for pump in islice(pumps, 80) for end in ENDS]


def samples(items: Any, limit: int) -> list[str]:
    """Some of the texts that a sequence of nodes takes: each alternative at least once, as far as the limit goes."""
    choices = [_of_node(code, value, limit) or [""] for code, value in items]
    if not choices:
        return [""]
    longest = min(max(map(len, choices)), limit)
    return list(dict.fromkeys("".join(each[at % len(each)] for each in choices) for at in range(longest)))


def _of_node(code: Any, value: Any, limit: int) -> list[str]:
    if code in CHARACTERS:
        return _of_character(code, value)[:limit]
    if code is op.BRANCH:
        return _mixed((samples(each, limit) for each in value[1]), limit)
    if code in REPEATS:
        once = samples(value[2], limit)
        return [each * max(value[0], 1) for each in once] + ([""] if not value[0] else [])
    inside = _inside(code, value) if code in (op.SUBPATTERN, op.ATOMIC_GROUP) else []
    return samples(inside[0], limit) if inside else [""]


def _of_character(code: Any, value: Any) -> list[str]:
    if code is op.LITERAL:
        return [chr(value)]
    if code is op.NOT_LITERAL:
        return [char for char in GENERIC if ord(char) != value]
    return list(GENERIC[:6]) if code is op.ANY else _of_set(value)


def _of_set(items: Sequence[Any]) -> list[str]:
    if items[0][0] is op.NEGATE:
        out = {chr(value) for code, value in items[1:] if code is op.LITERAL}
        kinds = {value for code, value in items[1:] if code is op.CATEGORY}
        taken = {CATEGORIES.get(kind) for kind in kinds}
        return [char for char in GENERIC if char not in out and char not in taken and _outside(kinds, char)]
    found = []
    for code, value in items:
        if code is op.LITERAL:
            found.append(chr(value))
        elif code is op.RANGE:
            found += [chr(value[0]), chr(value[1])]
        else:
            found += [char for char in GENERIC if not _outside({value}, char)]
    return list(dict.fromkeys(found))


def _outside(kinds: set[Any], char: str) -> bool:
    word, space, digit = char.isalnum() or char == "_", char.isspace(), char.isdecimal()
    member = {
        op.CATEGORY_WORD: word,
        op.CATEGORY_NOT_WORD: not word,
        op.CATEGORY_SPACE: space,
        op.CATEGORY_NOT_SPACE: not space,
        op.CATEGORY_DIGIT: digit,
        op.CATEGORY_NOT_DIGIT: not digit,
    }
    return not any(member[kind] for kind in kinds)


def _mixed(lists: Iterable[list[str]], limit: int) -> list[str]:
    """The first of each, then the second of each."""
    rows = zip_longest(*lists)
    return list(islice(dict.fromkeys(each for row in rows for each in row if each is not None), limit))


def _wide(items: Any, before: list[str]) -> Iterator[tuple[list[str], Any, list[str]]]:
    """Each repetition without a small bound: what may stand before it, its body, what may follow."""
    nodes = list(items)
    for place, (code, value) in enumerate(nodes):
        behind = samples(nodes[place + 1 : place + 2], 2)
        if code in REPEATS:
            if value[1] is op.MAXREPEAT or value[1] >= WIDE:
                yield before, value[2], behind
            yield from _wide(value[2], before)
        else:
            for each in _inside(code, value):
                yield from _wide(each, before)
        before = [one + other for one in before[:2] for other in samples(nodes[place : place + 1], 2)]


def _inside(code: Any, value: Any) -> Sequence[Any]:
    if code is op.BRANCH:
        return list(value[1])
    if code is op.SUBPATTERN:
        return [value[-1]]
    if code is op.ATOMIC_GROUP:
        return [value]
    if code in (op.ASSERT, op.ASSERT_NOT):
        return [value[1]]
    return []
