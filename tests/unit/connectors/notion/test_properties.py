"""What stands in the properties of Notion's pages, type by type, and whose work a row is, by when, and how it stands."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from connectors.http import Reply
from connectors.notion import NotionSource
from connectors.notion.properties import ALL, LEFT_OUT, MOST, REFERENCES, VALUE, read_properties
from connectors.notion.settings import NotionSettings
from connectors.trackers import ASSIGNEE, DUE, EXACT, NOT_AT_ALL, STATUS, state_of
from translators.match import matches
from translators.query import Compare, Field, Op, Person, State


def prop(kind: str, content: object) -> dict[str, Any]:
    return {"id": "x", "type": kind, kind: content}


def runs(*said: str) -> list[dict[str, Any]]:
    return [{"type": "text", "plain_text": each, "annotations": {"strikethrough": False}} for each in said]


def user(name: str | None = None, number: int = 1) -> dict[str, Any]:
    found = {"object": "user", "id": f"00000000-0000-4000-8000-{number:012}"}
    return found | ({"type": "person", "name": name, "person": {"email": "who@acme.example"}} if name else {})


def day(start: str, end: str | None = None) -> dict[str, Any]:
    return {"start": start, "end": end, "time_zone": None}


def choice(name: str) -> dict[str, str]:
    return {"id": "a", "name": name, "color": "default"}


def group(name: str) -> dict[str, Any]:
    return {"object": "group", "id": "00000000-0000-4000-8000-00000000000a", "name": name}


SAID = [
    ("Notes", "rich_text", runs("Ask ", "facilities first"), "Notes: Ask facilities first"),
    ("비고", "rich_text", runs("승인 전\n발주 금지"), "비고: 승인 전 발주 금지"),
    ("Amount", "number", 4200000, "Amount: 4200000"),
    ("금액", "number", 0.1 + 0.2, "금액: 0.3"),
    ("Balance", "number", 0, "Balance: 0"),
    ("Status", "status", choice("In progress"), "Status: In progress"),
    ("상태", "select", choice("검토 중"), "상태: 검토 중"),
    ("Team", "multi_select", [choice("Design"), choice("운영")], "Team: Design, 운영"),
    ("Due", "date", day("2026-12-01"), "Due: 2026-12-01"),
    ("기간", "date", day("2026-12-01", "2026-12-05"), "기간: 2026-12-01 – 2026-12-05"),
    ("Starts", "date", day("2026-12-01T09:30:00.000+09:00"), "Starts: 2026-12-01 09:30"),
    ("Starts", "date", day("2026-12-01T09:30:00.000Z"), "Starts: 2026-12-01 09:30 UTC"),
    ("Owner", "people", [user("Dana Fox"), user("김민수", 2)], "Owner: Dana Fox, 김민수"),
    ("Team", "people", [group("Design")], "Team: Design"),
    ("Contract", "files", [{"type": "file", "name": "lease.pdf", "file": {"url": "https://x"}}], "Contract: lease.pdf"),
    ("Approved", "checkbox", True, "Approved: ☑"),
    ("승인", "checkbox", False, "승인: ☐"),
    ("Link", "url", "https://acme.example/x", "Link: https://acme.example/x"),
    ("Mail", "email", "dana@acme.example", "Mail: dana@acme.example"),
    ("전화", "phone_number", "02-555-0101", "전화: 02-555-0101"),
    ("Total", "formula", {"type": "number", "number": 12.5}, "Total: 12.5"),
    ("요약", "formula", {"type": "string", "string": "3건 남음"}, "요약: 3건 남음"),
    ("Late", "formula", {"type": "boolean", "boolean": False}, "Late: ☐"),
    ("Next", "formula", {"type": "date", "date": day("2027-01-04")}, "Next: 2027-01-04"),
    ("Sum", "rollup", {"type": "number", "number": 7, "function": "sum"}, "Sum: 7"),
    ("Last", "rollup", {"type": "date", "date": day("2026-11-30"), "function": "latest_date"}, "Last: 2026-11-30"),
    (
        "Clients",
        "rollup",
        {"type": "array", "array": [prop("title", runs("Acme")), prop("number", 3), prop("number", 3)]},
        "Clients: Acme, 3, 3",
    ),
    ("Made by", "created_by", user("박서연"), "Made by: 박서연"),
    ("Changed by", "last_edited_by", user("Dana Fox"), "Changed by: Dana Fox"),
    ("ID", "unique_id", {"number": 12, "prefix": "TASK"}, "ID: TASK-12"),
    ("번호", "unique_id", {"number": 12, "prefix": None}, "번호: 12"),
    ("Checked", "verification", {"state": "verified", "date": None, "verified_by": None}, "Checked: verified"),
    ("Where", "place", {"lat": 1, "lon": 2, "name": "본사", "address": "서울"}, "Where: 본사, 서울"),
    ("New", "from_next_year", choice("Blue"), "New: Blue"),
    ("New", "from_next_year", [choice("Blue"), choice("빨강")], "New: Blue, 빨강"),
]


@pytest.mark.parametrize(("name", "kind", "content", "line"), SAID)
def test_a_value_of_every_type_is_a_line(name: str, kind: str, content: object, line: str) -> None:
    told = read_properties({name: prop(kind, content), "Name": prop("title", runs("Not a line"))})
    assert (told.lines, told.whole) == ((line,), True)


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("rich_text", []),
        ("number", None),
        ("select", None),
        ("status", None),
        ("multi_select", []),
        ("date", None),
        ("people", []),
        ("files", []),
        ("url", None),
        ("relation", []),
        ("formula", {"type": "string", "string": None}),
        ("rollup", {"type": "array", "array": [], "function": "show_original"}),
        ("verification", {"state": "unverified", "date": None, "verified_by": None}),
        ("created_by", user()),
        ("created_time", "2026-01-19T07:00:00.000Z"),
        ("last_edited_time", "2026-01-19T07:00:00.000Z"),
        ("button", {}),
        ("place", None),
        ("from_next_year", None),
    ],
)
def test_what_is_empty_or_told_of_every_page_is_no_line_and_nothing_missing(kind: str, content: object) -> None:
    told = read_properties({"Any": prop(kind, content)})
    assert (told.lines, told.whole) == ((), True)


@pytest.mark.parametrize(
    ("kind", "content", "lines"),
    [
        ("relation", [{"id": "59833787-2cf9-4fdf-8782-e53db20768a5"}], ()),
        ("people", [user()], ()),
        ("people", [user(), user("Dana Fox", 2)], (f"Any: Dana Fox{LEFT_OUT}",)),
        ("formula", {"type": "unsupported", "unsupported": {}}, ()),
        ("rollup", {"type": "incomplete", "incomplete": {}}, ()),
        ("rollup", {"type": "array", "array": [prop("rollup", {"type": "number", "number": 1})]}, ()),
        ("number", 10**400, ()),
        ("rich_text", runs("ㄱ" * (VALUE + 1)), (f"Any: {'ㄱ' * VALUE}{LEFT_OUT}",)),
    ],
)
def test_what_cannot_be_told_or_is_cut_is_said_to_be_missing(
    kind: str, content: object, lines: tuple[str, ...]
) -> None:
    told = read_properties({"Any": prop(kind, content)})
    assert (told.lines, told.whole) == (lines, False)


def test_of_25_references_there_may_be_more() -> None:
    mentions = [{"type": "mention", "plain_text": "@x", "mention": {}} for _ in range(REFERENCES)]
    for kind, content in (
        ("people", [user("Dana Fox", number) for number in range(REFERENCES)]),
        ("rich_text", mentions),
        ("rollup", {"type": "array", "array": [prop("number", 1)] * REFERENCES}),
    ):
        told = read_properties({"Any": prop(kind, content)})
        assert not told.whole, kind
        assert told.lines[0].endswith(LEFT_OUT)
        assert read_properties({"Any": prop("people", content[1:])} if kind == "people" else {}).whole


def test_lines_are_as_many_and_as_long_as_fits() -> None:
    told = read_properties({f"P{number}": prop("number", number) for number in range(MOST + 1)})
    assert (len(told.lines), told.lines[-1], told.whole) == (MOST + 1, LEFT_OUT, False)
    assert read_properties({f"P{number}": prop("number", number) for number in range(MOST)}).whole
    told = read_properties({f"P{number}": prop("rich_text", runs("x" * VALUE)) for number in range(20)})
    assert sum(map(len, told.lines)) <= ALL + len(LEFT_OUT)
    assert not told.whole


def test_names_and_values_are_plain_lines() -> None:
    told = read_properties(
        {
            "A\nB: c\u202e": prop("rich_text", runs("one\u0000\ntwo\ud800")),
            "x" * 500: prop("number", 1),
            "": prop("number", 2),
            "Bad": "no object",
            "Worse": {"type": ["people"]},
            "Odd": prop("people", {"a": 1}),
            "Due": prop("date", day("soon")),
            "Owner": prop("people", [None, 7, {"id": 5}]),
            "Status": prop("status", {"name": {"name": "x"}}),
            "Rolled": prop("rollup", {"type": "array", "array": [None, {"type": 5}]}),
        }
    )
    assert told.lines == ("A B: c: one two\ufffd", f"{'x' * 80}: 1", "2")
    assert (told.assignee, told.due, told.state, told.whole) == (None, "", None, False)


# Written down before the first run.
ASSIGNEES = [
    ("Owner", True), ("owner", True), ("Assignee", True), ("Assigned to", True), ("Assign", True), ("DRI", True),
    ("Person in charge", True), ("Responsible", True), ("담당", True), ("담당자", True), ("책임자", True), ("👤 담당자", True),
    ("담당자 (Owner)", True), ("Task owner", True), ("Project Owner", True), ("업무 담당자", True), ("영업담당자", True),
    ("Owner(s)", True), ("오너", True), ("PIC", True),
    ("Person", False), ("Reviewer", False), ("Requested by", False), ("Attendees", False), ("Previous owner", False),
    ("이전 담당자", False), ("전 담당자", False), ("부담당자", False), ("Co-owner", False), ("요청자", False), ("승인자", False),
    ("Backup owner", False), ("담당 부서", False), ("Owner's manager", False), ("참석자", False), ("", False), ("🙂", False),
]  # fmt: skip
DUES = [
    ("Due", True), ("Due date", True), ("Due Date", True), ("due_date", True), ("Deadline", True), ("DueDate", True), ("마감", True),
    ("마감일", True), ("마감 일자", True), ("기한", True), ("📅 마감일", True), ("제출 마감", True), ("제출기한", True), ("납기", True),
    ("납기일", True), ("Submission deadline", True), ("Invoice due date", True), ("Due (KST)", True), ("데드라인", True),
    ("Date", False), ("Start date", False), ("Original due date", False), ("유통기한", False), ("보존 기한", False),
    ("Previous deadline", False), ("기존 마감일", False), ("Due diligence", False), ("일정", False), ("완료일", False),
    ("작성일", False), ("계약 기간", False), ("Overdue", False), ("마감 후 조치", False), ("시작일", False),
]  # fmt: skip
STATES = [
    ("Not started", State.OPEN), ("In progress", State.OPEN), ("Done", State.DONE), ("시작 전", State.OPEN),
    ("진행 중", State.OPEN), ("완료", State.DONE), ("Done 🙌", State.DONE), ("✅ Complete", State.DONE), ("To-do", State.OPEN),
    ("To Do", State.OPEN), ("Backlog", State.OPEN), ("In review", State.OPEN), ("검토중", State.OPEN), ("보류", State.OPEN),
    ("Canceled", State.DONE), ("취소", State.DONE), ("Archived", State.DONE), ("배포 완료", State.DONE), ("1. 대기", State.OPEN),
    ("Blocked", State.OPEN), ("할 일", State.OPEN), ("Closed", State.DONE), ("Shipped", State.DONE), ("승인 대기", State.OPEN),
    ("미완료", State.OPEN), ("On hold", State.OPEN), ("완료 예정", State.OPEN), ("작업완료", State.DONE), ("Waiting for parts", State.OPEN),
    ("Live", None), ("승인", None), ("High", None), ("Blue", None), ("Idea", None), ("반려", None), ("Not applicable", None),
    ("", None), ("🙂", None), ("개발", None), ("안전", None),
]  # fmt: skip


# Written down after the first list was all right, and before it was run.
SECOND_ASSIGNEES = [
    ("Owned by", True), ("Task Owner 👑", True), ("Ticket assignee", True), ("담당자명", True), ("프로젝트 오너", True),
    ("주담당", True), ("주 담당자", True), ("Lead owner", True), ("실무 담당", True), ("책임", True), ("총괄 책임자", True),
    ("People in charge", True), ("Responsible person", True), ("Process owner", True), ("작업 담당", True),
    ("Assignee / 담당자", True), ("담당자(정)", True), ("Account Owner", True), ("assigned_to", True), ("AssignedTo", True),
    ("담당자(부)", False), ("Created by", False), ("작성자", False), ("Former owner", False), ("기존 담당자", False),
    ("후임 담당자", False), ("Watchers", False), ("Interviewer", False), ("공유 대상", False), ("검토자", False),
    ("New owner", False), ("Secondary owner", False), ("Approver", False), ("Past owners", False), ("Home", False),
    ("대리인", False), ("Author", False), ("발표자", False), ("담당 업무", False), ("Assigned by", False),
    ("Not assigned", False),
]  # fmt: skip
SECOND_DUES = [
    ("Due by", True), ("Final deadline", True), ("Payment due date", True), ("Target due date", True),
    ("Date due", True), ("마감날짜", True), ("신청 마감일", True), ("처리기한", True), ("회신 기한", True), ("납품 기한", True),
    ("최종 마감", True), ("접수 마감", True), ("Deadline (draft)", True), ("⏰ Deadline", True), ("dueDate", True),
    ("Due on", True), ("납부 기한", True), ("작업 마감일", True), ("응답기한", True), ("Application deadline", True),
    ("Launch", False), ("Published", False), ("출시일", False), ("발행일", False), ("Renewal date", False), ("갱신일", False),
    ("만료일", False), ("Expiry date", False), ("유효 기한", False), ("보증 기한", False), ("Past due date", False),
    ("Initial deadline", False), ("원래 기한", False), ("당초 마감일", False), ("Hired on", False), ("Residue", False),
    ("생일", False), ("사용기한", False), ("Deadline reminder", False), ("마감 시작", False),
]  # fmt: skip
SECOND_STATES = [
    ("Planning", None), ("Planned", State.OPEN), ("Doing", State.OPEN), ("In Progress 🚧", State.OPEN),
    ("In QA", State.OPEN), ("Ready for review", State.OPEN), ("Ready to ship", State.OPEN),
    ("Under review", State.OPEN), ("Needs info", State.OPEN), ("Awaiting approval", State.OPEN),
    ("Paused", State.OPEN), ("Reopened", State.OPEN), ("Next up", State.OPEN), ("Cancelled", State.DONE),
    ("Won't do", State.DONE), ("Won’t fix", State.DONE), ("Duplicate", State.DONE), ("Released", State.DONE),
    ("Published", State.DONE), ("Resolved", State.DONE), ("Completed ✅", State.DONE), ("Finished", State.DONE),
    ("Paid", State.DONE), ("Delivered", State.DONE), ("진행중", State.OPEN), ("검토 중", State.OPEN), ("작업 대기", State.OPEN),
    ("착수 전", State.OPEN), ("협의중", State.OPEN), ("수정 필요", State.OPEN), ("접수됨", State.OPEN), ("지연", State.OPEN),
    ("처리 중", State.OPEN), ("백로그", State.OPEN), ("미처리", State.OPEN), ("확인 필요", State.OPEN), ("리뷰중", State.OPEN),
    ("완료됨", State.DONE), ("종료", State.DONE), ("해결", State.DONE), ("해결됨", State.DONE), ("취소됨", State.DONE),
    ("출시 완료", State.DONE), ("발행 완료", State.DONE), ("납품완료", State.DONE), ("폐기", State.DONE), ("중복", State.DONE),
    ("끝", State.DONE), ("게시됨", State.DONE), ("Active", State.OPEN), ("Draft", None), ("Approved", None),
    ("Healthy", None), ("VIP", None), ("승인됨", None), ("초안", None), ("정상", None), ("우수", None), ("반려됨", None),
    ("계약", None), ("Lead", None), ("서울", None), ("Rejected", None), ("Not needed", None), ("Yes", None), ("오전", None),
    ("내부용", None), ("In production", None), ("Unknown", None), ("집중", None), ("기타", None),
]  # fmt: skip


@pytest.mark.parametrize(("name", "says"), [*ASSIGNEES, *SECOND_ASSIGNEES])
def test_whose_it_is_is_said_by_names_of_columns(name: str, *, says: bool) -> None:
    assert (ASSIGNEE.fits(name) != NOT_AT_ALL) is says


@pytest.mark.parametrize(("name", "says"), [*DUES, *SECOND_DUES])
def test_by_when_is_said_by_names_of_columns(name: str, *, says: bool) -> None:
    assert (DUE.fits(name) != NOT_AT_ALL) is says


@pytest.mark.parametrize(("said", "state"), [*STATES, *SECOND_STATES])
def test_how_it_stands_is_said_by_the_words_of_trackers(said: str, state: State | None) -> None:
    assert state_of(said) is state


def test_long_names_and_states_are_read_in_part() -> None:
    assert ASSIGNEE.fits("(" * 100_000 + "owner") == NOT_AT_ALL
    assert state_of("검" * 100_000 + " 중") is None
    assert STATUS.fits("상태") == EXACT


def test_whose_it_is_by_when_and_how_it_stands() -> None:
    told = read_properties(
        {
            "Reviewer": prop("people", [user("김민수", 2)]),
            "담당자": prop("people", [user("Dana Fox")]),
            "시작일": prop("date", day("2026-11-01")),
            "마감일": prop("date", day("2026-12-01", "2026-12-05")),
            "Stage": prop("status", choice("In review")),
            "Status": prop("select", choice("Done")),
        }
    )
    assert told.assignee is not None
    assert (told.assignee.name, told.assignees, told.due) == ("Dana Fox", ("Dana Fox",), "2026-12-05")
    assert (told.status, told.state) == ("In review", State.OPEN)


def test_a_choice_called_status_is_one_and_an_unknown_word_is_no_state() -> None:
    assert read_properties({"상태": prop("select", choice("진행 중"))}).state is State.OPEN
    told = read_properties({"Status": prop("select", choice("Live")), "Priority": prop("select", choice("Done"))})
    assert (told.status, told.state) == ("Live", None)


def test_of_two_that_say_so_with_more_words_none_stands_for_the_other() -> None:
    both = {"Sales owner": prop("people", [user("Dana Fox")]), "Design owner": prop("people", [user("김민수", 2)])}
    assert read_properties(both).assignee is None
    exact = read_properties({**both, "Owner": prop("people", [user("박서연", 3)])}).assignee
    assert exact is not None
    assert exact.name == "박서연"
    dues = {"Invoice due date": prop("date", day("2026-12-01")), "신청 마감": prop("date", day("2026-12-02"))}
    assert read_properties(dues).due == ""
    states = {"Design": prop("status", choice("Done")), "Build": prop("status", choice("Not started"))}
    assert read_properties(states).state is None


def test_a_day_is_also_what_a_formula_makes_and_never_words() -> None:
    formula = {"type": "date", "date": day("2026-12-01T18:00:00.000+09:00")}
    assert read_properties({"Deadline": prop("formula", formula)}).due == "2026-12-01T18:00:00.000+09:00"
    assert read_properties({"Deadline": prop("rich_text", runs("2026-12-01"))}).due == ""
    assert read_properties({"Deadline": prop("formula", {"type": "string", "string": "2026-12-01"})}).due == ""


def source(**settings: object) -> NotionSource:
    return NotionSource("notion", NotionSettings.model_validate({"kind": "notion", "token": "ntn_x", **settings}))


def found(**properties: object) -> Reply:
    page = {"object": "page", "id": "59833787-2cf9-4fdf-8782-e53db20768a5", "properties": properties}
    return Reply(200, {"results": [page]})


def markdown(text: str) -> Reply:
    return Reply(200, {"markdown": text, "truncated": False, "unknown_block_ids": []})


def test_lines_stand_before_the_text_however_often_it_is_read() -> None:
    notion = source()
    head = notion.parse(found(Owner=prop("people", [user("Dana Fox")]), Due=prop("date", day("2026-12-01"))))
    assert (head.hits[0].snippet, head.hits[0].complete) == ("Owner: Dana Fox\nDue: 2026-12-01", False)
    read = notion.enrich(head, [markdown("Signed.")])
    again = notion.enrich(read, [markdown("Signed.")])
    for page in (read, again):
        hit = page.hits[0]
        assert (hit.snippet, hit.complete) == ("Owner: Dana Fox\nDue: 2026-12-01\n\nSigned.", True)
    assert read.hits[0].due == date(2026, 12, 1)
    empty = notion.enrich(head, [markdown("")]).hits[0]
    assert (empty.snippet, empty.complete) == ("Owner: Dana Fox\nDue: 2026-12-01", True)


def test_a_page_is_whole_only_with_all_of_its_properties() -> None:
    related = found(Owner=prop("people", [user("Dana Fox")]), Related=prop("relation", [{"id": "x"}]))
    assert not source().enrich(source().parse(related), [markdown("Signed.")]).hits[0].complete
    short = source(max_text=20)
    kept = short.enrich(short.parse(found(Owner=prop("people", [user("Dana Fox")]))), [markdown("Signed.")]).hits[0]
    assert (kept.snippet, kept.complete) == ("Owner: Dana Fox\n\nSig", False)


def test_whose_a_page_is_to_do_can_be_checked() -> None:
    dana, other = (
        Compare(Field.ASSIGNEE, Op.EQ, Person("Dana Fox")),
        Compare(Field.ASSIGNEE, Op.EQ, Person("Lee Grant")),
    )
    owned = source().parse(found(Owner=prop("people", [user("Dana Fox")]))).hits[0]
    nobodys = source().parse(found(Owner=prop("people", []), Due=prop("date", day("2026-12-01")))).hits[0]
    shared = source().parse(found(Owner=prop("people", [user("Dana Fox"), user("김민수", 2)]))).hits[0]
    unknown = source().parse(Reply(200, {"results": [{"object": "page", "id": "0" * 32}]})).hits[0]
    assert [matches(dana, each) for each in (owned, nobodys, shared, unknown)] == [True, None, None, None]
    assert matches(other, owned) is False
