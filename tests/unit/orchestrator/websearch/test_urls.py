"""An address is read as a browser reads it, or not at all; one page has one key."""

from __future__ import annotations

import pytest

from orchestrator.websearch.urls import compared_url, read_address

HOSTS = {
    "https://Docs.Python.ORG/3/": "docs.python.org",
    "https://docs.python.org./3/": "docs.python.org",
    "https://docs.python.org@evil.example/": "evil.example",
    "https://한국어.example/문서": "한국어".encode("idna").decode() + ".example",
    "http://[::1]/x": "::1",
    "http://[2001:DB8::1]:8080/x": "2001:db8::1",
    "https://a。b.example/": "a.b.example",
}
NO_ADDRESS = [
    "", "docs.python.org", "//docs.python.org/x", "ftp://docs.python.org/", "javascript:alert(1)", "file:///etc/passwd",
    "https://", "https:///path", "https://evil.example\\@docs.python.org/", "https://docs.python.org /x",
    "https://docs.python.org/\nx", "https://docs.python.org:99999/", "https://docs.python.org:0/", "https://a..b/",
    "https://docs%2epython.org/", "https://" + "a" * 300 + ".org/", "https://x.example/" + "a" * 5000,
    "https://[::1/x", "https://exa\u202emple.org/", "https://-a.example/",
]  # fmt: skip
SAME = {
    "scheme": ("http://e.example/a", "https://e.example/a"),
    "trailing slash": ("https://e.example/a/", "https://e.example/a"),
    "fragment": ("https://e.example/a#part", "https://e.example/a"),
    "tracking": ("https://e.example/a?utm_source=x&id=1&fbclid=2&n_media=3", "https://e.example/a?id=1"),
    "order": ("https://e.example/a?b=2&a=1", "https://e.example/a?a=1&b=2"),
    "host case": ("https://E.Example/a", "https://e.example/a"),
    "default port": ("https://e.example:443/a", "http://e.example:80/a"),
    "user": ("https://me@e.example/a", "https://e.example/a"),
    "Hangul": ("https://e.example/문서", "https://e.example/%EB%AC%B8%EC%84%9C"),
    "Hangul host": ("https://한국어.example/", "https://" + "한국어".encode("idna").decode() + ".example"),
    "bare host": ("https://e.example/", "https://e.example"),
}
DIFFERENT = {
    "path case": ("https://e.example/A", "https://e.example/a"),
    "parameter": ("https://e.example/a?id=1", "https://e.example/a?id=2"),
    "port": ("https://e.example:8443/a", "https://e.example/a"),
    "host": ("https://www.e.example/a", "https://e.example/a"),
    "ref is no tracking": ("https://e.example/a?ref=1", "https://e.example/a?ref=2"),
}


@pytest.mark.parametrize("url", HOSTS)
def test_the_host_is_who_really_serves_the_page(url: str) -> None:
    address = read_address(url)
    assert address is not None
    assert address.host == HOSTS[url]


@pytest.mark.parametrize("url", NO_ADDRESS)
def test_what_programs_read_differently_is_no_address(url: str) -> None:
    assert read_address(url) is None


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://127.1/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0x7f.1/",
        "http://[::1]/",
        "http://1.2.3.4./",
    ],
)
def test_every_spelling_of_an_ip_address_is_seen(url: str) -> None:
    address = read_address(url)
    assert address is not None
    assert address.numeric


def test_names_and_ports() -> None:
    address = read_address("https://a.b.example:8443/x?y=1")
    assert address is not None
    assert (address.port, address.origin, address.names) == (
        8443,
        "https://a.b.example:8443",
        ("a.b.example", "b.example", "example"),
    )
    assert not address.numeric
    assert not address.disguised
    disguised = read_address("https://u:p@e.example/")
    assert disguised is not None
    assert disguised.disguised


@pytest.mark.parametrize("case", SAME)
def test_two_spellings_of_one_page_are_one(case: str) -> None:
    first, second = SAME[case]
    assert compared_url(first) == compared_url(second)


@pytest.mark.parametrize("case", DIFFERENT)
def test_two_pages_are_two(case: str) -> None:
    first, second = DIFFERENT[case]
    assert compared_url(first) != compared_url(second)
