"""Who may set a server up that nobody can sign in to yet: whoever knows the code that it printed when it was started."""

from __future__ import annotations

import hmac
import secrets
from typing import TYPE_CHECKING

from orchestrator.access.keys import SCOPES, NotFirst

if TYPE_CHECKING:
    from orchestrator.access.keys import KeyRing

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
