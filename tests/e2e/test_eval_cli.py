"""``fedsearch eval`` over a corpus of our own in both languages, through sockets and again from its recording."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from orchestrator.main import Root
from orchestrator.surfaces.cli import make_cli
from tests.e2e.program import COLD, WARM

if TYPE_CHECKING:
    from click.testing import Result


ROOT = Path(__file__).resolve().parents[2]
DAY = "2026-11-02T09:00:00+00:00"
ROWS = (
    ("s1", "slack", "general", "결제 서버 배포는 금요일 오후에 합니다"),
    ("s2", "slack", "general", "점심은 김치찌개 먹어요"),
    ("s3", "slack", "general", "The payment gateway rollout starts on Friday"),
    ("m1", "meetings", "", "Meeting notes: payment gateway rollout agreed for Friday"),
    ("m2", "meetings", "", "회의록: 신규 입사자 온보딩 절차를 정리했다"),
    ("w1", "web", "", "온보딩 가이드: 신규 입사자 계정 만들기"),
    ("w2", "web", "", "Release notes of the payment gateway"),
    ("f1", "fax", "", "payment gateway"),
)
QUESTIONS = (
    ("en", "payment gateway rollout", "status", {"s3": 2, "m1": 1, "nowhere": 1}),
    ("ko", "신규 입사자 온보딩", "", {"m2": 1, "w1": 1}),
    ("none", "lunch on the moon", "", {}),
)


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """The options that name the corpus, its questions and its judgments."""
    corpus, queries, qrels = tmp_path / "corpus.jsonl", tmp_path / "queries.jsonl", tmp_path / "qrels.tsv"
    keys = ("id", "source", "container", "text")
    rows = ({**dict(zip(keys, row, strict=True)), "title": row[3][:12], "created": DAY} for row in ROWS)
    corpus.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), "utf-8")
    asked = ({"id": name, "text": text, "type": kind} for name, text, kind, _ in QUESTIONS)
    queries.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in asked), "utf-8")
    judged = [f"{name}\t{known}\t{grade}" for name, *_, grades in QUESTIONS for known, grade in grades.items()]
    qrels.write_text("\n".join(["query-id\tcorpus-id\tscore", *judged, "stranger\ts1\t1", ""]), "utf-8")
    return {"--corpus": str(corpus), "--queries": str(queries), "--qrels": str(qrels)}


def options(files: dict[str, str]) -> list[str]:
    return [part for pair in files.items() for part in pair]


def fedsearch(home: Path, *arguments: str, cold: bool = False) -> subprocess.CompletedProcess[str]:
    """``fedsearch eval`` in an environment whose only source, if it were asked, would fail."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("FEDSEARCH_")}
    environment = {
        **kept,
        "XDG_CONFIG_HOME": str(home),
        "PYTHONPATH": str(ROOT),
        "COLUMNS": "80",
        "FEDSEARCH_SOURCES__SLACK__TOKEN": "xoxp-not-to-be-used",
        "FEDSEARCH_SOURCES__SLACK__BASE_URL": "http://127.0.0.1:9",
    }
    command = [*(COLD if cold else WARM), "eval", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", check=False)


def document(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    assert (done.returncode, done.stderr) == (0, "")
    read: dict[str, Any] = json.loads(done.stdout)
    return read


def test_a_recording_gives_the_same_figures_again(tmp_path: Path, files: dict[str, str]) -> None:
    kept = str(tmp_path / "kept.rec")
    asked = document(fedsearch(tmp_path, *options(files), "--record", kept, "--json"))
    assert asked["served"] == {"confluence": 2, "json_api": 2, "slack": 3}
    assert asked["now"] == DAY  # that of the newest item
    assert asked["all"]["questions"] == 2
    assert asked["all"]["mrr_10"]["value"] == 1.0
    assert {line["name"]: line["questions"] for line in asked["types"]}["status"] == 1
    sources = {line["name"]: line for line in asked["sources"]}
    assert {name: line["questions"] for name, line in sources.items()} == {"confluence": 2, "json_api": 1, "slack": 1}
    assert all(line["recall_100"]["value"] == 1.0 for line in sources.values())
    assert asked["all"]["recall_100"]["value"] == pytest.approx((2 / 3 + 1) / 2)  # one relevant id is nowhere
    assert asked["troubles"] == {}
    said = "\n".join(asked["notes"])
    assert "1 items of fax are not served" in said
    assert "1 questions have nothing relevant" in said
    assert "1 question ids" in said
    assert "1 relevant ids are served by no source, such as nowhere" in said

    again = document(fedsearch(tmp_path, "--replay", kept, "--ablation", "--json"))
    assert again["replayed"]
    for key in ("all", "halves", "types", "sources", "best_order", "seconds", "now", "troubles"):
        assert again[key] == asked[key], key
    assert again["ablation"][0] == {**asked["all"], "name": "as shipped", "difference": {"low": 0.0, "high": 0.0}}

    shown = fedsearch(tmp_path, "--replay", kept, "--ablation", "--limit", "1")
    assert shown.returncode == 0, shown.stderr
    for words in ("1 questions", "by type", "by source", "limit of ranking", "rank fusion, all lists equal"):
        assert words in shown.stdout
    assert max(map(len, shown.stdout.splitlines())) <= 80


@pytest.fixture
def bad(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """The command in this process; nothing of what these tests type gets as far as a socket."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))

    def run(*arguments: str) -> Result:
        return CliRunner().invoke(make_cli(Root()), ["eval", *arguments])

    return run


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"--queries": "none.jsonl"}, "none.jsonl: there is no such file"),
        ({"--qrels": "none.tsv"}, "none.tsv: there is no such file"),
        ({"--corpus": "none.jsonl"}, "none.jsonl: there is no such file"),
        ({"--map": "fax"}, "write FOREIGN=SOURCE"),
        ({"--map": "fax=pigeon"}, "cannot serve 'fax' as 'pigeon'"),
        ({"--replay": "x.rec"}, "--replay asks nothing"),
        ({"--record": "none/x.rec"}, "--record none/x.rec: its folder"),
        ({"--queries": ""}, "name them with --queries"),
        ({"--corpus": "", "--map": "fax=slack"}, "--map says"),
    ],
)
def test_what_cannot_be_used_is_one_line(bad: Any, files: dict[str, str], changed: dict[str, str], said: str) -> None:
    done = bad(*options({name: value for name, value in {**files, **changed}.items() if value}))
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_files_without_anything_to_measure_are_refused(bad: Any, tmp_path: Path, files: dict[str, str]) -> None:
    (tmp_path / "corpus.jsonl").write_text('{"id": "1", "source": "fax", "text": "x"}\n', "utf-8")
    assert "--map FOREIGN=json_api" in bad(*options(files)).stderr
    Path(files["--qrels"]).write_text("query-id\tcorpus-id\tscore\n", "utf-8")
    assert "no question has anything relevant" in bad(*options(files)).stderr
    (tmp_path / "corpus.jsonl").write_text('{"id": "1", "source": "slack", "text": "x"}\n' * 2, "utf-8")
    Path(files["--qrels"]).write_text("en\t1\t1\n", "utf-8")
    assert "corpus.jsonl:2: the id '1' occurs twice" in (told := bad(*options(files)).stderr)
    assert "--drop-repeats" in told


@pytest.mark.parametrize("content", [b"", b"not packed", b"\x1f\x8b\x08\x00broken"])
def test_what_is_no_recording_is_refused(bad: Any, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.rec"
    path.write_bytes(content)
    done = bad("--replay", str(path))
    assert (done.exit_code, done.stdout) == (2, "")
    assert str(path) in done.stderr
    assert "there is no such file" in bad("--replay", str(tmp_path / "none.rec")).stderr
