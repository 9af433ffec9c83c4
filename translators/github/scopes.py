"""What GitHub can be searched for, each with what its things have and what GitHub tells of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from types import MappingProxyType
from typing import assert_never

from translators.query import (
    EVERYTHING,
    NOTHING,
    AllOf,
    AnyOf,
    Clause,
    Compare,
    Field,
    Kind,
    Leaf,
    Not,
    Phrase,
    Prefix,
    Term,
    all_of,
    any_of,
)
from translators.records import record
from translators.said import Said

Offered = Callable[[Leaf, bool], bool]

NO_REASONS: Mapping[Field, Said] = MappingProxyType({})
LAST_CHANGED = MappingProxyType({Field.TIME: "updated", Field.UPDATED: "updated", Field.CREATED: "created"})
CREATED_ONCE = MappingProxyType({Field.TIME: "created", Field.UPDATED: "updated", Field.CREATED: "created"})
NO_AUTHOR = Said("code is not searched for this: GitHub does not say who wrote a file")
NO_TIME = Said("code is not searched for this: GitHub does not say when a file was written or changed")


@record
class SearchScope:
    """One of GitHub's searches.

    ``lacks``: fields that no thing here has, so that nothing satisfies a condition on them. ``silent``: fields that
    GitHub's results do not show and its search does not know, with the reason. ``times``: the qualifier for each time.
    ``groups``: whether it understands OR and parentheses. ``by_words``: whether it refuses a query without any word.
    """

    name: str
    kind: Kind
    lacks: frozenset[Field] = frozenset()
    silent: Mapping[Field, Said] = field(default_factory=lambda: NO_REASONS)
    times: Mapping[Field, str] = field(default_factory=lambda: LAST_CHANGED)
    groups: bool = False
    by_words: bool = False


# https://docs.github.com/en/search-github/searching-on-github : the order in which results are merged, too.
SCOPES = (
    SearchScope("issues", Kind.ISSUE, groups=True),
    SearchScope("pull_requests", Kind.PULL_REQUEST, groups=True),
    SearchScope("discussions", Kind.THREAD, frozenset({Field.ASSIGNEE}), times=CREATED_ONCE),
    SearchScope(
        "code",
        Kind.CODE,
        frozenset({Field.ASSIGNEE, Field.STATE}),
        MappingProxyType(
            {Field.AUTHOR: NO_AUTHOR, Field.TIME: NO_TIME, Field.CREATED: NO_TIME, Field.UPDATED: NO_TIME}
        ),
        by_words=True,
    ),
)


def known_of(scope: SearchScope, offered: Offered) -> Callable[[Leaf, bool], Clause]:
    """What is settled by asking ``scope`` at all: kinds, and conditions on what its things do not have."""

    def known(leaf: Leaf, wanted: bool) -> Clause:  # noqa: FBT001 — a callback with a fixed signature
        if not isinstance(leaf, Compare) or not offered(leaf, wanted):
            return leaf
        if leaf.field is Field.KIND:
            return EVERYTHING if is_kind(leaf.value, scope.kind) else NOTHING
        return NOTHING if leaf.field in scope.lacks else leaf

    return known


def silence_of(scope: SearchScope, offered: Offered) -> Callable[[Leaf, bool], Clause]:
    """What cannot be asked of ``scope`` and could not be checked on its results either finds nothing there."""

    def known(leaf: Leaf, wanted: bool) -> Clause:  # noqa: FBT001 — a callback with a fixed signature
        silent = wanted and isinstance(leaf, Compare) and leaf.field in scope.silent and offered(leaf, wanted)
        return NOTHING if silent else leaf

    return known


def is_kind(wanted: object, kind: Kind) -> bool:
    """A discussion is a thread, and whoever wants messages wants threads."""
    return wanted is kind or (wanted is Kind.MESSAGE and kind is Kind.THREAD)


def reduced(clause: Clause, known: Callable[[Leaf, bool], Clause], *, wanted: bool = True) -> Clause:
    """``clause`` with the leaves replaced by what is ``known`` of them, and what follows from that drawn."""
    match clause:
        case AllOf(parts):
            done = [reduced(part, known, wanted=wanted) for part in parts]
            return NOTHING if NOTHING in done else all_of(done)
        case AnyOf(parts):
            done = [reduced(part, known, wanted=wanted) for part in parts]
            return EVERYTHING if EVERYTHING in done else any_of(done)
        case Not(part):
            inner = reduced(part, known, wanted=not wanted)
            return NOTHING if inner == EVERYTHING else EVERYTHING if inner == NOTHING else Not(inner)
        case Term() | Phrase() | Prefix() | Compare():
            return known(clause, wanted)
        case _:
            assert_never(clause)


def wanted_leaves(clause: Clause, *, wanted: bool = True) -> Iterator[Leaf]:
    """The leaves that do not stand under a NOT (or stand under two)."""
    match clause:
        case AllOf(parts) | AnyOf(parts):
            for part in parts:
                yield from wanted_leaves(part, wanted=wanted)
        case Not(part):
            yield from wanted_leaves(part, wanted=not wanted)
        case _:
            yield from (clause,) if wanted else ()
