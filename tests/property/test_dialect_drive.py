"""Google Drive, read back by a reader written from its manual alone: what was meant is what Drive would understand.

Manual: https://developers.google.com/workspace/drive/api/guides/ref-search-terms
"""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from tests.examples import nightly
from translators.drive import Drive
from translators.drive.verdicts import judge
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
    Term,
    all_of,
    leaves,
)
from translators.split import split
from translators.strategies import HOSTILE, clauses, instants, queries

many = nightly(250)
# Which operators the manual allows for which term; a collection stands on the right of "in".
OPERATORS = {
    "name": {"contains", "=", "!="},
    "fullText": {"contains"},
    "mimeType": {"contains", "=", "!="},
    "modifiedTime": {"<", "<=", "=", "!=", ">", ">="},
    "createdTime": {"<", "<=", "=", "!=", ">", ">="},
    "trashed": {"=", "!="},
    "starred": {"=", "!="},
    "sharedWithMe": {"=", "!="},
}
COLLECTIONS = {"parents", "owners", "writers", "readers"}
TOKEN = re.compile(r"\s*(?:'((?:[^'\\]|\\['\\])*)'|([A-Za-z]+)|([<>!]?=|[<>])|([()]))")
RFC3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)")
Tree = tuple[Any, ...]
TRUE: Tree = ("and",)


class Reader:
    """A recursive-descent reader of ``q``; an assertion fails where the text is not in the documented grammar."""

    def __init__(self, text: str) -> None:
        self.tokens: list[tuple[str, str]] = []
        at = 0
        while at < len(text.rstrip()):
            found = TOKEN.match(text, at)
            assert found, f"{text[at:]!r} is not Drive's"
            value, word, sign, bracket = found.groups()
            if value is not None:
                self.tokens.append(("value", re.sub(r"\\(.)", r"\1", value)))
            else:
                self.tokens.append(("word" if word else "sign", word or sign or bracket))
            at = found.end()

    def whole(self) -> Tree:
        tree = self.joined() if self.tokens else TRUE
        assert not self.tokens, f"{self.tokens} is left over"
        return tree

    def peek(self) -> tuple[str, str]:
        return self.tokens[0] if self.tokens else ("end", "")

    def take(self, kind: str) -> str:
        found, text = self.peek()
        assert found == kind, f"{kind} was due where {text!r} stands"
        self.tokens.pop(0)
        return text

    def joined(self) -> Tree:
        """Conditions with one joiner between them; which of two binds closer is nowhere said, so none may mix."""
        parts = [self.one()]
        joiner = ""
        while self.peek() in {("word", "and"), ("word", "or")}:
            join = self.take("word")
            assert joiner in {"", join}, "and stands beside or without parentheses"
            joiner = join
            parts.append(self.one())
        return simplified(joiner or "and", parts)

    def one(self) -> Tree:
        if self.peek() == ("word", "not"):
            self.take("word")
            return "not", self.one()
        if self.peek() == ("sign", "("):
            self.take("sign")
            tree = self.joined()
            assert self.take("sign") == ")", "a parenthesis is left open"
            return tree
        if self.peek()[0] == "value":
            member = self.take("value")
            assert self.take("word") == "in"
            collection = self.take("word")
            assert collection in COLLECTIONS, f"{collection} is no collection"
            return collection, member
        return self.condition()

    def condition(self) -> Tree:
        term = self.take("word")
        assert term in OPERATORS, f"{term} is no term of Drive's"
        _, operator = self.tokens.pop(0)
        assert operator in OPERATORS[term], f"{term} knows no {operator}"
        if term in {"trashed", "starred", "sharedWithMe"}:
            assert self.take("word") == "true"
            return (term,)
        value = self.take("value")
        if term.endswith("Time"):
            assert RFC3339.fullmatch(value), f"{value!r} is no date and time"
        if term == "fullText":
            return (term, words_of(value), is_phrase(value))
        return term, operator, value


