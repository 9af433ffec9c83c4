"""API keys: made once, shown once, kept as digests, each with what its caller may do.

Who may set a server up that nobody can sign in to yet: whoever knows the code that it printed when it was started.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from orchestrator.access.rows_file import RowsFile
from translators.records import record
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from orchestrator.model import Principal

PREFIX = "fsk"
KEY_HOLDER = "key:"  # what the principal of whoever holds a key begins with, before its id
ID_BYTES = 6
SECRET_BYTES = 32
NOT_KNOWN = Said("no key has the id {id}; known: {known}")
NO_KEY = Said("there are no keys; make one with `fedsearch keys create NAME`")
LONGEST_KEY = 200  # characters that are looked at; ours have 60


class Scope(StrEnum):
    """What a key may do."""

    SEARCH = "search"  # ask, explain, understand, give feedback
    SOURCES = "sources"  # see which sources there are and how they do
    WEB = "web"  # search the public web and fetch pages
    RERANK = "rerank"  # use the reranker, which may cost money
    DIGESTS = "digests"  # see, preview and run one's own digests and saved searches
    DEFINE = "define"  # make, change and remove them
    METRICS = "metrics"  # read /metrics
    ADMIN = "admin"  # see how this server is used, and change its sources, keys and roles


SCOPES = tuple(Scope)


class NotFirst(Exception):
    """There is a key already."""


class NoSuchKey(LookupError):
    """No key has this id; the message names those there are."""


@record
class ApiKey:
    """One key without its secret. ``digests``: SHA-256, hexadecimal; two while a rotated secret still opens.

    Moments are aware and in UTC; ``old_until`` ends the older secret, ``expires`` the key.
    """

    id: str
    name: str
    scopes: tuple[Scope, ...]
    created: datetime
    digests: tuple[str, ...]
    expires: datetime | None = None
    old_until: datetime | None = None

    def live(self, now: datetime) -> tuple[str, ...]:
        """The digests of the secrets that open at this moment."""
        if self.expires is not None and now >= self.expires:
            return ()
        return self.digests if self.old_until is not None and now < self.old_until else self.digests[:1]

    def overlap(self, now: datetime) -> datetime | None:
        """Until when the secret before the newest opens, too; ``None`` where it opens nothing by now."""
        return self.old_until if len(self.live(now)) > 1 else None

    def opens(self, secret: str, now: datetime) -> bool:
        """Whether ``secret`` is this key's at this moment; takes as long for a wrong one as for a right one."""
        if self.expires is not None and now >= self.expires:
            return False
        given = _digest(secret)
        newest, older = self.digests[0], self.digests[1:]
        right = hmac.compare_digest(given, newest)
        old = any([hmac.compare_digest(given, each) for each in older])  # noqa: C419 - all of them, in equal time
        return right or (old and self.old_until is not None and now < self.old_until)


