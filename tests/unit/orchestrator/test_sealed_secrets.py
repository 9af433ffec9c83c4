"""Secrets sealed in files: what is kept comes back, nothing that can be read holds it, no step loses one, and what cannot be opened says where its key belongs."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from connectors.errors import Misconfigured
from orchestrator.sealing import new_key
from orchestrator.settings import SettingsSite, keep_secret, kept_secrets, load_settings, seal_kept
from tests.unit.orchestrator.test_system_keyring import place  # noqa: F401 - a fixture

if TYPE_CHECKING:
    from pathlib import Path

TOKEN = "xoxp-비밀 1"


def token(said: dict[str, str]) -> object:
    return load_settings(environment=said).sources["slack"]["token"]


def test_what_is_sealed_is_read_and_opens_for_its_own_setting_alone(tmp_path: Path, place: dict[str, str]) -> None:  # noqa: F811
    kept = keep_secret("sources.slack.token", TOKEN, place)
    assert (kept.how, kept.file.name, kept.key.path) == (
        "sealed", "sources__slack__token.sealed", tmp_path / "data" / "sealing.key",
    )  # fmt: skip
    assert token(place) == TOKEN
    assert token({**place, "FEDSEARCH_SOURCES__SLACK__TOKEN": "typed"}) == "typed"
    assert not any(TOKEN in each.read_text("utf-8") for each in tmp_path.rglob("*") if each.is_file())
    stamp = SettingsSite(environment=place).stamp()
    before = kept.file.read_bytes()
    keep_secret("sources.slack.token", TOKEN, place)
    assert (kept.file.read_bytes() != before, SettingsSite(environment=place).stamp() != stamp) == (True, True)
    kept.file.with_name("sources__notion__token.sealed").write_bytes(before)
    settings = load_settings(environment=place)  # one that is moved costs its own source
    assert set(settings.sources) == {"slack"}
    assert "does not open with the key in" in settings.source_files["notion"]


@pytest.mark.parametrize(
    "held", [b"", b"\xff\xfe", b"not base64!", b"AAAA", b"%s", b"A" * 4096], ids=lambda each: repr(each[:12])
)
def test_a_file_that_holds_something_else_costs_its_own_source(held: bytes, place: dict[str, str]) -> None:  # noqa: F811
    keep_secret("sources.slack.token", TOKEN, place)
    kept = keep_secret("sources.notion.token", "ntn_1", place)
    kept.file.write_bytes(held)
    settings = load_settings(environment=place)
    assert settings.sources == {"slack": {"token": TOKEN}}
    assert str(kept.file) in settings.source_files["notion"]


def test_a_key_that_is_gone_or_another_says_where_it_belongs_and_loses_nothing(
    tmp_path: Path,
    place: dict[str, str],  # noqa: F811
) -> None:
    kept = keep_secret("sources.slack.token", TOKEN, place)
    key = kept.key.path
    aside = key.rename(tmp_path / "elsewhere")
    assert f"opens with the key in {key}" in load_settings(environment=place).source_files["slack"]
    assert [each.how for each in kept_secrets(place)] == ["open"]
    key.write_text(new_key(), "utf-8")
    assert "does not open with the key" in load_settings(environment=place).source_files["slack"]
    assert seal_kept(place) == ((), (load_settings(environment=place).source_files["slack"],))
    named = {**place, "FEDSEARCH_SEALING_KEY_FILE": str(aside)}
    assert token(named) == TOKEN
    os.chmod(aside, 0o644)  # noqa: PTH101
    assert [each.how for each in kept_secrets(named)] == ["open"]
    unseen = {**place, "FEDSEARCH_SEALING_KEY_FILE": str(tmp_path / ("k" * 300))}  # as in a folder that is closed to us
    assert [each.how for each in kept_secrets(unseen)] == ["open"]
    aside.unlink()
    with pytest.raises(Misconfigured, match="FEDSEARCH_SEALING_KEY_FILE names"):
        keep_secret("sources.slack.token", "new", named)  # whose place is given is never made here
    assert not aside.exists()
    for held, said in (("no key", f"a key in {aside} is not one of"), ("", f"{aside} holds no key")):
        aside.write_text(held, "utf-8")
        with pytest.raises(Misconfigured, match=said):
            keep_secret("sources.slack.token", "new", named)
        assert said in load_settings(environment=named).source_files["slack"]


def test_plain_files_are_read_as_ever_and_sealed_when_that_is_wanted(tmp_path: Path, place: dict[str, str]) -> None:  # noqa: F811
    folder = tmp_path / "kept"
    folder.mkdir()
    (folder / "SOURCES__SLACK__TOKEN").write_text(f"{TOKEN}\n", "utf-8")
    (folder / "sources__drive__service_account").write_text(json.dumps({"a": "b\nc"}, indent=1), "utf-8")
    (folder / "sources__wiki__token").write_bytes(b"\xff")
    before = load_settings(environment=place).sources
    done, failed = seal_kept(place)
    assert {each.setting for each in done} == {"sources.slack.token", "sources.drive.service_account"}
    assert [each for each in failed if "not UTF-8" in each] == list(failed) != []
    assert load_settings(environment=place).sources == before
    assert {each.name for each in folder.iterdir()} == {
        "sources__drive__service_account.sealed", "sources__slack__token.sealed", "sources__wiki__token",
    }  # fmt: skip
    assert seal_kept(place)[0] == ()
    (folder / "sources__slack__token").write_text("put there by hand, since", "utf-8")
    assert token(place) == "put there by hand, since"
    assert [each.file.name for each in seal_kept(place)[0]] == ["sources__slack__token.sealed"]
    assert token(place) == "put there by hand, since"


def test_where_a_key_lies_is_on_the_disk_before_what_it_sealed_replaces_anything(
    place: dict[str, str],  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settled: list[int] = []
    settle = os.fsync

    def heard(handle: int) -> None:
        settled.append(os.fstat(handle).st_ino)
        settle(handle)

    monkeypatch.setattr(os, "fsync", heard)
    kept = keep_secret("sources.slack.token", TOKEN, place)
    inodes = [each.stat().st_ino for each in (kept.key.path, kept.key.path.parent, kept.file)]
    assert settled == inodes


def test_of_a_setting_spelled_twice_what_counts_is_sealed_and_what_is_kept_anew_counts(
    tmp_path: Path,
    place: dict[str, str],  # noqa: F811
) -> None:
    (folder := tmp_path / "kept").mkdir()
    capitals, small = folder / "SOURCES__SLACK__TOKEN", folder / "sources__slack__token"
    capitals.write_text("older", "utf-8")
    keep_secret("sources.slack.token", TOKEN, place)
    assert token(place) == TOKEN
    capitals.write_text("older", "utf-8")
    small.write_text("which counts", "utf-8")
    assert token(place) == "which counts"
    seal_kept(place)
    assert (token(place), [each.name for each in folder.iterdir()]) == (
        "which counts",
        ["sources__slack__token.sealed"],
    )


def test_a_newer_key_seals_what_older_ones_open(place: dict[str, str]) -> None:  # noqa: F811
    kept = keep_secret("sources.slack.token", TOKEN, place)
    old, new = kept.key.path.read_text("utf-8"), new_key()
    kept.key.path.write_text(f"{new}\n{old}", "utf-8")
    assert token(place) == TOKEN
    assert [each.setting for each in seal_kept(place)[0]] == ["sources.slack.token"]
    kept.key.path.write_text(new, "utf-8")
    assert token(place) == TOKEN


def test_whatever_fails_on_the_way_leaves_what_was_there(tmp_path: Path, place: dict[str, str]) -> None:  # noqa: F811
    (folder := tmp_path / "kept").mkdir()
    plain = folder / "sources__slack__token"
    plain.write_text(TOKEN, "utf-8")
    (tmp_path / "data").write_text("no folder", "utf-8")  # where the key would be made
    with pytest.raises(OSError):
        seal_kept(place)
    assert ({each.name for each in folder.iterdir()}, token(place)) == ({plain.name}, TOKEN)
