"""How the order is learnt: companies made by a seed, a regression with signs that are given, and what is written down."""

from __future__ import annotations

import json
import tomllib

import numpy as np
import pytest

from orchestrator.learning.weighing import Lists, fit
from orchestrator.rank import RankingConfig
from orchestrator.rank.features import FEATURES
from orchestrator.sandbox import load_corpus
from tests.ranking import invented
from tests.ranking.domains import Domain
from tests.train_ranking import CONFIG, Training, is_harm, section, table, written


@pytest.fixture(scope="module")
def company():
    return invented.invent(*invented.COMPANIES[1])


def test_a_seed_makes_the_same_company(company) -> None:
    again = invented.invent(*invented.COMPANIES[1])
    assert (again.rows, again.golden) == (company.rows, company.golden)


def test_what_is_judged_is_there(company) -> None:
    ids = {row["id"] for row in company.rows}
    assert len(ids) == len(company.rows) > 1900
    assert len(company.golden) == invented.QUESTIONS
    assert all(ids >= set(each["grades"]) and max(each["grades"].values()) == 3 for each in company.golden)
    assert {each["lang"] for each in company.golden} == {"ko", "en"}


def test_it_is_laid_out_as_companies_are(company, tmp_path) -> None:
    invented.lay_out(company, tmp_path)
    assert json.loads((tmp_path / "about.json").read_text("utf-8"))["name"] == company.name
    assert len((tmp_path / "golden.jsonl").read_text("utf-8").splitlines()) == invented.QUESTIONS
    corpus = load_corpus(tmp_path / "corpus")
    assert sum(len(rows) for rows in corpus.rows.values()) == len(company.rows)


def lists(helps: float, seed: int = 1) -> Lists:
    """Forty questions of ten results, of which the first feature tells the relevant one and the second nothing."""
    chance = np.random.default_rng(seed)
    features = chance.random((400, 2))
    target = np.zeros(400)
    for begin in range(0, 400, 10):
        target[begin + int(np.argmax(helps * features[begin : begin + 10, 0]))] = 1.0
    return Lists(features, target, np.arange(0, 400, 10), 1.0 / 40)


def test_what_tells_gets_weight() -> None:
    found = fit([lists(1.0)], [1, 1], np.zeros(2), np.full(2, 1e-3))
    assert found[0] > 5.0 > found[1] >= 0.0


def test_nothing_gets_a_weight_against_its_sense() -> None:
    assert fit([lists(-1.0)], [1, 1], np.zeros(2), np.full(2, 1e-3))[0] == 0.0
    assert fit([lists(-1.0)], [-1, 1], np.zeros(2), np.full(2, 1e-3))[0] < -5.0


def test_a_prior_holds_where_nothing_is_learnt() -> None:
    assert fit([], [1, 1], np.array([3.0, 0.0]), np.full(2, 1e-3)).tolist() == [3.0, 0.0]


def domain(name: str, seed: int) -> Domain:
    """Thirty questions of eighty results; the formula knows nothing, one feature tells which result is right."""
    chance = np.random.default_rng(seed)
    features = chance.random((2400, len(FEATURES)))
    begins = np.arange(0, 2400, 80)
    grades = np.zeros(2400)
    place = list(FEATURES).index("names_held")
    for begin in begins:
        grades[begin + int(np.argmax(features[begin : begin + 80, place]))] = 1.0
    flat = np.zeros(2400)
    return Domain(
        name,
        features,
        chance.random(2400),
        grades,
        flat,
        np.repeat(np.arange(30), 80),
        begins,
        np.ones(30),
        np.full(30, 120),
        1,
    )


def test_what_one_domain_teaches_is_judged_on_another() -> None:
    training = Training([domain("one", 1), domain("other", 2)], RankingConfig.load(CONFIG))
    found = section(training.learn(left_out="other"))
    assert max((weight, name) for name, weight in found.items() if name)[1] == "names_held"
    before, after = (
        training.domains["other"].ndcg(each)
        for each in (training.domains["other"].formula, training.scores("other", training.learn("other")))
    )
    assert len(after) == 31, "a question for which nothing came back counts as 0"
    assert after.mean() > 0.6 > 3 * before.mean()
    assert len(list(table(training))) == 4
    assert "names_held" not in section(training.learn(without="names_held"))


def test_it_is_written_where_ranking_reads_it() -> None:
    text = written(CONFIG.read_text("utf-8"), {"": 1.5, "talk": 2.25, "asks": -0.5})
    config = RankingConfig.from_toml(text)
    assert (config.learned.formula, dict(config.learned.weights.known())) == (1.5, {"talk": 2.25, "asks": -0.5})
    kept, before = tomllib.loads(text), tomllib.loads(CONFIG.read_text("utf-8"))
    assert {**kept, "learned": None} == {**before, "learned": None}


def test_only_what_lowers_by_sense_may_lower() -> None:
    assert {name for name in FEATURES if is_harm(name)} == {"asks", "notice", "strange"}
