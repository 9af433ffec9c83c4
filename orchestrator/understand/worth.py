"""Which keywords a search is broadened by last: the order in which they can be done without.

The noun that is asked for goes early: "employee IDs" in "the employee IDs of the authors of the lease", 이메일 in 임대차 담당자 이메일. It says what
kind of answer is wanted and seldom stands beside the answer, so it is what a search can do without first. English puts it before what it is of,
Korean at the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.understand.heads import CARRYING
from orchestrator.understand.places import ADVERBS, CLAUSES, DETERMINERS, is_weak, plain_of
from translators.letters import has_hangul
from translators.patterns import regex

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from orchestrator.understand.draft import Draft, Word

ASKING = CLAUSES | DETERMINERS | ADVERBS
OF = frozenset({"of"})
TELLING_WHICH = frozenset("that who which whose whom where".split())
"""Behind a noun a clause begins with these that says which of them is meant."""
FURTHER = OF | TELLING_WHICH
BESIDE = frozenset("for to about on in from at with by regarding between".split())
"""Behind a noun that is known to ask, what follows says of what; behind another it may be where or for whom: a cooling system for servers."""
FEW = 2
"""So many other keywords must be left."""


def sought(draft: Draft) -> frozenset[int]:
    """Where the words begin that name what is asked for, if the question has enough beside them."""
    found = frozenset(_korean(draft) if draft.hangul else _english(draft))
    others = sum(position not in found for position, _ in draft.keywords)
    return found if others >= FEW else frozenset()


def _english(draft: Draft) -> Iterator[int]:
    """The nouns before "of" or a clause, one of the other until what they are of."""
    words, at = draft.words, _first_noun(draft)
    while at < len(words):
        end = _end_of_noun(draft, at)
        if not at < end < len(words) - 1 or not _says_of_what(draft, words[at:end], words[end]):
            return
        yield from (word.start for word in words[at:end] if _is_common(draft, word))
        if words[end].lower not in OF:
            return
        at = end + 1
        while at < len(words) and words[at].lower in DETERMINERS:
            at += 1
        last = _end_of_noun(draft, at)
        if not (last < len(words) and words[last].lower in FURTHER):
            return


def _first_noun(draft: Draft) -> int:
    """Behind the words that ask: find me the, what is the, which."""
    for at, word in enumerate(draft.words):
        plain = plain_of(word)
        asks = plain in ASKING or plain in draft.lexicon.plain
        after_verb = at and plain == "for" and draft.words[at - 1].lower in draft.lexicon.plain
        if not (asks or after_verb or plain in draft.lexicon.vague):
            return at
    return len(draft.words)


def _end_of_noun(draft: Draft, start: int) -> int:
    """The first word that does not belong to the noun that begins at ``start``."""
    words = draft.words
    for at in range(start, len(words)):
        breaks = words[at].lower in draft.lexicon.stop_en or words[at].role is not None
        if breaks or (at > start and draft.open[words[at - 1].end : words[at].start] != " "):
            return at
    return len(words)


def _says_of_what(draft: Draft, noun: Sequence[Word], following: Word) -> bool:
    if following.lower in FURTHER:
        return True
    head = noun[-1]
    return following.lower in BESIDE and (is_weak(draft, head) or head.lower in draft.lexicon.heads_en)


def _is_common(draft: Draft, word: Word) -> bool:
    """No name: in small letters, or an everyday word whose capital begins the question; or an acronym, of which there are several."""
    if word.keep is True:
        return False
    begins = not draft.open[: word.start].strip() and word.lower in draft.lexicon.everyday
    return word.text == word.lower or begins or (word.text[:-1].isupper() and word.text.endswith("s"))


def _korean(draft: Draft) -> Iterator[int]:
    """The last keyword unless it is a name, and the one before it where the last only says in which form: 업체 이름."""
    for position, text in sorted(draft.keywords, reverse=True):
        if not has_hangul(text):
            return
        yield position
        if text not in CARRYING:
            return


FIGURE = regex(r"\W?\d+(?:[.,:/-]\d+)*(?:%|[가-힣]{1,3})?|[QqHh][1-4]|FY\d+|[1-4][QqHh]")
PAST = regex(r"[a-z]{2,}(?<!e)ed")


def essential(draft: Draft) -> tuple[str, ...]:
    """Keywords from least to most dispensable: ids, phrases and names, rare words, ordinary ones, general ones, what is asked for, numbers."""
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
        self._sought = sought(draft)
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
        if lower in self._names:
            return 1, position
        return (5 if position in self._sought else self._rarity(text, lower)), position

    def _rarity(self, text: str, lower: str) -> int:
        gerund = lower.endswith(
            "ing"
        )  # billing, recording: what the thing does, so rarer than the other nouns of asking
        lexicon = self._lexicon
        asks = any(lower in words for words in (lexicon.beside, lexicon.asking_en, lexicon.asking_ko, lexicon.vague))
        if (asks and not gerund) or _is_past(text):
            return 5
        if lower in self._lexicon.generic:
            return 4
        if lower in self._lexicon.not_projects:
            return 3  # API, QA: capitals, but no name
        return 2 if text != lower or (not text.isalpha() and any(char.isdigit() for char in text)) else 3
