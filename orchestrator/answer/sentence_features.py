"""What speaks for a sentence as the answer: named features, weighed by ``config/answering.toml``, which ``python -m tests.train_answers`` writes.

A linear model over few features (a listwise softmax, Cao et al., "Learning to rank: from pairwise to listwise approach", ICML 2007), whose first
feature is the score by rules: where the weights of all others are 0, sentences stand in the order of the rules.
"""

from __future__ import annotations

import math
import tomllib
from collections import Counter
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, Field

from orchestrator.answer.cover import TermAlternatives, asked, covered, wanted
from orchestrator.answer.own import SPOKEN, conversation_of, conversations, is_asking
from orchestrator.answer.sentences import Sentence
from orchestrator.answer.signals import DATE, SETTLES, unit_of
from orchestrator.answer.sound import Sound, sound_of
from orchestrator.packaged import config_dir
from translators.match import is_korean
from translators.match import words as words_of
from translators.patterns import regex
from translators.query import Kind, QueryType
from translators.records import record

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from connectors.contract import Hit
    from orchestrator.answer.own import ConversationKey
    from orchestrator.answer.quote import Quote
    from orchestrator.model import Result
    from translators.query import Query

DIGIT = regex(r"\d")
NOTE = regex(r"\s?\([^()]{1,40}\)$")  # "(2026-05-01 개정)", by which the first line of a page adds to its title
NAMED = frozenset({QueryType.PERSON, QueryType.DOCUMENT})  # asked for by a name and not by a number
WRITTEN = frozenset({Kind.PAGE, Kind.DATABASE, Kind.FILE, Kind.WEB_PAGE})
LONG = 40  # words from which on a sentence counts as long
FEW = 5  # days of sentences below which the newest is hardly newer
FEWEST, MANY = 3, 10  # sentences that could be quoted, up to which they are few, and from which on they are many
BESIDE = 0.4  # of how new it is, where it does not say what is asked for
DEEP = 10  # sentences of a text from which on one stands deep in it


@record
class Rivals:
    """What all sentences of one question are together, beside which each is looked at."""

    query: Query
    sound: Sound
    words: int
    days: Mapping[datetime, float]
    openings: Mapping[ConversationKey, Hit]
    places: Mapping[int, int]
    sizes: Mapping[int, int]
    lesser: Mapping[str, TermAlternatives]
    korean: bool
    unit: re.Pattern[str] | None


def by_rules(quote: Quote, _: Rivals) -> float:
    """The score by rules: words held, how good the result is, whether it sounds like an answer."""
    return quote.score


def signal(quote: Quote, _: Rivals) -> float:
    """It is on the matter and sounds like what is asked for."""
    return float(quote.signal)


def sounds(quote: Quote, rivals: Rivals) -> float:
    """It sounds so by itself or by its heading, whatever it is about."""
    return float(rivals.sound.heard(Sentence(quote.words, quote.heading)))


def settled(quote: Quote, _: Rivals) -> float:
    """It says that something holds now, or is final: "now", 최종, "instead", →."""
    return float(SETTLES.finds(quote.words))


def length(quote: Quote, _: Rivals) -> float:
    """How many words it has, as a share of :data:`LONG`: a few words say little."""
    return min(len(words_of(quote.words)), LONG) / LONG


def newness(quote: Quote, rivals: Rivals) -> float:
    """How new it is among its rivals, from 0 to 1, as far as it holds the question's words; where a person is asked for, little unless it names one: who owns a thing is seldom what was said of it last."""
    beside = rivals.query.type is QueryType.PERSON and not quote.signal
    held = len(quote.held) / rivals.words if rivals.words else 1.0
    return _newness(quote, rivals) * held * (BESIDE if beside else 1.0)


def dated(quote: Quote, rivals: Rivals) -> float:
    """It names a day, and a day is asked for that need not be the one on which something was said to be done."""
    wanted_day = rivals.query.type is QueryType.TEMPORAL and not rivals.sound.past
    return float(wanted_day and DATE.search(quote.words) is not None)


def number(quote: Quote, rivals: Rivals) -> float:
    """It holds a digit, and no person or document is asked for."""
    return float(rivals.query.type not in NAMED and DIGIT.search(quote.words) is not None)


def unit(quote: Quote, rivals: Rivals) -> float:
    """It tells a stretch of time in the unit that is asked for: how many *days*, 몇 주."""
    return float(rivals.unit is not None and rivals.unit.search(quote.words) is not None)


def reply_to_question(quote: Quote, rivals: Rivals) -> float:
    """What it replies to asks something; where nothing but somebody's work is asked about, what they were asked is none of it."""
    opening = _opening(quote, rivals) if rivals.words else None
    return float(opening is not None and is_asking(opening))


def wondering(quote: Quote, _: Rivals) -> float:
    """Its message asks something: whoever asks does not know."""
    return float(is_asking(quote.result.hit))


def title(quote: Quote, rivals: Rivals) -> float:
    """It is no more than the title of its result, or begins as that and adds a note, which answers where a document is asked for and seldom elsewhere."""
    said = _without_note(quote.words)
    named = bool(said) and rivals.query.type is not QueryType.DOCUMENT
    return float(named and _without_note(quote.result.hit.title).startswith(said))


def depth(quote: Quote, rivals: Rivals) -> float:
    """How far down in its text it stands, as a share of :data:`DEEP` sentences."""
    return min(rivals.places[id(quote)], DEEP) / DEEP


