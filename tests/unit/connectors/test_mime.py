"""Headers and bytes of mails, believed as far as they can be true."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors import mime
from translators.query import Person

KOREAN = "배포 일정을 확정했습니다"


@pytest.mark.parametrize(
    ("raw", "charset", "text"),
    [
        (KOREAN.encode(), "utf-8", KOREAN),
        (KOREAN.encode(), "", KOREAN),
        (KOREAN.encode(), "EUC-KR", KOREAN),
        (KOREAN.encode("euc-kr"), "euc-kr", KOREAN),
        (KOREAN.encode("euc-kr"), "utf-8", KOREAN),
        (KOREAN.encode("euc-kr"), "us-ascii", KOREAN),
        (KOREAN.encode("iso2022_kr"), "ISO-2022-KR", KOREAN),
        ("똠방각하".encode("cp949"), "ks_c_5601-1987", "똠방각하"),
        ("카".encode("euc-kr"), "euc-kr", "카"),
        ("café".encode("latin-1"), "iso-8859-1", "café"),
        ("café".encode("latin-1"), "\"ISO-8859-1'", "café"),
        ("日本".encode("shift_jis"), "Shift_JIS", "日本"),
        (b"plain", "punycode", "plain"),
        (b"plain", "utf-99", "plain"),
        (b"plain", "utf\x00", "plain"),
        (b"\xff\xfe?", "utf-8", "\ufffd\ufffd?"),
        (b"", "euc-kr", ""),
        (KOREAN.encode()[:-1], "utf-8", KOREAN[:-1]),
    ],
)
def test_bytes_are_read_in_what_they_can_be(raw: bytes, charset: str, text: str) -> None:
    assert mime.decoded(raw, charset) == text


@given(
    st.binary(max_size=60),
    st.sampled_from(["", "utf-8", "euc-kr", "iso-2022-kr", "utf-16", "utf-7", "hz", "x"]) | st.text(max_size=9),
)
def test_any_bytes_become_text(raw: bytes, charset: str) -> None:
    assert isinstance(mime.decoded(raw, charset), str)


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("plain  text ", "plain text"),
        ("=?UTF-8?B?67Cw7Y+s?= =?UTF-8?B?IOydvOyglQ==?=", "배포 일정"),
        ("Re: =?EUC-KR?B?udjGtw==?= x", "Re: 밑틔 x"),
        ("=?klingon?Q?x?=", "=?klingon?Q?x?="),
        ("=?UTF-8?B?a?=", "=?UTF-8?B?a?="),
        ("=?UTF-8?Q?=1B]0;pwned=07?=", "]0;pwned"),
    ],
)
def test_words_of_headers(raw: str, shown: str) -> None:
    assert mime.decoded_words(raw) == shown


def test_people_of_headers() -> None:
    found = mime.people('"Kim, Minsu" <kim@a.example>, =?utf-8?Q?Park=2C_J?= <p@a.example>, b@a.example')
    assert found == (
        Person("Kim, Minsu", email="kim@a.example"),
        Person("Park, J", email="p@a.example"),
        Person("b@a.example", email="b@a.example"),
    )
    assert mime.people("undisclosed-recipients:;") == (Person("undisclosed-recipients:;"),)
    assert mime.people("") == ()
