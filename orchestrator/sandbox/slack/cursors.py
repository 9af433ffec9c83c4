"""Slack's opaque cursors: an offset into one particular list."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as BadBase64
from hashlib import sha256

from orchestrator.sandbox.wire import whole_number


def cursor(offset: int, *scope: str) -> str:
    """A cursor for the rest of the list that `scope` identifies."""
    return urlsafe_b64encode(f"next:{offset}:{_mark(scope)}".encode()).decode()


def offset(text: str, *scope: str) -> int | None:
    """Where a cursor points to, nothing if it is not one of this list."""
    try:
        word, number, mark = urlsafe_b64decode(text.encode()).decode().split(":")
    except (BadBase64, ValueError):
        return None
    return whole_number(number, 0, 10**9) if word == "next" and mark == _mark(scope) else None


def _mark(scope: tuple[str, ...]) -> str:
    return sha256("\0".join(scope).encode("utf-8", "replace")).hexdigest()[:12]
