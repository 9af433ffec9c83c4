"""IMAP: a real Dovecot accepts whatever is asked, and finds at least what was asked for.

Manual: https://www.rfc-editor.org/rfc/rfc3501#section-6.4.4. What is sent is read back by a reader written from the
grammar alone, too, which needs no server.
"""

from __future__ import annotations

import asyncio
import re
import unicodedata
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, timezone
from email.utils import format_datetime
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from connectors.contract import Call
from connectors.imap import ImapSource, criteria
from connectors.imap.protocol import Literal
from connectors.imap.settings import ImapSettings
from orchestrator.sandbox.imap import dovecot
from orchestrator.sandbox.imap.dovecot import Letter
from tests.examples import nightly
from tests.property.imap_reader import OWN, Reader, bytes_of, meant
from translators.imap import Imap
from translators.match import matches
from translators.query import (
    EVERYTHING,
    Clause,
    Compare,
    Container,
    Field,
    Identifier,
    IdKind,
    Kind,
    Op,
    Person,
    Phrase,
    Prefix,
    Query,
    Sort,
    Term,
)
from translators.strategies import HOSTILE, NOON, WORDS, Paper, clauses, queries, texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


MOST_SECONDS = 900  # thousands of queries, where the deep profile asks for them
MOST_QUERIES = 2000  # each of them is several commands to a server
PASSWORD = "imap-property"


# ---- mails of which everything is known

PEOPLE = (
    Person("Sarah Kim", email=OWN, me=True),
    Person("김민수", email="minsu@x.example"),
    Person("박서연", email="seoyeon@x.example"),
    Person("Kim Sarah-Jane", email="sj@y.example"),
)
ENCODINGS = (("utf-8", "8bit"), ("euc-kr", "base64"), ("utf-8", "quoted-printable"), ("utf-8", "base64"))
PLACES = ("INBOX", "Sent", "공지 사항")


@dataclass(frozen=True)
class Known:
    """A mail as it lies on the server, and what is to be known of it."""

    letter: Letter
    paper: Paper


def written(number: int, dice: Random) -> Known:
    """A mail of random words, in some zone, some character set, some mailbox; every seventh without a date."""
    import base64
    import quopri

    charset, transfer = dice.choice(ENCODINGS)
    lines = [" ".join(dice.choices(WORDS, k=dice.randint(0, 5))) for _ in range(dice.randint(0, 4))]
    title = " ".join(dice.choices(WORDS, k=dice.randint(0, 3)))
    who, place = dice.choice(PEOPLE), dice.choice(PLACES)
    sent = NOON + timedelta(seconds=dice.randint(-400 * 3600, 400 * 3600))
    received = sent + timedelta(seconds=dice.randint(0, 90_000))
    zone = timezone(timedelta(minutes=30 * dice.randint(-24, 28)))
    dated = number % 7 != 0
    body = "\r\n".join(lines).encode(charset)
    coded = {
        "8bit": lambda: body,
        "base64": lambda: base64.encodebytes(body),
        "quoted-printable": lambda: quopri.encodestring(body),
    }
    head = [
        f"From: {encoded_word(who.name)} <{who.email}>",
        f"Subject: {encoded_word(title)}",
        f"Message-ID: <m{number}@x.example>",
        *([f"Date: {format_datetime(sent.astimezone(zone))}"] if dated else []),
        "MIME-Version: 1.0",
        f"Content-Type: text/plain; charset={charset}",
        f"Content-Transfer-Encoding: {transfer}",
    ]
    raw = "\r\n".join(head).encode() + b"\r\n\r\n" + coded[transfer]()
    paper = Paper(
        id=f"<m{number}@x.example>",
        title=title,
        snippet="\n".join(lines),
        kind=Kind.MAIL,
        author=who,
        container=Container(place, place),
        created=sent if dated else received,
    )
    return Known(Letter(place, received.timestamp(), raw), paper)


