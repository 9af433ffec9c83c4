"""One question as several searches: what each is asked, where each stands, and a cursor that says so for all of them.

Their lists become one: in turn, or by date where an order was asked for.
"""

from __future__ import annotations

import base64
import json
import re
from typing import TYPE_CHECKING

from pydantic import NonNegativeInt, PositiveInt

from connectors.wire import Wire
from translators.github.grammar import SEPARATOR
from translators.match import happened
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from connectors.contract import Hit
    from connectors.github.settings import GitHubSettings
    from translators.translator import NativeQuery

BUCKETS = {"issues": "search", "pull_requests": "search", "discussions": "graphql", "code": "code_search"}
KINDS = {"issues": "is:issue", "pull_requests": "is:pull-request"}
OPERATORS = frozenset({"AND", "OR", "NOT"})
MOST_OPERATORS = 5  # https://docs.github.com/en/rest/search/search#limitations-on-query-length
WORD = re.compile(r'"[^"]*"|[()]|[^\s()"]+')
EVERYTHING = "created:>=2008-01-01"  # GitHub is younger; a search for nothing at all finds nothing


@record
class SearchLane:
    """One search: which, and the whole query."""

    scope: str
    query: str

    @property
    def bucket(self) -> str:
        """What GitHub counts it among."""
        return BUCKETS[self.scope]


class LaneCursor(Wire):
    """How far a lane has been read: ``position`` is the vendor's page (``None``: the first), of which ``skip`` hits are done."""

    position: str | None = None
    skip: NonNegativeInt = 0


class LanesProgress(Wire):
    """How far all lanes have been read, a page of each being ``size`` hits. A lane without a place is at its end."""

    size: PositiveInt
    places: tuple[LaneCursor | None, ...]


def lanes_of(native: NativeQuery, settings: GitHubSettings) -> tuple[SearchLane, ...]:
    """The searches for a question, in the order of the settings; a query that names no searches is for all of them."""
    searches = native.args.get("search")
    everywhere = [" ".join(settings.scopes)]
    names = [str(each) for each in searches] if isinstance(searches, list | tuple) else everywhere
    asked = list(zip(native.text.split(SEPARATOR), names, strict=False))
    order = "created-desc" if native.args.get("order") == "desc" else "created-asc"
    found: dict[SearchLane, None] = {}
    for scope in settings.scopes:
        for text, wanted in asked:
            if scope in wanted.split():
                sort = (f"sort:{order}",) if scope == "discussions" and "sort" in native.args else ()
                found |= dict.fromkeys(SearchLane(scope, query) for query in _queries(scope, text, settings, sort))
    return tuple(found)


def _queries(scope: str, text: str, settings: GitHubSettings, sort: Sequence[str]) -> Iterator[str]:
    """``text`` for one search, kept inside the settings; several where the repositories do not fit into one."""
    if scope == "code" and not text:
        return  # GitHub finds code by words only
    inside = "" if settings.comments or scope == "code" else "in:title,body"
    for places in _places(scope, text, settings):
        query = " ".join(part for part in (text, KINDS.get(scope, ""), inside, places, *sort) if part)
        yield query or EVERYTHING


def _places(scope: str, text: str, settings: GitHubSettings) -> Sequence[str]:
    """Qualifiers that keep a query inside the settings.

    In the older searches of discussions and code several places add up, so a query that names its own gets no other.
    """
    own = _own_place(text)
    if own:
        return [""] if settings.inside(own) else []
    if not settings.repos:
        return [f"org:{settings.org}" if settings.org else ""]
    named = [f"repo:{name}" for name in settings.repositories]
    if scope not in KINDS:
        return [" ".join(named)]
    used = sum(word in OPERATORS for word in WORD.findall(text))
    most = max(1, MOST_OPERATORS - used + 1)
    groups = [named[start : start + most] for start in range(0, len(named), most)]
    return [f"({' OR '.join(group)})" if len(group) > 1 else group[0] for group in groups]


def _own_place(text: str) -> str:
    """The repository that a query is confined to by itself."""
    depth = 0
    for word in WORD.findall(text):
        depth += (word == "(") - (word == ")")
        if depth == 0 and word.startswith("repo:"):
            return str(word.removeprefix("repo:"))
    return ""


# ---- cursors


def progress_of(cursor: str | None, lanes: Sequence[SearchLane], size: int) -> LanesProgress:
    """Where all lanes stand; at their beginning, by pages of ``size``, for a cursor that is none of this question's."""
    start = LanesProgress(size=size, places=(LaneCursor(),) * len(lanes))
    try:
        progress = LanesProgress.model_validate(json.loads(base64.urlsafe_b64decode(cursor or "")))
    except (ValueError, RecursionError):
        return start
    return progress if any(progress.places) and len(progress.places) == len(lanes) else start


def cursor_of(progress: LanesProgress) -> str | None:
    """The cursor, none where every lane is at its end."""
    if not any(progress.places):
        return None
    return base64.urlsafe_b64encode(progress.model_dump_json(exclude_defaults=True).encode()).decode()


def merged(
    lists: Sequence[Sequence[Hit]], choose: Callable[[Sequence[int]], int], limit: int
) -> tuple[list[Hit], list[int]]:
    """At most ``limit`` hits, each once, and how many of each list were used up for them.

    ``choose`` says, of the lists and how many of each are used, which gives the next one.
    """
    used = [0] * len(lists)
    hits: dict[str, Hit] = {}
    while len(hits) < limit and any(place < len(each) for place, each in zip(used, lists, strict=True)):
        at = choose(used)
        hit = lists[at][used[at]]
        hits.setdefault(hit.id, hit)
        used[at] += 1
    return list(hits.values()), used


def in_turn(lists: Sequence[Sequence[Hit]], groups: Sequence[str]) -> Callable[[Sequence[int]], int]:
    """The best of each group, then the second of each, and so on; within a group its lists take turns in the same way.

    Scores of different searches do not compare, so each search counts for the same.
    """

    def choose(used: Sequence[int]) -> int:
        of_group = {group: sum(n for n, each in zip(used, groups, strict=True) if each == group) for group in groups}
        there = [at for at, each in enumerate(lists) if used[at] < len(each)]
        return min(there, key=lambda at: (of_group[groups[at]], list(of_group).index(groups[at]), used[at], at))

    return choose


def by_date(lists: Sequence[Sequence[Hit]], *, newest: bool) -> Callable[[Sequence[int]], int]:
    """The newest (or oldest) of those that come next; what has no date comes last."""

    def choose(used: Sequence[int]) -> int:
        there = [at for at, each in enumerate(lists) if used[at] < len(each)]
        return min(there, key=lambda at: (*_age(lists[at][used[at]], newest=newest), at))

    return choose


def _age(hit: Hit, *, newest: bool) -> tuple[bool, float]:
    moment = happened(hit)
    seconds = moment.timestamp() if moment else 0.0
    return moment is None, -seconds if newest else seconds
