"""Learns the order of results (``[learned]`` of ``config/ranking.toml``) and prints what it is worth, always on a domain left out.

``python -m tests.train_ranking`` asks every domain anew through sockets (``--kept FOLDER`` keeps what came back, or takes it from there) and
prints a table by left-out domain and an ablation by feature; ``--write`` puts the weights into the configuration. HERB is never read here.
"""

from __future__ import annotations

import argparse
import re
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

from orchestrator.evaluate import interval
from orchestrator.learning.weighing import Lists, fit
from orchestrator.rank import RankingConfig
from orchestrator.rank.config import FeatureWeights
from orchestrator.rank.features import FEATURES
from tests.ranking import invented
from tests.ranking.domains import Domain, cases_of, domain_of, names

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

CONFIG = Path(__file__).resolve().parents[1] / "config" / "ranking.toml"
RIDGE = 3e-4  # of each weight, towards 0; chosen by what invented companies left out gain
ANCHOR = 1e-3  # of the formula's, towards
FORMULA = 5.0
DEPTHS = (1, 3, 10)
INVENTED = frozenset(name for name, _, _ in invented.COMPANIES)


class Training:
    """The domains, and how many results are few and many."""

    def __init__(self, domains: Sequence[Domain], config: RankingConfig) -> None:
        self.domains = {each.name: each for each in domains}
        self._config = config
        self._inputs = {each.name: self._input(each) for each in domains}

    def _input(self, domain: Domain) -> Floats:
        """The formula, and each feature as far as it counts."""
        order = self._config.learned.model_copy(update={"weights": FeatureWeights(match=1.0)})
        share = np.array([order.counts(int(found)) for found in domain.found])[domain.question][:, None]
        best = np.maximum.reduceat(domain.formula, domain.begins)[domain.question]
        formula = (domain.formula / np.where(best > 0.0, best, 1.0))[:, None]
        return np.hstack([formula, domain.features * share])

    def learn(self, left_out: str = "", without: str = "") -> Floats:
        """The weight of the formula, then of each feature."""
        lists = [self._lists(each, without) for each in self.domains.values() if each.name != left_out]
        signs = [1, *(-1 if is_harm(name) else 1 for name in FEATURES)]
        prior = np.array([FORMULA, *[0.0] * len(FEATURES)])
        whole = sum(each.weight * len(each.begins) for each in lists)
        lists = [replace(each, weight=each.weight / whole) for each in lists]
        return fit(lists, signs, prior, np.array([ANCHOR, *[RIDGE] * len(FEATURES)]))

    def _lists(self, domain: Domain, without: str) -> Lists:
        """Of questions for which something relevant was found, and something that is not; a domain counts by the root of their number."""
        total = np.add.reduceat(domain.grades, domain.begins)
        least = np.minimum.reduceat(domain.grades, domain.begins)
        tells = (total > 0) & (np.maximum.reduceat(domain.grades, domain.begins) > least)
        kept = tells[domain.question]
        inputs = self._inputs[domain.name][kept]
        if without:
            inputs = inputs.copy()
            inputs[:, 1 + list(FEATURES).index(without)] = 0.0
        sizes = domain.sizes[tells]
        target = (domain.grades / np.where(total > 0, total, 1.0)[domain.question])[kept]
        return Lists(inputs, target, np.cumsum([0, *sizes[:-1]]), float(tells.sum()) ** -0.5)

    def scores(self, name: str, weights: Floats) -> Floats:
        """Of all results of a domain."""
        return np.asarray(self._inputs[name] @ weights)


def is_harm(name: str) -> bool:
    """Whether a feature may only lower."""
    return "le=" in repr(FeatureWeights.model_fields[name].metadata)


def left_out_table(training: Training, without: str = "") -> dict[str, list[float]]:
    """The gain of each question of each domain over the formula, by what was learnt on the others."""
    gains = {}
    for name, domain in training.domains.items():
        scores = training.scores(name, training.learn(name, without))
        gains[name] = list(domain.ndcg(scores) - domain.ndcg(domain.formula))
    return gains


def table(training: Training) -> Iterator[str]:
    """Each domain by what was learnt on all others."""
    yield "| left out | questions | formula nDCG@10 | learnt | difference, 95 % | first 1/3/10, formula | learnt |"
    yield "|---|---|---|---|---|---|---|"
    for name, domain in training.domains.items():
        scores = training.scores(name, training.learn(name))
        before, after = domain.ndcg(domain.formula), domain.ndcg(scores)
        low, high = interval(list(after - before))
        found = ["/".join(str(domain.first(each, depth)) for depth in DEPTHS) for each in (domain.formula, scores)]
        figures = f"{before.mean():.3f} | {after.mean():.3f} | [{low:+.3f}, {high:+.3f}]"
        yield f"| {name} | {len(before)} | {figures} | {found[0]} | {found[1]} |"


def ablation(training: Training, used: Sequence[str]) -> Iterator[str]:
    """Each feature left out of the learning: the mean gain of left-out domains, those that people wrote and the invented."""
    yield "| without | written by people | invented |"
    yield "|---|---|---|"
    for without in ("", *used):
        gains = left_out_table(training, without)
        groups = ([n for n in gains if n not in INVENTED], [n for n in gains if n in INVENTED])
        told = (np.mean([np.mean(gains[name]) for name in group]) for group in groups)
        yield f"| {without or 'nothing'} | {' | '.join(f'{each:+.4f}' for each in told)} |"


def section(weights: Floats) -> Mapping[str, float]:
    """What is written: rounded, without what counts nothing."""
    rounded = (round(float(each), 2) for each in weights)
    return {name: each for name, each in zip(("", *FEATURES), rounded, strict=True) if each or not name}


def written(text: str, found: Mapping[str, float]) -> str:
    """The configuration with these weights."""
    lines = "".join(f"{name} = {weight}\n" for name, weight in found.items() if name)
    text = re.sub(r"(?m)^formula = [\d.]+", f"formula = {found['']}", text)
    return re.sub(r"(?ms)(^\[learned\.weights\][^\n]*\n).*\Z", lambda head: head[1] + lines, text)


def main() -> None:
    """What the arguments say."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kept", type=Path, help="folder of what came back; absent domains are asked")
    parser.add_argument("--write", action="store_true", help="put the weights into config/ranking.toml")
    parser.add_argument("--ablation", action="store_true", help="leave out each feature that counts")
    wish = parser.parse_args()
    config = RankingConfig.load(CONFIG)
    with TemporaryDirectory() as folder:
        kept = wish.kept or Path(folder)
        kept.mkdir(exist_ok=True, parents=True)
        training = Training([domain_of(name, cases_of(name, kept), config) for name in names()], config)
    print("\n".join(table(training)), flush=True)
    found = section(training.learn())
    print("\n" + "\n".join(f"{name or 'formula'}: {weight}" for name, weight in found.items()))
    if wish.ablation:
        print("\n" + "\n".join(ablation(training, [name for name in found if name])))
    if wish.write:
        CONFIG.write_text(written(CONFIG.read_text("utf-8"), found), "utf-8")


if __name__ == "__main__":
    main()
