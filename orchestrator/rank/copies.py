"""Stage: what one source has several times, word for word, under titles of which one says that it is a copy, becomes one result."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from orchestrator.rank.duplicates import merge
from orchestrator.rank.lexical import folded_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from orchestrator.model import Ranking, Result
    from orchestrator.rank.config import Twins
    from orchestrator.rank.stage import RankContext


def merge_copies(ranking: Ranking, context: RankContext) -> Ranking:
    """Merge copies with what they were made of, which speaks for them.

    The same words alone are no proof: a report that is written by a template says the same each week, and a program tells every
    channel alike.
    """
    least = context.config.twins.words
    alike: dict[tuple[str, str] | int, list[Result]] = {}
    texts = context.texts([result.hit for result in ranking.results])
    for at, (result, text) in enumerate(zip(ranking.results, texts, strict=True)):
        body = text.body if result.hit.title else ""
        key = (result.hit.source, body) if body.count(" ") > least else at
        alike.setdefault(key, []).append(result)
    if len(alike) == len(ranking.results):
        return ranking
    merged = (each for group in alike.values() for each in _copies(group, context))
    return replace(ranking, results=tuple(merged))


def _copies(alike: list[Result], context: RankContext) -> Iterator[Result]:
    """Of results with the same words, those that are copies as one."""
    if len(alike) == 1:
        yield alike[0]
        return
    named: dict[str, list[tuple[bool, Result]]] = {}
    for result in alike:
        original, is_copy = original_title(result.hit.title, context.config.twins)
        named.setdefault(original, []).append((is_copy, result))
    for members in named.values():
        if any(is_copy for is_copy, _ in members):
            yield merge([each for _, each in members], context, last=[each.hit for is_copy, each in members if is_copy])
        else:
            yield from (each for _, each in members)


def original_title(title: str, worth: Twins) -> tuple[str, bool]:
    """The words of a title without what says that this is a copy, and whether anything says so."""
    numbered, _, number = title.rstrip().removesuffix(")").rpartition("(")
    is_numbered = title.rstrip().endswith(")") and number.isdecimal() and bool(numbered.strip())
    said = " ".join(folded_words(numbered if is_numbered else title))
    for mark in worth.copies_begin:
        if said.startswith(f"{mark} "):
            return said.removeprefix(f"{mark} "), True
    for mark in worth.copies_end:
        if said.endswith(mark) and len(said) > len(mark):
            return said.removesuffix(mark).rstrip(), True
    return said, is_numbered
