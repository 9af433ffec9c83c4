"""Settings that a program writes: beside what somebody wrote by hand, and secrets that nobody else may read."""

from __future__ import annotations

import json
import stat
import tomllib
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import keyring
import pytest
from keyring.backends import fail

from connectors.errors import Misconfigured
from connectors.registry import load_source, source_kinds
from orchestrator.settings import SettingsSite, forget_source, keep_secret, keep_source, load_settings
from orchestrator.surfaces.cli.init_source import MESSAGES

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def place(tmp_path: Path) -> dict[str, str]:
    return {
        "FEDSEARCH_CONFIG": str(tmp_path / "fedsearch.toml"),
        "FEDSEARCH_SECRETS_DIR": str(tmp_path / "kept"),
        "FEDSEARCH_DATA_DIR": str(tmp_path / "data"),
    }


def test_what_is_kept_is_what_is_read(tmp_path: Path, place: dict[str, str]) -> None:
    (tmp_path / "fedsearch.toml").touch()
    values = {
        "title": 'a "quoted" \\ 이름 \x7f',
        "rate": 3,
        "enabled": True,
        "repos": ["a/b"],
        "application": {"client_id": "x"},
    }
    path = keep_source("github", values, place)
    keep_secret("sources.github.token", "ghp_secret", place)
    assert load_settings(environment=place).sources["github"] == {**values, "token": "ghp_secret"}
    assert stat.S_IMODE((tmp_path / "kept").stat().st_mode) == 0o700
    written = {each.name: each for each in tmp_path.rglob("*") if each.is_file()}
    assert written.keys() == {"fedsearch.toml", "github.toml", "sealing.key", "sources__github__token.sealed"}
    assert {stat.S_IMODE(each.stat().st_mode) for name, each in written.items() if name != "fedsearch.toml"} == {0o600}
    assert not any("ghp_secret" in each.read_text("utf-8") for each in written.values())
    assert path == written["github.toml"]


def test_a_source_is_left_out_however_its_file_is_spelled(tmp_path: Path) -> None:
    (tmp_path / "fedsearch.toml").touch()
    found = tmp_path / "sources.d" / "found" / "hand_book.toml"
    found.parent.mkdir(parents=True)
    declared = tmp_path / "sources.d" / "hand-book.toml"
    declared.write_text('kind = "jira"\nbase_url = "https://old.example.net"\n', "utf-8")
    site = SettingsSite(environment={"FEDSEARCH_CONFIG": str(tmp_path / "fedsearch.toml")})
    assert site.read().sources["hand_book"]["base_url"] == "https://old.example.net"
    assert site.read({"sources": {"hand_book": {"kind": "jira"}}}, without=frozenset({"hand_book"})).sources == {
        "hand_book": {"kind": "jira"}
    }
    found.write_text("", "utf-8")
    assert not site.forget_found("../hand-book")  # which is not what was found of a source, but the source
    assert site.forget_found("hand_book")
    assert (declared.exists(), found.exists()) == (True, False)


def test_what_somebody_wrote_stays(tmp_path: Path, place: dict[str, str]) -> None:
    path = tmp_path / "sources.d" / "jira.toml"
    path.parent.mkdir()
    path.write_text(
        '# ours\nkind = "jira"\nbase_url = "https://old.example.net"\n\n[application]\nclient_id = "mine"\n', "utf-8"
    )
    keep_source("jira", {"base_url": "https://new.example.net", "email": "a@b.example"}, place)
    text = path.read_text("utf-8")
    assert "# ours" in text
    assert tomllib.loads(text) == {
        "kind": "jira", "base_url": "https://new.example.net", "email": "a@b.example", "application": {"client_id": "mine"},
    }  # fmt: skip
    keep_source("jira", {"email": "a@b.example"}, place)
    assert path.read_text("utf-8") == text
    with pytest.raises(Misconfigured, match="by hand"):
        keep_source("jira", {"application": {"client_id": "other"}}, place)
    assert path.read_text("utf-8") == text


