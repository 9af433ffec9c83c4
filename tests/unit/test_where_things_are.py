"""What a stranger searches for leads to the module that does it: the table of ``docs/explanation/where-things-are.md``."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/explanation/where-things-are.md").read_text("utf-8")
ROW = re.compile(r"^\| (?P<behaviour>[^|]+) \| (?P<words>[^|`]+) \| `(?P<module>[^`|]+)` \|", re.MULTILINE)
ROWS = {found["behaviour"]: (found["words"].split(", "), found["module"]) for found in ROW.finditer(PAGE)}


def test_there_are_twenty_behaviours_of_the_first_release_and_twenty_later() -> None:
    assert len(ROWS) == 40


@pytest.mark.parametrize("behaviour", ROWS)
def test_both_words_lead_there(behaviour: str) -> None:
    words, module = ROWS[behaviour]
    text = f"{module}\n{(ROOT / module).read_text('utf-8')}".casefold()
    assert [word for word in words if word not in text] == []
