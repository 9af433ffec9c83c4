"""Google Drive's query language (``q`` of ``files.list``): ``term operator value`` joined by and, or, not and parentheses.

Grammar: https://developers.google.com/workspace/drive/api/guides/ref-search-terms
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from translators.capabilities import TIMES, Capabilities, Fidelity
from translators.drive.verdicts import ALONE, collection, file_id, folder, judge, shared_drive
from translators.emit import RESERVED, as_typed, iso, mail_address, quoted, whole_second
from translators.generate import Dialect, TextGenerator
from translators.query import (
    BY_DATE,
    Clause,
    Compare,
    Container,
    Field,
    Identifier,
    IdKind,
    Op,
    Person,
    Phrase,
    Prefix,
    Query,
    Sort,
    Term,
    conjuncts,
    leaves,
)
from translators.said import Said
from translators.translator import Loss, LossKind, NativeQuery, Translation, order_name

if TYPE_CHECKING:
    from datetime import datetime

    from translators.capabilities import Verdict
    from translators.query import Leaf
    from translators.split import Judge
    from translators.translator import Json

TOKEN = re.compile(r"[^\W_]+")
HANGUL_WORD = re.compile(r"[가-힣]+")
ATTRIBUTES = {Field.TIME: "modifiedTime", Field.UPDATED: "modifiedTime", Field.CREATED: "createdTime"}
ORDERS = {Sort.RELEVANCE: "modifiedTime desc", Sort.NEWEST: "modifiedTime desc", Sort.OLDEST: "modifiedTime"}
# https://developers.google.com/workspace/drive/api/reference/rest/v3/files/list refuses orderBy beside fullText.
OWN_ORDER = Said("what is found by its words, or by its id, comes in no other order")
OPPOSITES = {Op.GE: Op.LT, Op.LT: Op.GE}


class Drive(Dialect, TextGenerator):
    """Queries for ``files.list``; ``args`` holds ``orderBy``, ``driveId``, or ``fileId`` of the one file to get."""

    name = "drive"
    can = Capabilities(
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
        as_written=True,
        ranks=True,
        negates=frozenset({Term, Phrase, *TIMES}),
        sorts=BY_DATE,
    )
    verdicts = judge
    fetches = True
    both, either_of, denial = " and ", " or ", "not "

    def translate(self, query: Query, can: Capabilities) -> Translation:
        """``query`` as ``q`` and the parameters that go with it."""
        found = super().translate(query, can)
        told = any(loss.kind is LossKind.DROPPED for loss in found.losses)
        if query.sort is Sort.RELEVANCE or told or "orderBy" in found.native.args:
            return found
        return replace(found, losses=(*found.losses, Loss(LossKind.DROPPED, order_name(query.sort), OWN_ORDER)))

    def judge_of(self, query: Query, _can: Capabilities) -> Judge:
        drive = _shared_drive_asked(query.where)

        def judged(leaf: Leaf) -> Verdict:
            return ALONE if drive and isinstance(leaf, Compare) and leaf.value == drive else self.verdicts(leaf)

        return judged

    def fetched(self, pushed: Clause) -> Identifier | None:
        """By id; a name is searched for."""
        thing = super().fetched(pushed)
        return thing if thing and file_id(thing) else None

    def native(self, pushed: Clause, order: Sort) -> NativeQuery:
        """Files found by words come by relevance and in no other order; what has no relevance comes latest first."""
        drive = _shared_drive_asked(pushed)
        args: dict[str, Json] = {} if drive is None else {"driveId": shared_drive(drive)}
        if not any(isinstance(leaf, Term | Phrase) for leaf in leaves(pushed)):
            args["orderBy"] = ORDERS[order]
        return NativeQuery(self.name, self.write(pushed), args)

    def fetching(self, thing: Identifier) -> NativeQuery:
        return NativeQuery(self.name, "", {"fileId": file_id(thing)})

    def denied(self, part: Clause) -> str:
        """Of all conditions, only instants can be asked not to hold."""
        return (
            self.condition(replace(part, op=OPPOSITES[part.op])) if isinstance(part, Compare) else super().denied(part)
        )

    def words(self, leaf: Term | Phrase | Prefix) -> str:
        match leaf:
            case Term(text):
                # A name is searched by beginnings of its words, which is how Korean words are meant (회의 finds 회의록).
                inside = f"fullText contains {_words(text)}"
                return (
                    f"({inside} or name contains {_words(text)})" if HANGUL_WORD.fullmatch(as_typed(text)) else inside
                )
            case Phrase(text):
                return f"fullText contains {_literal(quoted(text))}"
            case Prefix(text):
                return f"name contains {_literal(text)}"

    def person(self, _field: Field, who: Person) -> str:
        return f"{_literal('me' if who.me else mail_address(who))} in owners"

    def container(self, where: Container) -> str:
        if shared_drive(where):  # a parameter of the request
            return self.nothing
        return f"{_literal(folder(where))} in parents" if folder(where) else collection(where)

    def identifier(self, thing: Identifier) -> str:
        return f"name = {_literal(thing.text)}" if thing.kind is IdKind.FILE_NAME else self.nothing

    def instant(self, field: Field, op: Op, instant: datetime) -> str:
        """Whether Drive compares fractions of seconds is not documented: the second that loses nothing."""
        return f"{ATTRIBUTES[field]} {op} '{iso(whole_second(op, instant))}'"


def _words(text: str) -> str:
    """One token bare, everything else in double quotes: side by side, whatever stands between the words."""
    word = as_typed(text)
    return _literal(word if TOKEN.fullmatch(word) and word.casefold() not in RESERVED else quoted(word))


def _literal(text: str) -> str:
    escaped = as_typed(text).replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _shared_drive_asked(where: Clause) -> Container | None:
    """The first shared drive that everything must lie in: one request searches one of them, or all."""
    places = (part.value for part in conjuncts(where) if isinstance(part, Compare))
    return next((each for each in places if isinstance(each, Container) and shared_drive(each)), None)


TRANSLATOR = Drive
