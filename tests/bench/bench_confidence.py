"""How well confidence tells right answers from questions that have none; and the fit of its table.

``bench_confidence.py --record SET FILE`` asks a set's questions through the sandbox in the default configuration (minutes):
those of HERB (``herb``) with those that have no answer, or those of the demo workplace (``workplace``) with some that it
cannot answer. Then ``bench_confidence.py FILE…`` reports how often each level is given with the shipped table, and
``bench_confidence.py --fit FILE…`` fits the table anew, reports it by cross-validation over HERB's products (none of a
product's questions is in the folds it is measured on), and prints what to put into ``config/confidence.toml``.

Right: the first result was judged relevant. The recording holds parts of HERB (CC BY-NC 4.0) and is not to be kept here.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import math
import os
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import bench_quality as quality
import numpy as np

from orchestrator.answer import choose_quotes, find_grounds, read_quotes
from orchestrator.answer.confidence import Calibration, EvidenceWeights, shipped_calibration
from orchestrator.answer.earliest import earliest
from orchestrator.answer.gaps import Gaps
from orchestrator.answer.revoked import standing
from orchestrator.answer.sentence_features import weighed
from orchestrator.assembly.searching import build_engine
from orchestrator.evaluate import JudgedQuestion, Recorded, interval, ranked, read_recording, write_recording
from orchestrator.model import Ask, Confidence
from orchestrator.settings import load_settings

if TYPE_CHECKING:
    from orchestrator.answer.confidence import Grounds

EVIDENCE = tuple(name for name in EvidenceWeights.model_fields if name != "bias")
LOW_SHARE = 0.82  # of the questions without an answer that are to be low; a little above what is asked for
HIGH_SHARE = 0.62  # of the right answers that are to be high
FOLDS = 5
SHRINK = 3.0  # how strongly the fit pulls weights to zero
# Nothing in the demo workplace answers these.
UNANSWERED = (
    "who approved the lease for the Mars office?",
    "what did we decide about the blockchain loyalty programme",
    "status of the Osprey satellite launch",
    "where is the cafeteria hygiene audit report?",
    "when did the Lisbon data centre open",
    "what is the policy on company cars",
    "who maintains the Perl billing scripts",
    "what do we know about the Zephyr acquisition",
    "how many vacation days do contractors in Brazil get",
    "when is the ski trip to Hokkaido",
    "화성 지사 임대 계약은 누가 승인했나요?",
    "블록체인 포인트 제도에 대해 뭐라고 결정했나요?",
    "위성 발사 프로젝트 진행 상황 알려줘",
    "구내식당 위생 점검 보고서 어디 있나요",
    "리스본 데이터센터는 언제 열었나요?",
    "법인 차량 사용 규정이 뭐예요?",
    "펄 스크립트 담당자가 누구예요",
    "제피르 인수 건에 대해 아는 것",
    "브라질 계약직 휴가는 며칠인가요?",
    "홋카이도 스키 워크숍은 언제예요",
)


@dataclass(frozen=True, slots=True)
class Row:
    """One question: what its confidence rests on (``None``: no results), whether it has an answer, and stands first."""

    id: str
    grounds: Grounds | None
    answerable: bool
    right: bool

    @property
    def product(self) -> str:
        """What HERB's questions are about; ``workplace`` for ours."""
        return "workplace" if self.id.startswith("w") else self.id.split("-")[0]

    def level(self, table: Calibration) -> Confidence:
        """The confidence that is shown."""
        return Confidence.NONE if self.grounds is None else self.grounds.confidence(table)


def questions(name: str) -> list[JudgedQuestion]:
    """With and without an answer; the latter have no grades. Of HERB a sample, HERB_QUESTIONS=0 takes all."""
    if name == "workplace":
        unanswered = (JudgedQuestion(f"wu-{place}", text, {}) for place, text in enumerate(UNANSWERED))
        return [*quality.read_judgments(quality.WORKPLACE).questions, *unanswered]
    folder = quality.DATA / name
    judged = list(quality.read_judgments(folder / "queries.dev.jsonl", folder / "qrels.dev.tsv").questions)
    rows = quality.rows(folder / "queries.dev.jsonl")
    without = [JudgedQuestion(row["id"], row["text"], {}) for row in rows if not row["answerable"]]
    most = int(os.environ.get("HERB_QUESTIONS", "160")) or None
    chosen = (sorted(each, key=lambda one: hashlib.sha256(one.id.encode()).hexdigest()) for each in (judged, without))
    return [question for each in chosen for question in each[:most]]


async def ask_all(name: str) -> list[Recorded]:
    """Every question once, through sockets."""
    now = datetime.fromisoformat(quality.TODAY[name])
    async with AsyncExitStack() as stack:
        served = await quality.serve(name, stack)
        engine = await stack.enter_async_context(build_engine(load_settings({"sources": served.sources}, {})))
        return [
            Recorded.of(each, now, await engine.search(Ask(each.text, now, budget=30.0)), served.origins)
            for each in questions(name)
        ]


def read(path: Path) -> list[Row]:
    """Ranked as shipped, and looked at as the answer does."""
    config = quality.configuration()
    return [_row(each, config) for each in read_recording(path)]


