"""Connections that cannot be led astray (SSRF, DNS rebinding): a name is resolved once, checked, and that very address is connected to."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Protocol

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult

from orchestrator.websearch.errors import PageUnread, Refusal
from orchestrator.websearch.urls import read_address

if TYPE_CHECKING:
    from orchestrator.websearch.pages.addresses import AddressPolicy
    from orchestrator.websearch.urls import Address

CONNECTIONS = 16
NO_LINK = "that is not the address of a web page; it begins with http:// or https:// and has no blanks"
PRIVATE = (
    "{host} is not on the public internet; pages in a private network are not opened from here (setting web.networks)"
)


class Lookup(Protocol):
    """The addresses of a host, as text; raises ``OSError`` where it has none."""

    async def __call__(self, host: str, family: socket.AddressFamily, /) -> tuple[str, ...]: ...


async def system_lookup(host: str, family: socket.AddressFamily, /) -> tuple[str, ...]:
    """Ask whom the operating system asks."""
    import asyncio

    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, None, family=family, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(entry[4][0]) for entry in found))


class CheckedResolver(AbstractResolver):
    """Hands out public addresses only. If one address of a host is not public the host is not trusted at all, which is ``refused``.

    The connector asks once for each connection and keeps nothing, so that a name cannot mean one machine when it is
    checked and another when it is connected to (DNS rebinding).
    """

    def __init__(self, policy: AddressPolicy, lookup: Lookup = system_lookup, refused: Exception | None = None) -> None:
        self._policy = policy
        self._lookup = lookup
        self._refused = refused

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Every address of ``host``. Raises :class:`PageUnread`, or what it was made with: no ``OSError``, as it must not be tried again."""
        found = await self._lookup(host, family)
        if not all(map(self._policy.allows, found)):
            raise self._refused or PageUnread(Refusal.ADDRESS, PRIVATE.format(host=host))
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=port,
                family=socket.AF_INET6 if ":" in address else socket.AF_INET,
                proto=0,
                flags=socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
            )
            for address in found
        ]

    async def close(self) -> None:
        """Nothing is held."""


def open_session(resolver: CheckedResolver, *, unpacked: bool = False) -> aiohttp.ClientSession:
    """A session without cookies, proxies, remembered names or kept connections. Bodies come as they were sent, or ``unpacked``."""
    connector = aiohttp.TCPConnector(limit=CONNECTIONS, resolver=resolver, use_dns_cache=False, force_close=True)
    return aiohttp.ClientSession(
        connector=connector, cookie_jar=aiohttp.DummyCookieJar(), auto_decompress=unpacked, trust_env=False
    )


def session_to(
    url: str, policy: AddressPolicy, refused: Exception | None = None, *, unpacked: bool = False
) -> aiohttp.ClientSession:
    """A session for one URL that somebody else has named. Raises :class:`PageUnread`, or ``refused``, now or when it is connected to."""
    try:
        checked_address(url, policy)
    except PageUnread as failure:
        raise refused or failure from None
    return open_session(CheckedResolver(policy, refused=refused), unpacked=unpacked)


def checked_address(url: str, policy: AddressPolicy) -> Address:
    """The address in a URL, by what is known before anybody is asked. Raises :class:`PageUnread`.

    An IP address in the URL never passes a resolver, so it is judged here.
    """
    address = read_address(url)
    if address is None:
        raise PageUnread(Refusal.ADDRESS, NO_LINK)
    if address.disguised:
        raise PageUnread(Refusal.ADDRESS, "the address has a user name before its host; leave that out")
    port = address.port or (443 if address.scheme == "https" else 80)
    if not policy.allows_port(port):
        raise PageUnread(Refusal.ADDRESS, f"port {port} is not one that pages are read from (setting web.ports)")
    if address.numeric and not policy.allows(address.host):
        raise PageUnread(Refusal.ADDRESS, PRIVATE.format(host=address.host))
    return address
