"""Which words a source must hold: the question without particles, endings and the words of asking."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import TYPE_CHECKING

from orchestrator.understand.draft import WORD, Role, Word
from orchestrator.understand.patterns import regex
from orchestrator.understand.stems import PARTICLES, Stem, listed_stem, stem_of
from translators.query import EntityKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orchestrator.understand.draft import Draft
    from orchestrator.understand.korean import Morph

NAME = regex(r"[A-Z][a-z][\w-]*")
ON_CALL = regex(
    r"(?<![\w-])on call(?=[\s?!.]*$|\s+(?:schedule|rota|rotation|roster|calendar|engineer|duty|shift|list|person|lead|for|this|next|tonight|today|tomorrow|now|right|during|over|at|pay|allowance|compensation)\b)"
    r"|(?:(?<=\bis )|(?<=\bare )|(?<=\bwas )|(?<=\bwere )|(?<=\bbe )|(?<=\bbeing )|(?<=['’]s )|(?<=\bgoes ))on call(?! with)\b",
    re.IGNORECASE,
)
"""On duty, not on the phone."""
POINTERS = frozenset({"the", "this", "that", "which", "a", "next", "other", "another"})
JOINING = frozenset("a an the of in on at by for with to from and or is are was were not no".split())
"""Words of a phrase that are not looked up one by one."""
FIGURE = regex(r"\W?\d+(?:[.,:/-]\d+)*(?:%|[가-힣]{1,3})?|[QqHh][1-4]|FY\d+|[1-4][QqHh]")
PAST = regex(r"[a-z]{2,}(?<!e)ed")
PLEASE = regex(r"(?<=[가-힣]{2})좀[요여용]?$")
RESOLVED = regex(r" ?(?:했|하|한|할|정|결정|확정|합의|됐|된|되)")
SEPARATORS = frozenset("/·,()|")
APART = regex(r"[^/·,()|]+")
PATH = regex(r"[-_.]")
KOREAN_QUESTION = regex(
    r"^(?:어[디딧딨딘]|뭘|뭔|누[구가군]|언제|뭐|무[엇슨]|얼마|몇|왜(?!곡)|어[떻떤때]|어느|[됐했있없싶]"
    r"|[하되좋같](?:$|[고는던면려게지나은을])|그런|이런|저런)"
)


class Call(IntEnum):
    """What the lists say of a word alone."""

    DROP = 0
    INNER = 1
    """Kept only inside a compound: 승인 절차 변경, but 접속 방법 without its last word."""
    BESIDE = 2
    """Kept beside a content word: call recordings, vacation days."""
    KEEP = 3


UNDECIDED = frozenset({Call.INNER, Call.BESIDE})


@dataclass(slots=True)
class Candidate:
    """A word on its way to be a keyword. ``bare``: no particle ends it, so a compound may go on behind it."""

    start: int
    end: int
    text: str
    call: Call
    bare: bool = True


def read_keywords(draft: Draft, morphs: Sequence[Morph]) -> None:
    """Collect keywords in order of appearance; words of phrases come one by one."""
    for pattern in (draft.lexicon.phrasal, ON_CALL):
        for match in pattern.finditer(draft.open):
            draft.keywords.append((match.start(), match.group()))
            draft.claim(match.start(), match.end(), Role.NOISE)
    for match in draft.lexicon.noise.finditer(draft.open):
        draft.claim(match.start(), match.end(), Role.NOISE)
    for start, phrase in draft.phrases:
        _phrase_words(draft, start, phrase)
    candidates = list(map(_Judge(draft, morphs), draft.words))
    _join_compounds(draft, candidates)
    if not draft.phrases and all(candidate.call is not Call.KEEP for candidate in candidates):
        candidates = [
            replace(candidate, call=Call.KEEP if candidate.call is Call.BESIDE else Call.DROP)
            for candidate in candidates
        ]
    ids = {found.text for _, found in draft.ids}
    for candidate in candidates:
        if candidate.call is Call.KEEP:
            parts = [(0, candidate.text)] if candidate.text in ids else _apart(candidate.text)
            draft.keywords.extend((candidate.start + start, text) for start, text in parts)
    if not draft.keywords and not draft.phrases:
        _keep_what_is_left(draft)
    _unique(draft)


def _keep_what_is_left(draft: Draft) -> None:
    """What is blocked, what was deployed: where no thing is named, what befell it is all there is to look for."""
    for word in draft.words:
        begins = next((each for each in draft.lexicon.hindrances if word.lower.startswith(each)), None)
        said = begins or (draft.lexicon.happened.get(word.lower) if draft.window else None)
        if said and word.role is None:
            draft.keywords.append((word.start, said))


def _apart(text: str) -> list[tuple[int, str]]:
    """푸시/문자/메일 are three words, A/B and CI/CD are one, and so is a path."""
    if SEPARATORS.isdisjoint(text):
        return [(0, text)]
    parts = [(match.start(), match.group()) for match in APART.finditer(text)]
    whole = "/" in text and (any(len(part) <= 2 and part.isascii() for _, part in parts) or PATH.search(text))  # noqa: PLR2004
    return [(0, text)] if whole else parts


def _phrase_words(draft: Draft, start: int, phrase: str) -> None:
    for match in WORD.finditer(phrase):
        if match.group().lower() not in JOINING:
            draft.keywords.append((start + match.start(), match.group()))


class _Judge:
    """What becomes of each word: dropped, kept, or left to its neighbours."""

    def __init__(self, draft: Draft, morphs: Sequence[Morph]) -> None:
        self._draft = draft
        self._morphs = morphs
        self._ids = {(at, found.text) for at, found in draft.ids}
        self._people = {start for start, entity in draft.entities if entity.kind is EntityKind.PERSON}

    def __call__(self, word: Word) -> Candidate:
        draft = self._draft
        if (word.role is not None and word.keep is not True) or word.keep is False:
            return Candidate(word.start, word.end, word.text, Call.DROP, bare=False)
        if (word.start, word.text) in self._ids:
            return Candidate(word.start, word.end, word.text, Call.KEEP, bare=False)  # PAY-151 상태 is PAY-151
        if word.lower == "one" and _replaces_noun(draft, word):
            return Candidate(word.start, word.end, word.text, Call.DROP, bare=False)
        if word.hangul:
            return self._korean(word)
        call = Call.KEEP if word.keep or _named(draft, word) else _english_call(draft, word.bare)
        return Candidate(word.start, word.end, word.bare, call, bare=word.start not in self._people)

    def _korean(self, word: Word) -> Candidate:
        draft = self._draft
        inside = [morph for morph in self._morphs if word.start <= morph.start < word.end]
        listed = None if _resolved(draft, word) else listed_stem(word, draft.lexicon.whole)
        stem = listed or stem_of(draft.text, word, inside)
        if cut := PLEASE.search(stem.text):
            stem = replace(stem, text=stem.text[: cut.start()])
        call = Call.KEEP if word.keep else _korean_call(draft, stem, word)
        if call is not Call.DROP and draft.open[: word.start].rstrip().endswith("몇"):
            call = Call.DROP  # 몇 월, 몇 시
        return Candidate(word.start, word.end, stem.text, call, bare=stem.bare)


def _resolved(draft: Draft, word: Word) -> bool:
    """쓰기로 했다 is what somebody means to do, and no 쓰기 (writing)."""
    return word.text.endswith("기로") and RESOLVED.match(draft.text, word.end) is not None


def _replaces_noun(draft: Draft, word: Word) -> bool:
    """The English one, the mutual one, or the next one: "one" stands for a noun said before, unlike in phase one."""
    before = draft.text[: word.start].lower().split()[-2:]
    return (len(before) > 1 and before[0] in POINTERS) or (bool(before) and before[-1] in POINTERS)


def _named(draft: Draft, word: Word) -> bool:
    """A capital inside a sentence makes a name of an everyday word (Lot 88), unless every word has one."""
    if word.text == word.lower or not NAME.fullmatch(word.text) or draft.title_case:
        return False
    inside = draft.text[: word.start].rstrip()[-1:].isalnum()
    return inside and (word.lower not in draft.lexicon.stop_en or word.lower in {"lot", "bit", "will", "may"})


def _english_call(draft: Draft, text: str) -> Call:
    lexicon, plain = draft.lexicon, text.lower().replace("’", "'").replace("'", "")
    if len(text) == 1 and not text.isdigit():
        return Call.KEEP if text.isupper() and text not in "IA" else Call.DROP
    if plain in lexicon.stop_en:
        return Call.DROP
    if plain in lexicon.beside:
        return Call.BESIDE
    return Call.DROP if plain in lexicon.asking_en else Call.KEEP


def _korean_call(draft: Draft, stem: Stem, word: Word) -> Call:
    lexicon, lower = draft.lexicon, stem.text.lower()
    if not stem.content or word.text in PARTICLES or word.text.startswith("기준으로"):
        return Call.DROP
    if lower in lexicon.beside or lower in lexicon.inner:
        if stem.verbal:  # 이전한: as a verb it says more than the noun, which may be "before"
            return Call.DROP if lower in lexicon.asking_ko or lower in lexicon.inner else Call.KEEP
        return Call.BESIDE if lower in lexicon.beside else Call.INNER
    return Call.DROP if KOREAN_QUESTION.match(lower) or _asks(draft, lower) or _asks(draft, word.lower) else Call.KEEP


def _asks(draft: Draft, lower: str) -> bool:
    """A word of the lists, with 들 (several) or 중 (going on) behind it or without."""
    lexicon = draft.lexicon
    going = lower[:-1] if lower.endswith("중") else ""
    if going in lexicon.inner or going in lexicon.beside or going in lexicon.asking_ko:
        return True
    listed = lexicon.stop_ko, lexicon.asking_ko, lexicon.stop_en, lexicon.asking_en
    return any(lower in words or lower.removesuffix("들") in words for words in listed)


def _join_compounds(draft: Draft, candidates: list[Candidate]) -> None:
    """Let undecided words stay that touch a content word; from the right first, so that chains hold together."""
    for index in range(len(candidates) - 2, -1, -1):
        one, following = candidates[index], candidates[index + 1]
        if one.call in UNDECIDED and one.bare and following.call is Call.KEEP and _touch(draft, one, following):
            one.call = Call.KEEP
    for index in range(1, len(candidates)):
        before, one = candidates[index - 1], candidates[index]
        if not before.bare or one.call not in UNDECIDED or not _touch(draft, before, one):
            continue
        if before.call is Call.KEEP and (one.call is Call.BESIDE or _goes_on(draft, candidates, index)):
            one.call = Call.KEEP
        elif before.call is Call.BESIDE and one.call is Call.BESIDE:  # call recordings
            before.call = one.call = Call.KEEP


def _goes_on(draft: Draft, candidates: list[Candidate], index: int) -> bool:
    """An inner noun with another one behind it."""
    if index + 1 >= len(candidates) or not candidates[index].bare:
        return False
    following = candidates[index + 1]
    return following.call in {Call.BESIDE, Call.KEEP} and _touch(draft, candidates[index], following)


def _touch(draft: Draft, left: Candidate, right: Candidate) -> bool:
    return draft.open[left.end : right.start] in {" ", "-", "/"}


def _unique(draft: Draft) -> None:
    seen: dict[str, tuple[int, str]] = {}
    for position, text in sorted(draft.keywords):
        cleaned = text.strip("'’\"-_.,:;!?()[]{}<>…")
        if cleaned:
            seen.setdefault(cleaned.casefold(), (position, cleaned))
    draft.keywords = list(seen.values())


def essential(draft: Draft) -> tuple[str, ...]:
    """Keywords from least to most dispensable: ids, phrases and names, rare words, ordinary ones, general ones, numbers."""
    return tuple(text for _, text in sorted(draft.keywords, key=_Worth(draft)))


def _is_past(text: str) -> bool:
    return text.endswith("ed") and PAST.fullmatch(text) is not None


class _Worth:
    """How much of the question's core a keyword is; less sorts first, and what came first in the text breaks ties."""

    def __init__(self, draft: Draft) -> None:
        self._lexicon = draft.lexicon
        self._ids = {found.text.casefold() for _, found in draft.ids}
        names = (entity.name.casefold() for _, entity in draft.entities)
        self._names = {part for name in names for part in (name, *name.split())}
        self._inside = [(start, start + len(text)) for start, text in draft.phrases]

    def __call__(self, entry: tuple[int, str]) -> tuple[int, int]:
        position, text = entry
        lower = text.casefold()
        if lower in self._ids:
            return 0, position
        if not text.isalpha() and FIGURE.fullmatch(text):
            return 6, position  # a year or an amount is found everywhere
        if self._inside and any(start <= position < end for start, end in self._inside):
            return 0, position
        return (1 if lower in self._names else self._rarity(text, lower)), position

    def _rarity(self, text: str, lower: str) -> int:
        gerund = lower.endswith(
            "ing"
        )  # billing, recording: what the thing does, so rarer than the other nouns of asking
        if (lower in self._lexicon.beside and not gerund) or lower in self._lexicon.inner or _is_past(text):
            return 5
        if lower in self._lexicon.generic:
            return 4
        if lower in self._lexicon.not_projects:
            return 3  # API, QA: capitals, but no name
        return 2 if text != lower or (not text.isalpha() and any(char.isdigit() for char in text)) else 3
