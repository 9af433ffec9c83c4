"""The keys that an identity provider signs with, remembered until they change; and what it says of itself, of where they are.

OpenID Connect Discovery 1.0: https://openid.net/specs/openid-connect-discovery-1_0.html
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from connectors.auth import exchange
from connectors.errors import BadReply, Misconfigured, SourceError, Unavailable
from connectors.text import private_way
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Callable

WELL_KNOWN = "/.well-known/openid-configuration"


def checked_issuer(issuer: str) -> str:
    """An issuer that may be asked. Raises :class:`Misconfigured`."""
    if not private_way(issuer):
        raise Misconfigured(Said("oidc.issuer must begin with https:// (http:// is taken on this machine alone)"))
    return issuer


async def discover(issuer: str) -> dict[str, Any]:
    """The provider's description. Raises :class:`Unavailable` and :class:`BadReply`."""
    found = await document(issuer.rstrip("/") + WELL_KNOWN)
    if found.get("issuer") != issuer:
        raise BadReply("the identity provider calls itself otherwise than oidc.issuer says")
    return found


def address_in(description: dict[str, Any], name: str, what: str) -> str:
    """One of the addresses in a description. Raises :class:`BadReply`."""
    where = description.get(name)
    if not isinstance(where, str) or not private_way(where):
        raise BadReply(f"the identity provider names no address of {what} that begins with https://")
    return where


async def document(url: str) -> dict[str, Any]:
    """A JSON object that the provider serves. Raises :class:`Unavailable` and :class:`BadReply`."""
    reply = await exchange(url, None, method="GET")
    if not reply.ok:
        raise Unavailable(f"the identity provider answered HTTP {reply.status}")
    if not isinstance(reply.data, dict):
        raise BadReply("the identity provider answered with something that is no JSON object")
    return reply.data


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
