"""What a source says, made safe: plain text (:mod:`translators.plain`), and addresses that a browser may open."""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import urlsplit

from translators.plain import BLANKS, MASK, SURROGATES, UNSAFE, plain_line, plain_text, quote, sendable

__all__ = [
    "MASK",
    "SURROGATES",
    "UNSAFE",
    "absolute_url",
    "clip",
    "is_loopback",
    "known_name",
    "plain_line",
    "plain_text",
    "private_way",
    "quote",
    "sendable",
]

BARE_ID = re.compile(r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}")
# An address that needs no splitting to be known as one; most are, and splitting takes thirty times as long.
PLAIN_ADDRESS = re.compile(r"https?://[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]{1,5})?(?:[/?#][!-~]*)?")


def absolute_url(url: str) -> str:
    """``url`` if a browser may open it: http or https with a host, no blanks or control characters; else empty."""
    if PLAIN_ADDRESS.fullmatch(url):
        return url
    if (
        not url.startswith(("https://", "http://"))
        or UNSAFE.search(url)
        or BLANKS.search(url)
        or SURROGATES.search(url)
    ):
        return ""
    try:
        return url if urlsplit(url).hostname else ""
    except ValueError:
        return ""


def private_way(url: str) -> bool:
    """Whether nobody on the way reads what is sent there: by HTTPS, or without leaving this machine."""
    if not absolute_url(url):
        return False
    parts = urlsplit(url)
    return parts.scheme == "https" or is_loopback(parts.hostname or "")


def is_loopback(host: str) -> bool:
    """Whether only this machine answers to ``host``, a name or an address without its port (RFC 6761, 6.3)."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        name = host.casefold().rstrip(".")
        return name == "localhost" or name.endswith(".localhost")


def known_name(name: str) -> str:
    """The name; nothing for an id that its source gave no name for: it tells a reader nothing."""
    return "" if BARE_ID.fullmatch(name) else name


def clip(text: str, limit: int) -> tuple[str, bool]:
    """The first ``limit`` characters and whether that is all of it."""
    return (text, True) if len(text) <= limit else (text[:limit].rstrip(), False)
