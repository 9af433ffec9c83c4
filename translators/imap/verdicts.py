"""How well a mail server can say each condition, why no better, and which part of a text it is asked for."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import unquote

from translators.capabilities import Fidelity, Verdict
from translators.emit import as_typed, judge_text, name_parts, utc
from translators.match import WORD
from translators.query import Field, Kind, Prefix, Term
from translators.said import Said
from translators.verdicts import EXACT, Verdicts, approximate, provided, refused

if TYPE_CHECKING:
    from collections.abc import Iterable

    from translators.query import Container, Identifier, Person, Phrase

ADDRESS = re.compile(r"[^\s\"<>()\[\],;:\\@]+@[^\s\"<>()\[\],;:\\@]+")
MESSAGE_ID = re.compile(r"[!-;=?-~]+@[!-;=?-~]+")  # RFC 5322, 3.6.4, without its brackets
MID = "mid:"
PLURAL = re.compile(r"(\w{3,}?)(?:es|s)", re.ASCII | re.IGNORECASE)
NO_PLURAL = ("ss", "us", "is")
# Mailboxes that people name in their own words: special uses of RFC 6154, and the one name that every server has.
MAILBOXES = {
    "inbox": "INBOX", "받은편지함": "INBOX", "받은 편지함": "INBOX",
    "sent": "\\Sent", "보낸편지함": "\\Sent", "보낸 편지함": "\\Sent",
    "archive": "\\Archive", "보관함": "\\Archive",
    "drafts": "\\Drafts", "임시보관함": "\\Drafts", "임시 보관함": "\\Drafts",
    "junk": "\\Junk", "spam": "\\Junk", "스팸함": "\\Junk",
    "trash": "\\Trash", "휴지통": "\\Trash",
}  # fmt: skip
BEGINNING = datetime(1970, 1, 3, tzinfo=UTC)

AS_WRITTEN = Verdict(Fidelity.APPROXIMATE, Said("asked exactly as written, its marks included"))
TOO_SHORT = Verdict(
    Fidelity.NONE,
    Said("a single letter or digit stands in nearly every mail"),
)
BY_ADDRESS = Verdict(Fidelity.WIDER, Said("found inside longer addresses too"))
BY_NAME = Verdict(
    Fidelity.WIDER,
    Said("asked by the words of the name, for want of an address"),
)
TOO_OLD = Verdict(Fidelity.NONE, Said("no mail is older than 1970"))
NO_MESSAGE_ID = Verdict(
    Fidelity.NONE,
    Said("mail servers find a mail by its Message-ID only"),
)
WHOLE_DAYS = Verdict(
    Fidelity.WIDER,
    Said("mail servers know whole days only, in the zone of each mail"),
)


NAMELESS = Said("a mailbox has a name")
NO_ASSIGNEE = Said("mail is assigned to nobody")
NO_STATE = Said("mail is neither open nor done")
OF_PARTS = Said("asked as mail of several parts, as mail with a file is")
ONLY_MAIL = Said("a mail server holds mail only")
NOBODY = Said("mail servers find senders by address or name, and neither is known")


class ImapVerdicts(Verdicts):
    """A server looks for the very characters, anywhere."""

    lacks: ClassVar = {Field.ASSIGNEE: NO_ASSIGNEE, Field.STATE: NO_STATE}
    kinds: ClassVar = {Kind.MAIL: EXACT, Kind.FILE: approximate(OF_PARTS)}
    no_kind = ONLY_MAIL

    def words(self, leaf: Term | Phrase | Prefix) -> Verdict:
        found = judge_text(leaf)
        if found != EXACT or _telling_words(leaf):
            return found
        return AS_WRITTEN if wanted(leaf) else TOO_SHORT

    prefix = words

    def person(self, who: Person) -> Verdict:
        if who.me or address(who):
            return BY_ADDRESS
        return BY_NAME if telling(name_parts(who.name)) else refused(NOBODY)

    def container(self, where: Container) -> Verdict:
        return provided(where.native_id or as_typed(where.name), NAMELESS)

    def identifier(self, thing: Identifier) -> Verdict:
        return EXACT if message_id(thing.text) else NO_MESSAGE_ID

    def instant(self, instant: datetime) -> Verdict:
        return WHOLE_DAYS if utc(instant) > BEGINNING else TOO_OLD


def address(who: Person) -> str:
    """The person's mail address, or nothing where none is known."""
    return next((text for text in (who.email, who.native_id) if text and ADDRESS.fullmatch(text)), "")


def message_id(text: str) -> str:
    """The Message-ID that an id is, in its angle brackets; nothing if it is none. An address of one begins ``mid:``."""
    text = text.strip()
    if text.startswith(MID):
        bare = unquote(text.removeprefix(MID))  # RFC 2392
    else:
        bare = text[1:-1] if text.startswith("<") and text.endswith(">") else ""
    return f"<{bare}>" if MESSAGE_ID.fullmatch(bare) else ""


def telling(words: Iterable[str]) -> list[str]:
    """Words that are worth asking for: a single Latin letter or digit stands everywhere, a syllable does not."""
    return [word for word in words if len(word) > 1 or not word.isascii()]


def wanted(leaf: Term | Phrase | Prefix) -> tuple[str, ...]:
    """What a mail must hold somewhere if it satisfies ``leaf``; nothing where that is not worth asking.

    Word by word, since a server looks for the very characters, and in a mail there may be a line break between two
    words. A text of single letters and marks (``C++``) is asked for as it stands.
    """
    if words := _telling_words(leaf):
        return words
    text = as_typed(leaf.text)
    exact = not isinstance(leaf, Prefix) and len(text) > 1 and " " not in text
    return (text,) if exact else ()


def _telling_words(leaf: Term | Phrase | Prefix) -> tuple[str, ...]:
    words = WORD.findall(as_typed(leaf.text))
    if words and isinstance(leaf, Term):  # whoever asks for "deploys" takes a "deploy"
        words[-1] = singular(words[-1])
    return tuple(telling(words))


def singular(word: str) -> str:
    """``word`` without the ending of an English plural, if it can be one; what is left stands in both forms."""
    found = None if word.lower().endswith(NO_PLURAL) else PLURAL.fullmatch(word)
    return found[1] if found else word


judge = ImapVerdicts()
