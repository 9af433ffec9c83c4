"""What would be sent where, as a JSON object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import TypedDict

from orchestrator.documents.question import QueryDocument, query_document

if TYPE_CHECKING:
    from orchestrator.model import Plan, Rung, Step
    from translators.translator import Loss, NativeQuery, Translation


class NativeDocument(TypedDict):
    """A query in a source's own language: its text, and its arguments where it has any."""

    dialect: str
    text: str
    args: dict[str, Any]


class LossDocument(TypedDict):
    """A condition that was not carried over as it was meant."""

    kind: str
    what: str
    why: str


class TranslatedDocument(NativeDocument):
    """A native query, what we check of it ourselves, and what was lost on the way."""

    checked_here: str | None
    ordered_here: list[str]
    losses: list[LossDocument]


class RungDocument(TypedDict):
    """One step of the broadening ladder; ``given_up`` is empty on the first."""

    label: str
    given_up: list[str]
    queries: list[TranslatedDocument]


class StepDocument(TypedDict):
    """What one source will be asked; ``weight`` 1 is neutral."""

    source: str
    title: str
    category: str
    weight: float
    limit: int
    rungs: list[RungDocument]


class SkippedDocument(TypedDict):
    """A configured source that will not be asked, and why."""

    source: str
    title: str
    status: str
    reason: str


class PlanDocument(TypedDict):
    """What would be sent where; ``budget`` in seconds."""

    question: QueryDocument
    budget: float
    steps: list[StepDocument]
    skipped: list[SkippedDocument]


def plan_document(plan: Plan) -> PlanDocument:
    """What would be sent where."""
    return {
        "question": query_document(plan.query),
        "budget": plan.budget,
        "steps": [_step(step) for step in plan.steps],
        "skipped": [
            {"source": each.source, "title": each.title, "status": str(each.status), "reason": each.reason}
            for each in plan.skipped
        ],
    }


def native_document(native: NativeQuery) -> NativeDocument:
    """A native query."""
    return {"dialect": native.dialect, "text": native.text, "args": _plain(native.args)}


def loss_document(loss: Loss) -> LossDocument:
    """A condition that was not carried over as it was meant."""
    return {"kind": str(loss.kind), "what": loss.what, "why": loss.why}


def _step(step: Step) -> StepDocument:
    return {
        "source": step.source,
        "title": step.title,
        "category": str(step.category),
        "weight": step.weight,
        "limit": step.limit,
        "rungs": [_rung(rung) for rung in step.rungs],
    }


def _rung(rung: Rung) -> RungDocument:
    queries = [_translated(each) for each in rung.translations]
    return {"label": rung.label, "given_up": list(rung.dropped), "queries": queries}


def _translated(translation: Translation) -> TranslatedDocument:
    return {
        **native_document(translation.native),
        "checked_here": None if translation.residual is None else str(translation.residual),
        "ordered_here": [str(each.clause) for each in translation.preferred],
        "losses": [loss_document(loss) for loss in translation.losses],
    }


def _plain(value: Any) -> Any:
    """Mapping proxies and tuples of a native query as plain JSON values."""
    if hasattr(value, "items"):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
