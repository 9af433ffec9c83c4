"""Web addresses taken apart without being fooled: who really serves a page, and when two addresses are one."""

from __future__ import annotations

import re
from ipaddress import ip_address
from urllib.parse import SplitResult, parse_qsl, quote, urlencode, urlsplit

from translators.records import record

LONGEST = 4096  # characters of an address that anybody would open
LONGEST_HOST = 253  # RFC 1035, 2.3.4
REDIRECTOR = "vertexaisearch.cloud.google.com"  # where the sources of Gemini's answers lead at first
DEFAULT_PORTS = {"http": 80, "https": 443}
# A browser reads a backslash as a slash, so that what stands before it is the host; Python does not. No blank, no control.
UNFIT = re.compile(r"[\s\\\x00-\x20\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
HOST = re.compile(r"[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?")
NUMERIC = re.compile(
    r"\d+|0x[0-9a-f]*"
)  # the last label of a host that a browser reads as an IPv4 address (WHATWG URL, 3.5)
# Names that only tell where a click came from. Never `id`, `p`, `v`, `ref`: they say which page it is.
TRACKING = re.compile(
    r"utm_\w+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|twclid|ttclid|igshid|igsh|mc_cid|mc_eid|_ga|_gl|_hsenc"
    r"|_hsmi|mkt_tok|vero_id|oly_anon_id|oly_enc_id|srsltid|n_media|n_query|n_rank|n_ad_group|n_ad|n_keyword_id"
)


@record
class Address:
    """An http(s) address. ``host`` in lower case and ASCII (``xn--…``), an IPv6 address without its brackets.

    ``port``: only where it is not the scheme's own. ``disguised``: a user name stands before the host, as in
    ``https://docs.python.org@evil.example/``.
    """

    scheme: str
    host: str
    port: int | None
    path: str
    query: str
    disguised: bool = False

    @property
    def numeric(self) -> bool:
        """Whether the host is an IP address, in whichever spelling (``127.1``, ``0x7f000001``, ``::1``)."""
        return ":" in self.host or NUMERIC.fullmatch(self.host.rpartition(".")[2]) is not None

    @property
    def names(self) -> tuple[str, ...]:
        """The host and the domains above it, closest first: ``docs.python.org``, ``python.org``, ``org``."""
        labels = self.host.split(".")
        return tuple(".".join(labels[start:]) for start in range(len(labels)))

    @property
    def origin(self) -> str:
        """Scheme, host and port, as RFC 6454 writes them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}" + (f":{self.port}" if self.port else "")


def read_address(text: str) -> Address | None:
    """``text`` taken apart; ``None`` where it is no absolute http(s) address that every program reads the same way."""
    if len(text) > LONGEST or UNFIT.search(text):
        return None
    try:
        parts = urlsplit(text)
        port = parts.port
        host = _host(parts)
    except ValueError:  # UnicodeError of a host that no name server can know is one, too
        return None
    if parts.scheme not in DEFAULT_PORTS or not host or port == 0:
        return None
    kept = port if port != DEFAULT_PORTS[parts.scheme] else None
    return Address(parts.scheme, host, kept, parts.path, parts.query, "@" in parts.netloc)


def _host(parts: SplitResult) -> str:
    """In ASCII; empty where it is none. Python keeps IPv6 addresses apart by their brackets."""
    name = parts.hostname or ""
    if ":" in name:
        return ip_address(name).compressed
    if not name or len(name) > LONGEST_HOST:
        return ""
    ascii_name = (name if name.isascii() else name.encode("idna").decode("ascii")).casefold().rstrip(".")
    return ascii_name if HOST.fullmatch(ascii_name) and ".." not in ascii_name else ""


def compared_url(url: str) -> str:
    """A key for comparing, not an address to open; the address itself where it is none.

    Scheme, default port, user name, fragment, trailing slash, tracking and the order of parameters do not count.
    """
    address = read_address(url.strip())
    if address is None:
        return url.strip()
    path = quote(address.path, safe="/%:@!$&'()*+,;=~-._").rstrip("/")
    kept = sorted(
        (name, value)
        for name, value in parse_qsl(address.query, keep_blank_values=True)
        if not TRACKING.fullmatch(name.casefold())
    )
    port = f":{address.port}" if address.port else ""
    return f"{address.host}{port}{path}" + (f"?{urlencode(kept)}" if kept else "")


def is_redirect(url: str) -> bool:
    """Whether ``url`` is one of Gemini's, which lead on to the page for some days and say nothing of it."""
    address = read_address(url)
    return address is not None and address.host == REDIRECTOR
