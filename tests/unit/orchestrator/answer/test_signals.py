"""What sounds like an answer of each type."""

from __future__ import annotations

from orchestrator.answer.signals import (
    AMOUNT,
    BLOCKED,
    CHANGED,
    COUNT,
    HEDGED,
    LONG,
    NEGATED,
    REASON,
    asks_when_it_was,
    counted,
    signals,
    wanted_beside,
    wants_first,
)
from tests.rows import each_row
from translators.query import QueryType

YES = [
    (QueryType.DECISION, "REST로 가기로 했습니다"),
    (QueryType.DECISION, "3월 24일로 확정합니다."),
    (QueryType.DECISION, "시작일을 12월 7일로 변경"),
    (QueryType.DECISION, "We have decided to use REST."),
    (QueryType.DECISION, "Let’s go with option B"),
    (QueryType.DECISION, "The budget was approved on Monday."),
    (QueryType.DECISION, "출시일을 11월 3일로 미룹니다."),
    (QueryType.DECISION, "출시일은 11월 12일로 한 번 더 조정합니다."),
    (QueryType.DECISION, "The launch is postponed to 12 April."),
    (QueryType.DECISION, "동결 때문에 시작일을 12월 7일로 변경합니다."),
    (QueryType.DECISION, "다음 주에 번역하기로 했습니다"),
    (QueryType.STATUS, "14/18 완료, 하나는 막혀 있습니다"),
    (QueryType.STATUS, "The rewrite is at 80 %."),
    (QueryType.STATUS, "Still blocked on review"),
    (QueryType.STATUS, "19/21명 등록"),
    (QueryType.PERSON, "담당자는 김민수입니다"),
    (QueryType.PERSON, "Owner: Sarah Kim"),
    (QueryType.TEMPORAL, "11월 12일에 출시했습니다"),
    (QueryType.TEMPORAL, "Released on Jan 15"),
    (QueryType.TEMPORAL, "다음 주 화요일 오후 3시"),
    (QueryType.TEMPORAL, "49주차로 고칩니다"),
    (QueryType.TEMPORAL, "We load in week 49"),
    (QueryType.TEMPORAL, "The empties go on Thursdays now"),
    (QueryType.TEMPORAL, "North pier | Thu | ~~Tue~~"),
    (QueryType.TEMPORAL, "빈 상자는 매주 목 오후에 가져갑니다"),
    (QueryType.TEMPORAL, "수영장은 4/18에 열어요"),
    (QueryType.TEMPORAL, "가마는 27일 같은 시간에 켭니다"),
    (QueryType.TEMPORAL, "물때는 9일로 하죠"),
    (QueryType.TEMPORAL, "개관이 2주 밀립니다"),
    (QueryType.TEMPORAL, "점검은 한 주 뒤로"),
    (QueryType.TEMPORAL, "The kiln is fired two weeks later"),
    (QueryType.FACTUAL, "최대 5일까지 이월"),
    (QueryType.FACTUAL, "Passwords must change"),
]
NO = [
    (QueryType.DECISION, "무엇을 결정했나요?"),
    (QueryType.DECISION, "아직 결정되지 않았습니다"),
    (QueryType.DECISION, "결정이 필요합니다"),
    (QueryType.DECISION, "Have we decided yet?"),
    (QueryType.DECISION, "We have not decided on this"),
    (QueryType.DECISION, "The date is to be decided"),
    (QueryType.DECISION, "색은 원장님 결정을 기다리고 있습니다"),
    (QueryType.DECISION, "자판기: 결론 없음"),
    (QueryType.DECISION, "The colour is waiting for the director's decision"),
    (QueryType.DECISION, "점심 먹으러 갑니다"),
    (QueryType.DECISION, "The proposal was approved by nobody: somebody thinks we agreed."),
    (QueryType.DECISION, "일정을 바꾸면 어떨까 합니다"),
    (QueryType.DECISION, "지현님이 번역하기로 한 문서입니다"),
    (QueryType.DECISION, "Norvale의 변경 동결(12월 4일까지) 때문."),
    (QueryType.DECISION, "변경 이력은 12월 4일 문서에 있습니다"),
    (QueryType.DECISION, "We cannot start moving on 16 November."),
    (QueryType.TEMPORAL, "Somebody thinks the fee begins on 1 December because of the old deck."),
    (QueryType.FACTUAL, "asked to join the D+1 pilot, see PAY-151"),
    (QueryType.STATUS, "hello there"),
    (QueryType.STATUS, "11/30 일정"),
    (QueryType.PERSON, "좋은 아침입니다"),
    (QueryType.TEMPORAL, "곧 출시합니다"),
    (QueryType.TEMPORAL, "영수증은 3일 안에"),
    (QueryType.TEMPORAL, "10일간 말립니다"),
    (QueryType.TEMPORAL, "등록 41/44명"),
    (QueryType.TEMPORAL, "3/4명이 왔어요"),
    (QueryType.FACTUAL, "좋은 질문이네요"),
    (QueryType.DOCUMENT, "the spec"),
    (QueryType.EXPLORATORY, "decided 12월 1일"),
]


