"""The source before a server that says what it is told to: renewed tokens, late texts, mails that nobody can read."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from connectors.contract import Call, Hit
from connectors.errors import Rejected, Throttled, Unauthenticated
from connectors.imap import ImapSource, gathering, mail
from connectors.imap.criteria import encoded_keys
from connectors.imap.settings import ImapSettings
from connectors.testing.exemplar import Counted, LineExchange
from connectors.testing.stage import LineStage
from tests.clock import HANGING, leaping
from translators.query import Kind
from translators.said import said_in
from translators.translator import NativeQuery

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

EVERYTHING = NativeQuery("imap", "ALL", {"criteria": []})
HEADERS = "DATE FROM TO CC SUBJECT MESSAGE-ID IN-REPLY-TO REFERENCES"
GREETING = LineExchange(reply=("* OK [CAPABILITY IMAP4rev1 SASL-IR] ready",))
SIGNED_IN = "OK [CAPABILITY IMAP4rev1 SORT] in"


def sign_in(token: str, answer: str) -> LineExchange:
    sent = f"A1 AUTHENTICATE XOAUTH2 {{base64:user=me@a.example\x01auth=Bearer {token}\x01\x01}}"
    return LineExchange(send=sent, reply=(f"A1 {answer}",))


FOUND = (
    LineExchange(send='A2 LIST "" "*"', reply=('* LIST () "/" INBOX', "A2 OK")),
    LineExchange(send='A3 EXAMINE "INBOX"', reply=("* 1 EXISTS", "A3 OK")),
    LineExchange(send="A4 UID SORT (REVERSE DATE) US-ASCII ALL", reply=("* SORT 7", "A4 OK")),
    LineExchange(
        send=f"A5 UID FETCH 7 (UID INTERNALDATE RFC822.SIZE BODY.PEEK[HEADER.FIELDS ({HEADERS})])",
        reply=(
            "* 1 FETCH (UID 7 RFC822.SIZE 9 BODY[X] ",
            Counted(literal="Subject: 공지\nMessage-ID: <7@x>\n"),
            ")",
            "A5 OK",
        ),
    ),
)
TEXT = LineExchange(
    send="A6 UID FETCH 7 (UID INTERNALDATE RFC822.SIZE BODY.PEEK[]<0.131072>)",
    reply=("* 1 FETCH (UID 7 RFC822.SIZE 9 BODY[]<0> ", Counted(literal="Message-ID: <7@x>\n\nx"), ")", "A6 OK"),
)
BYE = LineExchange(send="A7 LOGOUT", reply=("* BYE", "A7 OK"))


class Renewing:
    """A signer with a token that has run out and others after it."""

    def __init__(self, *tokens: str) -> None:
        self.tokens = list(tokens)

    async def secret(self) -> str:
        return self.tokens[0]

    async def after(self, refused: str) -> str | None:
        assert refused == self.tokens.pop(0)
        return self.tokens[0] if self.tokens else None


@asynccontextmanager
async def standing(
    *lines: LineExchange, signer: Any = None, stall_at: int = 0, boxes: Sequence[str] = ("INBOX",)
) -> AsyncIterator[tuple[ImapSource, LineStage]]:
    async with LineStage(lines, "old", "imap", stall_at) as stage:
        options = {
            "kind": "imap",
            "base_url": stage.url,
            "username": "me@a.example",
            "token": "old",
            "mechanism": "xoauth2",
        }
        source = ImapSource("mail", ImapSettings.model_validate({**options, "mailboxes": list(boxes)}))
        source._signer = signer or source._signer
        try:
            yield source, stage
        finally:
            await source.aclose()
        assert stage.surprises == []


async def test_a_token_that_has_run_out_is_renewed_once() -> None:
    refused = sign_in("old", "NO [AUTHENTICATIONFAILED] expired")
    lines = (GREETING, refused, GREETING, sign_in("new", SIGNED_IN), *FOUND, TEXT, BYE)
    async with standing(*lines, signer=Renewing("old", "new")) as (source, stage):
        page = await source.search(EVERYTHING, Call())
        assert [(hit.title, hit.snippet) for hit in page.hits] == [("", "x")]
        await source.aclose()
        assert stage.unplayed == []


async def test_a_token_that_cannot_be_renewed_is_told() -> None:
    refused = sign_in("old", "NO [AUTHENTICATIONFAILED] expired")
    async with standing(GREETING, refused, signer=Renewing("old")) as (source, _):
        with pytest.raises(Unauthenticated, match="get a new access token"):
            await source.search(EVERYTHING, Call())


async def test_text_that_comes_late_does_not_cost_the_mail() -> None:
    lines = (GREETING, sign_in("old", SIGNED_IN), *FOUND, TEXT)
    async with standing(*lines, stall_at=len(lines)) as (source, stage):
        leap = leaping()
        searching = asyncio.create_task(source.search(EVERYTHING, Call(timeout=HANGING)))
        await asyncio.wait((searching, asyncio.create_task(stage.arrived.wait())), return_when="FIRST_COMPLETED")
        leap(0.9 * HANGING)  # texts have less than that
        page = await searching
    assert [(hit.title, hit.snippet, hit.complete) for hit in page.hits] == [("공지", "", False)]
    assert page.notes == ("the text of 1 of 1 mails could not be read (did not come in time)",)


async def test_a_mail_that_breaks_the_parser_costs_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> Any:
        raise RecursionError

    monkeypatch.setattr(mail, "read", broken)
    bye = LineExchange(send="A6 LOGOUT", reply=("* BYE", "A6 OK"))
    async with standing(GREETING, sign_in("old", SIGNED_IN), *FOUND, bye) as (source, _):
        page = await source.search(EVERYTHING, Call())
    assert (page.hits, page.notes) == ((), ("1 of 1 mails could not be read",))


def two_boxes(*first: LineExchange) -> tuple[LineExchange, ...]:
    listed = replace_reply(FOUND[0], '* LIST () "/" INBOX', '* LIST () "/" "Team x"', "A2 OK")
    return (GREETING, sign_in("old", SIGNED_IN), listed, *(first or FOUND[1:]))


def replace_reply(exchange: LineExchange, *reply: str) -> LineExchange:
    return exchange.model_copy(update={"reply": reply})


async def test_mailboxes_that_our_own_limit_leaves_no_turn_for_are_left_out() -> None:
    """INBOX was searched; the other one may hold what was asked for."""
    nothing = replace_reply(FOUND[2], "* SORT", "A4 OK")
    turns = count(1)

    async def turn(_: str = "", /) -> None:
        if next(turns) > 5:  # to connect, sign in and list; to open INBOX and to search it
            raise Throttled("our own limit", 9.0)

    async with standing(
        *two_boxes(FOUND[1], nothing), LineExchange(send="A5 LOGOUT", reply=("* BYE", "A5 OK")), boxes=["*"]
    ) as (source, _):
        page = await source.search(EVERYTHING, Call(turn=turn))
    (missing,) = page.left_out
    assert (page.hits, missing.code, missing.retry_after) == ((), "throttled", 9.0)
    assert missing.said == "Team x could not be searched (our own limit)"
    assert "검색하지 못했습니다" in said_in(missing.said, "ko")


async def test_mailboxes_that_there_is_no_time_for_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was found in the others is read and shown."""
    monkeypatch.setattr(gathering, "SHARE", 0.0)
    async with standing(*two_boxes(), TEXT, BYE, boxes=["*"]) as (source, _):
        page = await source.search(EVERYTHING, Call())
    assert [hit.title for hit in page.hits] == [""]
    assert [each.said for each in page.left_out] == ["Team x could not be searched (no time was left)"]


