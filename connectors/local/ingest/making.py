"""Makes the document that is kept of a draft or a hit: cut into parts, under its name, for whom it is."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from connectors.local.documents import Document
from connectors.local.ingest.drafts import DocumentDraft
from connectors.passages import passages_of
from connectors.text import SURROGATES, UNSAFE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from connectors.contract import Hit
    from connectors.passages import DocumentSection

LONGEST_ID = 1500  # bytes; a row of a database's index has some 2,700
NUMBER = "\\u{"
# What no terminal or database should see, what ends a line, and blanks that are lost at either end.
ODD = re.compile(rf"{UNSAFE.pattern}|{SURROGATES.pattern}|[\t\n\u2028\u2029]|^\s+")


def document_of(
    source: str,
    native_id: str,
    told: DocumentDraft | Hit,
    sections: Sequence[DocumentSection],
    readers: Sequence[str],
    *,
    description: str = "",
    examples: tuple[str, ...] = (),
) -> Document:
    """The document ``native_id`` of ``source``; see :class:`connectors.local.documents.Document` for the rest.

    ``description`` and ``examples`` are its collection's; its own stand before them.
    """
    own, shown = (told.description, told.examples) if isinstance(told, DocumentDraft) else ("", ())
    return Document(
        source,
        native_id,
        told.title,
        passages_of(sections),
        tuple(readers),
        url=told.url,
        kind=told.kind,
        author=told.author,
        assignee=told.assignee,
        container=told.container,
        state=told.state,
        created=told.created,
        updated=told.updated,
        description="\n".join(filter(None, (own, description))),
        examples=tuple(dict.fromkeys((*shown, *examples))),
        facts=told.facts,
    )


def spelled(name: str) -> str:
    r"""A path as the index keeps it: as it is, but for odd characters, which stand there by number (``\u{9}``).

    Two paths are never spelled alike, whatever is in them, so that no file takes another's place.
    """
    told = name.replace(NUMBER, f"{NUMBER}5c}}u{{")
    kept = told.rstrip()
    return ODD.sub(lambda odd: _by_number(odd[0]), kept) + _by_number(told[len(kept) :])


def _by_number(text: str) -> str:
    return "".join(f"{NUMBER}{ord(each):x}}}" for each in text)


def kept_id(name: str) -> str:
    """A path as an id; what is too long for the database keeps its beginning and a digest of the whole."""
    plain = spelled(name)
    raw = plain.encode()
    if len(raw) <= LONGEST_ID:
        return plain
    return f"{raw[:LONGEST_ID].decode('utf-8', 'ignore')}…{hashlib.blake2b(raw, digest_size=8).hexdigest()}"