def simplified(join: str, parts: list[Tree]) -> Tree:
    """Groups of one are their part, groups in like groups melt, and an OR with a part that is always true is true."""
    if join == "or" and TRUE in parts:
        return TRUE
    flat = [inner for part in parts for inner in (part[1:] if part[0] == join else (part,))]
    return flat[0] if len(flat) == 1 else (join, *flat)


def is_phrase(value: str) -> bool:
    """Words side by side stand in double quotes, of which there are two and no more."""
    quoted = value.startswith('"') and value.endswith('"') and len(value) > 1
    assert value.count('"') == (2 if quoted else 0), f"stray quotes in {value!r}"
    assert quoted or re.fullmatch(r"[^\W_]+", value), f"{value!r} is neither a word nor a phrase"
    return quoted


def words_of(text: str) -> tuple[str, ...]:
    """Tokens as Drive makes them: whatever is no letter or digit parts them."""
    return tuple(re.findall(r"[^\W_]+", unicodedata.normalize("NFC", text)))


FIRST, LAST = datetime(2, 1, 1, tzinfo=UTC), datetime(9998, 12, 31, tzinfo=UTC)
ATTRIBUTES = {Field.TIME: "modifiedTime", Field.UPDATED: "modifiedTime", Field.CREATED: "createdTime"}


def meant(clause: Clause) -> Tree:  # noqa: PLR0911 - one line for each node
    """What Drive should understand of the clause that was pushed."""
    match clause:
        case AllOf(parts):
            return simplified("and", [meant(part) for part in parts])
        case AnyOf(parts):
            return simplified("or", [meant(part) for part in parts])
        case Not(Compare(name, op, datetime() as instant)):
            return ATTRIBUTES[name], "<" if op is Op.GE else ">=", seconds(op, instant)
        case Not(part):
            return "not", meant(part)
        case Term(text) | Phrase(text):
            whole: Tree = ("fullText", words_of(text), isinstance(clause, Phrase) or not is_word(text))
            syllables = isinstance(clause, Term) and re.fullmatch("[가-힣]+", one_line(text))
            return ("or", whole, ("name", "contains", one_line(text))) if syllables else whole
        case Prefix(text):
            return "name", "contains", one_line(text)
        case Compare(name, op, datetime() as instant):
            return ATTRIBUTES[name], str(op), seconds(op, instant)
        case Compare(_, _, Person() as who):
            return "owners", "me" if who.me else address(who)
        case Compare(_, _, Identifier(IdKind.FILE_NAME, text)):
            return "name", "=", one_line(text)
        case Compare(_, _, Container(native_id=str() as native_id)):
            return "parents", native_id
        case _:
            assert clause == Compare(Field.KIND, Op.EQ, Kind.FILE)
            return TRUE


def is_word(text: str) -> bool:
    line = one_line(text)
    return bool(re.fullmatch(r"[^\W_]+", line)) and line.casefold() not in {"or", "and", "not", "around", "near", "xor"}


def one_line(text: str) -> str:
    """Text without what no wire should carry, on one line, composed."""
    composed = unicodedata.normalize("NFC", text)
    return " ".join("".join(" " if unicodedata.category(char)[0] in "CZ" else char for char in composed).split())


def seconds(op: Op, instant: datetime) -> str:
    """The whole second, rounded outwards."""
    moment = min(max(instant, FIRST), LAST).astimezone(UTC)
    up = timedelta(seconds=1) if op is Op.LT and moment.microsecond else timedelta()
    return (moment.replace(microsecond=0) + up).strftime("%Y-%m-%dT%H:%M:%SZ")


def address(who: Person) -> str:
    found = [text for text in (who.email, who.native_id) if text and re.fullmatch(r"[a-z]+@x\.example", text)]
    return found[0]


@many
@given(clauses())
@example(AnyOf((Term("회의"), AllOf((Term("a"), Not(Phrase("it's")))))))
def test_drive_understands_what_was_meant_and_nothing_else(where: Clause) -> None:
    """The tree that Drive reads equals the tree that was pushed; user text never leaves its quotes."""
    if any(isinstance(leaf, Compare) and leaf.field is Field.ID for leaf in leaves(where)):
        return  # got by a request of its own, see below
    found = Drive().translate(Query("?", where=where), Drive.can)
    assert Reader(found.native.text).whole() == meant(split(where, Drive.can, judge).pushed)


