"""Trains the weights that tell projects from other capitals (``config/language/naming.json``) and prints what they are worth.

Run ``python -m tests.train_projects`` after the word lists, the rules of projects or the labelled questions have changed; the same data gives the
same file. Even rows of the held-out and unseen questions are never read here.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch
from zlib import crc32

import numpy as np

from orchestrator.understand import load_lexicon, projects, understand
from orchestrator.understand.naming import bare_name, signs
from orchestrator.understand.trained import NOTHING_KNOWN, Odds
from translators.query import EntityKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from orchestrator.understand.draft import Draft

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "tests" / "data" / "queries"
OUT = ROOT / "config" / "language" / "naming.json"
ASKED_AT = "2026-05-13T10:00:00+09:00"
FOLDS = 5
OFTEN = 3
"""How many candidates a sign must be at."""
RIDGE = 1.0
"""How strongly weights are drawn to zero."""
STEPS = 600
LEAST = 0.02
"""Weights smaller than this are left out."""


@dataclass(frozen=True, slots=True)
class Question:
    """A labelled question."""

    text: str
    asked: str
    projects: frozenset[str]
    known: bool
    """Whether the rules were written with it in view."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A word the weights decide on."""

    signs: tuple[str, ...]
    project: bool


class Recorder:
    """Stands where :func:`orchestrator.understand.naming.odds_of` would: tells the truth and keeps what it was asked."""

    def __init__(self) -> None:
        self.truth: frozenset[str] = frozenset()
        self.seen: list[Candidate] = []

    def __call__(self, draft: Draft, index: int) -> float:
        """The truth as log odds."""
        word = draft.words[index]
        names = {part for name in self.truth for part in (name, *name.split())}
        project = not names.isdisjoint({word.text.lower(), bare_name(word)})
        self.seen.append(Candidate(tuple(signs(draft, index)), project))
        return 1.0 if project else -1.0


def labelled(lang: str) -> Iterator[Question]:
    """All questions of a language that may be read and whose projects somebody has named."""
    for name in (f"projects_{lang}", f"train_{lang}", "queries", f"heldout_{lang}", f"unseen_{lang}"):
        for row in map(json.loads, (DATA / f"{name}.jsonl").read_text("utf-8").splitlines()):
            unread = name[:2] in {"he", "un"} and int(row["id"].rsplit("-", 1)[1]) % 2 == 0
            if row["lang"] == lang and not unread and "projects" in row:
                wanted = frozenset(str(project).casefold() for project in row["projects"])
                yield Question(row["text"], row.get("reference", ASKED_AT), wanted, name[:3] not in {"pro", "tra"})


def candidates(questions: Sequence[Question]) -> list[list[Candidate]]:
    """What the weights would be asked, a list a question."""
    recorder = Recorder()
    lexicon = replace(load_lexicon(), types=None)
    found = []
    with patch.object(projects, "odds_of", recorder):
        for one in questions:
            recorder.truth, recorder.seen = one.projects, []
            understand(one.text, datetime.fromisoformat(one.asked), lexicon=lexicon)
            found.append(recorder.seen)
    return found


def learn(seen: Sequence[Candidate]) -> dict[str, float]:
    """Weights of a logistic regression, small ones left out."""
    counted = Counter(sign for one in seen for sign in set(one.signs))
    names = sorted(sign for sign, times in counted.items() if times >= OFTEN)
    place = {name: number for number, name in enumerate(names)}
    rows = np.zeros((len(seen), len(names)))
    for number, one in enumerate(seen):
        for sign in one.signs:
            if sign in place:
                rows[number, place[sign]] = 1.0
    wanted = np.array([one.project for one in seen], float)
    weights = np.zeros(len(names))
    mean, square = np.zeros(len(names)), np.zeros(len(names))
    for step in range(1, STEPS + 1):
        chance = 1 / (1 + np.exp(-(rows @ weights)))
        slope = rows.T @ (chance - wanted) / len(seen) + RIDGE * weights / len(seen)
        mean = 0.9 * mean + 0.1 * slope
        square = 0.999 * square + 0.001 * slope * slope
        weights -= (
            0.05 * (1 - 0.9 * step / STEPS) * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-9)
        )
    return {name: round(float(weight), 2) for name, weight in zip(names, weights, strict=True) if abs(weight) >= LEAST}


def table(weights: dict[str, float]) -> Odds:
    """Weights under trial, whatever the language."""
    return Odds(json.dumps({"en": weights, "ko": weights}).encode())


def figures(questions: Sequence[Question], tables: Sequence[Odds]) -> tuple[int, int, int]:
    """Hits, wanted and got over questions, each read with its own table."""
    hit = want = got = 0
    base = load_lexicon()
    for one, odds in zip(questions, tables, strict=True):
        query = understand(one.text, datetime.fromisoformat(one.asked), lexicon=replace(base, naming=odds, types=None))
        found = {entity.name.casefold() for entity in query.entities if entity.kind is not EntityKind.PERSON}
        hit, want, got = hit + len(found & one.projects), want + len(one.projects), got + len(found)
    return hit, want, got


def told(name: str, counts: tuple[int, int, int]) -> None:
    """Print one line."""
    hit, want, got = counts
    print(
        f"    {name:34} F1 {2 * hit / (want + got):.3f} (recall {hit / want:.3f}, precision {hit / max(got, 1):.3f}; {want} names)"
    )


def train(lang: str) -> dict[str, float]:
    """Weights of a language, with figures printed."""
    questions = list(labelled(lang))
    seen = candidates(questions)
    folds = [crc32(one.text.encode()) % FOLDS for one in questions]
    tables = []
    for fold in range(FOLDS):
        inside = [one for row, place in zip(seen, folds, strict=True) if place != fold for one in row]
        tables.append(table(learn(inside)))
    every = [one for row in seen for one in row]
    print(
        f"{lang}: {len(questions)} questions, {len(every)} candidates, {sum(one.project for one in every)} of them projects"
    )
    for known in (False, True):
        rows = [(one, tables[fold]) for one, fold in zip(questions, folds, strict=True) if one.known is known]
        name = "known to the rules" if known else "written for this"
        part = [one for one, _ in rows]
        told(f"{name}, two rules", figures(part, [NOTHING_KNOWN] * len(part)))
        told(f"{name}, cross-validated", figures(part, [odds for _, odds in rows]))
    return learn(every)


def main() -> None:
    """Train both languages and write the file."""
    weights = {lang: train(lang) for lang in ("en", "ko")}
    OUT.write_text(json.dumps(weights, ensure_ascii=False, indent=0) + "\n", "utf-8")
    print(f"{OUT.relative_to(ROOT)}: {OUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
