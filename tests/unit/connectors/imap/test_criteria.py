"""What is left of a query for a server that searches US-ASCII only, and what is no query at all."""

from __future__ import annotations

from typing import Any

import pytest

from connectors.errors import Misconfigured, Rejected
from connectors.imap import criteria

KO, EN, DAY = ["TEXT", "배포"], ["TEXT", "deploy"], ["SINCE", "9-Jan-2026"]


@pytest.mark.parametrize(
    ("wanted", "left"),
    [
        ([EN, DAY], [EN, DAY]),
        ([KO, DAY], [DAY]),
        ([["OR", KO, EN]], []),
        ([["OR", DAY, EN]], [["OR", DAY, EN]]),
        ([["OR", ["AND", KO, EN], DAY]], [["OR", ["AND", EN], DAY]]),
        ([["AND", KO, KO], EN], [EN]),
        ([["NOT", KO]], []),
        ([["NOT", EN]], [["NOT", EN]]),
        ([["NOT", ["AND", KO, EN]]], []),
        ([["FROM", {"me": True}]], [["FROM", {"me": True}]]),
        ([["HEADER", "Message-ID", "<ä@x>"]], []),
    ],
)
def test_what_cannot_be_asked_lets_everything_through(wanted: list[Any], left: list[Any]) -> None:
    assert criteria.widened(wanted) == left


def deep(levels: int) -> Any:
    key: Any = EN
    for _ in range(levels):
        key = ["NOT", key]
    return [key]


@pytest.mark.parametrize(
    "wanted",
    [
        "ALL", 7, None, [["UNSEEN"]], [["TEXT", "a", "b"]], [["TEXT", 7]], [["SINCE", "2026-01-09"]], [["SINCE", "9-Jan-2026 ALL"]],
        [["HEADER", "X Y", "a"]], [["HEADER", "X\r\n", "a"]], [["OR", EN]], [["NOT"]], [["AND"]], ["TEXT"], [["FROM", {"me": False}]],
        deep(200),
    ],
)  # fmt: skip
def test_what_is_no_key_is_not_sent(wanted: Any) -> None:
    with pytest.raises(Rejected):
        criteria.encoded_keys(wanted, ("me@a.example",))


def test_me_is_each_of_my_addresses() -> None:
    found = b"".join(
        piece
        for piece in criteria.encoded_keys([["FROM", {"me": True}]], ("a@x", "b@x", "c@x"))
        if isinstance(piece, bytes)
    )
    assert found == b'OR OR FROM "a@x" FROM "b@x" FROM "c@x"'
    with pytest.raises(Misconfigured, match="set addresses"):
        criteria.encoded_keys([["FROM", {"me": True}]], ())


def test_texts_from_left_to_right() -> None:
    wanted = [["OR", KO, ["AND", EN, ["FROM", "kim"]]], DAY, ["NOT", ["HEADER", "Message-ID", "<x>"]]]
    assert list(criteria.texts(wanted)) == ["배포", "deploy", "kim", "<x>"]
    assert list(criteria.texts(wanted, name="TEXT")) == ["배포", "deploy"]