@each_row(("kind", "sentence"), YES)
def test_it_sounds_like_the_answer(kind: QueryType, sentence: str) -> None:
    assert signals(kind, sentence)


@each_row(("kind", "sentence"), NO)
def test_it_does_not_sound_like_the_answer(kind: QueryType, sentence: str) -> None:
    assert not signals(kind, sentence)


def test_a_change_is_recognised_in_both_languages() -> None:
    assert CHANGED.search("결정을 번복합니다")
    assert CHANGED.search("We use REST instead.")
    assert not CHANGED.search("We use REST. REST를 씁니다")
    assert not CHANGED.search("the change freeze, 변경 동결")
    assert CHANGED.search("시작일 변경 (3월)")
    assert all(
        CHANGED.search(said)
        for said in (
            "1월로 미룰게요",
            "장소 바꿀게요",
            "금요일로 옮길게요",
            "27일로 다시 잡았습니다",
            "개관이 밀렸어요",
            "또 밀림",
            "이틀 더 늦게",
            "one week later",
        )
    )
    assert not any(CHANGED.search(said) for said in ("12밀리미터", "밀가루", "later this week"))
    assert not any(CHANGED.search(said) for said in ("다시 자료 드려요", "옮은 감기", "바퀴가 미끄러웠다"))


@each_row(
    ("question", "count", "first"),
    [
        ("how many payments failed?", True, False),
        ("실패한 결제 몇 건", True, False),
        ("초판 몇 부 찍어?", True, False),
        ("몇 부터 세어?", False, False),
        ("몇 시에 시작해?", False, False),
        ("the phone number of Hannah", False, False),
        ("when was Norvale first mentioned?", False, True),
        ("처음으로 PG17 이야기가 나온 게 언제야", False, True),
        ("when is the first release", False, False),
        ("처음 화면 디자인 언제 나와", False, True),
    ],
)
def test_a_question_for_a_count_or_for_the_first(question: str, count: bool, first: bool) -> None:
    assert (wanted_beside(question) == "count", wants_first(question)) == (count, first)


@each_row(
    ("text", "tells"),
    [
        ("공사비가 189억이 됐습니다", True),
        ("자작 2억 4천입니다", True),
        ("증가분은 약 31만 유로입니다", True),
        ("first prize: 90 million won", True),
        ("12k EUR", True),
        ("got it, invoice says 640. no plant", True),
        ("we paid 1,480", True),
        ("they quoted 95k, and deliver in May", True),
        ("we paid on 12 May", False),
        ("invoice 2231 from the printer", False),
        ("가입자 5억 명", False),
        ("장서는 11만 권", False),
        ("1억 년 전", False),
    ],
)
def test_an_amount_is_of_money(text: str, tells: bool) -> None:
    assert bool(AMOUNT.search(text)) is tells


@each_row(
    ("text", "tells"),
    [
        ("since we changed the seal it is dry", True),
        ("the crate sits in Hamburg since Friday", False),
        ("closed since March", False),
        ("nothing since yesterday", False),
    ],
)
def test_since_a_day_is_no_reason(text: str, tells: bool) -> None:
    assert bool(REASON.search(text)) is tells


@each_row(
    ("text", "tells"),
    [
        ("납기가 24주로 늘었대요", True),
        ("구조계산서는 10년 보관한다", True),
        ("사흘이 아니라 5일까지", True),
        ("승강기 | 11월 2일 | 12월 18일", False),
        ("2027년 4월", False),
        ("2026년 계획", False),
    ],
)
def test_a_stretch_of_time_is_no_day(text: str, tells: bool) -> None:
    assert bool(LONG.search(text)) is tells


@each_row(
    ("text", "decided"),
    [
        ("그럼 B안으로 갑니다.", True),
        ("2위인 경주로 가겠습니다", True),
        ("3등급으로 갑시다", True),
        ("외장은 테라코타로 바꿉니다", True),
        ("앞으로 하겠습니다", False),
        ("새로 합니다", False),
        ("We went with the oak.", True),
        ("The oak was chosen.", True),
    ],
)
def test_who_says_what_it_will_be_has_decided(text: str, decided: bool) -> None:
    assert signals(QueryType.DECISION, text) is decided


@each_row(
    ("question", "words", "thing"),
    [
        ("how many flats does Larch have", ("Larch", "flats"), "flats"),
        ("워크숍 참가자 몇 명이에요", ("워크숍", "참가자"), "참가자"),
        ("how many did you see", ("Larch",), ""),
        ("what does it cost", ("cost",), ""),
    ],
)
def test_what_is_counted_stands_beside_how_many(question: str, words: tuple[str, ...], thing: str) -> None:
    assert counted(question, words) == thing


