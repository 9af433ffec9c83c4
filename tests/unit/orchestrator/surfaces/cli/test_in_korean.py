"""What commands say in lists, the doctor's findings and where nothing is kept, in the language of the terminal; JSON stays as it is."""

from __future__ import annotations

import io
import json
import sys
from datetime import UTC, datetime

import pytest
from rich.console import Console, Group

from orchestrator.settings import Setting
from orchestrator.surfaces.cli.checks import Finding, Grade, check_data, check_python
from orchestrator.surfaces.cli.config import config_view
from orchestrator.surfaces.cli.demo import _unfound
from orchestrator.surfaces.cli.doctor import findings_view
from orchestrator.surfaces.cli.documents import print_rows
from orchestrator.surfaces.cli.screen import headed
from orchestrator.surfaces.cli.words import HEADINGS, heading
from translators.said import Said

ROWS = [{"id": "e19", "name": "me", "created": datetime(2026, 11, 20, tzinfo=UTC), "odd": Said("as it is")}]


@pytest.fixture
def _korean(monkeypatch):
    monkeypatch.setenv("LC_ALL", "ko_KR.UTF-8")


def seen(*shown):
    console = Console(file=io.StringIO(), width=100)
    console.print(Group(*shown))
    return console.file.getvalue()


@pytest.mark.usefixtures("_korean")
def test_columns_and_our_own_words_are_told_in_korean_and_what_is_nobodys_stays():
    text = seen(headed(ROWS, UTC))
    assert all(each in text for each in ("id", "이름", "만든 날", "odd", "2026-11-20 00:00", "봉인되지 않음"))


def test_columns_are_english_elsewhere(monkeypatch):
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    assert all(each in seen(headed(ROWS, UTC)) for each in ("id", "name", "created", "as it is"))
    assert heading("nothing of ours") == "nothing of ours"


@pytest.mark.usefixtures("_korean")
def test_every_column_has_its_korean():
    assert [name for name in HEADINGS if heading(name) == name] == []


@pytest.mark.usefixtures("_korean")
def test_where_there_is_nothing_that_is_said_in_korean_and_json_stays(capsys):
    print_rows("keys", [], as_json=False, empty=Said("nobody has connected an account"))
    assert capsys.readouterr().err == "계정을 연결한 사람이 없습니다\n"
    print_rows("keys", ROWS, as_json=True, empty="")
    assert json.loads(capsys.readouterr().out)["keys"][0]["odd"] == "as it is"


@pytest.mark.usefixtures("_korean")
def test_the_doctor_speaks_korean(tmp_path):
    (tmp_path / "file").touch()
    findings = [
        check_data(tmp_path / "file"),
        check_python(),
        Finding(Grade.NOTE, "slack", Said("not configured"), "x"),
    ]
    text = " ".join(seen(*findings_view(findings)).split())
    assert "✗ 데이터 폴더" in text
    assert "폴더가 아닙니다" in text
    assert "→ FEDSEARCH_DATA_DIR을" in text
    assert "· slack 설정 안 됨 → x" in text


@pytest.mark.usefixtures("_korean")
def test_settings_tell_in_korean_which_are_nobodys_own(tmp_path):
    told = [Setting("a.b", "1", "built-in defaults"), Setting("a.c", "2", str(tmp_path / "x.toml"))]
    text = seen(*config_view(told, tmp_path / "fedsearch.toml"))
    assert "기본값" in text
    assert "내 설정:" in text
    assert "(아직 없음)" in text
    assert str(tmp_path / "x.toml") in text


def test_whoever_has_no_command_yet_is_told_how_the_shell_finds_it(tmp_path, monkeypatch):
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "activate").touch()
    monkeypatch.setattr(sys, "prefix", str(tmp_path / ".venv"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert _unfound() == ".venv/bin/activate"
    monkeypatch.chdir("/")
    assert _unfound().endswith(f"{tmp_path.name}/.venv/bin/activate")
    (tmp_path / "fedsearch").touch(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert _unfound() == ""
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    assert _unfound() == "", "an installation of another kind has no such file"
