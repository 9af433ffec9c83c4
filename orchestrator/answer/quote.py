"""A sentence of a result that could be quoted, and what is known of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.records import record

if TYPE_CHECKING:
    from datetime import datetime

    from orchestrator.model import Result


@record
class Quote:
    """Words of result ``number`` (its place in the list, from 1), literally; ``more``: the sentence goes on.

    ``own``: the words of the question in the sentence, ``held``: in it or its title (for a message: its text and what it
    replies to); ``signal``: it is on the matter and sounds like the type of answer; ``asks``: it is a question itself.
    ``when``: when it was said, as far as that is known. ``brief``: it is an answer in a few words. ``passage``: the words with those beside them, once they are chosen; ``odds``: its share of the odds of all
    sentences that could be quoted; ``heading``: what it stands under; ``table``: of a row, the names of its columns. ``agreed``: it was asked whether, and somebody said yes to it, or it is that yes; ``answers``: what the conversation began with that it is a reply in.
    ``guessed``: it sounds like an answer by the order of its words alone, which is never sure.
    """

    number: int
    result: Result
    words: str
    more: bool = False
    own: frozenset[str] = frozenset()
    held: frozenset[str] = frozenset()
    signal: bool = False
    score: float = 0.0
    asks: bool = False
    when: datetime | None = None
    brief: bool = False
    passage: str = ""
    odds: float = 1.0
    heading: str = ""
    table: str = ""
    agreed: bool = False
    answers: str = ""
    guessed: bool = False

    @property
    def shown(self) -> str:
        """As it stands between quotation marks."""
        return f"{self.words}…" if self.more else self.passage or self.words
