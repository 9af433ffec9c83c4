"""Dialects are found by folder and by entry point, and errors say what to do."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

import translators
from translators import registry, said
from translators.capabilities import Fidelity
from translators.registry import UnknownDialect, dialect_names, load_dialect
from translators.said import Said, said_in
from translators.slack import Slack

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Sosl(Slack):
    name = "sosl"


NOT_A_DIALECT = object()


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """The registry remembers what it found; here it must forget."""
    caches = (registry._folders, registry._entry_points, load_dialect, said.catalogue)
    for cache in caches:
        cache.cache_clear()
    yield
    for cache in caches:
        cache.cache_clear()


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Three packages that bring a dialect: a sound one, one that names nothing, one that is no dialect."""
    module = ModuleType("outside")
    module.__file__ = str(tmp_path / "outside.py")
    monkeypatch.setattr(Sosl, "__module__", "outside")
    monkeypatch.setattr(said, "_BROUGHT", [])
    module.Sosl = Sosl  # type: ignore[attr-defined]
    module.thing = NOT_A_DIALECT  # type: ignore[attr-defined]
    monkeypatch.setitem(__import__("sys").modules, "outside", module)
    points = [
        ("sosl", "outside:Sosl"),
        ("gone", "outside:Missing"),
        ("lost", "nowhere_at_all:X"),
        ("odd", "outside:thing"),
    ]
    found = [EntryPoint(name, value, registry.ENTRY_POINTS) for name, value in points]
    monkeypatch.setattr(
        "importlib.metadata.entry_points", lambda group: found if group == registry.ENTRY_POINTS else []
    )


def test_our_folders_are_dialects() -> None:
    assert {"slack", "notion", "linear", "gmail"} <= set(dialect_names())
    assert list(dialect_names()) == sorted(dialect_names())
    assert isinstance(load_dialect("slack"), Slack)


def test_a_dialect_is_made_once() -> None:
    assert load_dialect("slack") is load_dialect("slack")


@pytest.mark.usefixtures("installed")
def test_an_installed_package_brings_a_dialect() -> None:
    assert "sosl" in dialect_names()
    assert isinstance(load_dialect("sosl"), Sosl)


@pytest.mark.usefixtures("installed")
def test_an_installed_dialect_brings_its_messages(tmp_path: Path) -> None:
    (tmp_path / "messages.ko.toml").write_text(
        '[anywhere]\n"SOSL knows no such thing" = "SOSL에는 없습니다"\n', "utf-8"
    )
    assert load_dialect("sosl").name == "sosl"
    assert said_in(Said("SOSL knows no such thing"), "ko") == "SOSL에는 없습니다"


def test_an_unknown_dialect_is_answered_with_those_there_are() -> None:
    with pytest.raises(UnknownDialect, match=r"no search dialect is called '한글'; there are: .*gmail.*slack"):
        load_dialect("한글")


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("name", ["gone", "lost"])
def test_an_installed_dialect_that_cannot_be_loaded_says_where_it_comes_from(name: str) -> None:
    with pytest.raises(UnknownDialect, match=rf"dialect '{name}' is installed as \S+ but cannot be loaded: "):
        load_dialect(name)


@pytest.mark.usefixtures("installed")
def test_what_is_no_dialect_is_refused() -> None:
    with pytest.raises(UnknownDialect, match="'odd' does not hold a translator whose name is 'odd'"):
        load_dialect("odd")


def test_a_folder_without_a_translator_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "halfway").mkdir()
    (tmp_path / "halfway" / "__init__.py").write_text("")
    monkeypatch.setattr("translators.__path__", [*translators.__path__, str(tmp_path)])
    assert "halfway" in dialect_names()
    with pytest.raises(UnknownDialect, match="translators/halfway sets no TRANSLATOR"):
        load_dialect("halfway")


def test_what_nothing_in_a_source_has_cannot_be_asked_for_either() -> None:
    for name in dialect_names():
        can = load_dialect(name).can
        assert not can.absent & {field for field, fidelity in can.fields.items() if fidelity is not Fidelity.NONE}, name
