"""How definitions stand, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from orchestrator.settings.digests import SearchSettings

if TYPE_CHECKING:
    from datetime import datetime

    from orchestrator.digests.desk import Standing
    from orchestrator.digests.keeping import Outgoing


def standing_document(standing: Standing) -> dict[str, Any]:
    """One definition; addresses as people may see them."""
    wished, last = standing.wished, standing.last
    return {
        "name": standing.name,
        "kind": "search" if isinstance(wished, SearchSettings) else "digest",
        "title": wished.title,
        "schedule": wished.schedule,
        "zone": wished.zone,
        "due": _moment(standing.due),
        "last": None if last is None else {name: _moment(getattr(last, name)) for name in ("made", "since", "until")},
        "waiting": [outgoing_document(each) for each in standing.waiting],
        "dead": [outgoing_document(each) for each in standing.dead],
    }


def outgoing_document(out: Outgoing) -> dict[str, Any]:
    """One delivery."""
    return {
        "status": out.status,
        "key": out.key,
        "due": _moment(out.due),
        "place": out.place,
        "attempts": out.attempts,
        "problem": out.problem,
        "changed": _moment(out.changed),
    }


def _moment(when: datetime | None) -> str | None:
    return when.isoformat() if when else None
