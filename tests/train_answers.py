"""Trains what speaks for a sentence as the answer (``config/answering.toml``), and prints what it is worth on each company left out.

``python -m tests.train_answers`` asks the golden questions of the packaged workplace and of the companies in tests/data/companies anew (some minutes), after asking, ranking, the
rules or the features (orchestrator/answer/sentence_features.py) have changed; ``--dry`` writes nothing. A sentence is right that, with who said it, holds all that
is expected. Each company is judged by weights that were learnt from the others; what is written is learnt from all of them.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from orchestrator.answer.claim import ClaimMaterial
from orchestrator.answer.earliest import earliest
from orchestrator.answer.ordering import SENTENCE
from orchestrator.answer.passages import passage_of
from orchestrator.answer.quoted import quoted
from orchestrator.answer.quotes import read_quotes
from orchestrator.answer.revoked import standing
from orchestrator.answer.sentence_features import FEATURES, NAMES, rivals_of
from orchestrator.learning.weighing import Lists, fit
from orchestrator.sandbox import default_corpus
from tests.quality import golden
from tests.quality.companies import Asked, answers, holds, plain
from tests.quality.parts import NOW

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from orchestrator.answer.quote import Quote
    from orchestrator.model import Answer, Result

    Numbers = NDArray[np.float64]

ROOT = Path(__file__).resolve().parents[1]
COMPANIES = ROOT / "tests" / "data" / "companies"
OUT = ROOT / "config" / "answering.toml"
RIDGE = 0.1
"""How strongly weights are drawn to zero, in deviations of a feature;"""
OF_RULES = 0.002
"""that of the rules hardly is: what is learnt is what to add to them."""
ROUNDS = 20  # after which no weight changes in its third place
DRAWS, SEED = 2000, 7
HEAD = """# What speaks for a sentence as the answer to a question: for each feature (orchestrator/answer/sentence_features.py) what one of it adds to the logarithm
# of the odds. Written by `python -m tests.train_answers`, from the golden questions of tests/data/companies and of the packaged workplace; what it is worth on
# each company left out is in docs/explanation/answers.md. By hand: by_rules alone gives the order of the rules.
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


def choices(company: str, asked: Sequence[Asked]) -> Iterator[Choice]:
    """Of each question that can be answered."""
    for each in asked:
        plan, results = each.answer.plan, as_ranked(each.answer.results)
        quotes = earliest(standing(read_quotes(results, plan.query, each.now), each.now), plan.query)
        if not each.golden["answerable"]:
            continue
        rivals = rivals_of(quotes, results, plan.query)
        features = np.array([[feature(quote, rivals) for feature in FEATURES] for quote in quotes], float)
        right = np.array([_is_right(each, quote) for quote in quotes], float)
        yield Choice(company, features.reshape(-1, len(FEATURES)), right)


def as_ranked(results: Sequence[Result]) -> Sequence[Result]:
    """Results as ranking left them, which is how answering reads them: their sentences have put them in another order since."""
    moved = any(SENTENCE in each.factors for each in results)
    return sorted(results, key=lambda each: (each.tier, -each.score)) if moved else results


def _is_right(asked: Asked, quote: Quote) -> bool:
    """As it would be told: with who said it and when, and what stands beside it."""
    passage = quote.words if quote.more else passage_of(quote.result.hit, quote.words)
    shown = replace(quote, passage=passage)
    material = ClaimMaterial((shown,), asked.answer.results, asked.answer.plan, asked.now)
    text = plain(" ".join(claim.statement.text for claim in quoted(material)))
    return holds(asked.golden["expect"], text) and not any(re.search(bad, text) for bad in asked.golden["must_not"])


def learnt(taught: Sequence[Choice], used: Sequence[int]) -> Numbers:
    """The weights by which the right sentences of each question are the likeliest (listwise softmax), of the features ``used``.

    One of several right sentences is enough, so relevance is what of it each is likely to bear by the weights so far
    (expectation maximisation: Dempster, Laird, Rubin, 1977).
    """
    rows = np.concatenate([each.features for each in taught])
    spread = np.where(rows.std(axis=0) > 0, rows.std(axis=0), 1.0)[used]
    teaching = [each for each in taught if each.teaches]
    sizes = [len(each.right) for each in teaching]
    right = np.concatenate([each.right for each in teaching])
    lists = Lists(
        np.concatenate([each.features[:, used] / spread for each in teaching]),
        right,
        np.cumsum([0, *sizes[:-1]]),
        1.0 / len(teaching),
    )
    ridge = np.array([OF_RULES if at == 0 else RIDGE for at in used])
    weights = np.zeros(len(used))
    for _ in range(ROUNDS):
        odds = right * np.exp(lists.features @ weights)
        target = odds / np.add.reduceat(odds, lists.begins)[lists.question]
        weights = fit([replace(lists, target=target)], [0] * len(used), np.zeros(len(used)), ridge)
    every = np.zeros(len(FEATURES))
    every[list(used)] = weights / spread
    return every


