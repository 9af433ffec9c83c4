"""The page about the sandbox says of every source where it is served and what opens it."""

import re
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from orchestrator.sandbox import SOURCES, default_corpus
from orchestrator.sandbox.server import emulator
from orchestrator.sandbox.wire import Situation

REFERENCE = (Path(__file__).resolve().parents[4] / "docs" / "reference" / "sandbox.md").read_text("utf-8")
ROWS = dict(re.findall(r"(?m)^\| ([a-z0-9_]+) \| (`(?:http|imap)://.+)$", REFERENCE))


@pytest.fixture(scope="module")
def situation():
    corpus = default_corpus()
    return Situation(
        corpus, next(iter(corpus.people)), lambda: datetime(2026, 11, 20, tzinfo=UTC), ZoneInfo("Asia/Seoul")
    )


def test_every_source_has_a_row():
    assert sorted(ROWS) == sorted(SOURCES)


@pytest.mark.parametrize(
    "source", [name for name in SOURCES if name != "imap"]
)  # a program of its own, perhaps not here
def test_a_row_names_the_address_and_every_token(source, situation):
    served = emulator(source, situation, None)
    assert f"`http://127.0.0.1:P{served.base_path}`" in ROWS[source]
    assert [token for token in served.tokens if f"`{token}`" not in ROWS[source]] == []