async def test_mails_that_were_found_and_did_not_come_are_told() -> None:
    lines = (*FOUND[:3], replace_reply(FOUND[3], "A5 OK"), LineExchange(send="A6 LOGOUT", reply=("* BYE", "A6 OK")))
    async with standing(GREETING, sign_in("old", SIGNED_IN), *lines) as (source, _):
        page = await source.search(EVERYTHING, Call())
    assert (page.hits, page.notes) == ((), ("1 of 1 mails could not be read",))


@pytest.mark.parametrize("cursor", ["", "-1", "x", "500", "9999999", "１"])
async def test_a_page_that_is_not_there_is_told(cursor: str) -> None:
    async with standing(GREETING) as (source, stage):
        with pytest.raises(Rejected, match="no such page"):
            await source.search(EVERYTHING, Call(cursor=cursor))
        assert len(stage.unplayed) == 1
    assert repr(source) == "ImapSource('mail', '127.0.0.1')"


def test_the_thread_of_a_mail_is_what_began_it_and_all_that_refers_to_that() -> None:
    made = ImapSource("mail", ImapSettings.model_validate({"kind": "imap", "base_url": "imap://x.example"}))
    asked = made.conversation(Hit("mail", "<7@x>", Kind.MAIL, facts={"thread": "<1@x>"}))
    assert asked is not None
    keys = b"".join(
        each if isinstance(each, bytes) else bytes(each) for each in encoded_keys(asked.args["criteria"], ())
    )
    assert keys == b'OR HEADER Message-ID "<1@x>" HEADER References "<1@x>"'
    assert made.conversation(Hit("mail", "<7@x>", Kind.MAIL)) is None
