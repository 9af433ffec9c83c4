"""How far an answer can be trusted: a calibrated rule over what speaks for it, with ceilings that can be read out.

What speaks for an answer is in :class:`Grounds`; the weights are in ``config/confidence.toml``. Whatever they say:

* none: no results;
* low: nothing that lies inside what was asked, or none of the question's words in the best results; one of two words that
  no claim holds; a word that nothing quoted holds, where no sentence sounds like the answer either or a person is asked for
  by it; the answer itself says that no sentence names what was asked for; somebody asked the same and nobody answered; how many, where no sentence says so; what came first, where not
  everything was looked at in that order;
* at most medium: a source that was asked did not answer in full, or could be asked less thoroughly than usual; a condition could not be checked; a decision is clearly
  asked for and no sentence sounds like one; no one claim holds every keyword, or only by a name in the other script; a document is asked for and only messages speak of it; only somebody who
  asks is quoted; a day that is told has no year and may as well be of another; a day still to come rests on one old announcement, which may have been changed since; no sentence
  has a third of the odds of all that could be quoted; of who it is, or of a row, another sentence that is quoted of the same text says that rows are swapped; a question of filters alone has no words that could be held; all of something are
  asked for, or what is blocked; a day that is told lies outside those that are asked about, is one by which somebody wants something, or stands in a clause on something else; no day, week or month is told; what is told first names somebody, what to do, which things there are or how far something has come by the
  order of its words alone.
"""

from __future__ import annotations

import math
import re
import tomllib
from datetime import timedelta
from functools import cache
from statistics import fmean
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, Field

from orchestrator.answer.cover import TermAlternatives, asked, covered, covered_by, share, wanted
from orchestrator.answer.dates import day_at, day_of, named_days
from orchestrator.answer.fitting import fits
from orchestrator.answer.own import SPEAKING, is_asking, text_of
from orchestrator.answer.revoked import day_moves
from orchestrator.answer.signals import wants_first
from orchestrator.answer.sound import is_firm, sound_of
from orchestrator.answer.unsaid import unanswered, unsaid
from orchestrator.answer.wording import is_plain
from orchestrator.model import AROUND, AUTHORITY, FRESHNESS, KEYWORDS, Confidence
from orchestrator.packaged import config_dir
from translators.match import HANGUL
from translators.match import words as words_of
from translators.patterns import regex
from translators.query import EVERYTHING, QueryType, Sort
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from orchestrator.answer.gaps import Gaps
    from orchestrator.answer.quote import Quote
    from orchestrator.model import Result
    from translators.query import Query

Speaking = Annotated[float, Field(ge=0.0, allow_inf_nan=False)]  # evidence never speaks against an answer
Share = Annotated[float, Field(ge=0.0, le=1.0)]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class EvidenceWeights(_Section):
    """What each kind of evidence adds to the logarithm of the odds; ``bias`` is what there is without any."""

    bias: Annotated[float, Field(allow_inf_nan=False)]
    match: Speaking
    coverage: Speaking
    names: Speaking
    agreement: Speaking
    lead: Speaking
    around: Speaking
    strict: Speaking
    spoken: Speaking
    freshness: Speaking
    authority: Speaking


class Levels(_Section):
    """The probabilities from which on confidence is high, and medium."""

    high: Share
    medium: Share


class Calibration(_Section):
    """The whole table."""

    weights: EvidenceWeights
    levels: Levels

    @classmethod
    def load(cls, path: Path) -> Calibration:
        """Read a file. Raises ``OSError``, ``tomllib.TOMLDecodeError`` or ``pydantic.ValidationError``."""
        return cls.model_validate(tomllib.loads(path.read_text("utf-8")))

    def probability(self, evidence: Mapping[str, float]) -> float:
        """That the answer is right, from 0 to 1. What is not in ``evidence`` counts nothing."""
        weights = self.weights.model_dump()
        odds = weights.pop("bias") + math.fsum(weight * evidence.get(name, 0.0) for name, weight in weights.items())
        return 1.0 / (1.0 + math.exp(-max(-60.0, min(60.0, odds))))


