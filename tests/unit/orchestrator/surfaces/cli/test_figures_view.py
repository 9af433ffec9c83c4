"""A measurement as text: every table, what went wrong, and nothing that could harm a terminal."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from orchestrator.evaluate import Ablation, Figure, Measurement, TableRow, Tables
from orchestrator.surfaces.cli.composition import BadInput, TrialWish
from orchestrator.surfaces.cli.evaluating import check
from orchestrator.surfaces.cli.figures_view import figures_view, trial_document
from orchestrator.surfaces.cli.screen import show

LINE = TableRow("all", 2, Figure(0.5, 0.25, 0.75), Figure(1.0, 1.0, 1.0), Figure(0.0, 0.0, 0.0))
NAMED = TableRow("결정\x1b[31m", 1, LINE.ndcg_10, LINE.mrr_10, LINE.recall_100)
TABLES = Tables(
    LINE,
    (),
    (NAMED,),
    (),
    LINE,
    Figure(0.1, 0.05, 0.15),
    Figure(0.2, 0.2, 0.2),
    {"slack: timed out": 2},
    (Ablation(LINE, -0.5, 0.25),),
)


def shown(capsys: pytest.CaptureFixture[str], trial: Measurement) -> str:
    show(figures_view(trial))
    return capsys.readouterr().out


def test_every_part_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, Measurement(TABLES, datetime(2026, 11, 20, tzinfo=UTC), {"slack": 1200}))
    for words in (
        "slack 1,200",
        "0.500 0.25–0.75",
        "결정",
        "0.10 s (0.05–0.15)",
        "slack: timed out at 2 questions",
        "-0.500 … +0.250",
    ):
        assert words in text
    assert "\x1b[31m" not in text


def test_a_replay_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    replayed = Measurement(TABLES, datetime(2026, 11, 20, tzinfo=UTC), {}, replayed=True)
    assert "ranked again from a recording" in shown(capsys, replayed)
    assert trial_document(replayed)["replayed"]


def test_as_json_each_figure_has_its_interval() -> None:
    document = trial_document(Measurement(TABLES, datetime(2026, 11, 20, tzinfo=UTC), {}, ("a note",)))
    assert document["types"][0]["ndcg_10"] == {"value": 0.5, "low": 0.25, "high": 0.75}
    assert document["ablation"][0]["difference"] == {"low": -0.5, "high": 0.25}
    assert (document["notes"], document["troubles"]) == (["a note"], {"slack: timed out": 2})


@pytest.mark.parametrize("alone", [{"qrels": "x"}, {"record": "x"}, {"drop_repeats": True}, {"corpus": ("x",)}])
def test_a_replay_takes_nothing_that_is_for_asking(alone: dict[str, object]) -> None:
    with pytest.raises(BadInput, match="--replay asks nothing"):
        check(TrialWish(replay="x.rec", **alone))  # type: ignore[arg-type]
    check(TrialWish(replay="x.rec", ablation=True, limit=3))


@pytest.mark.parametrize("alone", [{"drop_repeats": True}, {"mapping": ("web=json_api",)}])
def test_what_is_said_of_a_corpus_needs_one(alone: dict[str, object]) -> None:
    with pytest.raises(BadInput, match="--corpus FILE"):
        check(TrialWish(**alone))  # type: ignore[arg-type]
