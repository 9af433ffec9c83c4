"""The first thing anybody sees."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.e2e.program import COLD, WARM

if TYPE_CHECKING:
    from collections.abc import Callable


ROOT = Path(__file__).resolve().parents[2]
Done = subprocess.CompletedProcess[str]


@pytest.fixture
def demo(tmp_path: Path) -> Callable[..., Done]:
    """``fedsearch demo`` in an environment whose only source, if it were asked, would fail."""

    def run(*arguments: str, budget: str = "50", cold: bool = False) -> Done:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("FEDSEARCH_")}
        environment = {
            **kept,
            "XDG_CONFIG_HOME": str(tmp_path),
            "PYTHONPATH": str(ROOT),
            "COLUMNS": "80",
            "FEDSEARCH_SOURCES__SLACK__TOKEN": "xoxp-not-to-be-used",
            "FEDSEARCH_SOURCES__SLACK__BASE_URL": "http://127.0.0.1:9",
            "FEDSEARCH_SEARCH__BUDGET": budget,  # what is shown is tested here, not how busy the machine is
        }
        command = [*(COLD if cold else WARM), "demo", *arguments]
        return subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", check=False)

    return run


def test_six_questions_in_two_languages_are_answered_with_citations(demo: Callable[..., Done]) -> None:
    done = demo(cold=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "6 of 6 questions answered" in done.stdout
    assert len(re.findall(r"What was asked, and what came back ─", done.stdout)) == 3
    assert len(re.findall(r"무엇을 물었고 무엇이 돌아왔나 ─", done.stdout)) == 3
    receipts = re.findall(r"^(Gmail|Linear|Notion|Slack) · (ok|nothing|정상|없음) · ", done.stdout, re.MULTILINE)
    assert len(receipts) == 24
    for fact in ("1 January 2027", "12월 7일", "Okta", "쿠버네티스", "REST", "회고"):
        assert fact in done.stdout
    assert len(re.findall(r"” \[\d\]", done.stdout)) >= 6


def test_faults_are_named_and_the_others_answer(demo: Callable[..., Done]) -> None:
    done = demo("--fault", "slack=delay:300", "--fault", "linear=status:500", "status of the Okta rollout", budget="10")
    assert done.returncode == 0, done.stderr
    assert re.search(r"^Slack · timed out", done.stdout, re.MULTILINE)
    assert re.search(r"^Linear · failed", done.stdout, re.MULTILINE)
    assert re.search(r"^Notion · ok", done.stdout, re.MULTILINE)


def test_a_question_of_ones_own_that_finds_nothing_is_exit_code_1(demo: Callable[..., Done]) -> None:
    assert demo("zzzqqqxxx").returncode == 1


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (("--fault", "slack=explode"), "faults: delay:SECONDS"),
        (("--corpus", "no-such-file.jsonl"), "no such file"),
        (("--map", "github"), "write FOREIGN=SOURCE"),
        (("",), "the question is empty"),
    ],
)
def test_bad_wishes_are_one_line(demo: Callable[..., Done], arguments: tuple[str, ...], advice: str) -> None:
    done = demo(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert advice in done.stderr
