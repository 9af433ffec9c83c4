"""An answer in a terminal: what is said with its citations, then the ranked list, then the receipt."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text

from orchestrator.documents.answer import answer_document
from orchestrator.documents.plain import one_line
from orchestrator.documents.receipt import UNASKED, said_hits, shown_receipt
from orchestrator.documents.view import marked, view_of
from orchestrator.model import ANSWERED, Status
from orchestrator.surfaces.cli.plan_view import fact_row, native_text
from orchestrator.surfaces.cli.screen import (
    ACCENT,
    BAD,
    GOOD,
    QUIET,
    STRONG,
    WARN,
    Clipped,
    hanging,
    indented,
    joined,
    line,
    rule,
    styled,
)
from orchestrator.surfaces.cli.words import frame

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import tzinfo

    from rich.console import RenderableType

    from orchestrator.documents.answer import ClarificationDocument
    from orchestrator.documents.receipt import ShownSource
    from orchestrator.documents.view import ShownAnswer, ShownLine, ShownResult
    from orchestrator.model import Answer
    from translators.query import Query

QUESTION_LINES = 3
SNIPPET_LINES = 2
BEFORE_MATCH = 40  # characters of a snippet kept before its first keyword
CONFIDENCE_COLOURS = {"high": "green", "medium": "", "low": WARN, "none": WARN}


def answer_view(answer: Answer, zone: tzinfo | None) -> Iterator[RenderableType]:
    """The question, what of it is in doubt or asked back, what is said, the list, and what else one might ask. Dates are shown in ``zone``."""
    words = frame(answer.query.language)
    view = view_of(answer_document(answer))
    yield Clipped(line((one_line(answer.query.text), STRONG), ("  " + words[answer.query.type], QUIET)), QUESTION_LINES)
    for doubt in (*([view.taken] if view.taken else []), *view.doubts):
        yield indented(styled(doubt, WARN))
    yield ""
    yield from _asked_back(view, answer.query.language)
    yield from _said(view, words)
    yield ""
    for result in view.results:
        yield _result(result, answer.query, zone, words)
    yield from _follow_up(view, words)


def _said(view: ShownAnswer, words: Mapping[str, str]) -> Iterator[RenderableType]:
    if view.lines:
        yield indented(Group(*(_line(each, view.links, words) for each in view.lines)))
    elif not view.results:
        yield indented(styled(words["nothing"], WARN))
    if view.confidence:
        worded = words["worded"].format(model=one_line(view.worded_by)) if view.worded_by else ""
        level = line((f"{words['confidence']} ", QUIET), (words[view.confidence], CONFIDENCE_COLOURS[view.confidence]))
        yield indented(joined([level, styled(worded, QUIET)]))


def _line(said: ShownLine, links: Mapping[int, str], words: Mapping[str, str]) -> RenderableType:
    """Claims beside a bullet, contradictions beside what they are; what introduces or is missing without one."""
    shown = Text()
    for piece in said.pieces:
        shown.append_text(
            styled(piece.text, f"{STRONG} {ACCENT}", links[piece.cites]) if piece.cites else line(piece.text)
        )
    if said.part == "conflict":
        return hanging([(styled(words["conflict"], WARN), shown)])
    return hanging([(styled("•", QUIET), shown)], gap=1) if said.part == "claim" else shown


def _result(result: ShownResult, query: Query, zone: tzinfo | None, words: Mapping[str, str]) -> RenderableType:
    day = result.happened.astimezone(zone).date().isoformat() if result.happened else ""
    byline = joined([styled(each) for each in (result.source, result.place, result.author, result.state, day)])
    rows: list[RenderableType] = [styled(result.title, STRONG, result.link), byline] if result.title else [byline]
    if snippet := _snippet(result, query):
        rows.append(Clipped(snippet, SNIPPET_LINES))
    if result.why:
        rows.append(joined([styled(reason, QUIET) for reason in result.why]))
    if result.unverified:
        rows.append(line((f"{words['unverified']}: ", WARN), ", ".join(map(one_line, result.unverified))))
    rows += [
        line((f"{words['also']}: ", QUIET), joined([styled(also.source), styled(also.title, link=also.link)]))
        for also in result.also
    ]
    if result.related:
        rows.append(line((f"{words['matter']}: ", QUIET), " ".join(f"[{number}]" for number in result.related)))
    if address := result.url or result.path * (result.path != result.place):
        rows.append(styled(address, QUIET, result.link))
    return Group(hanging([(styled(f"{result.number:>2}", f"{STRONG} {ACCENT}"), Group(*rows))]), "")


def _snippet(result: ShownResult, query: Query) -> Text | None:
    """The part of the snippet around its first keyword, keywords in bold."""
    pieces = marked(one_line(result.snippet), query.keywords + query.phrases)
    text = "".join(each.text for each in pieces)
    first = next((sum(len(each.text) for each in pieces[:at]) for at, each in enumerate(pieces) if each.marked), 0)
    start = max(0, first - BEFORE_MATCH)
    start = text.find(" ", start) + 1 if start else 0
    shown = marked("…" + text[start:] if start else text, query.keywords + query.phrases)
    return Text.assemble(*((each.text, STRONG if each.marked else "") for each in shown)) if text else None


def _asked_back(view: ShownAnswer, language: str) -> Iterator[RenderableType]:
    if view.asked_back:
        yield styled(view.asked_back["question"], STRONG)
        yield indented(_bullets(_options(view.asked_back, language)))
        yield ""


def _follow_up(view: ShownAnswer, words: Mapping[str, str]) -> Iterator[RenderableType]:
    if view.suggestions:
        yield styled(words["try"], STRONG)
        yield indented(_bullets(view.suggestions))
        yield ""


def _options(asked: ClarificationDocument, language: str) -> list[str]:
    """Each as it can be typed, with where most of the results belong that mean it, and how many these are."""
    found = [
        (f" · {each['context']}" if each["context"] else "") + f" · {said_hits(each['count'], language)}"
        for each in asked["readings"]
    ]
    return [f"{option}{count}" for option, count in zip_longest(asked["options"], found, fillvalue="")]


def _bullets(texts: Sequence[str]) -> RenderableType:
    return hanging(((styled("•", QUIET), styled(text)) for text in texts), gap=1)


def receipt_view(answer: Answer, *, brief: bool = False) -> Iterator[RenderableType]:
    """Every configured source, asked or not, and the total. ``brief``: what was sent and went wrong."""
    words = frame(answer.query.language)
    yield rule(words["receipt"])
    for each in shown_receipt(answer_document(answer)):
        yield _heading(each)
        rows = [*_gist(each, words), *(map(fact_row, each.facts) if not brief else ())]
        if rows:
            yield indented(hanging(rows))
    for note in answer.notes:
        yield styled(note, QUIET)
    took = f"{answer.took:.2f}"
    total = words["total"].format(seconds=took, count=len(answer.results), sources=len(answer.outcomes))
    yield styled(total, QUIET)


def _heading(source: ShownSource) -> Text:
    word = styled(source.word, status_colour(Status(source.status)))
    return joined([styled(source.title, STRONG), word, *(styled(each, QUIET) for each in source.counts)])


def status_colour(status: Status) -> str:
    """What a status looks like, in every view."""
    if status is Status.EMPTY or status in UNASKED:
        return QUIET
    return GOOD if status is Status.OK else WARN if status in ANSWERED else BAD


def _gist(source: ShownSource, words: Mapping[str, str]) -> Iterator[tuple[Text, RenderableType]]:
    if source.problem:
        yield styled(words["problem"], QUIET if source.status in UNASKED else BAD), styled(source.problem)
    for number, native in enumerate(source.sent):
        yield styled("" if number else words["sent"], QUIET), native_text(native, words)
