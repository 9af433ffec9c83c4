"""The file in which impressions and reactions are written, one a day, and from which they are read. Old days are deleted whole."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import Counter
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from orchestrator.learning.impressions import (
    Impression,
    Reaction,
    ReactionEntry,
    impression_of,
    impression_row,
    reaction_row,
    read_row,
)
from orchestrator.lines import DayFiles, days_in
from storage.logs import log_of
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from datetime import datetime
    from pathlib import Path

    from orchestrator.model import Answer, Ask

FOLDER = "learning"
DIGEST = 16  # characters
LONGEST_ROW = 1_000_000  # characters of a line that are read
SHOWN = '{"did": "shown"'  # how the line of an answer begins
log = log_of(__name__)


class LearningLog:
    """Writes down what was shown and what was done with it. ``keep``: days that it is kept; 0 writes nothing at all.

    ``secret``: what digests are made with, so that nobody can try out questions or names on them; ``clock``: the server's own. A disk that takes nothing costs what
    could have been learnt, and no answer.
    """

    def __init__(self, folder: Path, secret: Callable[[], bytes], clock: Callable[[], datetime], keep: int) -> None:
        self._files = DayFiles(folder, clock, keep)
        self._secret = cache(secret)
        self._clock = clock

    async def shown(self, ask: Ask, answer: Answer) -> None:
        """An answer was given; one without results teaches nothing."""
        if not self._files.keep or not answer.results:
            return
        typed = dict.fromkeys((ask.text, ask.follow.said if ask.follow else ask.text))
        asked = tuple(self._digest("asked", _folded(text)) for text in typed)
        who = self._digest("who", ask.principal.id)
        await self._write(impression_row(impression_of(answer, self._clock(), who, asked, self._item)))

    async def reacted(self, principal: str, question: str, did: str, source: str = "", item: str = "") -> None:
        """Somebody did something with a result of a question, or said something of the whole answer."""
        if not self._files.keep:
            return
        key = self._item(source, item) if source and item else ""
        who, asked = self._digest("who", principal), self._digest("asked", _folded(question))
        await self._write(reaction_row(ReactionEntry(self._clock(), who, asked, Reaction(did), key)))

    async def kept_of(self, principal: str) -> int:
        """How many lines stand there of what somebody was shown and did. Raises ``OSError``."""
        return await self._files.count(self._is_of(principal))

    async def erase(self, principal: str) -> int:
        """Take them out. Raises ``OSError``."""
        return await self._files.drop(self._is_of(principal))

    def _is_of(self, principal: str) -> Callable[[Mapping[str, Any]], bool]:
        who = self._digest("who", principal)
        return lambda row: row.get("who") == who

    async def _write(self, row: Mapping[str, Any]) -> None:
        try:
            await self._files.append(row)
        except OSError as failure:
            log.warning("nothing is learnt", error=failure.strerror or type(failure).__name__)

    def _item(self, source: str, item: str) -> str:
        return self._digest("item", f"{source} {item}")

    def _digest(self, what: str, text: str) -> str:
        said = f"{what} {text}".encode("utf-8", "replace")
        return hmac.new(self._secret(), said, hashlib.sha256).hexdigest()[:DIGEST]


def _folded(text: str) -> str:
    return " ".join(normalize("NFC", text).casefold().split())


@record
class RecordedUse:
    """What is written down, in the order of time: the answers to questions that somebody reacted to, and the reactions.

    ``answers``: how many were shown in all; ``torn``: lines that cannot be read.
    """

    shown: tuple[Impression, ...] = ()
    reactions: tuple[ReactionEntry, ...] = ()
    answers: int = 0
    torn: int = 0


def read_use(folder: Path) -> RecordedUse:
    """What is in the files, read twice: most answers are never reacted to, and are not held. Raises ``OSError``."""
    reactions: list[ReactionEntry] = []
    shown: list[Impression] = []
    answers = torn = 0
    for line in _lines(folder):
        if not line.startswith(SHOWN):
            entry = _entry(line)
            reactions += [entry] if isinstance(entry, ReactionEntry) else []
            torn += not isinstance(entry, ReactionEntry)
    asked = {each.asked for each in reactions}
    for line in _lines(folder):
        if line.startswith(SHOWN):
            answers += 1
            entry = _entry(line)
            torn += not isinstance(entry, Impression)
            shown += [entry] if isinstance(entry, Impression) and not asked.isdisjoint(entry.asked) else []
    in_time = attrgetter("at")
    return RecordedUse(tuple(sorted(shown, key=in_time)), tuple(sorted(reactions, key=in_time)), answers, torn)


def count_reactions(folder: Path) -> Mapping[Reaction, int]:
    """How often people did or said what. Raises ``OSError``."""
    entries = (_entry(line) for line in _lines(folder) if not line.startswith(SHOWN))
    return Counter(each.did for each in entries if isinstance(each, ReactionEntry))


def _lines(folder: Path) -> Iterator[str]:
    for path, _ in days_in(folder):
        with path.open(encoding="utf-8", errors="replace") as file:
            while line := file.readline(LONGEST_ROW):
                yield line


def _entry(line: str) -> Impression | ReactionEntry | None:
    try:
        return read_row(json.loads(line))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
