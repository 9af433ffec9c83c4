"""No regular expression of the product costs more than a stranger's text is worth, by counted steps.

The rule: what reads texts of sources, files, mails, pages and messages is linear. What reads only a question, of at most
2,000 characters (``search.max_text``), may be quadratic, and no worse. The pretend workplace has no strangers.
"""

from __future__ import annotations

import base64
import json
import os
import random
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.security.attacks import GENERIC, attacks
from tests.security.collecting import PACKAGES, Found
from tests.security.counting import DEEP, Counting, TooManySteps
from tests.security.growth import ORDER, worst

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.no_cover  # it runs no code of the product, and ten million steps of its own

ROOT = Path(__file__).resolve().parents[2]
QUESTION = ("orchestrator.understand", "translators", "orchestrator.plan", "connectors.microsoft365.asking")
"""These rooms read what is asked."""
SHORT = {
    "orchestrator.answer.support “": "one claim that a writer worded, of `wording.tokens` at most",
    "connectors.github.replies": "a header, of 8,190 bytes at most",
    "orchestrator.websearch.pages.charset": "the first 4,096 bytes of a page",
}
"""What is quadratic all the same, by its module and how it begins, and what keeps it short."""
PARTS = 16


@pytest.fixture(autouse=True)
def _deep() -> Iterator[None]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(DEEP)
    yield
    sys.setrecursionlimit(before)


@cache
def patterns() -> tuple[Found, ...]:
    """From an interpreter of its own: those compiled at import are missed in this one."""
    command = [sys.executable, str(ROOT / "tests/security/collecting.py")]
    uncovered = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    told = subprocess.run(
        command, capture_output=True, check=True, cwd=ROOT, env={**uncovered, "PYTHONPATH": str(ROOT)}
    ).stdout
    every = [Found(**each) for each in json.loads(base64.b64decode(told))]
    return tuple(each for each in every if "sandbox" not in each.module)


def counting(found: Found) -> Counting:
    return Counting(found.pattern.encode("latin-1") if found.is_bytes else found.pattern, found.flags)


@pytest.mark.parametrize("part", range(PARTS))
def test_no_pattern_grows_faster_than_it_may(part: int) -> None:
    wrong = []
    for found in patterns()[part::PARTS]:
        is_short = f"{found.module} {found.pattern}".startswith((*QUESTION, *SHORT))
        for how in found.how:
            growth = worst(counting(found), how, far=not is_short)
            if ORDER.index(growth.verdict) > is_short:
                wrong.append(f"{found.module}:{found.line} {found.pattern[:80]!r} is {growth.told}")
    assert wrong == []


def test_every_room_is_audited() -> None:
    rooms = {found.module.partition(".")[0] for found in patterns()}
    assert rooms == set(PACKAGES)
    assert len(patterns()) > 600


# ---- the judge itself


@pytest.mark.parametrize(
    ("pattern", "how", "verdict"),
    [
        (r"(?:\s+찾\S*|[?!.~,…;\s])+$", "all", "worse"),
        (r"(?:a+)+$", "match", "worse"),
        (r"(?:a|a)*b", "match", "worse"),
        (r"(?:\w+\s?)*$", "fullmatch", "worse"),
        (r"(?:\d{1,3},?)*원", "search", "worse"),
        (r"(?=(?:x+x+)+y)x", "match", "worse"),
        (r"a*a*a*b", "match", "worse"),
        (r"\s+$", "search", "quadratic"),
        (r"a*a*b", "match", "quadratic"),
        (r"<!--.*?-->", "all", "quadratic"),
        (r"\w+@\w+", "search", "quadratic"),
        (r"(?:a++)++$", "match", "linear"),
        (r"(?>a+)b", "match", "linear"),
        (r"\s+", "all", "linear"),
        (r"[a-z]+\d", "fullmatch", "linear"),
        (r"(?<!\s)\s+$", "search", "linear"),
        (r"\w{1,64}@\w", "search", "linear"),
        (r"<[^<>]*>", "all", "linear"),
    ],
)
def test_the_judge_knows_the_classes(pattern: str, how: str, verdict: str) -> None:
    assert worst(Counting(pattern), how, far=True).verdict == verdict


def texts(pattern: Counting) -> Iterator[str]:
    at_random = random.Random(len(pattern.tree))
    for prefix, pump, end in attacks(pattern)[:20]:
        yield from (prefix + pump + end, prefix + pump * 3 + end)
    for _ in range(4):
        yield "".join(at_random.choice(GENERIC) for _ in range(12))


def test_what_is_counted_matches_as_the_engine_does() -> None:
    compared = 0
    for found in patterns():
        mine = counting(found)
        real = re.compile(found.pattern.encode("latin-1") if found.is_bytes else found.pattern, found.flags)
        for text in texts(mine):
            if found.is_bytes and not text.isascii():
                continue
            try:
                spans = mine.spans(text, "search", 100_000)
            except TooManySteps:
                continue
            match = real.search(text.encode() if found.is_bytes else text)
            assert spans == ([match.span()] if match else []), (found.pattern, text)
            compared += 1
    assert compared > 10_000
