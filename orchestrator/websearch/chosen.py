"""The sentences of a text that a question is about. Pure; Korean and English alike, without a dictionary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from connectors.models.reranking_local import word_scores
from connectors.passages import sentences_of
from translators.match import words
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

READ = 200_000  # characters of a page that are looked at
SENTENCES = 4_000
LONGEST = 600  # characters of a sentence; a longer one is a table or a list without full stops
ABOUT_NOTHING = frozenset(
    "a an the is are was were be do does did of in on at to for and or with what which who when where why how it this that its can i "
    "you we my your me please tell about page find explain summarize summarise describe list give show from by as 무엇 무엇을 무엇이 뭐 "
    "어떻게 어떤 왜 언제 어디 누가 대해 대한 관한 관해 알려줘 알려주세요 설명해줘 설명해 요약해줘 요약해 있는 있나요 하는 하나요 되나요 인가요 이 그 저 및 또는".split()
)


@record
class Chosen:
    """Sentences in the order of the text; ``matched``: they hold something of the prompt (else the text's beginning)."""

    sentences: tuple[str, ...]
    matched: bool


def sentences(text: str) -> tuple[str, ...]:
    """Literal pieces of the text, one line each; line ends end a sentence, too."""
    found: list[str] = []
    for line in text[:READ].splitlines():
        found += (each.strip() for each in sentences_of(" ".join(line.split()), LONGEST))
        if len(found) >= SENTENCES:
            break
    return tuple(found[:SENTENCES])


def choose(text: str, prompt: str, most: int) -> Chosen:
    """The ``most`` sentences that hold most of what is rare in the text and asked for in the prompt."""
    pieces = sentences(text)
    asked = " ".join(word for word in words(prompt) if word not in ABOUT_NOTHING)
    scores = word_scores(asked, pieces)
    best = sorted((at for at, score in enumerate(scores) if score > 0), key=lambda at: -scores[at])
    if not best:
        return Chosen(pieces[:most], matched=False)
    return Chosen(tuple(pieces[at] for at in sorted(_unrepeated(best, pieces)[:most])), matched=True)


def _unrepeated(order: Sequence[int], pieces: Sequence[str]) -> list[int]:
    """Navigation and footers say the same thing several times."""
    seen: dict[str, int] = {}
    for at in order:
        seen.setdefault(pieces[at].casefold(), at)
    return list(seen.values())
