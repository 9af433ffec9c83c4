"""``python -m tests.phrases [misses]``: how many phrases keep every content word, and how many sentences theirs and no asking ones."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from orchestrator.understand import understand

HOME = Path(__file__).parent / "data" / "phrases"
NOW = datetime.fromisoformat("2026-05-20T10:00:00+09:00")
WORD = re.compile(r"[\w-]+")
FUNCTION = frozenset("a an and as at before by for from in of on or the to with".split())
"""No content words; particles of a verb in a name are (sign off sheet)."""


@dataclass(frozen=True, slots=True)
class Kept:
    """One row: what is lost of what must be required, what is required though it only asks, and all that is."""

    text: str
    lost: tuple[str, ...]
    cluttered: tuple[str, ...]
    required: tuple[str, ...]


def phrases(name: str) -> list[Kept]:
    """The noun phrases of ``name``.txt, each asked as it stands."""
    return [_kept(line, _content(line)) for line in _lines(f"{name}.txt")]


def sentences(name: str) -> list[Kept]:
    """The sentences of ``name``.jsonl."""
    rows = [json.loads(line) for line in _lines(f"{name}.jsonl")]
    return [_kept(row["text"], row["keywords"], row["asks"]) for row in rows]


def _lines(name: str) -> list[str]:
    return [line for line in (HOME / name).read_text("utf-8").splitlines() if line.strip()]


def _content(line: str) -> list[str]:
    return [word for word in WORD.findall(line) if word.casefold() not in FUNCTION]


def _kept(text: str, wanted: list[str], asks: list[str] | tuple[()] = ()) -> Kept:
    query = understand(text, NOW)
    required = (*query.keywords, *query.phrases)
    parts = {part for word in required for part in (word.casefold(), *WORD.findall(word.casefold()))}
    whole = " ".join(required).casefold()
    lost = [word for word in wanted if word.casefold() not in (whole if not word.isascii() else parts)]
    return Kept(text, tuple(lost), tuple(word for word in asks if word.casefold() in parts), required)


def main() -> None:
    """Print a figure a set."""
    shown = sys.argv[1:] == ["misses"]
    for read, names in ((phrases, ("", "trades_", "trades_apart_")), (sentences, ("sentences_", "sentences_apart_"))):
        for name in (prefix + lang for prefix in names for lang in ("en", "ko")):
            rows = read(name)
            good = [row for row in rows if not row.lost]
            clean = [row for row in rows if not row.cluttered]
            sys.stdout.write(
                f"{name:20} whole {len(good)}/{len(rows)}  without asking words {len(clean)}/{len(rows)}\n"
            )
            for row in rows if shown and "apart" not in name else ():
                if row.lost or row.cluttered:
                    sys.stdout.write(f"    {row.text} -> {row.required} lost {row.lost} cluttered {row.cluttered}\n")


if __name__ == "__main__":
    main()
