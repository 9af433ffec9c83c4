"""The command line as people meet it: real processes over real sockets against the sandbox."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING

import pytest

from tests.conformance.marks import requirement
from tests.e2e.cli_workplace import NOW, Done
from tests.e2e.program import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SOURCES = ("gmail", "linear", "notion", "slack")


# ---- search


@requirement("6.20", "A command line for people: the cited answer, its results, and what was asked of whom", where="orchestrator/surfaces/cli")  # fmt: skip
@pytest.mark.parametrize(
    ("question", "cited"),
    [
        ("what did we decide about the 2027 pricing start date", "1 January 2027"),
        ("API 마이그레이션 일정에 대해 무엇을 결정했나요?", "12월 7일"),
    ],
)
def test_search_prints_a_cited_answer_and_a_receipt(fedsearch: Callable[..., Done], question: str, cited: str) -> None:
    done = fedsearch("search", question, *NOW, cold="API" in question)
    assert done.returncode == 0
    assert cited in done.stdout
    assert re.search(r"” \[\d+\]", done.stdout)
    assert all(re.search(f"^{title} · ", done.stdout, re.MULTILINE) for title in ("Gmail", "Linear", "Notion", "Slack"))
    assert "\x1b" not in done.stdout
    assert done.stderr == ""


def test_search_as_json_is_one_object_and_nothing_else(fedsearch: Callable[..., Done]) -> None:
    done = fedsearch("search", "--json", "쿠버네티스", "이전", "지금", "어디까지", "됐나요?", *NOW)
    answer = json.loads(done.stdout)
    assert done.returncode == 0
    assert answer["question"]["text"] == "쿠버네티스 이전 지금 어디까지 됐나요?"
    assert [source["source"] for source in answer["sources"]] == list(SOURCES)
    assert [result["number"] for result in answer["results"]] == list(range(1, len(answer["results"]) + 1))


@pytest.mark.parametrize(
    ("first", "then", "taken"),
    [
        (
            "What did we decide about the API migration?",
            "who decided that?",
            "Taken as: API migration who decided that?",
        ),
        (
            "API 마이그레이션 일정에 대해 무엇을 결정했나요?",
            "그건 누가 정했어?",
            "이렇게 이해했습니다: API 마이그레이션 누가 정했어?",
        ),
    ],
)
def test_a_question_goes_on_from_the_last_one(
    fedsearch: Callable[..., Done], tmp_path: Path, first: str, then: str, taken: str
) -> None:
    kept = {"FEDSEARCH_STORAGE__DATA_DIR": str(tmp_path)}
    lost = fedsearch("search", "--follow", then, *NOW, env=kept)
    assert lost.returncode == 2
    assert "ask the question whole" in lost.stderr
    fedsearch("search", first, *NOW, env=kept)
    (file,) = tmp_path.glob("last-question*")
    assert file.stat().st_mode & 0o777 == 0o600
    done = fedsearch("search", "--follow", then, *NOW, env=kept)
    assert done.returncode == 0
    assert taken in " ".join(done.stdout.split())
    again = fedsearch("search", "-f", "--json", "not that one", *NOW, env=kept)
    assert json.loads(again.stdout)["follow"]["carried"] == taken.partition(": ")[2]
    os.utime(file, (0, 0))
    assert fedsearch("search", "--follow", then, *NOW, env=kept).returncode == 2


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What did we decide about the API migration?", "so --follow cannot go on from it"),
        ("API 마이그레이션 일정에 대해 무엇을 결정했나요?", "--follow로 이어서 물을 수 없습니다"),
    ],
)
def test_a_question_that_cannot_be_kept_is_answered_and_says_so(
    fedsearch: Callable[..., Done], tmp_path: Path, question: str, told: str
) -> None:
    (tmp_path / "taken").write_text("", "utf-8")
    done = fedsearch("search", question, *NOW, env={"FEDSEARCH_STORAGE__DATA_DIR": str(tmp_path / "taken")})
    assert done.returncode == 0
    assert told in done.stderr


def test_names_alone_are_answered_in_the_language_of_the_terminal(fedsearch: Callable[..., Done]) -> None:
    korean = {"LC_ALL": "ko_KR.UTF-8"}
    assert "신뢰도" in fedsearch("search", "okta", *NOW, env=korean).stdout
    assert "confidence" in fedsearch("search", "where is the okta guide", *NOW, env=korean).stdout


def test_search_asks_only_the_sources_named_and_says_so(fedsearch: Callable[..., Done]) -> None:
    answer = json.loads(fedsearch("search", "--json", "Okta rollout", "-s", "slack", "-s", "notion", *NOW).stdout)
    skipped = {each["source"] for each in answer["sources"] if each["status"] == "skipped"}
    assert skipped == {"gmail", "linear"}
    assert {result["source"] for result in answer["results"]} <= {"slack", "notion"}


def test_limit_and_receipt_can_be_changed(fedsearch: Callable[..., Done]) -> None:
    done = fedsearch("search", "Okta rollout", "-n", "1", "--no-receipt", *NOW)
    listed = [int(number) for number in re.findall(r"^ ?(\d+)  ", done.stdout, re.MULTILINE)]
    quoted = {int(number) for number in re.findall(r"\[(\d+)\]", done.stdout)}
    assert listed == sorted({1} | quoted), "the first result, and those that the answer quotes"
    assert "What was asked" not in done.stdout


def test_the_limit_does_not_change_what_the_answer_says(fedsearch: Callable[..., Done]) -> None:
    """Only the numbers follow the list."""
    question = "what did we decide about the 2027 pricing start date"
    short, long = (fedsearch("search", question, "-n", limit, "--json", *NOW) for limit in ("1", "20"))
    first, second = (re.sub(r"\[\d+\]", "", json.loads(done.stdout)["summary"]) for done in (short, long))
    assert first == second


def test_nothing_found_is_exit_code_1_and_still_a_receipt(fedsearch: Callable[..., Done]) -> None:
    done = fedsearch("search", "zzzqqqxxx", *NOW)
    assert done.returncode == 1
    assert "What was asked" in done.stdout


def test_a_question_may_come_from_standard_input(fedsearch: Callable[..., Done]) -> None:
    done = fedsearch("search", "-", "--json", *NOW, typed="Okta rollout\n")
    assert json.loads(done.stdout)["question"]["text"].strip() == "Okta rollout"


@pytest.mark.parametrize("columns", ["40", "80", "200"])
def test_any_width_will_do(fedsearch: Callable[..., Done], columns: str) -> None:
    from rich.cells import cell_len

    done = fedsearch("search", "2027 pricing", *NOW, env={"COLUMNS": columns})
    assert done.returncode == 0
    assert re.search("[가-힣]", done.stdout)
    assert max(map(cell_len, done.stdout.splitlines())) <= int(columns)


def test_a_terminal_that_knows_no_hangul_gets_question_marks(fedsearch: Callable[..., Done]) -> None:
    narrow = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = fedsearch("search", "2027 pricing", "--no-receipt", *NOW, env=narrow, cold=True)
    assert done.returncode == 0
    assert "?" in done.stdout
    answer = fedsearch("search", "2027 pricing", "--json", *NOW, env=narrow, cold=True)
    assert any(re.search("[가-힣]", result["title"]) for result in json.loads(answer.stdout)["results"])


def test_a_wrong_token_says_what_to_do(fedsearch: Callable[..., Done]) -> None:
    done = fedsearch("search", "Okta", "-s", "slack", *NOW, env={"FEDSEARCH_SOURCES__SLACK__TOKEN": "xoxp-wrong"})
    assert done.returncode == 3
    assert len(done.stderr.splitlines()) == 1
    assert "no source answered. Slack: " in done.stderr
    assert "token" in done.stderr
    assert "Slack · denied" in done.stdout
    assert "xoxp-wrong" not in done.stdout + done.stderr


def test_doubts_about_a_question_are_warnings(fedsearch: Callable[..., Done]) -> None:
    done = fedsearch("search", "--json", "Okta colour:red", *NOW)
    assert done.stderr.startswith("! colour: is no filter")
    assert len(done.stderr.splitlines()) == 1
    assert json.loads(done.stdout)["question"]["doubts"][0]["code"] == "unknown_filter"


# ---- the other commands


def test_understand_for_people_and_for_programs(fedsearch: Callable[..., Done]) -> None:
    shown = fedsearch("understand", "API decisions last month from:sarah", *NOW)
    assert "from 2026-10-01 before 2026-11-01" in shown.stdout
    read = json.loads(fedsearch("understand", "--json", "지난달 결정된 API 일정 from:김민수", *NOW).stdout)
    assert read["author"] == "김민수"
    assert read["window"] == {"after": "2026-10-01", "before": "2026-11-01", "words": "지난달"}


def test_understand_turns_rows_into_rows(fedsearch: Callable[..., Done], tmp_path: Path) -> None:
    row = {"id": "a", "text": "status of Juniper since Monday", "reference": "2026-11-20T10:00:00+09:00"}
    (tmp_path / "rows.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    from_file = fedsearch("understand", "--jsonl", str(tmp_path / "rows.jsonl"))
    from_pipe = fedsearch("understand", "--jsonl", "-", typed=json.dumps(row))
    assert from_file.stdout == from_pipe.stdout
    read = json.loads(from_file.stdout)
    assert (read["id"], read["intent"], read["after"]) == ("a", "status", "2026-11-16")


def test_explain_shows_native_queries_without_asking_anybody(fedsearch: Callable[..., Done]) -> None:
    nowhere = {f"FEDSEARCH_SOURCES__{name.upper()}__BASE_URL": "http://127.0.0.1:9" for name in SOURCES}
    done = fedsearch("explain", "--json", "outage after:2026-10-01 -draft", *NOW, env=nowhere)
    plan = json.loads(done.stdout)
    native = {step["source"]: step["rungs"][0]["queries"][0] for step in plan["steps"]}
    assert done.returncode == 0
    assert re.search(r" after:2026-09-(29|30)$", native["slack"]["text"])  # Slack leaves out the day named
    assert native["notion"]["checked_here"]
    assert "Slack" in fedsearch("explain", "outage", *NOW, env=nowhere).stdout


def test_sources_are_probed(fedsearch: Callable[..., Done]) -> None:
    done = fedsearch("sources", "--json", env={"FEDSEARCH_SOURCES__SLACK__TOKEN": "wrong"})
    states = {each["source" if "source" in each else "name"]: each for each in json.loads(done.stdout)["sources"]}
    assert done.returncode == 0
    assert states["linear"]["status"] == "ok"
    assert states["slack"]["status"] == "failed"
    assert states["slack"]["advice"]


def test_config_names_the_layer_and_masks_secrets(fedsearch: Callable[..., Done], workplace: dict[str, str]) -> None:
    done = fedsearch("config", "--json", env={"FEDSEARCH_SEARCH__BUDGET": "2.5"})
    settings = {each["key"]: each for each in json.loads(done.stdout)["settings"]}
    assert settings["search.budget"] == {"key": "search.budget", "value": "2.5", "origin": "environment"}
    assert settings["search.limit"]["origin"] == "built-in defaults"
    assert workplace["FEDSEARCH_SOURCES__SLACK__TOKEN"] not in done.stdout


def test_doctor_is_content_with_this_checkout(fedsearch: Callable[..., Done]) -> None:
    done = fedsearch("doctor", cold=True)
    assert (done.returncode, "✗" in done.stdout) == (0, False), done.stdout


def test_secrets_in_plain_files_are_told_and_sealed(fedsearch: Callable[..., Done], tmp_path: Path) -> None:
    (kept := tmp_path / "kept").mkdir()
    (kept / "sources__jira__token").write_text("planted", "utf-8")
    place = {"FEDSEARCH_SECRETS_DIR": str(kept), "FEDSEARCH_DATA_DIR": str(tmp_path / "data")}
    assert "fedsearch secrets seal" in " ".join(fedsearch("doctor", env=place).stdout.split())
    assert fedsearch("secrets", "seal", env=place).stdout.startswith("sources.jira.token: sealed; the key is ")
    (told,) = json.loads(fedsearch("secrets", "list", "--json", env=place).stdout)["secrets"]
    assert (told["setting"], told["file"]) == ("sources.jira.token", f"{kept}/sources__jira__token.sealed")
    assert "sealed; what opens them is" in " ".join(fedsearch("doctor", env=place).stdout.split())
    (tmp_path / "data" / "sealing.key").unlink()
    done = fedsearch("secrets", "seal", env=place)
    assert (done.returncode, "which cannot be read" in done.stderr) == (1, True)


def test_doctor_finds_packages_that_hide_ours(fedsearch: Callable[..., Done], tmp_path: Path) -> None:
    (tmp_path / "connectors").mkdir()
    (tmp_path / "connectors" / "__init__.py").write_text("", "utf-8")
    done = fedsearch("doctor", env={"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}, cold=True)
    assert done.returncode == 1
    assert "import clash" in done.stdout
    other = fedsearch("config", env={"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}, cold=True)
    assert (other.returncode, other.stdout) == (2, "")
    assert "run `fedsearch doctor`" in other.stderr


def test_version(fedsearch: Callable[..., Done]) -> None:
    assert re.fullmatch(r"fedsearch \d+\.\d+\.\d+\S*\n", fedsearch("--version").stdout)


@pytest.mark.parametrize(
    "command", ["search", "understand", "explain", "sources", "config", "sandbox", "demo", "doctor"]
)
def test_every_command_explains_itself(fedsearch: Callable[..., Done], command: str) -> None:
    done = fedsearch(command, "--help")
    assert done.returncode == 0
    assert f"fedsearch {command}" in done.stdout