def encoded_word(text: str) -> str:
    from email.header import Header

    return Header(text, "utf-8" if not text.isascii() else "us-ascii", maxlinelen=10_000).encode()


MAILS = [written(number, Random(number)) for number in range(48)]


# ---- the server


class Server:
    """A Dovecot with those mails, and one signed-in source that is asked in turn."""

    def __init__(self, runner: asyncio.Runner, source: ImapSource) -> None:
        self.runner = runner
        self.source = source

    def refusal(self, keys: Any) -> str:
        """What the server has against some criteria, asked as they stand in every way there is."""
        return self.runner.run(self._refusal(keys))

    async def _refusal(self, keys: Any) -> str:
        from connectors.imap.errors import CommandRefused

        pool = self.source._pool
        assert pool is not None
        credential = pool._resting[0].credential
        pieces = criteria.encoded_keys(keys, (OWN, "kim@y.example"))
        for command in (
            b"UID SEARCH CHARSET UTF-8 ",
            b"UID SEARCH RETURN (ALL) CHARSET UTF-8 ",
            b"UID SORT (DATE) UTF-8 ",
        ):
            async with pool.connection(credential, Call()) as connection:
                try:
                    await connection.run(command, *pieces)
                except CommandRefused as refused:
                    return f"{refused.status.state} {refused.status.text}: {pieces}"
        return ""

    def found(self, native: Any) -> set[str]:
        """The Message-IDs of all mails found, over all pages."""
        ids: set[str] = set()
        cursor: str | None = None
        while True:
            page = self.runner.run(self.source.search(native, Call(limit=50, cursor=cursor, timeout=30)))
            assert set(page.notes) <= {"there is no mailbox nowhere"}
            ids |= {hit.id for hit in page.hits}
            cursor = page.cursor
            if cursor is None:
                return ids


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    if reason := dovecot.missing():
        pytest.skip(reason)
    with asyncio.Runner() as runner:
        running = dovecot.running([each.letter for each in MAILS], PASSWORD)
        port = runner.run(running.__aenter__())
        options = {
            "kind": "imap", "base_url": f"imap://sarah%40x.example@127.0.0.1:{port}", "token": PASSWORD,
            "mailboxes": PLACES, "mails_read": 0,
        }  # fmt: skip
        source = ImapSource("mail", ImapSettings.model_validate(options))
        try:
            runner.run(source.probe(Call()))
            yield Server(runner, source)
        finally:
            runner.run(source.aclose())
            runner.run(running.__aexit__(None, None, None))


# ---- nothing that is asked is refused


@pytest.mark.timeout(MOST_SECONDS)
def test_dovecot_understands_whatever_is_asked(server: Server) -> None:
    """Every question there is, hostile ones included: no answer is BAD or NO."""

    @settings(deadline=None, max_examples=min(MOST_QUERIES, settings.default.max_examples))
    @given(queries())
    def check(query: Query) -> None:
        native = Imap().translate(query, Imap.can).native
        assert server.refusal(native.args["criteria"]) == ""

    check()


keys = st.recursive(
    st.builds(
        lambda name, text: [name, text], st.sampled_from(sorted(criteria.TEXTS)), texts() | st.sampled_from(HOSTILE)
    )
    | st.builds(lambda text: ["HEADER", "Message-ID", text], texts())
    | st.builds(lambda day: ["SENTON", f"{day}-Feb-2026"], st.integers(1, 28))
    | st.just(["FROM", {"me": True}]),
    lambda inner: (
        st.tuples(st.just("OR"), inner, inner).map(list)
        | st.tuples(st.just("NOT"), inner).map(list)
        | st.lists(inner, min_size=1, max_size=3).map(lambda each: ["AND", *each])
    ),
    max_leaves=6,
)


