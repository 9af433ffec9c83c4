"""Who said a sentence of a hit in which several speak."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.answer.text import quotable_line
from translators.query import Person

if TYPE_CHECKING:
    from connectors.contract import Hit


def speakers(hit: Hit) -> tuple[str, ...]:
    """Before whose words in a hit a name stands, as its fact ``voices`` says."""
    voices = hit.facts.get("voices")
    return voices if isinstance(voices, tuple) else ()


def speaker(hit: Hit, words: str) -> Person | None:
    """Whoever's name stands last before ``words``, of those whom the fact ``voices`` names; without it the hit's author.

    What stands before the first name is the author's, unless the hit is a later part of its document.
    """
    if not (voices := speakers(hit)):
        return hit.author
    start = hit.snippet.find(words)
    if start < 0:
        return None
    end = hit.snippet.find("\n", start)
    for line in reversed(hit.snippet[: None if end < 0 else end].split("\n")):
        if name := next((each for each in voices if line.startswith(f"{each}: ")), ""):
            return hit.author if hit.author and hit.author.name == name else Person(name)
    return None if "part" in hit.facts else hit.author


def turn_of(hit: Hit, words: str) -> int:
    """How many have begun to speak in a hit up to ``words``; 0 where nobody is told apart."""
    names = tuple(f"{each}: " for each in speakers(hit))
    start = hit.snippet.find(words) if names else -1
    if start < 0:
        return 0
    lines = hit.snippet[: start + len(words)].split("\n")
    return sum(line.startswith(names) for line in lines)


def last_said(hit: Hit) -> str:
    """What was said last in a hit in which several speak; "" where nobody is told apart."""
    lines = hit.snippet.split("\n")
    names = tuple(f"{each}: " for each in speakers(hit))
    begun = max((at for at, line in enumerate(lines) if names and line.startswith(names)), default=None)
    return "" if begun is None else quotable_line("\n".join(lines[begun:]))
