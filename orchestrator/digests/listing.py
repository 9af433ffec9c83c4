"""How definitions stand, and what they say, as JSON; nothing in it is a secret."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from orchestrator.digests.definitions import shown_name
from orchestrator.digests.delivery import kept_destination
from orchestrator.settings.digests import SearchSettings

if TYPE_CHECKING:
    from datetime import datetime

    from orchestrator.digests.run_repository import Outgoing
    from orchestrator.digests.service import DefinitionStatus


def standing_document(standing: DefinitionStatus) -> dict[str, Any]:
    """One definition; addresses as people may see them."""
    wished, last = standing.wished, standing.last
    return {
        "name": shown_name(standing.name),
        "origin": standing.origin,
        "person": wished.person,
        "kind": "search" if isinstance(wished, SearchSettings) else "digest",
        "title": wished.title,
        "schedule": wished.schedule,
        "zone": wished.zone,
        "paused": wished.paused,
        "due": _moment(standing.due),
        "last": None if last is None else {name: _moment(getattr(last, name)) for name in ("made", "since", "until")},
        "waiting": [outgoing_document(each) for each in standing.waiting],
        "dead": [outgoing_document(each) for each in standing.dead],
    }


def definition_document(standing: DefinitionStatus) -> dict[str, Any]:
    """What a definition says; of a webhook's address its host only, and of its secret whether there is one."""
    wished = standing.wished
    said = wished.model_dump(mode="json", exclude={"deliver", "secret"})
    places = [kept_destination(each).shown for each in wished.deliver]
    return {**standing_document(standing), "settings": {**said, "deliver": places, "signed": wished.secret is not None}}


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
