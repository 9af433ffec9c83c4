"""Two links to one thing have one canonical form; links to two things have two."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.rank import canonical_url
from orchestrator.rank.canonical import RULES, plain, simple

PAGE = "0123456789abcdef0123456789abcdef"
SAME = {
    "scheme": ("http://docs.example.com/a", "https://docs.example.com/a"),
    "host case": ("https://Docs.Example.COM/a", "https://docs.example.com/a"),
    "default port": ("https://docs.example.com:443/a", "http://docs.example.com:80/a"),
    "user": ("https://me@docs.example.com/a", "https://docs.example.com/a"),
    "trailing slash": ("https://docs.example.com/a/", "https://docs.example.com/a"),
    "bare host": ("https://docs.example.com/", "https://docs.example.com"),
    "fragment": ("https://docs.example.com/a#part-2", "https://docs.example.com/a"),
    "tracking": ("https://e.example/a?utm_source=mail&x=1&gclid=9&fbclid=z", "https://e.example/a?x=1"),
    "order of parameters": ("https://e.example/a?b=2&a=1", "https://e.example/a?a=1&b=2"),
    "encoded Hangul": ("https://e.example/문서/연차", "https://e.example/%EB%AC%B8%EC%84%9C/%EC%97%B0%EC%B0%A8"),
    "blanks around": ("  https://e.example/a\n", "https://e.example/a"),
    "slack workspace": (
        "https://acme.slack.com/archives/C012AB/p1736901000000100",
        "https://acme.enterprise.slack.com/archives/C012AB/p1736901000000100?thread_ts=1736900000.000000&cid=C012AB",
    ),
    "notion title": (f"https://www.notion.so/acme/Old-title-{PAGE}?pvs=4", f"https://notion.so/New-title-{PAGE}#h2"),
    "notion dashes": (
        "https://www.notion.so/01234567-89ab-cdef-0123-456789abcdef",
        f"https://acme.notion.site/Title-{PAGE}",
    ),
    "notion peek": (f"https://www.notion.so/acme/{'f' * 32}?v={'a' * 32}&p={PAGE}&pm=s", f"https://notion.so/{PAGE}"),
    "linear slug": ("https://linear.app/acme/issue/ENG-12/old-words", "https://linear.app/Acme/issue/eng-12"),
    "gmail label": (
        "https://mail.google.com/mail/u/0/#inbox/18f0c0ffee",
        "https://mail.google.com/mail/u/1/#all/18f0c0ffee",
    ),
    "drive": (
        "https://docs.google.com/document/d/1AbCdEfGhIjKl/edit?usp=sharing#heading=h.1",
        "https://drive.google.com/open?id=1AbCdEfGhIjKl",
    ),
    "confluence title": (
        "https://acme.atlassian.net/wiki/spaces/ENG/pages/4711/Old+title",
        "https://acme.atlassian.net/wiki/pages/viewpage.action?pageId=4711",
    ),
}
DIFFERENT = {
    "path": ("https://e.example/a", "https://e.example/b"),
    "path case": ("https://e.example/A", "https://e.example/a"),
    "parameter": ("https://e.example/a?id=1", "https://e.example/a?id=2"),
    "cid is no tracking": ("https://e.example/a?cid=1", "https://e.example/a?cid=2"),
    "other port": ("http://127.0.0.1:8001/a", "http://127.0.0.1:8002/a"),
    "slack reply": (
        "https://acme.slack.com/archives/C012AB/p1736901000000100",
        "https://acme.slack.com/archives/C012AB/p1736901000000200?thread_ts=1736901000.000100&cid=C012AB",
    ),
    "slack channel": (
        "https://acme.slack.com/archives/C012AB/p1736901000000100",
        "https://acme.slack.com/archives/C099ZZ/p1736901000000100",
    ),
    "notion page": (f"https://notion.so/A-{PAGE}", f"https://notion.so/A-{'f' * 32}"),
    "notion without id": ("https://www.notion.so/product", "https://www.notion.so/pricing"),
    "linear project": ("https://linear.app/acme/project/a", "https://linear.app/acme/project/b"),
    "gmail message": ("https://mail.google.com/mail/u/0/#inbox/1", "https://mail.google.com/mail/u/0/#inbox/2"),
    "gmail start": ("https://mail.google.com/mail/u/0/", "https://mail.google.com/mail/u/1/"),
    "drive start": ("https://drive.google.com/drive/my-drive", "https://drive.google.com/drive/recent"),
    "confluence site": (
        "https://a.atlassian.net/wiki/spaces/E/pages/4711",
        "https://b.atlassian.net/wiki/spaces/E/pages/4711",
    ),
    "application route": ("https://e.example/#/issues/1", "https://e.example/#/issues/2"),
    "hash elsewhere": (f"https://git.example/{PAGE}", f"https://www.notion.so/{PAGE}"),
}


@pytest.mark.parametrize(("one", "other"), SAME.values(), ids=SAME)
def test_spellings_of_one_address_are_equal(one: str, other: str) -> None:
    assert canonical_url(one) == canonical_url(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT.values(), ids=DIFFERENT)
def test_different_addresses_stay_different(one: str, other: str) -> None:
    assert canonical_url(one) != canonical_url(other)


def test_no_address_has_no_form() -> None:
    assert canonical_url("  ") == ""


@pytest.mark.parametrize("broken", ["http://[::1", "not a url", "/relative", "https://"])
def test_what_is_no_address_stands_for_itself(broken: str) -> None:
    assert canonical_url(broken) == broken


ADDRESSES = st.from_regex(
    r"https?://(docs\.example\.com|acme\.slack\.com|www\.notion\.so|linear\.app|drive\.google\.com|e\.com:80|e\.com:8443|Docs\.Example\.com)"
    r"(/(archives|spaces|d|a b|%20|x\.y|[0-9a-f]{3}|한글)){0,3}/?(\?((a|b|utm_source|id|q)=?[a-z1 %+]{0,2}&?){0,4})?(#(top|/r))?",
    fullmatch=True,
)


@given(ADDRESSES)
def test_the_quick_way_says_what_the_whole_way_says(address: str) -> None:
    quick = simple(address)
    if quick:
        parts = urlsplit(address)
        assert not any(rule(parts.netloc, parts) for rule in RULES)
        assert quick == plain(parts.netloc, parts)


def test_most_addresses_go_the_quick_way() -> None:
    """A change that leaves it to the whole way costs every question some milliseconds."""
    assert simple("https://docs.example.com/a/b-1?utm_source=x&b=2&a=1") == "docs.example.com/a/b-1?a=1&b=2"
    assert simple("http://127.0.0.1:8080/browse/PAY-12") == "127.0.0.1:8080/browse/PAY-12"
    assert simple("http://wiki.example.com:80/page") == ""
    assert simple("https://wiki.example.com/page/") == "wiki.example.com/page"
    assert simple("https://www.notion.so/Plan-0123456789abcdef0123456789abcdef") == ""
    assert simple("https://acme.slack.com/archives/C1/p1700000000000001") == ""
