"""Google Chat, read back by a reader written from its reference alone: what was meant is what Chat would understand.

Reference: https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages/search
"""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from hypothesis import example, given
from hypothesis import strategies as st

from tests.examples import nightly
from translators.gchat import GoogleChat
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
    Query,
    Term,
    all_of,
    conjuncts,
)
from translators.strategies import HOSTILE, clauses, identifiers, instants, queries

if TYPE_CHECKING:
    from collections.abc import Iterator

many = nightly(250)
TOKEN = re.compile(r'\s*(?:"([^"\\]*)"|([<>]?=|[<>:()])|([\w.]+|\*))')
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
NAMES = {"sender.name": r"users/(?:me|[\w.%+@-]+)", "space.name": r"spaces/[\w-]+"}
Reading = dict[str, Any]


def tokens_of(text: str) -> list[tuple[str, str]]:
    found, at = [], 0
    while text[at:].strip():
        token = TOKEN.match(text, at)
        assert token, f"{text[at:]!r} is not Google Chat's"
        quoted, sign, word = token.groups()
        found.append(("quoted", quoted) if quoted is not None else ("sign", sign) if sign else ("word", word))
        at = token.end()
    return found


def read(text: str) -> Reading:
    """A filter as what must hold: words, one group of alternatives a field, an interval. Anything else is refused."""
    assert 0 < len(text) <= 1000
    tokens = tokens_of(text)
    reading: Reading = {
        "words": [],
        "sender.name": None,
        "space.name": None,
        "attachment": False,
        ">=": None,
        "<": None,
    }
    while tokens:
        _term(tokens, reading)
        if tokens:
            assert tokens.pop(0) == ("word", "AND"), f"conditions are joined by AND in {text!r}"
            assert tokens, f"AND joins nothing in {text!r}"
    return reading


def _term(tokens: list[tuple[str, str]], reading: Reading) -> None:
    kind, text = tokens.pop(0)
    if (kind, text) == ("sign", "("):
        _group(tokens, reading)
    elif kind == "quoted" or not tokens or tokens[0][0] != "sign" or tokens[0][1] == "(":
        assert kind in {"quoted", "word"}, f"{text!r} stands alone"
        assert kind == "quoted" or text.upper() not in {"OR", "AND", "NOT"}, "an operator stands bare"
        reading["words"].append((kind == "quoted", words_of(text)))
    elif text == "create_time":
        sign, value = tokens.pop(0)[1], tokens.pop(0)
        assert sign in {">=", "<"}
        assert reading[sign] is None, "two bounds on one side are no interval"
        assert value[0] == "quoted"
        assert INSTANT.fullmatch(value[1])
        reading[sign] = value[1]
    elif text == "attachment":
        assert [tokens.pop(0), tokens.pop(0)] == [("sign", ":"), ("word", "*")]
        reading["attachment"] = True
    else:
        _named(text, [_value(text, tokens)], reading)


def _group(tokens: list[tuple[str, str]], reading: Reading) -> None:
    field = tokens.pop(0)[1]
    values = [_value(field, tokens)]
    while (token := tokens.pop(0)) == ("word", "OR"):
        assert tokens.pop(0) == ("word", field), "alternatives of two kinds"
        values.append(_value(field, tokens))
    assert token == ("sign", ")")
    _named(field, values, reading)


def _value(field: str, tokens: list[tuple[str, str]]) -> str:
    assert tokens.pop(0) == ("sign", "=")
    kind, value = tokens.pop(0)
    assert kind == "quoted"
    assert re.fullmatch(NAMES[field], value, re.ASCII)
    return value


def _named(field: str, values: list[str], reading: Reading) -> None:
    assert reading[field] is None, f"{field} is asked twice, which is not supported"
    reading[field] = set(values)


