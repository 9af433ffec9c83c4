"""Tickets: what a browser carries while its person is away signing in elsewhere, sealed, so that any process can go on when they come back.

A ticket belongs to one state and to what it was made for, and is good once and for ten minutes.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import secrets
from collections import OrderedDict
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from orchestrator.access.declined import Declined
from orchestrator.sealing import CannotOpen
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from orchestrator.sealing import Seal

WITHIN = timedelta(minutes=10)  # from leaving to coming back
STATE_BYTES = 24
MOST_USED = 10_000  # states remembered as used
LONGEST = 4096  # characters of a ticket


class BadTicket(Declined):
    """A ticket that is good for nothing."""


class Tickets:
    """Tickets for one ``purpose``. ``clock`` gives the aware moment."""

    def __init__(self, seal: Seal, purpose: str, clock: Callable[[], datetime]) -> None:
        self._seal = seal
        self._purpose = purpose
        self._clock = clock
        self._used: OrderedDict[str, None] = OrderedDict()

    def issue(self, told: Sequence[str]) -> tuple[str, str]:
        """A new state, and the ticket that belongs to it and holds what is ``told``."""
        state = secrets.token_urlsafe(STATE_BYTES)
        said = [state, (self._clock() + WITHIN).timestamp(), *told]
        sealed = self._seal.seal(json.dumps(said).encode(), self._purpose)
        return state, base64.urlsafe_b64encode(sealed).decode("ascii")

    def read(self, ticket: str, state: str) -> list[Any]:
        """What a ticket holds. Raises :class:`BadTicket`."""
        try:
            sealed = base64.b64decode(ticket[:LONGEST], altchars=b"-_", validate=True)
            told: list[Any] = json.loads(self._seal.open(sealed, self._purpose))
            expected, until, *said = told
        except (binascii.Error, ValueError, CannotOpen):
            raise BadTicket("no_ticket", Said("this was not begun here, or in another browser; begin again")) from None
        if not hmac.compare_digest(str(expected).encode(), state.encode("utf-8", "replace")):
            raise BadTicket("wrong_state", Said("this is not what was begun here; begin again"))
        if self._clock().timestamp() > until:
            raise BadTicket("too_late", Said("that took longer than ten minutes; begin again"))
        return said

    def use(self, state: str) -> None:
        """Once in this process; the other side sees to it for all, by taking a code once. Raises :class:`BadTicket`."""
        if state in self._used:
            raise BadTicket("used", Said("this has been done already; begin again"))
        self._used[state] = None
        while len(self._used) > MOST_USED:
            self._used.popitem(last=False)


def cookie_of(purpose: str, state: str, *, private: bool) -> str:
    """The name under which a browser carries a ticket: one for each state, so that two at once do not end each other.

    ``private``: it is reached by https alone; ``__Host-`` then keeps other hosts of the same domain from setting it.
    """
    name = f"fedsearch-{purpose}-{hashlib.sha256(state.encode('utf-8', 'replace')).hexdigest()[:12]}"
    return f"__Host-{name}" if private else name
