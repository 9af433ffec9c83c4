"""Are the answers true? The golden questions of an invented company (tests/data/companies/README.md), asked and graded.

The grade reads the claims alone; it is a little kinder than a person, who also asks whether the fact is said of the right thing.
"""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from orchestrator.model import Ask, Confidence, Part
from orchestrator.sandbox import Sandbox, load_corpus
from tests.quality.asking import BUDGET, engine_of
from tests.quality.figures import Figure
from tests.quality.labelled import LANGUAGES, rows_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from orchestrator.engine import Engine
    from orchestrator.model import Answer

    Opening = Callable[[dict[str, dict[str, Any]]], AbstractAsyncContextManager[Engine]]

DEPTHS = (1, 3, 10)
UNSURE = frozenset({Confidence.NONE, Confidence.LOW})


@dataclass(frozen=True, slots=True)
class Grade:
    """How one golden question was answered. ``rank``: of the first result that is evidence, from 1, if any is listed."""

    id: str
    lang: str
    answerable: bool
    confidence: Confidence
    right: bool = False
    right_first: bool = False
    wrong_first: bool = False
    rank: int | None = None
    claims: tuple[str, ...] = ()

    @property
    def high_but_wrong(self) -> bool:
        """Sure of what is not so, or of what nobody can know."""
        return self.confidence is Confidence.HIGH and not self.right

    @property
    def abstained(self) -> bool:
        """Rightly unsure, where there is no answer."""
        return not self.answerable and self.confidence in UNSURE


@dataclass(frozen=True, slots=True)
class Asked:
    """A golden question, the answer to it, and what the sandboxes call what they served: by source, the corpus id of each native id and address."""

    golden: Mapping[str, Any]
    answer: Answer
    origins: Mapping[str, Mapping[str, str]]
    now: datetime

    @property
    def grade(self) -> Grade:
        """How it was answered."""
        return graded(self.golden, self.answer, listed(self.answer, self.origins))


async def grades(folder: Path, opened: Opening = engine_of, paced: Callable[[], None] = lambda: None) -> list[Grade]:
    """Every golden question of a company, one after the other; ``paced`` is called after each."""
    return [each.grade for each in await answers(folder, opened, paced)]


async def answers(folder: Path, opened: Opening = engine_of, paced: Callable[[], None] = lambda: None) -> list[Asked]:
    """What is answered to every golden question of a company, asked one after the other; ``paced`` is called after each."""
    about = json.loads((folder / "about.json").read_text("utf-8"))
    now = datetime.fromisoformat(about["now"])
    async with Sandbox(load_corpus(folder / "corpus"), now=now, owner=about["owner"]) as sandbox:
        ends = sandbox.endpoints.items()
        origins = {name: sandbox.origins(name) for name, _ in ends}
        sources = {name: {"kind": name, "base_url": end.base_url, "token": end.token} for name, end in ends}
        asked = []
        async with opened(sources) as engine:
            for each in rows_of(folder / "golden.jsonl"):
                asked.append((each, await engine.search(Ask(each["question"], now, budget=BUDGET))))
                paced()
    return [Asked(golden, answer, origins, now) for golden, answer in asked]


def listed(answer: Answer, origins: Mapping[str, Mapping[str, str]]) -> list[str | None]:
    """The corpus id of each result: by its native id or address, else by an address that another source has."""
    anywhere = {native: item for own in origins.values() for native, item in own.items()}
    hits = [result.hit for result in answer.results]
    return [
        own.get(hit.id) or own.get(hit.url) or anywhere.get(hit.url) or anywhere.get(hit.id)
        for hit in hits
        for own in [origins.get(hit.source, {})]
    ]


def graded(golden: Mapping[str, Any], answer: Answer, items: Sequence[str | None]) -> Grade:
    """``items``: the corpus ids of the results, best first."""
    claims = tuple(plain(each.text) for each in answer.statements if each.part is Part.CLAIM)
    first = claims[0] if claims else ""
    facts = (golden["id"], golden["lang"], golden["answerable"], answer.confidence)
    if not golden["answerable"]:
        return Grade(*facts, claims=claims)
    right_first = holds(golden["expect"], first)
    return Grade(
        *facts,
        right=holds(golden["expect"], " \n ".join(claims)),
        right_first=right_first,
        wrong_first=not right_first and any(re.search(bad, first) for bad in golden["must_not"]),
        rank=next((place for place, item in enumerate(items, 1) if item in golden["evidence"]), None),
        claims=claims,
    )


def plain(text: str) -> str:
    """As patterns are written: composed letters, small, single blanks."""
    return re.sub(r"\s+", " ", unicodedata.normalize("NFC", text)).casefold()


def holds(patterns: Sequence[str], text: str) -> bool:
    """Every pattern is in it."""
    return all(re.search(pattern, text, re.IGNORECASE) for pattern in patterns)


def figures(rows: Sequence[Grade]) -> Iterator[Figure]:
    """What was answered, found and claimed."""
    known, unknown = [row for row in rows if row.answerable], [row for row in rows if not row.answerable]
    yield Figure("right", sum(row.right for row in known), len(known))
    for lang in LANGUAGES:
        own = [row for row in known if row.lang == lang]
        yield Figure(f"right_{lang}", sum(row.right for row in own), len(own))
    yield Figure("right_in_the_first_claim", sum(row.right_first for row in known), len(known))
    yield Figure("wrong_first", sum(row.wrong_first for row in known), len(known), fewer=True)
    for depth in DEPTHS:
        found = sum(row.rank is not None and row.rank <= depth for row in known)
        yield Figure(f"evidence_in_the_top_{depth}", found, len(known))
    yield Figure("high_but_wrong", sum(row.high_but_wrong for row in rows), len(rows), fewer=True)
    yield Figure("abstained", sum(row.abstained for row in unknown), len(unknown))


def unread(folder: Path, rows: Sequence[Grade]) -> Iterator[Figure]:
    """Right among the rows that nobody has read since they were asked, where a company has such (``unread`` in its about.json).

    What is mended by the other rows of a company fits those better than it fits a stranger's; this says how much better.
    """
    about = json.loads((folder / "about.json").read_text("utf-8"))
    if about.get("unread"):
        held_out = [row for row in rows if row.answerable and not _is_read(about, row.id)]
        yield Figure("right_unread", sum(row.right for row in held_out), len(held_out))


def _is_read(about: Mapping[str, Any], row: str) -> bool:
    """Whether a person may have looked at how a row of a company is answered: not at those with even numbers, or at none, as its about.json says."""
    unread = about.get("unread")
    return not unread or (unread == "even" and int(row[-1]) % 2 == 1)
