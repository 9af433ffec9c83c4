"""Which part of a host somebody has registered, by the Public Suffix List (https://publicsuffix.org) as packaged."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tldextract import TLDExtract


@dataclass(frozen=True, slots=True)
class Registered:
    """``docs.kakao.co.kr`` is ``label`` kakao under ``suffix`` co.kr, with ``prefix`` docs.

    ``hosted``: the suffix belongs to a service where anybody may have a page (``github.io``). All empty for a host
    that is none (an IP address, ``localhost``).
    """

    prefix: str = ""
    label: str = ""
    suffix: str = ""
    hosted: bool = False

    @property
    def domain(self) -> str:
        """What was registered: ``kakao.co.kr``."""
        return f"{self.label}.{self.suffix}" if self.label and self.suffix else ""


@lru_cache(maxsize=4096)
def registered(host: str) -> Registered:
    """``host`` taken apart. The list lies in the package; nothing is ever downloaded."""
    found = _list()(host, include_psl_private_domains=True)
    if not found.suffix or not found.domain:
        return Registered()
    return Registered(found.subdomain, found.domain, found.suffix, found.is_private)


@cache
def _list() -> TLDExtract:
    from tldextract import TLDExtract

    return TLDExtract(suffix_list_urls=(), fallback_to_snapshot=True, cache_dir=None)
