"""What a mail's headers and parts say."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from connectors.gmail import mail
from connectors.gmail.wire import Message
from translators.query import Person


def message(payload: dict[str, Any]) -> Message:
    return Message.model_validate({"id": "1", "payload": payload})


def part(mime: str, raw: bytes, charset: str = "utf-8", **more: Any) -> dict[str, Any]:
    data = base64.urlsafe_b64encode(raw).decode().rstrip("=")
    headers = [{"name": "Content-Type", "value": f'{mime}; charset="{charset}"'}]
    return {"mimeType": mime, "headers": headers, "body": {"data": data}, **more}


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("Kim <kim@a.example>", [Person("Kim", email="kim@a.example")]),
        ("kim@a.example", [Person("kim@a.example", email="kim@a.example")]),
        ('"Kim, Minsu" <kim@a.example>, b@a.example',
         [Person("Kim, Minsu", email="kim@a.example"), Person("b@a.example", email="b@a.example")]),
        ("=?utf-8?B?6rmA66+87IiY?= <kim@a.example>", [Person("김민수", email="kim@a.example")]),
        ("=?utf-8?Q?Kim=2C_Minsu?= <kim@a.example>", [Person("Kim, Minsu", email="kim@a.example")]),
        ("=?klingon?Q?x?= <kim@a.example>", [Person("=?klingon?Q?x?=", email="kim@a.example")]),
        ("undisclosed-recipients:;", [Person("undisclosed-recipients:;")]),
        ("", []),
    ],
)  # fmt: skip
def test_people(raw: str, expected: list[Person]) -> None:
    """Names decoded after the addresses were told apart."""
    assert list(mail.people(message({"headers": [{"name": "FROM", "value": raw}]}), "From")) == expected


@pytest.mark.parametrize(
    ("payload", "text"),
    [
        (part("text/plain", "안녕".encode()), ("안녕", True)),
        (part("text/plain", "안녕".encode("euc-kr"), "EUC-KR"), ("안녕", True)),
        (part("text/plain", "안녕".encode("cp949"), "ks_c_5601-1987"), ("안녕", True)),
        (part("text/plain", b"plain", "punycode"), ("plain", True)),
        (part("text/plain", b"\xff\xfe?", "utf-8"), ("\ufffd\ufffd?", True)),
        (part("text/html", b"<p>a</p><p>b &amp; c</p>"), ("a\n\nb & c", True)),
        ({"mimeType": "multipart/alternative", "parts": [part("text/html", b"<b>h</b>"), part("text/plain", b"p")]}, ("p", True)),
        ({"mimeType": "multipart/mixed", "parts": [part("text/plain", b"p"), part("text/plain", b"log", filename="a.txt")]},
         ("p", False)),
        ({"mimeType": "text/plain", "body": {"attachmentId": "A"}}, ("", False)),
        ({"mimeType": "text/plain", "body": {"data": "YWJjZ"}}, ("", False)),
        ({}, ("", False)),
    ],
)  # fmt: skip
def test_text(payload: dict[str, Any], text: tuple[str, bool]) -> None:
    """Plain before HTML, in the declared character set; whole only if nothing is attached or unreadable."""
    assert mail.text(message(payload)) == text


def test_parts_nested_without_end_are_read_to_a_depth() -> None:
    """And no further; there may be more."""
    deepest: dict[str, Any] = part("text/plain", b"deep")
    for _ in range(60):
        deepest = {"mimeType": "multipart/mixed", "parts": [deepest]}
    assert mail.text(message(deepest)) == ("", False)


def test_a_snippet_is_unescaped() -> None:
    """Google escapes it for HTML."""
    given = Message.model_validate({"id": "1", "snippet": "a &lt;b&gt; &#39;c&#39; &amp;amp;"})
    assert mail.snippet(given) == "a <b> 'c' &amp;"
