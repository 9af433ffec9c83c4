"""What sites allow programs to read (crawling), by their robots.txt (RFC 9309), remembered for a while."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from orchestrator.websearch.errors import PageUnread, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable

    from orchestrator.websearch.pages.downloading import Downloader
    from orchestrator.websearch.urls import Address

SIZE = 500 * 1024  # bytes; RFC 9309, 2.5
MOST = 512  # sites remembered
UNREADABLE, BROKEN = 400, 500  # where each class of status begins


class Robots:
    """The rules of each origin. ``name``: what the rules call us; ``ttl``: seconds they are remembered."""

    def __init__(self, downloader: Downloader, name: str, ttl: float, clock: Callable[[], float]) -> None:
        self._downloader = downloader
        self._name = name
        self._ttl = ttl
        self._clock = clock
        self._remembered: OrderedDict[str, tuple[float, str | None]] = OrderedDict()

    async def check(self, address: Address) -> None:
        """Raises :class:`PageUnread` where the site does not want ``address`` to be read by a program."""
        rules = await self._rules(address.origin)
        if rules is None:
            raise PageUnread(Refusal.ROBOTS, f"{address.host} does not say now what may be read there; try later")
        if rules and not _allows(rules, address, self._name):
            raise PageUnread(Refusal.ROBOTS, f"{address.host} does not want programs to read this page (robots.txt)")

    async def _rules(self, origin: str) -> str | None:
        """The text, empty where all is allowed, ``None`` where nothing is (RFC 9309, 2.3.1)."""
        now = self._clock()
        if origin in self._remembered and self._remembered[origin][0] > now:
            return self._remembered[origin][1]
        rules = await self._fetched(origin)
        self._remembered[origin] = (now + self._ttl, rules)
        self._remembered.move_to_end(origin)
        while len(self._remembered) > MOST:
            self._remembered.popitem(last=False)
        return rules

    async def _fetched(self, origin: str) -> str | None:
        try:
            found = await self._downloader.get(f"{origin}/robots.txt", _anything, size=SIZE, kinds=None)
        except PageUnread as failure:
            if failure.refusal is Refusal.REDIRECTS:
                return ""
            if failure.refusal is Refusal.SIZE:
                return None
            raise  # the page itself is to be had from the same place, or from nowhere
        if found.status >= BROKEN:
            return None
        return "" if found.status >= UNREADABLE else found.body.decode("utf-8", "replace")


async def _anything(address: Address, /) -> None:
    """The rules themselves may always be read."""


def _allows(rules: str, address: Address, name: str) -> bool:
    from protego import Protego

    path = f"{address.path or '/'}?{address.query}" if address.query else address.path or "/"
    return bool(Protego.parse(rules).can_fetch(f"{address.origin}{path}", name))