@cache
def shipped_calibration() -> Calibration:
    """The table of this installation, read once."""
    return Calibration.load(config_dir() / "confidence.toml")


BEST = 3  # results that are looked at for the best one
NEAR = 5  # results that may agree
COMPARED = 10  # results that the best one is compared with
RUNGS = 4  # broader questions after which how many there were tells nothing more
MOST_WORDS = 0.8
HALF = 0.5
NEUTRAL = 0.5  # of what cannot be told
CLEAR = 1 / 3  # of the odds of all sentences: with less, others are about as likely to be the answer
MOSTLY = 2 / 3  # of a longer question's words
FEW = 2  # words of a question, each of which tells what it is about
OLD = timedelta(days=28)  # an announcement of a day still to come that is so old may have been changed
# Below a roster: its rows may have been swapped since. "Swaps are agreed in #engine and not copied here."
SWAPPED = regex(
    r"\bswap(?:s|ped|ping)?\b|(?:당번|당직|근무|순번|차례)(?:을|를|은|는|이|가)?\s?(?:서로\s)?(?:바[꾸꿔꿨뀌]|맞바)",
    re.IGNORECASE,
)
COINED = regex(r"[\d_./#-]|[a-z][A-Z]")  # words that somebody made up for one thing


@record
class Grounds:
    """What the confidence rests on, shares from 0 to 1.

    ``match``: how well the best result matches, as ranking says. ``coverage``: the question's words in it. ``names``:
    the names of the question in the first results. ``agreement``: further sources that hold half as
    many words as the best. ``lead``: how far the best result matches better than the others. ``around``: how much of the
    conversation that the first result is of was found too. ``strict``: 1 if it was found as asked, less for
    each broader question. ``spoken``: a quote sounds like the type of answer. ``freshness`` and ``authority``: the best
    result's. ``inside``: it satisfies what was asked; ``checked``: every condition was. ``complete``: every source
    answered in full. ``worded``: the question has words; ``limited``: or something else that limits it. ``firm``: it reads as its type beyond doubt. ``plain``: the answer does not
    begin by saying that no sentence answers. ``stated``: not all that is quoted asks. ``told``: claims hold
    each word of a short question, and of a longer one a claim sounds like the answer or holds most words; ``known``: no word is missing that would tell what is asked for; ``answered``: what holds
    most of its words is not only somebody who asks the same; ``whole``: a claim, by itself or by what it is about, holds every keyword; of a document not only talk was found. ``valued``: the amount, count, stretch or measure that was asked for is said. ``ordered``: everything was looked
    at in the order of time, if the first was asked for. ``confirmed``: it is more than one old word on a day still to come.
    ``unchanged``: beside a row, or who it is, nothing is quoted of the same text that says that rows are swapped. ``clear``: one sentence has a good share of the odds of all that could be quoted. ``dated``: the year of each day that is told is written, or there is only one that it can be. ``fitting``: what is quoted first is
    not plainly of something else than what was asked for, nor one thing where all were. ``read``: what is quoted first does not sound like an answer by the order of its words alone.
    """

    type: QueryType
    match: float = 0.0
    coverage: float = 0.0
    names: float = 0.0
    agreement: float = 0.0
    lead: float = 0.0
    around: float = 0.0
    strict: float = 0.0
    spoken: float = 0.0
    freshness: float = 0.0
    authority: float = 0.0
    inside: bool = True
    checked: bool = True
    complete: bool = True
    worded: bool = True
    limited: bool = True
    firm: bool = True
    plain: bool = True
    stated: bool = True
    told: bool = True
    known: bool = True
    answered: bool = True
    whole: bool = True
    valued: bool = True
    ordered: bool = True
    confirmed: bool = True
    clear: bool = True
    unchanged: bool = True
    dated: bool = True
    fitting: bool = True
    read: bool = True

    def evidence(self) -> Mapping[str, float]:
        """What is weighed, by the names of the table."""
        names = "match coverage names agreement lead around strict spoken freshness authority".split()
        return {name: getattr(self, name) for name in names}

    def confidence(self, calibration: Calibration) -> Confidence:
        """The table's word, under the ceilings of this module."""
        answers = all(
            (self.inside, self.limited, self.plain, self.told, self.known, self.answered, self.valued, self.ordered)
        )
        if not answers or not self.coverage:
            return Confidence.LOW
        likely = calibration.probability(self.evidence())
        if likely < calibration.levels.medium:
            return Confidence.LOW
        capped = not all(
            (
                self.complete,
                self.checked,
                self.worded,
                self.stated,
                self.confirmed,
                self.dated,
                self.whole,
                self.clear,
                self.unchanged,
                self.fitting,
                self.read,
            )
        )
        silent = self.type is QueryType.DECISION and self.firm and not self.spoken
        return Confidence.HIGH if likely >= calibration.levels.high and not (capped or silent) else Confidence.MEDIUM


