"""Whether an unknown capitalised word names a project of ours: by what stands around it, weighed by a small trained table.

``project_shapes`` and the word lists settle what is certain. What is left (Heron, Tessler, Galileo) is told apart by the kinds of words
around it: a *rollout of* X, a *contract with* X, *room* X. The weights are made by ``python -m tests.train_projects``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.understand.draft import Role
from orchestrator.understand.project_shapes import is_customer, part_of_place
from translators.patterns import regex
from translators.query import EntityKind

if TYPE_CHECKING:
    from orchestrator.understand.draft import Draft, Word

LATIN_HEAD = regex(r"(?P<name>[A-Za-z][A-Za-z0-9.+#_-]*)(?P<tail>[가-힣]*)$")
PARTICLE = regex(r"(?:프로젝트|에서|으로|이랑|이|가|은|는|을|를|의|로|에|랑|과|와|도)$")
FOREIGN = frozenset(
    "크트프르브즈츠흐드느므쿠푸러터퍼버커더레테케헤베페네데메웨쉬쉐캐팔펄벨웰텔델멜셀렐펠켈헬넬엘필릴빌킬밀딜틸칼탈랄샬큐뷰튜듀브슬클플블글"
)
"""Syllables that Korean words seldom have and foreign ones often."""
SHORTEST = 3
"""Letters of half a compound."""
LONG = 5
"""Syllables from which on names are counted alike."""
NEAR = 4
"""Words on either side that are looked at."""


def odds_of(draft: Draft, index: int) -> float:
    """The log odds that the word at ``index`` names a project."""
    return draft.lexicon.naming.of(signs(draft, index), draft.language)


def signs(draft: Draft, index: int) -> list[str]:
    """What speaks for or against a name: lists it is in, its shape, its neighbours and the kinds of words around it."""
    words, word = draft.words, draft.words[index]
    found = ["always", *_lists(draft, word), *_shape(word)]
    if index == 0:
        found.append("first")
    if is_customer(draft, index):
        found.append("customer")
    if part_of_place(draft, index):
        found.append("place")
    found += _beside(draft, index, -1) + _beside(draft, index, 1)
    near = words[max(index - NEAR, 0) : index] + words[index + 1 : index + NEAR + 1]
    kinds = {kind for other in near for kind in _kinds(draft, other)}
    return found + ([f"near:{kind}" for kind in sorted(kinds)] or ["near:nothing"])


def bare_name(word: Word) -> str:
    """The word in small letters without possessive or Korean particle."""
    if not word.hangul:
        return word.bare.lower()
    if match := LATIN_HEAD.match(word.text):
        return match["name"].lower()
    return PARTICLE.sub("", word.text) or word.text


def is_compound(draft: Draft, lower: str) -> bool:
    """Emberfall, Saltmarsh: two plain words that make a third nobody uses."""
    halves = draft.lexicon.halves
    for at in range(SHORTEST, len(lower) - SHORTEST + 1):  # noqa: SIM110  (asked of most unknown words; any() takes twice as long)
        if lower[:at] in halves and lower[at:] in halves:
            return True
    return False


def _lists(draft: Draft, word: Word) -> list[str]:
    """The lists a name is in, and whether it is built like the names of products."""
    lexicon, lower = draft.lexicon, bare_name(word)
    lists = (("emblem", lexicon.emblems), ("brand", lexicon.brands), ("feast", lexicon.feasts))
    found = [name for name, known in lists if lower in known]
    if is_compound(draft, lower):
        found.append("compound:small" if word.text.islower() and not word.hangul else "compound")
    elif lower.endswith(lexicon.products) and lower not in lexicon.products:
        found.append("product")
    return found


def _shape(word: Word) -> list[str]:
    """Letters, endings, and of a Korean word what follows the name."""
    found = ["owns"] if word.possessive else []
    if bare_name(word).endswith("s"):
        found.append("plural")
    if word.text.islower():
        found.append("small")
    if not word.hangul:
        return found
    if match := LATIN_HEAD.match(word.text):
        return [*found, f"latin+{match['tail']}"]
    name = bare_name(word)
    found += ["hangul", f"hangul+{word.text[len(name) :]}", f"letters:{min(len(name), LONG)}"]
    if not FOREIGN.isdisjoint(name):
        found.append("foreign")
    return found


def _beside(draft: Draft, index: int, step: int) -> list[str]:
    """Signs of the first and second word before (``step`` -1) or after (1) a word."""
    side = "<" if step < 0 else ">"
    at = index + step
    if not 0 <= at < len(draft.words):
        return [f"{side}none"]
    found = []
    for place in (at, at + step):
        if 0 <= place < len(draft.words):
            mark = side * (1 + abs(place - at))
            other = draft.words[place]
            found.append(f"{mark}{_name_of(draft, other)}")
            found += [f"{mark}:{kind}" for kind in _kinds(draft, other)]
    beside = draft.words[at]
    if beside.text[0].isupper() and beside.role is None:
        found.append(f"{side}capital")
    if beside.text[0].isdigit() or len(beside.text) == 1:
        found.append(f"{side}number")
    return found


def _kinds(draft: Draft, word: Word) -> tuple[str, ...]:
    """What a word tells of the names around it; Korean by how it begins, for particles and nouns follow."""
    around = draft.lexicon.around
    if not word.hangul:
        return around.get(word.lower, ())
    return next((around[word.text[:size]] for size in (5, 4, 3, 2, 1) if word.text[:size] in around), ())


def _name_of(draft: Draft, word: Word) -> str:
    """The word itself, or what it has been found to be."""
    if word.role is Role.TIME:
        return "(time)"
    for start, entity in draft.entities:
        if start == word.start:
            return "(person)" if entity.kind is EntityKind.PERSON else "(project)"
    return word.lower
