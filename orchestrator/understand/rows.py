"""Queries as rows: the keys of the labelled data, for ``fedsearch understand --jsonl`` and for scoring."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from orchestrator.understand.understanding import understand
from translators.query import EntityKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from orchestrator.understand.directory import Directory
    from orchestrator.understand.lexicon import Lexicon
    from translators.query import Query


def to_row(query: Query, id: str) -> dict[str, Any]:  # noqa: A002  (the key of the data)
    """The keys of ``tests/data/queries/README.md`` that understanding fills."""
    window = query.window and query.window.exact
    projects = (entity.name for entity in query.entities if entity.kind is not EntityKind.PERSON)
    return {
        "id": id,
        "lang": query.language,
        "text": query.text,
        "intent": str(query.type),
        "keywords": list(query.keywords),
        "phrases": list(query.phrases),
        "people": list(dict.fromkeys(query.people())),
        "projects": list(dict.fromkeys(projects)),
        "sources": [str(hint) for hint in query.hints],
        "author": None if query.author is None or query.author.me else str(query.author),
        "container": None if query.container is None else query.container.name,
        "after": window.start.isoformat() if window and window.start else None,
        "before": window.end.isoformat() if window and window.end else None,
        "negated": list(query.negated),
        "mine": query.mine,
        "ambiguous": query.ambiguous,
    }


def understand_rows(
    lines: Iterable[str], directory: Directory | None = None, *, lexicon: Lexicon | None = None
) -> Iterator[dict[str, Any]]:
    """Rows with ``id, text, reference`` in, understood rows out. A naive ``reference`` is read as UTC.

    Raises ``ValueError`` (with the line number) for a line that is no such row.
    """
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            now = datetime.fromisoformat(row["reference"])
            id_, text = str(row["id"]), str(row["text"])
        except (ValueError, TypeError, KeyError) as error:
            raise ValueError(f"line {number} is no row with id, text and reference (ISO 8601): {error!r}") from error
        query = understand(text, now if now.tzinfo else now.replace(tzinfo=UTC), directory, lexicon=lexicon)
        yield to_row(query, id_)
