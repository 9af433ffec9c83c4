"""Putting documents in and taking them out: a batch at a time, whole or not at all, equal content left alone."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from connectors.local import words
from connectors.local.counting import recount
from connectors.local.documents import addresses, container_names, digest, name_words, plain_json, site_words
from connectors.local.rights import WRITING, as_array, change_readers, readers_of
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from connectors.local.documents import Document
    from connectors.passages import Passage

MOST_WORDS = 700_000  # bytes of a document's words; a tsvector has at most a million

WRITE_DOCUMENT = """
    INSERT INTO documents (source, native_id, url, title, kind, author, author_words, assignee, assignee_words,
        container, container_names, state, created, updated, happened, description, facts, address, addresses, words,
        parts, content, about, principals, examples)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20::text::tsvector,
        $21, $22, $23, $24, $25)
    ON CONFLICT (source, native_id) DO UPDATE SET url = excluded.url, title = excluded.title, kind = excluded.kind,
        author = excluded.author, author_words = excluded.author_words, assignee = excluded.assignee,
        assignee_words = excluded.assignee_words, container = excluded.container,
        container_names = excluded.container_names, state = excluded.state, created = excluded.created,
        updated = excluded.updated, happened = excluded.happened, description = excluded.description,
        facts = excluded.facts, address = excluded.address, addresses = excluded.addresses, words = excluded.words,
        parts = excluded.parts, content = excluded.content, about = excluded.about, principals = excluded.principals,
        examples = excluded.examples, stored = excluded.stored
    RETURNING id
"""
UPDATE_ABOUT = """
    UPDATE documents SET kind = $2, author = $3, author_words = $4, assignee = $5, assignee_words = $6,
        container = $7, container_names = $8, state = $9, created = $10, updated = $11, happened = $12, facts = $13,
        about = $14, principals = $15, stored = now()
    WHERE id = $1
"""
KNOWN = """
    SELECT d.id, d.source, d.native_id, d.content, d.about
    FROM unnest($1::text[], $2::text[]) AS wanted (source, native_id) JOIN documents d USING (source, native_id)
"""
WRITE_CHUNKS = """
    INSERT INTO chunks (id, document, place, digest, length, terms, readers)
    SELECT id, document, place, digest, length, terms::tsvector, readers::integer[]
    FROM unnest($1::bigint[], $2::bigint[], $3::integer[], $4::bytea[], $5::integer[], $6::text[], $7::text[])
        AS given (id, document, place, digest, length, terms, readers)
"""
MOVE_CHUNKS = """
    UPDATE chunks SET place = given.place FROM unnest($1::bigint[], $2::integer[]) AS given (id, place)
    WHERE chunks.id = given.id AND chunks.place <> given.place
