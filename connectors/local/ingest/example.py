"""A question that somebody could ask of what was just added, and the document that it finds first."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from connectors.local.pipeline import IndexQuery
from translators.match import HANGUL
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from connectors.local.store import IndexStore

TRIED = 8  # documents, the newest first
TITLED = """
    SELECT id, title, source, native_id FROM documents
    WHERE source = ANY($1::text[]) AND principals && $2::text[] AND length(title) BETWEEN 2 AND 60
    ORDER BY happened DESC NULLS LAST, id DESC LIMIT $3
"""
PLAIN_TITLE = re.compile(r"[\w][\w .,&/()'’-]*")
OPERATOR = re.compile(r"(^|\s)-")


@record
class ExampleQuestion:
    """``finds``: the title of the document that the index has first for it, which is ``id`` in a collection."""

    question: str
    finds: str
    collection: str
    id: str


async def example_of(index: IndexStore, collections: Sequence[str], asker: str) -> ExampleQuestion | None:
    """Of the newest documents that ``asker`` may see, the first that is found first by a question for its title."""
    scope = await index.scope(asker)

    async def titled(connection: Any) -> list[Any]:
        found: list[Any] = await connection.fetch(TITLED, list(collections), list(scope.principals), TRIED)
        return found

    for row in await index.database.run(titled):
        title = " ".join(row["title"].split())
        if not PLAIN_TITLE.fullmatch(title) or OPERATOR.search(title):
            continue
        question = f"{title} 문서 어디 있나요?" if HANGUL.search(title) else f"where is the document {title}?"
        found = (await index.search(IndexQuery(question, title, scope))).candidates
        if found and found[0].document == row["id"]:
            return ExampleQuestion(question, title, row["source"], row["native_id"])
    return None
