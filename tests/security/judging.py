"""What the judge of patterns says, and a record of those that it finds well: it says the same of the same as long as it is the same.

``judged.txt`` holds a digest for each: of the pattern, of how it is used, of the rule that it is held to, and of the judge
itself with Python's version. Whatever is not there is judged when tests are run, so no line has to be added by hand; nightly
everything is. Run as a program (``make patterns``) it judges what the record does not know, and forgets what is gone.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import random
import re
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from tests.security.attacks import GENERIC, attacks
from tests.security.collecting import Found
from tests.security.counting import DEEP, Counting, TooManySteps
from tests.security.growth import ORDER, worst

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
RECORD = Path(__file__).with_name("judged.txt")
JUDGE = ("attacks", "counting", "growth", "judging")
QUESTION = ("orchestrator.understand", "translators", "orchestrator.plan", "connectors.microsoft365.asking")
"""These rooms read what is asked."""
SHORT = {
    "orchestrator.answer.support “": "one claim that a writer worded, of `wording.tokens` at most",
    "connectors.github.replies": "a header, of 8,190 bytes at most",
    "orchestrator.websearch.pages.charset": "the first 4,096 bytes of a page",
}
"""What is quadratic all the same, by its module and how it begins, and what keeps it short."""


@cache
def patterns() -> tuple[Found, ...]:
    """From an interpreter of its own: those compiled at import are missed in this one."""
    command = [sys.executable, str(ROOT / "tests/security/collecting.py")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    told = subprocess.run(command, capture_output=True, check=True, cwd=ROOT, env=environment).stdout
    every = [Found(**each) for each in json.loads(base64.b64decode(told))]
    return tuple(each for each in every if "sandbox" not in each.module)


def unjudged() -> list[Found]:
    """Those that the record does not know."""
    known = frozenset(RECORD.read_text("utf-8").split())
    return [each for each in patterns() if digest(each) not in known]


def digest(found: Found) -> str:
    """Equal where the judge must say the same."""
    said = {**asdict(found), "line": 0, "module": "", "short": _is_short(found), "judge": _judge()}
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:24]


@cache
def _judge() -> str:
    code = "".join(Path(__file__).with_name(f"{name}.py").read_text("utf-8") for name in JUDGE)
    return hashlib.sha256(f"{sys.version_info[:2]} {code}".encode()).hexdigest()


def _is_short(found: Found) -> bool:
    return f"{found.module} {found.pattern}".startswith((*QUESTION, *SHORT))


def counting(found: Found) -> Counting:
    return Counting(found.pattern.encode("latin-1") if found.is_bytes else found.pattern, found.flags)


@contextmanager
def deep() -> Iterator[None]:
    """The stack that a match of a long text needs."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(DEEP)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def grown(found: Found) -> list[str]:
    """What is wrong with how its steps grow."""
    wrong = []
    for how in found.how:
        growth = worst(counting(found), how, far=not _is_short(found))
        if ORDER.index(growth.verdict) > _is_short(found):
            wrong.append(f"{found.module}:{found.line} {found.pattern[:80]!r} is {growth.told}")
    return wrong


def compared(found: Found) -> int:
    """In how many texts the judge finds what the engine finds: an error where they differ."""
    mine, many = counting(found), 0
    real = re.compile(found.pattern.encode("latin-1") if found.is_bytes else found.pattern, found.flags)
    for text in _texts(mine):
        if found.is_bytes and not text.isascii():
            continue
        try:
            spans = mine.spans(text, "search", 100_000)
        except TooManySteps:
            continue
        match = real.search(text.encode() if found.is_bytes else text)
        assert spans == ([match.span()] if match else []), (found.pattern, text)
        many += 1
    return many


def _texts(pattern: Counting) -> Iterator[str]:
    at_random = random.Random(len(pattern.tree))
    for prefix, pump, end in attacks(pattern)[:20]:
        yield from (prefix + pump + end, prefix + pump * 3 + end)
    for _ in range(4):
        yield "".join(at_random.choice(GENERIC) for _ in range(12))


def main() -> None:
    """Judge every pattern that was not, and write down all that are well."""
    unknown = unjudged()
    with deep():
        ill = {digest(each) for each in unknown if not compared(each) or grown(each)}
    well = [each for each in map(digest, patterns()) if each not in ill]
    RECORD.write_text("".join(f"{each}\n" for each in sorted(set(well))), "utf-8")
    sys.stdout.write(f"{len(well)} of {len(patterns())} patterns are well\n")


if __name__ == "__main__":
    main()
