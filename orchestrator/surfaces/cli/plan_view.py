"""Shows what would be sent where, rung by rung."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from orchestrator.documents.plan import native_document
from orchestrator.surfaces.cli.plain import json_text
from orchestrator.surfaces.cli.screen import ACCENT, QUIET, STRONG, WARN, hanging, indented, joined, line, rule, styled
from orchestrator.surfaces.cli.words import frame, reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from rich.console import RenderableType

    from orchestrator.model import Plan, Rung, Skipped, Step
    from translators.said import Said
    from translators.translator import Loss, NativeQuery


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


def skipped_view(skipped: Iterable[Skipped], words: Mapping[str, str]) -> Iterator[RenderableType]:
    """Sources that are not asked, and why."""
    for each in skipped:
        state = words["not connected"] if each.status == "not connected" else words["skipped"]
        yield joined([styled(each.title, STRONG), styled(state, QUIET)], "  ")
        yield indented(styled(reason(each.reason, words), QUIET))


def native_text(native: NativeQuery) -> Text:
    """A native query as one would type it, its structured part as JSON."""
    args = native_document(native)["args"]
    parts = [styled(native.text, ACCENT)] if native.text else []
    parts += [line((f"{name} ", QUIET), (json_text(value, indent=None), ACCENT)) for name, value in args.items()]
    return joined(parts) if parts else styled(str(native), QUIET)


def loss_rows(losses: Iterable[Loss], words: Mapping[str, str]) -> Iterator[tuple[Text, Text]]:
    """What became of the conditions that a source cannot take as they are meant; those of one fate share a line."""
    fates: dict[tuple[str, Said], list[str]] = {}
    for loss in losses:
        named = fates.setdefault((loss.kind, loss.why), [])
        named += [] if loss.what in named else [loss.what]
    for (kind, why), named in fates.items():
        yield (
            styled(words[kind], WARN if kind == "dropped" else QUIET),
            line(", ".join(named), (f" — {reason(why, words)}", QUIET)),
        )


def rung_label(dropped: Sequence[str], words: Mapping[str, str]) -> str:
    """What this rung of the broadening ladder gave up."""
    return words["without"].format(dropped=", ".join(dropped)) if dropped else words["as asked"]


def _heading(step: Step, words: Mapping[str, str]) -> Text:
    weight = words["weight"].format(weight=f"{step.weight:g}") if step.weight != 1 else ""
    return joined([styled(step.title, STRONG), styled(step.category, QUIET), styled(weight, QUIET)])


def _rung(number: int, rung: Rung, words: Mapping[str, str]) -> RenderableType:
    rows: list[tuple[Text, RenderableType]] = [
        (styled(f"{number}", QUIET), styled(rung_label(rung.dropped, words), QUIET))
    ]
    rows += [(Text(), native_text(each.native)) for each in rung.translations]
    if notes := [
        *loss_rows((loss for each in rung.translations for loss in each.losses), words),
        *_checks(rung, words),
    ]:
        rows.append((Text(), indented(hanging(notes))))
    return hanging(rows)


def _checks(rung: Rung, words: Mapping[str, str]) -> Iterator[tuple[Text, Text]]:
    """What is checked here without being named as a loss."""
    for each in rung.translations[:1]:
        if each.residual is not None and not any(loss.kind == "checked here" for loss in each.losses):
            yield styled(words["checked here"], QUIET), styled(str(each.residual))
