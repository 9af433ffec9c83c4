"""Replies as a declaration reads them: the list of results, each as a hit."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from connectors.contract import HitPage, LeftOut
from connectors.json_api.paths import listed, pointer
from connectors.json_api.wire import ResultReader
from connectors.wire import read_items
from translators.said import Said

if TYPE_CHECKING:
    from connectors.json_api.settings import Declaration, ReplySettings
    from connectors.wire import ItemMemo

IN_PART = Said("{title} says that its answer is not complete")


def read_page(
    declared: Declaration,
    data: object,
    title: str,
    known: ItemMemo | None = None,
    reader: ResultReader | None = None,
) -> HitPage:
    """The hits in ``data``. Where the reply names no next page, ``cursor`` says how many results there were. ``reader``: of the declaration, where it is made already."""
    where = declared.reply
    items = listed(where.items, data, may_lack=_found_nothing(where, data))
    if where.order:
        place, sign = pointer(where.order.removeprefix("-")), -1 if where.order.startswith("-") else 1
        items = sorted(items, key=lambda item: _number(place.first(item), sign))
    hits, notes = read_items(items, (reader or ResultReader(declared)).read, "results", known)
    cut = (LeftOut(IN_PART.filled(title=title)),) if pointer(where.partial).first(data) else ()
    total = pointer(where.total).first(data)
    cursor = pointer(where.next).line(data) if where.next else str(len(items))
    return HitPage(hits, cursor or None, total if type(total) is int else None, notes, cut)


def _number(found: object, sign: int) -> float:
    """What has none stands last, either way."""
    return sign * found if isinstance(found, int | float) else math.inf


def _found_nothing(where: ReplySettings, data: object) -> bool:
    """Whether a list that is not there is an empty one: many leave it out. A declaration that is wrong must not look like that."""
    empty = data == {} or str(pointer(where.total).first(data)) == "0"
    return isinstance(data, Mapping) and (empty or where.omits_empty)
