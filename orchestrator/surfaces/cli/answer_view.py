"""Shows an answer: the summary with its citations, then the ranked list."""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text

from orchestrator.dialogue import taken_as
from orchestrator.documents.plain import one_line, safe_link
from orchestrator.documents.words import said_state
from orchestrator.surfaces.cli.screen import (
    ACCENT,
    QUIET,
    STRONG,
    WARN,
    Clipped,
    hanging,
    indented,
    joined,
    line,
    styled,
)
from orchestrator.surfaces.cli.words import frame
from translators.said import said_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime, tzinfo

    from rich.console import RenderableType

    from connectors.contract import Hit
    from orchestrator.model import Answer, Clarification, Result, Statement, Step
    from translators.query import Container, Person, Query

CITATION = re.compile(r"\[(\d{1,3})\]")
BARE_ID = re.compile(r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}")
QUESTION_LINES = 3
SNIPPET_LINES = 2
BEFORE_MATCH = 40  # characters of a snippet kept before its first keyword
MADE_ONCE = frozenset({"message", "thread", "mail", "event"})  # dated by when they were sent, not by later edits
CONFIDENCE_COLOURS = {"high": "green", "medium": "", "low": WARN, "none": WARN}


def answer_view(answer: Answer, zone: tzinfo | None) -> Iterator[RenderableType]:
    """The question, what is asked back, the summary, what differs, the list, and what else one might ask. Dates are shown in ``zone``."""
    words = frame(answer.query.language)
    yield Clipped(line((one_line(answer.query.text), STRONG), ("  " + words[answer.query.type], QUIET)), QUESTION_LINES)
    if answer.follow:
        yield indented(styled(said_in(taken_as(answer.follow, answer.query.text), answer.query.language), WARN))
    yield ""
    yield from _asked_back(answer, words)
    yield from _summary(answer, words)
    yield ""
    for result in answer.results:
        yield _result(result.number, result, answer, zone)
    yield from _follow_up(answer, words)


def _summary(answer: Answer, words: Mapping[str, str]) -> Iterator[RenderableType]:
    links = {citation.number: citation.result.hit.url for citation in answer.citations}
    if answer.statements:
        yield indented(Group(*(_statement(each, links) for each in answer.statements)))
    elif answer.summary:
        yield indented(_cited(one_line(answer.summary), links))
    elif not answer.results:
        yield indented(styled(words["nothing"], WARN))
    for conflict in answer.conflicts:
        yield indented(hanging([(styled(words["conflict"], WARN), _cited(one_line(conflict), links))]))
    if answer.results:
        yield indented(_confidence(answer, words))


def _statement(statement: Statement, links: Mapping[int, str]) -> RenderableType:
    """Claims beside a bullet; what introduces them, and remarks about what is missing, without one."""
    shown = _cited(one_line(statement.text), links)
    return hanging([(styled("•", QUIET), shown)], gap=1) if statement.part == "claim" else shown


def _cited(text: str, links: Mapping[int, str]) -> Text:
    """``[n]`` stands out, and leads to what it cites where the terminal can do that; a number nobody cites does not."""
    shown = Text()
    at = 0
    for match in CITATION.finditer(text):
        number = int(match[1])
        if number in links:
            shown.append(text[at : match.start()])
            shown.append_text(styled(match[0], f"{STRONG} {ACCENT}", links[number]))
            at = match.end()
    shown.append(text[at:])
    return shown


def _confidence(answer: Answer, words: Mapping[str, str]) -> Text:
    level = answer.confidence
    worded = words["worded"].format(model=one_line(answer.worded_by)) if answer.worded_by else ""
    shown = line((f"{words['confidence']} ", QUIET), (words[level], CONFIDENCE_COLOURS[level]))
    return joined([shown, styled(worded, QUIET)]) if worded else shown


