"""``fedsearch tune`` over what an office did: learnt, kept, read by the settings, and taken back; chance is refused."""

from __future__ import annotations

import json
import os
import subprocess
from typing import TYPE_CHECKING

from orchestrator.learning.impressions import impression_row, reaction_row
from tests.e2e.program import COLD, ROOT, WARM
from tests.unit.orchestrator.learning.office import Office, freshest

if TYPE_CHECKING:
    from pathlib import Path


def fedsearch(home: Path, *arguments: str, cold: bool = False) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "FEDSEARCH_DATA_DIR": str(home), "COLUMNS": "200"}
    done = subprocess.run(
        [*(COLD if cold else WARM), *arguments], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def lives(home: Path, office: Office) -> None:
    """Writes down what an office does, in the files of a data folder."""
    use = office.use()
    folder = home / "learning"
    folder.mkdir(parents=True)
    rows = [*map(impression_row, use.shown), *map(reaction_row, use.reactions)]
    (folder / "2026-09-01.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")


def test_an_office_is_learnt_and_taken_back(tmp_path) -> None:
    lives(tmp_path, Office(freshest))
    (tmp_path / "tuned.toml").write_text("# 손으로 쓴 것\r\n[ranking.numbers.fusion]\nshare = 0.35\n", "utf-8")
    before = (tmp_path / "tuned.toml").read_bytes()
    judged = json.loads(fedsearch(tmp_path, "eval", "--from-feedback", "--json"))
    assert (judged["all"]["judgments"], judged["people"], judged["shown"]) == (300, 12, 300)
    wished = json.loads(fedsearch(tmp_path, "tune", "--dry-run", "--json"))
    assert wished["better"]
    assert not wished["written"]
    assert (tmp_path / "tuned.toml").read_bytes() == before
    told = fedsearch(tmp_path, "tune", cold=True)
    assert "300 judgments of 12 people" in told
    assert "weights.decision.freshness" in told
    settings = json.loads(fedsearch(tmp_path, "config", "--json"))["settings"]
    tuned = {each["key"]: each for each in settings}["ranking.numbers.weights.decision.freshness"]
    assert (float(tuned["value"]) > 0.4, tuned["origin"]) == (True, str(tmp_path / "tuned.toml"))
    after = json.loads(fedsearch(tmp_path, "eval", "--from-feedback", "--json"))
    assert after["all"]["ndcg_10"]["value"] > judged["all"]["ndcg_10"]["value"] + 0.03
    again = json.loads(fedsearch(tmp_path, "tune", "--json"))
    first, second = (each["held_back"][0]["ndcg_10"] for each in (wished, again))
    assert second["after"] == first["after"], "learning begins anew from the numbers without what was tuned"
    assert (second["before"] > first["before"], again["written"]) == (True, None), "and is no better than itself"
    assert json.loads(fedsearch(tmp_path, "tune", "--undo", "--json"))["undone"]
    assert (tmp_path / "tuned.toml").read_bytes() == before


def test_chance_is_refused(tmp_path) -> None:
    lives(tmp_path, Office(None))
    told = fedsearch(tmp_path, "tune")
    assert "nothing is kept" in told
    assert not (tmp_path / "tuned.toml").exists()
    assert "nothing was tuned" in fedsearch(tmp_path, "tune", "--undo")


def test_nobody_has_done_anything_yet(tmp_path) -> None:
    assert "too few judgments" in fedsearch(tmp_path, "tune")
    assert "0 judgments of 0 people" in fedsearch(tmp_path, "eval", "--from-feedback")