def firsts(judged: Sequence[Choice], weights: Numbers) -> Numbers:
    """For each question whether its first sentence is right, and one of its first three."""
    rows = []
    for each in judged:
        order = np.argsort(-(each.features @ weights), kind="stable")
        rows.append([each.right[order[:1]].any(), each.right[order[:3]].any()])
    return np.array(rows, float).reshape(-1, 2)


def left_out(every: Sequence[Choice], used: Sequence[int]) -> dict[str, Numbers]:
    """For each company, judged by what the others teach."""
    return {
        name: firsts(
            [each for each in every if each.company == name],
            learnt([each for each in every if each.company != name], used),
        )
        for name in dict.fromkeys(each.company for each in every)
    }


def report(every: Sequence[Choice]) -> None:
    """Each company left out, beside the rules alone; then each feature left out."""
    whole, rules = list(range(len(FEATURES))), np.eye(len(FEATURES))[0]
    found = left_out(every, whole)
    before = {name: firsts([each for each in every if each.company == name], rules) for name in found}
    print("company left out        questions   first: rules, learnt   of three: rules, learnt")
    for name, rows in found.items():
        was, now = before[name].sum(axis=0), rows.sum(axis=0)
        print(f"{name:24}{len(rows):9}{was[0]:14.0f}{now[0]:8.0f}{was[1]:18.0f}{now[1]:8.0f}")
    gain = np.concatenate(list(found.values())) - np.concatenate(list(before.values()))
    drawn = np.random.default_rng(SEED).choice(len(gain), (DRAWS, len(gain)))
    low, high = np.percentile(gain[drawn].sum(axis=1), [2.5, 97.5], axis=0)
    print("gained in all: first", f"{gain[:, 0].sum():.0f} ({low[0]:.0f} to {high[0]:.0f}),", end=" ")
    print(f"of three {gain[:, 1].sum():.0f} ({low[1]:.0f} to {high[1]:.0f}), 95 of 100 times")
    total = sum(rows.sum(axis=0) for rows in found.values())
    for at in whole[1:]:
        less = sum(rows.sum(axis=0) for rows in left_out(every, [each for each in whole if each != at]).values())
        print(f"without {NAMES[at]:20} first {less[0] - total[0]:+.0f}, of three {less[1] - total[1]:+.0f}")


def written(weights: Numbers) -> str:
    """The file."""
    lines = (f"{name} = {weight:.3f}" for name, weight in zip(NAMES, weights, strict=True))
    return f"{HEAD}\n[weights]\n" + "\n".join(lines) + "\n"


def _as_golden(question: dict[str, Any], answer: Answer) -> Asked:
    """A question to the packaged workplace, as those to companies are written down."""
    first = [question["first"]] if "first" in question else question.get("says", [])
    expect, never = ([_pattern(each) for each in some] for some in (first, question.get("never", [])))
    return Asked({"answerable": bool(expect), "expect": expect, "must_not": never}, answer, (), NOW)


def _pattern(alternatives: str) -> str:
    return "|".join(re.escape(plain(each)) for each in alternatives.split("|"))


def teaching() -> list[Path]:
    """The companies whose questions teach: not those that are kept apart, to judge what was learnt (``teaches`` in their about.json)."""
    folders = sorted(each for each in COMPANIES.iterdir() if each.is_dir())
    return [each for each in folders if json.loads((each / "about.json").read_text("utf-8")).get("teaches", True)]


async def main() -> None:
    """Ask, judge, learn, write."""
    parser = argparse.ArgumentParser(prog="python -m tests.train_answers", description=__doc__)
    parser.add_argument("--dry", action="store_true", help="write nothing")
    given = parser.parse_args()
    every: list[Choice] = []
    for folder in teaching():
        every += choices(folder.name, await answers(folder))
    every += choices("workplace", [_as_golden(*each) for each in await golden.answers(default_corpus(), NOW)])
    report(every)
    text = written(learnt(every, list(range(len(FEATURES)))))
    print(text)
    if not given.dry:
        OUT.write_text(text, "utf-8")


if __name__ == "__main__":
    asyncio.run(main())