@pytest.mark.timeout(MOST_SECONDS)
def test_dovecot_understands_whatever_a_native_query_may_hold(server: Server) -> None:
    """Texts that no translation lets through, line ends, NUL and broken characters included, stay texts."""

    @settings(deadline=None, max_examples=min(MOST_QUERIES, settings.default.max_examples))
    @given(st.lists(keys, max_size=3))
    @example([["TEXT", "x\r\nA9 LOGOUT\r\n"], ["SUBJECT", '" ALL'], ["BODY", "\\"], ["TO", "{4}"], ["CC", "\x00"]])
    def check(wanted: Any) -> None:
        assert server.refusal(wanted) == ""

    check()


def test_dovecot_refuses_what_is_no_query(server: Server) -> None:
    """The checks above can fail."""
    from connectors.errors import Rejected
    from connectors.imap.protocol import string

    for wrong in ([["SENTON", "2026-02-01"]], [["NONSENSE", "x"]], [["TEXT"]], "ALL"):
        with pytest.raises(Rejected):
            server.refusal(wrong)
    assert string("x\r\ny") == Literal(b"x\r\ny")
    original = criteria.encoded_keys
    try:
        criteria.encoded_keys = lambda *_: [b"NONSENSE x"]
        assert server.refusal([]).startswith("BAD")
    finally:
        criteria.encoded_keys = original


# ---- what was asked for is found

fragments = st.sampled_from([*WORDS, "deploys", "schedules", "CONN", "4012", "ENG", "마이그레", "배포 일정", "release"])
words = (
    st.builds(Term, fragments)
    | st.builds(Prefix, fragments)
    | st.builds(Phrase, st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join))
)
asked_people = st.sampled_from(
    [
        Person("", me=True),
        Person("sarah"),
        Person("Kim Sarah"),
        Person("민수"),
        Person("김민수"),
        Person("김민수", "minsu@x.example"),
        Person("", email="SEOYEON@x.example"),
        Person("sj", email="sj@y.example"),
        Person("!!!"),
    ]
)
moments = st.integers(-420 * 3600, 420 * 3600).map(lambda seconds: NOON + timedelta(seconds=seconds))
times = st.builds(
    lambda name, op, moment, hours: Compare(name, op, moment.astimezone(timezone(timedelta(hours=hours)))),
    st.sampled_from([Field.TIME, Field.CREATED]),
    st.sampled_from([Op.GE, Op.LT]),
    moments,
    st.integers(-12, 14),
)
conditions = (
    words
    | times
    | st.builds(Compare, st.just(Field.AUTHOR), st.just(Op.EQ), asked_people)
    | st.builds(Compare, st.just(Field.CONTAINER), st.just(Op.EQ), st.sampled_from(
        [Container("inbox"), Container("sent"), Container("공지_사항"), Container("x", "공지 사항"), Container("nowhere")]))
    | st.builds(Compare, st.just(Field.KIND), st.just(Op.EQ), st.sampled_from([Kind.MAIL, Kind.PAGE]))
    | st.builds(lambda number: Compare(Field.ID, Op.EQ, Identifier(IdKind.PERMALINK, f"<m{number}@x.example>")),
                st.integers(0, 55))
)  # fmt: skip


@pytest.mark.timeout(MOST_SECONDS)
def test_what_was_asked_for_is_found_and_kept(server: Server) -> None:
    """Widen, never narrow: a mail that satisfies the question is found by Dovecot and passes our own check.

    And what is found and kept satisfies it, as far as that can be told.
    """

    @settings(deadline=None, max_examples=min(MOST_QUERIES, settings.default.max_examples))
    @given(clauses(conditions), st.sampled_from(Sort))
    def check(where: Clause, sort: Sort) -> None:
        translation = Imap().translate(Query("?", where=where, sort=sort), Imap.can)
        found = server.found(translation.native)
        for paper in (each.paper for each in MAILS):
            kept = paper.id in found and matches(translation.residual or EVERYTHING, paper) is not False
            asked = matches(where, paper)
            assert asked is not True or kept, f"{paper} is lost by {translation}"
            assert asked is not False or not kept, f"{paper} should not come of {translation}"

    check()