def words_of(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+", unicodedata.normalize("NFC", text)))


def expected(pushed: list[Clause]) -> Reading:
    """What Chat should understand of the conditions that are not left to us."""
    reading: Reading = {
        "words": [],
        "sender.name": None,
        "space.name": None,
        "attachment": False,
        ">=": None,
        "<": None,
    }
    for part in pushed:
        alternatives = part.parts if isinstance(part, AnyOf) else (part,)
        for leaf in alternatives:
            match leaf:
                case Term(text) | Phrase(text):
                    line = " ".join(unicodedata.normalize("NFC", text).split())
                    bare = isinstance(leaf, Term) and re.fullmatch("[A-Za-z0-9가-힣]+", line)
                    bare = bare and line.casefold() not in {"or", "and", "not", "around", "near", "xor"}
                    reading["words"].append((not bare, words_of(text)))
                case Compare(_, op, datetime() as instant):
                    bound = min(max(instant, FIRST), LAST).astimezone(UTC)
                    up = timedelta(seconds=1) if op is Op.LT and bound.microsecond else timedelta()
                    text = (bound.replace(microsecond=0) + up).strftime("%Y-%m-%dT%H:%M:%SZ")
                    held = reading[str(op)]
                    reading[str(op)] = text if held is None else (max if op is Op.GE else min)(held, text)
                case Compare(_, _, Person() as who):
                    names = [text for text in (who.email, who.native_id) if text and "@x.example" in text]
                    value = "users/me" if who.me else f"users/{names[0]}"
                    reading["sender.name"] = (reading["sender.name"] or set()) | {value}
                case Compare(_, _, Container(_, native_id)):
                    reading["space.name"] = (reading["space.name"] or set()) | {native_id}
                case Compare(_, _, Kind.FILE):
                    reading["attachment"] = True
                case _:
                    assert leaf == Compare(Field.KIND, Op.EQ, Kind.MESSAGE)
    return reading


FIRST, LAST = datetime(2, 1, 1, tzinfo=UTC), datetime(9998, 12, 31, tzinfo=UTC)
ME, SARAH = (Compare(Field.AUTHOR, Op.EQ, who) for who in (Person("", me=True), Person("s", email="sarah@x.example")))
ENG = Compare(Field.CONTAINER, Op.EQ, Container("eng", "spaces/AAAA"))


@many
@given(queries())
def test_whatever_is_sent_is_in_the_grammar(query: Query) -> None:
    """A filter that Chat accepts, never empty and never too long; or the name of one message and no filter."""
    native = GoogleChat().translate(query, GoogleChat.can).native
    if "name" in native.args:
        assert native.text == ""
        assert re.fullmatch(r"spaces/[\w-]+/messages/[\w.-]+", str(native.args["name"]), re.ASCII)
    else:
        read(native.text)


@many
@given(st.lists(clauses(), max_size=4).map(lambda parts: AllOf(tuple(parts))))
@example(AllOf((AnyOf((ME, SARAH)), SARAH, ENG)))
@example(AllOf((AnyOf((ME, ENG)), ME)))
@example(AllOf((AnyOf((ME, AllOf((ENG, SARAH)))), Term("x"))))
@example(AllOf((Phrase("w " * 600), Term("a"))))
def test_google_chat_understands_what_was_meant_and_nothing_else(where: Clause) -> None:
    """What is sent and what is left to us are the whole question: the filter says the rest, word by word."""
    found = GoogleChat().translate(Query("?", where=where), GoogleChat.can)
    if "name" in found.native.args:
        return
    pushed = flat(where)
    if pushed is None:
        return
    rest = [part for part in pushed if part not in conjuncts(found.residual or AllOf(()))]
    sent, meant = read(found.native.text), expected(rest)
    if sent["words"] or meant["words"] or any(meant[name] for name in meant if name != "words"):
        for name, value in meant.items():
            assert sent[name] == value or (name in {">=", "<"} and value is None), name


def flat(where: Clause) -> list[Clause] | None:
    """Conditions side by side, ``None`` where something in the question is nested or negated."""
    parts = list(dict.fromkeys(side_by_side(where)))
    simple = all(
        isinstance(part, Term | Phrase | Compare)
        or (isinstance(part, AnyOf) and len(part.parts) > 1 and all(isinstance(each, Compare) for each in part.parts))
        for part in parts
    )
    return parts if simple and not any(exact_second(part) for part in parts) else None


def side_by_side(where: Clause) -> Iterator[Clause]:
    """The parts of an AND, and of those within it."""
    for part in conjuncts(where):
        yield from side_by_side(part) if isinstance(part, AllOf) else (part,)


def exact_second(part: Clause) -> bool:
    """A bound between seconds is asked wider, and so is both sent and left to us."""
    inner = part.parts if isinstance(part, AnyOf) else (part,)
    values = [each.value for each in inner if isinstance(each, Compare)]
    return any(isinstance(value, datetime) and (value.microsecond or value.year < 1971) for value in values)


@many
@given(instants(), st.integers(1, 10**6), st.integers(-3_000_000, 3_000_000))
def test_no_message_of_the_window_is_excluded(start: datetime, length: int, shift: int) -> None:
    """End to end: ``>=`` and ``<`` are documented, and a window is half-open."""
    if not 1971 < start.year < 9000:
        return
    end = start + timedelta(seconds=length)
    where = all_of([Compare(Field.TIME, Op.GE, start), Compare(Field.TIME, Op.LT, end)])
    sent = read(GoogleChat().translate(Query("?", where=where), GoogleChat.can).native.text)
    for moment in (start, end - timedelta(microseconds=1), start + timedelta(milliseconds=shift)):
        if start <= moment < end:
            assert datetime.fromisoformat(sent[">="]) <= moment < datetime.fromisoformat(sent["<"])


@many
@given(
    identifiers()
    | st.sampled_from(HOSTILE).map(lambda text: Identifier(IdKind.URL, f"https://chat.google.com/room/A/{text}/b"))
)
def test_a_message_that_is_got_has_a_name(thing: Identifier) -> None:
    """It becomes part of a path."""
    found = GoogleChat().translate(Query("?", where=Compare(Field.ID, Op.EQ, thing)), GoogleChat.can)
    assert (found.residual is None) == bool(found.native.args)


def test_nothing_is_left_out_by_the_source() -> None:
    """Chat documents no negation, so none is sent."""
    for part in (Term("a"), ME, ENG, Compare(Field.KIND, Op.EQ, Kind.FILE)):
        found = GoogleChat().translate(Query("?", where=all_of([Term("x"), Not(part)])), GoogleChat.can)
        assert (found.native.text, found.residual) == ("x", Not(part))


def test_the_reader_refuses_what_is_not_google_chat_s() -> None:
    """The reader itself can fail: raw user text does not pass it."""
    raw = ("", '"', 'a" OR is_unread()', "a OR b", "(a)", "from:me", "sender.name = users/1", "NOT a", "a b",
           'sender.name = "users/1" AND sender.name = "users/2"', '(sender.name = "users/1" OR space.name = "spaces/A")',
           'create_time > "2025-01-01T00:00:00Z"', 'create_time >= "2025"', "x" * 1001, "a AND", '"a\\"b"')  # fmt: skip
    for text in raw:
        try:
            read(text)
        except (AssertionError, IndexError, KeyError):
            continue
        raise AssertionError(f"{text!r} was read")
