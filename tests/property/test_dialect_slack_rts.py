"""Slack's Real-time Search: what is sent, evaluated by the manual's rules, finds what was asked for and nothing is lost.

Manual: https://docs.slack.dev/reference/methods/assistant.search.context
"""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

from tests.examples import nightly
from translators.match import matches
from translators.query import (
    EVERYTHING,
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
    Query,
    Sort,
    Term,
    all_of,
    conjuncts,
    leaves,
)
from translators.slack_rts import SlackRts
from translators.strategies import NOON, WORDS, Paper, capabilities, clauses, instants, queries, text_leaves

if TYPE_CHECKING:
    from collections.abc import Mapping

many = nightly(400)
CLAUSE = re.compile(r"\(([^()\s]+(?: [^()\s]+)+)\)|([^()\s]+)")
ARGS = {"modifiers", "after", "before", "content_types", "sort", "sort_dir"}


def term_clauses(text: str) -> list[list[str]]:
    """An AND of clauses, each an OR of terms; fails on whatever is neither a word nor a group of words."""
    assert text == " ".join(found[0] for found in CLAUSE.finditer(text)), f"{text!r} is no list of clauses"
    return [(found[1] or found[2]).split(" ") for found in CLAUSE.finditer(text)]


def modifiers_of(args: Mapping[str, Any]) -> list[tuple[str, str]]:
    """``modifier:value``, separated by blanks, and nothing else."""
    said = args.get("modifiers", "")
    pairs = [piece.partition(":") for piece in said.split(" ")] if said else []
    assert all(colon and name in {"from", "in", "is"} and value for name, colon, value in pairs), (
        f"not only modifiers: {said!r}"
    )
    return [(name, value) for name, _, value in pairs]


# ---- what may be sent


@many
@given(queries(), capabilities() | st.just(SlackRts.can))
def test_what_is_sent_keeps_the_limits_of_the_manual(query: Query, can: Any) -> None:
    """Five clauses, 500 characters each and for all modifiers; words without a sign that could mean something."""
    native = SlackRts().translate(query, can).native
    if "ts" in native.args:
        assert native.text == ""
        return
    sent = term_clauses(native.text)
    assert len(sent) <= 5
    assert all(len(" ".join(clause)) <= 500 for clause in sent)
    assert all(re.fullmatch(r"\w[\w.-]*", term) for clause in sent for term in clause)
    assert not {term.casefold() for clause in sent for term in clause} & {"or", "and", "not"}
    assert native.args.keys() <= ARGS
    assert len(str(native.args.get("modifiers", ""))) <= 500
    said = [name for name, _ in modifiers_of(native.args)]
    assert len(said) == len(set(said)), "what two of a kind mean together is not documented"


@many
@given(clauses(text_leaves()))
def test_every_term_is_a_word_of_the_question(where: Clause) -> None:
    """Nothing is made up, and no text of the question becomes syntax."""
    native = SlackRts().translate(Query("?", where=where), SlackRts.can).native
    asked = unicodedata.normalize("NFC", " ".join(leaf.text for leaf in leaves(where) if not isinstance(leaf, Compare)))
    held = set(re.findall(r"\w+", asked))
    for clause in term_clauses(native.text):
        for term in clause:
            assert set(re.findall(r"\w+", term)) <= held
    assert native.args == {}


# ---- what is found


@st.composite
def messages(draw: st.DrawFn) -> Paper:
    """Messages in channels, as Slack holds them."""
    text = " ".join(draw(st.lists(st.sampled_from(WORDS), max_size=7)))
    moment = NOON + timedelta(milliseconds=draw(st.integers(-(10**9), 10**9)))
    return Paper(
        id="C1:1",
        snippet=text,
        kind=draw(st.sampled_from([Kind.MESSAGE, Kind.THREAD])),
        author=draw(st.sampled_from(PEOPLE)),
        container=draw(st.sampled_from(PLACES)),
        created=moment,
    )


PEOPLE = (Person("Sarah Kim", "U0SARAH"), Person("김민수", "U0MINSU", me=True))
PLACES = (Container("공지", "C0NOTICE"), Container("eng-platform", "C0ENG"))
structured = (
    st.builds(Compare, st.just(Field.AUTHOR), st.just(Op.EQ), st.sampled_from([*PEOPLE, Person("", me=True)]))
    | st.builds(Compare, st.just(Field.CONTAINER), st.just(Op.EQ), st.sampled_from(PLACES))
    | st.builds(Compare, st.just(Field.KIND), st.just(Op.EQ), st.sampled_from([Kind.MESSAGE, Kind.THREAD, Kind.PAGE]))
    | st.builds(Compare, st.sampled_from([Field.TIME, Field.CREATED]), st.sampled_from([Op.GE, Op.LT]), instants())
)
words = st.sampled_from(WORDS).map(Term) | st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join).map(
    Phrase
)
trees = clauses(words | structured)


