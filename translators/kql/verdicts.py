"""How well KQL can say each condition, and why no better.

Of addresses only those are read that https://graph.microsoft.com/v1.0 has a path for: a mail's link in Outlook on the web carries
the mail's id, a message's link in Teams its chat, or its team and channel, and of a reply what it answers. A file's address has to
be resolved first, and is not fetched. https://learn.microsoft.com/en-us/graph/api/message-get,
https://learn.microsoft.com/en-us/microsoftteams/platform/concepts/build-and-test/deep-link-teams
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import parse_qs, unquote, urlsplit

from translators.capabilities import Fidelity, Verdict
from translators.emit import as_typed, mail_address, utc
from translators.kql.entities import SITE, is_plain_word, name_words, spellable
from translators.match import HANGUL
from translators.query import Field, Kind
from translators.said import Said
from translators.verdicts import EXACT, Verdicts, provided, refused, wider

if TYPE_CHECKING:
    from collections.abc import Mapping

    from translators.query import Container, Identifier, Person, Prefix
    from translators.translator import Json

OUTLOOK = frozenset({"outlook.office365.com", "outlook.office.com"})
TEAMS = frozenset({"teams.microsoft.com", "teams.cloud.microsoft"})
MAIL = re.compile(r"[A-Za-z0-9_=-]{32,512}")
CHAT = re.compile(r"19:[A-Za-z0-9_.-]+@(?:thread\.v2|unq\.gbl\.spaces)")
CHANNEL = re.compile(r"19:[A-Za-z0-9_.-]+@thread\.(?:tacv2|skype)")
TEAM = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
NUMBER = re.compile(r"[0-9]{10,16}")
# A mail's id in base 64: links and search results write two of its characters otherwise than paths do.
IN_PATHS = str.maketrans("/+", "-_")


def thing(text: str) -> Mapping[str, Json]:
    """The parts of the address: ``message``; ``chat`` and ``chatMessage``; or ``team``, ``channel`` and ``chatMessage``,
    and of a reply its ``parent``. Empty where ``text`` is no such address.
    """
    try:
        parts = urlsplit(text)
        asked = parse_qs(parts.query)
    except ValueError:
        return {}
    if parts.scheme != "https":
        return {}
    if parts.netloc.lower() in OUTLOOK:
        return _mail(parts.path, asked)
    return _message(parts.path, asked) if parts.netloc.lower() in TEAMS else {}


def _mail(path: str, asked: Mapping[str, list[str]]) -> Mapping[str, Json]:
    """``/owa/?ItemID=…``, which Graph gives as ``webLink``."""
    (item,) = asked.get("ItemID", [""])[:1]
    found = item.replace(" ", "+").translate(IN_PATHS)  # a plus sign that was not escaped reads as a blank
    return {"message": found} if path.rstrip("/") == "/owa" and MAIL.fullmatch(found) else {}


def _message(path: str, asked: Mapping[str, list[str]]) -> Mapping[str, Json]:
    """``/l/message/<thread>/<number>``."""
    match path.split("/"):
        case ["", "l", "message", thread, number] if NUMBER.fullmatch(number):
            thread = unquote(thread)
        case _:
            return {}
    if CHAT.fullmatch(thread):
        return {"chat": thread, "chatMessage": number}
    team, parent = (asked.get(name, [""])[0] for name in ("groupId", "parentMessageId"))
    if not (CHANNEL.fullmatch(thread) and TEAM.fullmatch(team) and (not parent or NUMBER.fullmatch(parent))):
        return {}
    first = {"parent": parent} if parent not in ("", number) else {}
    return {"team": team, "channel": thread, "chatMessage": number} | first


KOREAN = Verdict(
    Fidelity.APPROXIMATE,
    Said("how Microsoft breaks Korean into words is its own; asked as it stands and as a beginning"),
)
DAYS = Verdict(
    Fidelity.WIDER,
    Said("asked by whole days, in whichever time zone they are counted"),
)
EARLIEST, LATEST = datetime(1970, 1, 2, tzinfo=UTC), datetime(9000, 1, 1, tzinfo=UTC)


ANY_MESSAGE = Said("asked as any Teams message")
IN_LIBRARY = Said("asked as anything that lies in a library")
IN_SHAREPOINT = Said("asked as anything in SharePoint")
NO_KIND = Said("Microsoft 365 holds mail, messages, files and pages")
NO_ASSIGNEE = Said("mail, messages and files are assigned to nobody")
NO_STATE = Said("mail, messages and files are neither open nor done")
PLAIN_WORDS = Said("KQL completes plain words only")
NO_DAY = Said("days before 1970 and after 8999 are not asked for")
NO_ADDRESS = Said("no address of a mail or a Teams message")
OF_ACCOUNT = Said("asked by the addresses and the name of the account")
BY_EITHER = Said("asked by address and name: a file may bear either")
BY_NAME = Said("asked by the words of the name, for want of an address")
NOBODY = Said("people are asked for by address or full name, and neither is known")
BELOW = Said("only what lies below the site's address is asked for")
NO_SITE = Said("only SharePoint's sites can be asked for, by an address that is not known")


class KqlVerdicts(Verdicts):
    """A kind is asked for by asking for the types of things that may be of it."""

    lacks: ClassVar = {Field.ASSIGNEE: NO_ASSIGNEE, Field.STATE: NO_STATE}
    kinds: ClassVar = {
        Kind.MAIL: EXACT,
        Kind.MESSAGE: EXACT,
        Kind.THREAD: wider(ANY_MESSAGE),
        Kind.FILE: wider(IN_LIBRARY),
        Kind.PAGE: wider(IN_SHAREPOINT),
    }
    no_kind = NO_KIND
    korean = KOREAN

    def prefix(self, leaf: Prefix) -> Verdict:
        if not is_plain_word(as_typed(leaf.text)):
            return refused(PLAIN_WORDS)
        return self.korean if HANGUL.search(leaf.text) else EXACT

    def person(self, who: Person) -> Verdict:
        if who.me:
            return wider(OF_ACCOUNT)
        if mail_address(who):
            return wider(BY_EITHER)
        return wider(BY_NAME) if name_words(who.name) else refused(NOBODY)

    def container(self, where: Container) -> Verdict:
        known = where.native_id or ""
        return wider(BELOW) if SITE.fullmatch(known) and spellable(known) else refused(NO_SITE)

    def identifier(self, found: Identifier) -> Verdict:
        return provided(thing(found.text), NO_ADDRESS)

    def instant(self, instant: datetime) -> Verdict:
        return DAYS if EARLIEST < utc(instant) < LATEST else refused(NO_DAY)


judge = KqlVerdicts()
