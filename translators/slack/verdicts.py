"""How well Slack's search box can say each condition, and why no better."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from translators.emit import BARE, as_typed, judge_container_name, judge_text, spelled
from translators.query import Field, Identifier, IdKind, Kind, Term
from translators.said import Said
from translators.verdicts import EXACT, Verdicts, approximate, provided, refused, wider

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from translators.capabilities import Verdict
    from translators.query import Container, Leaf, Person, Phrase, Prefix
    from translators.translator import Json

USER_ID = re.compile(r"[UW][A-Z0-9]+")
CHANNEL_ID = re.compile(r"[CGD][A-Z0-9]+")
HANDLE = re.compile(r"[a-z0-9][a-z0-9._-]*")
CHANNEL = re.compile(r"\w[\w-]*")
# A message's address, as "Copy link" gives it: https://docs.slack.dev/reference/methods/chat.getPermalink
ADDRESS = re.compile(
    r"https?://(?:[\w-]+\.)+slack\.com/archives/([CDG][A-Z0-9]+)/p([0-9]{10})([0-9]{6})(?:\?([^#\s]*))?(?:#\S*)?",
    re.ASCII,
)
THREAD = re.compile(r"(?:^|&)thread_ts=([0-9]{10}\.[0-9]{6})(?:&|$)")
KINDS = {Kind.THREAD: "is:thread", Kind.FILE: "has:file"}

# https://slack.com/help/articles/202528808: an asterisk needs at least three characters before it.
SHORTEST_PREFIX = 3


NO_ASSIGNEE = Said("messages are assigned to nobody")
NO_STATE = Said("messages are neither open nor done")
WITH_FILE = Said("asked as messages that carry a file")
ONLY_MESSAGES = Said("Slack's search returns messages only")
WHOLE_DAYS = Said("Slack knows only whole days, in a time zone of its own")
NO_ADDRESS = Said("this is no address of a message in Slack")
TOO_SHORT = Said("Slack completes plain words from {shortest_prefix} characters on")
BY_HANDLE = Said("asked as a Slack handle, for want of the member's id")
NOBODY = Said("Slack finds members by id or handle, and only a name is known")
NO_CHANNEL = Said("this is not a name that a Slack channel can have, and no id is known")


class SlackVerdicts(Verdicts):
    """Of both of Slack's searches, as far as they are alike."""

    lacks: ClassVar[Mapping[Field | type[Leaf], Said]] = {Field.ASSIGNEE: NO_ASSIGNEE, Field.STATE: NO_STATE}
    kinds: ClassVar = {Kind.THREAD: EXACT, Kind.FILE: approximate(WITH_FILE)}
    no_kind = ONLY_MESSAGES

    def words(self, leaf: Term | Phrase) -> Verdict:
        """Whether a phrase can be excluded is not documented: a word that needs quotes is only ever wanted."""
        found = judge_text(leaf)
        return replace(found, negates=not spelled(leaf.text).startswith('"')) if isinstance(leaf, Term) else found

    def prefix(self, leaf: Prefix) -> Verdict:
        text = as_typed(leaf.text)
        return provided(
            BARE.fullmatch(text) and len(text) >= SHORTEST_PREFIX, TOO_SHORT.filled(shortest_prefix=SHORTEST_PREFIX)
        )

    def person(self, who: Person) -> Verdict:
        if who.me or USER_ID.fullmatch(who.native_id or ""):
            return EXACT
        handle = who.name.lower()
        return approximate(BY_HANDLE) if HANDLE.fullmatch(handle) and handle != "me" else refused(NOBODY)

    def container(self, where: Container) -> Verdict:
        if CHANNEL_ID.fullmatch(where.native_id or ""):
            return EXACT
        return judge_container_name(where) if CHANNEL.fullmatch(as_typed(where.name)) else refused(NO_CHANNEL)

    def identifier(self, thing: Identifier) -> Verdict:
        return provided(message_at(thing), NO_ADDRESS)

    def instant(self, _instant: datetime) -> Verdict:
        return wider(WHOLE_DAYS)


def message_at(thing: Identifier) -> dict[str, Json]:
    """Where the message stands whose address ``thing`` is: ``channel``, ``ts`` and, of a reply, ``thread_ts``; else empty."""
    found = ADDRESS.fullmatch(thing.text) if thing.kind in (IdKind.PERMALINK, IdKind.URL) else None
    if found is None:
        return {}
    place: dict[str, Json] = {"channel": found[1], "ts": f"{found[2]}.{found[3]}"}
    thread = THREAD.search(found[4] or "")
    return {**place, "thread_ts": thread[1]} if thread and thread[1] != place["ts"] else place


judge = SlackVerdicts()
