"""The keys that an identity provider signs with, remembered until they change."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from connectors.errors import BadReply, SourceError, Unavailable
from orchestrator.access.discovery import address_in, checked_issuer, discover, document

if TYPE_CHECKING:
    from collections.abc import Callable

FRESH = 3600.0  # seconds after which the keys are read again, so that a withdrawn one ends
STALE = 24 * 3600.0  # seconds that they hold while the provider cannot be reached
PAUSE = 30.0  # seconds between two readings for the sake of a key that nobody knows: anybody can invent one
RETREAT = 5.0  # seconds after a reading that failed
SIGNING = ("RSA", "EC", "OKP")  # key types of signatures that only the provider can make


class SigningKeys:
    """The keys of one ``issuer``. ``clock``: monotonic, in seconds.

    Whoever needs them while they are being read waits for that one reading.
    """

    def __init__(self, issuer: str, clock: Callable[[], float]) -> None:
        self._issuer = checked_issuer(issuer)
        self._clock = clock
        self._keys: KeySet | None = None
        self._read_at = self._not_before = float("-inf")
        self._reading = asyncio.Lock()

    async def find(self, kid: str | None) -> KeySet:
        """The keys that a token with this ``kid`` may be signed with; of a token without one, all.

        A ``kid`` that is unknown has them read again: providers rotate. Raises :class:`Unavailable` and
        :class:`BadReply`.
        """
        keys = await self._current()
        if (found := _with(keys, kid)) or self._clock() < self._not_before:
            return KeySet(found)
        return KeySet(_with(await self._renewed(self._read_at), kid))

    async def _current(self) -> KeySet:
        """The keys, read anew where they are old; old ones for as long as the provider cannot be reached."""
        known, age = self._keys, self._clock() - self._read_at
        if known is not None and age < FRESH:
            return known
        try:
            return await self._renewed(self._read_at)
        except SourceError:
            if known is None or age >= STALE:
                raise
            return known

    async def _renewed(self, seen: float) -> KeySet:
        """The keys read anew, unless somebody has done that since ``seen``."""
        async with self._reading:
            if self._keys is not None and self._read_at > seen:
                return self._keys
            if self._clock() < self._not_before:
                raise Unavailable("the identity provider could not be asked for its keys a moment ago")
            self._not_before = self._clock() + RETREAT
            self._keys = await self._read()
            self._read_at = self._clock()
            self._not_before = self._read_at + PAUSE
            return self._keys

    async def _read(self) -> KeySet:
        where = address_in(await discover(self._issuer), "jwks_uri", "its keys")
        told = (await document(where)).get("keys")
        rows = [row for row in told if _signs(row)] if isinstance(told, list) else []
        try:
            return KeySet.import_key_set({"keys": rows})
        except (JoseError, ValueError, TypeError, KeyError):
            raise BadReply("the identity provider's keys cannot be read") from None


def _with(keys: KeySet, kid: str | None) -> list[Any]:
    return [key for key in keys if kid is None or key.kid == kid]


def _signs(row: object) -> bool:
    """Never a shared secret: whoever can check such a signature can make it."""
    return isinstance(row, dict) and row.get("kty") in SIGNING and row.get("use", "sig") == "sig"
