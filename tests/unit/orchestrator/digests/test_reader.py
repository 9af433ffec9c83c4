"""Whom a digest is for: by which names the sources call them, what was asked of them and what they promised."""

from dataclasses import replace

from orchestrator.digests.content import SectionKind as Part
from orchestrator.digests.content import Why
from orchestrator.digests.message import message_of
from tests.rows import each_row
from tests.unit.orchestrator.digests.digesting import digest_of, issue, mail, said, section
from translators.query import Container, Person, State


@each_row(
    "hit",
    [
        mail("Hi Jihyun,\n\ncould you send me one slide by Monday, with the risks?", to=("Jihyun Park",)),
        said("Hey Jihyun, who takes the rollback tonight?"),
        said("지현님 롤백은 누가 담당하나요?"),
        said("@jihyun.park 롤백은 누가 담당하나요?"),
    ],
)
def test_what_is_asked_of_somebody_else_is_no_open_question_to_the_reader(hit):
    known = said("박지현입니다, 출근했습니다.", 77, "박지현", container=Container("general"))
    assert section(digest_of(hit, known, whom=["김민수"]), Part.ACTIONS) == ()
    (asked,) = section(digest_of(hit, whom=["박지현", "Jihyun Park", "jihyun.park@acme.example"]), Part.ACTIONS)
    assert asked.why in {Why.REQUEST, Why.QUESTION}


def test_a_question_to_nobody_is_nobodys_to_do():
    asked = said("롤백은 누가 담당하나요?")
    for whom in ((), ("박지현",)):
        shown = message_of(digest_of(asked, whom=whom)).plain
        assert ("답이 없는 질문" in shown, "해야 할 일" in shown) == (True, False)
    assert section(digest_of(asked, whom=["박지현"], mine=True), Part.ACTIONS) == ()
    both = message_of(digest_of(asked, issue("PAY-1", "안내문", "박지현"))).plain
    assert both.index("해야 할 일") < both.index("PAY-1") < both.index("답이 없는 질문") < both.index("롤백은")


@each_row(
    ("text", "known"),
    [("PAY-153 리뷰 부탁드립니다 @minsu.kim", True), ("@minsu.kim님 확인 부탁드립니다", True), ("리뷰 부탁드립니다 @U01KMS0A1", True),
     ("리뷰 부탁드립니다 @minsu.kim2", False)],
)  # fmt: skip
def test_the_reader_is_known_by_what_the_sources_call_them(text, known):
    """The name is the settings'; the address and the id come with the things at hand."""
    theirs = replace(
        issue("PAY-2", "헤더 추가"), assignee=Person("김민수", "u-1", "minsu.kim@acme.example"), state=State.DONE
    )
    spoke = replace(said("출근했습니다, 오늘은 헤더 작업을 합니다", 5), author=Person("김민수", "U01KMS0A1"))
    entries = section(
        digest_of(said(text, 6, "한소라", container=Container("정산")), theirs, spoke, whom=["김민수"]), Part.ACTIONS
    )
    assert bool(entries) is known
    assert not known or "U01KMS0A1" not in entries[0].text


@each_row("text", ["한국어판은 제가 금요일까지 번역할게요.", "I'll translate the Korean version by Friday."])
def test_what_the_reader_promised_is_theirs_to_do(text):
    thread = {"facts": {"channel_id": "C1", "thread_ts": "7"}}
    digest = digest_of(said(text, 1, "박지현", **thread), issue("PAY-7", "웹훅 서명 오류"))
    (entry,) = section(digest, Part.ACTIONS)
    assert (entry.why, entry.text) == (Why.PROMISED, text)
    assert section(digest_of(said(text, 1, "김민수")), Part.ACTIONS) == ()


@each_row(
    "text",
    [
        "확인해 볼게요, 감사합니다.",
        "알겠습니다, 내일 뵙겠습니다만 모르겠습니다.",
        "I'll take a look.",
        "내일까지 누가 할게요라고 했나요?",
    ],
)
def test_a_courtesy_is_no_promise(text):
    assert not any(each.why is Why.PROMISED for each in section(digest_of(said(text, 1, "박지현")), Part.ACTIONS))


def test_an_address_that_many_share_makes_nobody_the_reader():
    service = [
        replace(said(f"오늘 {n}번째 문의를 처리했습니다", 20 + n), author=Person(name, None, "help@acme.example"))
        for n, name in enumerate(("김민수", "이도현", "서민지", "한소라"))
    ]
    digest = digest_of(
        *service, said("이도현 님이 그 건을 압니다.", 40, "최서연", container=Container("x")), whom=["김민수"]
    )
    assert section(digest, Part.MENTIONS) == ()
    own = replace(service[0], author=Person("김민수", None, "minsu@acme.example"))
    other = replace(service[1], author=Person("Minsu Kim", None, "minsu@acme.example"))
    digest = digest_of(
        own, other, said("Minsu Kim knows about that.", 40, "최서연", container=Container("x")), whom=["김민수"]
    )
    assert len(section(digest, Part.MENTIONS)) == 1