class KeyRing:
    """The keys in one file, readable by its owner alone; other processes' changes are seen at once."""

    def __init__(self, path: Path, clock: Callable[[], datetime]) -> None:
        self._rows = RowsFile(path, "keys", _key, _row)
        self._clock = clock

    def create(
        self, name: str, scopes: Iterable[Scope], lasting: timedelta | None = None, *, first: bool = False
    ) -> tuple[ApiKey, str]:
        """A new key, and the text to give to whoever uses it: it cannot be shown again. Raises :class:`NotFirst` where it was to be the ``first``."""
        now, secret = self._clock(), secrets.token_urlsafe(SECRET_BYTES)
        key = ApiKey(
            id=secrets.token_hex(ID_BYTES),
            name=name,
            scopes=tuple(sorted(set(scopes))),
            created=now,
            digests=(_digest(secret),),
            expires=now + lasting if lasting is not None else None,
        )
        with self._rows.changing() as keys:
            if first and keys:
                raise NotFirst
            keys[key.id] = key
        return key, f"{PREFIX}_{key.id}_{secret}"

    def rotate(self, key_id: str, overlap: timedelta) -> str:
        """A new secret for a key; the one before still opens for ``overlap``. Raises :class:`NoSuchKey`."""
        secret = secrets.token_urlsafe(SECRET_BYTES)
        with self._rows.changing() as keys:
            key = _named(keys, key_id)
            keys[key_id] = replace(key, digests=(_digest(secret), key.digests[0]), old_until=self._clock() + overlap)
        return f"{PREFIX}_{key_id}_{secret}"

    def revoke(self, key_id: str) -> None:
        """The key opens nothing from now on. Raises :class:`NoSuchKey`."""
        with self._rows.changing() as keys:
            del keys[_named(keys, key_id).id]

    def all(self) -> tuple[ApiKey, ...]:
        """Every key, oldest first."""
        return tuple(sorted(self._rows.read().values(), key=lambda key: (key.created, key.id)))

    def find(self, text: str) -> ApiKey | None:
        """The key whose text this is, if it opens at this moment."""
        prefix, _, rest = text[:LONGEST_KEY].partition("_")
        key_id, _, secret = rest.partition("_")
        key = self._rows.read().get(key_id) if prefix == PREFIX else None
        return key if key is not None and key.opens(secret, self._clock()) else None

    def known(self, key_id: str) -> ApiKey:
        """The key with this id. Raises :class:`NoSuchKey`."""
        return _named(self._rows.read(), key_id)

    def named(self, key_id: str) -> ApiKey | None:
        """The key with this id, whether or not it still opens."""
        return self._rows.read().get(key_id)


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _named(keys: Mapping[str, ApiKey], key_id: str) -> ApiKey:
    if key_id not in keys:
        raise NoSuchKey(NOT_KNOWN.filled(id=repr(key_id), known=", ".join(keys)) if keys else NO_KEY)
    return keys[key_id]


def _row(key: ApiKey) -> dict[str, Any]:
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in asdict(key).items()}


def _key(row: Mapping[str, Any]) -> tuple[str, ApiKey]:
    key = ApiKey(
        id=str(row["id"]),
        name=str(row["name"]),
        scopes=tuple(map(Scope, row["scopes"])),
        created=datetime.fromisoformat(row["created"]),
        digests=tuple(map(str, row["digests"])),
        expires=_moment(row["expires"]),
        old_until=_moment(row["old_until"]),
    )
    return key.id, key


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


@record
class Caller:
    """Somebody who has been let in. ``scopes``: what their key, token or session allows, and with it what they have ``by_role`` alone.

    ``address``: where mail reaches them, as far as the identity provider vouches for it.
    """

    principal: Principal
    scopes: frozenset[Scope]
    address: str = ""
    by_role: frozenset[Scope] = frozenset()


LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # none that is taken for another
GROUPS, GROUP = 4, 4  # of letters: 80 bits
MOST_WRONG = 50
NAME = "setup"


def new_code() -> str:
    """One that can be read aloud and typed."""
    return "-".join("".join(secrets.choice(LETTERS) for _ in range(GROUP)) for _ in range(GROUPS))


class FirstRun:
    """``code`` opens until there is a key, for all processes of the server; after :data:`MOST_WRONG` wrong ones not in this process."""

    def __init__(self, code: str, ring: KeyRing) -> None:
        self._code = code
        self._ring = ring
        self._wrong = 0

    @property
    def is_open(self) -> bool:
        """Whether the code still opens."""
        return bool(self._code) and self._wrong < MOST_WRONG and not self._ring.all()

    def knows(self, typed: str) -> bool:
        """Whether that is the code, and it still opens."""
        if not self.is_open:
            return False
        known = hmac.compare_digest(_folded(typed), _folded(self._code))
        self._wrong += not known
        return known

    def enter(self) -> str:
        """The first key, which may do everything, for whoever knows the code; empty where somebody was quicker."""
        try:
            return self._ring.create(NAME, SCOPES, first=True)[1]
        except NotFirst:
            return ""


def _folded(code: str) -> bytes:
    return "".join(code.upper().replace("-", " ").split()).encode("utf-8", "replace")
