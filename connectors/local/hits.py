"""Candidates of the pipeline as hits: the document, and the part of it that fits best."""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from connectors.contract import Fact, Hit
from connectors.text import clip
from translators.query import Container, Kind, Person, State

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from connectors.local.pipeline import Candidate

DOCUMENTS = """
    SELECT p.chunk, p.heading, p.body, c.place, d.source, d.native_id, d.url, d.title, d.kind, d.author, d.assignee, d.container,
        d.state, d.created, d.updated, d.facts, d.parts, d.description, d.examples
    FROM passages p JOIN chunks c ON c.id = p.chunk JOIN documents d ON d.id = c.document
    WHERE p.chunk = ANY($1::bigint[])
"""


async def read_hits(
    connection: Any, name: str, candidates: Sequence[Candidate], own: frozenset[str], max_text: int
) -> tuple[Hit, ...]:
    """A hit for each candidate that is still there, in their order, ranked from 1."""
    rows = {row["chunk"]: row for row in await connection.fetch(DOCUMENTS, [each.chunk for each in candidates])}
    there = [each for each in candidates if each.chunk in rows]
    shown = ((each, clip(rows[each.chunk]["body"], max_text)) for each in there)
    return tuple(
        _hit(rows[each.chunk], each, text, own).placed(name, rank) for rank, (each, text) in enumerate(shown, 1)
    )


def _hit(row: Any, candidate: Candidate, shown: tuple[str, bool], own: frozenset[str]) -> Hit:
    text, uncut = shown
    where = _said(row["container"])
    return Hit(
        "",
        f"{row['source']}/{row['native_id']}",
        Kind(row["kind"]),
        title=row["title"],
        url=row["url"],
        snippet=text,
        complete=uncut and row["parts"] == 1,
        author=_person(_said(row["author"]), own),
        assignee=_person(_said(row["assignee"]), own),
        container=Container(where.get("name", ""), where.get("native_id")) if where else None,
        state=State(row["state"]) if row["state"] else None,
        created=row["created"],
        updated=row["updated"],
        score=candidate.score,
        facts=_facts(row, candidate),
    )


def _said(stored: str | None) -> Mapping[str, str]:
    said: Mapping[str, str] = json.loads(stored) if stored else {}
    return said


def _person(said: Mapping[str, str], own: frozenset[str]) -> Person | None:
    if not said:
        return None
    known = {said[key].casefold() for key in ("native_id", "email") if key in said}
    return Person(said.get("name", ""), said.get("native_id"), said.get("email"), me=bool(known & own))


def _facts(row: Any, candidate: Candidate) -> Mapping[str, Fact]:
    """What the document's own source knew of it; where it comes from; and what each step of the search made of it.

    ``description`` and ``examples``: what it, or its collection, says that it is for. ``part``: which part of its document is shown, counted from 1, where it is not the first. ``path``: where a file lies
    that has no address, from its collection on.
    """
    stored = json.loads(row["facts"])
    facts: dict[str, Fact] = {key: tuple(each) if isinstance(each, list) else each for key, each in stored.items()}
    facts |= {"indexed_from": row["source"], "steps": candidate.steps}
    if row["description"]:
        facts["description"] = row["description"]
    if row["examples"]:
        facts["examples"] = tuple(row["examples"])
    if "file" in facts and not row["url"]:
        facts["path"] = f"{row['source']}/{row['native_id']}"
    if row["place"]:
        facts["part"] = row["place"] + 1
    if row["heading"]:
        facts["heading"] = row["heading"]
    return MappingProxyType(facts)
