"""The local index is a source as soon as something is in it, without a setting."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from connectors.index_mark import holds_something, put_mark
from orchestrator.assembly.searching import build_engine
from orchestrator.assembly.sources import raw_sources
from orchestrator.model import Principal
from orchestrator.settings import load_settings

if TYPE_CHECKING:
    from pathlib import Path

    from orchestrator.settings import Settings


def settings(folder: Path, **more: Any) -> Settings:
    return load_settings({"storage": {"data_dir": str(folder)}, **more}, {})


@pytest.mark.parametrize(
    ("more", "named"),
    [
        ({}, ["local"]),
        ({"sources": {"slack": {"token": "xoxp-1"}}}, ["local", "slack"]),
        ({"sources": {"files": {"kind": "local"}}}, ["files"]),  # it has another name there
        ({"sources": {"local": {"enabled": False}}}, ["local"]),
        ({"sources": {"local": {"kind": "notion", "token": "n"}}}, ["local"]),
        ({"index": {"ask": False}}, []),
    ],
)
def test_it_is_one_unless_something_else_is_said(tmp_path: Path, more: dict[str, Any], named: list[str]) -> None:
    told = settings(tmp_path, **more)
    assert "local" not in dict(raw_sources(told)) or "local" in told.sources
    put_mark(str(tmp_path), holds=True)
    assert [name for name, _ in raw_sources(told)] == named
    assert dict(raw_sources(told)).get("local", {}).get("enabled", True) is ("enabled" not in str(more))


def test_a_pretend_workplace_is_not_mixed_with_it(tmp_path: Path) -> None:
    put_mark(str(tmp_path), holds=True)
    pretend = settings(tmp_path).pretending({"slack": {"token": "xoxp-1"}})
    assert [name for name, _ in raw_sources(pretend)] == ["slack"]


async def test_who_runs_on_asks_it_from_then_on(tmp_path: Path) -> None:
    async with build_engine(settings(tmp_path), apart=True) as engine:
        assert (engine.profiles, await engine.standing()) == ((), {})
        put_mark(str(tmp_path), holds=True)
        assert list(await engine.standing()) == ["local"]
        assert [each.name for each in engine.profiles] == ["local"]
        put_mark(str(tmp_path), holds=False)
        assert await engine.profiles_for(Principal()) == ()


def test_where_nobody_has_said_what_may_hold_something_can_be_asked(tmp_path: Path) -> None:
    """And is listed nowhere before somebody has found out."""

    def asked(told: Settings) -> list[str]:
        assert dict(raw_sources(told)) == {}
        return [each.name for each in build_engine(told).profiles]

    told = settings(tmp_path)
    version = tmp_path / "postgresql" / "data" / "PG_VERSION"
    version.parent.mkdir(parents=True)
    assert asked(told) == []
    version.touch()
    assert asked(told) == ["local"]
    put_mark(str(tmp_path), holds=False)  # it was kept for people's accounts, say
    assert asked(told) == []
    shared = settings(tmp_path / "other", index={"database_url": "postgresql://search@db/fedsearch"})
    assert asked(shared) == ["local"]
    put_mark(str(tmp_path / "other"), holds=False)
    assert asked(shared) == []


def test_a_folder_that_cannot_be_written_costs_nothing_but_the_mark(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    put_mark(str(tmp_path / "file"), holds=True)
    assert not holds_something(str(tmp_path / "file"))
    assert not holds_something("")
