"""What is one matter, what says little, and what is decided, in both languages."""

from dataclasses import replace
from datetime import timedelta

from connectors.contract import Hit
from orchestrator.digests.content import SectionKind as Part
from orchestrator.digests.message import message_of
from tests.rows import each_row
from tests.unit.orchestrator.digests.digesting import DAY, NOW, digest_of, issue, mail, page, said, section
from translators.query import Container, Kind, State


def later(minutes, text, number, author="김민수", **more):
    return said(text, number, author, created=NOW - timedelta(hours=9) + timedelta(minutes=minutes), **more)


def test_pieces_of_work_stay_apart_however_people_speak_of_them():
    """A standup names many; what speaks of one joins it, and the thread around does not join the works."""
    digest = digest_of(
        issue("PAY-149", "v2 부하 테스트 1,000 TPS"),
        issue("PAY-132", "연결 풀 포화 알림"),
        issue("PAY-153", "정산 파일 인코딩"),
        later(0, "v2 부하 테스트(PAY-149)가 막혔습니다. 노드 쿼터가 부족합니다.", 1),
        later(60, "어제: 부하 테스트 스크립트, 오늘: PAY-132 리뷰, 막힌 것: PAY-149", 2, facts={"thread_ts": "7"}),
        later(61, "어제: cp949 파서, 오늘: PAY-153 리뷰 대응", 3, "이도현", facts={"thread_ts": "7"}),
    )
    entries = {entry.origin.id: entry for entry in section(digest, Part.UPDATES)}
    assert {"PAY-149", "PAY-132", "PAY-153"} <= entries.keys()
    assert [place.source for place in entries["PAY-149"].also] == ["slack"]
    assert entries["PAY-132"].also == ()


def test_talk_without_threads_is_told_by_conversations():
    talk = [
        later(0, "Hi team, several customers report that exports time out after the last release.", 1, "Ann"),
        later(4, "Thanks for the update, Ann!", 2, "Bob"),
        later(9, "The export worker runs out of memory when a report has images.", 3, "Cho"),
        later(12, "Awesome, thanks everyone!", 4, "Ann"),
        later(180, "The new office plants arrive on Thursday morning.", 5, "Dan"),
    ]
    digest = digest_of(*talk, language="en")
    updates = section(digest, Part.UPDATES)
    assert [(each.origin.id, each.count) for each in updates] == [("1", 4), ("5", 1)]
    assert (digest.events, digest.matters) == (5, 2)
    apart = digest_of(*(replace(each, container=Container(str(at))) for at, each in enumerate(talk)), language="en")
    assert apart.matters == 5, "what is said elsewhere is another conversation"


def test_a_decision_within_a_conversation_is_told_by_itself():
    talk = [
        later(0, "배포 순서를 이야기해 봅시다", 1),
        later(2, "배포는 12월 7일 월요일에 하기로 확정했습니다.", 2, "박지현"),
        later(3, "새 대시보드 주소는 위키에 적어 두었습니다", 3),
    ]
    digest = digest_of(*talk)
    assert [each.origin.id for each in section(digest, Part.DECISIONS)] == ["2"]
    assert [each.count for each in section(digest, Part.UPDATES)] == [2]


@each_row(
    "text",
    ["Thanks for the update, Ian.", "Awesome teamwork, everyone!", "Hey @U3SWKO352LZ, I'll review it too.", "All set from my side, approved!",
     "감사합니다 Priya님.", "네, 알겠습니다!", "확인했습니다. 수고하셨습니다."],
)  # fmt: skip
def test_courtesy_is_counted_and_not_told_in_a_weekly_digest(text):
    digest = digest_of(said(text), issue("PAY-8", "결제 실패 급증"), period="weekly")
    shown = [entry.text for each in digest.sections for entry in each.entries]
    assert shown == ["PAY-8 결제 실패 급증"]
    assert digest.matters == 2


@each_row(
    "text",
    ["Thanks to the new index, search answers in 80 ms instead of two seconds.", "감사합니다만 배포 일정은 다음 주로 미뤄졌습니다.",
     "Sure, the PR was created to improve the dashboard for partners."],
)  # fmt: skip
def test_what_begins_politely_and_goes_on_is_told(text):
    digest = digest_of(said(text), period="weekly")
    assert [entry.text for each in digest.sections for entry in each.entries] == [text]