def _row(each: Recorded, config) -> Row:
    results, query = ranked(each, config), each.plan.query
    told = earliest(standing(read_quotes(results, query, each.now), each.now), query)
    quotes = choose_quotes(weighed(told, results, query), query, each.now)
    grounds = find_grounds(results, quotes, Gaps(), query, each.now) if results else None
    first = (results[0].hit, *results[0].also) if results else ()
    right = any(each.question.grades.get(each.corpus_id(hit.source, hit.id), 0) > 0 for hit in first)
    return Row(each.question.id, grounds, bool(each.question.grades), right)


# ---- the fit


def fit(rows: list[Row]) -> Calibration:
    """A logistic rule whose weights are none below 0 (projected gradient), and the levels that its rows ask for."""
    seen = [row for row in rows if row.grounds and (row.right or not row.answerable)]
    held = np.array([[row.grounds.evidence()[name] for name in EVIDENCE] for row in seen])
    right = np.array([float(row.right) for row in seen])
    balance = np.where(right == 1, len(seen) / 2 / right.sum(), len(seen) / 2 / (len(seen) - right.sum()))
    spread, middle = held.std(0) + 1e-6, held.mean(0)
    scaled = np.c_[np.ones(len(seen)), (held - middle) / spread]
    weights = np.zeros(scaled.shape[1])
    for _ in range(6000):
        wrong = balance * (1 / (1 + np.exp(-scaled @ weights)) - right)
        weights -= 0.3 * (scaled.T @ wrong + SHRINK * np.r_[0, weights[1:]]) / len(seen)
        weights[1:] = np.maximum(weights[1:], 0)
    table = {name: round(float(value), 2) for name, value in zip(EVIDENCE, weights[1:] / spread, strict=True)}
    fitted = Calibration.model_validate(
        {
            "weights": {"bias": round(float(weights[0] - weights[1:] @ (middle / spread)), 2), **table},
            "levels": {"high": 1.0, "medium": 0.0},
        }
    )
    return Calibration.model_validate({"weights": fitted.weights.model_dump(), "levels": levels(rows, fitted)})


def levels(rows: list[Row], table: Calibration) -> dict[str, float]:
    """Medium begins where enough of the questions without an answer stay below, high where enough right ones reach it."""
    rows = [row for row in rows if row.product != "workplace"]  # ours are too few, and too easy, to set a level by
    likely = {id(row): table.probability(row.grounds.evidence()) if row.grounds else 0.0 for row in rows}
    without = sorted(likely[id(row)] for row in rows if not row.answerable)
    right = sorted((likely[id(row)] for row in rows if row.right), reverse=True)
    medium = without[min(len(without) - 1, math.ceil(LOW_SHARE * len(without)))]
    high = right[min(len(right) - 1, math.ceil(HIGH_SHARE * len(right)))]
    medium = round(medium + 0.005, 2)
    return {"high": max(medium, round(high, 2)), "medium": medium}


def cross_validated(rows: list[Row]) -> list[tuple[Row, Confidence]]:
    """Each row by a table that saw no question of its product; our own questions are in every fit and measured apart."""
    products = sorted({row.product for row in rows} - {"workplace"})
    shown: list[tuple[Row, Confidence]] = []
    for fold in range(FOLDS):
        tested = set(products[fold::FOLDS])
        table = fit([row for row in rows if row.product not in tested])
        shown += [(row, row.level(table)) for row in rows if row.product in tested]
    return shown


# ---- the report


def report(name: str, shown: list[tuple[Row, Confidence]]) -> None:
    """The two figures asked for, with their intervals, and how often each level was given."""
    low = [level in {Confidence.LOW, Confidence.NONE} for row, level in shown if not row.answerable]
    high = [level is Confidence.HIGH for row, level in shown if row.right]
    for what, hits in (("no answer: low or none", low), ("right first result: high", high)):
        if hits:
            least, most = interval([float(each) for each in hits])
            print(f"{name:28} {what:26} {sum(hits) / len(hits):.3f} [{least:.3f}, {most:.3f}]  ({len(hits)} questions)")
    kinds = {"right": lambda row: row.right, "wrong": lambda row: row.answerable and not row.right}
    for kind, holds in {**kinds, "without": lambda row: not row.answerable}.items():
        counted = Counter(str(level) for row, level in shown if holds(row))
        print(f"{'':28} {kind:8}" + "  ".join(f"{each} {counted[each]}" for each in ("high", "medium", "low", "none")))


def parted(name: str, shown: list[tuple[Row, Confidence]]) -> None:
    """HERB and the workplace by themselves."""
    report(f"{name}, HERB", [each for each in shown if each[0].product != "workplace"])
    if ours := [each for each in shown if each[0].product == "workplace"]:
        report(f"{name}, workplace", ours)


def main() -> None:
    """What the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--record", nargs=2, metavar=("SET", "FILE"))
    parser.add_argument("--fit", action="store_true")
    asked = parser.parse_args()
    if asked.record:
        print(write_recording(Path(asked.record[1]), asyncio.run(ask_all(asked.record[0]))), "questions recorded")
        return
    if not asked.files:
        print("name a recording; --record makes one (see --help); skipped")
        return
    rows = [row for path in asked.files for row in read(path)]
    parted("as shipped", [(row, row.level(shipped_calibration())) for row in rows])
    if asked.fit:
        report("cross-validated", cross_validated(rows))
        table = fit(rows)
        parted("fitted on everything", [(row, row.level(table)) for row in rows])
        for section, values in table.model_dump().items():
            print(f"[{section}]", *(f"{key} = {value}" for key, value in values.items()), sep="\n")


if __name__ == "__main__":
    main()
