"""A source that has just been started keeps the whole contract, so that its author sees only what they break."""

import importlib
import sys
from pathlib import Path

import pytest

from connectors.testing import EXEMPLAR_CHECKS, SOURCE_CHECKS, hold_to_all
from connectors.testing.exemplar import filed_exemplars
from connectors.testing.observation import observed
from connectors.testing.scaffold import ScaffoldRefused, main, scaffold
from translators import said
from translators.said import said_in


@pytest.fixture
def started(tmp_path, monkeypatch):
    """A source written outside the project and imported from there."""
    scaffold("acme_notes", tmp_path / "acme_notes_source", "acme_notes_source")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("acme_notes_source").SOURCE
    for name in [name for name in sys.modules if name.startswith("acme_notes_source")]:
        del sys.modules[name]


def test_a_new_source_keeps_the_contract(started):
    filed = filed_exemplars(started)
    assert len(filed) == 13
    for check in SOURCE_CHECKS:
        check(started)
    for exemplar in filed:
        hold_to_all(EXEMPLAR_CHECKS, observed(started, exemplar))


def test_it_brings_its_korean(started):
    """No file of ours knows of it."""
    help_ = started.manifest.auth.help
    assert said_in(help_, "ko").startswith("필요한 토큰과 권한")
    assert help_ not in (Path(said.__file__).parent / "messages.ko.toml").read_text("utf-8")


@pytest.mark.parametrize("name", ["", "Acme", "9lives", "a b", "../evil", "a", "x" * 40])
def test_a_name_that_is_none_is_refused(tmp_path, name):
    with pytest.raises(ScaffoldRefused, match="no name for a source"):
        scaffold(name, tmp_path / "new", "new")


def test_an_existing_folder_is_left_alone(tmp_path):
    with pytest.raises(ScaffoldRefused, match="exists already"):
        scaffold("acme", tmp_path, "acme")


def test_the_command_says_what_is_wrong(capsys):
    assert main([]) == 2
    assert main(["slack"]) == 2
    assert "exists already" in capsys.readouterr().err
