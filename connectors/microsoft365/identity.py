"""Who is signed in, asked once for each credential: KQL has no word for whoever asks."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from connectors.errors import BadReply
from connectors.http import HttpRequest
from connectors.microsoft365.wire import Account
from connectors.wire import read
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from connectors.http import Reply

SELECTED = "displayName,mail,userPrincipalName"
KEPT = 256
REQUEST = HttpRequest("GET", "me", {"$select": SELECTED})


class Identities:
    """Accounts by credential, of which only a digest is kept; the oldest is forgotten."""

    def __init__(self) -> None:
        self._known: dict[bytes, Account] = {}

    async def of(self, secret: str, send: Callable[[HttpRequest], Awaitable[Reply]]) -> Account:
        """Whose ``secret`` it is."""
        key = sha256(secret.encode()).digest()
        if key not in self._known:
            account = account_in(await send(REQUEST))
            while len(self._known) >= KEPT:
                del self._known[next(iter(self._known))]
            self._known[key] = account
        return self._known[key]


def account_in(reply: Reply) -> Account:
    """The account in a reply of ``/me``."""
    account = read(Account, reply.data, "Microsoft 365")
    if not (account.mail or account.userPrincipalName):
        raise BadReply(Said("Microsoft 365 did not say who is signed in"))
    return account
