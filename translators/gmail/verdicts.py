"""How well Gmail's search box can say each condition, and why no better."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, ClassVar

from translators.emit import as_typed, judge_container_name, mail_address, name_parts, quoted, utc
from translators.match import HANGUL
from translators.query import Container, Field, Identifier, Kind, Person, Prefix
from translators.said import Said
from translators.verdicts import EXACT, Verdicts, approximate, provided, refused, wider

if TYPE_CHECKING:
    from translators.capabilities import Verdict

# Mailboxes that every account has, by the names that people type; anything else is a label.
MAILBOXES = {
    "inbox": "inbox", "받은편지함": "inbox",
    "sent": "sent", "보낸편지함": "sent",
    "drafts": "drafts", "임시보관함": "drafts",
    "spam": "spam", "스팸함": "spam",
    "trash": "trash", "휴지통": "trash",
    "anywhere": "anywhere",
}  # fmt: skip
# A Message-ID as mails carry it (RFC 5322, 3.6.4), as far as it holds nothing that is syntax in Gmail.
MESSAGE_ID = re.compile(r"<([\w.!#$%&'*+/=?^`~-]+@[A-Za-z0-9.-]+)>", re.ASCII)
WEB = re.compile(r"https?://(?:mail|inbox)\.google\.com(?:[/?#]|$)", re.IGNORECASE)
EPOCH = datetime(1970, 1, 2, tzinfo=UTC)

AS_THEY_STAND = Said("Gmail finds Korean words only as they stand, without particles")
WHOLE_WORDS = Said("Gmail finds whole words only")
NO_ASSIGNEE = Said("mail is assigned to nobody")
NO_STATE = Said("mail is neither open nor done")
WITH_FILE = Said("asked as mail with an attachment")
ONLY_MAIL = Said("Gmail's search returns mail only")
WIDENED = Said("asked a second wider: Gmail does not say whether the boundary belongs to it")
TOO_OLD = Said("Gmail's clock begins in 1970")
OTHER_ID = Said("the ids in Gmail's web addresses are not those of its search")
NO_ID = Said("Gmail finds one mail by its <Message-ID> only")
BY_WHOLE_NAME = Said("asked by name, for want of an address; Gmail wants the whole name")
BY_NAME = Said("asked by the words of the name, for want of an address")
NOBODY = Said("Gmail finds senders by address or name, and neither is known")
NO_LABEL = Said("Gmail's search cannot spell this label")


class GmailVerdicts(Verdicts):
    """Words end at blanks, and Korean particles are written on to them."""

    lacks: ClassVar = {Prefix: WHOLE_WORDS, Field.ASSIGNEE: NO_ASSIGNEE, Field.STATE: NO_STATE}
    kinds: ClassVar = {Kind.MAIL: EXACT, Kind.FILE: approximate(WITH_FILE)}
    no_kind = ONLY_MAIL
    korean = approximate(AS_THEY_STAND)

    def person(self, who: Person) -> Verdict:
        if who.me or mail_address(who):
            return EXACT
        if HANGUL.search(who.name):
            return approximate(BY_WHOLE_NAME)
        asker = as_typed(who.name).casefold() == "me"
        return wider(BY_NAME) if name_parts(who.name) and not asker else refused(NOBODY)

    def container(self, where: Container) -> Verdict:
        name = as_typed(where.name)
        if name.casefold() in MAILBOXES:
            return EXACT
        spellable = name_parts(name) and quoted(name) == f'"{name}"'
        return judge_container_name(where) if spellable else refused(NO_LABEL)

    def identifier(self, thing: Identifier) -> Verdict:
        return provided(message_id(thing), OTHER_ID if WEB.match(thing.text) else NO_ID)

    def instant(self, instant: datetime) -> Verdict:
        return wider(WIDENED) if utc(instant) > EPOCH else refused(TOO_OLD)


def message_id(thing: Identifier) -> str:
    """A Message-ID without its brackets, or nothing."""
    found = MESSAGE_ID.fullmatch(thing.text)
    return found[1] if found else ""


judge = GmailVerdicts()
