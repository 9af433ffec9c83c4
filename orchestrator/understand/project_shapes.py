"""How names of projects are built (svc-lantern, Osprey Lite), and which capitals name a company or a place instead."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from orchestrator.understand.draft import Role
from orchestrator.understand.patterns import regex
from translators.query import Entity, EntityKind

if TYPE_CHECKING:
    from orchestrator.understand.draft import Draft

CAPITAL = regex(r"[A-Z][a-z]+(?:[-.]?[A-Za-z0-9]+)?")
SERVICE = regex(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)+")
EDITIONS = frozenset("lite pro plus max mini next one cloud studio hub go core edge desk x".split())
"""What ends the name of a product: Osprey Lite."""
FOREIGN = frozenset(
    "mv ms ss hms speaks speak buying bought vendor supplier customer client competitor lawyers counsel".split()
)
"""Before a capital: a ship, a language, a company."""
CONTRACTUAL = regex(
    r"\b(?:msa|nda|sow|contract|clause|invoice|renewal|purchase order|lawsuit|settlement with|customer|client|vendor|account|pitch|quote|quotation|tender|bid|rfp|lease|claim|settlement)\b",
    re.IGNORECASE,
)


def join_names(draft: Draft) -> None:
    """Cobalt Pier, Osprey Lite: capitalised words in a row are one name, unless one of them is a known tool."""
    found = {start: entity for start, entity in draft.entities if entity.kind is EntityKind.PROJECT}
    if not found or (draft.title_case and len(draft.words) > len(found) + 1):
        return
    for before, word in zip(draft.words, draft.words[1:], strict=False):
        one, other = found.get(before.start), found.get(word.start)
        follows = draft.text[before.end : word.start] == " " and before.role is None and word.role is None
        if (
            not follows
            or one is None
            or not CAPITAL.fullmatch(before.text)
            or not CAPITAL.fullmatch(one.name.split()[-1])
        ):
            continue
        if other is None and word.lower not in EDITIONS:
            continue
        name = other.name if other is not None else word.bare
        if not name[0].isupper() or not one.name.isalpha() or not name.isalpha():
            continue
        whole = Entity(EntityKind.PROJECT, f"{one.name} {name}", one.score)
        draft.entities = [
            (start, whole if entity is one else entity) for start, entity in draft.entities if entity is not other
        ]
        found = {**found, word.start: whole}


def is_service(draft: Draft, name: str) -> bool:
    """svc-lantern, db-prod-3: small letters joined by hyphens, of which one part is of computing and one is a name or number."""
    parts = name.split("-")
    lexicon = draft.lexicon
    if not SERVICE.fullmatch(name) or parts[0] in lexicon.prefixes or any(found.text == name for _, found in draft.ids):
        return False
    technical = [part in lexicon.technical for part in parts]
    plain = lexicon.ordinary | lexicon.stop_en | lexicon.generic | lexicon.asking_en
    return any(technical) and any(
        part not in plain and (not known or part in {"db", "svc", "srv", "sftp", "fw"})
        for part, known in zip(parts, technical, strict=True)
    )


def is_customer(draft: Draft, index: int) -> bool:
    """Acme renewal, the Henderson account, MSA with Globex: a company we deal with is no project of ours."""
    after = draft.words[index + 1].lower if index + 1 < len(draft.words) else ""
    before = draft.words[index - 1].lower if index else ""
    if after in draft.lexicon.customer or (index and draft.words[index].lower in draft.lexicon.customer):
        return True
    second = draft.words[index + 2].lower if index + 2 < len(draft.words) else ""
    if (
        draft.words[index].text[0].isupper()
        and second in {"account", "contract", "renewal"}
        and draft.words[index + 1].text[0].isupper()
    ):
        return True
    near = {word.lower for word in draft.words[max(index - 3, 0) : index]}
    if before in FOREIGN or (before == "and" and "between" in near) or (before in {"w", "w/"}):
        return True
    if before == "at" or (
        before == "of"
        and index > 1
        and draft.words[index - 2].lower in {"acquisition", "audit", "purchase", "ceo", "cfo"}
    ):
        return True
    return before in {"with", "for", "from"} and CONTRACTUAL.search(draft.text) is not None


def part_of_place(draft: Draft, index: int) -> bool:
    """Bergen office: the capital says where."""
    after = draft.words[index + 1].lower if index + 1 < len(draft.words) else ""
    return after in {"office", "warehouse", "branch", "campus", "site"} or draft.words[index].role is Role.TIME
