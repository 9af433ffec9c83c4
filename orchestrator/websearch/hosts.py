"""Hosts: which part somebody has registered (https://publicsuffix.org), and which are made to be read as another's."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from translators.records import record

if TYPE_CHECKING:
    from tldextract import TLDExtract

# Letters that look like Latin ones, written as code points because nobody could tell them apart here (Unicode TR 39).
CYRILLIC = (
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u0501\u04bb\u051b\u051d\u0475\u04cf",
    "aeopcyxijsdhqwvl",
)
GREEK = "\u03bf\u03b1\u03bd\u03b9\u03c1\u03c4\u03c5\u03ba", "oaviptuk"
LATIN = "\u0261\u0131\u0142", "gil"
LOOKALIKES = str.maketrans(*map("".join, zip(CYRILLIC, GREEK, LATIN, strict=True)))
FOREIGN = ("CYRILLIC", "GREEK", "CHEROKEE", "ARMENIAN")
AS_LETTERS = (("0", "o"), ("1", "l"), ("rn", "m"), ("vv", "w"))
SHORTEST = 5  # letters of a name that is worth imitating with a digit; shorter ones resemble each other by chance
ENDINGS = re.compile(r"(?:^|\.)(?:com|org|net|gov|edu|(?:co|or|go|ac)\.kr)$")


@record
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


def imitates(host: str, registered: Registered, known: frozenset[str]) -> bool:
    """Whether ``host`` looks like one of the ``known`` registered domains, or like any, without being under it."""
    if registered.domain in known:
        return False
    return (
        any(map(_foreign_letters, host.split(".")))
        or _holds_another(registered.prefix, host, known)
        or _respelled(registered.label, known)
    )


def _foreign_letters(label: str) -> bool:
    """``xn--…`` that reads as Latin: every letter has a Latin twin, or scripts are mixed."""
    if not label.startswith("xn--"):
        return False
    try:
        shown = label[4:].encode("ascii").decode("punycode")
    except UnicodeError:
        return True
    scripts = {unicodedata.name(letter, "").partition(" ")[0] for letter in shown if letter.isalpha()}
    mixed = "LATIN" in scripts and not scripts.isdisjoint(FOREIGN)
    return mixed or (shown.translate(LOOKALIKES).isascii() and not shown.isascii())


def _holds_another(prefix: str, host: str, known: frozenset[str]) -> bool:
    """``docs.python.org.example.net``, ``python.org-docs.example``: a whole address stands inside."""
    if "." in prefix and ENDINGS.search(prefix):
        return True
    pattern = _any_of(known)
    return pattern is not None and pattern.search(host) is not None


@lru_cache(maxsize=8)
def _any_of(known: frozenset[str]) -> re.Pattern[str] | None:
    spelled = "|".join(sorted((re.escape(each).replace(r"\.", "[.-]") for each in known), key=len, reverse=True))
    return re.compile(rf"(?:^|[.-])(?:{spelled})(?:[.-])") if spelled else None


def _respelled(label: str, known: frozenset[str]) -> bool:
    """``g00gle``, ``rnicrosoft``."""
    plain = label
    for digit, letter in AS_LETTERS:
        plain = plain.replace(digit, letter)
    return plain != label and len(plain) >= SHORTEST and plain in {each.partition(".")[0] for each in known}
