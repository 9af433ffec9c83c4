"""Understanding against labelled questions, noun phrases and date sentences."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, time, timedelta
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from orchestrator.understand import to_row, understand, understand_rows
from tests.quality.figures import Figure

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

LANGUAGES = ("en", "ko")
SETS = ("negated", "sources", "people")  # scored by F1; of keywords the recall: what a request must not lose
# Closed classes of English: articles, conjunctions, prepositions and the particles of verbs.
FUNCTION_WORDS = frozenset("a an the and or but of to for in on at by with from as into up off out over".split())
ASKED_AT = datetime(2026, 5, 20, 10, tzinfo=UTC)


def rows_of(path: Path) -> list[dict[str, Any]]:
    """Each object of a file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def predicted(rows: Iterable[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Understood rows by id."""
    return {row["id"]: row for row in understand_rows(json.dumps(row) for row in rows)}


# ---- labelled questions


def questions(files: Iterable[Path]) -> Iterator[Figure]:
    """Types a fair judge accepts, F1 of what questions name or exclude, recall of keywords, windows: a language each."""
    rows = [row for file in files for row in rows_of(file)]
    found = predicted(rows)
    for lang in LANGUAGES:
        own = [row for row in rows if row["lang"] == lang]
        fair = [found[row["id"]]["intent"] in {row["intent"], *row["also_ok"]} for row in own]
        yield share(f"type_{lang}", fair)
        for field in SETS:
            hit, want, got = overlap(own, found, field)
            yield Figure(f"{field}_{lang}", 2 * hit / (want + got) if want + got else 1.0, len(own))
        hit, want, _ = overlap(own, found, "keywords")
        yield Figure(f"keywords_recall_{lang}", hit / want, len(own))
        yield share(f"window_{lang}", [same_window(row, found[row["id"]]) for row in own])


def share(name: str, hits: list[bool], *, fewer: bool = False) -> Figure:
    """How many of all are so."""
    return Figure(name, sum(hits) / len(hits), len(hits), fewer)


def overlap(rows: Iterable[dict[str, Any]], found: dict[str, dict[str, Any]], field: str) -> tuple[int, int, int]:
    """How many values are right, labelled, and understood; letter case and marks of names aside."""
    pairs = [(folded(row[field]), folded(found[row["id"]][field])) for row in rows]
    return (
        sum(len(want & got) for want, got in pairs),
        sum(len(want) for want, _ in pairs),
        sum(len(got) for _, got in pairs),
    )


def folded(values: Iterable[str]) -> set[str]:
    """As compared."""
    return {value.strip().lstrip("#@").casefold() for value in values if value.strip()}


# ---- phrases


def phrases(folder: Path) -> Iterator[Figure]:
    """The share of noun phrases that keep every content word."""
    for lang in LANGUAGES:
        texts = [line.strip() for line in (folder / f"{lang}.txt").read_text("utf-8").splitlines() if line.strip()]
        yield share(lang, [not lost_words(text) for text in texts])


def lost_words(text: str) -> list[str]:
    """The content words of a phrase that understanding did not keep."""
    row = to_row(understand(text, ASKED_AT), "")
    kept = kept_words(row["keywords"]) | kept_words(row["phrases"]) | kept_words(row["projects"] + row["people"])
    return [word for word in text.casefold().split() if word not in FUNCTION_WORDS and word not in kept]


def kept_words(values: list[str]) -> set[str]:
    """Every word of ``values``, and those that several of them, one after the other, spell: 주소 and 록 keep 주소록."""
    words = [word for value in values for word in value.casefold().split()]
    return {run for start in range(len(words)) for run in accumulate(words[start:])}


# ---- windows


def windows(file: Path) -> Iterator[Figure]:
    """Our own table of windows, and of what looks like one."""
    rows = rows_of(file)
    found = predicted(rows)
    for lang in LANGUAGES:
        yield share(lang, [same_window(row, found[row["id"]]) for row in rows if row["lang"] == lang])


def dates(folder: Path) -> Iterator[Figure]:
    """Date sentences read so that a fair judge accepts it, and windows seen in sentences that have none.

    A search looks back: only windows that begin on or before the day of asking count.
    """
    for lang in LANGUAGES:
        rows, without = rows_of(folder / f"{lang}.dev.jsonl"), rows_of(folder / f"{lang}_none.dev.jsonl")
        past = [row for row in rows if not row["start"] or day(row["start"]) <= day(row["reference"])]
        found, alarms = predicted(past), predicted(without)
        yield share(lang, [accepted(row, found[row["id"]]) for row in past])
        yield share(
            f"false_alarms_{lang}", [bool(each["after"] or each["before"]) for each in alarms.values()], fewer=True
        )


def accepted(row: dict[str, Any], found: dict[str, Any]) -> bool:
    """Whether the window is one of those that are right."""
    today = day(row["reference"])
    right = [(row["start"], row["end"]), *row["alts"]]
    return bounds(found["after"], found["before"], today) in [bounds(*each, today) for each in right]


def same_window(row: dict[str, Any], found: dict[str, Any]) -> bool:
    """As labelled; an end after the day of asking is open on both sides."""
    today = day(row["reference"])
    return bounds(row["after"], row["before"], today) == bounds(found["after"], found["before"], today)


def bounds(after: str | None, before: str | None, today: date) -> tuple[date | None, date | None]:
    """The first day, and the first that is no longer in it."""
    end = day(before, up=True) if before else None
    return (day(after) if after else None, None if end and end > today else end)


def day(value: str, *, up: bool = False) -> date:
    """Of a moment; the next one where ``up`` and the moment is within a day."""
    moment = datetime.fromisoformat(value)
    return moment.date() + timedelta(days=up and moment.time() != time.min)
