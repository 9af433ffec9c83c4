"""Who asks for a summary, for news or for what changed names nothing to look for, but a time."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

from orchestrator.understand import understand
from tests.rows import each_row

NOW = datetime(2026, 11, 26, 10, tzinfo=ZoneInfo("Asia/Seoul"))  # a Thursday
LAST_WEEK = date(2026, 11, 16), date(2026, 11, 23)


@each_row(
    ("text", "start", "end"),
    [
        ("summary of last week", *LAST_WEEK),
        ("지난주 요약", *LAST_WEEK),
        ("지난주 요약해줘", *LAST_WEEK),
        ("any updates last week?", *LAST_WEEK),
        ("지난주 소식 정리해줘", *LAST_WEEK),
        ("what changed since Monday", date(2026, 11, 23), None),
        ("월요일 이후 뭐 바뀌었어", date(2026, 11, 23), None),
        (
            "어제 바뀐 거 뭐야",
            date(2026, 11, 25),
            date(2026, 11, 26),
        ),  # its words look like those that ask for a decision
        ("어제 변경된 거 알려줘", date(2026, 11, 25), date(2026, 11, 26)),
        ("what changed yesterday", date(2026, 11, 25), date(2026, 11, 26)),
        ("recap of October", date(2026, 10, 1), date(2026, 11, 1)),
        ("10월 요약", date(2026, 10, 1), date(2026, 11, 1)),
    ],
)
def test_a_summary_of_a_time_is_of_all_there_was_in_it(text: str, start: date, end: date | None) -> None:
    read = understand(text, NOW)
    assert read.of_a_period
    assert read.window
    assert (read.window.start, read.window.end, read.doubts) == (start, end, ())


@each_row(
    "text", ["what's new", "what's new?", "any news?", "what's the latest", "새 소식 있어?", "뭐 새로운 거 있어?"]
)
def test_what_is_new_is_of_the_last_days_and_that_is_told(text: str) -> None:
    read = understand(text, NOW)
    assert read.of_a_period
    assert read.window
    assert (read.window.start, [doubt.code for doubt in read.doubts]) == (date(2026, 11, 19), ["no_time"])


@each_row(
    ("text", "keywords"),
    [
        ("what's new with Okta", ("Okta",)),
        ("what changed in the lease", ("changed", "lease")),
        ("what was said about updates last week", ("updates",)),
        ("what's the latest version", ("version",)),
        ("지난주 회의록 요약", ("회의록",)),
        ("새로운 휴가 정책 요약", ("휴가", "정책")),
        ("summary", ("summary",)),
        ("변경", ("변경",)),
        ("다음 회의 무슨 요일 몇 시야", ("회의",)),
    ],
)
def test_what_is_named_is_looked_for(text: str, keywords: tuple[str, ...]) -> None:
    read = understand(text, NOW)
    assert (read.keywords, read.of_a_period) == (keywords, False)


def test_who_is_new_is_a_person() -> None:
    assert not understand("who is new here", NOW).of_a_period


@each_row("text", ["어제 결정된 거 뭐야", "what was decided yesterday", "누가 바꿨어 어제", "who changed it yesterday"])
def test_what_a_word_says_to_be_of_another_type_is_of_that(text: str) -> None:
    assert not understand(text, NOW).of_a_period
