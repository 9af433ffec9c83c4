"""Findings as somebody wants to read them: a quick answer, a deep dive, a list to go on from. Pure.

A format makes blocks; Markdown is made of them here, a terminal's page by the command line. Every format ends with its
sources.
"""

from __future__ import annotations

from enum import StrEnum
from itertools import groupby
from typing import TYPE_CHECKING

from orchestrator.commanding import commands
from orchestrator.websearch import wording
from orchestrator.websearch.excerpts import choose, clipped, sentences
from orchestrator.websearch.markdown import as_code, as_link, as_text
from orchestrator.websearch.strategies import next_tiers
from translators.records import record
from translators.said import said_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from orchestrator.websearch.config import Strategies
    from orchestrator.websearch.results import Findings, WebResult

QUICK_SENTENCES = 3
POINTS = 3  # of each result of a deep dive
SENTENCE = 240  # characters of a quoted sentence
EXPLORE = 6  # ways to go on
OFFICIAL, COMMUNITY = 1, 3  # tiers


class Format(StrEnum):
    """How findings are shown."""

    QUICK = "quick"
    DEEP = "deep"
    PROGRESSIVE = "progressive"


@record
class Heading:
    """What the following is."""

    text: str


@record
class Prose:
    """Quoted sentences, each with the number of its source; none for our own words."""

    sentences: tuple[tuple[str, int | None], ...]


@record
class Entry:
    """One result: its number, where it leads, what is known of it, what it says."""

    number: int
    title: str
    url: str
    facts: tuple[str, ...] = ()
    summary: str = ""
    points: tuple[str, ...] = ()


@record
class Suggestions:
    """Queries that one may go on with, and for each what it brings."""

    entries: tuple[tuple[str, str], ...]


Block = Heading | Prose | Entry | Suggestions


def blocks(findings: Findings, shape: Format, numbers: Strategies | None = None) -> tuple[Block, ...]:
    """``findings`` in a shape, in the query's language. ``numbers``: what a progressive list offers to go on with."""
    language = findings.query.language
    numbered = tuple(enumerate(findings.results, 1))
    if not numbered:
        return (Prose(((said_in(wording.NOTHING, language), None),)),)
    if shape is Format.QUICK:
        return (*_quick(findings, language), *_sources(numbered, language, tiers=True))
    if shape is Format.DEEP:
        return (*_deep(findings, language), *_sources(numbered, language, tiers=False))
    return (*_progressive(findings, language, numbers), *_sources(numbered, language, tiers=False))


def _quick(findings: Findings, language: str) -> Iterator[Block]:
    """Two or three sentences, from different results as far as there are such."""
    told = [
        (clipped(sentence, SENTENCE), number)
        for number, result in enumerate(findings.results, 1)
        for sentence in _says(findings, result, QUICK_SENTENCES)
    ]
    first_of_each = {number: (sentence, number) for sentence, number in reversed(told)}
    chosen = sorted(first_of_each.values(), key=lambda each: each[1])[:QUICK_SENTENCES]
    chosen += [each for each in told if each not in chosen][: max(0, 2 - len(chosen))]
    yield Prose(tuple(chosen) or ((said_in(wording.NO_TEXT, language), None),))


def _says(findings: Findings, result: WebResult, most: int) -> tuple[str, ...]:
    """Sentences of the page, or else of the snippet, those first that the query is about; none that gives the reader orders."""
    said = sentences(findings.content(result) or result.snippet)
    whole = "\n".join(each for each in said if not commands(each))
    return choose(whole, findings.query.text, most).sentences


def _deep(findings: Findings, language: str) -> Iterator[Block]:
    numbered = list(enumerate(findings.results, 1))
    for tier, group in groupby(sorted(numbered, key=lambda each: each[1].tier), key=lambda each: each[1].tier):
        yield Heading(wording.tier_heading(tier, language))
        for number, result in group:
            caution = (said_in(wording.CAUTION, language),) if tier == COMMUNITY else ()
            facts = (*_facts(result, language, tier=False), *caution)
            yield Entry(number, result.title, result.url, facts, *_gist(findings, result))


def _gist(findings: Findings, result: WebResult) -> tuple[str, tuple[str, ...]]:
    """A summary and further points: of a page that was read its own words, else the sentences of the snippet."""
    said = tuple(clipped(each, SENTENCE) for each in _says(findings, result, POINTS + 1))
    if findings.content(result) and result.snippet:
        return result.snippet, said[:POINTS]
    return (said[0], said[1:]) if said else ("", ())


def _progressive(findings: Findings, language: str, numbers: Strategies | None) -> Iterator[Block]:
    for number, result in enumerate(findings.results, 1):
        yield Entry(number, result.title, result.url, _facts(result, language, tier=True), result.snippet)
    yield Heading(said_in(wording.EXPLORE, language))
    yield Suggestions(tuple(_ways_on(findings, language, numbers))[:EXPLORE] if numbers else ())


def _ways_on(findings: Findings, language: str, numbers: Strategies) -> Iterator[tuple[str, str]]:
    """What has not been asked yet: the official in detail, what the community says, keywords with wider tiers."""
    wider = wording.with_tiers(next_tiers(findings.tiers), language)
    rows = (
        (numbers.again[OFFICIAL], said_in(wording.OFFICIAL, language)),
        (numbers.again[COMMUNITY], said_in(wording.COMMUNITY, language)),
    )
    for row, brings in (*rows, *((each, wider) for each in numbers.progressive.feedback)):
        keyword = row.ko if language == "ko" else row.en
        if keyword.casefold() not in f"{findings.query.text} {findings.keyword}".casefold():
            yield f"{findings.query.text} {keyword}", brings


def _sources(numbered: Iterable[tuple[int, WebResult]], language: str, *, tiers: bool) -> Iterator[Block]:
    yield Heading(said_in(wording.SOURCES, language))
    for number, result in numbered:
        yield Entry(number, result.title, result.url, _facts(result, language, tier=True) if tiers else ())


def _facts(result: WebResult, language: str, *, tier: bool) -> tuple[str, ...]:
    told = (wording.tier_name(result.tier, language),) if tier else ()
    day = (result.published.date().isoformat(),) if result.published else ()
    return (*told, wording.reliability(result.reliability, language), said_in(result.verdict.reason, language), *day)


# ---- Markdown


def markdown(shown: Iterable[Block]) -> str:
    """CommonMark; nothing that came from the web is more than text in it."""
    return "\n\n".join(filter(None, map(_markdown, shown))) + "\n"


def _markdown(block: Block) -> str:
    if isinstance(block, Heading):
        return f"## {as_text(block.text)}"
    if isinstance(block, Prose):
        return " ".join(as_text(text) + (f" \\[{number}\\]" if number else "") for text, number in block.sentences)
    if isinstance(block, Suggestions):
        return "\n".join(f"- {as_code(query)}: {as_text(brings)}" for query, brings in block.entries)
    facts = " · ".join(map(as_text, block.facts))
    lines = [f"{block.number}. {as_link(block.title, block.url)}" + (f" ({facts})" if facts else "")]
    indent = " " * len(f"{block.number}. ")
    lines += [f"\n{indent}{as_text(block.summary)}"] if block.summary else []
    lines += ["", *(f"{indent}- {as_text(point)}" for point in block.points)] if block.points else []
    return "\n".join(lines)
