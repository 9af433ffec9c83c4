"""Lines become responses, texts become strings that nothing leaves."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.errors import BadReply
from connectors.imap.protocol import (
    Continuation,
    DataResponse,
    Literal,
    StatusResponse,
    response,
    spaced,
    string,
    uid_set,
)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"+ go on", Continuation()),
        (b"+", Continuation()),
        (b"A1 OK done", StatusResponse("A1", "OK", "", "", "done")),
        (b"A1 NO", StatusResponse("A1", "NO")),
        (b"* BYE [UNAVAILABLE] later", StatusResponse("*", "BYE", "UNAVAILABLE", "", "later")),
        (b"a1 ok [capability IMAP4rev1 SORT] in", StatusResponse("a1", "OK", "CAPABILITY", "IMAP4rev1 SORT", "in")),
        (b"* OK [UIDVALIDITY 7] valid", StatusResponse("*", "OK", "UIDVALIDITY", "7", "valid")),
        (b"* 23 EXISTS", DataResponse("EXISTS", 23, [])),
        (b"* SEARCH", DataResponse("SEARCH", None, [])),
        (b"* search 2 84 882 ", DataResponse("SEARCH", None, [b"2", b"84", b"882"])),
        (b"* SORT 9 (MODSEQ 3)", DataResponse("SORT", None, [b"9", [b"MODSEQ", b"3"]])),
        (
            b'* ESEARCH (TAG "A4") UID ALL 4:18,21',
            DataResponse("ESEARCH", None, [[b"TAG", b"A4"], b"UID", b"ALL", b"4:18,21"]),
        ),
        (
            b'* LIST (\\HasNoChildren \\Sent) "/" "a \\"b\\" \\\\c"',
            DataResponse("LIST", None, [[b"\\HasNoChildren", b"\\Sent"], b"/", b'a "b" \\c']),
        ),
        (b"* LIST () NIL INBOX", DataResponse("LIST", None, [[], None, b"INBOX"])),
        (
            b'* 5 FETCH (UID 9 BODY[HEADER.FIELDS (FROM TO)] NIL BODY[]<0> "")',
            DataResponse("FETCH", 5, [[b"UID", b"9", b"BODY[HEADER.FIELDS (FROM TO)]", None, b"BODY[]<0>", b""]]),
        ),
    ],
)
def test_a_line_is_read(line: bytes, expected: object) -> None:
    assert response([line]) == expected


def test_literals_stand_where_they_were_counted() -> None:
    parts = [b"* 5 FETCH (BODY[] {4}", Literal(b'(\r\n"'), b" UID 9 X {0}", Literal(b""), b")"]
    assert response(parts) == DataResponse("FETCH", 5, [[b"BODY[]", b'(\r\n"', b"UID", b"9", b"X", b""]])


@pytest.mark.parametrize(
    "line",
    [
        b"", b" ", b"*", b"* ", b"* 5", b"A1 MAYBE so", b"* LIST (", b"* LIST )", b'* LIST "open', b"* X [", b"220 smtp ESMTP",
        b"* ((((" + b"(" * 100, b"* (a)", b'* "x\\"', b"* 1 (FETCH)", b"\xff\xfe",
    ],
)  # fmt: skip
def test_what_is_no_imap_is_told(line: bytes) -> None:
    with pytest.raises(BadReply, match="not IMAP"):
        response([line])


@pytest.mark.parametrize("line", [b"HTTP/1.1 200 OK", b"<!DOCTYPE html>", b"  <html>"])
def test_a_web_server_is_told(line: bytes) -> None:
    with pytest.raises(BadReply, match="web server"):
        response([line])


@given(
    st.lists(
        st.binary(max_size=40).map(lambda raw: b"* " + raw) | st.builds(Literal, st.binary(max_size=9)), max_size=4
    )
)
def test_any_reply_is_read_or_told(parts: list[bytes | Literal]) -> None:
    """Whatever a server says, it is a response or an error of ours."""
    with suppress(BadReply):
        assert isinstance(response([b"* X", *parts]), DataResponse | StatusResponse)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("deploy", b'"deploy"'),
        ('a "b" \\', b'"a \\"b\\" \\\\"'),
        ("", b'""'),
        ("배포", Literal("배포".encode())),
        ("a\r\nb", Literal(b"a\r\nb")),
        ("a\x00b", Literal(b"ab")),
        ("\ud800", Literal(b"?")),
        ("x" * 2000, Literal(b"x" * 2000)),
    ],
)
def test_a_text_is_quoted_or_counted(text: str, expected: object) -> None:
    assert string(text) == expected


def test_pieces_are_joined() -> None:
    assert spaced([[b"A"], [b"B", Literal(b"x")], [b"C"]]) == [b"A", b" ", b"B", Literal(b"x"), b" ", b"C"]
    assert uid_set([9, 4]) == b"4,9"
    assert "x" * 9 not in repr(Literal(b"x" * 9))
