"""What a source says is harmless once it has been through connectors.text."""

from __future__ import annotations

import sys
import unicodedata
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.text import PLAIN_ADDRESS, absolute_url, clip, is_loopback
from translators.plain import BLANKS, LINE_ENDS, SURROGATES, UNSAFE, masked, plain_line, plain_text, quote, sendable

ANYTHING = st.text(alphabet=st.characters(exclude_categories=()))  # halves of surrogate pairs included


@given(ANYTHING)
def test_plain_text_holds_nothing_that_is_obeyed(text: str) -> None:
    """No control characters but tab and line feed, no overrides, nothing that UTF-8 cannot say."""
    plain = plain_text(text)
    assert not [c for c in plain if unicodedata.category(c) in ("Cc", "Cs") and c not in "\t\n"]
    assert not set(plain) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029\ufeff")
    plain.encode("utf-8")


def test_what_python_calls_printable_needs_no_cleaning() -> None:
    """Then none of the patterns has anything to do, so that most texts are taken as they are, in any language."""
    printable = "".join(c for c in map(chr, range(sys.maxunicode + 1)) if c.isprintable() and c != " ")
    assert not [pattern for pattern in (UNSAFE, LINE_ENDS, SURROGATES, BLANKS) if pattern.search(printable)]
    assert plain_text(f"{printable}\n\n{printable}") == f"{printable}\n\n{printable}"


@given(ANYTHING)
def test_plain_text_twice_is_plain_text_once(text: str) -> None:
    """Cleaning what is clean changes nothing."""
    assert plain_text(plain_text(text)) == plain_text(text)
    assert plain_line(plain_line(text)) == plain_line(text)


@given(ANYTHING)
def test_a_line_is_one_line(text: str) -> None:
    """Names and titles never break a table."""
    assert len(plain_line(text).splitlines()) <= 1


def test_plain_text_keeps_what_people_write() -> None:
    """Korean, emoji with joiners, markup as text, paragraphs."""
    text = "결제 서비스 🙆‍♀️ <b>not markup here</b>\n\n\ttab & tab"
    assert plain_text(text) == text


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("a\r\nb\rc\u2028d\x85e", "a\nb\nc\nd\ne"),
        ("\x1b[31mred\x1b[0m\x07", "[31mred[0m"),
        ("safe\u202egnp.exe", "safegnp.exe"),
        ("half \ud800 pair", "half \ufffd pair"),
        ("a\n\n\n\n\nb", "a\n\nb"),
        ("a\x00b\ufeffc", "abc"),
    ],
)
def test_plain_text_of_hostile_text(text: str, plain: str) -> None:
    """Each kind of nastiness by itself."""
    assert plain_text(text) == plain


@pytest.mark.parametrize(
    "url",
    ["javascript:alert(1)", "/relative", "//host/x", "", "https://", "http:///x", "data:text/html,x", "https://a b.c/",
     "https://a.b/\u202ex", "ftp://a.b/", "https://[::1/", "https://a.b/\ud800", "HTTPS:/x", "https://a.b/\n"],
)  # fmt: skip
def test_an_address_that_a_browser_should_not_open_is_none(url: str) -> None:
    """Anything but http and https with a host."""
    assert absolute_url(url) == ""


@pytest.mark.parametrize("url", ["https://a.b/c?d=e#f", "http://127.0.0.1:8080/", "https://위키.example/문서"])
def test_a_good_address_stays_as_it_is(url: str) -> None:
    """Not even tidied."""
    assert absolute_url(url) == url


@given(st.from_regex(r"https?://[A-Za-z0-9.:@\[\]_-]{0,12}([/?#][a-z/?#@:]{0,6})?", fullmatch=True))
def test_what_is_told_without_splitting_is_what_splitting_tells(url: str) -> None:
    """Most addresses take a quick way, which must not let in what has no host."""
    if PLAIN_ADDRESS.fullmatch(url):
        assert urlsplit(url).hostname
        assert absolute_url(url) == url


def test_clip_says_whether_it_cut() -> None:
    """The flag is what completeness rests on."""
    assert clip("abc", 3) == ("abc", True)
    assert clip("ab cd", 3) == ("ab", False)


def test_a_quote_is_short_and_on_one_line() -> None:
    """A vendor's essay does not become our error message."""
    assert quote("a\nb") == "a b"
    assert len(quote("x" * 5000)) == 201


def test_a_secret_is_masked_wherever_it_stands() -> None:
    """Secrets too short to be one are left alone."""
    assert masked("token s3cret1 and s3cret1", "s3cret1") == "token ••• and •••"
    assert masked("a cat", "a") == "a cat"


def test_sendable_replaces_half_pairs_only() -> None:
    """A question from a terminal may hold them."""
    assert sendable("결제\udce2") == "결제\ufffd"


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.9.9.9", "::1", "[::1]", "localhost", "LOCALHOST", "a.localhost", "localhost."]
)
def test_what_only_this_machine_answers_to(host: str) -> None:
    """By address or by name."""
    assert is_loopback(host)


@pytest.mark.parametrize(
    "host", ["", "10.0.0.1", "0.0.0.0", "127.0.0.1.evil.example", "localhost.evil.example", "notlocalhost", "1", "::"]
)
def test_what_others_may_answer_to(host: str) -> None:
    """A name that only begins or ends alike is anybody's."""
    assert not is_loopback(host)