def assess(
    results: Sequence[Result],
    quotes: Sequence[Quote],
    gaps: Gaps,
    query: Query,
    now: datetime,
    *,
    calibration: Calibration | None = None,
) -> Confidence:
    """The confidence in an answer."""
    if not results:
        return Confidence.NONE
    return find_grounds(results, quotes, gaps, query, now).confidence(calibration or shipped_calibration())


def find_grounds(
    results: Sequence[Result], quotes: Sequence[Quote], gaps: Gaps, query: Query, now: datetime
) -> Grounds:
    """Look at the best results and at what is missing; ``results`` is not empty."""
    words, said = wanted(query), asked(query)
    held = [covered_by((result,), said) for result in results[:COMPARED]]
    shares = [_share(each, query) for each in held]
    place = max(range(len(shares[:BEST])), key=lambda each: shares[each])
    best = results[place]
    matches = [result.factors.get(KEYWORDS, share) for result, share in zip(results, shares, strict=False)]
    least = HALF * max(shares[:NEAR])
    agreeing = {
        each.source
        for result, share in zip(results[:NEAR], shares, strict=False)
        if share >= least
        for each in result.evidence
    }
    titled = _share(covered(best.hit.title, said), query) >= MOST_WORDS
    spoken = any(quote.signal and _share(quote.held, query) >= HALF for quote in quotes)
    return Grounds(
        type=query.type,
        match=min(1.0, matches[0]),
        coverage=shares[place],
        names=_names(held[:NEAR], query, shares[place]),
        agreement=min(1.0, max(0, len(agreeing) - 1) / 2),
        lead=max(0.0, matches[0] - fmean(matches[1:])) if len(matches) > 1 else NEUTRAL * matches[0],
        around=results[0].factors.get(AROUND, 0.0),
        strict=1.0 - min(RUNGS, *(each.rung for each in best.evidence)) / RUNGS,
        spoken=float(spoken or (query.type is QueryType.DOCUMENT and titled)),
        freshness=best.factors.get(FRESHNESS, NEUTRAL),
        authority=best.factors.get(AUTHORITY, NEUTRAL),
        inside=best.inside,
        checked=not best.unverified,
        complete=not (gaps.silent or gaps.partly or gaps.spared),
        worded=bool(words),
        limited=bool(words) or query.where != EVERYTHING,
        firm=is_firm(query),
        plain=is_plain(query, quotes),
        stated=not (quotes and all(is_asking(each.result.hit) for each in quotes)),
        told=_is_told(quotes, words) if quotes else not (query.fresh or query.as_of),
        known=not unsaid(quotes, words, query),
        answered=unanswered(results, quotes, words, query) is None,
        whole=not quotes or _is_whole(quotes, words, query),
        valued=not sound_of(query).valued or any(quote.signal for quote in quotes),
        ordered=not wants_first(query.text) or _is_ordered(gaps, query),
        confirmed=query.type is not QueryType.TEMPORAL or _is_confirmed(quotes, now),
        dated=query.type is not QueryType.TEMPORAL or _is_dated(quotes, now),
        unchanged=not _is_swapped(quotes, results, query),
        fitting=fits(quotes, query, now),
        read=_is_read(quotes),
        clear=not quotes or max(quote.odds for quote in quotes) >= CLEAR,
    )


