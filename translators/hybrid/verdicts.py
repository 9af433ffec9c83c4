"""How well the local index can check each condition by itself, and why no better."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from translators.capabilities import Fidelity, Verdict
from translators.emit import judge_text, plain
from translators.match import HANGUL, fold, words
from translators.query import (
    AllOf,
    AnyOf,
    Clause,
    Compare,
    Container,
    Identifier,
    IdKind,
    Not,
    Person,
    Phrase,
    Prefix,
    Term,
    all_of,
    any_of,
    leaves,
)
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from translators.query import Leaf
    from translators.split import Judge

LONGEST = 500  # characters of a word that the index keeps

TOGETHER = Verdict(
    Fidelity.WIDER,
    Said("its words are looked for in the whole document, their order is checked here"),
)
CUT = Said("only the first {longest} characters of a word are kept")
NAMELESS = Verdict(
    Fidelity.NONE,
    Said("nothing can be found by a name without letters"),
)
BESIDE_WORDS = Verdict(
    Fidelity.NONE,
    Said("it stands as an alternative to words, which decide the order and exclude nothing"),
)
NO_ID = Verdict(
    Fidelity.NONE,
    Said("it is no id, address or file name that a document could go by"),
)
OTHER_IDS = frozenset({IdKind.ERROR_CODE})


def judge_of(where: Clause) -> Judge:
    """The judge, who lets no condition stand as an alternative to a word: words decide an order, and exclude nothing."""
    mixed = frozenset(_beside_words(where))

    def judged(leaf: Leaf) -> Verdict:
        return BESIDE_WORDS if leaf in mixed else judge(leaf)

    return judged


def _beside_words(clause: Clause) -> Iterator[Leaf]:
    match clause:
        case AllOf(parts):
            for part in parts:
                yield from _beside_words(part)
        case AnyOf(parts):
            found = list(leaves(clause))
            if any(isinstance(leaf, Term) for leaf in found):
                yield from (leaf for leaf in found if isinstance(leaf, Compare))
            for part in parts:
                yield from _beside_words(part)
        case Not(part):
            yield from _beside_words(part)
        case _:
            pass


def judge(leaf: Leaf) -> Verdict:
    """How well one leaf can be said."""
    match leaf:
        case Term():
            return judge_text(leaf)
        case Phrase() | Prefix():
            return _judge_exactly(leaf)
        case Compare(_, _, Person() as who):
            return Verdict() if who.me or who.native_id or who.email or words(plain(who.name)) else NAMELESS
        case Compare(_, _, Container() as where):
            return Verdict() if where.native_id or words(plain(where.name)) else NAMELESS
        case Compare(_, _, Identifier() as thing):
            return Verdict() if thing.kind not in OTHER_IDS and address(thing.text) else NO_ID
        case Compare():
            return Verdict()
        case _:
            assert_never(leaf)


def _judge_exactly(leaf: Phrase | Prefix) -> Verdict:
    found = words(plain(leaf.text))
    if not found:
        return judge_text(leaf)
    if len(found) == 1 and len(found[0]) > LONGEST:
        return Verdict(Fidelity.WIDER, CUT.filled(longest=LONGEST))
    return TOGETHER if len(found) > 1 else Verdict()


def address(text: str) -> str:
    """An id as it is looked up; empty where it holds nothing that an id could."""
    shown = plain(text)
    return shown if words(shown) else ""


def spelled_out(clause: Clause, *, denied: bool = False) -> Clause:
    """The same meaning, with each single word that is not to occur as the forms that it stands for.

    A word that is wanted is a matter of degree here; one that is not wanted can be left out exactly.
    """
    match clause:
        case Not(part):
            return Not(spelled_out(part, denied=not denied))
        case AllOf(parts):
            return all_of(spelled_out(part, denied=denied) for part in parts)
        case AnyOf(parts):
            return any_of(spelled_out(part, denied=denied) for part in parts)
        case Term(text) if denied and len(found := words(text)) == 1 and words(plain(text)) == found:
            return any_of(Phrase(form) for form in forms(found[0]))
        case _:
            return clause


def forms(word: str) -> list[str]:
    """What counts as ``word`` when it is a term (:mod:`translators.match`): its plural, or what it is the plural of."""
    if HANGUL.match(word[-1]):
        return [word]
    forms = [word, f"{word}s", f"{word}es", *(word.removesuffix(ending) for ending in ("s", "es"))]
    return [form for form in dict.fromkeys(map(fold, forms)) if form]
