"""Names without what people put before or behind them out of respect, where a filter takes them as they were typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.understand.people_words import HONORIFICS
from translators.letters import HANGUL

if TYPE_CHECKING:
    from collections.abc import Iterable

RESPECT = ("님", "씨")
SHORTEST = 2  # syllables of a name that stands alone: of 김 팀장 the family name is left, which is too little to go by


def without_titles(name: str, titles: Iterable[str]) -> str:
    """오재훈 for 오재훈님, 오재훈 팀장님 and 오재훈매니저; Sarah Kim for Dr. Sarah Kim. The name itself where nothing would be left."""
    if "@" in name:
        return name
    if not HANGUL.search(name):
        first, _, rest = name.partition(" ")
        return rest.strip() if first.rstrip(".").casefold() in HONORIFICS and rest.strip() else name
    bare = name.strip()
    for ending in (RESPECT, sorted(titles, key=len, reverse=True)):
        behind = next((each for each in ending if bare.endswith(each)), "")
        left = bare.removesuffix(behind).rstrip()
        bare = left if len(left) >= SHORTEST else bare
    return bare