def test_every_word_of_every_mail_finds_it(server: Server) -> None:
    """In whatever character set and transfer encoding, over every line break."""
    for known in MAILS:
        for text in (known.paper.title, *known.paper.snippet.split("\n")):
            if text.strip():
                native = Imap().translate(Query("?", where=Phrase(text)), Imap.can).native
                assert known.paper.id in server.found(native), text


@pytest.mark.parametrize("hours", [-12, -11, -1, 0, 1, 9, 13, 14])
def test_no_zone_loses_a_mail_at_the_edge_of_a_window(hours: int) -> None:
    """By the rule of RFC 3501: the day as written is compared, "disregarding time and timezone"."""
    zone = timezone(timedelta(hours=hours))
    for minutes in range(0, 48 * 60, 47):
        start = NOON + timedelta(minutes=minutes)
        end = start + timedelta(hours=5)
        for moment in (start, end - timedelta(microseconds=1)):
            on = moment.astimezone(zone).date()
            since = day_of(Compare(Field.TIME, Op.GE, start), "SENTSINCE")
            before = day_of(Compare(Field.TIME, Op.LT, end), "SENTBEFORE")
            assert since <= on < before


def day_of(leaf: Compare, name: str) -> Any:
    text = Imap().translate(Query("?", where=leaf), Imap.can).native.text
    found = re.search(rf"\b{name} (\S+)", text)
    assert found is not None
    return datetime.strptime(found[1], "%d-%b-%Y").replace(tzinfo=UTC).date()


@nightly(500)
@given(st.lists(keys, min_size=1, max_size=3))
def test_a_server_reads_what_was_meant_and_nothing_else(wanted: Sequence[Any]) -> None:
    """User text never leaves its string, quoted or literal."""
    assert Reader(bytes_of(list(wanted))).whole() == [meant(key) for key in wanted]


@nightly(500)
@given(queries())
def test_every_translation_is_in_the_grammar(query: Query) -> None:
    """And holds no text but the words of the question, control characters excluded."""
    native = Imap().translate(query, Imap.can).native
    wanted: Any = native.args["criteria"]
    assert Reader(bytes_of(wanted)).whole() == ([meant(key) for key in wanted] or [["ALL"]])
    assert all(unicodedata.category(char)[0] != "C" for text in criteria.texts(wanted) for char in text)


def test_the_reader_refuses_what_is_not_imap() -> None:
    """The reader itself can fail."""
    for raw in (
        b"TEXT",
        b'TEXT "a',
        b"TEXT a",
        b'OR TEXT "a"',
        b"()",
        b'SINCE "x"',
        b"TEXT {3+}\r\nab",
        b'TEXT "a""b"',
    ):
        with pytest.raises(AssertionError):
            Reader(raw).whole()


# ---- words


@pytest.mark.parametrize(
    ("asked", "present"),
    [
        ("deploys", "deploy"),
        ("deploy", "deploys"),
        ("boxes", "box"),
        ("issues", "issue"),
        ("배포", "배포는"),
        ("class", "class"),
    ],
)
def test_words_are_asked_for_in_a_form_that_all_their_forms_hold(asked: str, present: str) -> None:
    where = Term(asked)
    assert matches(where, Paper(title=present))
    for text in criteria.texts(list(Imap().translate(Query("?", where=where), Imap.can).native.args["criteria"])):  # type: ignore[call-overload]
        assert text in present


def test_the_papers_are_what_the_mails_say() -> None:
    """What the tests know of a mail and what the source reads of it agree: neither is tested with a wrong measure."""
    from connectors.imap import mail

    for known in MAILS:
        read = mail.read(known.letter.raw)
        assert (read.subject, read.text.split()) == (" ".join(known.paper.title.split()), known.paper.snippet.split())
        assert read.author == replace(known.paper.author or Person(""), me=False)
        assert read.sent in (None, known.paper.created)
