"""The doctor finds what would keep fedsearch from working."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from orchestrator.assembly.sources import connecting
from orchestrator.documents.sources import Configured
from orchestrator.surfaces.cli import checks
from orchestrator.surfaces.cli.checks import (
    Finding,
    Grade,
    check_copies,
    check_data,
    check_packages,
    check_python,
    check_settings,
    check_versions,
)
from orchestrator.surfaces.cli.doctor import findings_view

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import pytest

    from orchestrator.settings import Settings


class Composed:
    """A composition whose sources are given."""

    def __init__(self, *sources: Configured) -> None:
        self._sources = sources

    def configured(self, _: Settings) -> tuple[Configured, ...]:
        return self._sources

    def connecting(self) -> Mapping[str, str]:
        return {kind: connecting(kind) for kind in ("gmail", "jira", "local", "slack", "web")}


def grades(*findings: Finding) -> list[Grade]:
    return [finding.grade for finding in findings]


def test_a_copy_that_was_made_by_itself_is_named(tmp_path: Path) -> None:
    assert list(check_copies(tmp_path)) == []
    (tmp_path / "automatic-before-0.1.0-20261127-101500.tar").write_bytes(b"x" * 2_000_000)
    (found,) = check_copies(tmp_path)
    assert found.grade is Grade.NOTE
    assert "automatic-before-0.1.0-20261127-101500.tar, 2 MB" in found.found
    assert "fedsearch rollback" in found.advice


def test_this_python_will_do() -> None:
    assert check_python().grade is Grade.GOOD


def test_an_old_python_will_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 10, 4, "final", 0))
    found = check_python()
    assert found.grade is Grade.BAD
    assert "3.11" in found.advice


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "MATTERING", ("rich", "no-such-package"))
    found = [each for each in check_versions() if each.grade is Grade.BAD]
    assert [each.advice for each in found] == ["pip install no-such-package"]


def test_our_packages_are_ours() -> None:
    assert Grade.BAD not in grades(*check_packages())


def test_a_foreign_package_of_the_same_name_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    foreign = ModuleType("connectors")
    foreign.__file__ = str(tmp_path / "connectors" / "__init__.py")
    monkeypatch.setitem(sys.modules, "connectors", foreign)
    bad = [each for each in check_packages() if each.grade is Grade.BAD]
    assert len(bad) == 1
    assert f"`connectors` is {tmp_path / 'connectors'}" in bad[0].found
    assert "PYTHONPATH" in bad[0].advice


def test_a_namesake_behind_ours_is_only_noted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "translators.py").write_text("", "utf-8")
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    assert [each for each in check_packages() if each.grade is Grade.NOTE and str(tmp_path) in each.found]


def test_each_source_and_what_it_needs() -> None:
    composed = Composed(
        Configured("slack", "slack", "Slack", problem="no token; get one"),
        Configured("wiki", "notion", "wiki", problem="setting sources.wiki.base_url: bad", invalid=True),
        Configured("old", "linear", "Linear (old)", enabled=False),
        Configured("l", "linear", "Linear"),
    )
    found = {each.subject: each for each in check_settings(composed)}
    assert found["Slack"] == Finding(Grade.NOTE, "Slack", "configured, but not connected", "no token; get one")
    assert found["wiki"].grade is Grade.BAD
    assert "enabled = true" in found["Linear (old)"].advice
    assert found["Linear"].grade is Grade.GOOD
    assert found["gmail"].advice.startswith("FEDSEARCH_SOURCES__GMAIL__TOKEN: get an OAuth 2.0 access token")
    assert found["jira"].advice.startswith("FEDSEARCH_SOURCES__JIRA__…: set base_url")  # a token alone would not do
    assert found["local"].advice.startswith("put something in: `fedsearch index add PATH`")
    assert found["web"].advice.startswith("FEDSEARCH_SOURCES__WEB__…: set up a link")


def test_settings_that_cannot_be_read_are_one_bad_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FEDSEARCH_SEARCH__BUDGET", "soon")
    (found,) = check_settings(Composed())
    assert found.grade is Grade.BAD
    assert "search.budget" in found.found


def test_findings_on_screen(render: Callable[..., str]) -> None:
    shown = render(
        findings_view(
            [Finding(Grade.GOOD, "Python", "3.11"), Finding(Grade.BAD, "Korean", "missing", "pip install it")]
        )
    )
    assert "✓ Python  3.11" in shown
    assert "✗ Korean  missing  → pip install it" in shown


def test_the_data_folder_is_tried_whether_it_is_made_or_not(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("", "utf-8")
    for there in (tmp_path, tmp_path / "not" / "yet"):
        found = check_data(there)
        assert (found.grade, "free" in found.found) == (Grade.GOOD, True)
    assert list(tmp_path.iterdir()) == [tmp_path / "taken"], "nothing is left there"
    for bad in (tmp_path / "taken" / "in", Path("/proc/none")):
        found = check_data(bad)
        assert found.grade is Grade.BAD
        assert "FEDSEARCH_DATA_DIR" in found.advice


def test_a_disk_with_little_room_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "LITTLE", 1 << 62)
    assert check_data(tmp_path).grade is Grade.NOTE
