"""Which open work is held up, late or due is asked for where nothing is named of which it is asked."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

from orchestrator.understand import understand
from tests.rows import each_row
from translators.query import Compare, Field, Op, State, WorkFlag, conjuncts

NOW = datetime(2026, 11, 26, 10, tzinfo=ZoneInfo("Asia/Seoul"))  # a Thursday
BLOCKED, BLOCKING, OVERDUE, DUE, URGENT = WorkFlag


@each_row(
    ("text", "flag"),
    [
        ("what's blocked?", BLOCKED),
        ("막힌 거 뭐 있어", BLOCKED),
        ("뭐가 막혀 있어?", BLOCKED),
        ("blocked issues", BLOCKED),
        ("막혀 있는 이슈", BLOCKED),
        ("anything overdue?", OVERDUE),
        ("which tasks are past due", OVERDUE),
        ("기한 지난 거 있어?", OVERDUE),
        ("내 밀린 일", OVERDUE),
        ("what's due this week", DUE),
        ("이번 주 마감인 거 뭐 있어", DUE),
        ("what's most urgent", URGENT),
        ("what is urgent right now?", URGENT),
        ("highest priority open bug", URGENT),
        ("high-priority tasks", URGENT),
        ("my top priorities", URGENT),
        ("제일 급한 거 뭐야", URGENT),
        ("급한 일 있어?", URGENT),
        ("우선순위 높은 일", URGENT),
        ("우선순위가 가장 높은 이슈", URGENT),
    ],
)
def test_of_open_work(text: str, flag: WorkFlag) -> None:
    read = understand(text, NOW)
    states = [part.value for part in conjuncts(read.where) if isinstance(part, Compare) and part.field is Field.STATE]
    assert (read.flag, states, read.window) == (flag, [State.OPEN], None)


@each_row(
    ("text", "flag", "whose"),
    [
        ("what am I blocking", BLOCKING, "me"),
        ("what's blocked by me", BLOCKING, "me"),
        ("who am I blocking?", BLOCKING, "me"),
        ("issues I'm blocking", BLOCKING, "me"),
        ("is anything stuck because of me", BLOCKING, "me"),
        ("what is Dana blocking", BLOCKING, "Dana"),
        ("내가 막고 있는 거 뭐야", BLOCKING, "me"),
        ("뭐가 나 때문에 막혀 있어?", BLOCKING, "me"),
        ("누가 나 때문에 막혀 있어?", BLOCKING, "me"),
        ("내 작업이 막고 있는 거 있어?", BLOCKING, "me"),
        ("김민수가 막고 있는 일", BLOCKING, "김민수"),
        ("what's blocking me", BLOCKED, "me"),
        ("what is blocking Dana", BLOCKED, "Dana"),
        ("나를 막고 있는 게 뭐야", BLOCKED, "me"),
        ("내 일을 막고 있는 거", BLOCKED, "me"),
        ("what's blocked", BLOCKED, None),
        ("막힌 거 뭐 있어", BLOCKED, None),
        ("is anything blocking us", BLOCKED, None),
    ],
)
def test_who_holds_up_and_who_is_held_up(text: str, flag: WorkFlag, whose: str | None) -> None:
    read = understand(text, NOW)
    people = [
        part.value for part in conjuncts(read.where) if isinstance(part, Compare) and part.field is Field.ASSIGNEE
    ]
    assert read.flag is flag
    assert [str("me" if person.me else person.name) for person in people] == ([whose] if whose else [])


@each_row(
    ("text", "start", "end"),
    [
        ("what's due today", date(2026, 11, 26), date(2026, 11, 27)),
        ("what is due tomorrow?", date(2026, 11, 27), date(2026, 11, 28)),
        ("what's due by Friday", None, date(2026, 11, 28)),
        ("what's due on 4 December", date(2026, 12, 4), date(2026, 12, 5)),
        ("오늘 마감인 거", date(2026, 11, 26), date(2026, 11, 27)),
        ("다음 주 마감인 거", date(2026, 11, 30), date(2026, 12, 7)),
        ("금요일까지 마감인 티켓", None, date(2026, 11, 28)),
        ("12월 4일까지 마감인 거", None, date(2026, 12, 5)),
        ("what's due this week", date(2026, 11, 23), date(2026, 11, 30)),
        ("이번 주 마감인 거", date(2026, 11, 23), date(2026, 11, 30)),
        ("what's due this month", date(2026, 11, 1), date(2026, 12, 1)),
        ("이번 달 마감인 이슈", date(2026, 11, 1), date(2026, 12, 1)),
        ("what's due this quarter", date(2026, 10, 1), date(2027, 1, 1)),
        ("이번 분기 마감인 거", date(2026, 10, 1), date(2027, 1, 1)),
        ("anything overdue?", None, date(2026, 11, 26)),
        ("내 밀린 일", None, date(2026, 11, 26)),
    ],
)
def test_the_days_by_which_it_is_due_are_asked_for(text: str, start: date | None, end: date) -> None:
    read = understand(text, NOW)
    assert read.due
    assert (read.due.start, read.due.end) == (start, end)
    asked = {
        (part.op, part.value) for part in conjuncts(read.where) if isinstance(part, Compare) and part.field is Field.DUE
    }
    assert asked == {(Op.LT, end), *([(Op.GE, start)] if start else [])}


@each_row(
    ("text", "start"),
    [
        ("due since Monday", date(2026, 11, 23)),
        ("월요일 이후 마감인 거", date(2026, 11, 23)),
        ("what's due since 20 November", date(2026, 11, 20)),
        ("11월 20일 이후 마감인 거", date(2026, 11, 20)),
        ("what's due after 4 December", date(2026, 12, 4)),
        ("12월 4일 이후 마감인 일", date(2026, 12, 4)),
        ("due from December on", date(2026, 12, 1)),
        ("12월부터 마감인 일", date(2026, 12, 1)),
        ("what's due from next week onwards", date(2026, 11, 30)),
        ("다음 주부터 마감인 거", date(2026, 11, 30)),
    ],
)
def test_what_begins_and_does_not_end_is_due_at_any_time_from_the_day_that_is_said(text: str, start: date) -> None:
    read = understand(text, NOW)
    assert read.due
    assert (read.due.start, read.due.end) == (start, None)


def test_a_month_on_something_ends() -> None:
    window = understand("messages from December on Slack", NOW).window
    assert window
    assert (window.start, window.end) == (date(2025, 12, 1), date(2026, 1, 1))


@each_row(
    "text",
    [
        "is PAY-1 overdue",
        "which invoices are overdue",
        "연체된 청구서",
        "what's blocking the v2 launch?",
        "v2 출시를 막고 있는 게 뭐야",
        "what was blocked last month",
        "지난달에 막힌 일",
        "who is blocked",
        "when is the deadline",
        "마감 언제야",
        "마감일",
        "due diligence",
        "urgent care clinics",
        "who handles urgent tickets",
        "high priority customers",
        "우선순위 높은 고객",
        "긴급 연락처",
        "what was urgent last month",
        "결제 연동 막혀 있어?",  # what is named may stand at the very beginning
        "Falcon blocked?",
    ],
)
def test_what_is_named_or_asked_otherwise_is_no_list_of_work(text: str) -> None:
    assert understand(text, NOW).flag is None
