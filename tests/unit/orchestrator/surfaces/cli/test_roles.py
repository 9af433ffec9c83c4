"""``fedsearch roles`` as it is typed."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from typer.testing import CliRunner

from orchestrator.access import KeyRing, Scope, newest_actions
from orchestrator.main import Root
from orchestrator.surfaces.cli import make_cli


@pytest.fixture
def fedsearch(tmp_path, monkeypatch):
    monkeypatch.setenv("FEDSEARCH_DATA_DIR", str(tmp_path))
    app = make_cli(Root())
    return lambda *typed: CliRunner().invoke(app, typed)


def test_a_role_is_given_listed_beside_the_settings_and_taken(fedsearch, tmp_path, monkeypatch):
    monkeypatch.setenv("FEDSEARCH_OIDC__ISSUER", "https://login.example.com")
    given = fedsearch("roles", "give", "person:minji@example.com", "--scope", "admin")
    assert (given.exit_code, given.stderr) == (0, "")
    rows = json.loads(fedsearch("roles", "list", "--json").stdout)["roles"]
    assert [(row["who"], row["scopes"], row["from"]) for row in rows] == [
        ("person:minji@example.com", "admin", "command line"),
        ("everybody", "search, sources", "settings: oidc.scopes"),
    ]
    assert "oidc.scopes" in fedsearch("roles", "list").stdout
    taken = fedsearch("roles", "take", "person:minji@example.com")
    assert taken.exit_code == 0
    assert "nobody may open /admin;" in taken.stderr
    done = newest_actions(tmp_path / "changes.jsonl", 9)
    assert all(each.at.tzinfo for each in done)
    assert [(each.action, each.source) for each in done] == [
        ("role taken", "person:minji@example.com"),
        ("role given", "person:minji@example.com (admin)"),
    ]


def test_a_key_that_is_over_and_a_role_where_nobody_signs_in_let_nobody_in(fedsearch, tmp_path, monkeypatch):
    ring = KeyRing(tmp_path / "keys.json", lambda: datetime.now(UTC) - timedelta(days=9))
    ring.create("over", [Scope.ADMIN], timedelta(days=1))
    given = fedsearch("roles", "give", "person:  minji@example.com", "--scope", "admin")
    assert given.exit_code == 0
    assert "this counts once people sign in" in given.stderr
    assert "nobody may open /admin; until people sign in, a key opens it" in given.stderr, (
        "and not: give somebody a role"
    )
    (done,) = newest_actions(tmp_path / "changes.jsonl", 9)
    assert done.source == "person:minji@example.com (admin)", "as it is kept, and not as it was typed"
    monkeypatch.setenv("FEDSEARCH_OIDC__ISSUER", "https://login.example.com")
    assert fedsearch("roles", "give", "group:ops", "--scope", "web").stderr == ""


@pytest.mark.parametrize(
    "typed",
    [["give", "minji"], ["give", "everybody:x"], ["give", "group:ops", "--scope", "root"], ["take", "group:ops"]],
)
def test_slips_are_told_with_what_there_is(fedsearch, tmp_path, typed):
    done = fedsearch("roles", *typed)
    assert done.exit_code == 2
    assert "fedsearch: " in done.stderr
    assert newest_actions(tmp_path / "changes.jsonl", 9) == ()