def document(quote: Quote, rivals: Rivals) -> float:
    """It stands in a page or a file, and nobody says it to anybody; of no weight where a document is asked for."""
    return float(rivals.query.type is not QueryType.DOCUMENT and quote.result.hit.kind in WRITTEN)


def lesser(quote: Quote, rivals: Rivals) -> float:
    """The share that it holds of the words that only ask, or tell the kind of answer."""
    return len(covered(quote.words, rivals.lesser)) / len(rivals.lesser) if rivals.lesser else 0.0


def remark(quote: Quote, rivals: Rivals) -> float:
    """It is the only sentence of a message that could be quoted: who says no more on a matter mentions it more often than they tell of it, unless they are asked about it."""
    hit = quote.result.hit
    asked_about = bool(quote.own) and hit.author is not None and hit.author.name in rivals.query.people()
    return float(rivals.sizes[quote.number] == 1 and hit.kind in SPOKEN and not asked_about)


def other_language(quote: Quote, rivals: Rivals) -> float:
    """It is in Korean and the question is not, or the other way round."""
    return float(is_korean(quote.words) is not rivals.korean)


FEATURES: tuple[Callable[[Quote, Rivals], float], ...] = (
    by_rules,
    signal,
    sounds,
    settled,
    length,
    newness,
    dated,
    number,
    unit,
    reply_to_question,
    wondering,
    title,
    depth,
    document,
    lesser,
    remark,
    other_language,
)
NAMES = tuple(feature.__name__ for feature in FEATURES)


_Weights = dict[str, Annotated[float, Field(allow_inf_nan=False)]]


class SentenceWeights(BaseModel):
    """``config/answering.toml``: for each feature by its name what one of it adds to the logarithm of the odds; what is not named adds nothing.

    ``weights`` hold among few sentences, ``among_many`` among many (without them ``weights`` do everywhere), and between :data:`FEWEST` and :data:`MANY` the one pass into the other.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    weights: _Weights
    among_many: _Weights = Field(default_factory=dict)

    @classmethod
    def load(cls, path: Path) -> SentenceWeights:
        """Read a file. Raises ``OSError``, ``tomllib.TOMLDecodeError``, or ``ValueError`` for a feature that there is not."""
        read = cls.model_validate(tomllib.loads(path.read_text("utf-8")))
        if unknown := (read.weights.keys() | read.among_many.keys()) - set(NAMES):
            raise ValueError(
                f"{path.name}: there is no feature {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}"
            )
        return read

    def among(self, count: int) -> dict[str, float]:
        """The weights among so many sentences."""
        share = share_of_many(count) if self.among_many else 0.0
        return {
            name: weight
            for name in NAMES
            if (weight := (1.0 - share) * self.weights.get(name, 0.0) + share * self.among_many.get(name, 0.0))
        }


def share_of_many(count: int) -> float:
    """How far so many sentences are many, from 0 to 1."""
    return min(max((count - FEWEST) / (MANY - FEWEST), 0.0), 1.0)


@cache
def shipped_weights() -> SentenceWeights:
    """The weights of this installation, read once."""
    return SentenceWeights.load(config_dir() / "answering.toml")


def weighed(
    quotes: Sequence[Quote], results: Sequence[Result], query: Query, weights: SentenceWeights | None = None
) -> tuple[Quote, ...]:
    """The quotes with their odds for a score, as a share of the best one's, and as a share of all: from 0 to 1."""
    used = (weights or shipped_weights()).among(len(quotes))
    told = [(feature, used[feature.__name__]) for feature in FEATURES if feature.__name__ in used]
    rivals = rivals_of(quotes, results, query)
    logs = [math.fsum(weight * feature(quote, rivals) for feature, weight in told) for quote in quotes]
    best = max(logs, default=0.0)
    scores = [math.exp(log - best) for log in logs]
    whole = math.fsum(scores)
    return tuple(replace(quote, score=each, odds=each / whole) for quote, each in zip(quotes, scores, strict=True))


def rivals_of(quotes: Sequence[Quote], results: Sequence[Result], query: Query) -> Rivals:
    """What the sentences of one question are together."""
    days = sorted({quote.when for quote in quotes if quote.when})
    words = wanted(query)
    places: dict[int, int] = {}
    sizes: Counter[int] = Counter()
    for quote in quotes:
        places[id(quote)] = sizes[quote.number]
        sizes[quote.number] += 1
    return Rivals(
        query,
        sound_of(query),
        len(words),
        _spread(days),
        {key: hits[0] for key, hits in conversations(results).items()},
        places,
        sizes,
        {word: names for word, names in asked(query).items() if word not in words},
        is_korean(query.text),
        unit_of(query.text),
    )


def _without_note(text: str) -> str:
    return NOTE.sub("", text) if text.endswith((")", ")\n")) else text


def _spread(days: Sequence[datetime]) -> dict[datetime, float]:
    """Where each stands from the oldest to the newest, around the middle: of a few days that says little."""
    middle, steps = (len(days) - 1) / 2, max(len(days) - 1, FEW)
    return {day: 0.5 + (place - middle) / steps for place, day in enumerate(days)}


def _newness(quote: Quote, rivals: Rivals) -> float:
    return rivals.days[quote.when] if quote.when else 0.5


def _opening(quote: Quote, rivals: Rivals) -> Hit | None:
    """What began the conversation of a quote, unless that is what it is quoted from."""
    hit = quote.result.hit
    first = rivals.openings.get(conversation_of(hit)) if hit.kind in SPOKEN else None
    return first if first and first.id != hit.id else None
