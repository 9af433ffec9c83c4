"""Who said a sentence of a hit in which several speak; and whom a text mentions by an id of its source (``@U01JWJ0A3``), by name."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from orchestrator.answer.text import quotable_line
from translators.patterns import regex
from translators.query import Person

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Mapping, Sequence

    from connectors.contract import Hit
    from orchestrator.model import Outcome, Result


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


MENTION = regex(r"<?@(?P<id>[A-Z0-9]{6,})(?:\|[^<>\n]*)?>?(?![A-Za-z0-9_])")


def with_names(results: Sequence[Result], outcomes: Iterable[Outcome]) -> tuple[Result, ...]:
    """Results whose texts say who is mentioned, as far as anything that came back is by or for them; else as they are."""
    if not any(_mentions(hit) for each in results for hit in (each.hit, *each.also)):
        return tuple(results)
    names = dict(_known(outcomes))
    return tuple(
        replace(each, hit=_named(each.hit, names), also=tuple(_named(hit, names) for hit in each.also))
        for each in results
    )


def _known(outcomes: Iterable[Outcome]) -> Iterable[tuple[tuple[str, str], str]]:
    for hit in (hit for outcome in outcomes for listed in outcome.lists for hit in listed.hits):
        for person in (hit.author, hit.assignee):
            if person and person.native_id and person.name:
                yield (hit.source, person.native_id), person.name


def _mentions(hit: Hit) -> bool:
    return "@" in hit.snippet and MENTION.search(hit.snippet) is not None


def _named(hit: Hit, names: Mapping[tuple[str, str], str]) -> Hit:
    if not _mentions(hit):
        return hit

    def name_of(match: re.Match[str]) -> str:
        name = names.get((hit.source, match["id"]))
        return match[0] if name is None else f"@{name}"

    said = MENTION.sub(name_of, hit.snippet)
    return hit if said == hit.snippet else replace(hit, snippet=said)
