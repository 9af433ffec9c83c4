"""What an office prefers is learnt and holds on judgments kept apart; what is chance is refused."""

from __future__ import annotations

import pytest

from orchestrator.learning import Reaction, figures_of, judgments_of, tuned
from tests.unit.orchestrator.learning.office import CONFIG, Office, freshest, spoken


def tune(office, present=CONFIG, kept=()):
    return tuned(judgments_of(office.use()), CONFIG, present, kept)


def test_what_people_look_for_is_learnt_and_holds_on_judgments_of_others() -> None:
    tuning = tune(Office(freshest))
    whole = tuning.rows[0]
    assert whole.judgments == pytest.approx(0.4 * tuning.judgments, abs=1)
    assert 0.0 < whole.low < whole.after - whole.before < whole.high
    after = CONFIG.with_numbers(tuning.numbers)
    for kind, weights in tuning.numbers["weights"].items():
        assert weights["freshness"] > CONFIG.weights[kind].freshness + 0.1
        assert sum(weights.values()) == pytest.approx(1.0)
    assert after.weights["status"] == CONFIG.weights["status"], "nobody has judged such questions"
    assert "learned" not in tuning.numbers, "so little was found that it had no say"


def test_what_is_learnt_is_no_longer_better_than_itself() -> None:
    """Tuning begins anew from the numbers as they were, so that whoever tunes again does not go farther and farther."""
    first = tune(Office(freshest))
    again = tune(Office(freshest), CONFIG.with_numbers(first.numbers))
    assert not again.better


def test_the_learnt_order_follows_where_much_is_found() -> None:
    learnt = tune(Office(spoken, many=True)).numbers["learned"]["weights"]
    known = CONFIG.learned.weights.known()
    assert learnt["talk"] > known["talk"] + 1.0
    assert 0.0 <= learnt["names_held"] < known["names_held"], "lower, and never against its sense"


@pytest.mark.parametrize("patience", [0.0, 0.7, 2.0])
@pytest.mark.parametrize("many", [False, True])
def test_what_people_do_whatever_stands_there_teaches_nothing(patience, many) -> None:
    tuning = tune(Office(None, patience=patience, many=many))
    assert not tuning.better
    assert tuning.rows[0].low <= 0.0
    assert not tuning.numbers


def test_few_judgments_teach_nothing() -> None:
    tuning = tune(Office(freshest, people=4, questions=10))
    assert (tuning.better, tuning.rows, tuning.judgments) == (False, (), 40)
    assert "too few judgments" in tuning.why


def test_one_person_is_judged_by_time_alone() -> None:
    assert tune(Office(freshest, people=1, questions=250, did=Reaction.RIGHT)).better


def test_what_a_site_has_set_by_hand_stays() -> None:
    tuning = tune(Office(freshest), kept={"weights.decision", "learned"})
    assert set(tuning.numbers["weights"]) == {"document", "factual"}


def test_the_present_order_is_judged_by_kind_of_question() -> None:
    use = Office(freshest).use()
    figures = figures_of(judgments_of(use), CONFIG, len(use.shown), 0)
    assert (figures.whole.judgments, figures.people, figures.shown) == (300, 12, 300)
    assert [(each.name, each.judgments) for each in figures.types] == [
        ("decision", 100),
        ("document", 100),
        ("factual", 100),
    ]
    assert 0.3 < figures.whole.mrr_10.value < figures.whole.ndcg_10.value < 0.8
