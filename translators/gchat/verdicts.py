"""How well Google Chat's message search can say each condition, and why no better."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, ClassVar

from translators.emit import mail_address, utc
from translators.query import Field, Kind, Prefix
from translators.said import Said
from translators.verdicts import EXACT, Verdicts, approximate, provided, refused, wider

if TYPE_CHECKING:
    from translators.capabilities import Verdict
    from translators.query import Container, Identifier, Person

USER_ID = re.compile(r"users/[A-Za-z0-9]+")
SPACE_ID = re.compile(r"spaces/[\w-]+", re.ASCII)
MESSAGE = re.compile(r"spaces/[\w-]+/messages/[\w.-]+", re.ASCII)
# A link to a message names its space, its thread and itself (https://chat.google.com opens in either place).
MESSAGE_ADDRESS = re.compile(
    r"https?://(?:chat\.google\.com/(?:u/\d+/)?(?:room|dm|space)|mail\.google\.com/(?:mail|chat)/(?:u/\d+/)?#chat/(?:space|dm))"
    r"/([\w-]+)/([\w-]+)/([\w-]+)(?:[?#].*)?",
    re.ASCII,
)
EPOCH = datetime(1970, 1, 2, tzinfo=UTC)


PARTICLES = Said("Google Chat does not say how it finds Korean words with particles")
WHOLE_WORDS = Said("Google Chat finds whole words only")
NO_ASSIGNEE = Said("messages are assigned to nobody")
NO_STATE = Said("messages are neither open nor done")
WITH_FILE = Said("asked as messages with an attachment")
ONLY_MESSAGES = Said("Google Chat's search returns messages only")
NOBODY = Said("Google Chat finds senders by id or mail address, and neither is known")
NO_SPACE = Said("Google Chat finds spaces by id, and none is known by this name")
NO_MESSAGE = Said("this is neither the name nor the address of a message in Google Chat")
TOO_OLD = Said("no message is older than 1970")
WHOLE_SECONDS = Said("asked by whole seconds")


class GoogleChatVerdicts(Verdicts):
    """Of a leaf by itself; where it may stand in a filter is the generator's matter."""

    lacks: ClassVar = {Prefix: WHOLE_WORDS, Field.ASSIGNEE: NO_ASSIGNEE, Field.STATE: NO_STATE}
    kinds: ClassVar = {Kind.MESSAGE: EXACT, Kind.FILE: approximate(WITH_FILE)}
    no_kind = ONLY_MESSAGES
    korean = approximate(PARTICLES)

    def person(self, who: Person) -> Verdict:
        return provided(sender(who), NOBODY)

    def container(self, where: Container) -> Verdict:
        return provided(space(where), NO_SPACE)

    def identifier(self, thing: Identifier) -> Verdict:
        return provided(message(thing), NO_MESSAGE)

    def instant(self, instant: datetime) -> Verdict:
        if utc(instant) <= EPOCH:
            return refused(TOO_OLD)
        return wider(WHOLE_SECONDS) if instant.microsecond else EXACT


def sender(who: Person) -> str:
    """The resource name of a person, by id or mail address; nothing where neither is known."""
    if who.me:
        return "users/me"
    if who.native_id and USER_ID.fullmatch(who.native_id):
        return who.native_id
    known = mail_address(who)
    return f"users/{known}" if known else ""


def space(where: Container) -> str:
    """The resource name of a space, nothing for any other place."""
    return where.native_id if where.native_id and SPACE_ID.fullmatch(where.native_id) else ""


def message(thing: Identifier) -> str:
    """The resource name of the message that an address leads to, or that stands by itself; nothing for anything else."""
    if found := MESSAGE_ADDRESS.fullmatch(thing.text):
        return f"spaces/{found[1]}/messages/{found[2]}.{found[3]}"
    return thing.text if MESSAGE.fullmatch(thing.text) else ""


judge = GoogleChatVerdicts()
