"""Where addresses may lead that a source names by itself: to what settings name, else to the public internet (SSRF)."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from connectors.errors import Misconfigured
from connectors.text import private_way, quote
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Iterable

    import aiohttp

    from orchestrator.websearch.pages.addresses import AddressPolicy

ELSEWHERE = Said(
    "{host}, which {name} names for signing in, is not on the public internet, and nothing is asked there; if it is yours, "
    "name it in sources.….issuer"
)
IN_THE_CLEAR = Said("{name} names {url} for signing in, which is not https://")


class DiscoveredReach:
    """Opens sessions (:data:`connectors.auth.SessionOpener`). ``name``: of the source; ``named``: addresses in its settings.

    What settings name is asked wherever it lies, as the source itself is: by its scheme, host and port. Any other host is resolved once, each of its
    addresses judged, and one of those connected to, so that a name cannot mean another machine by then (DNS rebinding).
    """

    def __init__(self, name: str, named: Iterable[str], policy: AddressPolicy) -> None:
        self._name = name
        self._named = frozenset(_origin(each) for each in named if each)
        self._policy = policy

    def __call__(self, url: str) -> aiohttp.ClientSession:
        """A session for one address. Raises :class:`Misconfigured`."""
        from connectors.transport import open_session

        if not private_way(url):
            raise Misconfigured(IN_THE_CLEAR.filled(name=self._name, url=quote(url)))
        if _origin(url) in self._named:
            return open_session(1)
        from orchestrator.websearch.pages.connecting import session_to

        refused = Misconfigured(ELSEWHERE.filled(name=self._name, host=quote(urlsplit(url).netloc)))
        return session_to(url, self._policy, refused, unpacked=True)


def _origin(url: str) -> tuple[str, str, int]:
    """Scheme, host and port; nothing for what is no address."""
    try:
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        return ("", "", 0)
    return (parts.scheme, (parts.hostname or "").casefold(), port)
