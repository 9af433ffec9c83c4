"""A language of a few signs on the generator, and the verdicts that come of tables."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import ClassVar

import pytest

from translators.capabilities import Capabilities, Fidelity, Verdict
from translators.emit import barring, iso, mail_address, whole_day, whole_second, window
from translators.generate import Dialect, TextGenerator
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
    all_of,
    any_of,
)
from translators.said import Said
from translators.translator import NativeQuery
from translators.verdicts import EXACT, Verdicts, approximate, datable, provided, refused

NO_BEGINNINGS, NO_STATE, ONLY_MAIL = Said("no beginnings"), Said("neither open nor done"), Said("mail only")
STANDING, NOBODY = Said("as they stand"), Said("nobody is known")
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
KIM, ISSUE = Person("Kim", "u1"), Identifier(IdKind.TICKET, "ENG-1")


class PlainVerdicts(Verdicts):
    lacks: ClassVar = {Prefix: NO_BEGINNINGS, Field.STATE: NO_STATE}
    kinds: ClassVar = {Kind.MAIL: EXACT}
    no_kind = ONLY_MAIL
    korean = approximate(STANDING)

    def person(self, who: Person) -> Verdict:
        return provided(who.native_id, NOBODY)


class Plain(Dialect, TextGenerator):
    name = "plain"
    can = Capabilities(
        term=Fidelity.EXACT,
        phrase=Fidelity.EXACT,
        fields={Field.ID: Fidelity.EXACT, Field.AUTHOR: Fidelity.EXACT, Field.KIND: Fidelity.EXACT},
        any_of=True,
        negates=frozenset({Term}),
        sorts=frozenset({Sort.RELEVANCE, Sort.NEWEST}),
    )
    verdicts = PlainVerdicts()
    fetches = True
    both, denial = " & ", "!"

    def native(self, pushed: Clause, order: Sort) -> NativeQuery:
        return NativeQuery(self.name, self.write(pushed), {"order": order.value})

    def fetching(self, thing: Identifier) -> NativeQuery:
        return NativeQuery(self.name, "", {"id": thing.text})

    def person(self, field: Field, who: Person) -> str:
        return f"{field}:{who.native_id}"


def is_(field: Field, value: Person | Container | Kind | State | Identifier) -> Compare:
    return Compare(field, Op.EQ, value)


@pytest.mark.parametrize(
    ("clause", "text"),
    [
        (Term("okta"), "okta"),
        (Phrase("배포 일정"), '"배포 일정"'),
        (AllOf((Term("a"), Not(Term("b")))), "a & !b"),
        (AnyOf((Term("a"), AllOf((Term("b"), Term("c"))))), "(a OR (b & c))"),
        (AllOf((Term("a"), is_(Field.AUTHOR, KIM))), "a & author:u1"),
        # without a method it says nothing, and among alternatives that lets everything through
        (AllOf((Term("a"), is_(Field.KIND, Kind.MAIL))), "a"),
        (AnyOf((Term("a"), is_(Field.KIND, Kind.MAIL))), ""),
    ],
)
def test_a_clause_is_written_by_signs_and_methods(clause: Clause, text: str) -> None:
    assert Plain().write(clause) == text


@pytest.mark.parametrize(
    ("leaf", "verdict"),
    [
        (Term("okta"), EXACT),
        (Term("배포"), approximate(STANDING)),
        (Prefix("okt"), refused(NO_BEGINNINGS)),
        (is_(Field.STATE, State.OPEN), refused(NO_STATE)),
        (is_(Field.KIND, Kind.MAIL), EXACT),
        (is_(Field.KIND, Kind.PAGE), refused(ONLY_MAIL)),
        (is_(Field.AUTHOR, KIM), EXACT),
        (is_(Field.AUTHOR, Person("Kim")), refused(NOBODY)),
        (is_(Field.CONTAINER, Container("ops")), EXACT),
    ],
)
def test_verdicts_come_of_tables_and_methods(leaf: Term | Prefix | Compare, verdict: Verdict) -> None:
    assert Plain.verdicts(leaf) == verdict


def test_text_without_letters_is_never_sent() -> None:
    assert Plain.verdicts(Term("...")).fidelity is Fidelity.NONE


def test_an_order_that_the_source_cannot_keep_is_relevance() -> None:
    orders = {sort: Plain().translate(Query("?", sort=sort), Plain.can).native.args["order"] for sort in Sort}
    assert orders == dict.fromkeys(Sort, "relevance") | {Sort.NEWEST: "newest"}


def test_one_thing_is_fetched_and_the_rest_is_checked() -> None:
    found = Plain().translate(Query("?", where=all_of([is_(Field.ID, ISSUE), Term("okta")])), Plain.can)
    assert (found.native.args, found.residual) == ({"id": "ENG-1"}, Term("okta"))
    among = Plain().translate(Query("?", where=any_of([is_(Field.ID, ISSUE), Term("okta")])), Plain.can)
    assert among.native.text == ""


def test_barred_leaves_are_refused_where_they_stand() -> None:
    judge = barring(Plain.verdicts, {Term("a"): NOBODY})
    assert (judge(Term("a")), judge(Term("b"))) == (refused(NOBODY), EXACT)


def test_days_and_seconds_lose_nothing_of_a_window() -> None:
    assert str(whole_day(Op.GE, NOON)) == "2026-03-01"  # noon in London is midnight on the westernmost islands
    assert str(whole_day(Op.GE, NOON - timedelta(seconds=1))) == "2026-02-28"
    assert str(whole_day(Op.LT, NOON)) == "2026-03-03"  # and two in the morning of the next day on the easternmost
    assert str(whole_day(Op.LT, NOON - timedelta(hours=2))) == "2026-03-02"
    fine = NOON.astimezone(timezone(timedelta(hours=9))).replace(microsecond=1)
    assert (iso(whole_second(Op.GE, fine)), iso(whole_second(Op.LT, fine))) == (
        "2026-03-01T12:00:00Z",
        "2026-03-01T12:00:01Z",
    )


def test_of_several_bounds_the_narrowest_serves() -> None:
    later = NOON + timedelta(days=1)
    bounds = [Compare(Field.TIME, op, moment) for op in (Op.GE, Op.LT) for moment in (NOON, later)]
    assert window(bounds) == (later, NOON)
    assert window([Term("a"), bounds[0]]) == (NOON, None)
    assert window([]) == (None, None)


def test_an_address_is_one_that_can_be_sent() -> None:
    assert mail_address(Person("Kim", "kim@x.example")) == "kim@x.example"
    assert mail_address(Person("Kim", email="a b@x")) == ""


def test_the_ends_of_the_calendar_are_not_trusted() -> None:
    assert [datable(NOON.replace(year=year)) for year in (1970, 1971, 8999, 9000)] == [False, True, True, False]
