"""What a sentence must sound like to answer a question: by the question's type, or by what it asks for beside it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from orchestrator.answer.actors import Acting, acting_of, actor_in
from orchestrator.answer.measures import measure_of
from orchestrator.answer.signals import (
    ASKS_WHAT_CAME,
    DATE,
    DONE,
    HEDGES,
    HOW_FAR,
    HOW_TO,
    LONG,
    MAYBE_DECIDED,
    MAYBE_REASON,
    MOMENT,
    REACHED,
    VALUES,
    WHAT_CAME,
    WHETHERS,
    WHY,
    asks_when_it_was,
    asks_whether,
    signals,
    wanted_beside,
)
from orchestrator.answer.tense import Tense, tense_of
from orchestrator.answer.whole_lists import asks_for_all, enumerates, instructs
from translators.patterns import regex
from translators.query import QueryType
from translators.records import record

if TYPE_CHECKING:
    from orchestrator.answer.sentences import Sentence
    from translators.query import Query

# Who asks how a test went is not told by whoever waits for it.
OUTCOME = regex(
    r"결과|나왔(?:[어나니지죠]|습니까)|\b(?:results?|outcomes?|findings)\b|\bhow did\b.{1,60}\b(?:go|turn out|come out)\b",
    re.IGNORECASE,
)
AWAITED = regex(
    r"기다[려리립림]|대기|(?:보고|나오면|나온\s?(?:뒤|후)에?)\s?(?:다시\s?)?(?:정하|정합|결정|판단|얘기|이야기)|아직"
    r"|\b(?:await(?:s|ing|ed)?|pending|not (?:yet|back)|wait(?:s|ing)? (?:for|on)|once (?:the|we|it|they))\b",
    re.IGNORECASE,
)

HEADED = frozenset({QueryType.DECISION, QueryType.STATUS, QueryType.PERSON})
# How far something has come is asked in these types.
FAR = frozenset({QueryType.STATUS, QueryType.FACTUAL, QueryType.EXPLORATORY})
FIRM = 0.6  # of the score of a type: "the approved PRs" only touches on a decision


OF_ITS_OWN = frozenset({"span", "place"})  # who asks when asks for that, whatever it says of these
ASKS_WHEN = regex(
    r"언제|날짜|(?<!기간 )(?<!기간[은이] )며칠(?:에|날|로|부터|이[죠지야에예]|[?？]|$)|몇\s?월|마감|기한|\b(?:when|date|deadline|due)\b|\b(?:which|what) (?:day|month|week)\b",
    re.IGNORECASE,
)
WHERE_ALONE = regex(r"where\S*(?: (?:is|are|was|were|do|does|did|can|the|our|we|i))*|어[디딨딧].*", re.IGNORECASE)
WHO = regex(r"\bwho(?:m|se)?\b|누[가구군]|[는한된] (?:사람|분)", re.IGNORECASE)
VALUED = frozenset({"amount", "count", "span", "measure"})  # of these the newest holds
RARE = VALUED | {"reason"}  # these are rarely said by chance, as a place is


@record
class Sound:
    """``wants``: what is asked for beside the type, which counts for more ("reason", "amount", "count", "span", "place", "measure"), "" for nothing.

    ``steps``: it asks how something is done; ``past``: when it was; ``outcome``: what came of it; ``all``: which things there are; ``reached``: how far it has come; ``turned``: how it turned out; ``acting``: who does what; ``whether``: whether something may be or is a rule.
    """

    kind: QueryType
    wants: str = ""
    steps: bool = False
    past: bool = False
    outcome: bool = False
    measure: re.Pattern[str] | None = None
    acting: Acting | None = None
    all: bool = False
    reached: bool = False
    turned: bool = False
    whether: bool = False

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

    @property
    def newest(self) -> bool:
        """Whether what is wanted is a value, or how far something has come, of which the newest holds."""
        return self.valued or self.reached

    def awaits(self, text: str) -> bool:
        """Whether a text waits for the outcome that is asked for."""
        return self.outcome and AWAITED.search(text) is not None

    def valuing(self, text: str) -> bool:
        """Whether a text tells a value of the kind that is asked for: an amount, a count, a stretch of time, a day or a deadline."""
        if self.valued:
            return self.says.search(text) is not None
        return self.kind is QueryType.TEMPORAL and not self.wants and any(says.search(text) for says in (MOMENT, LONG))

    @property
    def worth(self) -> float:
        """What it adds to the score of a sentence: a reason, an amount or a count is rarely said by chance."""
        return 2.0 if self.wants in RARE else 1.0

    def plainly(self, sentence: Sentence) -> bool:
        """Whether it says in so many words who does it, what to do, or which things there are, where that is asked."""
        return (
            (self.acting is not None and bool(actor_in(sentence.text, self.acting)))
            or (self.steps and instructs(sentence.text))
            or (self.all and enumerates(sentence.text))
            or (self.reached and bool(REACHED.search(sentence.text)))
            or (self.turned and bool(WHAT_CAME.search(sentence.text)) and not AWAITED.search(sentence.text))
        )

    def may_say(self, sentence: Sentence) -> bool:
        """Whether it may well be a reason, or settle what is to be decided, where that is asked, without a word that says so."""
        if self.reason:
            return MAYBE_REASON.search(sentence.text) is not None
        undecided = self.kind is not QueryType.DECISION or self.asked or self.steps or self.turned
        return not undecided and MAYBE_DECIDED.search(sentence.text) is not None and not HEDGES.finds(sentence.text)

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
        if self.steps and instructs(sentence.text):
            return True
        if self.whether:
            return WHETHERS.finds(sentence.text)
        return signals(self.kind, sentence.text) or (
            self.kind in HEADED and bool(sentence.heading) and signals(self.kind, under)
        )


def is_firm(query: Query) -> bool:
    """Whether a question reads as its type beyond doubt."""
    return all(each.score >= FIRM for each in query.scores if each.type is query.type)


def _is_anything(query: Query) -> bool:
    """Whether a question reads as one for a document by its "where" alone: keys and valves are somewhere, too."""
    told = [
        word for each in query.scores if each.type is QueryType.DOCUMENT for word in each.words if word[0] not in "~("
    ]
    return bool(told) and query.type is QueryType.DOCUMENT and all(WHERE_ALONE.fullmatch(word) for word in told)


@lru_cache(maxsize=32)  # asked of each sentence
def sound_of(query: Query) -> Sound:
    """Of a question; one for a document or a person wants that, whatever it says of reasons, but for a measure of either."""
    text = query.text
    measure = None if WHY.search(text) else measure_of(text)
    wants = "measure" if measure else wanted_beside(text)
    if query.type in {QueryType.DOCUMENT, QueryType.PERSON}:
        other = (measure and not WHO.search(text)) or (wants == "place" and _is_anything(query))
        if not other:
            who = query.type is QueryType.PERSON
            return Sound(query.type, acting=acting_of(text) if who else None, all=who and asks_for_all(text))
    temporal = query.type is QueryType.TEMPORAL
    if temporal and wants in OF_ITS_OWN and ASKS_WHEN.search(text):
        wants = ""
    steps = not wants and query.type not in {QueryType.TEMPORAL, QueryType.STATUS} and bool(HOW_TO.search(text))
    outcome = query.type is QueryType.STATUS and OUTCOME.search(text) is not None
    reached = not wants and query.type in FAR and bool(HOW_FAR.search(text))
    turned = not (wants or steps or temporal) and bool(ASKS_WHAT_CAME.search(text))
    every = not (wants or steps or temporal) and asks_for_all(text)
    factual = query.type is QueryType.FACTUAL and not (wants or steps)
    whether = factual and asks_whether(text) and not any(map(str.isdigit, text))
    return Sound(
        query.type,
        wants,
        steps,
        temporal and asks_when_it_was(text),
        outcome,
        measure,
        all=every,
        reached=reached,
        turned=turned,
        whether=whether,
    )