def _result(number: int, result: Result, answer: Answer, zone: tzinfo | None) -> RenderableType:
    words = frame(answer.query.language)
    steps = {step.source: step for step in answer.plan.steps}
    hit = result.hit
    byline = _byline(hit, steps.get(hit.source), zone, words)
    rows: list[RenderableType] = [styled(hit.title, STRONG, hit.url), byline] if one_line(hit.title) else [byline]
    if snippet := _snippet(hit, answer.query):
        rows.append(Clipped(snippet, SNIPPET_LINES))
    if result.why:
        rows.append(joined([styled(reason, QUIET) for reason in result.why]))
    if result.unverified:
        rows.append(line((f"{words['unverified']}: ", WARN), ", ".join(map(one_line, result.unverified))))
    rows += [
        line((f"{words['also']}: ", QUIET), joined([styled(_title(also, steps.get(also.source))), styled(also.title)]))
        for also in result.also
    ]
    if related := _related(result, answer):
        rows.append(line((f"{words['matter']}: ", QUIET), related))
    if address := hit.address:
        rows.append(styled(address, QUIET, safe_link(address) or ""))
    return Group(hanging([(styled(f"{number:>2}", f"{STRONG} {ACCENT}"), Group(*rows))]), "")


def _related(result: Result, answer: Answer) -> str:
    """The numbers of the listed results that are about the same matter."""
    related = frozenset(result.related)
    return " ".join(f"[{each.number}]" for each in answer.results if (each.hit.source, each.hit.id) in related)


def _byline(hit: Hit, step: Step | None, zone: tzinfo | None, words: Mapping[str, str]) -> Text:
    parts = [
        _title(hit, step),
        _place(hit, step),
        _known(hit.author),
        one_line(said_state(hit.state, hit.facts, words)),
        _day(hit, zone),
    ]
    return joined([styled(part) for part in parts if part])


def _title(hit: Hit, step: Step | None) -> str:
    return step.title if step else hit.source


def _place(hit: Hit, step: Step | None) -> str:
    name = _known(hit.container)
    return f"#{name}" if name and step and step.category == "chat" else name


def _known(named: Person | Container | None) -> str:
    """The name. An id that its source gave no name for tells a reader nothing."""
    name = one_line(str(named)) if named else ""
    return "" if BARE_ID.fullmatch(name) else name


def _day(hit: Hit, zone: tzinfo | None) -> str:
    moment: datetime | None = hit.created or hit.updated if hit.kind in MADE_ONCE else hit.updated or hit.created
    return moment.astimezone(zone).date().isoformat() if moment else ""


def _snippet(hit: Hit, query: Query) -> Text | None:
    """The part of the snippet around its first keyword, keywords in bold. Nothing where it only repeats the title."""
    text = one_line(hit.snippet)
    if not text or text == one_line(hit.title):
        return None
    wanted = _pattern(query.keywords + query.phrases)
    first = wanted.search(text) if wanted else None
    start = max(0, first.start() - BEFORE_MATCH) if first else 0
    start = text.find(" ", start) + 1 if start else 0
    shown = Text("…" + text[start:] if start else text)
    if wanted:
        for match in wanted.finditer(shown.plain):
            shown.stylize(STRONG, *match.span())
    return shown


def _pattern(words: Sequence[str]) -> re.Pattern[str] | None:
    said = sorted({word for word in words if len(word) > 1}, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, said)), re.IGNORECASE) if said else None


def _asked_back(answer: Answer, words: Mapping[str, str]) -> Iterator[RenderableType]:
    if answer.clarification:
        yield styled(answer.clarification.question, STRONG)
        yield indented(_bullets(_options(answer.clarification, words)))
        yield ""


def _follow_up(answer: Answer, words: Mapping[str, str]) -> Iterator[RenderableType]:
    if answer.suggestions:
        yield styled(words["try"], STRONG)
        yield indented(_bullets(answer.suggestions))
        yield ""


def _options(asked: Clarification, words: Mapping[str, str]) -> list[str]:
    """Each as it can be typed, with where most of the results belong that mean it, and how many these are."""
    found = [
        f"{f' · {each.context}' if each.context else ''} · "
        f"{words['hit'] if each.count == 1 else words['hits'].format(count=each.count)}"
        for each in asked.readings
    ]
    return [f"{option}{count}" for option, count in zip_longest(asked.options, found, fillvalue="")]


def _bullets(texts: Sequence[str]) -> RenderableType:
    return hanging(((styled("•", QUIET), styled(text)) for text in texts), gap=1)
