"""Which internet addresses may be connected to: public ones on the web's ports, no private address (SSRF). Pure."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from translators.records import record

WEB_PORTS = frozenset({80, 443})
IPAddress = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

# Addresses that carry another one inside, which would have to be judged in its place: IPv4-compatible and -mapped
# (RFC 4291, 2.5.5), NAT64 (RFC 6052, RFC 8215), Teredo (RFC 4380), 6to4 (RFC 3056); and what ipaddress calls global but
# leads to a provider's own services: Azure's wire server, Oracle's metadata, 6to4 relays, old site-local addresses.
NEVER = tuple(
    map(
        ip_network,
        (
            "::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "2001::/32", "2002::/16", "fec0::/10",
            "168.63.129.16/32", "192.88.99.0/24", "100.64.0.0/10", "192.0.0.0/24",
        ),
    )
)  # fmt: skip


@record
class AddressPolicy:
    """``ports``: which may be connected to. ``networks``: these too, though they are not public (a wiki in the house)."""

    ports: frozenset[int] = WEB_PORTS
    networks: tuple[Network, ...] = ()

    def allows_port(self, port: int) -> bool:
        """Whether a web page may be served there."""
        return port in self.ports

    def allows(self, text: str) -> bool:
        """Whether an IP address (as a resolver writes it) may be connected to."""
        try:
            address = ip_address(text.partition("%")[0])
        except ValueError:
            return False
        return any(address in network for network in self.networks) or is_public(address)


def is_public(address: IPAddress) -> bool:
    """Whether everybody on the internet means the same machine by it."""
    return (
        address.is_global
        and not (address.is_multicast or address.is_reserved or address.is_unspecified or address.is_loopback)
        and not any(address in network for network in NEVER if network.version == address.version)
    )
