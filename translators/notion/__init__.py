"""Notion's search: words compared with titles, and one filter on the kind of object; there are no operators at all.

Manual: https://developers.notion.com/reference/post-search
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, assert_never

from translators.capabilities import Capabilities, Fidelity, Verdict
from translators.emit import judge_text, literals, plain, settle
from translators.query import Compare, Field, Identifier, IdKind, Kind, Leaf, Phrase, Prefix, Query, Sort, Term
from translators.said import Said
from translators.translator import NativeQuery, Translation

if TYPE_CHECKING:
    from translators.translator import Json

# "database" is refused since 2025-09-03: https://developers.notion.com/docs/upgrade-guide-2025-09-03
OBJECTS = {Kind.PAGE: "page", Kind.DATABASE: "data_source"}
DIRECTIONS = {Sort.NEWEST: "descending", Sort.OLDEST: "ascending"}
ONE_FILTER = frozenset({Field.KIND})

# Every page and database has 32 hexadecimal digits at the end of its address, after its title; a page that lies open
# over a database is in the parameter p: https://developers.notion.com/docs/working-with-page-content
ID = r"([0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"
ADDRESS = re.compile(
    rf"https?://(?:[\w-]+\.)*notion\.(?:so|site|com)/(?:[^?#\s]*[/-])?{ID}(?:\?([^#\s]*))?(?:#\S*)?",
    re.IGNORECASE | re.ASCII,
)
OPEN_PAGE = re.compile(rf"(?:^|&)p={ID}(?:&|$)", re.IGNORECASE)


class Notion:
    """Queries for ``POST /v1/search``; ``args`` holds ``filter`` and ``sort`` as that call takes them.

    A page or database named by its address is read by itself: ``args`` then holds its ``id`` and nothing else.
    """

    name: ClassVar[str] = "notion"
    can: ClassVar[Capabilities] = Capabilities(
        term=Fidelity.APPROXIMATE,
        phrase=Fidelity.APPROXIMATE,
        prefix=Fidelity.APPROXIMATE,
        fields={Field.KIND: Fidelity.EXACT, Field.ID: Fidelity.EXACT},
        absent=frozenset({Field.ASSIGNEE}),  # what a search returns tells of no person but who wrote and changed it
        sorts=frozenset(Sort),
        note=Said("Notion compares titles only", "Notion은 제목만 비교합니다"),
    )

    def translate(self, query: Query, can: Capabilities) -> Translation:
        """``query`` as words for Notion's title search."""
        can = self.can.meet(can)
        settled = settle(query, can, judge, single=ONE_FILTER, fetches=True)
        if isinstance(settled.pushed, Compare) and isinstance(settled.pushed.value, Identifier):
            one = NativeQuery(self.name, "", {"id": page_id(settled.pushed.value)})
            return Translation(one, settled.residual, settled.losses)
        pushed = [leaf for leaf, _ in literals(settled.pushed)]
        text = " ".join(plain(leaf.text) for leaf in pushed if not isinstance(leaf, Compare))
        args: dict[str, Json] = {}
        for leaf in pushed:
            if isinstance(leaf, Compare):
                args["filter"] = {"property": "object", "value": OBJECTS[Kind(str(leaf.value))]}
        if query.sort in DIRECTIONS and query.sort in can.sorts:
            args["sort"] = {"timestamp": "last_edited_time", "direction": DIRECTIONS[query.sort]}
        return Translation(NativeQuery(self.name, text, args), settled.residual, settled.losses)


def judge(leaf: Leaf) -> Verdict:
    """How well Notion can say one leaf."""
    match leaf:
        case Term() | Phrase() | Prefix():
            return judge_text(leaf)
        case Compare(_, _, Identifier() as thing):
            return (
                Verdict()
                if page_id(thing)
                else Verdict(
                    Fidelity.NONE, Said("this is no address of a page in Notion", "Notion 페이지의 주소가 아닙니다")
                )
            )
        case Compare(_, _, value):
            return (
                Verdict()
                if value in OBJECTS
                else Verdict(
                    Fidelity.NONE,
                    Said(
                        "Notion's search knows titles, pages and databases only",
                        "Notion 검색은 제목, 페이지, 데이터베이스만 압니다",
                    ),
                )
            )
        case _:
            assert_never(leaf)


def page_id(thing: Identifier) -> str:
    """The 32 digits of the page or database whose address ``thing`` is; empty where it is none of Notion's."""
    found = ADDRESS.fullmatch(thing.text) if thing.kind in (IdKind.URL, IdKind.PERMALINK) else None
    if found is None:
        return ""
    over = OPEN_PAGE.search(found[2] or "")
    return (over or found)[1].replace("-", "").lower()


TRANSLATOR = Notion
