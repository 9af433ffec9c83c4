"""How well Slack's Real-time Search can say each condition, and why no better."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, ClassVar

from translators.capabilities import Fidelity, Verdict
from translators.emit import RESERVED, as_typed, judge_text, utc
from translators.query import Compare, Container, Kind, Person, Prefix
from translators.said import Said
from translators.slack.verdicts import SlackVerdicts
from translators.verdicts import EXACT, refused, wider

if TYPE_CHECKING:
    from translators.query import Leaf, Phrase, Term

# Terms of a clause are separated by blanks, and no sign is documented to mean anything: none is sent that could.
PIECE = re.compile(r"\w[\w.-]*")
LONGEST = 500  # characters of a clause, and of all modifiers
NAMED = 80  # characters of a channel's or a member's name: https://slack.com/help/articles/360017938993
EPOCH = datetime(1970, 1, 2, tzinfo=UTC)
CONTENT = {Kind.MESSAGE: "messages", Kind.THREAD: "messages", Kind.FILE: "files"}
SEPARATELY = Said("sent as words that may stand apart")
NO_TERM = Said("Slack could take it for something else than a word")
NO_WORD = Said("without a word to search for, Slack does not promise to heed this")


NO_PREFIX = Said("Slack's Real-time Search is not known to complete words")
NO_KIND = Said("Slack's search returns messages and files only")
TOO_LONG = Said("no name in Slack is longer than {named} characters")
ADDRESSES = Said("how Slack takes an address apart is not known")
TOO_OLD = Said("Slack's clock begins in 1970")
A_SECOND = Said("asked a second wider: Slack does not say whether the boundary belongs to it")


class SlackRtsVerdicts(SlackVerdicts):
    """Of Real-time Search, where there are words to search for."""

    lacks: ClassVar = {**SlackVerdicts.lacks, Prefix: NO_PREFIX}
    kinds: ClassVar = dict.fromkeys(CONTENT, EXACT)
    no_kind = NO_KIND

    def words(self, leaf: Term | Phrase) -> Verdict:
        if "://" in leaf.text:
            return refused(ADDRESSES)
        sent = words_of(leaf.text)
        if not sent:
            return refused(judge_text(leaf).why or NO_TERM)
        return EXACT if sent == [as_typed(leaf.text)] else wider(SEPARATELY)

    def person(self, who: Person) -> Verdict:
        return refused(TOO_LONG.filled(named=NAMED)) if _is_long(who) else super().person(who)

    def container(self, where: Container) -> Verdict:
        return refused(TOO_LONG.filled(named=NAMED)) if _is_long(where) else super().container(where)

    def instant(self, instant: datetime) -> Verdict:
        return wider(A_SECOND) if utc(instant) > EPOCH else refused(TOO_OLD)


def _is_long(named: Person | Container) -> bool:
    return len(named.name + (named.native_id or "")) > NAMED


def unworded(leaf: Leaf) -> Verdict:
    """The same where there are none: "for now modifiers only affect term clauses", says the manual."""
    verdict = judge(leaf)
    return Verdict(Fidelity.WIDER, NO_WORD) if _is_modifier(leaf) and verdict.fidelity is Fidelity.EXACT else verdict


def words_of(text: str) -> list[str]:
    """What of a text can be sent as terms: runs that hold no sign, and no word that may be an operator."""
    pieces = PIECE.findall(as_typed(text))
    return [piece for piece in pieces if piece.casefold() not in RESERVED and len(piece) <= LONGEST]


def after(instant: datetime) -> int:
    """The second since 1970 to ask for, whether or not Slack takes it for part of the window itself."""
    return math.floor(utc(instant).timestamp()) - 1


def before(instant: datetime) -> int:
    """The same at the end of a window."""
    return math.ceil(utc(instant).timestamp()) + 1


def _is_modifier(leaf: Leaf) -> bool:
    return isinstance(leaf, Compare) and (isinstance(leaf.value, Person | Container) or leaf.value is Kind.THREAD)


judge = SlackRtsVerdicts()
