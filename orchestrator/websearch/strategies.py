"""Which of the judged results are shown: pure choices, by the numbers of ``config/web_tiers.toml``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.websearch.query import TIERS, Strategy
from orchestrator.websearch.results import distinct, ordered
from translators.match import HANGUL, words

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from orchestrator.websearch.config import Comprehensive, FeedbackCue, Official, Strategies
    from orchestrator.websearch.results import WebResult


def official_first(results: Sequence[WebResult], numbers: Official) -> tuple[WebResult, ...]:
    """Tier 1; fewer than ``enough_official`` of them: and tier 2; still fewer than ``enough``: and the rest."""
    chosen = of_tiers(results, {1})
    if len(chosen) < numbers.enough_official:
        chosen = of_tiers(results, {1, 2})
        if len(chosen) < numbers.enough:
            chosen = of_tiers(results, TIERS)
    return chosen


def comprehensive(results: Sequence[WebResult], numbers: Comprehensive) -> tuple[WebResult, ...]:
    """The best ``least`` of each tier, then up to ``most`` of each, higher tiers first, while there is room."""
    groups = {tier: of_tiers(results, {tier}) for tier in TIERS}
    kept = {tier: min(len(group), numbers.least) for tier, group in groups.items()}
    for tier, group in groups.items():
        room = numbers.at_most - sum(kept.values())
        kept[tier] += max(0, min(len(group), numbers.most, kept[tier] + room) - kept[tier])
    return tuple(result for tier, group in groups.items() for result in group[: kept[tier]])[: numbers.at_most]


def too_thin(
    results: Sequence[WebResult], numbers: Strategies, strategy: Strategy, asked: Collection[int]
) -> list[int]:
    """The tiers to ask for once more, all at once; ``asked``: those that were asked for already."""
    held = {tier: len(of_tiers(results, {tier})) for tier in TIERS}
    thin: list[int] = []
    if strategy is Strategy.COMPREHENSIVE:
        thin = [tier for tier in TIERS if held[tier] < numbers.comprehensive.least]
    elif strategy is Strategy.OFFICIAL and held[1] < numbers.official.enough_official:
        thin = [1]
        if 1 in asked and held[1] + held[2] < numbers.official.enough:
            thin = [2]
    return [tier for tier in thin if tier not in asked]


def of_tiers(results: Iterable[WebResult], tiers: Iterable[int]) -> tuple[WebResult, ...]:
    """Those of some tiers, in order."""
    wanted = frozenset(tiers)
    return ordered(result for result in results if result.tier in wanted)


def merged(before: Sequence[WebResult], more: Sequence[WebResult]) -> tuple[WebResult, ...]:
    """Both without repeats; what was shown before stays where both have it."""
    return distinct((*before, *more))


def next_tiers(tiers: Sequence[int]) -> tuple[int, ...]:
    """One tier wider."""
    return tuple(range(1, min(max(tiers) + 1, max(TIERS)) + 1))


def keyword_for(feedback: str, table: Sequence[FeedbackCue], language: str) -> str:
    """What to add to the query for what somebody said; the first row's where nothing of the kind was said."""
    said = words(feedback)
    for row in table:
        if any(_means(word, wanted) for word in said for wanted in row.words):
            return row.ko if language == "ko" else row.en
    return table[0].ko if language == "ko" else table[0].en


def _means(word: str, wanted: str) -> bool:
    """Particles and endings follow a Korean word."""
    return word.startswith(wanted) if HANGUL.match(wanted) else word == wanted


def widened_text(text: str, keyword: str) -> str:
    """The query with a keyword that it does not have yet."""
    return text if keyword.casefold() in text.casefold() else f"{text} {keyword}"
