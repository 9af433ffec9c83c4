"""Criteria of IMAP SEARCH, read by a reader that is written from the grammar of RFC 3501 alone."""

from __future__ import annotations

import re
from typing import Any

from connectors.imap import criteria
from connectors.imap.protocol import Literal

OWN = "sarah@x.example"


ATOM = re.compile(rb"[A-Za-z0-9-]+")
TAKES_TEXT = {"TEXT", "BODY", "SUBJECT", "FROM", "TO", "CC", "BCC"}
TAKES_DAY = {"SINCE", "BEFORE", "ON", "SENTSINCE", "SENTBEFORE", "SENTON"}


class Reader:
    """A reader of ``search-key`` of RFC 3501, 9; an assertion fails where the bytes are not in the grammar."""

    def __init__(self, sent: bytes) -> None:
        self.sent = sent
        self.at = 0

    def whole(self) -> list[Any]:
        found = [self.key()]
        while self.at < len(self.sent):
            self.take(b" ")
            found.append(self.key())
        return found

    def take(self, expected: bytes) -> None:
        assert self.sent.startswith(expected, self.at), f"{expected!r} is missing at {self.sent[self.at :]!r}"
        self.at += len(expected)

    def atom(self) -> str:
        found = ATOM.match(self.sent, self.at)
        assert found is not None, f"nothing to read at {self.sent[self.at :]!r}"
        self.at = found.end()
        return found[0].decode()

    def key(self) -> Any:
        if self.sent.startswith(b"(", self.at):
            return self.group()
        name = self.atom()
        if name == "ALL":
            return ["ALL"]
        self.take(b" ")
        if name == "NOT":
            return ["NOT", self.key()]
        if name == "OR":
            left = self.key()
            self.take(b" ")
            return ["OR", left, self.key()]
        if name == "HEADER":
            field = self.atom()
            self.take(b" ")
            return ["HEADER", field, self.string()]
        assert name in TAKES_TEXT | TAKES_DAY, f"no key is called {name}"
        return [name, self.string() if name in TAKES_TEXT else self.atom()]

    def group(self) -> Any:
        self.take(b"(")
        parts = [self.key()]
        while self.sent.startswith(b" ", self.at):
            self.take(b" ")
            parts.append(self.key())
        self.take(b")")
        return ["AND", *parts]

    def string(self) -> str:
        if self.sent.startswith(b"{", self.at):
            found = re.compile(rb"\{(\d+)\+\}\r\n").match(self.sent, self.at)
            assert found is not None
            start = found.end()
            self.at = start + int(found[1])
            data = self.sent[start : self.at]
            assert len(data) == int(found[1])
            assert b"\x00" not in data
            return data.decode()
        found = re.compile(rb'"((?:[^"\\\r\n\x00\x80-\xff]|\\["\\])*)"').match(self.sent, self.at)
        assert found is not None, f"no string at {self.sent[self.at :]!r}"
        self.at = found.end()
        return re.sub(r"\\(.)", r"\1", found[1].decode())


def bytes_of(wanted: Any) -> bytes:
    pieces = criteria.encoded_keys(wanted, (OWN,))
    return b"".join(
        b"{%d+}\r\n%s" % (len(piece.data), piece.data) if isinstance(piece, Literal) else piece for piece in pieces
    )


def meant(key: Any) -> Any:
    """A key as the server should read it."""
    match key:
        case ["FROM", {"me": True}]:
            return ["FROM", OWN]
        case [name, *parts]:
            return [name, *(meant(part) if isinstance(part, list) else cleaned(part) for part in parts)]
    raise AssertionError(key)


def cleaned(text: str) -> str:
    return text.replace("\x00", "").encode("utf-8", "replace").decode()
