"""Shows the receipt: what each source was sent, what it returned, what was left out, what went wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.documents.answer import answer_document
from orchestrator.documents.receipt import UNASKED, shown_receipt
from orchestrator.model import ANSWERED, Status
from orchestrator.surfaces.cli.plan_view import fact_row, native_text
from orchestrator.surfaces.cli.screen import (
    BAD,
    GOOD,
    QUIET,
    STRONG,
    WARN,
    hanging,
    indented,
    joined,
    rule,
    styled,
)
from orchestrator.surfaces.cli.words import frame

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rich.console import RenderableType
    from rich.text import Text

    from orchestrator.documents.receipt import ShownSource
    from orchestrator.model import Answer


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
