"""Shows the receipt: what each source was sent, what it returned, what was left out, what went wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from orchestrator.answer import receipt
from orchestrator.documents.receipt import widened
from orchestrator.documents.words import said_notes
from orchestrator.model import ANSWERED, Status
from orchestrator.surfaces.cli.plan_view import loss_rows, native_text
from orchestrator.surfaces.cli.screen import (
    BAD,
    GOOD,
    QUIET,
    STRONG,
    WARN,
    hanging,
    indented,
    joined,
    line,
    rule,
    styled,
)
from orchestrator.surfaces.cli.words import frame
from translators.said import said_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType

    from orchestrator.answer import ReceiptLine
    from orchestrator.model import Answer, Outcome
    from translators.said import Phrasebook

Row = tuple[Text, "RenderableType"]
UNASKED = frozenset({Status.SKIPPED, Status.NOT_CONNECTED})


def receipt_view(answer: Answer, *, brief: bool = False) -> Iterator[RenderableType]:
    """Every configured source, asked or not, and the total. ``brief``: what was sent and went wrong."""
    words = frame(answer.query.language)
    outcomes = {outcome.source: outcome for outcome in answer.outcomes}
    yield rule(words["receipt"])
    for each in receipt(answer):
        yield _heading(each, words)
        rows = list(_gist(each, outcomes.get(each.source), words))
        if not brief:
            rows += _details(each, words)
        if rows:
            yield indented(hanging(rows))
    for note in answer.notes:
        yield styled(note, QUIET)
    took = f"{answer.took:.2f}"
    total = words["total"].format(seconds=took, count=len(answer.results), sources=len(answer.outcomes))
    yield styled(total, QUIET)


def _heading(entry: ReceiptLine, words: Phrasebook) -> Text:
    if entry.status in UNASKED:
        return joined([styled(entry.title, STRONG), styled(_status(entry, words), QUIET)])
    count = words["hit"] if entry.returned == 1 else words["hits"].format(count=entry.returned)
    return joined(
        [
            styled(entry.title, STRONG),
            styled(_status(entry, words), status_colour(entry.status)),
            styled(count if entry.returned else ""),
            styled(words["listed"].format(count=entry.shown) if entry.returned else ""),
            styled(words["took"].format(seconds=f"{entry.took:.2f}"), QUIET),
            styled(words["requests"].format(count=entry.requests) if entry.requests > 1 else "", QUIET),
        ]
    )


def _status(entry: ReceiptLine, words: Phrasebook) -> str:
    return words["skipped"] if entry.status is Status.SKIPPED else words[entry.status]


def status_colour(status: Status) -> str:
    """What a status looks like, in every view."""
    if status is Status.EMPTY:
        return QUIET
    return GOOD if status is Status.OK else WARN if status in ANSWERED else BAD


def _gist(entry: ReceiptLine, outcome: Outcome | None, words: Phrasebook) -> Iterator[Row]:
    if entry.problem:
        yield styled(words["problem"], QUIET if entry.status in UNASKED else BAD), styled(entry.problem)
    for number, native in enumerate(outcome.sent if outcome else ()):
        yield styled("" if number else words["sent"], QUIET), native_text(native)


def _details(entry: ReceiptLine, words: Phrasebook) -> Iterator[Row]:
    if entry.total is not None and entry.total > entry.returned:
        yield styled(words["seen"], QUIET), styled(words["of"].format(returned=entry.returned, total=entry.total))
    if entry.covers is not None:
        yield styled(words["covers"], QUIET), styled(" – ".join(dict.fromkeys(entry.covers)))
    if entry.age is not None:
        yield styled(words["remembered"], QUIET), styled(words["ago"].format(seconds=f"{entry.age:.0f}"))
    for label, found in widened((each.label, each.rung, each.returned) for each in entry.asked).items():
        count = words["hit"] if found == 1 else words["hits"].format(count=found)
        yield styled(words["widened"], QUIET), line(said_in(label, words.language), (f" · {count}", QUIET))
    for left in entry.left_out:
        yield styled(words["left out"], QUIET), styled(f"{left.count} × {left.reason}")
    yield from loss_rows(entry.losses, words)
    for note in said_notes(entry.notes, words.language):
        yield styled(words["note"], QUIET), styled(note)
