"""Trains what speaks for a sentence as the answer (``config/answering.toml``), and prints what it is worth on each company left out.

``python -m tests.train_answers FOLDER`` learns from what ``python -m tests.quality.replay FOLDER --record`` wrote down there, which is done anew after asking or ranking has changed.
After the rules or the features (orchestrator/answer/sentence_features.py) have changed the same recording serves. ``--dry`` writes nothing. A sentence is right that, with who said it, holds
all that is expected. Each company is judged by weights that were learnt from the others; what is written is learnt from all of them.

What is learnt are the weights among many sentences. Those among few stay as they are in the file, unless ``--few`` learns them anew: of two or three sentences there is little to learn from, and
much that the rules say. ``--seconds 600`` then looks, for so long, among the weights that teach as well for some by which no figure of a company falls below its floor.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from orchestrator.answer import readings
from orchestrator.answer.claim import ClaimMaterial
from orchestrator.answer.passages import passage_of
from orchestrator.answer.quoted import quoted
from orchestrator.answer.sentence_features import (
    FEATURES,
    NAMES,
    SentenceWeights,
    rivals_of,
    share_of_many,
    shipped_weights,
)
from orchestrator.learning.weighing import Lists, _loss, fit
from tests.quality.companies import holds, plain
from tests.quality.figures import Floors
from tests.quality.parts import COMPANIES
from tests.quality.recording import WORKPLACE, read
from tests.quality.replay import FLOORS, all_of, seen

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from orchestrator.answer.quote import Quote
    from orchestrator.model import Result
    from tests.quality.recording import Given

    Numbers = NDArray[np.float64]

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "config" / "answering.toml"
RIDGE = 0.05
"""How strongly weights are drawn to zero, in deviations of a feature;"""
OF_RULES = 0.002
"""that of the rules hardly is: what is learnt is what to add to them."""
AS_IT_IS = 1e6  # that of what is not to change
ROUNDS = 20  # after which no weight changes in its third place
DIGITS = 3
FLATTER = 0.9  # of what is fitted, so that which of two near results comes first hangs less on chance
SIZES = (0.3, 0.6, 1.2)  # of steps, in deviations
AS_WELL = 12.0  # that the logarithm of the likelihood of all right sentences may fall by
DRAWS, SEED = 2000, 7
HEAD = """# What speaks for a sentence as the answer to a question: for each feature (orchestrator/answer/sentence_features.py) what one of it adds to the logarithm
# of the odds; [weights] among few sentences, [among_many] among many. Written by `python -m tests.train_answers`, from the golden questions of tests/data/companies and of
# the packaged workplace; what it is worth on companies left out is in docs/explanation/answers.md. By hand: by_rules alone in [weights] gives the order of the rules.
"""


@dataclass(frozen=True, slots=True)
class Choice:
    """The sentences of one question: a row of features each, and which of them are right."""

    company: str
    features: Numbers
    right: Numbers

    @property
    def teaches(self) -> bool:
        """Whether there is anything to choose."""
        return 0 < self.right.sum() < len(self.right)


def choices(company: str, folder: Path) -> Iterator[Choice]:
    """Of each recorded question that can be answered."""
    for each in read(company, folder):
        expected = _of_workplace(each.golden) if company == WORKPLACE else each.golden
        if not expected["answerable"]:
            continue
        query = each.plan.query
        said = readings(each.ranking.results, each.outcomes, query, each.now)
        rivals = rivals_of(said.told, said.results, query)
        features = np.array([[feature(quote, rivals) for feature in FEATURES] for quote in said.told], float)
        right = np.array([_is_right(expected, each, said.results, quote) for quote in said.told], float)
        yield Choice(company, features.reshape(-1, len(FEATURES)), right)


def _is_right(golden: Mapping[str, Any], given: Given, results: Sequence[Result], quote: Quote) -> bool:
    """As it would be told: with who said it and when, and what stands beside it."""
    passage = quote.words if quote.more else passage_of(quote.result.hit, quote.words)
    material = ClaimMaterial((replace(quote, passage=passage),), results, given.plan, given.now)
    text = plain(" ".join(claim.statement.text for claim in quoted(material)))
    return holds(golden["expect"], text) and not any(re.search(bad, text) for bad in golden["must_not"])


def learnt(taught: Sequence[Choice], used: Sequence[int], few: Numbers | None = None) -> Numbers:
    """The weights by which the right sentences of each question are the likeliest (listwise softmax), of the features ``used``.

    ``few``: the weights among few sentences, beside which those among many are learnt; without them one set is, for any number.

    One of several right sentences is enough, so relevance is what of it each is likely to bear by the weights so far
    (expectation maximisation: Dempster, Laird, Rubin, 1977).
    """
    lists, spread = _lists(taught, used, few)
    prior = np.array([1.0, *([0.0] * len(used))])
    ridge = np.array([AS_IT_IS, *(OF_RULES if at == 0 else RIDGE for at in used)])
    weights = prior.copy()
    for _ in range(ROUNDS):
        weights = fit([_borne(lists, weights)], [0] * len(weights), prior, ridge)
    every = np.zeros(len(FEATURES))
    every[list(used)] = weights[1:] / spread
    return every


def _lists(taught: Sequence[Choice], used: Sequence[int], few: Numbers | None) -> tuple[Lists, Numbers]:
    """A column of what the weights among few make of each sentence, which stays as it is, and one of each feature by its deviation, with that."""
    rows = np.concatenate([each.features for each in taught])
    spread = np.where(rows.std(axis=0) > 0, rows.std(axis=0), 1.0)[used]
    teaching = [each for each in taught if each.teaches]
    sizes = [len(each.right) for each in teaching]
    features = np.concatenate([each.features for each in teaching])
    many = np.repeat([1.0 if few is None else share_of_many(size) for size in sizes], sizes)
    settled = np.zeros(len(features)) if few is None else (1.0 - many) * (features @ few)
    lists = Lists(
        np.column_stack([settled, many[:, None] * features[:, used] / spread]),
        np.concatenate([each.right for each in teaching]),
        np.cumsum([0, *sizes[:-1]]),
        1.0 / len(teaching),
    )
    return lists, spread


def _borne(lists: Lists, weights: Numbers) -> Lists:
    """Of the right sentences of each question (the target of ``lists``) what of its relevance each is likely to bear."""
    odds = lists.target * _odds(lists, weights)
    return replace(lists, target=odds / np.add.reduceat(odds, lists.begins)[lists.question])


def _odds(lists: Lists, weights: Numbers) -> Numbers:
    scores = lists.features @ weights
    odds: Numbers = np.exp(scores - np.maximum.reduceat(scores, lists.begins)[lists.question])
    return odds


def firsts(judged: Sequence[Choice], weights: Numbers, few: Numbers | None = None) -> Numbers:
    """For each question whether its first sentence is right, and one of its first three."""
    rows = []
    for each in judged:
        many = 1.0 if few is None else share_of_many(len(each.right))
        used = weights if few is None else (1.0 - many) * few + many * weights
        order = np.argsort(-(each.features @ used), kind="stable")
        rows.append([each.right[order[:1]].any(), each.right[order[:3]].any()])
    return np.array(rows, float).reshape(-1, 2)


def left_out(every: Sequence[Choice], used: Sequence[int], few: Numbers | None) -> dict[str, Numbers]:
    """For each company, judged by what the others teach."""
    return {
        name: firsts(
            [each for each in every if each.company == name],
            learnt([each for each in every if each.company != name], used, few),
            few,
        )
        for name in dict.fromkeys(each.company for each in every)
    }


def report(every: Sequence[Choice], used: Sequence[int], few: Numbers | None) -> None:
    """Each company left out, beside the weights among few alone (or the rules, where those are learnt); then each feature left out."""
    known = np.eye(len(FEATURES))[0] if few is None else few
    found = left_out(every, used, few)
    before = {name: firsts([each for each in every if each.company == name], known) for name in found}
    print("company left out        questions   first: before, learnt   of three: before, learnt")
    for name, rows in found.items():
        was, now = before[name].sum(axis=0), rows.sum(axis=0)
        print(f"{name:24}{len(rows):9}{was[0]:15.0f}{now[0]:8.0f}{was[1]:19.0f}{now[1]:8.0f}")
    gain = np.concatenate(list(found.values())) - np.concatenate(list(before.values()))
    drawn = np.random.default_rng(SEED).choice(len(gain), (DRAWS, len(gain)))
    low, high = np.percentile(gain[drawn].sum(axis=1), [2.5, 97.5], axis=0)
    print("gained in all: first", f"{gain[:, 0].sum():.0f} ({low[0]:.0f} to {high[0]:.0f}),", end=" ")
    print(f"of three {gain[:, 1].sum():.0f} ({low[1]:.0f} to {high[1]:.0f}), 95 of 100 times")
    total = sum(rows.sum(axis=0) for rows in found.values())
    for at in used[1:]:
        less = sum(rows.sum(axis=0) for rows in left_out(every, [each for each in used if each != at], few).values())
        print(f"without {NAMES[at]:20} first {less[0] - total[0]:+.0f}, of three {less[1] - total[1]:+.0f}")


class Keeping:
    """Looks for weights by which no figure falls below its floor, among those that teach about as well.

    What a few hundred questions teach is known no better than the curvature of the fit says (Laplace's approximation: MacKay, "Bayesian interpolation", Neural Computation 4, 1992).
    Steps are drawn from that, and one is taken that breaks fewer floors. Companies that teach nothing are not looked at.
    """

    def __init__(self, every: Sequence[Choice], few: Numbers, folder: Path) -> None:
        self._few, self._folder = few, folder
        self._names = [*dict.fromkeys(each.company for each in every)]
        self._floors = Floors.read(FLOORS)
        self._lists, self._spread = _lists(every, range(len(FEATURES)), few)
        self._count = len(self._lists.begins)
        self._random = np.random.default_rng(SEED)

    def weights(self, start: Numbers, seconds: float) -> Numbers:
        """From ``start`` on, for so long at most; as they are where all floors are kept before."""
        found, broken, end = start, self._broken(start), time.monotonic() + seconds
        least, steps = self._loss(start), self._steps(start)
        while broken and time.monotonic() < end:
            tried = found + self._random.choice(SIZES) * (steps @ self._random.standard_normal(len(found)))
            if self._loss(tried) > least + AS_WELL or _sum(self._broken(tried, broken)) >= _sum(broken):
                continue
            now = self._broken(tried)
            if _sum(now) < _sum(broken):
                found, broken = tried, now
                print(f"floors broken: {', '.join(f'{name} by {much}' for name, much in now.items()) or 'none'}")
        return found

    def _broken(self, weights: Numbers, names: Iterable[str] = ()) -> dict[str, float]:
        """Of these parts, or of all, those with figures below their floors, and by how much."""
        used = SentenceWeights(weights=_named(self._few), among_many=_named(weights))
        asked = list(names) or self._names
        broken = {}
        for name, measured in zip(asked, all_of(asked, self._folder, used), strict=True):
            low = [row for row in seen([measured], self._floors) if row.state == "below"]
            if low:
                broken[name] = sum(abs((row.value or 0.0) - (row.floor or 0.0)) for row in low)
        return broken

    def _loss(self, weights: Numbers) -> float:
        """How unlikely the right sentences of all questions are."""
        odds = _odds(self._lists, np.array([1.0, *(weights * self._spread)]))
        begins = self._lists.begins
        right, whole = np.add.reduceat(odds * self._lists.target, begins), np.add.reduceat(odds, begins)
        return -float(np.log(right / whole).sum())

    def _steps(self, weights: Numbers) -> Numbers:
        """What makes of independent numbers a step as the fit is unsure."""
        scaled = np.array([1.0, *(weights * self._spread)])
        ridge = np.full(len(scaled), self._count * RIDGE)
        lists = replace(_borne(self._lists, scaled), weight=1.0)
        _, _, curve = _loss([lists], scaled, scaled, ridge)
        steps: Numbers = np.linalg.cholesky(np.linalg.inv(curve[1:, 1:])) / self._spread[:, None]
        return steps


def _sum(broken: Mapping[str, float]) -> float:
    return sum(broken.values())


def written(few: Numbers, many: Numbers) -> str:
    """The file."""
    tables = (("weights", few), ("among_many", many))
    told = (f"[{name}]\n" + "".join(f"{k} = {v}\n" for k, v in _named(each).items()) for name, each in tables)
    return f"{HEAD}\n" + "\n".join(told)


def _named(weights: Numbers) -> dict[str, float]:
    return {name: round(float(weight), DIGITS) for name, weight in zip(NAMES, weights, strict=True) if weight}


def _numbers(weights: Mapping[str, float]) -> Numbers:
    return np.array([weights.get(name, 0.0) for name in NAMES])


def _of_workplace(question: Mapping[str, Any]) -> dict[str, Any]:
    """A question to the packaged workplace, as those to companies are written down."""
    first = [question["first"]] if "first" in question else question.get("says", [])
    expect, never = ([_pattern(each) for each in some] for some in (first, question.get("never", [])))
    return {"answerable": bool(expect), "expect": expect, "must_not": never}


def _pattern(alternatives: str) -> str:
    return "|".join(re.escape(plain(each)) for each in alternatives.split("|"))


def teaching() -> list[str]:
    """The parts whose questions teach: not the companies that are kept apart, to judge what was learnt (``teaches`` in their about.json)."""
    folders = sorted(each for each in COMPANIES.iterdir() if each.is_dir())
    told = ((each.name, json.loads((each / "about.json").read_text("utf-8"))) for each in folders)
    return [*(name for name, about in told if about.get("teaches", True)), WORKPLACE]


def main() -> None:
    """Judge, learn, write."""
    parser = argparse.ArgumentParser(prog="python -m tests.train_answers", description=__doc__)
    parser.add_argument("folder", type=Path, help="with recordings")
    parser.add_argument("--dry", action="store_true", help="write nothing")
    parser.add_argument(
        "--few", action="store_true", help="learn the weights among few sentences, too, of the features that have one"
    )
    parser.add_argument("--seconds", type=float, default=0.0, help="look for so long for weights that keep the floors")
    given = parser.parse_args()
    every = [choice for name in teaching() for choice in choices(name, given.folder)]
    few, whole = _numbers(shipped_weights().weights), range(len(FEATURES))
    if given.few:
        used = [at for at in whole if few[at]]
        report(every, used, None)
        few = learnt(every, used)
    report(every, whole, few)
    many = learnt(every, whole, few)
    if given.seconds:
        many = Keeping(every, few, given.folder).weights(many, given.seconds)
    text = written(few, FLATTER * many)
    print(text)
    if not given.dry:
        OUT.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
