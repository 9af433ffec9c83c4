"""No regular expression of the product costs more than a stranger's text is worth, by counted steps.

The rule: what reads texts of sources, files, mails, pages and messages is linear. What reads only a question, of at most
2,000 characters (``search.max_text``), may be quadratic, and no worse. The pretend workplace has no strangers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tests.examples import STEADY
from tests.security.collecting import PACKAGES
from tests.security.counting import Counting
from tests.security.growth import worst
from tests.security.judging import compared, deep, grown, patterns, unjudged

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.security.collecting import Found

pytestmark = pytest.mark.timeout(3600)  # all of them, where the judge is another
EVERY_ONE = settings.default.max_examples > STEADY  # nightly
SAMPLE = 60


@pytest.fixture(autouse=True)
def _deep() -> Iterator[None]:
    with deep():
        yield


def to_judge() -> list[Found]:
    """All that the record does not know, and a sample of what it does: it says the same of the same."""
    return list(patterns()) if EVERY_ONE else [*unjudged(), *patterns()[::SAMPLE]]


def test_no_pattern_grows_faster_than_it_may() -> None:
    """In one case: to find them all is to import the product in a process of its own."""
    assert {found.module.partition(".")[0] for found in patterns()} == set(PACKAGES), "every room is audited"
    assert len(patterns()) > 600
    judged = to_judge()
    assert [complaint for found in judged for complaint in grown(found)] == []
    assert sum(map(compared, judged)) > 12 * len(judged), "what is counted matches as the engine does"


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
