"""Queries, plans and answers as JSON objects. ``docs/reference/cli.md`` describes every key."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from orchestrator.surfaces.cli.plain import json_text

if TYPE_CHECKING:
    from connectors.contract import Hit
    from orchestrator.model import Citation, Plan, Result, Rung, Step
    from translators.query import Query, Window
    from translators.translator import Loss, NativeQuery

Document = dict[str, Any]


def print_json(document: object) -> None:
    """One JSON value on standard output; what the terminal's encoding lacks is escaped."""
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    sys.stdout.write(json_text(document, ascii_only=encoding not in {"utf8", "utf8sig"}) + "\n")


def query_document(query: Query) -> Document:
    """A question as it was understood."""
    return {
        "text": query.text,
        "language": query.language,
        "zone": query.zone,
        "type": str(query.type),
        "types": [{"type": str(each.type), "score": each.score, "words": list(each.words)} for each in query.scores],
        "keywords": list(query.keywords),
        "variants": {word: list(others) for word, others in query.variants},
        "phrases": list(query.phrases),
        "entities": [{"kind": str(each.kind), "name": each.name, "score": each.score} for each in query.entities],
        "ids": [{"kind": str(each.kind), "text": each.text} for each in query.ids],
        "hints": [str(hint) for hint in query.hints],
        "sources": list(query.sources),
        "author": str(query.author) if query.author else None,
        "container": str(query.container) if query.container else None,
        "kinds": [str(kind) for kind in query.kinds],
        "window": _window(query.window),
        "negated": list(query.negated),
        "mine": query.mine,
        "ambiguous": query.ambiguous,
        "meaning": str(query.where),
        "doubts": [{"code": doubt.code, "message": doubt.message} for doubt in query.doubts],
    }


def plan_document(plan: Plan) -> Document:
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


def result_document(result: Result) -> Document:
    """A ranked result with everything that put it where it stands."""
    return {
        "number": result.number,
        **hit_document(result.hit),
        "score": result.score,
        "factors": dict(result.factors),
        "why": list(result.why),
        "unverified": list(result.unverified),
        "evidence": [
            {"source": each.source, "rank": each.rank, "rung": each.rung, "score": each.score}
            for each in result.evidence
        ],
        "also": [hit_document(hit) for hit in result.also],
    }


def hit_document(hit: Hit) -> Document:
    """One thing that a source returned."""
    return {
        "source": hit.source,
        "id": hit.id,
        "kind": str(hit.kind),
        "title": hit.title,
        "url": hit.url,
        "snippet": hit.snippet,
        "author": str(hit.author) if hit.author else None,
        "assignee": str(hit.assignee) if hit.assignee else None,
        "container": str(hit.container) if hit.container else None,
        "state": str(hit.state) if hit.state else None,
        "created": hit.created.isoformat() if hit.created else None,
        "updated": hit.updated.isoformat() if hit.updated else None,
        "facts": {name: list(fact) if isinstance(fact, tuple) else fact for name, fact in hit.facts.items()},
    }


def citation_document(citation: Citation) -> Document:
    """What ``[number]`` in the summary points at."""
    hit = citation.result.hit
    return {"number": citation.number, "source": hit.source, "id": hit.id, "url": hit.url, "quote": citation.quote}


def native_document(native: NativeQuery) -> Document:
    """A native query."""
    return {"dialect": native.dialect, "text": native.text, "args": _jsonable(native.args)}


def loss_document(loss: Loss) -> Document:
    """A condition that was not carried over as it was meant."""
    return {"kind": str(loss.kind), "what": loss.what, "why": loss.why}


def _step(step: Step) -> Document:
    return {
        "source": step.source,
        "title": step.title,
        "category": str(step.category),
        "weight": step.weight,
        "limit": step.limit,
        "rungs": [_rung(rung) for rung in step.rungs],
    }


def _rung(rung: Rung) -> Document:
    return {
        "label": rung.label,
        "given_up": list(rung.dropped),
        "queries": [
            {
                **native_document(each.native),
                "checked_here": None if each.residual is None else str(each.residual),
                "losses": [loss_document(loss) for loss in each.losses],
            }
            for each in rung.translations
        ],
    }


def _window(window: Window | None) -> Document | None:
    if window is None:
        return None
    return {
        "after": window.start.isoformat() if window.start else None,
        "before": window.end.isoformat() if window.end else None,
        "words": window.words,
    }


def _jsonable(value: Any) -> Any:
    """Mapping proxies and tuples of a native query as plain JSON values."""
    if hasattr(value, "items"):
        return {str(key): _jsonable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_jsonable(item) for item in value]
    return value
