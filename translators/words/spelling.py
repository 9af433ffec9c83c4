"""How a word is written for a source whose search box knows quotes, or does not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from translators.capabilities import Capabilities, Fidelity, Verdict
from translators.emit import BARE, RESERVED, judge_container_name, judge_text, plain, quoted, spelled
from translators.match import HANGUL, WORD
from translators.query import Compare, Container, Person, Phrase, Prefix, Term
from translators.said import Said

if TYPE_CHECKING:
    from translators.query import Leaf

PHRASED = frozenset({Fidelity.EXACT, Fidelity.APPROXIMATE})
NOT_TOLD = Verdict(
    Fidelity.NONE, Said("the source is not told who is asking", "묻는 사람이 누구인지 소스에 알리지 않습니다")
)
NAMELESS = Verdict(
    Fidelity.NONE,
    Said("nothing can be found by a name without letters", "글자가 없는 이름으로는 아무것도 찾을 수 없습니다"),
)
BY_NAME = Verdict(
    Fidelity.APPROXIMATE, Said("asked by the name exactly as written", "쓰인 그대로의 이름으로 물었습니다")
)
OPERATOR = Verdict(
    Fidelity.NONE,
    Said(
        "it is an operator in many search boxes, and this one knows no quotes",
        "많은 검색창에서 연산자로 읽히는데 이 검색창에는 따옴표가 없습니다",
    ),
)
NO_BEGINNING = Verdict(
    Fidelity.NONE,
    Said("only a single word has a beginning that can be asked for", "앞부분으로 물을 수 있는 것은 낱말 하나뿐입니다"),
)
APART = Verdict(
    Fidelity.WIDER,
    Said(
        "its words are asked for one by one, as this search box knows no quotes",
        "이 검색창에는 따옴표가 없어 낱말을 하나씩 물었습니다",
    ),
)


def quotes(can: Capabilities) -> bool:
    """Whether quotes mean to a source what they mean to people."""
    return can.phrase in PHRASED


@dataclass(frozen=True, slots=True)
class Spelling:
    """``quotes``: the source understands them. ``beginnings``: it finds words by their beginning, exactly."""

    quotes: bool
    beginnings: bool

    def judge(self, leaf: Leaf) -> Verdict:
        """How well one leaf can be said."""
        match leaf:
            case Term() | Phrase():
                return self._judge_words(leaf)
            case Prefix(text):
                word = plain(text)
                return judge_text(leaf) if BARE.fullmatch(word) and not _reserved(word) else NO_BEGINNING
            case Compare(_, _, Person() as who):
                return _judge_person(who)
            case Compare(_, _, Container() as where) if not where.native_id:
                return judge_container_name(where) if WORD.search(plain(where.name)) else NAMELESS
            case _:
                return Verdict()

    def text(self, leaf: Term | Phrase | Prefix) -> str:
        """One leaf as it is sent.

        A Hangul word carries particles at its end: it is asked for by its beginning where that can be.
        """
        match leaf:
            case Prefix(text):
                return f"{plain(text)}*"
            case Term(text) if self.beginnings and HANGUL.match(plain(text)[-1:]) and BARE.fullmatch(plain(text)):
                return f"{plain(text)}*"
            case Term(text):
                return spelled(text) if self.quotes else " ".join(_apart(text))
            case Phrase(text):
                return quoted(text) if self.quotes else " ".join(_apart(text))

    def _judge_words(self, leaf: Term | Phrase) -> Verdict:
        if self.quotes or judge_text(leaf).fidelity is Fidelity.NONE:
            return judge_text(leaf)
        parts = _apart(leaf.text)
        return OPERATOR if not parts else APART if parts != [plain(leaf.text)] else Verdict()


def _apart(text: str) -> list[str]:
    """Words that cannot be anything but words."""
    whole = plain(text)
    if BARE.fullmatch(whole) and not _reserved(whole):
        return [whole]
    return [word for word in WORD.findall(whole) if not _reserved(word)]


def _reserved(word: str) -> bool:
    return word.casefold() in RESERVED


def _judge_person(who: Person) -> Verdict:
    if who.me:
        return NOT_TOLD
    if who.native_id or who.email:
        return Verdict() if plain(who.native_id or who.email or "") else NAMELESS
    return BY_NAME if WORD.search(plain(who.name)) else NAMELESS
