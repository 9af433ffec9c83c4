"""The files by which a server is watched: alerts that fire when they should, and figures that there are."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from orchestrator.surfaces.http.metrics import Metrics

DEPLOY = Path(__file__).resolve().parents[3] / "deploy"
RULES = DEPLOY / "prometheus"
FIGURE = re.compile(r"\bfedsearch_[a-z_]+")
PROMTOOL = pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not installed")


def figures() -> set[str]:
    """The names of all that a server counts, as they stand in its text, but since when."""
    types = (line.split(" ")[2] for line in Metrics().text().decode().splitlines() if line.startswith("# TYPE"))
    return {name for name in types if not name.endswith("_created")}


@pytest.mark.parametrize("file", ["prometheus/alerts.yml", "grafana/fedsearch.json"])
def test_every_figure_that_is_watched_is_counted(file: str) -> None:
    known = figures()
    named = {name.removesuffix("_bucket") for name in FIGURE.findall((DEPLOY / file).read_text("utf-8"))}
    assert len(named) > 3
    assert named <= known


def test_the_dashboard_shows_every_figure() -> None:
    dashboard = json.loads((DEPLOY / "grafana" / "fedsearch.json").read_text("utf-8"))
    asked = " ".join(target["expr"] for panel in dashboard["panels"] for target in panel["targets"])
    shown = {name.removesuffix("_bucket") for name in FIGURE.findall(asked)}
    assert figures() - shown <= {"fedsearch_source_requests_a_question"}, "what is new wants a panel"


@PROMTOOL
@pytest.mark.parametrize("what", [("check", "rules", "alerts.yml"), ("test", "rules", "alerts_test.yml")], ids="-".join)
def test_promtool_finds_the_rules_well(what: tuple[str, ...]) -> None:
    done = subprocess.run(["promtool", *what], cwd=RULES, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
