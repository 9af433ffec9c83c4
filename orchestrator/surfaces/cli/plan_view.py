"""Shows a question taken apart, and what would be sent where, rung by rung."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from orchestrator.answer import slot_of
from orchestrator.documents.plain import one_line
from orchestrator.documents.plan import loss_document, native_document
from orchestrator.documents.receipt import said_losses
from orchestrator.surfaces.cli.documents import json_text
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
    rule,
    styled,
)
from orchestrator.surfaces.cli.words import frame, reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from rich.console import RenderableType

    from orchestrator.documents.plan import NativeDocument
    from orchestrator.documents.receipt import ReceiptFact
    from orchestrator.model import Plan, Rung, Skipped, Step
    from translators.query import Query, TypeScore, Window
    from translators.said import Phrasebook

QUESTION_LINES = 3


def question_view(query: Query) -> Iterator[RenderableType]:
    """Everything that was read out of the question; what was not there is left out."""
    words = frame(query.language)
    yield Clipped(styled(query.text, STRONG), QUESTION_LINES)
    yield ""
    facts = [(name, text) for name, text in _facts(query, words) if text]
    yield hanging((styled(words[name], QUIET), text) for name, text in facts)
    if query.doubts:
        yield ""
        yield hanging((styled(words["doubt"], WARN), styled(reason(doubt.message, words))) for doubt in query.doubts)


def _facts(query: Query, words: Phrasebook) -> Iterator[tuple[str, Text]]:
    yield "type", _type(query, words)
    slot = slot_of(query)
    yield "kind of answer", styled(words[f"answer {slot.kind}"])
    yield "entity", _list(slot.entity)
    yield "attribute", _list(slot.attribute)
    yield "constraint", _list(slot.constraint)
    yield "keywords", _list(query.keywords)
    yield "lesser", _list(f"{word} ({weight:.1f})" for word, weight in query.lesser)
    yield "variants", _list(f"{word} = {', '.join(others)}" for word, others in query.variants if others)
    yield "phrases", _list(f"“{phrase}”" for phrase in query.phrases)
    yield "projects", _list(f"{entity.name} ({entity.kind})" for entity in query.entities)
    yield "ids", _list(found.text for found in query.ids)
    yield "hints", _list(query.hints)
    yield "only", _list([f"{query.only.words} ({query.only.strength:.1f})"] if query.only else ())
    yield "sources", _list(query.sources)
    yield "author", styled(str(query.author)) if query.author else Text()
    yield "container", styled(str(query.container)) if query.container else Text()
    yield "kinds", _list(query.kinds)
    yield "window", styled(_window(query.window, words)) if query.window else Text()
    yield "negated", _list(query.negated)
    yield "mine", styled(words["yes"] if query.mine else "")
    yield "ambiguous", styled(words["yes"] if query.ambiguous else "")
    yield "meaning", styled(str(query.where), QUIET)
    yield "implied", _list(f"{each.clause} ({each.strength:.1f}: “{each.words}”)" for each in query.implied)


def _type(query: Query, words: Phrasebook) -> Text:
    shown = styled(words[query.type], STRONG)
    if scores := [score for score in query.scores if score.score > 0][:3]:
        shown.append("  ")
        shown.append_text(styled(" · ".join(_score(score, words) for score in scores), QUIET))
    return shown


def _score(score: TypeScore, words: Phrasebook) -> str:
    reasons = f" ({', '.join(score.words)})" if score.words else ""
    return f"{words[score.type]} {score.score:.2f}{reasons}"


def _window(window: Window, words: Phrasebook) -> str:
    start = words["from"].format(start=window.start) if window.start else ""
    end = words["until"].format(end=window.end) if window.end else ""
    said = f" “{window.words}”" if window.words else ""
    return f"{start} {end}".strip() + said


def _list(items: Iterable[str]) -> Text:
    return styled(", ".join(map(str, items)))


def plan_view(plan: Plan) -> Iterator[RenderableType]:
    """Every source's native queries from the question as asked to the broadest, then who is not asked and why."""
    words = frame(plan.query.language)
    yield rule(words["plan"])
    for step in plan.steps:
        yield ""
        yield _heading(step, words)
        for number, rung in enumerate(step.rungs, 1):
            yield indented(_rung(number, rung, words))
    if plan.skipped:
        yield ""
        yield from skipped_view(plan.skipped, words)


def skipped_view(skipped: Iterable[Skipped], words: Phrasebook) -> Iterator[RenderableType]:
    """Sources that are not asked, and why."""
    for each in skipped:
        state = words["not connected"] if each.status == "not connected" else words["skipped"]
        yield joined([styled(each.title, STRONG), styled(state, QUIET)], "  ")
        yield indented(styled(reason(each.reason, words), QUIET))


def native_text(native: NativeDocument, words: Mapping[str, str]) -> Text:
    """A native query as one would type it, its structured part as JSON."""
    parts = [styled(native["text"], ACCENT)] if native["text"] else []
    parts += [
        line((f"{name} ", QUIET), (json_text(value, indent=None), ACCENT)) for name, value in native["args"].items()
    ]
    return joined(parts) if parts else styled(words["everything"], QUIET)


def fact_row(fact: ReceiptFact) -> tuple[Text, Text]:
    """What is told of a source, beside what it tells of."""
    aside = f" — {one_line(fact.aside)}" if fact.aside else ""
    return styled(fact.name, WARN if fact.is_loss else QUIET), line(one_line(fact.text), (aside, QUIET))


def rung_label(dropped: Sequence[str], words: Phrasebook) -> str:
    """What this rung of the broadening ladder gave up."""
    return words["without"].format(dropped=", ".join(dropped)) if dropped else words["as asked"]


def _heading(step: Step, words: Phrasebook) -> Text:
    weight = words["weight"].format(weight=f"{step.weight:g}") if step.weight != 1 else ""
    return joined([styled(step.title, STRONG), styled(step.category, QUIET), styled(weight, QUIET)])


def _rung(number: int, rung: Rung, words: Phrasebook) -> RenderableType:
    rows: list[tuple[Text, RenderableType]] = [
        (styled(f"{number}", QUIET), styled(rung_label(rung.dropped, words), QUIET))
    ]
    rows += [(Text(), native_text(native_document(each.native), words)) for each in rung.translations]
    if notes := [
        *map(fact_row, said_losses((loss_document(loss) for each in rung.translations for loss in each.losses), words)),
        *_checks(rung, words),
    ]:
        rows.append((Text(), indented(hanging(notes))))
    return hanging(rows)


def _checks(rung: Rung, words: Phrasebook) -> Iterator[tuple[Text, Text]]:
    """What is checked here without being named as a loss."""
    for each in rung.translations[:1]:
        if each.residual is not None and not any(loss.kind == "checked here" for loss in each.losses):
            yield styled(words["checked here"], QUIET), styled(str(each.residual))
