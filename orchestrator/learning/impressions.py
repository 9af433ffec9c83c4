"""What somebody was shown and what they did with it, in numbers: no question, no text, no id of a source, no name of a person.

Questions, people and results are digests by a secret of this installation. Of a result stands what ranking has made of it, so that its
place can be worked out anew by other weights.
"""

from __future__ import annotations

from dataclasses import field
from datetime import datetime
from enum import StrEnum
from math import prod
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from orchestrator.answer.ordering import SENTENCE
from orchestrator.model import AUTHORITY, COMPLETENESS, FRESHNESS, KEYWORDS, OWN, RERANKED
from translators.query import CREDIBLE, QueryType, Sort
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from orchestrator.model import Answer, Result

FACTORS = ("relevance", "fused", KEYWORDS, FRESHNESS, AUTHORITY, COMPLETENESS)
DIGITS = 5
NO_NUMBERS: Mapping[str, float] = MappingProxyType({})


class Reaction(StrEnum):
    """What somebody did with a result, or said of it."""

    OPENED = "opened"
    COPIED = "copied"
    RIGHT = "right"
    WRONG = "wrong"
    OUTDATED = "outdated"
    INCOMPLETE = "incomplete"


@record
class ImpressionItem:
    """One result, in the place where it was shown. ``key``: its digest; ``factors`` and ``features``: as ranking found them, empty where its order was not ours.

    ``tier``: what stands behind what however it scores, 0 first; ``kept``: the share of its score that weak readings left; ``cited``: whether
    the answer quoted it; ``sentence``: the odds of its sentences, by which it was moved.
    """

    key: str
    factors: Mapping[str, float] = field(default_factory=lambda: NO_NUMBERS)
    features: Mapping[str, float] = field(default_factory=lambda: NO_NUMBERS)
    tier: float = 0.0
    kept: float = 1.0
    cited: bool = False
    sentence: float = 0.0


@record
class Impression:
    """An answer that was shown. ``asked``: digests of the question, as typed and as it was meant; ``who``: of the asker."""

    at: datetime
    who: str
    asked: tuple[str, ...]
    type: QueryType
    items: tuple[ImpressionItem, ...]

    @property
    def is_ours(self) -> bool:
        """Whether its order is by our weights, and can be worked out by others."""
        return bool(self.items) and all(item.factors for item in self.items)


@record
class ReactionEntry:
    """``item``: digest of the result, "" for the whole answer."""

    at: datetime
    who: str
    asked: str
    did: Reaction
    item: str = ""


def impression_of(
    answer: Answer, at: datetime, who: str, asked: tuple[str, ...], digest: Callable[[str, str], str]
) -> Impression:
    """``digest``: of a source's name and an id."""
    cited = {(each.result.hit.source, each.result.hit.id) for each in answer.citations}
    ours = answer.query.sort is Sort.RELEVANCE and all(map(_is_weighed, answer.results))
    items = (
        ImpressionItem(
            digest(result.hit.source, result.hit.id),
            {name: round(result.factors[name], DIGITS) for name in FACTORS} if ours else NO_NUMBERS,
            {name: round(value, DIGITS) for name, value in result.features.items()} if ours else NO_NUMBERS,
            result.tier,
            round(prod(1.0 - each.strength for each in result.unmet if each.strength < CREDIBLE), DIGITS),
            (result.hit.source, result.hit.id) in cited,
            round(result.factors.get(SENTENCE, 0.0), DIGITS),
        )
        for result in answer.results
    )
    return Impression(at, who, asked, answer.query.type, tuple(items))


def _is_weighed(result: Result) -> bool:
    """Whether the formula has the say: not a reranker, and not an index that was asked alone."""
    return not {RERANKED, OWN} & result.factors.keys() and all(name in result.factors for name in FACTORS)


# ---- as lines of a file


def impression_row(shown: Impression) -> dict[str, Any]:
    """As JSON."""
    return {
        "did": "shown",
        "at": shown.at.isoformat(),
        "who": shown.who,
        "asked": list(shown.asked),
        "type": str(shown.type),
        "items": [_item_row(item) for item in shown.items],
    }


def _item_row(item: ImpressionItem) -> list[Any]:
    return [
        item.key, [*item.factors.values()], dict(item.features), item.tier, item.kept, int(item.cited), item.sentence
    ]  # fmt: skip


def reaction_row(entry: ReactionEntry) -> dict[str, Any]:
    """As JSON."""
    item = {"item": entry.item} if entry.item else {}
    return {"did": str(entry.did), "at": entry.at.isoformat(), "who": entry.who, "asked": entry.asked, **item}


def read_row(row: Mapping[str, Any]) -> Impression | ReactionEntry:
    """What a line says. Raises ``ValueError``, ``TypeError`` or ``KeyError`` for one that is not ours."""
    at = datetime.fromisoformat(row["at"])
    if row["did"] != "shown":
        return ReactionEntry(at, str(row["who"]), str(row["asked"]), Reaction(row["did"]), str(row.get("item", "")))
    asked, items = tuple(map(str, row["asked"])), tuple(map(_read_item, row["items"]))
    return Impression(at, str(row["who"]), asked, QueryType(row["type"]), items)


def _read_item(row: Sequence[Any]) -> ImpressionItem:
    key, factors, features, tier, kept, cited, *moved = row  # of before sentences moved results nothing more
    numbers = dict(zip(FACTORS, map(float, factors), strict=True)) if factors else NO_NUMBERS
    weighed = {str(name): float(value) for name, value in features.items()}
    return ImpressionItem(str(key), numbers, weighed, float(tier), float(kept), bool(cited), *map(float, moved))
