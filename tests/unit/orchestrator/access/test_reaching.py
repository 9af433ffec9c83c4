"""Where an address may lead that a source names by itself."""

import pytest

from connectors.errors import Misconfigured
from orchestrator.access import DiscoveredReach
from orchestrator.websearch.pages.addresses import AddressPolicy

NAMED = ("https://mcp.example/mcp", "https://login.internal:8443/realms/firm", "http://127.0.0.1:9000/mcp", "")


def reach(**policy):
    return DiscoveredReach("Handbook", NAMED, AddressPolicy(**policy))


@pytest.mark.parametrize(
    "url",
    [
        "https://10.0.0.5/.well-known/openid-configuration",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/token",
        "https://127.1/token",
        "http://127.0.0.1:9001/token",  # another port of this machine than the one that is set
        "https://user@203.0.113.7/token",
        "https://login.internal:9999/token",
        "https://mcp.example:8443/token",
        "https://a b/token",
    ],
)
def test_what_a_source_names_in_a_private_network_is_not_asked(url):
    with pytest.raises(Misconfigured, match="Handbook"):
        reach()(url)


@pytest.mark.parametrize("url", ["http://login.example/token", "ftp://login.example/token", "login.example", ""])
def test_what_would_travel_in_the_clear_is_not_asked(url):
    with pytest.raises(Misconfigured, match="not https://"):
        reach()(url)


async def test_what_settings_name_is_asked_wherever_it_lies():
    for url in (
        "https://LOGIN.internal:8443/token",
        "http://127.0.0.1:9000/token",
        "https://mcp.example/.well-known/x",
    ):
        await reach()(url).close()
    await reach()("https://login.example/token").close()  # to be judged by its addresses when it is connected to


async def test_a_name_that_means_a_private_address_is_not_connected_to():
    """Whatever it meant when it was looked at."""
    async with reach(ports=frozenset({9999}))("https://localhost:9999/token") as session:
        with pytest.raises(Misconfigured, match="localhost:9999, which Handbook names"):
            await session.get("https://localhost:9999/token")
