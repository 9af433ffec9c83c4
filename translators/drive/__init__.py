"""Google Drive's query language (``q`` of ``files.list``): ``term operator value`` joined by and, or, not and parentheses.

Grammar: https://developers.google.com/workspace/drive/api/guides/ref-search-terms
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, ClassVar, assert_never

from translators.capabilities import TIMES, Capabilities, Fidelity
from translators.drive.verdicts import address, collection, file_id, folder, judge, shared_drive
from translators.emit import RESERVED, plain, quoted, settle, utc
from translators.query import (
    AllOf,
    AnyOf,
    Clause,
    Compare,
    Container,
    Field,
    Identifier,
    IdKind,
    Kind,
    Not,
    Op,
    Person,
    Phrase,
    Prefix,
    Query,
    Sort,
    State,
    Term,
    conjuncts,
    leaves,
)
from translators.said import Said
from translators.translator import Loss, LossKind, NativeQuery, Translation

if TYPE_CHECKING:
    from translators.translator import Json

TOKEN = re.compile(r"[^\W_]+")
HANGUL_WORD = re.compile(r"[가-힣]+")
ATTRIBUTES = {Field.TIME: "modifiedTime", Field.UPDATED: "modifiedTime", Field.CREATED: "createdTime"}
ORDERS = {Sort.RELEVANCE: "modifiedTime desc", Sort.NEWEST: "modifiedTime desc", Sort.OLDEST: "modifiedTime"}
# https://developers.google.com/workspace/drive/api/reference/rest/v3/files/list refuses orderBy beside fullText.
OWN_ORDER = Said("what is found by its words, or by its id, comes in no other order")
OPPOSITES = {Op.GE: Op.LT, Op.LT: Op.GE}
ONE_SECOND = timedelta(seconds=1)


class Drive:
    """Queries for ``files.list``; ``args`` holds ``orderBy``, ``driveId``, or ``fileId`` of the one file to get."""

    name: ClassVar[str] = "drive"
    can: ClassVar[Capabilities] = Capabilities(
        term=Fidelity.EXACT,
        phrase=Fidelity.EXACT,
        prefix=Fidelity.APPROXIMATE,
        fields={
            Field.ID: Fidelity.EXACT,
            Field.AUTHOR: Fidelity.APPROXIMATE,
            Field.CONTAINER: Fidelity.EXACT,
            Field.KIND: Fidelity.EXACT,
            **dict.fromkeys(sorted(TIMES), Fidelity.EXACT),
        },
        absent=frozenset({Field.ASSIGNEE}),
        any_of=True,
        ranks=True,
        negates=frozenset({Term, Phrase, *TIMES}),
        sorts=frozenset(Sort),
    )

    def translate(self, query: Query, can: Capabilities) -> Translation:
        """``query`` as ``q`` and the parameters that go with it."""
        can = self.can.meet(can)
        drive = _shared_drive_asked(query.where)
        settled = settle(query, can, partial(judge, drive=drive), fetches=True)
        args: dict[str, Json] = {}
        if drive is not None and drive in conjuncts(settled.pushed) and isinstance(drive.value, Container):
            args["driveId"] = shared_drive(drive.value)
        if fetched := _fetched(settled.pushed):
            args["fileId"] = fetched
        elif order := _order(query, can, settled.pushed):
            args["orderBy"] = order
        losses = settled.losses
        if query.sort is not Sort.RELEVANCE and "orderBy" not in args and LossKind.DROPPED not in _kinds(losses):
            losses = (*losses, Loss(LossKind.DROPPED, f"sort {query.sort}", OWN_ORDER))
        return Translation(NativeQuery(self.name, _text(settled.pushed), args), settled.residual, losses)


def _text(clause: Clause) -> str:
    """``q``; empty where everything passes, as it does when one of several alternatives is empty."""
    match clause:
        case AllOf(parts):
            return " and ".join(filter(None, (_text(part) for part in parts)))
        case AnyOf(parts):
            texts = [_text(part) for part in parts]
            groups = [f"({text})" if isinstance(part, AllOf) else text for part, text in zip(parts, texts, strict=True)]
            return f"({' or '.join(groups)})" if all(texts) else ""
        case Not(Compare() as leaf):  # of all conditions, only instants can be asked not to hold
            return _condition(replace(leaf, op=OPPOSITES[leaf.op]))
        case Not(part):
            return f"not {_text(part)}"
        case Term() | Phrase() | Prefix():
            return _contains(clause)
        case Compare():
            return _condition(clause)
        case _:
            assert_never(clause)


def _contains(leaf: Term | Phrase | Prefix) -> str:
    match leaf:
        case Term(text):
            # A name is searched by beginnings of its words, which is how Korean words are meant (회의 finds 회의록).
            inside = f"fullText contains {_words(text)}"
            return f"({inside} or name contains {_words(text)})" if HANGUL_WORD.fullmatch(plain(text)) else inside
        case Phrase(text):
            return f"fullText contains {_literal(quoted(text))}"
        case Prefix(text):
            return f"name contains {_literal(text)}"
        case _:
            assert_never(leaf)


def _condition(leaf: Compare) -> str:
    match leaf.value:
        case Person() as who:
            return f"{_literal('me' if who.me else address(who))} in owners"
        case Container() as where:
            if shared_drive(where):  # a parameter of the request
                return ""
            return f"{_literal(folder(where))} in parents" if folder(where) else collection(where)
        case datetime() as instant:
            return f"{ATTRIBUTES[leaf.field]} {leaf.op} {_instant(leaf.op, instant)}"
        case Identifier(kind, text):
            return f"name = {_literal(text)}" if kind is IdKind.FILE_NAME else ""
        case Kind() | State():  # no condition: Drive holds nothing but files
            return ""
        case _:
            assert_never(leaf.value)


def _words(text: str) -> str:
    """One token bare, everything else in double quotes: side by side, whatever stands between the words."""
    word = plain(text)
    return _literal(word if TOKEN.fullmatch(word) and word.casefold() not in RESERVED else quoted(word))


def _literal(text: str) -> str:
    escaped = plain(text).replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _instant(op: Op, instant: datetime) -> str:
    """Whether Drive compares fractions of seconds is not documented: the second that loses nothing."""
    whole = utc(instant).replace(microsecond=0)
    late = op is Op.LT and instant.microsecond > 0
    return f"'{(whole + ONE_SECOND * late).isoformat().replace('+00:00', 'Z')}'"


def _shared_drive_asked(where: Clause) -> Compare | None:
    """The first shared drive that everything must lie in: one request searches one of them, or all."""
    for part in conjuncts(where):
        if isinstance(part, Compare) and isinstance(part.value, Container) and shared_drive(part.value):
            return part
    return None


def _fetched(pushed: Clause) -> str:
    thing = pushed.value if isinstance(pushed, Compare) else None
    return file_id(thing) if isinstance(thing, Identifier) else ""


def _order(query: Query, can: Capabilities, pushed: Clause) -> str:
    """Files found by words come by relevance and in no other order; what has no relevance comes latest first."""
    if any(isinstance(leaf, Term | Phrase) for leaf in leaves(pushed)):
        return ""
    return ORDERS[query.sort] if query.sort is Sort.RELEVANCE or query.sort in can.sorts else ""


def _kinds(losses: tuple[Loss, ...]) -> set[LossKind]:
    return {loss.kind for loss in losses}


TRANSLATOR = Drive
