"""Mails as they were written, well or badly."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.imap import mail
from connectors.imap.searching import MALFORMED

HEAD = b"From: a@b.example\r\nSubject: s\r\nMIME-Version: 1.0\r\n"


def text_of(rest: bytes, *, cut: bool = False) -> tuple[str, bool]:
    read = mail.read(HEAD + rest, cut=cut)
    return read.text, read.whole


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        (b"\r\nplain", ("plain", True)),
        (b"Content-Type: text/html\r\n\r\n<p>a</p><script>x</script><p>b &amp; c</p>", ("a\n\nb & c", True)),
        (
            b"Content-Type: text/plain; charset=euc-kr\r\nContent-Transfer-Encoding: base64\r\n\r\nudjGtw==",
            ("밑틔", True),
        ),
        (b"Content-Transfer-Encoding: base64\r\n\r\ncGxhaW4!!\r\n", ("plain", True)),
        (b"Content-Transfer-Encoding: base64\r\n\r\ncGxhaW4gdGV4dA", ("plain text", True)),
        (b"Content-Transfer-Encoding: base64\r\n\r\ncGxhaW4gd", ("plain ".strip(), True)),
        (b"Content-Transfer-Encoding: quoted-printable\r\n\r\n=EB=B0=B0=\r\n=ED=8F=AC", ("배포", True)),
        (b"Content-Transfer-Encoding: uuencode\r\n\r\nnothing of the kind", ("nothing of the kind", True)),
        (b"Content-Type: multipart/mixed\r\n\r\nno boundary", ("", False)),
        (
            b"Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<b>h</b>\r\n--b\r\n\r\np\r\n--b--",
            ("p", True),
        ),
        (
            b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\np\r\n--b\r\nContent-Disposition: attachment\r\n\r\nlog",
            ("p", False),
        ),
        (
            b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\np\r\n--b\r\nContent-Type: message/rfc822\r\n\r\nSubject: x\r\n\r\ny\r\n--b--",
            ("p", False),
        ),
        (
            b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\ncut off in the mid",
            ("cut off in the mid", True),
        ),
        (b"Content-Type: image/png\r\n\r\nx", ("", False)),
    ],
)
def test_text(rest: bytes, expected: tuple[str, bool]) -> None:
    assert text_of(rest) == expected


def test_what_was_cut_is_not_whole() -> None:
    assert text_of(b"\r\nplain", cut=True) == ("plain", False)


def test_attachments_are_named() -> None:
    raw = (
        HEAD
        + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: application/pdf; name=a.pdf\r\n\r\n"
        b"--b\r\nContent-Disposition: attachment; filename*=UTF-8''%EA%B0%80.pdf\r\n\r\n"
        b'--b\r\nContent-Disposition: attachment; filename="=?UTF-8?B?64KY?=.txt"\r\n\r\n--b--'
    )
    assert mail.read(raw).attachments == ("a.pdf", "가.pdf", "나.txt")


def test_headers_as_people_read_them() -> None:
    raw = (
        "From: =?UTF-8?B?6rmA66+87IiY?=\r\n <minsu@a.example>\r\nSubject: 그냥 쓴\r\n 제목\r\nDATE: Fri, 9 Jan 2026 23:30:00 -0500\r\n"
        "Message-ID: (comment) <m1@a.example>\r\nReferences: <m0@a.example>\r\n <mx@a.example>\r\nIn-Reply-To: <mx@a.example>\r\n"
        "Subject: a second one\r\n\r\n"
    ).encode("euc-kr")
    read = mail.read(raw)
    assert (str(read.author), read.subject) == ("김민수", "그냥 쓴 제목")
    assert read.sent == datetime(2026, 1, 10, 4, 30, tzinfo=UTC)
    assert (read.message_id, read.thread) == ("<m1@a.example>", "<m0@a.example>")


@pytest.mark.parametrize(
    ("written", "moment"),
    [
        ("Fri, 09 Jan 2026 23:30:00 +0900", datetime(2026, 1, 9, 14, 30, tzinfo=UTC)),
        (" 9-Jan-2026 23:30:00 -0700", datetime(2026, 1, 10, 6, 30, tzinfo=UTC)),
        ("Fri, 09 Jan 2026 23:30:00 -0000", datetime(2026, 1, 9, 23, 30, tzinfo=UTC)),
        ("Fri, 09 Jan 2026 23:30:00 +9999", None),
        ("Fri, 09 Jan 0026 23:30:00 +0000", datetime(2026, 1, 9, 23, 30, tzinfo=UTC)),
        ("Thu, 1 Jan 1903 00:00:00 +0000", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_dates(written: str, moment: datetime | None) -> None:
    assert mail.moment(written) == moment


def test_a_mail_within_a_mail_without_end_is_read_to_a_depth() -> None:
    raw = b"deep"
    for number in range(60):
        raw = b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n%s" % (number, number, raw)
    assert not mail.read(raw).whole


@given(st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
def test_any_bytes_are_read_or_told(raw: bytes) -> None:
    try:
        read = mail.read(HEAD + raw)
    except MALFORMED:
        return
    assert isinstance(read.text, str)
