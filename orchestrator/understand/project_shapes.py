"""How names of projects are built (svc-lantern, Osprey Lite), and which capitals name a company or a place instead."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from orchestrator.understand.draft import Role
from translators.letters import has_hangul
from translators.patterns import regex
from translators.query import Entity, EntityKind

if TYPE_CHECKING:
    from orchestrator.understand.draft import Draft, Word

CAPITAL = regex(r"[A-Z][a-z]+(?:[-.]?[A-Za-z0-9]+)?")
SERVICE = regex(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)+")
SERVING = frozenset(
    "svc srv api gateway gw worker workers engine server proxy core bot sdk consumer producer scheduler daemon exporter router broker".split()
)
"""What a hyphenated name of a service ends in: auth-gateway, ledger-api."""
EDITIONS = frozenset("lite pro plus max mini next one cloud studio hub go core edge desk x".split())
"""What ends the name of a product: Osprey Lite."""
FOREIGN = frozenset(
    "mv ms ss hms speaks speak buying bought vendor supplier customer client competitor lawyers counsel".split()
)
"""Before a capital: a ship, a language, a company."""
COLOURS = frozenset("푸른 파란 붉은 빨간 검은 까만 하얀 흰 노란 은빛 금빛 초록 밝은 맑은 깊은 느린 고요한".split())
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
        if other is None and word.lower not in EDITIONS and not _goes_on(draft, word):
            continue
        name = other.name if other is not None else word.bare
        if not name[0].isupper() or not one.name.isalpha() or not name.isalpha():
            continue
        whole = Entity(EntityKind.PROJECT, f"{one.name} {name}", one.score)
        draft.entities = [
            (start, whole if entity is one else entity) for start, entity in draft.entities if entity is not other
        ]
        found = {**found, word.start: whole}


def join_first_words(draft: Draft) -> None:
    """Night Owl, 푸른 등대: an everyday word before a name is part of it where a capital or a colour says so."""
    found = {start: entity for start, entity in draft.entities if entity.kind is EntityKind.PROJECT}
    if not found or draft.title_case:
        return
    named = {start for start, _ in draft.entities}
    for index, (before, word) in enumerate(zip(draft.words, draft.words[1:], strict=False)):
        name = found.get(word.start)
        if name is None or before.role is not None or before.start in named or before.keep is False:
            continue
        if draft.text[before.end : word.start] == " " and _begins_name(draft, index, before.text, word.text):
            whole = Entity(EntityKind.PROJECT, f"{before.text} {name.name}", name.score)
            draft.entities = [
                (before.start, whole) if entity is name else (start, entity) for start, entity in draft.entities
            ]


def _begins_name(draft: Draft, index: int, before: str, word: str) -> bool:
    if has_hangul(before):
        return before in COLOURS and not word[0].isascii()
    lower = before.lower()
    if not CAPITAL.fullmatch(before) or not CAPITAL.match(word) or _means_else(draft, lower) or lower == "project":
        return False
    return index > 0 or draft.hangul or lower in draft.lexicon.halves


def _goes_on(draft: Draft, word: Word) -> bool:
    """Cobalt Pier: behind a name a capital goes on with it, unless it says something by itself."""
    lexicon, lower = draft.lexicon, word.lower
    if not CAPITAL.fullmatch(word.text) or _means_else(draft, lower) or lower in lexicon.brands:
        return False
    return lower not in lexicon.ordinary and lower not in lexicon.generic and lower not in lexicon.given


def _means_else(draft: Draft, lower: str) -> bool:
    lexicon = draft.lexicon
    known = (lexicon.stop_en, lexicon.asking_en, lexicon.not_projects, lexicon.tools, lexicon.places, lexicon.titles_en)
    return any(lower in words for words in known)


def is_service(draft: Draft, name: str) -> bool:
    """svc-lantern, db-prod-3: small letters joined by hyphens, of which one part is of computing and one is a name or number."""
    parts = name.split("-")
    lexicon = draft.lexicon
    if not SERVICE.fullmatch(name) or parts[0] in lexicon.prefixes or any(found.text == name for _, found in draft.ids):
        return False
    if parts[-1] in SERVING and len(parts[0]) > 1 and parts[0] not in lexicon.stop_en:
        return True
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
