"""What a command does not need, it does not load."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEAVY = (
    "kiwipiepy",
    "aiohttp",
    "googleapiclient",
    "google.auth",
    "slack_sdk",
    "notion_client",
    "graphql",
    "httpx",
    "numpy",
    "structlog",
)
KOREAN = (
    "korean_lunar_calendar",
    "orchestrator.understand.time.korean_windows",
    "orchestrator.understand.time.korean_elements",
    "orchestrator.understand.time.korean_values",
    "orchestrator.understand.time.korean_windows",
)
REPORT = """
import atexit, sys
atexit.register(lambda: sys.stderr.write("LOADED " + " ".join(sorted(sys.modules))))
from orchestrator.main import run
run()
"""


def loaded(tmp_path: Path, *arguments: str) -> set[str]:
    """The modules that a command has loaded when it ends."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("FEDSEARCH_")}
    environment = {**kept, "XDG_CONFIG_HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", REPORT, *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", check=True)
    return set(done.stderr.rpartition("LOADED ")[2].split())


def test_help_loads_nothing_that_reads_or_asks(tmp_path: Path) -> None:
    reading = ("orchestrator.understand", "orchestrator.dialogue", "orchestrator.model", "orchestrator.engine")
    assert [each for each in loaded(tmp_path, "--help") if each.startswith(reading)] == []


@pytest.mark.parametrize(
    "arguments",
    [
        ("--help",),
        ("search", "--help"),
        ("understand", "what did we decide about the API migration last month from:sarah -draft"),
        ("config",),
    ],
)
def test_light_commands_load_no_client_and_no_korean_model(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    assert sorted(loaded(tmp_path, *arguments).intersection(HEAVY)) == []


def test_a_question_in_english_loads_no_korean_grammar(tmp_path: Path) -> None:
    assert sorted(loaded(tmp_path, "understand", "what did we decide last week").intersection(KOREAN)) == []


def test_to_import_is_to_read_no_catalogue() -> None:
    """Not by any source or dialect: whoever only asks for help waits for no messages."""
    every = (
        "import importlib, pkgutil, connectors, translators; from translators import said; "
        "from connectors.registry import load_source, source_kinds; "
        "[importlib.import_module(each.name) for room in (connectors, translators) "
        "for each in pkgutil.walk_packages(room.__path__, room.__name__ + '.')]; "
        "print([load_source(each) for each in source_kinds()][0:0], said.catalogue.cache_info().misses)"
    )
    done = subprocess.run([sys.executable, "-c", every], cwd=ROOT, capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.split() == ["[]", "0"]


def test_help_loads_neither_rich_nor_pydantic(tmp_path: Path) -> None:
    assert sorted(loaded(tmp_path, "--help").intersection({"rich.console", "pydantic", "asyncio"})) == []


def test_the_question_in_korean_does_load_the_model(tmp_path: Path) -> None:
    """The checks above would pass on misspelt names; this one shows that the names are right."""
    assert {"kiwipiepy", *KOREAN} <= loaded(tmp_path, "understand", "지난달 결정, 설날 전에")
