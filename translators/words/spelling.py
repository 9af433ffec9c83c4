"""How a word is written for a source whose search box knows quotes, or does not."""

from __future__ import annotations

from translators.capabilities import Capabilities, Fidelity, Verdict
from translators.emit import BARE, RESERVED, as_typed, judge_container_name, judge_text, quoted, spelled
from translators.match import HANGUL, WORD
from translators.query import Container, Person, Phrase, Prefix, Term
from translators.records import record
from translators.said import Said
from translators.verdicts import EXACT, Verdicts

PHRASED = frozenset({Fidelity.EXACT, Fidelity.APPROXIMATE})
NOT_TOLD = Verdict(Fidelity.NONE, Said("the source is not told who is asking"))
NAMELESS = Verdict(
    Fidelity.NONE,
    Said("nothing can be found by a name without letters"),
)
BY_NAME = Verdict(Fidelity.APPROXIMATE, Said("asked by the name exactly as written"))
OPERATOR = Verdict(
    Fidelity.NONE,
    Said("it is an operator in many search boxes, and this one knows no quotes"),
)
NO_BEGINNING = Verdict(
    Fidelity.NONE,
    Said("only a single word has a beginning that can be asked for"),
)
APART = Verdict(
    Fidelity.WIDER,
    Said("its words are asked for one by one, as this search box knows no quotes"),
)


def quotes(can: Capabilities) -> bool:
    """Whether quotes mean to a source what they mean to people."""
    return can.phrase in PHRASED


@record
class Spelling(Verdicts):
    """``quotes``: the source understands them. ``beginnings``: it finds words by their beginning, exactly."""

    quotes: bool
    beginnings: bool

    def words(self, leaf: Term | Phrase) -> Verdict:
        found = judge_text(leaf)
        if self.quotes or found != EXACT:
            return found
        parts = _apart(leaf.text)
        return OPERATOR if not parts else APART if parts != [as_typed(leaf.text)] else EXACT

    def prefix(self, leaf: Prefix) -> Verdict:
        word = as_typed(leaf.text)
        return judge_text(leaf) if BARE.fullmatch(word) and not _reserved(word) else NO_BEGINNING

    def person(self, who: Person) -> Verdict:
        if who.me:
            return NOT_TOLD
        if who.native_id or who.email:
            return EXACT if as_typed(who.native_id or who.email or "") else NAMELESS
        return BY_NAME if WORD.search(as_typed(who.name)) else NAMELESS

    def container(self, where: Container) -> Verdict:
        if where.native_id:
            return EXACT
        return judge_container_name(where) if WORD.search(as_typed(where.name)) else NAMELESS

    def text(self, leaf: Term | Phrase | Prefix) -> str:
        """One leaf as it is sent.

        A Hangul word carries particles at its end: it is asked for by its beginning where that can be.
        """
        match leaf:
            case Prefix(text):
                return f"{as_typed(text)}*"
            case Term(text) if self.beginnings and HANGUL.match(as_typed(text)[-1:]) and BARE.fullmatch(as_typed(text)):
                return f"{as_typed(text)}*"
            case Term(text):
                return spelled(text) if self.quotes else " ".join(_apart(text))
            case Phrase(text):
                return quoted(text) if self.quotes else " ".join(_apart(text))


def _apart(text: str) -> list[str]:
    """Words that cannot be anything but words."""
    whole = as_typed(text)
    if BARE.fullmatch(whole) and not _reserved(whole):
        return [whole]
    return [word for word in WORD.findall(whole) if not _reserved(word)]


def _reserved(word: str) -> bool:
    return word.casefold() in RESERVED
