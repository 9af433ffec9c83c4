"""Facets: what the results of one answer have in common, counted, so that a reader can narrow them down."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from orchestrator.surfaces.page.asked import PageQuestion

AGES = (("today", 1), ("week", 7), ("month", 30), ("year", 365))  # days; the first that is not shorter than the age
ORDER = ("today", "week", "month", "year", "older", "undated")
MOST_VALUES = 12  # of one facet that are offered


def age_of(moment: datetime | None, now: datetime) -> str:
    """The period that a moment falls into; what is dated ahead counts as today's."""
    if moment is None:
        return "undated"
    return next((name for name, days in AGES if now - moment <= timedelta(days=days)), "older")


def fits(values: Mapping[str, str], asked: PageQuestion) -> bool:
    """Whether a result with these facet values is among what the reader has chosen."""
    return all(not wanted or values[name] in wanted for name, wanted in asked.chosen.items())


def facets(shown: Sequence[Mapping[str, Any]], asked: PageQuestion, words: Mapping[str, str]) -> list[dict[str, Any]]:
    """Every facet in which the results differ. A result has ``facets`` (values) and ``labels`` (how they are called)."""
    offered = []
    for name, wanted in asked.chosen.items():
        counts = Counter(each["facets"][name] for each in shown if each["facets"][name])
        labels = {each["facets"][name]: each["labels"][name] for each in shown}
        if len(counts) > 1 or wanted & counts.keys():
            values = _ordered(name, counts)[:MOST_VALUES]
            offered.append(
                {
                    "name": name,
                    "title": words[f"facet {name}"],
                    "values": [
                        {"value": each, "label": labels[each], "count": counts[each], "on": each in wanted}
                        for each in values
                    ],
                }
            )
    return offered


def _ordered(name: str, counts: Mapping[str, int]) -> list[str]:
    """Times as they pass, everything else by how many there are."""
    if name == "time":
        return sorted(counts, key=ORDER.index)
    return sorted(counts, key=lambda value: (-counts[value], value))
