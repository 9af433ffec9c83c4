"""People whom a text mentions by their id in its source (``@U01JWJ0A3``), shown by the name that the source has for them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from translators.patterns import regex

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Mapping, Sequence

    from connectors.contract import Hit
    from orchestrator.model import Outcome, Result

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