"""
NEXT_IDS = "SELECT nextval(pg_get_serial_sequence('chunks', 'id')) AS id FROM generate_series(1, $1)"


@record
class WriteResult:
    """What became of a batch. ``changed``: its content did; ``renamed``: only who wrote it, may see it, and the like did."""

    added: int = 0
    changed: int = 0
    renamed: int = 0
    unchanged: int = 0


@record
class _Part:
    """A chunk ready to be written."""

    digest: bytes
    heading: str
    body: str
    meaning: str
    terms: tuple[str, ...]


@record
class _Ready:
    """A document with all that can be worked out without the database."""

    document: Document
    content: bytes
    about: bytes

    @property
    def key(self) -> tuple[str, str]:
        return self.document.source, self.document.id


async def write(connection: Any, documents: Iterable[Document]) -> WriteResult:
    """Add or change documents, inside the transaction that ``connection`` is in; of one given twice the last counts."""
    ready = await asyncio.to_thread(_readied, documents)
    if not ready:
        return WriteResult()
    await connection.execute("SELECT pg_advisory_xact_lock($1)", WRITING)
    sources, ids = zip(*ready, strict=True)
    known = {(row["source"], row["native_id"]): row for row in await connection.fetch(KNOWN, sources, ids)}
    new = [each for key, each in ready.items() if key not in known]
    changed = [each for key, each in ready.items() if key in known and known[key]["content"] != each.content]
    renamed = [
        each
        for key, each in ready.items()
        if key in known and known[key]["content"] == each.content and known[key]["about"] != each.about
    ]
    readers = await readers_of(connection, {each.document.principals for each in (*new, *changed, *renamed)})
    if renamed:
        rows = [(known[each.key]["id"], *_about_row(each)) for each in renamed]
        await connection.executemany(UPDATE_ABOUT, rows)
    if new or changed:
        await _write_whole(connection, [*new, *changed], {known[each.key]["id"] for each in changed}, readers)
    there = {known[each.key]["id"]: readers[each.document.principals] for each in (*changed, *renamed)}
    await change_readers(connection, there)
    return WriteResult(len(new), len(changed), len(renamed), len(ready) - len(new) - len(changed) - len(renamed))


async def erase(connection: Any, source: str, ids: Sequence[str] | None) -> int:
    """Remove documents of one source, all of them where no ids are given; how many there were."""
    await connection.execute("SELECT pg_advisory_xact_lock($1)", WRITING)
    found = await connection.fetch(
        "SELECT id FROM documents WHERE source = $1 AND ($2::text[] IS NULL OR native_id = ANY($2))", source, ids
    )
    gone = [row["id"] for row in found]
    chunks = await connection.fetch("SELECT id FROM chunks WHERE document = ANY($1::bigint[])", gone)
    await recount(connection, [], [row["id"] for row in chunks])
    await connection.execute("DELETE FROM documents WHERE id = ANY($1::bigint[])", gone)
    return len(gone)


def _readied(documents: Iterable[Document]) -> dict[tuple[str, str], _Ready]:
    ready = (_Ready(each, each.content, each.about) for each in (given.cleaned() for given in documents))
    return {each.key: each for each in ready}


# ---- documents


async def _write_whole(
    connection: Any, documents: Sequence[_Ready], before: set[int], readers: Mapping[tuple[str, ...], Sequence[int]]
) -> None:
    rows, parts = await asyncio.to_thread(_worked_out, documents)
    written = await connection.fetchmany(WRITE_DOCUMENT, rows)
    ids = [row["id"] for row in written]
    kept: dict[tuple[int, bytes], list[int]] = {}
    if before:
        held = await connection.fetch(
            "SELECT id, document, digest FROM chunks WHERE document = ANY($1::bigint[]) ORDER BY place DESC", before
        )
        for row in held:
            kept.setdefault((row["document"], row["digest"]), []).append(row["id"])
    seen = {number: as_array(readers[each.document.principals]) for number, each in zip(ids, documents, strict=True)}
    await _write_chunks(connection, list(zip(ids, parts, strict=True)), kept, seen)


def _worked_out(documents: Sequence[_Ready]) -> tuple[list[tuple[Any, ...]], list[list[_Part]]]:
    """Takes processor time, mostly for words: called in a thread."""
    parts = [[_part(each.document, chunk) for chunk in each.document.chunks] for each in documents]
    return [_document_row(each) for each in documents], parts


def _part(document: Document, chunk: Passage) -> _Part:
    meaning = document.meaning(chunk)
    told = (document.title, document.named, chunk.heading, document.description, *document.examples, chunk.text)
    found = tuple(words.terms("\n".join(filter(None, told))))
    return _Part(
        digest([chunk.heading, chunk.text, meaning, document.named]), chunk.heading, chunk.text, meaning, found
    )


def _document_row(ready: _Ready) -> tuple[Any, ...]:
    each = ready.document
    about = _about_row(ready)
    kind, people_to_happened, facts = about[0], about[1:11], about[11]
    return (
        each.source, each.id, each.url, each.title, kind, *people_to_happened, each.description, facts,
        site_words(each.url), addresses(each), _all_words(each), len(each.chunks), ready.content, ready.about,
        list(each.principals), list(each.examples),
    )  # fmt: skip


def _about_row(ready: _Ready) -> tuple[Any, ...]:
    each = ready.document
    return (
        str(each.kind), _json(plain_json(each.author)), name_words(each.author), _json(plain_json(each.assignee)),
        name_words(each.assignee), _json(plain_json(each.container)), container_names(each.container),
        each.state and str(each.state), each.created, each.updated, each.happened, _json(dict(each.facts)),
        ready.about, list(each.principals),
    )  # fmt: skip


def _json(value: dict[str, Any] | None) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False, default=list)


def _all_words(document: Document) -> str | None:
    """Every word once, for filters; ``None`` where there are too many for the database."""
    texts = (document.title, *(chunk.text for chunk in document.chunks))
    found = " ".join(dict.fromkeys(word for text in texts for word in words.whole_words(text)))
    return found if len(found.encode()) <= MOST_WORDS else None


# ---- chunks


async def _write_chunks(
    connection: Any,
    documents: Sequence[tuple[int, list[_Part]]],
    kept: dict[tuple[int, bytes], list[int]],
    seen: Mapping[int, str],
) -> None:
    """Chunks that were there stay, with their vectors; others are written, and what is left over goes."""
    moved: list[tuple[int, int]] = []
    new: list[tuple[int, int, _Part]] = []
    for document, parts in documents:
        for place, part in enumerate(parts):
            if there := kept.get((document, part.digest)):
                moved.append((there.pop(), place))
            else:
                new.append((document, place, part))
    gone = [chunk for chunks in kept.values() for chunk in chunks]
    ids = [row["id"] for row in await connection.fetch(NEXT_IDS, len(new))] if new else []
    if moved:
        await connection.execute(MOVE_CHUNKS, *map(list, zip(*moved, strict=True)))
    if new:
        columns = [
            (chunk, document, place, part.digest, len(part.terms), words.lexemes(part.terms), seen[document])
            for chunk, (document, place, part) in zip(ids, new, strict=True)
        ]
        await connection.execute(WRITE_CHUNKS, *map(list, zip(*columns, strict=True)))
        passages = [
            (chunk, part.heading, part.body, part.meaning) for chunk, (_, _, part) in zip(ids, new, strict=True)
        ]
        await connection.copy_records_to_table(
            "passages", records=passages, columns=("chunk", "heading", "body", "meaning")
        )
    await recount(connection, ids, gone)
    if gone:
        await connection.execute("DELETE FROM chunks WHERE id = ANY($1::bigint[])", gone)
