"""The public API: what the page on it shows runs as it stands, and to import it is to load nothing."""

from __future__ import annotations

import asyncio
import doctest
import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from structlog.testing import capture_logs

import fedsearch
from fedsearch import client
from orchestrator.sandbox import Sandbox, default_corpus

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "how-to" / "use-from-python.md"
SERVER = "http://127.0.0.1:8480"


def examples() -> list[str]:
    """The Python of the page, block by block."""
    return [block.partition("```")[0] for block in PAGE.read_text("utf-8").split("```python\n")[1:]]


def ran(code: str) -> None:
    """A block as a program of its own would run it."""
    exec(compile(code, str(PAGE), "exec"), {"__name__": "__main__"})


@pytest.fixture
def workplace(monkeypatch, tmp_path):
    monkeypatch.setenv("FEDSEARCH_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("FEDSEARCH_RANKING__SEMANTIC", "off")

    def point(sandbox: Sandbox) -> None:
        for name, end in sandbox.endpoints.items():
            monkeypatch.setenv(f"FEDSEARCH_SOURCES__{name.upper()}__BASE_URL", end.base_url)
            monkeypatch.setenv(f"FEDSEARCH_SOURCES__{name.upper()}__TOKEN", end.token)

    return point


@pytest.mark.parametrize("place", range(len(examples()) - 1))
async def test_each_example_of_the_page_runs(place, workplace, capsys):
    code = examples()[place]
    async with Sandbox(default_corpus(), sources=["slack", "linear"]) as sandbox:
        workplace(sandbox)
        await asyncio.to_thread(ran, code)
    said = capsys.readouterr().out
    assert ("slack" in said.lower()) if "open_engine()" in code else said.startswith("wiki ["), said


async def test_the_example_of_a_server_runs(serve, tmp_path, monkeypatch, capsys):
    async with serve(tmp_path) as api:
        monkeypatch.setenv("FEDSEARCH_KEY", api.key)
        code = examples()[-1]
        assert SERVER in code
        await asyncio.to_thread(ran, code.replace(SERVER, api.url))
    assert "bad_ask" in capsys.readouterr().out


async def test_the_example_in_the_client_runs(serve, tmp_path):
    with capture_logs():  # the server's own lines would stand among what the example prints
        async with serve(tmp_path) as api:
            found = await asyncio.to_thread(doctest.testmod, client, extraglobs={"URL": api.url, "KEY": api.key})
    assert found.attempted
    assert not found.failed


def test_every_public_name_is_there_and_defined_once():
    for name in fedsearch.__all__:
        assert getattr(fedsearch, name) is not None
    assert set(fedsearch.__all__) <= set(dir(fedsearch))
    assert sorted(fedsearch.__all__) == fedsearch.__all__
    assert set(fedsearch.__all__) == {*fedsearch._PLACE_OF, "open_engine"}
    with pytest.raises(AttributeError, match="no attribute 'Enginee'"):
        fedsearch.Enginee  # noqa: B018
    with pytest.raises(ImportError):
        importlib.import_module("fedsearch.nothing")


def test_to_import_it_is_to_load_nothing_and_no_sandbox_ever():
    """The first line: nothing but itself. The second: an engine and its question's types, without pretend workplace or surfaces."""
    code = """
import sys
import fedsearch
print(sorted(each for each in sys.modules if each.partition(".")[0] in {"orchestrator", "connectors", "pydantic", "asyncio"}))
from fedsearch import *
open_engine({"sources": {"slack": {"token": "xoxp-1"}}}, environment={})
print(sorted(each for each in sys.modules if each.startswith(("orchestrator.sandbox", "orchestrator.surfaces.", "fastapi"))))
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["[]", "[]"]
