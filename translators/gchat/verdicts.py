"""How well Google Chat's message search can say each condition, and why no better."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, assert_never

from translators.capabilities import Fidelity, Verdict
from translators.emit import judge_text, utc
from translators.match import HANGUL
from translators.query import Compare, Container, Field, Identifier, Kind, Person, Phrase, Prefix, State, Term
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Mapping

    from translators.query import Leaf, Value

ADDRESS = re.compile(r"[A-Za-z0-9][A-Za-z0-9._%+-]*@[A-Za-z0-9.-]+")
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


def judge(leaf: Leaf, refused: Mapping[Leaf, Said]) -> Verdict:
    """How well Google Chat can say one leaf; ``refused`` are leaves that cannot stand where they do, and why."""
    if leaf in refused:
        return Verdict(Fidelity.NONE, refused[leaf])
    match leaf:
        case Term(text) | Phrase(text):
            if HANGUL.search(text):
                return Verdict(
                    Fidelity.APPROXIMATE,
                    Said("Google Chat does not say how it finds Korean words with particles"),
                )
            return judge_text(leaf)
        case Prefix():
            return Verdict(Fidelity.NONE, Said("Google Chat finds whole words only"))
        case Compare(Field.ASSIGNEE):
            return Verdict(Fidelity.NONE, Said("messages are assigned to nobody"))
        case Compare():
            return _judge_field(leaf.value)
        case _:
            assert_never(leaf)


def _judge_field(value: Value) -> Verdict:
    match value:
        case Person():
            return _where(
                sender(value),
                Said("Google Chat finds senders by id or mail address, and neither is known"),
            )
        case Container():
            return _where(
                space(value),
                Said("Google Chat finds spaces by id, and none is known by this name"),
            )
        case Kind():
            return _judge_kind(value)
        case State():
            return Verdict(Fidelity.NONE, Said("messages are neither open nor done"))
        case datetime():
            return _judge_instant(value)
        case Identifier():
            return _where(
                message(value),
                Said("this is neither the name nor the address of a message in Google Chat"),
            )
        case _:
            assert_never(value)


def _where(known: str, why: Said) -> Verdict:
    return Verdict() if known else Verdict(Fidelity.NONE, why)


def _judge_kind(kind: Kind) -> Verdict:
    if kind is Kind.FILE:
        return Verdict(Fidelity.APPROXIMATE, Said("asked as messages with an attachment"))
    return (
        Verdict()
        if kind is Kind.MESSAGE
        else Verdict(Fidelity.NONE, Said("Google Chat's search returns messages only"))
    )


def _judge_instant(instant: datetime) -> Verdict:
    if utc(instant) <= EPOCH:
        return Verdict(Fidelity.NONE, Said("no message is older than 1970"))
    return Verdict(Fidelity.WIDER, Said("asked by whole seconds")) if instant.microsecond else Verdict()


def sender(who: Person) -> str:
    """The resource name of a person, by id or mail address; nothing where neither is known."""
    if who.me:
        return "users/me"
    known = who.native_id if USER_ID.fullmatch(who.native_id or "") else None
    return known or next((f"users/{text}" for text in (who.email, who.native_id) if ADDRESS.fullmatch(text or "")), "")


def space(where: Container) -> str:
    """The resource name of a space, nothing for any other place."""
    return where.native_id if where.native_id and SPACE_ID.fullmatch(where.native_id) else ""


def message(thing: Identifier) -> str:
    """The resource name of the message that an address leads to, or that stands by itself; nothing for anything else."""
    if found := MESSAGE_ADDRESS.fullmatch(thing.text):
        return f"spaces/{found[1]}/messages/{found[2]}.{found[3]}"
    return thing.text if MESSAGE.fullmatch(thing.text) else ""
