"""Only what everybody on the internet means by an address is connected to."""

from __future__ import annotations

from ipaddress import ip_network

import pytest

from orchestrator.websearch.errors import PageUnread
from orchestrator.websearch.pages.addresses import AddressPolicy
from orchestrator.websearch.pages.connecting import CheckedResolver, checked_address

PUBLIC = ["8.8.8.8", "93.184.216.34", "2606:4700::1111", "1.1.1.1", "172.32.0.1", "100.128.0.1"]
NOT_PUBLIC = {
    "loopback": ["127.0.0.1", "127.255.255.255", "::1"],
    "private": ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "fd00::1", "fc00::1"],
    "link-local": ["169.254.0.1", "fe80::1", "fe80::1%eth0", "fec0::1"],
    "metadata of clouds": ["169.254.169.254", "fd00:ec2::254", "100.100.100.200", "168.63.129.16", "192.0.0.192"],
    "shared by a carrier": ["100.64.0.1", "100.127.255.255"],
    "multicast": ["224.0.0.1", "239.255.255.255", "ff02::1", "ff0e::1"],
    "unspecified and broadcast": ["0.0.0.0", "0.1.2.3", "255.255.255.255", "::"],
    "reserved": ["240.0.0.1", "192.0.2.1", "198.18.0.1", "203.0.113.1", "2001:db8::1", "192.88.99.1"],
    "another one inside": [
        "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b:1::1",
        "2002:7f00:1::", "2001:0:7f00:1::", "::ffff:0:127.0.0.1",
    ],
    "no address": ["", "localhost", "127.1", "0x7f000001", "8.8.8.8.8"],
}  # fmt: skip


@pytest.mark.parametrize("address", PUBLIC)
def test_public(address: str) -> None:
    assert AddressPolicy().allows(address)


@pytest.mark.parametrize("kind", NOT_PUBLIC)
def test_not_public(kind: str) -> None:
    assert [address for address in NOT_PUBLIC[kind] if AddressPolicy().allows(address)] == []


def test_a_network_that_is_allowed_all_the_same() -> None:
    policy = AddressPolicy(networks=(ip_network("10.20.0.0/16"),))
    assert policy.allows("10.20.3.4")
    assert not policy.allows("10.21.3.4")
    assert not policy.allows("::ffff:10.20.3.4")


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("http://127.0.0.1/", "not on the public internet"),
        ("http://[::1]/", "not on the public internet"),
        ("http://[::ffff:8.8.8.8]/", "not on the public internet"),
        ("http://127.1/", "not on the public internet"),
        ("http://2130706433/", "not on the public internet"),
        ("http://e.example:22/", "port 22 is not one"),
        ("https://e.example:80443/", "not the address of a web page"),
        ("https://user@e.example/", "user name before its host"),
    ],
)
def test_what_is_known_before_anybody_is_asked(url: str, message: str) -> None:
    with pytest.raises(PageUnread, match=message):
        checked_address(url, AddressPolicy())


async def test_a_name_with_one_private_address_is_not_trusted_at_all() -> None:
    async def lookup(host: str, family: int, /) -> tuple[str, ...]:
        return {"good.example": ("8.8.8.8", "2606:4700::1111"), "mixed.example": ("8.8.8.8", "10.0.0.1")}[host]

    resolver = CheckedResolver(AddressPolicy(), lookup)
    assert [each["host"] for each in await resolver.resolve("good.example", 443)] == ["8.8.8.8", "2606:4700::1111"]
    with pytest.raises(PageUnread, match=r"mixed\.example is not on the public internet"):
        await resolver.resolve("mixed.example", 443)
