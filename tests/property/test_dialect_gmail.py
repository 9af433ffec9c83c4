"""Gmail, read back by a reader written from Gmail's manual alone: what was meant is what Gmail would understand.

Manual: https://support.google.com/mail/answer/7190
"""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.examples import nightly
from translators.gmail import Gmail
from translators.gmail.verdicts import judge
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
    Term,
    all_of,
)
from translators.split import split
from translators.strategies import clauses, instants

many = nightly(250)
OPERATORS = {
    "from",
    "to",
    "cc",
    "bcc",
    "subject",
    "label",
    "in",
    "is",
    "has",
    "after",
    "before",
    "filename",
    "rfc822msgid",
}
SPECIAL = '(){}"'
Tree = tuple[Any, ...]
TRUE: Tree = ("and",)


class Reader:
    """A recursive-descent reader of ``q``; an assertion fails where the text is not in the documented grammar."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def whole(self) -> Tree:
        tree = self.sequence("and", "")
        assert self.at == len(self.text), f"{self.text[self.at :]!r} closes what was never opened in {self.text!r}"
        return tree

    def sequence(self, join: str, closing: str) -> Tree:
        parts = []
        while self.skip_blanks() and self.here not in ")}":
            parts.append(self.item())
        if closing:
            assert self.here == closing, f"{closing!r} is missing in {self.text!r}"
            self.at += 1
        return simplified(join, parts)

    @property
    def here(self) -> str:
        return self.text[self.at : self.at + 1]

    def skip_blanks(self) -> bool:
        while self.here == " ":
            self.at += 1
        return self.at < len(self.text)

    def item(self) -> Tree:
        if self.here == "-":
            self.at += 1
            return "not", self.primary()
        return self.primary()

    def primary(self) -> Tree:
        opening = self.here
        if opening in {"(", "{"}:
            self.at += 1
            return self.sequence("and" if opening == "(" else "or", ")" if opening == "(" else "}")
        if opening == '"':
            return "text", words_of(self.quoted())
        token = self.bare()
        name, colon, value = token.partition(":")
        if not colon:
            assert token not in {"OR", "AND", "NOT", "AROUND"}, f"an operator stands bare in {self.text!r}"
            return "text", words_of(token)
        assert name in OPERATORS, f"no operator {name!r} in {self.text!r}"
        return name, (words_of(value) if value else self.value())

    def value(self) -> tuple[str, ...]:
        if self.here == '"':
            return words_of(self.quoted())
        assert self.here == "(", f"an operator without a value in {self.text!r}"
        end = self.text.index(")", self.at)
        inside, self.at = self.text[self.at + 1 : end], end + 1
        assert not set(inside) & set("({}:"), f"syntax inside a value in {self.text!r}"
        return words_of(inside)

    def quoted(self) -> str:
        end = self.text.find('"', self.at + 1)
        assert end > 0, f"a quote is left open in {self.text!r}"
        inside, self.at = self.text[self.at + 1 : end], end + 1
        assert self.here in {"", " ", ")", "}"}, f"something sticks to a closing quote in {self.text!r}"
        return inside

    def bare(self) -> str:
        start = self.at
        while self.here and self.here not in SPECIAL + " ":
            self.at += 1
        token = self.text[start : self.at]
        assert token, f"nothing to read at {start} in {self.text!r}"
        assert not token.startswith(("-", "+")), f"a sign before a word in {self.text!r}"
        return token


def simplified(join: str, parts: list[Tree]) -> Tree:
    """Groups of one are their part, groups in like groups melt, and an OR with a part that is always true is true."""
    if join == "or" and TRUE in parts:
        return TRUE
    flat = [inner for part in parts for inner in (part[1:] if part[0] == join else (part,))]
    return flat[0] if len(flat) == 1 else (join, *flat)


def words_of(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+", unicodedata.normalize("NFC", text)))


MAILBOXES = {"inbox", "sent", "drafts", "spam", "trash", "anywhere"}


def meant(clause: Clause) -> Tree:  # noqa: PLR0911 - one line for each node
    """What Gmail should understand of the clause that was pushed."""
    match clause:
        case AllOf(parts):
            return simplified("and", [meant(part) for part in parts])
        case AnyOf(parts):
            return simplified("or", [meant(part) for part in parts])
        case Not(part):
            return "not", meant(part)
        case Term(text) | Phrase(text):
            return "text", words_of(text)
        case Compare(_, Op.GE, datetime() as start):
            return "after", (str(int(min(start, LAST).timestamp() // 1) - 1),)
        case Compare(_, Op.LT, datetime() as end):
            return "before", (str(-int(-min(end, LAST).timestamp() // 1) + 1),)
        case Compare(_, _, Person() as who):
            return "from", ("me",) if who.me else words_of(address(who) or who.name.replace("_", " "))
        case Compare(_, _, Container(name)):
            return "in" if name in MAILBOXES else "label", words_of(name)
        case Compare(_, _, Kind.FILE):
            return "has", ("attachment",)
        case Compare(_, _, Identifier(_, text)):
            assert text.startswith("<"), f"{text!r} is no Message-ID"
            assert text.endswith(">"), f"{text!r} is no Message-ID"
            return "rfc822msgid", words_of(text)
        case _:
            assert clause == Compare(Field.KIND, Op.EQ, Kind.MAIL)
            return TRUE


LAST = datetime(9998, 12, 31, tzinfo=UTC)


def address(who: Person) -> str:
    found = [text for text in (who.email, who.native_id) if text and re.fullmatch(r"[a-z]+@x\.example", text)]
    return found[0] if found else ""


@many
@given(clauses())
def test_gmail_understands_what_was_meant_and_nothing_else(where: Clause) -> None:
    """The tree that Gmail reads equals the tree that was pushed; user text never leaves its quotes."""
    found = Gmail().translate(Query("?", where=where), Gmail.can)
    assert Reader(found.native.text).whole() == meant(split(where, Gmail.can, judge).pushed)


@many
@given(instants(), st.integers(1, 10**6), st.integers(-3_000_000, 3_000_000), st.booleans())
def test_no_mail_of_the_window_is_excluded(start: datetime, seconds: int, shift: int, inclusive: bool) -> None:
    """End to end: a mail inside ``[start, end)`` is found, whether or not the boundary second belongs to an operator."""
    if not 1971 < start.year < 9000:
        return
    end = start + timedelta(seconds=seconds)
    where = all_of([Compare(Field.TIME, Op.GE, start), Compare(Field.TIME, Op.LT, end)])
    found = Gmail().translate(Query("?", where=where), Gmail.can)
    assert found.residual == where
    bounds = dict(part.split(":") for part in found.native.text.split())
    for moment in (start, end - timedelta(microseconds=1), start + timedelta(milliseconds=shift)):
        if start <= moment < end:
            second = int(moment.timestamp() // 1)  # Gmail's internalDate, cut to the unit of the operators
            late = second >= int(bounds["after"]) if inclusive else second > int(bounds["after"])
            early = second <= int(bounds["before"]) if inclusive else second < int(bounds["before"])
            assert late, f"{moment} is lost at the beginning"
            assert early, f"{moment} is lost at the end"


def test_the_reader_refuses_what_is_not_gmail() -> None:
    """The reader itself can fail: raw user text does not pass it."""
    for raw in ('"', 'a" from:me', "a OR b", "{a", "b)", "x:y", "from:", "- -x", '"a"b'):
        try:
            Reader(raw).whole()
        except (AssertionError, ValueError):
            continue
        raise AssertionError(f"{raw!r} was read")


LOCAL = st.text("abcXYZ019.!#$%&'*+/=?^_`~-", min_size=1, max_size=12)
MESSAGE_IDS = st.builds("<{}@{}>".format, LOCAL, st.sampled_from(["mail.acme.example", "x", "10.0.0.1"]))


@many
@given(MESSAGE_IDS, st.sampled_from(["", "배포", "deploy"]))
def test_a_message_id_is_one_value_of_one_operator(text: str, word: str) -> None:
    """Whatever signs it holds, it stands between its operator and the next blank."""
    where = all_of([Compare(Field.ID, Op.EQ, Identifier(IdKind.URL, text)), *([Term(word)] if word else [])])
    found = Gmail().translate(Query("?", where=where), Gmail.can)
    assert found.native.text.split(" ") == [f"rfc822msgid:{text[1:-1]}", *([word] if word else [])]
    assert found.residual is None


def test_prefixes_are_never_pushed() -> None:
    """The reader above knows no prefix, because Gmail knows none."""
    assert split(Prefix("mig"), Gmail.can, judge).pushed == AllOf(())