@each_row(
    ("text", "counts"),
    [
        ("412 declined orders", True),
        ("결제 3,120건이 실패", True),
        ("세 곳으로 확정", True),
        ("three partners", True),
        ("오늘 14시 12분부터", False),
        ("on 18 November at 14:12 KST", False),
        ("PAY-151 and v2.14 are done", False),
        ("10월 6일에", False),
        ("총 15석입니다", True),
        ("애들 두명만 된대요", True),
        ("호두개수", False),
        ("장서는 11만 권", True),
        ("paid stage 3 yesterday", False),
        ("5 Rescue boat without a test", False),
        ("Seats: ~~24~~ 30", True),
        ("| capacity | 120 |", True),
        ("정원 24", True),
        ("수량: 200", True),
        ("인원 점검 12월", False),
        ("참석 12월 3일", False),
    ],
)
def test_a_count_is_a_number_of_something(text: str, counts: bool) -> None:
    assert bool(COUNT.search(text)) is counts


@each_row(
    "text",
    ["REST, not GraphQL", "We won't do it", "rejected", "안 합니다", "하지 않기로", "불가합니다", "취소되었습니다"],
)
def test_a_negation_is_recognised(text: str) -> None:
    assert NEGATED.search(f" {text}")


@each_row("text", ["a notable thing", "the canopy", "안내 메일", "안전 점검", "Nottingham"])
def test_what_only_looks_like_one_is_none(text: str) -> None:
    assert not NEGATED.search(f" {text}")


@each_row("text", ["Shall we go?", "we might", "a proposed change", "검토 중", "아직 미정", "할까요"])
def test_doubt_is_recognised(text: str) -> None:
    assert HEDGED.search(text)


def test_a_day_until_which_is_no_doubt() -> None:
    assert HEDGED.search("누구일까")
    assert not HEDGED.search("12월 4일까지 동결")


def test_being_blocked_is_recognised_in_both_languages() -> None:
    assert BLOCKED.search("Rollout is blocked")
    assert BLOCKED.search("파일럿이 막혀 있습니다")
    assert not BLOCKED.search("the block list")


@each_row(
    ("question", "wanted"),
    [
        ("What do guards get per hour now?", "amount"),
        ("what did we pay for the lift", "amount"),
        ("경비원 시급은 몇 천 원이에요", "amount"),
        ("알바 시급이 뭐야?", "amount"),
        ("What do guards do at night?", ""),
        ("What does the clinic open with?", ""),
    ],
)
def test_what_somebody_gets_or_pays_is_an_amount(question: str, wanted: str) -> None:
    assert wanted_beside(question) == wanted


@each_row(
    ("question", "asked"),
    [
        ("허가 신청 접수한 날짜가?", True),
        ("계약서 받은 날은 언제야", True),
        ("마감할 날짜가?", False),
        ("복잡한 날씨", False),
    ],
)
def test_a_day_on_which_something_was_done_lies_behind(question: str, asked: bool) -> None:
    assert asks_when_it_was(question) is asked


def test_what_is_being_held_up_is_blocked() -> None:
    assert BLOCKED.search("출시를 막고 있는 이슈가 뭐야?")


@each_row(
    ("sentence", "tells"),
    [
        ("원인: 팬 커넥터가 덜 끼워짐", True),
        ("원인은 팬이었습니다.", True),
        ("원인 나올 때까지 충전 상한은 80%입니다.", False),
        ("원인이 밝혀질 때까지 멈춥니다.", False),
        ("아직 원인 모릅니다.", False),
    ],
)
def test_a_cause_that_is_not_known_is_no_reason(sentence: str, tells: bool) -> None:
    assert (REASON.search(sentence) is not None) is tells


@each_row(
    ("question", "wanted"),
    [
        ("by when do we have to say how many come to the lunch", ""),
        ("until when must the tutors tell how much they need", ""),
        ("언제까지 몇 명인지 알려줘야 해요", ""),
        ("how many come to the lunch, and when do we eat", "count"),
        ("몇 명이 언제 와요", "count"),
    ],
)
def test_how_many_is_not_asked_where_it_is_what_is_said_by_a_day(question: str, wanted: str) -> None:
    assert wanted_beside(question) == wanted


@each_row(
    ("question", "wanted"),
    [
        ("What did the table at the book festival cost us?", "amount"),
        ("what will the ferry cost in winter", "amount"),
    ],
)
def test_what_a_thing_did_or_will_cost_asks_for_an_amount(question: str, wanted: str) -> None:
    assert wanted_beside(question) == wanted


@each_row(
    ("text", "tells"),
    [
        ("Siddharth covers multiplayer while Dov is away", True),
        ("Mina is covering for Jo", True),
        ("Ben fills in for her", True),
        ("다음 주는 김민수 님이 대행합니다", True),
        ("the insurance covers water damage", False),
        ("the cover of the book is blue", False),
    ],
)
def test_who_stands_in_for_somebody_has_it(text: str, tells: bool) -> None:
    assert signals(QueryType.PERSON, text) is tells
