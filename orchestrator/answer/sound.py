"""What a sentence must sound like to answer a question: by the question's type, or by what it asks for beside it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from orchestrator.answer.measures import measure_of
from orchestrator.answer.signals import (
    DATE,
    DONE,
    HOW_TO,
    LONG,
    MOMENT,
    VALUES,
    asks_when_it_was,
    signals,
    wanted_beside,
)
from orchestrator.answer.tense import Tense, tense_of
from translators.query import QueryType
from translators.records import record

if TYPE_CHECKING:
    import re

    from orchestrator.answer.sentences import Sentence
    from translators.query import Query

HEADED = frozenset({QueryType.DECISION, QueryType.STATUS, QueryType.PERSON})
FIRM = 0.6  # of the score of a type: "the approved PRs" only touches on a decision


OF_ITS_OWN = frozenset({"span", "place"})  # a question for a day asks for that, whatever it says of these
VALUED = frozenset({"amount", "count", "span", "measure"})  # of these the newest holds
RARE = VALUED | {"reason"}  # these are rarely said by chance, as a place is


@record
class Sound:
    """``wants``: what is asked for beside the type, which counts for more ("reason", "amount", "count", "span", "place", "measure"), "" for nothing.

    ``steps``: it asks how something is done; ``past``: when it was.
    """

    kind: QueryType
    wants: str = ""
    steps: bool = False
    past: bool = False
    measure: re.Pattern[str] | None = None

    @property
    def says(self) -> re.Pattern[str]:
        """What says the value that is wanted."""
        return self.measure or VALUES[self.wants][1]

    @property
    def name(self) -> str:
        """What is wanted, as the phrases that introduce it are called."""
        return self.wants or self.kind.value

    @property
    def asked(self) -> bool:
        """Whether something is wanted beside the type."""
        return bool(self.wants)

    @property
    def reason(self) -> bool:
        """Whether it asks why."""
        return self.wants == "reason"

    @property
    def count(self) -> bool:
        """Whether it asks how many."""
        return self.wants == "count"

    def tells(self, sentence: Sentence) -> bool:
        """Whether it says what is rarely said by chance: of a reply that does so no other words are needed."""
        if self.kind is QueryType.TEMPORAL and not self.wants:
            return DATE.search(sentence.text) is not None
        return self.wants in RARE and self.heard(sentence) if self.wants else self.kind is QueryType.STATUS

    @property
    def valued(self) -> bool:
        """Whether a value is wanted, of which the newest holds."""
        return self.wants in VALUED

    def valuing(self, text: str) -> bool:
        """Whether a text tells a value of the kind that is asked for: an amount, a count, a stretch of time, a day or a deadline."""
        if self.valued:
            return self.says.search(text) is not None
        return self.kind is QueryType.TEMPORAL and not self.wants and any(says.search(text) for says in (MOMENT, LONG))

    @property
    def worth(self) -> float:
        """What it adds to the score of a sentence: a reason, an amount or a count is rarely said by chance."""
        return 2.0 if self.wants in RARE else 1.0

    def heard(self, sentence: Sentence) -> bool:
        """By itself, or by the heading it stands under: minutes list under "Decisions" what was decided."""
        under = f"{sentence.heading} {sentence.text}"
        if self.wants:
            return self.says.search(under if self.reason else sentence.text) is not None
        if self.past:
            if DONE.search(sentence.text):
                return True
            day = DATE.search(sentence.text)
            if (
                day and tense_of(sentence.text, *day.span()) is Tense.AHEAD
            ):  # a deadline is no day on which something was done
                return False
        return signals(self.kind, sentence.text) or (
            self.kind in HEADED and bool(sentence.heading) and signals(self.kind, under)
        )


def is_firm(query: Query) -> bool:
    """Whether a question reads as its type beyond doubt."""
    return all(each.score >= FIRM for each in query.scores if each.type is query.type)


@lru_cache(maxsize=32)  # asked of each sentence
def sound_of(query: Query) -> Sound:
    """Of a question; one for a document or a person wants that, whatever it says of reasons."""
    if query.type in {QueryType.DOCUMENT, QueryType.PERSON}:
        return Sound(query.type)
    wants, measure = wanted_beside(query.text), None
    if not wants and (measure := measure_of(query.text)):
        wants = "measure"
    temporal = query.type is QueryType.TEMPORAL
    if temporal and wants in OF_ITS_OWN:
        wants = ""
    steps = not wants and query.type not in {QueryType.TEMPORAL, QueryType.STATUS} and bool(HOW_TO.search(query.text))
    return Sound(query.type, wants, steps, temporal and asks_when_it_was(query.text), measure)
