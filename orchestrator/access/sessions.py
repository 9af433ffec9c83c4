"""Signed-in browsers: a cookie that this server has signed, good for a while and only as long as what is behind it holds.

The cookie holds no secret of its own. Behind it is a key: the cookie has its id, and a mark of which of its secrets was typed, so that a
session ends where the key is revoked, has expired, or was rotated because it had leaked. Or a person whom the identity provider has signed
in: the cookie has what it said of them then, and ends with its hours, or where that provider is no longer believed.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
from dataclasses import astuple
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from orchestrator.access.keys import Caller, Scope
from orchestrator.files import made_once
from orchestrator.model import Principal
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from orchestrator.access.keys import ApiKey, KeyRing

SECRET_BYTES = 32
NONCE_BYTES = 16
MARK_BYTES = 12
LONGEST_COOKIE = 3800  # characters: browsers keep 4096, with the name; those of keys have about 200
LASTING = timedelta(hours=12)


class TooMuchSaid(Exception):
    """A person of whom the identity provider says more than a cookie holds."""


@record
class Session:
    """One browser. ``key``: id of the key it signed in with, empty before; ``person``: whom the provider has signed in; ``until`` in seconds since 1970."""

    nonce: str
    until: int
    key: str = ""
    mark: str = ""
    person: Caller | None = None


class Sessions:
    """Reads and writes cookies. ``secret``: 32 bytes that all processes of the installation share; asked for once.

    ``ring`` of ``None``: nobody signs in, everybody is let in. ``issuer``: whose people are let in, empty for nobody's; for ``lasting``, and ``widened`` by what they may now. ``clock`` is aware.
    """

    def __init__(
        self,
        secret: Callable[[], bytes],
        ring: KeyRing | None,
        clock: Callable[[], datetime],
        *,
        issuer: str = "",
        lasting: timedelta = LASTING,
        widened: Callable[[Caller], Caller] = lambda person: person,
    ) -> None:
        self._ask = secret
        self._issuer = issuer
        self._lasting = lasting
        self._widened = widened
        self._known = b""
        self._ring = ring
        self._clock = clock

    @property
    def is_open(self) -> bool:
        """Whether nobody has to sign in."""
        return self._ring is None

    def fresh(self) -> Session:
        """A browser that has not signed in."""
        return Session(secrets.token_urlsafe(NONCE_BYTES), int((self._clock() + LASTING).timestamp()))

    def enter(self, text: str) -> Session | None:
        """A new session for whoever typed this key; ``None`` where it opens nothing."""
        key = self._ring.find(text) if self._ring is not None else None
        if key is None:
            return None
        now, fresh = self._clock(), self.fresh()
        mark = next(mark for mark, digest in self._marks(key, now) if hmac.compare_digest(digest, _typed(text)))
        return Session(fresh.nonce, fresh.until, key.id, mark)

    def enter_as(self, person: Caller) -> Session:
        """A new session for somebody whom the identity provider has signed in. Raises :class:`TooMuchSaid`."""
        session = Session(self.fresh().nonce, int((self._clock() + self._lasting).timestamp()), person=person)
        if len(self.written(session)) > LONGEST_COOKIE:
            raise TooMuchSaid
        return session

    def who(self, session: Session) -> ApiKey | Caller | None:
        """The key or the person behind a session, as far as it still opens."""
        person = session.person
        if person is not None:
            believed = self._issuer and person.principal.id.startswith(f"{self._issuer}#")
            return self._widened(person) if believed else None
        return self.key(session)

    def key(self, session: Session) -> ApiKey | None:
        """The key behind a session, if the secret it was opened with still opens."""
        key = self._ring.named(session.key) if self._ring is not None and session.key else None
        if key is None:
            return None
        marks = (mark for mark, _ in self._marks(key, self._clock()))
        return key if any([hmac.compare_digest(mark, session.mark) for mark in marks]) else None  # noqa: C419 - in equal time

    def written(self, session: Session) -> str:
        """The session as a cookie's value."""
        told: dict[str, Any] = {"n": session.nonce, "u": session.until, "k": session.key, "m": session.mark}
        if session.person is not None:
            told["p"] = [*astuple(session.person.principal), sorted(session.person.scopes), session.person.address]
        payload = _base64(json.dumps(told, separators=(",", ":"), ensure_ascii=False).encode())
        return f"{payload}.{self._signed('session', payload)}"

    def read(self, cookie: str) -> Session | None:
        """The session that a cookie holds; ``None`` where it is not ours, or over."""
        payload, _, signature = cookie[:LONGEST_COOKIE].partition(".")
        if not hmac.compare_digest(signature.encode(), self._signed("session", payload).encode()):
            return None
        told = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
        session = Session(told["n"], told["u"], told["k"], told["m"], _person(told.get("p")))
        return session if self._clock().timestamp() < session.until else None

    def seconds(self, session: Session) -> int:
        """How long it still is one."""
        return max(0, session.until - int(self._clock().timestamp()))

    def token(self, session: Session) -> str:
        """What a form of this browser must send back, so that another site's form is not taken for it."""
        return self._signed("form", session.nonce)

    def sent_by(self, session: Session, token: str) -> bool:
        """Whether ``token`` stands in forms of this browser."""
        return hmac.compare_digest(token.encode(), self.token(session).encode())

    def _marks(self, key: ApiKey, now: datetime) -> list[tuple[str, str]]:
        return [(self._signed("key", digest)[: MARK_BYTES * 4 // 3], digest) for digest in key.live(now)]

    def _signed(self, purpose: str, text: str) -> str:
        if not self._known:
            self._known = self._ask()
        return _base64(hmac.digest(self._known, f"{purpose}:{text}".encode(), "sha256"))


def kept_secret(path: Path) -> bytes:
    """The secret in this file, made the first time."""
    return made_once(path, secrets.token_bytes(SECRET_BYTES))


def _person(told: list[Any] | None) -> Caller | None:
    """Whoever a cookie says to be signed in."""
    if told is None:
        return None
    whose, name, email, groups, scopes, *address = told  # cookies of an earlier version end before the address
    return Caller(Principal(whose, name, email, tuple(groups)), frozenset(map(Scope, scopes)), *address)


def _typed(text: str) -> str:
    """The digest of a key's secret part."""
    return hashlib.sha256(text.split("_", 2)[2].encode()).hexdigest()


def _base64(octets: bytes) -> str:
    return base64.urlsafe_b64encode(octets).rstrip(b"=").decode()
