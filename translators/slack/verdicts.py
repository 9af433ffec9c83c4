"""How well Slack's search box can say each condition, and why no better."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, assert_never

from translators.capabilities import Fidelity, Verdict
from translators.emit import BARE, judge_container_name, judge_text, plain, spelled
from translators.query import Compare, Container, Field, Identifier, IdKind, Kind, Person, Phrase, Prefix, State, Term

if TYPE_CHECKING:
    from translators.query import Leaf, Value
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


def judge(leaf: Leaf) -> Verdict:
    """How well Slack can say one leaf."""
    match leaf:
        case Term(text):
            # Whether a phrase can be excluded is not documented: a word that needs quotes is only ever wanted.
            return replace(judge_text(leaf), negates=not spelled(text).startswith('"'))
        case Phrase():
            return judge_text(leaf)
        case Prefix(text):
            return _judge_prefix(plain(text))
        case Compare(Field.ASSIGNEE):
            return Verdict(Fidelity.NONE, "messages are assigned to nobody")
        case Compare():
            return _judge_field(leaf.value)
        case _:
            assert_never(leaf)


def _judge_field(value: Value) -> Verdict:
    match value:
        case Person():
            return _judge_author(value)
        case Container():
            return _judge_channel(value)
        case Kind():
            return _judge_kind(value)
        case datetime():
            return Verdict(Fidelity.WIDER, "Slack knows only whole days, in a time zone of its own")
        case Identifier():
            return (
                Verdict() if message_at(value) else Verdict(Fidelity.NONE, "this is no address of a message in Slack")
            )
        case State():
            return Verdict(Fidelity.NONE, "messages are neither open nor done")
        case _:
            assert_never(value)


def _judge_prefix(text: str) -> Verdict:
    if BARE.fullmatch(text) and len(text) >= SHORTEST_PREFIX:
        return Verdict()
    return Verdict(Fidelity.NONE, f"Slack completes plain words from {SHORTEST_PREFIX} characters on")


def _judge_author(who: Person) -> Verdict:
    if who.me or USER_ID.fullmatch(who.native_id or ""):
        return Verdict()
    if HANDLE.fullmatch(who.name.lower()) and who.name.lower() != "me":  # "me" is the asker
        return Verdict(Fidelity.APPROXIMATE, "asked as a Slack handle, for want of the member's id")
    return Verdict(Fidelity.NONE, "Slack finds members by id or handle, and only a name is known")


def _judge_channel(where: Container) -> Verdict:
    if CHANNEL_ID.fullmatch(where.native_id or ""):
        return Verdict()
    if CHANNEL.fullmatch(plain(where.name)):
        return judge_container_name(where)
    return Verdict(Fidelity.NONE, "this is not a name that a Slack channel can have, and no id is known")


def _judge_kind(kind: Kind) -> Verdict:
    if kind is Kind.FILE:
        return Verdict(Fidelity.APPROXIMATE, "asked as messages that carry a file")
    return Verdict() if kind in KINDS else Verdict(Fidelity.NONE, "Slack's search returns messages only")


def message_at(thing: Identifier) -> dict[str, Json]:
    """Where the message stands whose address ``thing`` is: ``channel``, ``ts`` and, of a reply, ``thread_ts``; else empty."""
    found = ADDRESS.fullmatch(thing.text) if thing.kind in (IdKind.PERMALINK, IdKind.URL) else None
    if found is None:
        return {}
    place: dict[str, Json] = {"channel": found[1], "ts": f"{found[2]}.{found[3]}"}
    thread = THREAD.search(found[4] or "")
    return {**place, "thread_ts": thread[1]} if thread and thread[1] != place["ts"] else place