def _is_read(quotes: Sequence[Quote]) -> bool:
    """Whether what sounds like the answer does so by a word for it: the first, and where that does not, another."""
    heard = [each.guessed for each in quotes if each.signal]
    return not (quotes and quotes[0].guessed) and (not heard or not all(heard))


def _is_whole(quotes: Sequence[Quote], words: Mapping[str, TermAlternatives], query: Query) -> bool:
    """One claim holds every word, itself or by what it is about; and of a document more was found than talk of it.

    Of a decision the subject of a mail, or the title of a thing, tells only which matter it is of, and much is decided of one.
    """
    if query.type is QueryType.DOCUMENT and all(each.result.hit.kind in SPEAKING for each in quotes):
        return False
    together = covered_by((each.result for each in quotes), _as_written(words))
    return together == words.keys() and any(
        each.held >= words.keys() and (each.own or not each.result.hit.title or query.type is not QueryType.DECISION)
        for each in quotes
    )


def _as_written(words: Mapping[str, TermAlternatives]) -> dict[str, TermAlternatives]:
    """Without names in the other script: a word list says what a word is called there, and may mean another sense of it."""
    return {
        word: tuple(each for each in names if bool(HANGUL.search(each.text)) == bool(HANGUL.search(word)))
        for word, names in words.items()
    }


def _is_told(quotes: Sequence[Quote], words: Mapping[str, TermAlternatives]) -> bool:
    """Claims hold each word of a short question, with what their results are called, whose and where they are.

    Of a longer one a claim sounds like the answer, or holds more than :data:`MOSTLY` of the words.
    """
    if len(words) > FEW:
        return any(quote.signal or len(quote.held) > MOSTLY * len(words) for quote in quotes)
    held = covered_by((each.result for each in quotes), words)
    return held.union(*(each.held for each in quotes)) == words.keys()


def _is_swapped(quotes: Sequence[Quote], results: Sequence[Result], query: Query) -> bool:
    """Of who it is, or of a row: to swap a battery is no reason to doubt. Or somebody has commented on the page of a row."""
    if not quotes or not (quotes[0].table or query.type is QueryType.PERSON):
        return False
    if any(each.number == quotes[0].number and SWAPPED.search(each.words) for each in quotes[1:]):
        return True
    told = quotes[0].result.hit
    if quotes[0].table and SWAPPED.search(text_of(told)):
        return True
    return bool(quotes[0].table and told.url) and any(each.hit.comments_on == told.url for each in results)


def _is_ordered(gaps: Gaps, query: Query) -> bool:
    """The oldest was asked for, and every source that has anything could sort by that."""
    lists = (listed for outcome in (*gaps.answered, *gaps.partly) for listed in outcome.lists if listed.hits)
    return query.sort is Sort.OLDEST and all(listed.translation.keeps(query.sort) for listed in lists)


def _is_confirmed(quotes: Sequence[Quote], now: datetime) -> bool:
    """No day still to come is named, or it was named lately, or on several days."""
    said = {day_at(each.when, now) for each in quotes if each.when}
    if len(said) != 1 or max(each.when for each in quotes if each.when) > now - OLD:
        return True
    return not any(step.day > now.date() for each in quotes for step in day_moves(each, now))


def _is_dated(quotes: Sequence[Quote], now: datetime) -> bool:
    return all(day.sure for each in quotes for day in named_days(each.words, day_of(each.result.hit, now)))


def _names(held: Sequence[frozenset[str]], query: Query, otherwise: float) -> float:
    """The share of the question's names in the first results; a question without names is told by its words."""
    named = {word for each in query.entities for word in words_of(each.name)}
    names = {word for word in query.keywords if COINED.search(word) or set(words_of(word)) & named}
    return fmean(len(each & names) / len(names) for each in held) if names else otherwise


def _share(found: frozenset[str], query: Query) -> float:
    """A question of filters alone has no words to hold: what satisfies it is neither proved nor doubtful."""
    return share(found, query) if asked(query) else HALF
