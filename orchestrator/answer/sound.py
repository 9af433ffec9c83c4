"""What a sentence must sound like to answer a question: by the question's type, or by what it asks for beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from orchestrator.answer.signals import AMOUNT, DONE, REASON, asks_when_it_was, signals, wants_amount, wants_reason
from translators.query import QueryType

if TYPE_CHECKING:
    from orchestrator.answer.sentences import Sentence
    from translators.query import Query

HEADED = frozenset({QueryType.DECISION, QueryType.STATUS, QueryType.PERSON})
FIRM = 0.6  # of the score of a type: "the approved PRs" only touches on a decision


@dataclass(frozen=True, slots=True)
class Sound:
    """``reason``: the question asks why; ``amount``: how much. Either counts for more than its type. ``past``: when it was."""

    kind: QueryType
    reason: bool = False
    amount: bool = False
    past: bool = False

    @property
    def name(self) -> str:
        """What is wanted, as the phrases that introduce it are called."""
        return "reason" if self.reason else "amount" if self.amount else self.kind.value

    @property
    def worth(self) -> float:
        """What it adds to the score of a sentence: a reason or an amount is rarely said by chance."""
        return 2.0 if self.reason or self.amount else 1.0

    def heard(self, sentence: Sentence) -> bool:
        """By itself, or by the heading it stands under: minutes list under "Decisions" what was decided."""
        under = f"{sentence.heading} {sentence.text}"
        if self.reason:
            return REASON.search(under) is not None
        if self.amount:
            return AMOUNT.search(sentence.text) is not None
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
    return Sound(query.type, reason, amount, query.type is QueryType.TEMPORAL and asks_when_it_was(query.text))
