"""Regular expressions that are compiled when they are first used, so that a question pays only for those it needs.

A quick test before a long pattern: whatever it matches holds one of a few pieces, and most texts hold none (as FilteredRE2 has it).

A pattern of a hundred alternatives looks at each of them behind every letter; to look for fifty pieces in a sentence takes a
twentieth of that. What the pieces are is read from the pattern itself, once, when it is first used.
"""

from __future__ import annotations

import re
from functools import cached_property
from re import _constants as op  # type: ignore[attr-defined]  # how Python itself reads a pattern
from re import _parser as parser  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Iterable

PatternPieces = frozenset[str]
MOST = 64  # spellings of one piece that are told apart
NOTHING: PatternPieces = frozenset({""})
WITHOUT_WIDTH = frozenset({op.AT, op.ASSERT, op.ASSERT_NOT})
REPEATS = frozenset({op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT})
# What Python takes for an i where case does not count, and what it leaves behind when case is folded away.
OTHER_IS = str.maketrans({"ı": "i", "\u0307": None})


class Sieve:
    """Whether a pattern matches anywhere in a text."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.pattern = pattern
        self._folds = bool(pattern.flags & re.IGNORECASE)

    def finds(self, text: str) -> bool:
        """The same as ``pattern.search(text) is not None``, sooner."""
        plain, others = self._pieces
        folded = text.casefold() if self._folds else text
        if text.isascii():
            others = ()
        elif self._folds:
            folded = folded.translate(OTHER_IS)
        for piece in plain:
            if piece in folded:
                return self.pattern.search(text) is not None
        for piece in others:
            if piece in folded:
                return self.pattern.search(text) is not None
        return False

    @cached_property
    def _pieces(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """In ASCII, and the others. A pattern that may match without any has the empty one, which is in every text."""
        _, needed = _read(parser.parse(self.pattern.pattern, self.pattern.flags))
        found = {piece.casefold() if self._folds else piece for piece in needed}
        least = sorted(piece for piece in found if not any(each in piece for each in found if each != piece))
        plain = tuple(piece for piece in least if piece.isascii())
        return plain, tuple(piece for piece in least if not piece.isascii())


def _read(sequence: Iterable[tuple[Any, Any]]) -> tuple[PatternPieces | None, PatternPieces]:
    """All that a part of a pattern can match, where that is a few texts; and pieces of which any match holds one."""
    exact, best, is_whole = NOTHING, NOTHING, True
    for kind, value in sequence:
        if kind in WITHOUT_WIDTH:
            continue
        own, needed = _part(kind, value)
        if own is not None and len(exact) * len(own) <= MOST:
            exact = frozenset(before + behind for before in exact for behind in own)
        else:
            best, exact, is_whole = _better(_better(best, exact), needed), NOTHING, False
    best = _better(best, exact)
    return (exact if is_whole else None), best


def _part(kind: Any, value: Any) -> tuple[PatternPieces | None, PatternPieces]:  # noqa: PLR0911 — one line a kind of part
    if kind is op.LITERAL:
        return frozenset({chr(value)}), frozenset({chr(value)})
    if kind is op.IN and all(each is op.LITERAL for each, _ in value):
        letters = frozenset(chr(code) for _, code in value)
        return letters, letters
    if kind is op.SUBPATTERN:
        return _read(value[-1])
    if kind is op.ATOMIC_GROUP:
        return _read(value)
    if kind is op.BRANCH:
        return _any_of([_read(each) for each in value[1]])
    if kind in REPEATS:
        least, most, part = value
        own, needed = _read(part)
        if most == 1:
            return (own if least or own is None else own | NOTHING), (needed if least else NOTHING)
        return None, (needed if least else NOTHING)
    return None, NOTHING


def _any_of(parts: list[tuple[PatternPieces | None, PatternPieces]]) -> tuple[PatternPieces | None, PatternPieces]:
    whole = frozenset[str]().union(*(own or () for own, _ in parts))
    needed = frozenset[str]().union(*(pieces for _, pieces in parts))
    few = all(own is not None for own, _ in parts) and len(whole) <= MOST
    return (whole if few else None), (NOTHING if "" in needed else needed)


def _better(one: PatternPieces, other: PatternPieces) -> PatternPieces:
    """The longer pieces, of which fewer texts hold one by chance."""
    return max(one, other, key=lambda pieces: (min(map(len, pieces)), -len(pieces)))


REPEATED = re.compile(r"(\\[dDsSwW]|\[\^?\]?(?:[^\]\\]|\\.)*\])\+(?![?+])", re.DOTALL)


def begun(text: str) -> str:
    """The same pattern, a first ``[ab]+`` as ``[ab][ab]*``: what a match begins with is looked for a tenth as dearly where a pattern begins with that."""
    return REPEATED.sub(r"\1\1*", text, count=1) if REPEATED.match(text) else text


class _Uncompiled:
    """Stands where a pattern would: its first use compiles, and puts the compiled method in its own place."""

    def __init__(self, text: str, flags: int) -> None:
        self.pattern = text
        self.flags = flags

    def __getattr__(self, name: str) -> Any:
        """A method of the pattern. Only the first call comes here; then the instance has it."""
        found = getattr(re.compile(begun(self.pattern), self.flags), name)
        setattr(self, name, found)
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        return regex, (self.pattern, self.flags)


def regex(text: str, flags: int = 0) -> re.Pattern[str]:
    """As :func:`re.compile`, but later: compiling all that the rooms of a question have takes far longer than one answer does.

    A pattern that is no regular expression raises :class:`re.error` where it is used, not where it is written.
    """
    return cast("re.Pattern[str]", _Uncompiled(text, flags))
