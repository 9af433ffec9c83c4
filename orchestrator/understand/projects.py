"""Projects, products, systems and teams: by directory and glossary, by marks (Project X, X팀), by capital letters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.understand.draft import without_possessive
from orchestrator.understand.naming import LATIN_HEAD, PARTICLE, is_compound, odds_of
from orchestrator.understand.project_shapes import (
    CAPITAL,
    is_customer,
    is_service,
    join_first_words,
    join_names,
    part_of_place,
)
from translators.patterns import regex
from translators.query import Entity, EntityKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orchestrator.understand.draft import Draft, Word
    from orchestrator.understand.korean import Morph

PROJECT_KO = regex(r"프로젝트(?:$|[의가를은는에]|에서|관련)")
CAMEL = regex(r"[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+|[a-z]+[A-Z][A-Za-z0-9]+")
STANDARD = regex(r"[a-z][A-Z]{2,}s?")
"""mTLS, eSIM, vCPU: an acronym with a letter before it."""
EVERYDAY = regex(r"(?:ing|tion|ment|ness|ity|ed|ly|ance|ence|ship|ies|ers|ors|als|ous|ive|able|ful)$")
VERSION = regex(r"\s+(?P<version>\d+\.\d+(?:\.\d+)?)(?![\w.])")
NAMED_BEHIND = regex(r"프로젝트(?:$|[가-힣]{1,2}$)")
TEAM = regex(r"(?P<name>[A-Za-z0-9가-힣]{1,12}팀)(?:이랑|에서|에게|한테|이|은|을|의|과|에|랑|도|만|으로|내|원|장)?$")
NOT_TEAMS = frozenset({
    "우리팀", "저희팀", "이팀", "그팀", "어느팀", "무슨팀", "해당팀", "담당팀", "각팀", "다른팀", "같은팀", "전팀", "본팀", "타팀", "팀", "한팀", "두팀", "양팀", "유관팀", "관련팀", "원팀",
})  # fmt: skip
ACTIONS_KO = frozenset(
    ["교체", "전환", "이관", "개편", "개선", "도입", "마이그레이션", "구축", "통합", "리뉴얼", "리브랜딩", "고도화", "자동화", "최적화", "이전", "신규", "신사업", "파일럿", "우리", "저희", "이번", "지난", "해당", "관련", "진행", "사내", "전사", "신규사업", "오픈소스", "참여한", "했던", "진행중인", "맡은", "그", "이", "저", "모든", "각", "전체", "다른", "여러", "주요", "개인", "팀", "회사", "외주", "정부", "공공", "대형", "소규모", "메인", "사이드", "현재", "기존", "최근", "차세대", "글로벌", "국내", "해외", "출시", "개발", "디자인", "마케팅", "채용", "교육", "연구", "협업", "공동"]
)  # fmt: skip


def read_projects(draft: Draft, morphs: Sequence[Morph]) -> None:
    """Find projects; each stays a keyword, the words project and team beside a name do not."""
    _listed(draft)
    _generic_heads(draft)
    for index, word in enumerate(draft.words):
        if word.role is not None or word.keep is not None:
            continue
        if word.hangul:
            _korean(draft, index, morphs)
        else:
            _latin(draft, index)
    join_names(draft)
    join_first_words(draft)


def _generic_heads(draft: Draft) -> None:
    """프로젝트 behind a noun and "team" behind a name add nothing to search for."""
    for before, word in zip(draft.words, draft.words[1:], strict=False):
        gap = draft.text[before.end : word.start]
        if (
            gap == " "
            and word.hangul
            and PROJECT_KO.match(word.text)
            and before.role is None
            and before.lower not in draft.lexicon.stop_ko
            and not before.text.endswith(("한", "된", "던", "는", "은", "할"))
        ):
            word.keep = False
        if gap == " " and word.lower in {"team", "squad"} and (before.text[0].isupper() or before.keep):
            word.keep = False


def _add(draft: Draft, word: Word, name: str, kind: EntityKind, score: float) -> None:
    draft.entities.append((word.start, Entity(kind, name, score)))


def _listed(draft: Draft) -> None:
    """Names of the glossary and the directory, up to three words long."""
    lexicon = draft.lexicon
    named = draft.directory.projects or lexicon.project_names
    if not named and lexicon.suite_heads.isdisjoint(word.lower for word in draft.words):
        return
    free = [word for word in draft.words if word.role is None and word.keep is None]
    for size in (3, 2, 1):
        for start in range(len(free) - size + 1):
            group = free[start : start + size]
            if any(word.keep for word in group):
                continue
            if draft.text[group[0].end : group[-1].start].strip(" ") and size == 2:  # noqa: PLR2004
                continue
            text = without_possessive(draft.text[group[0].start : group[-1].end])
            if found := _known(draft, text):
                name, kind, score = found
                _add(draft, group[0], name if score == 1.0 else text, kind, score)
                for word in group:
                    word.keep = True


def _known(draft: Draft, text: str) -> tuple[str, EntityKind, float] | None:
    stem = text if text.isascii() else PARTICLE.sub("", text) or text
    for name in dict.fromkeys((text, stem)):
        if glossary := draft.lexicon.project_names.get(name.casefold()):
            return glossary, EntityKind.PROJECT, 1.0
        if " " in name and name.casefold() in draft.lexicon.suites:
            return name, EntityKind.TOOL, 1.0
        if found := draft.directory.project(name):
            return found[0].name, EntityKind.TEAM if found[0].team else EntityKind.PROJECT, found[1]
    return None


# ---- Korean words


def _korean(draft: Draft, index: int, morphs: Sequence[Morph]) -> None:
    word = draft.words[index]
    if (
        (match := TEAM.match(word.text))
        and match["name"] not in NOT_TEAMS
        and match["name"] not in draft.lexicon.functions
        and not word.text.startswith(("스팀", "우리", "저희"))
    ):
        _add(draft, word, match["name"], EntityKind.TEAM, 0.8)
        return
    if (match := LATIN_HEAD.match(word.text)) and _latin_name(draft, index, match["name"], first=False):
        if not match["tail"].startswith(("사", "형", "급", "건", "용")):
            _tool_or_project(draft, word, match["name"])
        return
    if tool := next(
        (name for name in (word.text, PARTICLE.sub("", word.text)) if name.lower() in draft.lexicon.tools), ""
    ):
        _add(draft, word, tool, EntityKind.TOOL, 0.9)
        return
    if (name := PARTICLE.sub("", word.text)) in draft.lexicon.codenames or word.text in draft.lexicon.codenames:
        _add(draft, word, name if name in draft.lexicon.codenames else word.text, EntityKind.PROJECT, 0.6)
        return
    after = draft.words[index + 1].text if index + 1 < len(draft.words) else ""
    if (unusual := _unusual(draft, word, morphs)) and odds_of(draft, index) > 0:
        _add(draft, word, unusual, EntityKind.PROJECT, 0.5)
        return
    stem = _noun(word, morphs)
    if NAMED_BEHIND.match(after) and stem == word.text and _names_project(draft, stem):
        _add(draft, word, stem, EntityKind.PROJECT, 0.8)
        draft.words[index + 1].keep = False


def _unusual(draft: Draft, word: Word, morphs: Sequence[Morph]) -> str:
    """A Korean word that may be a name: one that teams take names from, or a noun no dictionary has."""
    lexicon = draft.lexicon
    name = next((name for name in (word.text, PARTICLE.sub("", word.text)) if name in lexicon.emblems), "")
    if name:
        return name
    inside = [morph for morph in morphs if word.start <= morph.start < word.end]
    if not inside or not inside[0].unknown or inside[0].tag not in {"NNG", "NNP"} or inside[0].start != word.start:
        return ""
    name = inside[0].form
    if any(morph.tag[0] not in "JVE" for morph in inside[1:]) or len(name) < 2:  # noqa: PLR2004
        return ""
    known = (
        lexicon.loanwords,
        lexicon.generic,
        lexicon.stop_ko,
        lexicon.asking_ko,
        lexicon.places,
        lexicon.heads_ko,
        lexicon.brands,
    )
    if any(name in words for words in known) or name in lexicon.categories:
        return ""
    return name


def _noun(word: Word, morphs: Sequence[Morph]) -> str:
    inside = [morph for morph in morphs if word.start <= morph.start < word.end]
    return (
        word.text
        if inside and all(morph.tag in {"NNG", "NNP", "SL", "XSN", "NR", "MAG", "XPN"} for morph in inside)
        else ""
    )


def _names_project(draft: Draft, stem: str) -> bool:
    return (
        stem not in ACTIONS_KO
        and stem not in draft.lexicon.generic
        and stem not in draft.lexicon.stop_ko
        and stem not in draft.lexicon.asking_ko
    )


# ---- Latin words


def _latin(draft: Draft, index: int) -> None:
    word = draft.words[index]
    name = word.bare
    if word.lower == "project" and _marked(draft, index):
        return
    if "-" in name and is_service(draft, name):
        _add(draft, word, name, EntityKind.PROJECT, 0.7)
        word.keep = True
        return
    if name == name.lower() and name not in draft.lexicon.tools:
        if _evocative(draft, name) and odds_of(draft, index) > 0:
            _add(draft, word, name, EntityKind.PROJECT, 0.5)
        return  # most words: neither a capital nor a known tool
    if _latin_name(draft, index, name, first=_first(draft, index) and not _before_hangul(draft, index)):
        _tool_or_project(draft, word, name, EntityKind.TEAM if _before_team(draft, index) else EntityKind.PROJECT)


def _evocative(draft: Draft, name: str) -> bool:
    """Whether a word in small letters is one that teams take for a name and nobody says otherwise."""
    lexicon = draft.lexicon
    if name in lexicon.everyday or not (name in lexicon.emblems or is_compound(draft, name)):
        return False
    return name not in lexicon.mundane


def _tool_or_project(draft: Draft, word: Word, name: str, kind: EntityKind = EntityKind.PROJECT) -> None:
    if name.lower() in draft.lexicon.tools:
        _add(draft, word, name, EntityKind.TOOL, 0.9)
        return
    match = VERSION.match(draft.text, word.end)
    _add(draft, word, name + f" {match['version']}" if match else name, kind, 0.7)


def _marked(draft: Draft, index: int) -> bool:
    """Project X: the name alone is the project, the word before it says nothing more."""
    if index + 1 >= len(draft.words) or draft.words[index + 1].role is not None:
        return False
    after = draft.words[index + 1]
    if not after.text[0].isupper() or after.lower in draft.lexicon.ordinary:
        return False
    draft.words[index].keep = False
    if after.lower not in draft.lexicon.tools and not _latin_name(draft, index + 1, after.bare, first=False):
        _add(draft, after, after.bare, EntityKind.PROJECT, 0.9)
    return True


def _before_hangul(draft: Draft, index: int) -> bool:
    """Vault 시크릿: in a Korean sentence the first word owes nobody its capital."""
    return index + 1 < len(draft.words) and draft.words[index + 1].hangul


def _first(draft: Draft, index: int) -> bool:
    """Whether a capital is owed to the beginning of a sentence."""
    before = draft.text[: draft.words[index].start].rstrip(" \"'“‘(")
    return not before or before[-1] in ".?!:;-–—"


def _latin_name(draft: Draft, index: int, name: str, *, first: bool) -> bool:  # noqa: PLR0911  (a ladder of rules, one a line)
    lexicon, lower = draft.lexicon, name.lower()
    if lower in lexicon.tools and (
        lower not in lexicon.ordinary or (name[0].isupper() and (not first or _modifies(draft, index)))
    ):
        return True
    if len(name) < 2 or lower in lexicon.not_projects or lower in lexicon.places or lower in lexicon.categories:  # noqa: PLR2004
        return False
    if any(found.text.lower() == lower for _, found in draft.ids):
        return False
    camel = CAMEL.fullmatch(name) is not None and not STANDARD.fullmatch(name)
    if not camel and not CAPITAL.fullmatch(name):
        return False
    if first and not camel and not _names_alone(draft, lower):
        return False
    if camel:
        return lower not in lexicon.brands and not is_customer(draft, index) and not part_of_place(draft, index)
    if lower in lexicon.everyday:
        return _before_team(draft, index) and not first
    return odds_of(draft, index) > 0


def _modifies(draft: Draft, index: int) -> bool:
    """Workday maintenance: a noun follows, so the word names what it belongs to."""
    after = draft.words[index + 1] if index + 1 < len(draft.words) else None
    lexicon = draft.lexicon
    return (
        after is not None
        and after.lower in lexicon.ordinary
        and after.lower not in lexicon.stop_en
        and after.text[0].islower()
    )


def _before_team(draft: Draft, index: int) -> bool:
    return index + 1 < len(draft.words) and draft.words[index + 1].lower in {"team", "squad"}


def _names_alone(draft: Draft, lower: str) -> bool:
    """A capital that begins the question proves little: the word must be no everyday one."""
    lexicon = draft.lexicon
    if lower in lexicon.everyday or lower in lexicon.made or lower in lexicon.authoring_en:
        return False
    return not EVERYDAY.search(lower)
