"""Which texts name a thing on GitHub, and what is fetched for them."""

from __future__ import annotations

from typing import Any

import pytest

from translators.github.verdicts import fetchable
from translators.query import Identifier, IdKind


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("acme/app#12", {"repo": "acme/app", "number": 12}),
        ("Acme/My_App.js#7", {"repo": "Acme/My_App.js", "number": 7}),
        ("https://github.com/acme/app/pull/12", {"host": "github.com", "repo": "acme/app", "number": 12}),
        ("HTTPS://GitHub.com/acme/app/issues/13?x=1", {"host": "github.com", "repo": "acme/app", "number": 13}),
        ("https://www.github.com/acme/app/discussions/14#c", {"host": "github.com", "repo": "acme/app", "number": 14}),
        ("https://acme.ghe.com/acme/app/pull/12/files", {"host": "acme.ghe.com", "repo": "acme/app", "number": 12}),
        ("https://github.acme.example/a/b/issues/1", {"host": "github.acme.example", "repo": "a/b", "number": 1}),
        (
            "https://github.com/acme/app/blob/v1.2/src/a%20b/%ED%95%9C%EA%B8%80.py#L3-L9",
            {"host": "github.com", "repo": "acme/app", "ref": "v1.2", "path": "src/a b/한글.py"},
        ),
    ],
)
def test_what_names_a_thing(text: str, thing: dict[str, Any]) -> None:
    assert fetchable(Identifier(IdKind.URL, text)) == thing


@pytest.mark.parametrize(
    "text",
    [
        "#12", "PR #12", "app#12", "acme/app", "acme/app#", "acme/app#0123456789", "acme/../app#1", "acme/..#1", "acme/.#1",
        "-acme/app#1", "acme/app#12 OR 1=1", "acme/app#12\nacme/b#1",
        "https://github.com/acme/app", "https://github.com/acme/app/pulls", "https://github.com/acme/app/pull/x",
        "https://github.com/acme/app/commit/0a1b2c", "https://github.com/orgs/acme/discussions/12",
        "https://github.com@evil.example/acme/app/pull/12", "https://evil.example/acme/app/pull/12",
        "https://github.com.evil.example/acme/app/pull/12 x", "ftp://github.com/acme/app/pull/12",
        "https://github.com/acme/app/blob/main/../../x", "https://github.com/acme/app/blob/main/%2e%2e/x",
        "https://github.com/acme/app/blob/main/a%2f%2e%2e%2fb", "https://github.com/acme/app/blob/main/%ff",
        "https://github.com/acme/app/blob/main/a%0ab", "https://github.com/acme/app/blob/main//x", "",
    ],
)  # fmt: skip
def test_what_names_none(text: str) -> None:
    assert fetchable(Identifier(IdKind.URL, text)) is None
