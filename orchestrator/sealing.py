"""Secrets at rest (encryption): AES-256-GCM under keys that are kept elsewhere, each text bound to what it belongs to.

https://csrc.nist.gov/pubs/sp/800/38/d/final
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import re
import secrets
from typing import TYPE_CHECKING, Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from connectors.errors import Misconfigured
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Sequence

KEY_BYTES = 32
NAME_BYTES = 8  # of a key, before what it sealed
NONCE_BYTES = 12
BETWEEN = re.compile(r"[\s,]+")

OF_ACCOUNTS = "accounts.secret"
KEY_IS_GONE = Said("it was sealed with a key that accounts.secret no longer holds; put that key back")
NO_KEY = Said("{place} holds no key that can be used; `fedsearch accounts key` makes one")
NOT_A_KEY = Said("a key in {place} is not one of `fedsearch accounts key`; copy it again")
NOT_THEIRS = Said("it has been changed, or belongs to somebody else; connect the account again")


class CannotOpen(Exception):
    """None of the keys opens it, or it belongs to something else. The message says what to do."""

    def __init__(self, message: Said) -> None:
        super().__init__(message)
        self.message = message


class Seal:
    """Several keys, the newest first: it seals, all of them open.

    A nonce is drawn anew for each text; one key may seal 2^32 of them, far more than there are people.
    """

    def __init__(self, keys: Sequence[bytes], place: str = OF_ACCOUNTS) -> None:
        if not keys or any(len(key) != KEY_BYTES for key in keys):
            raise Misconfigured(NO_KEY.filled(place=place))
        self._names = [hashlib.sha256(b"fedsearch key " + key).digest()[:NAME_BYTES] for key in keys]
        self._ciphers = dict(zip(self._names, map(AESGCM, keys), strict=True))

    def seal(self, data: bytes, *bound: str) -> bytes:
        """``data`` that only opens together with the same ``bound``: whose it is, and what for."""
        newest, nonce = self._names[0], secrets.token_bytes(NONCE_BYTES)
        return newest + nonce + self._ciphers[newest].encrypt(nonce, data, _bound(bound))

    def open(self, sealed: bytes, *bound: str) -> bytes:
        """What was sealed. Raises :class:`CannotOpen`."""
        name, rest = bytes(sealed[:NAME_BYTES]), bytes(sealed[NAME_BYTES:])
        cipher = self._ciphers.get(name)
        if cipher is None:
            raise CannotOpen(KEY_IS_GONE)
        try:
            return cipher.decrypt(rest[:NONCE_BYTES], rest[NONCE_BYTES:], _bound(bound))
        except (InvalidTag, ValueError):
            raise CannotOpen(NOT_THEIRS) from None

    def is_newest(self, sealed: bytes) -> bool:
        """Whether the newest key sealed it."""
        return bytes(sealed[:NAME_BYTES]) == self._names[0]

    async def again(self, rows: Iterable[Any], change: Callable[[Any], Awaitable[None]]) -> tuple[int, int]:
        """``change`` each row whose ``sealed`` the newest key did not seal; how many it was, and how many could not be opened."""
        done = broken = 0
        for row in rows:
            if self.is_newest(row["sealed"]):
                continue
            try:
                await change(row)
            except CannotOpen:
                broken += 1
            else:
                done += 1
        return done, broken

    def __repr__(self) -> str:
        return f"Seal({len(self._names)} keys)"


def new_key() -> str:
    """A key as it is written where keys are kept."""
    return base64.urlsafe_b64encode(secrets.token_bytes(KEY_BYTES)).decode("ascii").rstrip("=")


def keys_of(secret: str, place: str = OF_ACCOUNTS) -> tuple[bytes, ...]:
    """The keys that ``place`` holds, apart by commas or blanks. Raises :class:`Misconfigured`, quoting none."""
    return tuple(_key(each, place) for each in BETWEEN.split(secret) if each)


def _key(text: str, place: str) -> bytes:
    try:
        key = base64.b64decode(f"{text}{'=' * (-len(text) % 4)}", altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if len(key) != KEY_BYTES:
        raise Misconfigured(NOT_A_KEY.filled(place=place))
    return key


def _bound(parts: Sequence[str]) -> bytes:
    return json.dumps(["fedsearch", *parts], ensure_ascii=True).encode()
