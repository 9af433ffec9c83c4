"""How well GitHub's search can say each condition, and why no better."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING, assert_never

from translators.capabilities import Fidelity, Verdict
from translators.emit import BARE, judge_container_name, judge_text, plain, spelled, utc
from translators.github.ids import REPOSITORY, fetchable
from translators.match import HANGUL
from translators.mentions import LOGIN
from translators.query import Compare, Container, Identifier, Kind, Person, Phrase, Prefix, State, Term
from translators.said import Said

if TYPE_CHECKING:
    from translators.query import Leaf, Value

BOT = re.compile(r"([A-Za-z0-9][A-Za-z0-9-]*)\[bot\]")
# https://docs.github.com/en/rest/search/search#limitations-on-query-length
MOST_CHARACTERS = 256
FIRST_YEAR, LAST_YEAR = 1970, 2099
KOREAN = Verdict(
    Fidelity.APPROXIMATE,
    Said("GitHub does not say whether it finds Korean words with particles written on"),
)


def judge(leaf: Leaf) -> Verdict:
    """How well GitHub can say one leaf, in those of its searches that know such a condition."""
    match leaf:
        case Term() | Phrase():
            return _judge_words(leaf)
        case Prefix():
            return Verdict(Fidelity.NONE, Said("GitHub finds whole words only"))
        case Compare():
            return _judge_field(leaf.value)
        case _:
            assert_never(leaf)


def _judge_words(leaf: Term | Phrase) -> Verdict:
    text = plain(leaf.text)
    if len(text) > MOST_CHARACTERS - 2:
        return Verdict(
            Fidelity.NONE,
            Said("longer than the {most_characters} characters that GitHub takes").filled(
                most_characters=MOST_CHARACTERS
            ),
        )
    sent = judge_text(leaf)
    if sent.fidelity is not Fidelity.EXACT:
        return sent
    return KOREAN if HANGUL.search(text) else Verdict(negates=isinstance(leaf, Term) and _is_word(text))


def _is_word(text: str) -> bool:
    """NOT is for words only: https://docs.github.com/en/search-github/getting-started-with-searching-on-github ."""
    return bool(BARE.fullmatch(text)) and spelled(text) == text and any(char.isalpha() for char in text)


def _judge_field(value: Value) -> Verdict:
    match value:
        case Person():
            known = value.me or login(value)
            return (
                Verdict()
                if known
                else Verdict(
                    Fidelity.NONE,
                    Said("GitHub finds people by login, and none is known"),
                )
            )
        case Container():
            return _judge_repository(value)
        case datetime():
            inside = FIRST_YEAR <= utc(value).year <= LAST_YEAR
            return Verdict() if inside else Verdict(Fidelity.NONE, Said("GitHub keeps no such dates"))
        case State():
            return Verdict()
        case Kind():  # what asking a scope settles has been taken out by now
            return Verdict(
                Fidelity.NONE,
                Said("GitHub is asked for one kind of thing at a time"),
            )
        case Identifier():
            is_ours = fetchable(value) is not None
            return (
                Verdict()
                if is_ours
                else Verdict(
                    Fidelity.NONE,
                    Said("this is not the address of a thing on GitHub"),
                )
            )
        case _:
            assert_never(value)


def _judge_repository(where: Container) -> Verdict:
    if REPOSITORY.fullmatch(where.native_id or ""):
        return Verdict()
    if REPOSITORY.fullmatch(plain(where.name)):
        return judge_container_name(where)
    return Verdict(
        Fidelity.NONE,
        Said("GitHub finds repositories by owner/name, and the owner is not known"),
    )


def repository(where: Container) -> str:
    """``owner/name`` of a repository that :func:`judge` lets through."""
    return where.native_id if REPOSITORY.fullmatch(where.native_id or "") and where.native_id else plain(where.name)


def login(who: Person) -> str:
    """The name to search for somebody by, ``app/name`` for an app; empty where none is known."""
    native = who.native_id or ""
    if bot := BOT.fullmatch(native):
        return f"app/{bot[1]}"
    return native if LOGIN.fullmatch(native) else ""
