"""``fedsearch keys`` and ``fedsearch serve`` as they are typed."""

import json
import os
import re
from datetime import UTC, datetime, timedelta

import pytest
from typer.testing import CliRunner

from orchestrator.access import newest_actions
from orchestrator.main import Root
from orchestrator.surfaces.cli import make_cli


@pytest.fixture
def fedsearch(tmp_path, monkeypatch):
    monkeypatch.setenv("FEDSEARCH_DATA_DIR", str(tmp_path))
    app = make_cli(Root())
    return lambda *typed: CliRunner().invoke(app, typed)


def listed(fedsearch):
    return json.loads(fedsearch("keys", "list", "--json").stdout)["keys"]


def test_a_key_is_made_listed_rotated_and_revoked(fedsearch, tmp_path):
    made = fedsearch("keys", "create", "대시보드", "--scope", "search", "--days", "30")
    text = made.stdout.strip()
    assert text.startswith("fsk_")
    (row,) = listed(fedsearch)
    assert (row["name"], row["scopes"]) == ("대시보드", "search")
    assert row["expires"] > row["created"]
    assert text.split("_", 2)[2] not in (tmp_path / "keys.json").read_text("utf-8")
    again = fedsearch("keys", "rotate", row["id"], "--overlap", "0")
    assert again.stdout.strip().startswith(f"fsk_{row['id']}_")
    assert "The old secret opens nothing any more." in again.stderr
    assert "opens for 24 more hours" in fedsearch("keys", "rotate", row["id"]).stderr
    assert fedsearch("keys", "revoke", row["id"]).exit_code == 0
    assert listed(fedsearch) == []


def test_an_account_without_a_name_makes_keys_too(fedsearch, tmp_path, monkeypatch):
    """As in a container that runs as any number: ``docker run --user``, a cluster that chooses it."""
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os, "getuid", lambda: 4_000_000_001)
    assert fedsearch("keys", "create", "first").exit_code == 0
    assert newest_actions(tmp_path / "changes.jsonl", 1)[0].principal == "command line:4000000001"


def test_the_list_has_headings_and_a_line_a_key(fedsearch, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    fedsearch("keys", "create", "정산 대시보드", "--scope", "search", "--scope", "sources", "--days", "30")
    heads, *lines = fedsearch("keys", "list").stdout.splitlines()
    assert heads.split() == ["id", "name", "scopes", "created", "expires"]
    (line,) = lines
    assert len(re.findall(r"\d{4}-\d\d-\d\d \d\d:\d\d", line)) == 2


def test_the_list_says_until_when_an_older_secret_opens(fedsearch):
    fedsearch("keys", "create", "정산")
    (key,) = json.loads(fedsearch("keys", "list", "--json").stdout)["keys"]
    assert key["old_until"] is None
    assert "12 more hours" in fedsearch("keys", "rotate", key["id"], "--overlap", "12").stderr
    (key,) = json.loads(fedsearch("keys", "list", "--json").stdout)["keys"]
    left = datetime.fromisoformat(key["old_until"]) - datetime.now(UTC)
    assert timedelta(hours=11) < left <= timedelta(hours=12)
    assert "old_until" in fedsearch("keys", "list").stdout
    fedsearch("keys", "rotate", key["id"], "--overlap", "0")
    assert json.loads(fedsearch("keys", "list", "--json").stdout)["keys"][0]["old_until"] is None


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (["create", "정산"], "다시 볼 수 없으니"),
        (["list"], "키가 없습니다"),
        (["revoke", "x"], "키가 없습니다"),
        (["create", "a", "--scope", "everything"], "'everything'(이)라는 범위는 없습니다"),
    ],
)
def test_keys_speak_the_language_of_the_terminal(fedsearch, monkeypatch, typed, told):
    monkeypatch.setenv("LC_ALL", "ko_KR.UTF-8")
    assert told in fedsearch("keys", *typed).stderr


@pytest.mark.parametrize("typed", [["rotate", "x"], ["revoke", "x"], ["create", "a", "--scope", "everything"]])
def test_slips_are_told_with_what_there_is(fedsearch, typed):
    done = fedsearch("keys", *typed)
    assert done.exit_code == 2
    assert "fedsearch: " in done.stderr


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "10.0.0.1", "example.com"])
def test_a_server_without_keys_listens_on_loopback_only(fedsearch, host):
    done = fedsearch("serve", "--no-auth", "--host", host)
    assert done.exit_code == 2
    assert "127.0.0.1" in done.stderr