@each_row(
    "text",
    ["The dashboards give rapid insights and improve decision-making at the edge.", "Real-time data helps account teams make timely decisions.",
     "You can check the details in the approved PR for the exporter.", "It's crucial that everything is clear and approved.",
     "이 보고서는 경영진의 의사결정을 돕는 자료로 쓰입니다."],
)  # fmt: skip
def test_what_only_speaks_of_deciding_is_no_decision(text):
    assert section(digest_of(said(text)), Part.DECISIONS) == ()


@each_row(
    "text",
    ["The decision was made to optimize our existing setup.", "We approved the budget for the load test.", "의사결정 회의에서 12월 7일 시작으로 확정했습니다."],
)  # fmt: skip
def test_what_states_a_decision_is_one(text):
    assert [entry.text for entry in section(digest_of(said(text)), Part.DECISIONS)] == [text]


def test_what_was_decided_goes_before_what_was_merely_approved():
    approved = [issue(f"PR-{number}", f"Approved: change number {number}", state=State.DONE) for number in range(9)]
    decided = said("We decided to move the launch to 7 December.", 99)
    digest = digest_of(*approved, decided, period="weekly", language="en")
    decisions = section(digest, Part.DECISIONS)
    assert decisions[0].origin.id == "99"


def test_the_sources_counts_add_up_to_the_whole():
    shell = Hit(
        "notion", "db", Kind.DATABASE, "API v2", "https://www.notion.so/db", "", False, updated=NOW - timedelta(hours=1)
    )
    digest = digest_of(page("Spec"), shell, said("배포를 시작합니다"))
    assert {each.source: each.events for each in digest.coverage} == {"notion": 1, "slack": 1}
    assert digest.events == 2


# ---- what is decided, and how often it is told


@each_row(
    "text", ["OK with a time-boxed exception until 31 January, behind the VPN.", "그럼 두 번째 안으로 진행하시죠."]
)
def test_consent_that_says_to_what_is_a_decision(text):
    assert [entry.text for entry in section(digest_of(said(text)), Part.DECISIONS)] == [text]


@each_row(
    "text", ["OK with me.", "Would you be OK with an exception until January?", "We might go ahead with the exception."]
)
def test_consent_to_nothing_or_with_a_doubt_is_none(text):
    assert section(digest_of(said(text)), Part.DECISIONS) == ()


def test_what_may_be_done_and_what_a_draft_says_is_not_decided():
    new = {"created": NOW - DAY}
    guide = page(
        "Merchant guide", "## Moving from v1 to v2\nYou can move between 7 December 2026 and 26 February 2027.", **new
    )
    korean = page("가맹점 안내", "## 변경 일정\n12월 7일부터 옮길 수 있습니다.", **new)
    draft = page("Merchant guide (draft)", "We decided to move everybody on 7 December 2026.", **new)
    for each in (guide, korean, draft):
        assert section(digest_of(each), Part.DECISIONS) == (), each.title
    assert section(digest_of(replace(draft, title="Merchant guide")), Part.DECISIONS)


def test_one_sentence_in_two_places_is_told_once():
    text = "사무실 이전이 11월 28일에서 12월 12일로 연기되었습니다."
    first = said(text, created=NOW - timedelta(hours=5), author="Hannah Lee")
    second = mail(
        f"{text}\n\n"
        + "Please pack your desks, labels are at the reception, and hand in the keys of your lockers. " * 3,
        author="Hannah Lee",
    )
    digest = digest_of(first, second)
    (entry,) = section(digest, Part.DECISIONS)
    assert (entry.origin.source, [each.source for each in entry.also], entry.count) == ("slack", ["gmail"], 2)
    assert (digest.events, digest.matters) == (2, 1)


def test_what_is_not_shown_is_said_to_be_where_it_is():
    talk = [
        said(f"잡담 {n} {n * 7919}", n, container=Container("random"), created=NOW - timedelta(hours=2 + n))
        for n in range(9)
    ]
    digest = digest_of(*talk, period="weekly")
    (updates,) = (each for each in digest.sections if each.kind is Part.UPDATES)
    left = sum(group.left for group in updates.groups)
    assert left > 0
    assert sum(count for group in updates.groups for _, count in group.where) == left
    assert f"외 {left}건: Slack random {left}건" in message_of(digest).plain
