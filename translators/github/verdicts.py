"""How well GitHub's search can say each condition, and why no better.

Addresses and short names of things are taken apart into what has to be fetched for them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import unquote

from translators.capabilities import Fidelity, Verdict
from translators.emit import BARE, as_typed, judge_container_name, judge_text, spelled, utc
from translators.match import HANGUL
from translators.names import LOGIN
from translators.query import Prefix, Term
from translators.said import Said
from translators.verdicts import EXACT, Verdicts, provided, refused

if TYPE_CHECKING:
    from datetime import datetime

    from translators.query import Container, Identifier, Person, Phrase
    from translators.translator import Json

OWNER, NAME = r"[A-Za-z0-9](?:[A-Za-z0-9_-]{0,38})", r"(?!\.{1,2}(?![\w.-]))[A-Za-z0-9_.-]{1,100}"
REPOSITORY = re.compile(rf"{OWNER}/{NAME}")
SHORT = re.compile(rf"(?P<repo>{OWNER}/{NAME})#(?P<number>[0-9]{{1,9}})")
# github.com, data residency (https://docs.github.com/en/enterprise-cloud@latest/admin/data-residency), and servers of
# one's own by their usual names. Whoever fetches compares the host of what comes back.
HOST = r"https?://(?:www\.)?(?P<host>github\.com|[a-z0-9-]+\.ghe\.com|github\.[a-z0-9.-]+)"
NUMBERED = re.compile(
    rf"{HOST}/(?P<repo>{OWNER}/{NAME})/(?:issues|pull|discussions)/(?P<number>[0-9]{{1,9}})(?:[/?#]\S*)?", re.IGNORECASE
)
FILE = re.compile(
    rf"{HOST}/(?P<repo>{OWNER}/{NAME})/blob/(?P<ref>[^/?#\s]+)/(?P<path>[^?#\s]+)(?:[?#]\S*)?", re.IGNORECASE
)
NO_OWNERS = frozenset({"orgs", "enterprises", "users", "settings", "sponsors", "topics", "search"})


def fetchable(thing: Identifier) -> dict[str, Json] | None:
    """Which thing an identifier names: ``repo`` with ``number``, or with ``ref`` and ``path``; ``None`` if none.

    ``host`` is there where an address named one.
    """
    text = as_typed(thing.text)
    found = SHORT.fullmatch(text) or NUMBERED.fullmatch(text) or FILE.fullmatch(text)
    if found is None or found["repo"].partition("/")[0].casefold() in NO_OWNERS:
        return None
    said = found.groupdict()
    named: dict[str, Json] = {"host": said["host"].casefold()} if "host" in said else {}
    if "number" in said:
        return {**named, "repo": said["repo"], "number": int(said["number"])}
    ref, path = _decoded(said["ref"]), _decoded(said["path"])
    return {**named, "repo": said["repo"], "ref": ref, "path": path} if ref and path else None


def _decoded(part: str) -> str:
    """A part of an address as people write it; empty where it is not one that leads to a file."""
    text = unquote(part, errors="replace")
    ways = text.split("/")
    return text if as_typed(text) == text and "\ufffd" not in text and not {"", ".", ".."} & set(ways) else ""


BOT = re.compile(r"([A-Za-z0-9][A-Za-z0-9-]*)\[bot\]")
# https://docs.github.com/en/rest/search/search#limitations-on-query-length
MOST_CHARACTERS = 256
FIRST_YEAR, LAST_YEAR = 1970, 2099
KOREAN = Verdict(
    Fidelity.APPROXIMATE,
    Said("GitHub does not say whether it finds Korean words with particles written on"),
)


WHOLE_WORDS = Said("GitHub finds whole words only")
TOO_LONG = Said("longer than the {most_characters} characters that GitHub takes").filled(
    most_characters=MOST_CHARACTERS
)
NOBODY = Said("GitHub finds people by login, and none is known")
NO_DATE = Said("GitHub keeps no such dates")
ONE_KIND = Said("GitHub is asked for one kind of thing at a time")
NO_ADDRESS = Said("this is not the address of a thing on GitHub")
NO_OWNER = Said("GitHub finds repositories by owner/name, and the owner is not known")


class GitHubVerdicts(Verdicts):
    """Of those of its searches that know such a condition; what asking one of them settles has been taken out by now."""

    lacks: ClassVar = {Prefix: WHOLE_WORDS}
    kinds: ClassVar = {}
    no_kind = ONE_KIND

    def words(self, leaf: Term | Phrase) -> Verdict:
        text = as_typed(leaf.text)
        if len(text) > MOST_CHARACTERS - 2:
            return refused(TOO_LONG)
        sent = judge_text(leaf)
        if sent != EXACT:
            return sent
        return KOREAN if HANGUL.search(text) else Verdict(negates=isinstance(leaf, Term) and _is_word(text))

    def person(self, who: Person) -> Verdict:
        return provided(who.me or login(who), NOBODY)

    def container(self, where: Container) -> Verdict:
        if REPOSITORY.fullmatch(where.native_id or ""):
            return EXACT
        return judge_container_name(where) if REPOSITORY.fullmatch(as_typed(where.name)) else refused(NO_OWNER)

    def identifier(self, thing: Identifier) -> Verdict:
        return provided(fetchable(thing), NO_ADDRESS)

    def instant(self, instant: datetime) -> Verdict:
        return provided(FIRST_YEAR <= utc(instant).year <= LAST_YEAR, NO_DATE)


def _is_word(text: str) -> bool:
    """NOT is for words only: https://docs.github.com/en/search-github/getting-started-with-searching-on-github ."""
    return bool(BARE.fullmatch(text)) and spelled(text) == text and any(char.isalpha() for char in text)


def repository(where: Container) -> str:
    """``owner/name`` of a repository that :func:`judge` lets through."""
    return where.native_id if REPOSITORY.fullmatch(where.native_id or "") and where.native_id else as_typed(where.name)


def login(who: Person) -> str:
    """The name to search for somebody by, ``app/name`` for an app; empty where none is known."""
    native = who.native_id or ""
    if bot := BOT.fullmatch(native):
        return f"app/{bot[1]}"
    return native if LOGIN.fullmatch(native) else ""


judge = GitHubVerdicts()