@many
@given(queries())
def test_whatever_is_sent_is_in_the_grammar(query: Query) -> None:
    """With ids and orders as well; and the order is asked for only where Drive accepts it."""
    native = Drive().translate(query, Drive.can).native
    Reader(native.text).whole()
    assert native.args.keys() <= {"orderBy", "driveId", "fileId"}
    assert "orderBy" not in native.args or "fullText" not in native.text
    assert "fileId" not in native.args or native.text == ""


@many
@given(st.text(max_size=12) | st.sampled_from(HOSTILE))
def test_a_file_name_stays_a_name(text: str) -> None:
    """Whatever it holds, it is one value of one condition."""
    where = Compare(Field.ID, Op.EQ, Identifier(IdKind.FILE_NAME, text))
    found = Drive().translate(Query("?", where=where), Drive.can)
    assert found.residual == where or Reader(found.native.text).whole() == ("name", "=", one_line(text))


@many
@given(st.text(max_size=80) | st.sampled_from(HOSTILE).map(lambda text: f"https://drive.google.com/file/d/{text}/view"))
def test_an_id_that_is_got_is_an_id(text: str) -> None:
    """It becomes part of a path."""
    where = Compare(Field.ID, Op.EQ, Identifier(IdKind.URL, text))
    found = Drive().translate(Query("?", where=where), Drive.can)
    fetched = found.native.args.get("fileId", "")
    assert isinstance(fetched, str)
    assert re.fullmatch(r"[A-Za-z0-9_-]*", fetched)
    assert (found.residual is None) == bool(fetched)


@many
@given(instants(), st.integers(1, 10**6), st.integers(-3_000_000, 3_000_000), st.booleans())
def test_no_file_of_the_window_is_excluded(start: datetime, length: int, shift: int, cut: bool) -> None:
    """End to end: a file changed inside ``[start, end)`` is found, whether or not Drive cuts fractions of seconds."""
    if not 1971 < start.year < 9000:
        return
    end = start + timedelta(seconds=length)
    where = all_of([Compare(Field.TIME, Op.GE, start), Compare(Field.TIME, Op.LT, end)])
    found = Drive().translate(Query("?", where=where), Drive.can)
    assert start.microsecond == 0 or found.residual == where
    (_, (_, _, since), (_, _, until)) = Reader(found.native.text).whole()
    for moment in (start, end - timedelta(microseconds=1), start + timedelta(milliseconds=shift)):
        if start <= moment < end:
            kept = moment.replace(microsecond=0) if cut else moment
            assert datetime.fromisoformat(since) <= kept < datetime.fromisoformat(until)


def test_the_reader_refuses_what_is_not_drive_s() -> None:
    """The reader itself can fail: raw user text does not pass it."""
    raw = (
        "'", "name contains 'it's'", "fullText = 'x'", "name contains 'a' and name contains 'b' or name contains 'c'",
        "(name = 'a'", "name = 'a')", "deploy", "'x' in name", "modifiedTime > 'yesterday'", "fullText contains 'a b'",
        "fullText contains 'a\"b'", "name = 'a\\b'", "trashed = 'no'", "title contains 'x'",
    )  # fmt: skip
    for text in raw:
        try:
            Reader(text).whole()
        except (AssertionError, IndexError):
            continue
        raise AssertionError(f"{text!r} was read")


def test_an_order_is_lost_beside_words_and_kept_without() -> None:
    """Drive answers 403 to orderBy beside fullText, and orders nothing by itself."""
    for where, kept in ((Term("x"), False), (Not(Term("x")), False), (Prefix("x"), True), (AllOf(()), True)):
        native = Drive().translate(Query("?", where=where, sort=Sort.OLDEST), Drive.can).native
        assert native.args == ({"orderBy": "modifiedTime"} if kept else {})
