"""People whom a proxy has signed in already. Off by default: whoever reaches the port could name himself anybody."""

from __future__ import annotations

import ipaddress
import re
from typing import TYPE_CHECKING

from orchestrator.access.keys import Caller, Scope
from orchestrator.model import Principal
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence
    from ipaddress import IPv4Network, IPv6Network

NAMED = "proxy:"  # what the principal of somebody begins with whom a proxy names
NAME = re.compile(r"[\x21-\x7e]{1,200}")  # an account or an address: printable, without blanks


@record
class TrustedProxy:
    """Who is believed, and in which header (lower case) it names a person. ``scopes``: what such a person may do.

    ``addresses`` are those that connections come from, as the system tells them; what a request says of itself is
    not looked at.
    """

    header: str
    addresses: tuple[IPv4Network | IPv6Network, ...]
    scopes: frozenset[Scope] = frozenset({Scope.SEARCH, Scope.SOURCES})

    def find(self, address: str, named: Sequence[str]) -> Caller | None:
        """Whom the proxy at ``address`` names; ``None`` for anybody else's word, and for a name that is none.

        ``named``: every value of the header; two are one too many, since one of them is not the proxy's.
        """
        if len(named) != 1 or not NAME.fullmatch(named[0]) or not self._trusts(address):
            return None
        return Caller(Principal(f"{NAMED}{named[0]}", named[0]), self.scopes)

    def _trusts(self, address: str) -> bool:
        try:
            peer = ipaddress.ip_address(address)
        except ValueError:
            return False
        plain = getattr(peer, "ipv4_mapped", None) or peer
        return any(plain in network for network in self.addresses)