def finds(native: Any, message: Paper, *, inclusive: bool, heeded: bool) -> bool:
    """Slack's rules; ``heeded``: whether modifiers count where there are no term clauses."""
    sent, said = term_clauses(native.text), modifiers_of(native.args)
    assert message.created is not None
    assert message.author is not None
    assert message.container is not None
    moment = message.created.timestamp()
    late = native.args.get("after", -1e18) <= moment if inclusive else native.args.get("after", -1e18) < moment
    early = native.args.get("before", 1e18) >= moment if inclusive else native.args.get("before", 1e18) > moment
    facts = {
        "from": {f"<@{message.author.native_id}>", *(["me"] if message.author.me else [])},
        "in": {f"<#{message.container.native_id}>"},
        "is": {"thread"} if message.kind is Kind.THREAD else set(),
    }
    return (
        all(any(matches(Term(term), message) for term in clause) for clause in sent)
        and (not (sent or heeded) or all(value in facts[name] for name, value in said))
        and native.args.get("content_types", ["messages"]) == ["messages"]
        and late
        and early
    )


@nightly(800)
@given(trees, messages(), st.booleans(), st.booleans())
def test_slack_and_our_check_find_what_was_asked_for(
    where: Clause, message: Paper, inclusive: bool, heeded: bool
) -> None:
    """End to end, over every tree: found by Slack and kept by us exactly when it satisfies the question."""
    found = SlackRts().translate(Query("?", where=where), SlackRts.can)
    asked = matches(where, message)
    kept = finds(found.native, message, inclusive=inclusive, heeded=heeded) and (
        matches(found.residual or EVERYTHING, message) is not False
    )
    if asked is not None:
        assert kept is asked, f"{found.native} and {found.residual} for {where}"


def test_alternatives_are_distributed_over_what_must_hold_together() -> None:
    """(a AND b) OR (c AND d) is four clauses; with three such pairs it would be eight, which Slack does not take."""

    def pairs(*pairs: str) -> Clause:
        return AnyOf(tuple(AllOf(tuple(map(Term, pair))) for pair in pairs))

    two = SlackRts().translate(Query("?", where=pairs("ab", "cd")), SlackRts.can)
    assert (two.native.text, two.residual) == ("(a c) (a d) (b c) (b d)", None)
    three = SlackRts().translate(Query("?", where=pairs("ab", "cd", "ef")), SlackRts.can)
    assert (three.native.text, three.residual) == ("", pairs("ab", "cd", "ef"))


def test_a_long_list_of_alternatives_is_left_to_us_rather_than_cut() -> None:
    """A clause holds 500 characters: half of the alternatives would lose what the others find."""
    names = [f"쿠버네티스{number:04d}" for number in range(60)]
    found = SlackRts().translate(Query("?", where=all_of([Term("배포"), AnyOf(tuple(map(Term, names)))])), SlackRts.can)
    assert found.native.text == "배포"
    assert found.residual == AnyOf(tuple(map(Term, names)))
    assert "500" in found.losses[0].why


def test_a_word_that_is_barred_somewhere_takes_the_modifiers_along() -> None:
    """The only word is also an alternative to a person: then there is no word to search for, and we check the rest."""
    me = Compare(Field.AUTHOR, Op.EQ, Person("", me=True))
    here = Compare(Field.CONTAINER, Op.EQ, PLACES[0])
    where = AllOf((Term("배포"), AnyOf((Term("배포"), me)), here))
    found = SlackRts().translate(Query("?", where=where), SlackRts.can)
    assert found.native.text == ""
    assert set(conjuncts(found.residual or EVERYTHING)) == set(where.parts)


def test_order_and_address() -> None:
    """Sorting is by time or not at all; an address goes by itself."""
    thing = Compare(Field.ID, Op.EQ, Identifier(IdKind.URL, "https://acme.slack.com/archives/C1/p1736500000123456"))
    found = SlackRts().translate(Query("?", where=all_of([thing, Term("배포")]), sort=Sort.NEWEST), SlackRts.can)
    assert found.native.args == {"channel": "C1", "ts": "1736500000.123456"}
    assert found.residual == Term("배포")
    sorted_ = SlackRts().translate(Query("?", where=Not(Term("x")), sort=Sort.OLDEST), SlackRts.can)
    assert sorted_.native.args == {"sort": "timestamp", "sort_dir": "asc"}


def test_the_evaluator_can_say_no() -> None:
    """The rules above are not always true."""
    message = Paper(snippet="배포 일정", kind=Kind.MESSAGE, author=PEOPLE[0], container=PLACES[0], created=NOON)
    for where in (
        Term("결제"),
        AnyOf((Term("결제"), Term("예산"))),
        all_of([Term("배포"), Compare(Field.AUTHOR, Op.EQ, PEOPLE[1])]),
        all_of([Term("배포"), Compare(Field.CONTAINER, Op.EQ, PLACES[1])]),
        Compare(Field.TIME, Op.GE, datetime(2026, 1, 1, tzinfo=UTC)),
        Compare(Field.TIME, Op.LT, datetime(2024, 1, 1, tzinfo=UTC)),
    ):
        native = SlackRts().translate(Query("?", where=where), SlackRts.can).native
        assert not finds(native, message, inclusive=True, heeded=True)
