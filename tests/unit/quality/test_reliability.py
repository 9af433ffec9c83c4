"""The reliability diagram: what it counts, and how it is shown."""

from orchestrator.model import Confidence
from tests.quality.companies import Grade
from tests.quality.figures import Measured
from tests.quality.page import reliability_lines
from tests.quality.reliability import ALL, WIDTH, Reliability, by_part, plot, reliability

ROWS = [
    Grade("a", "en", answerable=True, confidence=Confidence.HIGH, right=True),
    Grade("b", "en", answerable=True, confidence=Confidence.HIGH, right=True),
    Grade("c", "ko", answerable=True, confidence=Confidence.HIGH),
    Grade("d", "ko", answerable=True, confidence=Confidence.HIGH, right=True),
    Grade("e", "ko", answerable=False, confidence=Confidence.LOW),
]
HIGH, MEDIUM, LOW, NONE = reliability(ROWS)


def test_what_nobody_can_answer_is_right_at_no_confidence():
    assert Reliability("high", 3, 1) == HIGH
    assert (Reliability("medium"), Reliability("low", 0, 1), Reliability("none")) == (MEDIUM, LOW, NONE)


def test_parts_are_put_together():
    rows = (HIGH, MEDIUM, LOW, NONE)
    told = by_part([Measured("one", reliability=rows), Measured("two", reliability=rows), Measured("three")])
    assert list(told) == ["one", "two", ALL]
    assert told[ALL][0] == Reliability("high", 6, 2)
    assert by_part([Measured("three")]) == {}


def test_a_bar_is_as_long_as_the_share_that_was_right():
    high, medium, low, _ = plot(reliability(ROWS))
    assert high.count("█") == 3 * WIDTH // 4
    assert high.endswith(" 75%  3 of 4")
    assert medium.endswith("–  0 of 0")
    assert "█" not in low


def test_the_page_has_a_table_and_a_plot():
    page = list(reliability_lines([Measured("company_x", reliability=reliability(ROWS))]))
    assert "| company_x | 3 | 1 | 0 | 0 | 0 | 1 | 0 | 0 |" in page
    assert page[-1] == "```"
    assert list(reliability_lines([Measured("herb")])) == []
