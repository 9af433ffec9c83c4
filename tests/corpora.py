"""A small company for one test, as the sandbox reads it from files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from orchestrator.sandbox import Corpus, load_corpus

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path


def corpus_of(
    folder: Path,
    rows: Iterable[Mapping[str, Any]],
    people: Iterable[Mapping[str, Any]] = (),
    *,
    source: str = "",
    **options: Any,
) -> Corpus:
    """These rows and people, written into ``folder`` and read with the ``options`` of reading. ``source``: of rows that name none."""
    for name, lines in (("rows", [{"source": source, **row} for row in rows]), ("people", people)):
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    return load_corpus(folder, **options)
