"""A day or month without a year that lies ahead names no window; asked on 13 May 2026."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from translators.query import Query


@pytest.mark.parametrize(
    "text",
    [
        "6월 14일에 채용이 시작되나요",
        "6월 1일부터 신청 되나요",
        "접수는 7월 1일에 열리나요",
        "does hiring start on 14 June?",
        "what is happening on 14 June",
        "will the freeze begin in December",
        "will the offsite be in March?",
    ],
)
def test_a_coming_day_or_month_is_no_window(ask: Callable[[str], Query], text: str) -> None:
    query = ask(text)
    assert query.window is None
    assert not {"June", "6월", "14"} & set(query.keywords)


@pytest.mark.parametrize(
    "text",
    [
        "4월 14일에 채용이 시작되었나요",
        "what changed on 14 June",
        "when did the June release start",
        "6월 배포 결과는 어떻게 되나요",
        "what is closing in April",
        "will the report of June 2025 be public",
        "6월 14일에 돌아갈 거야",
        "3월에 자리를 비울 예정입니다",
        "the release is coming in December",
    ],
)
def test_what_has_been_keeps_its_window(ask: Callable[[str], Query], text: str) -> None:
    assert ask(text).window is not None
