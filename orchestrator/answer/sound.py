"""What a sentence must sound like to answer a question: by the question's type, or by what it asks for beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from orchestrator.answer.signals import (
    AMOUNT,
    COUNT,
    DATE,
    DONE,
    LONG,
    REASON,
    asks_when_it_was,
    signals,
    wants_amount,
    wants_count,
    wants_reason,
    wants_span,
    wants_steps,
)
from translators.query import QueryType

if TYPE_CHECKING:
    from orchestrator.answer.sentences import Sentence
    from translators.query import Query

HEADED = frozenset({QueryType.DECISION, QueryType.STATUS, QueryType.PERSON})
FIRM = 0.6  # of the score of a type: "the approved PRs" only touches on a decision


@dataclass(frozen=True, slots=True)
class Sound:
    """``reason``: the question asks why; ``amount``: how much; ``count``: how many; ``span``: how long; ``steps``: how it is done. Each counts for more than its type.

    ``past``: when it was.
    """

    kind: QueryType
    reason: bool = False
    amount: bool = False
    count: bool = False
    span: bool = False
    steps: bool = False
    past: bool = False

    @property
    def name(self) -> str:
        """What is wanted, as the phrases that introduce it are called."""
        asked = (("reason", self.reason), ("amount", self.amount), ("count", self.count), ("span", self.span))
        return next((name for name, is_asked in asked if is_asked), self.kind.value)

    @property
    def asked(self) -> bool:
        """Whether something is wanted beside the type."""
        return self.reason or self.amount or self.count or self.span

    def tells(self, sentence: Sentence) -> bool:
        """Whether it says what is rarely said by chance: of a reply that does so no other words are needed."""
        if self.kind is QueryType.TEMPORAL and not self.asked:
            return DATE.search(sentence.text) is not None
        rare = self.reason or self.amount or self.count or self.span
        return self.kind is QueryType.STATUS if not self.asked else rare and self.heard(sentence)

    @property
    def valued(self) -> bool:
        """Whether a value is wanted, of which the newest holds."""
        return self.amount or self.count or self.span

    @property
    def worth(self) -> float:
        """What it adds to the score of a sentence: a reason, an amount or a count is rarely said by chance."""
        return 2.0 if self.asked else 1.0

    def heard(self, sentence: Sentence) -> bool:
        """By itself, or by the heading it stands under: minutes list under "Decisions" what was decided."""
        under = f"{sentence.heading} {sentence.text}"
        if self.reason:
            return REASON.search(under) is not None
        if self.amount:
            return AMOUNT.search(sentence.text) is not None
        if self.count:
            return COUNT.search(sentence.text) is not None
        if self.span:
            return LONG.search(sentence.text) is not None
        if self.past and DONE.search(sentence.text):
            return True
        return signals(self.kind, sentence.text) or (
            self.kind in HEADED and bool(sentence.heading) and signals(self.kind, under)
        )


def is_firm(query: Query) -> bool:
    """Whether a question reads as its type beyond doubt."""
    return all(each.score >= FIRM for each in query.scores if each.type is query.type)


def sound_of(query: Query) -> Sound:
    """Of a question; one for a document or a person wants that, whatever it says of reasons."""
    if query.type in {QueryType.DOCUMENT, QueryType.PERSON}:
        return Sound(query.type)
    reason = wants_reason(query.text)
    amount = not reason and wants_amount(query.text)
    count = not reason and not amount and wants_count(query.text)
    span = not (reason or amount or count) and query.type is not QueryType.TEMPORAL and wants_span(query.text)
    past = query.type is QueryType.TEMPORAL and asks_when_it_was(query.text)
    steps = not (reason or amount or count or span) and query.type not in {QueryType.TEMPORAL, QueryType.STATUS}
    return Sound(query.type, reason, amount, count, span, steps and wants_steps(query.text), past)
