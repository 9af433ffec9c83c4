"""One name for each address, so that two links to the same thing are equal.

A canonical form is a key for comparing, not an address to open: what it drops may matter to a browser.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, parse_qsl, quote, urlencode, urlsplit

from translators.patterns import regex

if TYPE_CHECKING:
    from collections.abc import Callable

# Names that only tell where a click came from. Never `cid` (Slack: the channel) nor `id`, `p`, `v`, `ref`.
TRACKING = regex(
    r"utm_\w+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|twclid|ttclid|igshid|igsh|mc_cid|mc_eid|_ga|_gl|_hsenc"
    r"|_hsmi|mkt_tok|vero_id|oly_anon_id|oly_enc_id|rb_clickid|s_cid|n_media|n_query|n_rank|n_ad_group|n_ad|n_keyword_id"
)
SLACK_MESSAGE = regex(r"/archives/([CDG][A-Z0-9]+)/p(\d{10})(\d{6})/?$")
NOTION_ID = regex(r"([0-9a-f]{32})$")
LINEAR_ISSUE = regex(r"^/([^/]+)/issue/([A-Za-z][A-Za-z0-9]*-\d+)(?:/|$)")
DRIVE_FILE = regex(r"/(?:file|document|spreadsheets|presentation|forms|folders)(?:/u/\d+)?/(?:d/)?([\w-]{10,})")
CONFLUENCE_PAGE = regex(r"/spaces/[^/]+/(?:pages|blog)/(?:edit-v2/)?(?:\d{4}/\d{2}/\d{2}/)?(\d+)(?:/|$)")
DEFAULT_PORTS = (":80", ":443")
# An address that only host, path and simple parameters make up, and that no rule below could name: most are, and
# splitting the others properly takes five times as long.
WORD = r"[\w.~-]*"
SIMPLE = regex(
    r"https?://([a-z0-9.-]*[a-z0-9](?::\d+)?)((?:/[\w.~!$&'()*+,;=:@%/-]*)?)"
    rf"(?:\?({WORD}(?:={WORD})?(?:&{WORD}(?:={WORD})?)*))?",
    re.ASCII,
)
NOT_SIMPLE = ("notion.so", "notion.site", "notion.com", "linear.app", "google.com", *DEFAULT_PORTS)


@lru_cache(maxsize=4096)
def canonical_url(url: str) -> str:
    """The same text for every spelling of one address; "" for none. What is no address stands for itself."""
    text = url.strip()
    if quick := simple(text):
        return quick
    try:
        parts = urlsplit(text)
        host = _host(parts)
    except ValueError:
        return text
    if not host:
        return text
    for rule in RULES:
        key = rule(host, parts)
        if key:
            return key
    return plain(host, parts)


def simple(text: str) -> str:
    """What :func:`plain` would say of an address that needs no splitting; "" for any other."""
    found = SIMPLE.fullmatch(text)
    if found is None:
        return ""
    host, path, query = found.groups()
    if host.endswith(NOT_SIMPLE) or "/archives/" in path or "/spaces/" in path or path.endswith("/viewpage.action"):
        return ""
    address = f"{host}{path.rstrip('/')}"
    if not query:
        return address
    pairs = [pair.partition("=") for pair in query.split("&") if pair]
    kept = sorted([(name, value) for name, _, value in pairs if not _tracks(name)])
    return f"{address}?{'&'.join([f'{name}={value}' for name, value in kept])}" if kept else address


def _host(parts: SplitResult) -> str:
    host = parts.netloc.rpartition("@")[2].casefold()
    for port in DEFAULT_PORTS:
        host = host.removesuffix(port)
    return host.rstrip(".")


def _is(host: str, *domains: str) -> bool:
    return host.endswith(domains) and any(host == domain or host[: -len(domain)].endswith(".") for domain in domains)


def _slack(_: str, parts: SplitResult) -> str:
    """A permalink is its channel and its timestamp, in whichever workspace address (docs: chat.getPermalink)."""
    found = SLACK_MESSAGE.search(parts.path)
    return "slack:{}/{}.{}".format(*found.groups()) if found else ""


def _notion(host: str, parts: SplitResult) -> str:
    """The last 32 hexadecimal digits of the path, or of ``p`` where a page is opened over a database."""
    if not _is(host, "notion.so", "notion.site", "notion.com"):
        return ""
    peeked = [value for name, value in parse_qsl(parts.query) if name == "p"]
    for place in (*peeked, parts.path.rstrip("/").rpartition("/")[2]):
        found = NOTION_ID.search(place.replace("-", "").casefold())
        if found:
            return f"notion:{found[1]}"
    return ""


def _linear(host: str, parts: SplitResult) -> str:
    """The issue's key: the words after it follow the title and change with it."""
    found = LINEAR_ISSUE.match(parts.path) if _is(host, "linear.app") else None
    return f"linear:{found[1].casefold()}/{found[2].upper()}" if found else ""


def _gmail(host: str, parts: SplitResult) -> str:
    """The message is named in the fragment, after whichever label it was opened from."""
    last = parts.fragment.partition("?")[0].rpartition("/")[2]
    return f"gmail:{last}" if _is(host, "mail.google.com") and "/" in parts.fragment and last else ""


def _drive(host: str, parts: SplitResult) -> str:
    if not _is(host, "docs.google.com", "drive.google.com"):
        return ""
    found = DRIVE_FILE.search(parts.path)
    named = found[1] if found else dict(parse_qsl(parts.query)).get("id", "")
    return f"drive:{named}" if named else ""


def _confluence(host: str, parts: SplitResult) -> str:
    """The page's number: its title in the path changes."""
    found = CONFLUENCE_PAGE.search(parts.path)
    old = parts.path.endswith("/viewpage.action") and dict(parse_qsl(parts.query)).get("pageId")
    number = found[1] if found else old
    return f"confluence:{host}/{number}" if number else ""


RULES: tuple[Callable[[str, SplitResult], str], ...] = (_slack, _notion, _linear, _gmail, _drive, _confluence)


def plain(host: str, parts: SplitResult) -> str:
    """Scheme, fragment, trailing slash, tracking and the order of parameters do not matter."""
    path = quote(parts.path, safe="/%:@!$&'()*+,;=~-._").rstrip("/")
    kept = sorted((name, value) for name, value in parse_qsl(parts.query, keep_blank_values=True) if not _tracks(name))
    query = f"?{urlencode(kept)}" if kept else ""
    # Single-page applications keep their address in the fragment: "#/issues/12", "#!/board".
    route = f"#{parts.fragment}" if parts.fragment.startswith(("/", "!")) else ""
    return f"{host}{path}{query}{route}"


@lru_cache(maxsize=512)
def _tracks(name: str) -> bool:
    return TRACKING.fullmatch(name.casefold()) is not None
