"""Notion's search: words compared with titles, and one filter on the kind of object; there are no operators at all.

Manual: https://developers.notion.com/reference/post-search
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from translators.capabilities import TIMES, Capabilities, Fidelity
from translators.emit import as_typed, literals
from translators.generate import Dialect
from translators.query import BY_DATE, Clause, Compare, Field, Identifier, IdKind, Kind, Sort
from translators.said import Said
from translators.translator import NativeQuery
from translators.verdicts import EXACT, Verdicts, provided

if TYPE_CHECKING:
    from translators.capabilities import Verdict
    from translators.translator import Json

# "database" is refused since 2025-09-03: https://developers.notion.com/docs/upgrade-guide-2025-09-03
OBJECTS = {Kind.PAGE: "page", Kind.DATABASE: "data_source"}
DIRECTIONS = {Sort.NEWEST: "descending", Sort.OLDEST: "ascending"}

# Every page and database has 32 hexadecimal digits at the end of its address, after its title; a page that lies open
# over a database is in the parameter p: https://developers.notion.com/docs/working-with-page-content
ID = r"([0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"
ADDRESS = re.compile(
    rf"https?://(?:[\w-]+\.)*notion\.(?:so|site|com)/(?:[^?#\s]*[/-])?{ID}(?:\?([^#\s]*))?(?:#\S*)?",
    re.IGNORECASE | re.ASCII,
)
OPEN_PAGE = re.compile(rf"(?:^|&)p={ID}(?:&|$)", re.IGNORECASE)

NO_ADDRESS = Said("this is no address of a page in Notion")
ONLY_TITLES = Said("Notion's search knows titles, pages and databases only")


class NotionVerdicts(Verdicts):
    """There is one filter, on the kind."""

    lacks: ClassVar = dict.fromkeys(
        (Field.AUTHOR, Field.ASSIGNEE, Field.CONTAINER, Field.STATE, *sorted(TIMES)), ONLY_TITLES
    )
    kinds: ClassVar = dict.fromkeys(OBJECTS, EXACT)
    no_kind = ONLY_TITLES

    def identifier(self, thing: Identifier) -> Verdict:
        return provided(page_id(thing), NO_ADDRESS)


class Notion(Dialect):
    """Queries for ``POST /v1/search``; ``args`` holds ``filter`` and ``sort`` as that call takes them.

    A page or database named by its address is read by itself: ``args`` then holds its ``id`` and nothing else.
    """

    name = "notion"
    can = Capabilities(
        term=Fidelity.APPROXIMATE,
        phrase=Fidelity.APPROXIMATE,
        prefix=Fidelity.APPROXIMATE,
        fields={Field.KIND: Fidelity.EXACT, Field.ID: Fidelity.EXACT},
        absent=frozenset({Field.ASSIGNEE}),  # few pages have an owner, and none is found by it
        sorts=BY_DATE,
        note=Said("Notion compares titles only"),
    )
    verdicts = NotionVerdicts()
    single = frozenset({Field.KIND})
    fetches = True

    def native(self, pushed: Clause, order: Sort) -> NativeQuery:
        wanted = [leaf for leaf, _ in literals(pushed)]
        args: dict[str, Json] = {}
        for leaf in wanted:
            if isinstance(leaf, Compare):
                args["filter"] = {"property": "object", "value": OBJECTS[Kind(str(leaf.value))]}
        if order in DIRECTIONS:
            args["sort"] = {"timestamp": "last_edited_time", "direction": DIRECTIONS[order]}
        text = " ".join(as_typed(leaf.text) for leaf in wanted if not isinstance(leaf, Compare))
        return NativeQuery(self.name, text, args)

    def fetching(self, thing: Identifier) -> NativeQuery:
        return NativeQuery(self.name, "", {"id": page_id(thing)})


def page_id(thing: Identifier) -> str:
    """The 32 digits of the page or database whose address ``thing`` is; empty where it is none of Notion's."""
    found = ADDRESS.fullmatch(thing.text) if thing.kind in (IdKind.URL, IdKind.PERMALINK) else None
    if found is None:
        return ""
    over = OPEN_PAGE.search(found[2] or "")
    return (over or found)[1].replace("-", "").lower()


TRANSLATOR = Notion
