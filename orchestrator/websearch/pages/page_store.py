"""Pages that were read (a cache on disk), for the next process of the same account: a small database in a file, for as long as a page is remembered.

Only who runs the program may read the file. A page is found under a digest of its address and of what may be read from
here, so that a program which may read fewer networks finds nothing of them. Whatever goes wrong with the file costs
nothing but the memory.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import re
import sqlite3
import time
from contextlib import closing
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

from orchestrator.websearch.pages.remembering import Remembered

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

MOST = 256  # pages
LONGEST = 500_000  # characters of one
PATIENCE = 0.3  # seconds that another process may hold the file
# A value in an address that nobody would type: a key, a signature, a ticket of admission.
OPAQUE = re.compile(r"[A-Za-z0-9+/_=.~%-]{16,}")
TABLE = "CREATE TABLE IF NOT EXISTS page (key TEXT PRIMARY KEY, read REAL NOT NULL, said TEXT NOT NULL)"


class PageStore:
    """``ttl`` in seconds; ``scope``: what may be read from here, in words; ``clock``: seconds since 1970."""

    def __init__(self, path: Path, ttl: float, scope: str, clock: Callable[[], float] = time.time) -> None:
        self._path = path
        self._ttl = ttl
        self._scope = scope
        self._clock = clock

    async def get(self, address: str) -> Remembered[Mapping[str, str]] | None:
        """What was kept of a page, and how old it is."""
        return await asyncio.to_thread(self._get, self._key(address))

    async def put(self, address: str, said: Mapping[str, str]) -> None:
        """Keep a page, unless it is too long or one of its addresses holds what may be a secret."""
        text = json.dumps(dict(said), ensure_ascii=False)
        if len(text) <= LONGEST and not any(map(holds_secret, (address, said.get("url", "")))):
            await asyncio.to_thread(self._put, self._key(address), text)

    def _key(self, address: str) -> str:
        return hashlib.sha256(f"{self._scope}\n{address}".encode()).hexdigest()

    def _get(self, key: str) -> Remembered[Mapping[str, str]] | None:
        if not self._path.exists():
            return None
        try:
            with closing(self._opened()) as file:
                found = file.execute("SELECT read, said FROM page WHERE key = ?", (key,)).fetchone()
            age = self._clock() - found[0] if found else self._ttl
            return Remembered(json.loads(found[1]), age) if 0 <= age < self._ttl else None
        except (OSError, sqlite3.Error, ValueError):
            return None

    def _put(self, key: str, said: str) -> None:
        now = self._clock()
        try:
            with closing(self._opened()) as file, file:
                file.execute("INSERT OR REPLACE INTO page VALUES (?, ?, ?)", (key, now, said))
                file.execute("DELETE FROM page WHERE read <= ? OR read > ?", (now - self._ttl, now))
                newest = "SELECT key FROM page ORDER BY read DESC LIMIT ?"
                file.execute(f"DELETE FROM page WHERE key NOT IN ({newest})", (MOST,))  # noqa: S608 — no value in it
        except (OSError, sqlite3.Error):
            return

    def _opened(self) -> sqlite3.Connection:
        """For its owner alone from the first moment on."""
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600))
        file = sqlite3.connect(self._path, timeout=PATIENCE)
        file.execute("PRAGMA secure_delete = ON")
        file.execute(TABLE)
        return file


def holds_secret(url: str) -> bool:
    """Whether an address may let in whoever has it: a user name, or a value that nobody would type."""
    parts = urlsplit(url if "://" in url else f"//{url}")
    values = [value for _, value in parse_qsl(parts.query, keep_blank_values=True)]
    return "@" in parts.netloc or any(OPAQUE.fullmatch(value) and any(map(str.isdecimal, value)) for value in values)
