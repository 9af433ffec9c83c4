"""Text that stays text, and reasons that people understand."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from translators import emit
from translators.capabilities import Capabilities, Fidelity, Verdict
from translators.emit import as_typed, literals, name_parts, quoted, settle, shown, spelled, utc
from translators.query import (
    EVERYTHING,
    NOTHING,
    Clause,
    Compare,
    Container,
    Field,
    Kind,
    Leaf,
    Not,
    Op,
    Phrase,
    Prefix,
    Query,
    Sort,
    Term,
    all_of,
    any_of,
)
from translators.split import trust
from translators.translator import Loss, LossKind


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("배포 \n\t일정", "배포 일정"),
        ("a\x00b\x1b[31m", "a b [31m"),
        ("\u202egnp.exe\ufeff", "gnp.exe"),
        ("a\ud800b", "a b"),
        ("\u1107\u1162\u1111\u1169", "배포"),
        ("a\u2028b\u00a0c", "a b c"),
        ("", ""),
    ],
)
def test_plain_text_is_one_line_of_whole_characters(raw: str, expected: str) -> None:
    assert as_typed(raw) == expected


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("배포", "배포"),
        ("ERR_CONN_4012", "ERR_CONN_4012"),
        ("v2.1-rc", "v2.1-rc"),
        ("-배포", '"-배포"'),
        ("from:me", '"from:me"'),
        ("from：me", '"from：me"'),
        ("deploy*", '"deploy*"'),
        ("OR", '"OR"'),
        ("around", '"around"'),
        ("배포 일정", '"배포 일정"'),
        ('x" OR "y', '"x OR y"'),
        ("a\\", '"a"'),
        ("“인용”", '"인용"'),
    ],
)
def test_words_are_bare_only_where_they_can_only_be_words(raw: str, expected: str) -> None:
    assert spelled(raw) == expected


def test_quotes_inside_quotes_become_blanks() -> None:
    assert quoted('그는 "안 됨"이라고 \\ 했다') == '"그는 안 됨 이라고 했다"'


def test_names_fall_into_words() -> None:
    assert name_parts("sarah_kim") == ["sarah", "kim"]
    assert name_parts("김민수 (플랫폼)") == ["김민수", "플랫폼"]
    assert name_parts('"') == []


def test_what_people_are_shown_ends() -> None:
    assert shown(Term("배포\n일정")) == "배포 일정"
    assert len(shown(Term("가" * 100_000))) == emit.SHOWN
    assert shown(Term("가" * 100_000)).endswith("…")


def test_instants_stay_away_from_the_ends_of_the_calendar() -> None:
    kst = timezone(timedelta(hours=9))
    assert utc(datetime(2025, 1, 10, tzinfo=kst)) == datetime(2025, 1, 9, 15, tzinfo=UTC)
    assert utc(datetime(1, 1, 1, tzinfo=kst)) == emit.EARLIEST
    assert utc(datetime(9999, 12, 31, tzinfo=UTC)) == emit.LATEST
    assert utc(datetime(9998, 12, 31, 23, tzinfo=timezone(-timedelta(hours=9)))) == emit.LATEST


def test_literals_say_which_leaves_are_negated() -> None:
    assert list(literals(all_of([Term("배포"), Not(Phrase("b"))]))) == [(Term("배포"), False), (Phrase("b"), True)]
    assert list(literals(EVERYTHING)) == []


# ---- reasons

A, B, C = Term("배포"), Term("일정"), Phrase("출시 일정")
SINCE = Compare(Field.TIME, Op.GE, datetime(2025, 1, 10, tzinfo=UTC))
PAGE = Compare(Field.KIND, Op.EQ, Kind.PAGE)
CAN = Capabilities(
    term=Fidelity.EXACT,
    phrase=Fidelity.APPROXIMATE,
    fields={Field.TIME: Fidelity.WIDER, Field.CONTAINER: Fidelity.EXACT},
    any_of=True,
    negates=frozenset({Term}),
    note="제목만 봅니다",
)


def judge(leaf: Leaf) -> Verdict:
    return Verdict(Fidelity.NONE, "cannot be spelled") if leaf == B else Verdict()


@pytest.mark.parametrize(
    ("where", "kind", "what", "why"),
    [
        (C, LossKind.APPROXIMATED, '"출시 일정"', "제목만 봅니다"),
        (B, LossKind.CHECKED, "일정", "cannot be spelled"),
        (SINCE, LossKind.CHECKED, "time >= 2025-01-10T00:00:00+00:00", "제목만 봅니다"),
        (PAGE, LossKind.CHECKED, "kind = page", emit.NO_CHECK),
        (Prefix("mig"), LossKind.CHECKED, "mig*", emit.NO_CHECK),
        (Not(C), LossKind.CHECKED, 'NOT "출시 일정"', emit.NO_NEGATION),
        (any_of([A, PAGE]), LossKind.CHECKED, "배포 OR kind = page", emit.NO_CHECK),
        (any_of([A, B]), LossKind.CHECKED, "배포 OR 일정", "cannot be spelled"),
        (any_of([A, Not(C)]), LossKind.CHECKED, '배포 OR NOT "출시 일정"', emit.NO_NEGATION),
        (NOTHING, LossKind.CHECKED, "nothing", emit.NO_MEANING),
    ],
    ids=str,
)
def test_each_loss_has_its_reason(where: Clause, kind: LossKind, what: str, why: str) -> None:
    assert Loss(kind, what, why) in settle(Query("?", where=where), CAN, judge).losses


def test_without_a_note_the_source_has_its_own_idea() -> None:
    can = Capabilities(term=Fidelity.APPROXIMATE)
    assert settle(Query("?", where=A), can, trust).losses == (Loss(LossKind.APPROXIMATED, "배포", emit.OWN_IDEA),)


def test_alternatives_that_do_not_fit_are_checked() -> None:
    found = settle(Query("?", where=any_of([A, Term("출시")])), Capabilities(term=Fidelity.EXACT), trust)
    assert found.losses == (Loss(LossKind.CHECKED, "배포 OR 출시", emit.NO_ALTERNATIVES),)
    assert found.pushed == EVERYTHING


def test_of_a_single_valued_field_the_first_is_asked_and_the_rest_checked() -> None:
    here, there = (Compare(Field.CONTAINER, Op.EQ, Container(name)) for name in ("공지", "general"))
    found = settle(Query("?", where=all_of([A, here, there])), CAN, trust, single=frozenset({Field.CONTAINER}))
    assert found.pushed == all_of([A, here])
    assert found.residual == there
    assert found.losses == (Loss(LossKind.CHECKED, "container = general", emit.ASKS_ONE),)


def test_an_order_that_the_source_cannot_keep_is_named() -> None:
    dropped = Loss(LossKind.DROPPED, "sort oldest", emit.NO_ORDER)
    assert settle(Query("?", where=A, sort=Sort.OLDEST), CAN, trust).losses == (dropped,)
    assert settle(Query("?", where=A, sort=Sort.RELEVANCE), CAN, trust).losses == ()


@given(st.text())
def test_plain_keeps_no_character_that_is_not_to_be_seen(text: str) -> None:
    """Character by character it says the same as by the short way for text that can all be seen."""
    slow = "".join(
        " " if unicodedata.category(each)[0] in "CZ" else each for each in unicodedata.normalize("NFC", text)
    )
    assert as_typed(text) == " ".join(slow.split())
