"""What was learnt of names, for whom, and from what: in memory, and in a file among the data of this installation.

Names are kept by asker, since what taught them may be for the asker alone (law 7). The file is only ever appended to, a
JSON object a line, so that processes share it; what a person takes back is a line of its own, and is not learnt again.
It holds the two names and where they stand; no text of a source whose vendor does not allow that.

A question with the other names that its words are known by: as alternatives, never in place of what was said.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections import OrderedDict
from contextlib import nullcontext, suppress
from dataclasses import (
    asdict,
    dataclass,
    field,
    replace,
)
from typing import TYPE_CHECKING, Any

from orchestrator.aliases.reading import Alias
from orchestrator.lines import append_line
from translators.match import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from translators.query import Query

MOST_NAMES = 4
"""Other names of one word: each may cost a request."""


def taught(query: Query, aliases: Iterable[Alias]) -> tuple[tuple[str, str], ...]:
    """Names in the question and what else each is called, as the question says it and as it was learnt."""
    known = dict(query.variants)
    found: dict[str, str] = {}
    for alias in aliases:
        for name, other in ((alias.name, alias.other), (alias.other, alias.name)):
            words = _said(query, name)
            told = {fold(each) for word in words for each in known.get(word, ())}
            if words and fold(other) not in told and not _said(query, other):
                found.setdefault(" ".join(words), other)
    return tuple(found.items())


def also_called(query: Query, aliases: Iterable[Alias]) -> Query:
    """The question, each such name with one more name that it goes by; words of one name share it."""
    names = dict(query.variants)
    for name, other in taught(query, aliases):
        for word in name.split(" "):
            names[word] = (other, *names.get(word, ()))[:MOST_NAMES]
    in_order = {word: names[word] for word in query.keywords if word in names}
    return replace(query, variants=tuple((in_order | names).items())) if names != dict(query.variants) else query


def _said(query: Query, name: str) -> tuple[str, ...]:
    """The keywords that make up ``name``, side by side; none where it is not in the question."""
    wanted = tuple(fold(name).split())
    return next((words for words in _runs(query.keywords, len(wanted)) if tuple(map(fold, words)) == wanted), ())


def _runs(words: tuple[str, ...], length: int) -> Iterator[tuple[str, ...]]:
    return (words[at : at + length] for at in range(len(words) - length + 1))


MOST_OWNERS = 1000
MOST_ALIASES = 500  # of one asker; the oldest go first
NAMES = "names.jsonl"
LONGEST_FILE = 16_000_000  # bytes that are read of it, from its end: what was said last counts


@dataclass(slots=True)
class _Known:
    """``forgotten``: pairs that a person took back."""

    aliases: OrderedDict[frozenset[str], Alias] = field(default_factory=OrderedDict)
    forgotten: set[frozenset[str]] = field(default_factory=set)

    def add(self, alias: Alias) -> bool:
        if alias.key in self.aliases or alias.key in self.forgotten:
            return False
        self.aliases[alias.key] = alias
        while len(self.aliases) > MOST_ALIASES:
            self.aliases.popitem(last=False)
        return True


class AliasRepository:
    """Aliases by asker. ``path``: the file; ``None`` keeps nothing beyond this process. Safe for one event loop."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._known: OrderedDict[str, _Known] = OrderedDict()
        self._reading = asyncio.Lock()
        self._is_read = path is None
        self._read_from: int | None = None  # which file, by its number

    @classmethod
    def in_folder(cls, folder: Path) -> AliasRepository:
        """Kept among the data of this installation."""
        return cls(folder / NAMES)

    async def of(self, owner: str) -> tuple[Alias, ...]:
        """What ``owner`` was taught, oldest first."""
        return tuple((await self._owned(owner)).aliases.values())

    async def learn(
        self, owner: str, aliases: Iterable[Alias], *, unkept: Iterable[str] = (), by_hand: bool = False
    ) -> tuple[Alias, ...]:
        """Those that are new. ``unkept``: sources of which no text may be stored; of theirs the file has no title.

        ``by_hand``: a person says so, which also brings back what was taken back. Raises ``OSError`` where that cannot be kept.
        """
        known, volatile = await self._owned(owner), frozenset(unkept)
        if by_hand:
            aliases = tuple(aliases)
            known.forgotten -= {alias.key for alias in aliases}
        fresh = tuple(alias for alias in aliases if known.add(alias))
        if fresh:
            said = {"by_hand": True} if by_hand else {}
            kept = (replace(alias, title="") if alias.source in volatile else alias for alias in fresh)
            rows = ({"owner": owner, **asdict(alias), **said} for alias in kept)
            # What is learnt by the way costs no answer where the disk takes nothing; whoever says it is told.
            with nullcontext() if by_hand else suppress(OSError):
                await self._append(rows)
        return fresh

    async def forget(self, owner: str, alias: Alias) -> None:
        """Take a pair back, for good. Raises ``OSError`` where that cannot be kept."""
        known = await self._owned(owner)
        known.aliases.pop(alias.key, None)
        known.forgotten.add(alias.key)
        await self._append([{"owner": owner, "name": alias.name, "other": alias.other, "forgotten": True}])

    async def _owned(self, owner: str) -> _Known:
        async with self._reading:
            there = await asyncio.to_thread(self._number)
            if self._read_from not in {None, there}:  # somebody was forgotten, by this process or another
                self._known.clear()
                self._is_read = False
            if not self._is_read:
                for row in await asyncio.to_thread(self._rows):
                    self._take(row)
                self._is_read = True
            self._read_from = there
        known = self._known.setdefault(owner, _Known())
        self._known.move_to_end(owner)
        while len(self._known) > MOST_OWNERS:
            self._known.popitem(last=False)
        return known

    def _take(self, row: Mapping[str, Any]) -> None:
        """A line of the file; one that is not ours is left alone."""
        texts = {name: row.get(name, "") for name in ("owner", "name", "other", "source", "title", "url")}
        if not all(isinstance(text, str) for text in texts.values()) or not (texts["name"] and texts["other"]):
            return
        known = self._known.setdefault(texts.pop("owner"), _Known())
        alias = Alias(**texts)
        if row.get("forgotten"):
            known.forgotten.add(alias.key)
            known.aliases.pop(alias.key, None)
        else:
            known.forgotten -= {alias.key} if row.get("by_hand") else set()
            known.add(alias)

    def _number(self) -> int | None:
        try:
            return None if self._path is None else self._path.stat().st_ino
        except OSError:
            return None

    def _rows(self) -> list[dict[str, Any]]:
        if self._path is None or not self._path.is_file():
            return []
        with self._path.open("rb") as file:
            beyond = max(0, file.seek(0, os.SEEK_END) - LONGEST_FILE)
            file.seek(beyond)
            lines = file.read(LONGEST_FILE).decode("utf-8", "replace").splitlines()
        rows = []
        for line in lines:
            try:
                row = json.loads(line)
            except (ValueError, RecursionError):  # torn by a full disk, or begun before what is read
                continue
            rows += [row] if isinstance(row, dict) else []
        return rows

    async def _append(self, rows: Iterable[Mapping[str, Any]]) -> None:
        if self._path is None:
            return
        for row in rows:
            await append_line(self._path, row)
