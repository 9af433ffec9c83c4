"""How well JQL can say each condition, and why no better."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from translators.emit import as_typed, judge_text
from translators.match import HANGUL
from translators.query import IdKind, Kind
from translators.said import Said
from translators.verdicts import EXACT, Verdicts, approximate, datable, provided, refused, wider

if TYPE_CHECKING:
    from datetime import date, datetime

    from translators.capabilities import Verdict
    from translators.query import Container, Identifier, Person, Phrase, Prefix, Term

ACCOUNT = re.compile(r"[A-Za-z0-9:_-]{1,128}", re.ASCII)
PROJECT_NUMBER = re.compile(r"[0-9]{1,18}", re.ASCII)
PROJECT_KEY = re.compile(r"[A-Z][A-Z0-9_]+", re.ASCII)
KEY = re.compile(r"[A-Za-z][A-Za-z0-9_]+-[0-9]{1,18}", re.ASCII)
ADDRESS = re.compile(r"https?://[^/?#\s\"]+/browse/(?P<key>[^/?#\s]+)/?(?:[?#][^\s\"]*)?", re.IGNORECASE)
LOOKED_UP = frozenset({IdKind.TICKET, IdKind.PERMALINK, IdKind.URL})
# A word that the analysis of text leaves whole, so that an asterisk after it means what it says.
WHOLE_WORD = re.compile(r"[^\W_](?:\w*[^\W_])?")

PLAIN_WORDS = Said("Jira completes plain words only")
ONLY_ISSUES = Said("Jira's search returns issues only")
NO_ACCOUNT = Said("Jira finds people by account id, and none is known")
NO_PROJECT = Said("Jira refuses a query that names a project it does not know, so projects are asked for by id only")
NO_KEY = Said("this is neither the key of an issue nor its address")
STANDING = Said("Jira finds Korean words only as they stand, without particles")
NO_DATE = Said("it is too far away in time for Jira to know the date for certain")
ZONES = Said("asked more than a day wider: Jira reads times in a zone of the account's own")


class JqlVerdicts(Verdicts):
    """Jira refuses a whole query for one name that it does not know, so people and projects go by id."""

    kinds: ClassVar = {Kind.ISSUE: EXACT}
    no_kind = ONLY_ISSUES

    def words(self, leaf: Term | Phrase) -> Verdict:
        standing = HANGUL.search(leaf.text) and not inflected(leaf.text)
        return approximate(STANDING) if standing else judge_text(leaf)

    def prefix(self, leaf: Prefix) -> Verdict:
        return provided(WHOLE_WORD.fullmatch(as_typed(leaf.text)), PLAIN_WORDS)

    def person(self, who: Person) -> Verdict:
        return provided(who.me or account(who), NO_ACCOUNT)

    def container(self, where: Container) -> Verdict:
        return provided(project(where), NO_PROJECT)

    def identifier(self, thing: Identifier) -> Verdict:
        return provided(issue_key(thing), NO_KEY)

    def instant(self, instant: datetime) -> Verdict:
        return wider(ZONES) if datable(instant) else refused(NO_DATE)

    def day(self, day: date) -> Verdict:
        return provided(datable(day), NO_DATE)


def inflected(text: str) -> str:
    """The text if it is a single Hangul word, which people expect to find with any particle; else nothing."""
    word = as_typed(text)
    return word if WHOLE_WORD.fullmatch(word) and HANGUL.match(word[-1]) else ""


def account(who: Person) -> str:
    """The account id, or nothing where none is known that could be one."""
    return who.native_id if who.native_id and ACCOUNT.fullmatch(who.native_id) else ""


def project(where: Container) -> str:
    """The project as JQL names it without doubt: by number, else by quoted key; nothing where neither is known."""
    known = where.native_id or ""
    if PROJECT_NUMBER.fullmatch(known):
        return known
    return f'"{known}"' if PROJECT_KEY.fullmatch(known) else ""


def issue_key(thing: Identifier) -> str:
    """The key of an issue that is named by it or by an address ending in ``/browse/KEY``; else nothing."""
    if thing.kind not in LOOKED_UP:
        return ""
    address = ADDRESS.fullmatch(thing.text)
    key = address["key"] if address else thing.text
    return key.upper() if KEY.fullmatch(key) else ""


judge = JqlVerdicts()
