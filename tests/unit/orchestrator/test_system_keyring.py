"""Secrets in a real Secret Service: GNOME's keyring over a D-Bus of its own, and what is said where there is none."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import keyring
import pytest
from keyring.backends import SecretService, fail

from connectors.errors import Misconfigured
from orchestrator.settings import SettingsSite, forget_source, keep_secret, load_settings, seal_kept

if TYPE_CHECKING:
    from collections.abc import Iterator

MISSING = next((each for each in ("dbus-daemon", "gnome-keyring-daemon") if shutil.which(each) is None), "")
real = pytest.mark.skipif(bool(MISSING), reason=f"{MISSING} is not installed (Debian: apt-get install gnome-keyring)")


@pytest.fixture
def place(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "fedsearch.toml").touch()
    return {
        "FEDSEARCH_CONFIG": str(tmp_path / "fedsearch.toml"),
        "FEDSEARCH_SECRETS_DIR": str(tmp_path / "kept"),
        "FEDSEARCH_DATA_DIR": str(tmp_path / "data"),
    }


@pytest.fixture
def unlocked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[subprocess.Popen[bytes], ...]]:
    """A keyring that somebody has opened by logging in, and the bus that leads to it."""
    bus = subprocess.Popen(
        ["dbus-daemon", "--session", "--print-address", "--nofork"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert bus.stdout is not None
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", bus.stdout.readline().decode().strip())
    home = {"HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "data")}
    daemon = subprocess.Popen(
        ["gnome-keyring-daemon", "--unlock", "--foreground", "--components=secrets"],
        env={**os.environ, **home}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        assert daemon.stdin is not None
        assert daemon.stdout is not None
        daemon.stdin.write(b"a password")
        daemon.stdin.close()
        daemon.stdout.readline()  # it says where it listens once it does
        keyring.set_keyring(SecretService.Keyring())  # the library looks once a process which there is
        yield daemon, bus
    finally:
        keyring.set_keyring(fail.Keyring())
        for each in (daemon, bus):
            each.kill()
            each.wait()
            assert each.stdout is not None
            each.stdout.close()


@real
@pytest.mark.usefixtures("unlocked")
def test_a_secret_is_kept_in_the_keyring_and_read_from_there(
    tmp_path: Path, place: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    sealed = keep_secret("sources.jira.token", "was here before", place, in_keyring=False)
    mark = keep_secret("sources.jira.token", "비밀 1", place).file  # by itself, since it answers
    again = keep_secret("sources.slack.token", "xoxp-secret", place)
    assert (sealed.how, mark.suffix, again.how) == ("sealed", ".keyring", "keyring")
    assert not sealed.file.exists()
    assert not any("secret" in each.read_text("utf-8") for each in tmp_path.rglob("kept/*"))
    sources = load_settings(environment=place).sources
    assert (sources["jira"]["token"], sources["slack"]["token"]) == ("비밀 1", "xoxp-secret")
    monkeypatch.chdir(tmp_path)
    near = load_settings(environment={**place, "FEDSEARCH_SECRETS_DIR": "kept"}).sources
    assert near["jira"]["token"] == "비밀 1"  # the same folder, named from another
    elsewhere = {**place, "FEDSEARCH_SECRETS_DIR": str(tmp_path / "another")}
    other = keep_secret("sources.jira.token", "another", elsewhere, in_keyring=True).file
    assert load_settings(environment=place).sources["jira"]["token"] == "비밀 1"
    site, stamp = SettingsSite(environment=place), SettingsSite(environment=place).stamp()
    keep_secret("sources.jira.token", "비밀 2", place)
    assert site.stamp() != stamp
    assert site.read().sources["jira"]["token"] == "비밀 2"
    moved, failed = seal_kept(place, in_keyring=False)
    assert ({each.how for each in moved}, failed) == ({"sealed"}, ())
    assert site.read().sources["slack"]["token"] == "xoxp-secret"
    mark.touch()  # and nothing stays in there
    assert "does not hold sources.jira.token" in site.read().source_files["jira"]
    mark.unlink()
    (mark.parent / "sources__jira__token").write_text("비밀 3", "utf-8")
    moved, failed = seal_kept(place, in_keyring=True)
    assert ({each.how for each in moved}, failed, mark.exists()) == ({"keyring"}, (), True)
    assert site.read().sources["jira"]["token"] == "비밀 3"
    assert forget_source("slack", place)
    mark.with_name("sources__slack__token.keyring").touch()
    assert "does not hold sources.slack.token" in site.read().source_files["slack"]
    assert [each.name for each in forget_source("slack", place)] == ["sources__slack__token.keyring"]
    keep_secret("sources.slack.token", "xoxp-secret", place)
    other.rename(mark.with_name("sources__wiki__token.keyring"))
    lacking = load_settings(environment=place)  # one that is not there costs its own source
    assert set(lacking.sources) == {"jira", "slack"}
    assert "does not hold sources.wiki.token" in lacking.source_files["wiki"]


def test_one_that_cannot_be_opened_is_asked_for_nothing_that_is_said_otherwise(place: dict[str, str]) -> None:
    keyring.set_keyring(fail.Keyring())
    (kept := Path(place["FEDSEARCH_SECRETS_DIR"])).mkdir()
    for each in ("sources__jira__token", "sources__slack__token", "accounts__secret"):
        (kept / f"{each}.keyring").touch()
    with pytest.raises(Misconfigured, match="no keyring"):
        load_settings(environment=place)
    said = {**place, "FEDSEARCH_ACCOUNTS__SECRET": "other", "FEDSEARCH_SOURCES__JIRA__TOKEN": "typed"}
    settings = load_settings(environment=said)
    assert settings.sources == {"jira": {"token": "typed"}}
    assert "no keyring" in settings.source_files["slack"]
    again = SettingsSite(environment=said).read({"sources": {"slack": {"token": "set again"}}})
    assert again.sources["slack"] == {"token": "set again"}


def test_where_there_is_no_keyring_nothing_is_kept_and_what_to_do_is_said(
    place: dict[str, str],
) -> None:
    keyring.set_keyring(fail.Keyring())  # what the library takes where it finds none
    with pytest.raises(Misconfigured, match=r"no keyring .* files of the secrets directory"):
        keep_secret("sources.jira.token", "secret", place, in_keyring=True)
    assert load_settings(environment=place).sources == {}
