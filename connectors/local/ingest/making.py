"""Makes the document that is kept of a draft: cut into parts, under its name, for whom it is."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from connectors.local.documents import Document
from connectors.local.ingest.chunking import chunks_of
from connectors.text import plain_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from connectors.local.ingest.drafts import Draft

LONGEST_ID = 1500  # bytes; a row of a database's index has some 2,700


def document_of(
    source: str,
    native_id: str,
    draft: Draft,
    readers: Sequence[str],
    *,
    description: str = "",
    examples: tuple[str, ...] = (),
) -> Document:
    """The document ``native_id`` of ``source``; see :class:`connectors.local.documents.Document` for the rest."""
    return Document(
        source,
        native_id,
        draft.title,
        chunks_of(draft.sections),
        tuple(readers),
        url=draft.url,
        kind=draft.kind,
        author=draft.author,
        assignee=draft.assignee,
        container=draft.container,
        state=draft.state,
        created=draft.created,
        updated=draft.updated,
        description=description,
        examples=examples,
        facts=draft.facts,
    )


def kept_id(name: str) -> str:
    """A path as an id; what is too long for the database keeps its beginning and a digest of the whole."""
    plain = plain_line(name)
    raw = plain.encode()
    if len(raw) <= LONGEST_ID:
        return plain
    return f"{raw[:LONGEST_ID].decode('utf-8', 'ignore')}…{hashlib.blake2b(raw, digest_size=8).hexdigest()}"
