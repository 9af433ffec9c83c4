"""The one view of an answer: what is said in which order, and the numbers it goes by. Each surface puts it into its own markup.

A number is the place of a result in the list, so that numbers follow the order shown on every surface, after a reload too.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from connectors.text import known_name
from orchestrator.documents.plain import link_of, one_line
from orchestrator.documents.words import VALUES, said_state
from translators.match import CREATED_ONCE
from translators.records import record
from translators.said import Phrasebook

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from orchestrator.documents.answer import AnswerDocument, ClarificationDocument, HitDocument, ResultDocument

CITATION = re.compile(r"\[(\d{1,3})\]")
QUOTED = re.compile(r"(?P<by>[^“”]{1,200}): “(?P<quote>.+)”(?P<cited>(?:\s*\[\d{1,3}\])+)", re.DOTALL)
LONGEST_NAME = 120  # characters of a text that stands for a missing title


class MarkedText(NamedTuple):
    """A stretch of text; ``marked``: words of the question; ``cites``: the number that it cites, 0 for none."""

    text: str
    marked: bool = False
    cites: int = 0


@record
class ShownLine:
    """One line of an answer: ``part`` is lead, claim, conflict or remark. ``by``: who wrote the words of a mere quote, when and where."""

    part: str
    pieces: tuple[MarkedText, ...]
    numbers: tuple[int, ...] = ()
    by: str = ""

    @property
    def quote(self) -> tuple[MarkedText, ...]:
        """The words alone where the line is a quote, else the whole."""
        return self.pieces[1:2] if self.by else self.pieces

    @property
    def text(self) -> str:
        """Without the numbers that it cites."""
        return " ".join("".join(each.text for each in self.pieces if not each.cites).split())


@record
class AlsoShown:
    """The same thing in another place."""

    source: str
    title: str
    link: str


@record
class ShownResult:
    """A result: ``title`` is empty for what has none, ``link`` where a browser may not go to its ``url``; ``path``: where a file lies that has none.

    ``happened``: when it was sent or last changed. ``quote``: what the answer quotes of it; both it and ``snippet`` are empty where
    they only repeat the title. ``related``: the numbers of results about the same matter.
    """

    number: int
    source: str
    title: str
    url: str
    link: str
    path: str
    author: str
    place: str
    state: str
    happened: datetime | None
    snippet: str
    quote: str
    why: tuple[str, ...]
    unverified: tuple[str, ...]
    also: tuple[AlsoShown, ...]
    related: tuple[int, ...]

    @property
    def name(self) -> str:
        """Its title; what has none is called by its text, or by where it is."""
        return self.title or _short(one_line(self.snippet)) or self.path


@record
class ShownAnswer:
    """An answer in the order in which it is read.

    ``taken``: how a question was understood that goes on from another; ``doubts``: what of it was not taken at its word, or what it
    names and nobody has.
    """

    taken: str
    doubts: tuple[str, ...]
    asked_back: ClarificationDocument | None
    lines: tuple[ShownLine, ...]
    results: tuple[ShownResult, ...]
    confidence: str
    worded_by: str
    suggestions: tuple[str, ...]

    @property
    def links(self) -> Mapping[int, str]:
        """Where each number leads."""
        return {each.number: each.link for each in self.results}


def view_of(answer: AnswerDocument, language: str = "") -> ShownAnswer:
    """The view of an answer; ``language``: of names for states, by default that of the question."""
    places = {result["number"]: place for place, result in enumerate(answer["results"], 1)}
    doubts, lines = _lines(answer, places)
    return ShownAnswer(
        taken=answer["follow"]["taken"] if answer["follow"] else "",
        doubts=doubts,
        asked_back=answer["clarification"],
        lines=lines,
        results=tuple(_results(answer, places, Phrasebook(VALUES, language or answer["question"]["language"]))),
        confidence=answer["confidence"] if answer["results"] else "",
        worded_by=answer["worded_by"],
        suggestions=tuple(answer["suggestions"]),
    )


def marked(text: str, words: Sequence[str]) -> tuple[MarkedText, ...]:
    """The text with these words marked, whatever their case."""
    wanted = sorted({word for word in words if len(word) > 1}, key=len, reverse=True)
    if not wanted:
        return (MarkedText(text),)
    parts = re.split(f"({'|'.join(map(re.escape, wanted))})", text, flags=re.IGNORECASE)
    return tuple(MarkedText(part, bool(number % 2)) for number, part in enumerate(parts) if part)


def line_of(part: str, text: str, places: Mapping[int, int], numbers: Collection[int]) -> ShownLine:
    """A line with those of its bracketed ``numbers`` as citations that have a place; any other number is text."""
    said, by, end = one_line(text), "", 0
    if part == "claim" and (found := QUOTED.fullmatch(said)):
        by, end = found["by"], found.start("cited")
    pieces = _cited(said[end:], places, numbers)
    cites = tuple(each.cites for each in pieces if each.cites)
    if by:
        pieces = (MarkedText(f"{by}: "), MarkedText(said[len(by) + 2 : end]), *pieces)
    return ShownLine(part, pieces, cites, by)


def _lines(answer: AnswerDocument, places: Mapping[int, int]) -> tuple[tuple[str, ...], tuple[ShownLine, ...]]:
    """What is in doubt, and the lines: what is claimed, what contradicts that, remarks on the search."""
    told = [line_of(each["part"], each["text"], places, each["numbers"]) for each in answer["statements"]]
    if not told and answer["summary"]:
        told = [line_of("lead", answer["summary"], places, [each["number"] for each in answer["citations"]])]
    first = next((at for at, each in enumerate(told) if each.part != "remark"), 0)
    doubts = [one_line(each["message"]) for each in answer["question"]["doubts"]]
    conflicts = [line_of("conflict", each, places, places) for each in answer["conflicts"]]
    claimed = [each for each in told[first:] if each.part != "remark"]
    remarks = [each for each in told[first:] if each.part == "remark"]
    return (*doubts, *(each.text for each in told[:first])), (*claimed, *conflicts, *remarks)


def _cited(text: str, places: Mapping[int, int], numbers: Collection[int]) -> tuple[MarkedText, ...]:
    pieces, at = [], 0
    for match in CITATION.finditer(text):
        if (number := int(match[1])) in numbers and number in places:
            pieces += [MarkedText(text[at : match.start()]), MarkedText(f"[{places[number]}]", cites=places[number])]
            at = match.end()
    return tuple(each for each in (*pieces, MarkedText(text[at:])) if each.text)


def _results(answer: AnswerDocument, places: Mapping[int, int], words: Mapping[str, str]) -> Iterator[ShownResult]:
    sources = {each["source"]: (each["title"], each["category"]) for each in answer["sources"]}
    quotes = {each["number"]: each["quote"] for each in answer["citations"]}
    named = {(each["source"], each["id"]): places[each["number"]] for each in answer["results"]}
    for result in answer["results"]:
        title = one_line(result["title"])
        source, category = sources.get(result["source"], (result["source"], None))
        path = "" if result["url"] else one_line(str(result["facts"].get("path", "")))
        container = known_name(one_line(result["container"] or ""))
        yield ShownResult(
            number=places[result["number"]],
            source=source,
            title=title,
            url=one_line(result["url"]),
            link=link_of(result["url"]),
            path=path,
            author=known_name(one_line(result["author"] or "")),
            place=f"#{container}" if container and category == "chat" else container or path,
            state=one_line(said_state(result["state"], result["facts"], words)),
            happened=_happened(result),
            snippet=_besides(result["snippet"], title),
            quote=_besides(one_line(quotes.get(result["number"], "")), title),
            why=tuple(result["why"]),
            unverified=tuple(result["unverified"]),
            also=tuple(_also(each, sources) for each in result["also"]),
            related=tuple(named[key] for each in result["related"] if (key := (each["source"], each["id"])) in named),
        )


def _also(hit: HitDocument, sources: Mapping[str, tuple[str, str | None]]) -> AlsoShown:
    source = sources.get(hit["source"], (hit["source"], None))[0]
    title = one_line(hit["title"]) or _short(one_line(hit["snippet"])) or one_line(hit["id"])
    return AlsoShown(source, title, link_of(hit["url"]))


def _happened(hit: ResultDocument) -> datetime | None:
    """As :func:`translators.match.happened`."""
    made, changed = hit["created"], hit["updated"]
    text = (made or changed) if hit["kind"] in CREATED_ONCE else (changed or made)
    return datetime.fromisoformat(text) if text else None


def _besides(text: str, title: str) -> str:
    return "" if one_line(text) == title else text


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_NAME else text[: LONGEST_NAME - 1].rstrip() + "…"
