"""Pages of hits as bytes, for a store that other processes read."""

from __future__ import annotations

import json
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from connectors.contract import Hit, HitPage
from translators.query import Container, Kind, Person, State

if TYPE_CHECKING:
    from collections.abc import Mapping

MOMENTS = ("created", "updated")
PEOPLE = ("author", "assignee")
PLAIN = ("source", "id", "title", "url", "snippet", "complete", "score", "rank")


def pack(page: HitPage) -> bytes:
    """A page as JSON in UTF-8; broken code points, which JSON escapes, come back as they were."""
    packed = {
        "hits": [_packed(hit) for hit in page.hits],
        "cursor": page.cursor,
        "total": page.total,
        "notes": page.notes,
    }
    return json.dumps(packed).encode("ascii")


def unpack(data: bytes) -> HitPage | None:
    """The page; ``None`` if it was packed by a version that did so in another way."""
    try:
        packed = json.loads(data)
        hits = tuple(map(_unpacked, packed["hits"]))
        return HitPage(hits, packed["cursor"], packed["total"], tuple(packed["notes"]))
    except (ValueError, KeyError, TypeError):
        return None


def _packed(hit: Hit) -> dict[str, Any]:
    return {
        **{name: getattr(hit, name) for name in PLAIN},
        "kind": hit.kind,
        "state": hit.state,
        **{name: moment.isoformat() if (moment := getattr(hit, name)) else None for name in MOMENTS},
        **{name: _person(getattr(hit, name)) for name in PEOPLE},
        "container": [hit.container.name, hit.container.native_id] if hit.container else None,
        "facts": dict(hit.facts),
    }


def _person(who: Person | None) -> list[Any] | None:
    return [who.name, who.native_id, who.email, who.me] if who else None


def _unpacked(packed: Mapping[str, Any]) -> Hit:
    known: dict[str, Any] = {name: packed[name] for name in PLAIN}
    known |= {name: datetime.fromisoformat(packed[name]) if packed[name] else None for name in MOMENTS}
    known |= {name: Person(*packed[name]) if packed[name] else None for name in PEOPLE}
    facts = {name: tuple(fact) if isinstance(fact, list) else fact for name, fact in packed["facts"].items()}
    return Hit(
        **known,
        kind=Kind(packed["kind"]),
        state=State(packed["state"]) if packed["state"] else None,
        container=Container(*packed["container"]) if packed["container"] else None,
        facts=MappingProxyType(facts),
    )