def test_a_source_is_taken_away_with_all_that_was_kept_of_it(tmp_path: Path, place: dict[str, str]) -> None:
    """However its file is spelled, and nothing of another whose name begins alike."""
    (tmp_path / "fedsearch.toml").touch()
    found = tmp_path / "sources.d" / "found" / "hand_book.toml"
    found.parent.mkdir(parents=True)
    found.write_text("", "utf-8")
    (tmp_path / "sources.d" / "hand-book.toml").write_text('kind = "jira"\n', "utf-8")
    keep_source("hand", {"kind": "jira"}, place)
    for name in ("hand_book", "hand"):
        keep_secret(f"sources.{name}.token", "secret", place)
    (tmp_path / "kept" / "SOURCES__HAND_BOOK__PASSWORD").write_text("secret", "utf-8")
    assert forget_source("../fedsearch", place) == ()
    assert len(forget_source("hand_book", place)) == 4
    assert load_settings(environment=place).sources == {"hand": {"kind": "jira", "token": "secret"}}
    assert {each.name for each in (tmp_path / "kept").iterdir()} == {"sources__hand__token.sealed"}
    assert not found.exists()


@pytest.mark.parametrize("elsewhere", ["file", "environment"])
def test_a_source_that_stands_elsewhere_too_stays_as_it_is(
    tmp_path: Path, place: dict[str, str], elsewhere: str
) -> None:
    """Switched off here and set up there, it would be asked again."""
    text = '[sources.jira]\nemail = "a@b.example"\n' if elsewhere == "file" else ""
    (tmp_path / "fedsearch.toml").write_text(text, "utf-8")
    (tmp_path / "kept").mkdir()
    place |= {"FEDSEARCH_SOURCES__JIRA__TOKEN": "x"} if elsewhere == "environment" else {}
    path = keep_source("jira", {"enabled": False}, place)
    with pytest.raises(Misconfigured, match=str(tmp_path / "fedsearch.toml") if text else "environment"):
        forget_source("jira", place)
    assert path.exists()


def test_what_a_keyring_cannot_give_up_stays_with_its_source(tmp_path: Path, place: dict[str, str]) -> None:
    """A secret would be left behind there, and nobody would know."""
    keyring.set_keyring(fail.Keyring())
    (tmp_path / "fedsearch.toml").touch()
    path = keep_source("jira", {"enabled": False}, place)
    sealed = keep_secret("sources.jira.password", "secret", place, in_keyring=False).file
    (mark := tmp_path / "kept" / "sources__jira__token.keyring").touch()
    with pytest.raises(Misconfigured, match="no keyring"):
        forget_source("jira", place)
    assert all(each.exists() for each in (path, sealed, mark))


def test_every_source_that_is_set_up_by_questions_can_be() -> None:
    """What is asked for exists and has words; a browser's sign-in can renew itself; Slack's page makes an app with what is listed."""
    set_up = {kind: load_source(kind) for kind in source_kinds() if load_source(kind).manifest.setup is not None}
    assert {"slack", "notion", "linear", "gmail", "jira", "github", "microsoft365", "imap"} <= set_up.keys()
    for source in set_up.values():
        setup, auth = source.manifest.setup, source.manifest.auth
        assert setup is not None
        assert setup.optional <= set(setup.asks)
        assert set(setup.asks) <= source.settings_type.model_fields.keys() & MESSAGES.keys()
        if setup.application_url:
            assert auth.sign_in is not None
            assert auth.sign_in.pkce
            assert {"oauth", "token"} <= set(auth.kinds)
        assert all(url.startswith("https://") for url in (setup.url, setup.application_url) if url)
    slack = set_up["slack"].manifest.setup
    assert slack is not None
    (app,) = parse_qs(urlsplit(slack.url).query)["manifest_json"]
    assert tuple(json.loads(app)["oauth_config"]["scopes"]["user"]) == slack.scopes
