"""Where alone the answer is wanted: "Slack에서만", "only in the wiki", "Notion only"."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from orchestrator.understand.draft import Role
from translators.match import fold
from translators.patterns import regex
from translators.query import NEARLY_TYPED, Only

if TYPE_CHECKING:
    from collections.abc import Iterator

    from orchestrator.understand.draft import Draft, Placed

CARRIER = r"(?:페이지|스레드|쓰레드|메시지|채널|문서|티켓|이슈|글|messages?|threads?|pages?|channels?|tickets?|issues?|docs?|posts?)"
BEHIND = regex(
    rf"(?:\s?{CARRIER})?(?:\s?(?:쪽|안|내))?(?:에서|에|으로|로)?만(?:요)?(?![가-힣])(?!\s아니)|(?:\s{CARRIER})?\s(?:only|alone)(?=[?.!,:;)]|$)",
    re.IGNORECASE,
)
BEFORE = regex(
    r"(?<!not )\b(?:(?:search|look|check)\s)?(?:only|just|solely|exclusively)\s(?:(?:search|look|check|ask|use|from|in|on|at|inside|within|via)\s){0,3}(?:(?:the|our|my)\s)?",
    re.IGNORECASE,
)
JOINT = regex(
    r"(?:(?:과|와|랑|이랑|하고|나|이나)\s?|\s?[,/&+]\s?|\s(?:and|or|및|또는)\s)(?:in\s|on\s|the\s|our\s){0,2}",
    re.IGNORECASE,
)
REACH = 48
"""Characters before a place within which "only" may stand."""


def read_only(draft: Draft) -> None:
    """Of the places in the question, find those beside which nothing is wanted, with those joined to them: "Slack과 노션에서만"."""
    places = sorted(draft.placed, key=lambda place: place.start)
    spans = {index: span for index, place in enumerate(places) if (span := _saying(draft.text, place))}
    if not spans:
        return
    chosen = [places[index] for index in sorted(_with_joined(draft.text, places, set(spans)))]
    start = min(chosen[0].start, *(start for start, _ in spans.values()))
    end = max(chosen[-1].end, *(end for _, end in spans.values()))
    named = tuple((tuple(_names(draft, place)), place.category) for place in chosen)
    draft.only = Only(named, NEARLY_TYPED, draft.text[start:end].strip())
    for first, last in spans.values():
        draft.claim(first, last, Role.SOURCE)


def _saying(text: str, place: Placed) -> tuple[int, int] | None:
    """From where to where a place is said to be the only one."""
    near = BEFORE.finditer(text, max(0, place.start - REACH), place.start)
    if before := next((match for match in near if match.end() == place.start), None):
        return before.start(), place.end
    behind = BEHIND.match(text, place.end)
    return (place.start, behind.end()) if behind else None


def _with_joined(text: str, places: list[Placed], sole: set[int]) -> set[int]:
    """Korean says "only" behind the last of several places, English before the first or behind the last."""
    joined = [JOINT.fullmatch(text, one.end, other.start) is not None for one, other in pairwise(places)]
    found = set(sole)
    for index in range(len(joined) - 1, -1, -1):
        if joined[index] and index + 1 in found:
            found.add(index)
    for index, together in enumerate(joined):
        if together and index in found:
            found.add(index + 1)
    return found


def _names(draft: Draft, place: Placed) -> Iterator[str]:
    """As the source may be called: by the word, or by the other names that this has."""
    yield fold(place.word)
    yield from map(fold, draft.lexicon.variants.get(place.word, ()))
