"""Foreign names in Hangul: 에밀리 첸이 by the list of given names, 데이빗이 by who of the directory sounds like it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.understand.authors_ko import SUBJECT, is_view

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orchestrator.understand.draft import Draft, Word
    from orchestrator.understand.korean import Morph

TAILS = frozenset(
    "이 가 이가 은 는 이는 을 를 께 께서 께서는 에게 에게서 한테 한테서 와 과 랑 이랑 하고 의 도 에".split()
)
HONORIFICS = frozenset("님씨")
TOLD = frozenset({"께", "에게", "에게서", "한테", "한테서"})


def read_foreign(draft: Draft, index: int, morphs: Sequence[Morph]) -> tuple[str, str, int] | None:
    """Name, particle and number of words where a foreign name begins at ``index``."""
    word = draft.words[index]
    possible = bool(draft.directory.people) or word.text in draft.lexicon.given_ko
    name = _name(draft, word, morphs) if possible else None
    if name is None:
        return None
    after = draft.words[index + 1] if index + 1 < len(draft.words) else None
    beside = after is not None and name == word.text and draft.text[word.end : after.start] == " "
    if after and beside and after.role is None and after.keep is None and (last := _name(draft, after, morphs)):
        whole, tail = f"{name} {last}", after.text[len(last) :]
        known = draft.directory.person(whole, fuzzy=False) or draft.directory.heard(whole)
        if known or (name in draft.lexicon.given_ko and tail):
            return whole, _particle(tail), 2
    tail = word.text[len(name) :]
    heard = _has_a_cue(draft, index, tail) and draft.directory.heard(name)
    return (name, _particle(tail), 1) if heard else None


def _particle(tail: str) -> str:
    return tail[1:] if tail[:1] in HONORIFICS else tail


def _has_a_cue(draft: Draft, index: int, tail: str) -> bool:
    """A particle of persons, a subject's particle, or words of somebody behind it: 데이빗 의견."""
    return tail[:1] in HONORIFICS or tail in SUBJECT or tail in TOLD or (not tail and is_view(draft, index + 1))


def _name(draft: Draft, word: Word, morphs: Sequence[Morph]) -> str | None:
    """The word without its particle, if morphology takes it for a proper noun and no list for a thing or a place."""
    lexicon = draft.lexicon
    for morph in morphs:
        if morph.start > word.start:
            break
        if morph.start != word.start or morph.tag != "NNP" or not word.hangul:
            continue
        name = draft.text[morph.start : morph.end]
        listed = (
            lexicon.tools,
            lexicon.places,
            lexicon.codenames,
            lexicon.generic,
            lexicon.stop_ko,
            lexicon.categories,
        )
        thing = any(name in words for words in listed) or name in lexicon.project_names
        return None if thing or _particle(word.text[len(name) :]) not in TAILS | {""} else name
    return None
