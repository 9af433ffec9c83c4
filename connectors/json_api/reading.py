"""Replies as a declaration reads them: the list of results, each as a hit."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from connectors.contract import Hit, HitPage, LeftOut
from connectors.json_api.paths import first, line, listed
from connectors.json_api.wire import RESULTS, picked
from connectors.markup import from_html, from_markdown
from connectors.text import clip, plain_line, plain_text
from connectors.wire import read_each
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Callable

    from connectors.json_api.settings import Declaration, ReplySettings
    from connectors.json_api.wire import AnyResult

IN_PART = Said("{title} says that its answer is not complete")
MARKUP: Mapping[str, Callable[[str], str]] = {"none": plain_text, "html": from_html, "markdown": from_markdown}


def read_page(declared: Declaration, data: object, title: str) -> HitPage:
    """The hits in ``data``. Where the reply names no next page, ``cursor`` says how many results there were."""
    where = declared.reply
    items = listed(where.items, data, may_lack=_found_nothing(where, data))
    found = (picked(declared.hit, item) for item in items)
    hits, notes = read_each(RESULTS[declared.hit.dates], found, lambda result: hit_of(declared, result), "results")
    cut = (LeftOut(IN_PART.filled(title=title)),) if first(where.partial, data) else ()
    total = first(where.total, data)
    cursor = line(where.next, data) if where.next else str(len(items))
    return HitPage(hits, cursor or None, total if type(total) is int else None, notes, cut)


def _found_nothing(where: ReplySettings, data: object) -> bool:
    """Whether a list that is not there is an empty one: many leave it out. A declaration that is wrong must not look like that."""
    empty = data == {} or str(first(where.total, data)) == "0"
    return isinstance(data, Mapping) and (empty or where.omits_empty)


def hit_of(declared: Declaration, result: AnyResult) -> Hit:
    """One result."""
    where = declared.hit
    plain = MARKUP[where.markup]
    snippet, uncut = clip(plain(result.text), declared.max_text)
    return Hit(
        source="",
        id=result.id,
        kind=where.kinds.get(result.kind, declared.kinds[0]),
        title=plain_line(plain(result.title)),
        url=result.url,
        snippet=snippet,
        complete=where.whole and uncut,
        author=result.written_by,
        assignee=result.given_to,
        container=result.place,
        state=where.states.get(result.state),
        created=result.created,
        updated=result.updated,
        score=result.score,
        facts=MappingProxyType(result.facts),
    )
