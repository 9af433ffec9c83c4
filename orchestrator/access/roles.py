"""What people may whom somebody else signs in, as it is given and taken away while the server runs; what settings say comes besides.

People whom a proxy has signed in already. Off by default: whoever reaches the port could name himself anybody.
"""

from __future__ import annotations

import ipaddress
import re
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, replace
from datetime import datetime
from enum import StrEnum
from string import ascii_lowercase, ascii_uppercase
from typing import TYPE_CHECKING, Any

from connectors.text import plain_line
from orchestrator.access.keys import Caller, Scope
from orchestrator.access.rows_file import RowsFile
from orchestrator.model import Principal
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import (
        Callable,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )
    from ipaddress import IPv4Network, IPv6Network
    from pathlib import Path

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


LONGEST_HOLDER = 300  # characters of a person's id, an address, a group
CAPITALS = str.maketrans(ascii_uppercase, ascii_lowercase)


class Grantee(StrEnum):
    """To whom a role is given."""

    PERSON = "person"  # one, by the address that the provider vouches for or by their id here
    GROUP = "group"  # who is in it, by its name at the identity provider
    EVERYBODY = "everybody"  # whoever signs in, but by a key


class NoSuchRole(LookupError):
    """Nothing was given to this one."""


class LocksOut(Exception):
    """Whoever asked for this change could not have asked for it afterwards."""


@record
class GivenRole:
    """What ``scopes`` were given to whom, when and by whom. ``name``: of a person or group, empty for everybody."""

    grantee: Grantee
    name: str
    scopes: tuple[Scope, ...]
    given: datetime
    by: str

    @property
    def id(self) -> str:
        """One for each to whom something is given."""
        return role_id(self.grantee, self.name)

    def is_for(self, caller: Caller) -> bool:
        """Whether it is theirs."""
        if self.grantee is Grantee.EVERYBODY:
            return True
        whose = caller.principal
        if self.grantee is Grantee.GROUP:
            return self.name in whose.groups
        return whose.id in (self.name, f"{NAMED}{self.name}") or _mailbox(self.name) == _mailbox(caller.address)


@record
class SettledRole:
    """What a ``setting`` lets those do whom the issuer or the proxy signs in that is called ``through``, and who are in the group ``name`` if that is one."""

    grantee: Grantee
    name: str
    through: str
    scopes: tuple[Scope, ...]
    setting: str

    @property
    def id(self) -> str:
        """As of what is given to the same."""
        return role_id(self.grantee, self.name)


class RoleBook:
    """The roles in one file beside the keys."""

    def __init__(self, path: Path, clock: Callable[[], datetime]) -> None:
        self._rows = RowsFile(path, "roles", _role, _row)
        self._clock = clock

    def give(
        self,
        grantee: Grantee,
        name: str,
        scopes: Iterable[Scope],
        by: str,
        asked: Caller | None = None,
        *,
        kept: bool = True,
    ) -> None:
        """Let them do this, in place of what they were given before; only try whether it can be where it is not to be ``kept``.

        Raises :class:`LocksOut` where ``asked``, who wants it, could not want it then.
        """
        role = GivenRole(grantee, name, tuple(sorted(set(scopes))), self._clock(), by)
        with self._changing(asked, kept=kept) as roles:
            roles[role.id] = role

    def take(self, role: str, asked: Caller | None = None, *, kept: bool = True) -> None:
        """Take it away, by its id, or try. Raises :class:`NoSuchRole`, and :class:`LocksOut` as above."""
        with self._changing(asked, kept=kept) as roles:
            if role not in roles:
                raise NoSuchRole(role)
            del roles[role]

    @contextmanager
    def _changing(self, asked: Caller | None, *, kept: bool) -> Iterator[dict[str, GivenRole]]:
        with self._rows.changing() if kept else nullcontext(dict(self._rows.read())) as roles:
            yield roles
            # Whoever changes roles is one who may, and stays one: so there is always somebody.
            if asked is not None and Scope.ADMIN not in (asked.scopes - asked.by_role) | _given(asked, roles.values()):
                raise LocksOut

    def all(self) -> tuple[GivenRole, ...]:
        """Every role: everybody's, groups', people's."""
        return tuple(sorted(self._rows.read().values(), key=lambda role: (role.grantee, role.name)))

    def widened(self, caller: Caller) -> Caller:
        """A person with what their roles let them do."""
        more = _given(caller, self._rows.read().values()) - caller.scopes
        return replace(caller, scopes=caller.scopes | more, by_role=more) if more else caller


def role_id(grantee: Grantee, name: str) -> str:
    """How a role is named, by whom it is given to."""
    return f"{grantee}:{name}" if name else str(grantee)


def holder_name(grantee: Grantee, typed: str) -> str:
    """A name as it is kept. Raises ``ValueError`` where it is none."""
    name = plain_line(typed).strip()
    wrong = bool(name) is (grantee is Grantee.EVERYBODY) or len(name) > LONGEST_HOLDER
    if wrong or not name.isprintable():  # what nobody sees makes it another name than is shown
        raise ValueError(f"{typed[:LONGEST_HOLDER]!r} names no {grantee}")
    return name


def _mailbox(address: str) -> str:
    """An address without the capitals of ASCII. More is not folded: boſs@ is somebody else than boss@."""
    return address.translate(CAPITALS)


def _given(caller: Caller, roles: Iterable[GivenRole]) -> frozenset[Scope]:
    return frozenset().union(*(role.scopes for role in roles if role.is_for(caller)))


def _row(role: GivenRole) -> Mapping[str, Any]:
    return {**asdict(role), "given": role.given.isoformat()}


def _role(row: Mapping[str, Any]) -> tuple[str, GivenRole]:
    grantee, given = Grantee(row["grantee"]), datetime.fromisoformat(row["given"])
    name = holder_name(grantee, row["name"])  # a person without a name would be whoever has no address
    role = GivenRole(grantee, name, tuple(map(Scope, row["scopes"])), given, str(row["by"]))
    return role.id, role
