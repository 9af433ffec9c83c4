"""What stands in an address is read with care, and forms lead nowhere else."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from starlette.datastructures import QueryParams

from orchestrator.surfaces.page.answer_view import age_of
from orchestrator.surfaces.page.asked import LIMIT, LONGEST_QUESTION, MORE, asked_of
from orchestrator.surfaces.page.visiting import local

NOW = datetime(2026, 11, 20, tzinfo=UTC)


def test_a_question_its_limit_and_what_is_ticked() -> None:
    asked = asked_of(QueryParams("question=+okta+&limit=50&source=slack&source=gmail&person=%EB%B0%95&zone=Asia/Seoul"))
    assert (asked.question, asked.limit, str(asked.timezone)) == ("okta", MORE, "Asia/Seoul")
    assert asked.chosen["source"] == {"slack", "gmail"}
    assert asked.chosen["person"] == {"박"}
    assert asked.narrowed


@pytest.mark.parametrize("query", ["", "limit=9999&zone=../../etc/passwd", "limit=x&zone=%00", "zone=Nowhere/At_All"])
def test_what_cannot_be_used_is_left_at_its_default(query: str) -> None:
    asked = asked_of(QueryParams(query))
    assert (asked.question, asked.limit, asked.timezone, asked.narrowed) == ("", LIMIT, None, False)


def test_a_question_is_bounded_and_survives_its_address() -> None:
    assert len(asked_of(QueryParams({"question": "가" * 20_000})).question) == LONGEST_QUESTION
    odd = 'from:김 "a&b" #c +d %41'
    assert asked_of(QueryParams(asked_of(QueryParams({"question": odd})).address()[2:])).question == odd


@pytest.mark.parametrize(
    "address",
    [
        "//evil.example",
        "/\\evil.example",
        "https://evil.example",
        "\\/evil",
        "/a\r\nSet-Cookie: x=1",
        "/ a",
        "/위",
        "",
        "/\t/evil",
    ],
)
def test_a_form_leads_back_to_this_page_only(address: str) -> None:
    assert local(address) == "/"


def test_a_form_leads_back_to_where_it_was() -> None:
    assert local("/?question=a%20b&source=slack") == "/?question=a%20b&source=slack"


@pytest.mark.parametrize(
    ("days", "age"),
    [(0, "today"), (-3, "today"), (1, "today"), (6, "week"), (8, "month"), (31, "year"), (366, "older")],
)
def test_moments_fall_into_periods(days: int, age: str) -> None:
    assert age_of(NOW - timedelta(days=days), NOW) == age


def test_what_has_no_date_is_in_no_period() -> None:
    assert age_of(None, NOW) == "undated"
