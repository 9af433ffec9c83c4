"""A small public web, found the way search engines read a line of words and operators, and searches of it as their vendors declare them."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, ClassVar
from urllib.parse import urlsplit

from orchestrator.sandbox.corpus import Row
from orchestrator.sandbox.index import Matches, TextIndex, words
from orchestrator.sandbox.wire import Situation, WireReply, WireRequest, whole_number

PIECE = re.compile(r'\(|\)|-?"[^"]*"?|[^\s()"]+')


@dataclass(frozen=True, slots=True)
class Wanted:
    """One word or phrase; ``wanted`` is false behind a minus."""

    text: str
    phrase: bool = False
    wanted: bool = True


@dataclass(frozen=True, slots=True)
class Line:
    """Groups of which each must be met by any of its members; hosts of which any will do."""

    groups: Sequence[Sequence[Wanted]]
    hosts: Sequence[str]


def read_line(text: str) -> Line:
    """Read a query as Google documents it: words, "phrases", -without, site:, OR between two, brackets for sight only."""
    groups: list[list[Wanted]] = []
    hosts: list[str] = []
    joined = False
    for said in PIECE.findall(text):
        if said in {"(", ")"}:
            continue
        if said in {"OR", "|"}:
            joined = bool(groups)
            continue
        if said.startswith("site:") and len(said) > len("site:"):
            hosts.append(said[len("site:") :].casefold())
            continue
        part = _part(said)
        if joined and part.wanted:
            groups[-1].append(part)
        else:
            groups.append([part])
        joined = False
    return Line([group for group in groups if any(words(part.text) for part in group)], hosts)


def _part(said: str) -> Wanted:
    bare = said.removeprefix("-")
    return Wanted(bare.strip('"'), bare.startswith('"'), bare == said)


class Pages:
    """The rows of a corpus as pages."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows
        self._index = TextIndex((row.title, row.text) for row in rows)

    def find(self, text: str, since: date | None = None, until: date | None = None) -> list[Row]:
        """Pages that meet the line, best first; dates are compared by day, ends included, undated pages left out."""
        line = read_line(text)
        numbers = set(range(len(self.rows)))
        matches = []
        for group in line.groups:
            found = [self._found(part) for part in group]
            if group[0].wanted:
                matches += found
                numbers &= set().union(*found)
            else:
                numbers -= set().union(*found)
        kept = [number for number in numbers if self._fits(self.rows[number], line.hosts, since, until)]
        scores = self._index.score(matches, sorted(kept))
        return [self.rows[number] for number in sorted(kept, key=lambda number: (-scores[number], number))]

    def _found(self, part: Wanted) -> Matches:
        return self._index.find_phrase(part.text) if part.phrase else self._index.find(part.text, "stem")

    def _fits(self, row: Row, hosts: Sequence[str], since: date | None, until: date | None) -> bool:
        host = urlsplit(row.url).hostname or ""
        day = changed(row)
        placed = not hosts or any(host == each or host.endswith(f".{each}") for each in hosts)
        dated = day is not None or (since is None and until is None)
        return placed and dated and not (day and ((since and day.date() < since) or (until and day.date() > until)))


def changed(row: Row) -> datetime | None:
    """When a page was last changed."""
    return row.updated or row.created


Check = Callable[[str], object]
"""What a parameter may be: true of what is as documented."""


def within(least: int, most: int) -> Check:
    """A whole number between bounds."""
    return lambda text: whole_number(text, least, most) is not None


class WebSearchEmulator(ABC):
    """One vendor's search over pages. ``parameters``: what each may be, in the order in which they are checked; ``needed``: without which there is no search."""

    source: ClassVar[str]
    base_path = ""
    token: ClassVar[str]
    paths: ClassVar[frozenset[str]]
    parameters: ClassVar[Mapping[str, Check]]
    needed: ClassVar[frozenset[str]] = frozenset({"q"})

    def __init__(self, situation: Situation, token: str | None = None) -> None:
        self.tokens: Sequence[str] = (token or self.token,)
        self.pages = Pages(situation.corpus.of(self.source))

    def answer(self, request: WireRequest) -> WireReply:
        """Pages, or an error in the vendor's shape."""
        given = dict(request.query())
        if request.method != "GET" or request.path not in self.paths:
            return self.error(404, "there is nothing here", given)
        return self.found(request, given)

    def wrong(self, given: Mapping[str, str]) -> str:
        """The first parameter that is missing or not as documented."""
        checked = ((name, check) for name, check in self.parameters.items() if name in given or name in self.needed)
        return next((name for name, check in checked if not check(given.get(name, ""))), "")

    def too_large(self) -> WireReply:
        return self.error(413, "the request is too large", {})

    def origins(self) -> Mapping[str, str]:
        """By address."""
        return {row.url: row.id for row in self.pages.rows if row.url}

    @abstractmethod
    def found(self, request: WireRequest, given: dict[str, str]) -> WireReply:
        """What the vendor replies at one of its paths."""

    @abstractmethod
    def error(
        self, status: int, detail: str, asked: Mapping[str, Any], headers: Mapping[str, str] | None = None
    ) -> WireReply:
        """An error in the vendor's shape."""
