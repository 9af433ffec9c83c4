"""What answering is given is written down and answered again: the same answer by the same code, another by other weights."""

from __future__ import annotations

import pickle
from types import MappingProxyType
from typing import TYPE_CHECKING

from connectors.contract import Hit
from orchestrator.answer.sentence_features import SentenceWeights
from orchestrator.model import Evidence, Plan, Ranking, Result
from tests.quality import recording, replay
from tests.quality.figures import Floors
from tests.quality.parts import NOW
from tests.quality.recording import Given, read, replayed
from translators.query import Kind, Query, QueryType

if TYPE_CHECKING:
    from pathlib import Path

COMPANY = "saebit_foods"


def given(*texts: str) -> Given:
    """A question of a company for which these were found, best first."""
    results = tuple(
        Result(
            Hit("slack", str(at), Kind.MESSAGE, snippet=text, facts=MappingProxyType({})),
            (Evidence("slack", at),),
            1.0 / at,
        )
        for at, text in enumerate(texts, 1)
    )
    query = Query("fare of the boat", type=QueryType.FACTUAL, keywords=("fare", "boat"))
    asked = {"id": "x-1", "lang": "en", "answerable": True, "expect": ["30"], "must_not": ["20"], "evidence": ["sl-2"]}
    return Given(asked, Ranking(results), (), Plan(query, ()), NOW, True, {"slack": {"2": "sl-2"}})


def test_what_was_written_down_is_answered_and_graded_as_before(tmp_path: Path) -> None:
    one = given("The fare was 20 once.", "The fare of the boat is now 30.")
    (tmp_path / f"{COMPANY}.pickle").write_bytes(pickle.dumps([one]))
    (again,) = read(COMPANY, tmp_path)
    assert again.ranking.results[0].hit.facts == {}
    assert again.asked().answer == one.asked().answer
    assert again.asked().grade.right
    figures = {each.name: each.value for each in replayed(COMPANY, tmp_path).figures}
    assert (figures["right"], figures["evidence_in_the_top_1"]) == (1, 1)


def test_other_weights_tell_another_sentence_first() -> None:
    one = given("The fare of the boat is 20.", "The fare is settled: now 30, final.")
    told = [one.asked(SentenceWeights(weights=weights)).grade for weights in ({"by_rules": 1.0}, {"settled": 9.0})]
    assert [each.right_first for each in told] == [False, True]
    assert [each.wrong_first for each in told] == [True, False]


def test_only_what_a_replay_measures_is_held_against_floors(tmp_path: Path) -> None:
    (tmp_path / f"{COMPANY}.pickle").write_bytes(pickle.dumps([given("The fare of the boat is 30.")]))
    floors = tmp_path / "floors.toml"
    floors.write_text(f"[company_{COMPANY}]\nright = 2\nnever_measured = 1\n", "utf-8")
    rows = {row.figure: row.state for row in replay.seen([replayed(COMPANY, tmp_path)], Floors.read(floors))}
    assert rows["right"] == "below"
    assert "never_measured" not in rows


def test_the_parts_are_the_companies_and_the_packaged_workplace() -> None:
    assert replay.names("saebit,workplace") == [COMPANY, recording.WORKPLACE]
    assert len(replay.names()) > len(replay.names("saebit"))
