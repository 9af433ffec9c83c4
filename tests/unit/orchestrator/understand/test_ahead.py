"""A day or month without a year that lies ahead names no window; asked on 13 May 2026."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from orchestrator.understand.time.certainty import CONTENT
from translators.query import Window

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
        "who is on call on 3 June",
        "where is the party on 5 June",
        "6월 6일에 누가 당직이야",
        "광복절에 문은 몇 시에 닫아",
        "광복절에 문 여나요",
        "is the shop open on 3 June",
        "what changes on 14 June",
        "what's on 14 June",
        "6월 14일에 뭐가 바뀌어?",
        "6월 14일에 무슨 일이 있어?",
        "6/14 일정",
        "what must be done by 14 June",
        "forms to hand in until 14 June",
        "6월 14일까지 내야 하는 서류",
        "6월 17일이 속한 주에 누가 당직이야",
        "6월 17일이 들어 있는 주에 뭐 있어",
        "by when do we have to say who comes on 14 June",
        "until when is it open on 14 June",
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
        "who was on call on 3 June",
        "who is on call on 5 May",
        "where is the June invoice",
        "6월 6일에 누가 당직이었어",
        "what changed on 14 June",
        "what was on 14 June",
        "what did we hand in by 14 June",
        "decisions before 14 June",
        "6월 14일까지 제출된 서류",
        "6월 14일에 발표된 거 뭐야?",
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


@pytest.mark.parametrize(
    "text",
    [
        "last day to hand in receipts",
        "the last day for entries",
        "what is the last day to vote",
        "what is the last day we can enter",
        "first and last day of term",
        "Ravi's last day",
    ],
)
def test_the_last_day_of_something_is_no_yesterday(ask: Callable[[str], Query], text: str) -> None:
    assert ask(text).window is None
    for lately in ("what broke in the last day", "she went back the last day"):
        assert ask(lately).window is not None


@pytest.mark.parametrize(
    "text",
    [
        "They said the freeze lasts until 4 June. When does the migration start now?",
        "Norvale says the freeze runs until 4 June, so when can we start?",
        "Our change freeze is in place until 4 June. Thanks, Tom.\nwhen does the migration start?",
        "그 쪽에서 6월 4일까지 동결이라고 했는데 시작일이 언제로 바뀌었어?",
        "동결이 6월 4일까지라던데 언제 시작해?",
        "6월 4일까지 동결입니다. 마이그레이션은 언제 시작했어?",
    ],
)
def test_what_somebody_said_of_a_coming_day_is_no_window(ask: Callable[[str], Query], text: str) -> None:
    assert ask(text).window is None


@pytest.mark.parametrize(
    "text",
    [
        "Sarah sent a report on 4 March. Where is it?",
        "what did Sarah say before 4 March?",
        "The release is coming. What changed on 14 June?",
        "3월 4일에 배포했다고 했는데 누가 했어?",
        "3월에 보낸 메일에서 재택 일수 줄인다고 했는데 맞나요?",
    ],
)
def test_what_was_done_keeps_its_window_beside_what_was_said(ask: Callable[[str], Query], text: str) -> None:
    assert ask(text).window is not None


@pytest.mark.parametrize(
    ("text", "looked_for"),
    [
        ("6월 14일에 뭐가 바뀌어?", ("6/14",)),
        ("what changes on 14 June?", ("6/14",)),
        ("내일 뭐 있어?", ("5/14",)),
        ("what changes for partners on 14 June?", ("partners",)),
        ("what's happening next week?", ("next week",)),
        ("다음 주에 뭐 있어?", ("다음 주",)),
        ("다음 달에 뭐 있어?", ("6월",)),
        ("다음 달?", ("6월",)),
        ("what happens in June?", ("June",)),
        ("what must be done by 14 June?", ("6/14",)),
        ("6월 14일까지 뭐 해야 해?", ("6/14",)),
    ],
)
def test_of_a_coming_time_alone_what_names_it_is_looked_for(
    ask: Callable[[str], Query], text: str, looked_for: tuple[str, ...]
) -> None:
    query = ask(text)
    assert query.keywords == looked_for
    others = dict(query.variants).get("6/14", ())
    named = {*looked_for, *(word for word, _ in query.lesser)}
    assert others == (("6월 14일", "14 June", "Jun 14") if "6/14" in named else ())


def test_the_week_of_a_day_is_one_however_it_is_said(ask: Callable[[str], Query]) -> None:
    for said in ("4월 15일 주에", "4월 15일이 속한 주에", "4월 15일이 있는 주에", "4월 15일에 시작하는 주에"):
        window = ask(f"{said} 누가 당직이었어").window
        assert window is not None, said
        assert (window.start, window.end) == (date(2026, 4, 13), date(2026, 4, 20)), said


def test_a_coming_month_is_looked_for_in_both_languages_and_as_it_was_said(ask: Callable[[str], Query]) -> None:
    assert dict(ask("what's coming up next month?").variants)["June"] == ("6월", "next month")


def test_the_month_in_which_it_is_asked_is_not_over(ask: Callable[[str], Query]) -> None:
    """Who is on call in it may have been settled before; who was stands in texts of it."""
    assert ask("who is on call in May?").implied[0].strength == CONTENT
    assert ask("who was on call in May?").implied[0].strength > CONTENT
    assert ask("월말에 누가 마감해?").window is None
    assert ask("금요일 전까지 누가 내야 해?").window is None
    assert ask("월말에 누가 마감했어?").window == Window(date(2026, 4, 16), date(2026, 5, 1), "월말에")


@pytest.mark.parametrize("said", ["담주", "담 주", "담달", "낼모레"])
def test_the_short_forms_of_chat_lie_ahead_too(ask: Callable[..., Query], said: str) -> None:
    assert ask(f"{said} 당직 누구야?").keywords == ("당직",)
    assert "상담" in ask("상담 주 2회 언제야").keywords


def test_a_coming_feast_is_looked_for_by_its_name(ask: Callable[[str], Query]) -> None:
    """What is planned for it was written before, and names it; of one that has been, much was written then."""
    assert ask("who covers the gate on Independence Day").keywords == ("gate", "Independence Day")
    assert ask("광복절에 정문은 누가 지켜").keywords == ("광복절", "정문")
    assert ask("광복절에 정문은 누가 지켰어").keywords == ("정문",)


@pytest.mark.parametrize(
    "text",
    [
        "who covers the gate in the first week of July",
        "7월 14일 주에 문 여는 사람은?",
        "which hall do we hand out the prizes in, in September?",
        "9월에 시상식 누가 진행해?",
        "I work on a Saturday. How many days off do I get?",
        "토요일에 일하면 휴가 며칠 받아?",
        "who is on call on Friday?",
        "who is presenting Friday",
        "금요일에 누가 당직이야?",
        "is the office open on Friday",
    ],
)
def test_a_coming_week_or_month_and_a_supposed_day_are_no_window(ask: Callable[[str], Query], text: str) -> None:
    assert ask(text).window is None


@pytest.mark.parametrize(
    "text",
    [
        "which hall did we hand out the prizes in, in September?",
        "what do we know about the fire in September?",
        "9월에 시상식 누가 진행했어?",
        "9월에 올린 견적 누구한테 있어?",
        "who sends the September invoice?",
    ],
)
def test_a_month_of_which_things_are_told_keeps_its_window(ask: Callable[[str], Query], text: str) -> None:
    window = ask(text).window
    assert window is not None
    assert window.start == date(2025, 9, 1)


@pytest.mark.parametrize(
    "text",
    [
        "who was on call on Friday?",
        "where is the deck from Friday",
        "금요일에 누가 당직이었어?",
        "금요일 회의록 어디 있어?",
    ],
)
def test_a_day_of_the_week_of_which_things_are_told_is_the_last(ask: Callable[[str], Query], text: str) -> None:
    window = ask(text).window
    assert window is not None
    assert window.start == date(2026, 5, 8)


@pytest.mark.parametrize("text", ["who closes the shop this week", "이번 주에 문 닫는 사람은?", "오늘 당직 누구야"])
def test_what_is_asked_of_the_running_week_may_have_been_written_before(ask: Callable[[str], Query], text: str) -> None:
    assert {each.strength for each in ask(text).implied} == {0.4}


@pytest.mark.parametrize(
    "text", ["who closed the shop this week", "이번 주에 문 닫은 사람은?", "what did we ship this week"]
)
def test_what_was_done_in_the_running_week_was_written_in_it(ask: Callable[[str], Query], text: str) -> None:
    assert {each.strength for each in ask(text).implied} == {0.9}


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("who answers support this Saturday", "5/16"),
        ("이번 주 토요일 전화 누가 받아?", "5/16"),
        ("누가 오늘 당직이야", "5/13"),
        ("who closes the shop this week", "5/11"),
        ("what changes for partners on 14 June?", "6/14"),
        ("6월 14일에 누가 창고 열어", "6/14"),
        ("what did we deploy yesterday", None),
        ("지난주 배포 뭐 있었어", None),
        ("who joined in March", None),
    ],
)
def test_a_day_of_which_more_is_asked_weighs_as_it_may_be_written(
    ask: Callable[[str], Query], text: str, day: str | None
) -> None:
    """It is no word that must be held, and was lost."""
    query = ask(text)
    assert query.day[:1] == ((day,) if day else ())
    if day:
        assert day in {word for word, _ in query.lesser}
        assert dict(query.variants)[day] == query.day[1:]
    assert ("11일 주" in query.day) == ("week" in text)
