"""How well the local index can check each condition by itself, and why no better."""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.capabilities import Fidelity, Verdict
from translators.emit import as_typed, judge_text
from translators.inflection import numbers
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
from translators.verdicts import EXACT, Verdicts, wider

if TYPE_CHECKING:
    from collections.abc import Iterator

    from translators.query import Leaf

LONGEST = 500  # characters of a word that the index keeps

TOGETHER = Verdict(
    Fidelity.WIDER,
    Said("its words are looked for in the whole document, their order is checked here"),
)
CUT = Said("only the first {longest} characters of a word are kept").filled(longest=LONGEST)
NAMELESS = Verdict(
    Fidelity.NONE,
    Said("nothing can be found by a name without letters"),
)
BESIDE_WORDS = Said("it stands as an alternative to words, which decide the order and exclude nothing")
NO_ID = Verdict(
    Fidelity.NONE,
    Said("it is no id, address or file name that a document could go by"),
)
OTHER_IDS = frozenset({IdKind.ERROR_CODE})


def beside_words(clause: Clause) -> Iterator[Leaf]:
    """Conditions that are alternatives to a word somewhere."""
    match clause:
        case AllOf(parts):
            for part in parts:
                yield from beside_words(part)
        case AnyOf(parts):
            found = list(leaves(clause))
            if any(isinstance(leaf, Term) for leaf in found):
                yield from (leaf for leaf in found if isinstance(leaf, Compare))
            for part in parts:
                yield from beside_words(part)
        case Not(part):
            yield from beside_words(part)
        case _:
            pass


class HybridVerdicts(Verdicts):
    """Everything but an order of words can be checked by what the index holds."""

    def words(self, leaf: Term | Phrase) -> Verdict:
        return judge_text(leaf) if isinstance(leaf, Term) else _judge_exactly(leaf)

    def prefix(self, leaf: Prefix) -> Verdict:
        return _judge_exactly(leaf)

    def person(self, who: Person) -> Verdict:
        return EXACT if who.me or who.native_id or who.email or words(as_typed(who.name)) else NAMELESS

    def container(self, where: Container) -> Verdict:
        return EXACT if where.native_id or words(as_typed(where.name)) else NAMELESS

    def identifier(self, thing: Identifier) -> Verdict:
        return EXACT if thing.kind not in OTHER_IDS and address(thing.text) else NO_ID


def _judge_exactly(leaf: Phrase | Prefix) -> Verdict:
    found = words(as_typed(leaf.text))
    if not found:
        return judge_text(leaf)
    if len(found) > 1:
        return TOGETHER
    return wider(CUT) if len(found[0]) > LONGEST else EXACT


def address(text: str) -> str:
    """An id as it is looked up; empty where it holds nothing that an id could."""
    shown = as_typed(text)
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
        case Term(text) if denied and len(found := words(text)) == 1 and words(as_typed(text)) == found:
            return any_of(Phrase(form) for form in forms(found[0]))
        case _:
            return clause


def forms(word: str) -> list[str]:
    """What counts as ``word`` when it is a term (:mod:`translators.match`): its plural, or what it is the plural of."""
    if HANGUL.match(word[-1]):
        return [word]
    return [form for form in dict.fromkeys(map(fold, numbers(word))) if form]


judge = HybridVerdicts()
