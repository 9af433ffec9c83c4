"""Which of the sentences that were read stand in the answer, and which comes first."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from orchestrator.answer.choosing import choose_quotes, weighty
from orchestrator.answer.quotes import read_quotes
from orchestrator.answer.sentence_features import weighed
from translators.query import Compare, Field, Identifier, IdKind, Implied, Op, Person, QueryType, State, any_of

PAY_151 = Identifier("PAY-151", IdKind.TICKET)
HELD = "The choir of the winter concert: Anna Berg leads it, as every year."


def chosen(desk: Any, *results: Any) -> list[str]:
    known = weighed(read_quotes(results, desk.query, desk.now), results, desk.query)
    return [each.words for each in choose_quotes(known, desk.query, desk.now)]


@pytest.mark.parametrize(
    ("kind", "question", "words", "old", "new"),
    [
        (
            QueryType.PERSON,
            "who leads the choir of the winter concert",
            ("choir", "winter", "concert"),
            HELD,
            "Anna cannot come to the winter concert. Ben Ode leads the choir instead.",
        ),
        (
            QueryType.FACTUAL,
            "셔틀버스 승차장 어디예요",
            ("셔틀", "승차장"),
            "셔틀 승차장은 북문 앞에 있습니다, 공연 뒤에도요.",
            "공사 때문에 셔틀 승차장을 서문 앞으로 옮깁니다.",
        ),
    ],
)
def test_what_newer_says_that_it_changed_comes_first(
    desk: Any, kind: QueryType, question: str, words: tuple[str, ...], old: str, new: str
) -> None:
    desk = desk.ask(question, type=kind, keywords=words)
    results = desk.result("slack:1", old, age=60), desk.result("slack:2", new, age=5, score=0.9)
    assert chosen(desk, *results)[0] in new
    older = desk.result("slack:1", old, age=2), desk.result("slack:2", new, age=5, score=0.9)
    assert chosen(desk, *older)[0] == old


def test_a_short_word_that_a_thing_was_moved_stands_before_the_day_that_it_had(desk: Any) -> None:
    desk = desk.ask("합동 훈련 언제 해", type=QueryType.TEMPORAL, keywords=("훈련",))
    old = desk.result("slack:1", "합동 훈련 11/12 16시 대강당", age=30)
    new = desk.result("slack:2", "훈련 한 주 뒤로. 19일 같은 시간, 운동장으로 바뀝니다", age=5, score=0.8)
    assert chosen(desk, old, new)[0] == "훈련 한 주 뒤로."


@pytest.mark.parametrize(
    ("later", "first"),
    [
        ("또 밀림. 저수지 개방 2월 2일, 게시판에도 붙였대요", "저수지 개방 2월 2일, 게시판에도 붙였대요"),
        ("날씨 좋다. 저수지 개방 2월 2일", "저수지 개방은 1월 12일입니다."),
    ],
)
def test_a_short_message_says_of_all_of_it_that_a_thing_was_moved(desk: Any, later: str, first: str) -> None:
    desk = desk.ask("저수지 개방 언제", type=QueryType.TEMPORAL, keywords=("저수지", "개방"))
    old = desk.result("slack:1", "저수지 개방은 1월 12일입니다.", age=40)
    assert chosen(desk, old, desk.result("slack:2", later, age=5, score=0.6))[0] == first


@pytest.mark.parametrize(
    ("question", "words", "before", "mail"),
    [
        (
            "시음회 며칠로 바뀌었어요",
            ("달빛집", "시음회"),
            "달빛집 시음회 4/3 오후 3시",
            "말씀드린 대로 4월 10일 3시로 옮깁니다. 장소는 그대로 달빛집입니다.",
        ),
        (
            "which day was the tasting moved to",
            ("Moonhouse", "tasting"),
            "Moonhouse tasting: 3 April, 3 pm.",
            "As I said, we change it to 10 April. The place is still the Moonhouse.",
        ),
    ],
)
def test_who_asks_what_a_day_became_is_told_by_the_mail_that_is_about_it_as_a_whole(
    desk: Any, question: str, words: tuple[str, ...], before: str, mail: str
) -> None:
    """The sentence that says the day need not name the thing, which stands in the subject and in the next sentence."""
    desk = desk.ask(question, type=QueryType.TEMPORAL, keywords=words)
    old = desk.result("slack:1", before, age=30)
    letter = desk.result("gmail:2", mail, age=5, score=0.6, title=f"Re: {words[1]}")
    assert chosen(desk, old, letter)[0] in mail
    page = desk.result("notion:2", mail, age=5, score=0.6, title=words[1])
    assert chosen(desk, old, page)[0] == before


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("where is the spring fair now", "We change the spring fair"),
        (
            "where is the spring fair",
            "The spring fair is on Saturday, 18 April, in the glasshouse cafe. Please sign up.",
        ),
    ],
)
def test_who_asks_what_is_so_now_is_told_what_newer_says_it_changed(desk: Any, question: str, first: str) -> None:
    desk = desk.ask(question, type=QueryType.TEMPORAL, keywords=("spring", "fair"))
    old = desk.result(
        "slack:1", "The spring fair is on Saturday, 18 April, in the glasshouse cafe. Please sign up.", age=30
    )
    new = desk.result("slack:2", "We change the spring fair", age=5, score=0.01)
    assert first.startswith(chosen(desk, old, new)[0])


@pytest.mark.parametrize(
    ("question", "words", "before", "later"),
    [
        (
            "익사 교육 언제로 옮겼어요",
            ("익사", "교육"),
            "익사 응급처치 교육 11/27 강당",
            "강당이 잡혀서 교육 12/4로 옮깁니다.",
        ),
        (
            "when is the fire drill now",
            ("fire", "drill"),
            "Fire drill for the annex on 27 November, front lawn.",
            "The lawn is flooded, so our drill for the annex is moved to 4 December.",
        ),
    ],
)
def test_who_moves_a_thing_calls_it_by_less_than_its_name(
    desk: Any, question: str, words: tuple[str, ...], before: str, later: str
) -> None:
    desk = desk.ask(question, type=QueryType.TEMPORAL, keywords=words)
    old = desk.result("slack:1", before, age=30, author="Sol")
    assert chosen(desk, old, desk.result("slack:2", later, age=5, author="Sol"))[0] == later
    assert (
        chosen(desk, old, desk.result("slack:2", later, age=5, author="Gareth"))[0] == before
    )  # of another one, it may be
    assert chosen(desk, old, desk.result("slack:2", later, age=60, author="Sol"))[0] == before


def test_a_change_of_less_than_all_that_the_likeliest_speaks_of_changes_nothing(desk: Any) -> None:
    desk = desk.ask("who leads the choir of the winter concert", type=QueryType.PERSON, keywords=("choir", "winter"))
    results = desk.result("slack:1", HELD, age=60), desk.result("slack:2", "The choir meets at six instead.", age=5)
    assert chosen(desk, *results)[0] == HELD


def test_of_somebodys_work_is_told_what_they_wrote_and_not_what_others_say_to_them(desk: Any) -> None:
    person = Person("Oskar Stroud")
    worked = any_of(Compare(field, Op.EQ, person) for field in (Field.ASSIGNEE, Field.AUTHOR))
    desk = desk.ask("what did Oskar do last week", type=QueryType.STATUS, where=worked, implied=(Implied(worked, 0.9),))
    theirs = desk.result("slack:1", "I have hung the side gate and bled the radiators.", age=5, author="Oskar Stroud")
    thanks = desk.result("slack:2", "That is done then, you are a star.", age=4, score=2.0, author="Gwen Hartley")
    assert chosen(desk, thanks, theirs) == ["I have hung the side gate and bled the radiators."]
    assert chosen(desk, thanks) == ["That is done then, you are a star."]


def test_one_thing_may_say_all_that_is_told(desk: Any) -> None:
    """Three sentences of a page of rules may be three answers, where nothing else holds any."""
    desk = desk.ask("호스텔 소음 규칙", type=QueryType.FACTUAL, keywords=("호스텔", "소음", "규칙"))
    rules = (
        "호스텔 소음 규칙 하나: 밤 11시 이후 악기는 금지합니다.",
        "호스텔 소음 규칙 둘: 세탁기는 밤 9시까지 씁니다.",
        "호스텔 소음 규칙 셋: 두 번 어기면 20,000원을 냅니다.",
    )
    assert set(chosen(desk, desk.result("notion:1", "\n".join(rules), title="생활 안내"))) == set(rules)


@pytest.mark.parametrize(("state", "told"), [(State.OPEN, "the lamps"), (State.DONE, "the hall")])
def test_what_a_list_says_is_done_is_not_quoted_of_what_is_open(desk: Any, state: State, told: str) -> None:
    wanted = Implied(Compare(Field.STATE, Op.EQ, state), 0.9)
    desk = desk.ask("what of the fair", type=QueryType.STATUS, keywords=("fair",), implied=(wanted,))
    page = desk.result("notion:1", "☑ Book the hall of the fair\n☐ Rent the lamps of the fair", title="Fair")
    assert [told in each for each in chosen(desk, page)] == [True]


def test_a_short_reply_that_tells_the_day_is_told_beside_what_moved_it(desk: Any) -> None:
    desk = desk.ask("수영장 언제 열어", type=QueryType.TEMPORAL, keywords=("수영장",))
    moved = desk.result("slack:1", "수영장 개장이 2주 밀립니다", age=5, facts={"thread_ts": "t"})
    told = desk.result("slack:2", "네 3/16", age=4.9, facts={"thread_ts": "t"})
    assert chosen(desk, moved, told) == ["수영장 개장이 2주 밀립니다", "네 3/16"]


@pytest.mark.parametrize(
    ("question", "words", "told"),
    [
        ("which kiln program is live", ("kiln", "program"), "v6 | 20 February 2025 | 41 pots"),
        ("지금 쓰는 가마 프로그램", ("kiln", "program"), "v6 | 20 February 2025 | 41 pots"),
        ("which kiln programs were there", ("kiln", "program"), "v5 | ~~3 March 2025~~ 1 December 2024 | 38 pots"),
    ],
)
def test_of_the_rows_of_a_history_that_of_the_last_day_that_has_come_holds_now(
    desk: Any, question: str, words: tuple[str, ...], told: str
) -> None:
    rows = "v4 | June 2024 | 32 pots\nv5 | ~~3 March 2025~~ 1 December 2024 | 38 pots\nv6 | 20 February 2025 | 41 pots\nv7 | 20 May 2025 | 45 pots"
    desk = desk.ask(question, type=QueryType.FACTUAL, keywords=words)
    page = desk.result("notion:1", f"Version | Live | Fired\n{rows}", title="Kiln program")
    assert chosen(desk, page)[0] == told


@pytest.mark.parametrize(
    ("language", "keywords", "old", "new"),
    [
        ("en", ("kiln", "electric"), "The electric kiln ships on 30 May.", "The kiln is moved to 11 June."),
        ("ko", ("가마", "전기"), "전기 가마는 5월 30일에 출하합니다.", "가마는 6월 11일 출하로 다시 갑니다"),
    ],
)
def test_what_moves_the_thing_to_a_day_stands_before_the_day_that_it_had(
    desk: Any, language: str, keywords: tuple[str, ...], old: str, new: str
) -> None:
    desk = desk.ask(
        " ".join(keywords), keywords=keywords, essential=keywords, type=QueryType.TEMPORAL, language=language
    )
    answer = desk.answer(desk.result("slack:1", old, age=40), desk.result("slack:2", new, age=3, score=0.5))
    claims = [each.text for each in answer.statements if each.part == "claim"]
    assert new.rstrip(".") in claims[0]


def test_what_changed_is_the_list_under_the_line_that_names_it(desk: Any) -> None:
    """The title says of what, the line above which: the list below another line is of another version."""
    notes = "## 4.1.4 (9 Nov)\n- Daylight saving is left to the server\n- Pump runs 60 s\n\n## 4.1.3 (12 Oct)\n- Frost protection at 5 °C\n- New icons"
    desk = desk.ask("what changed in firmware 4.1.4", type=QueryType.FACTUAL, keywords=("firmware", "4.1.4"))
    results = (
        desk.result("slack:1", "firmware 4.1.4 rollout 100%", age=1),
        desk.result("notion:2", notes, title="Firmware release notes", age=2),
    )
    assert chosen(desk, *results)[0] == "- Daylight saving is left to the server - Pump runs 60 s"


@pytest.mark.parametrize(
    ("question", "words", "end", "whole"),
    [
        (
            "when is the change freeze",
            ("change", "freeze"),
            "The change freeze is until 4 December 2025.",
            "The change freeze runs from 9 November 2025 to 4 December 2025.",
        ),
        (
            "수영장 휴관 언제야",
            ("수영장", "휴관"),
            "수영장 휴관(12월 4일까지) 때문에 강습 없습니다.",
            "수영장 휴관은 11월 9일부터 12월 4일까지입니다.",
        ),
    ],
)
def test_from_when_until_when_stands_before_the_end_alone(
    desk: Any, question: str, words: tuple[str, ...], end: str, whole: str
) -> None:
    desk = desk.ask(question, type=QueryType.TEMPORAL, keywords=words)
    results = desk.result("slack:1", end, age=2), desk.result("slack:2", whole, age=20, score=0.8)
    assert chosen(desk, *results)[0] == whole


@pytest.mark.parametrize("question", ["until when is the change freeze", "change freeze ends when"])
def test_who_asks_for_the_end_is_told_that(desk: Any, question: str) -> None:
    desk = desk.ask(question, type=QueryType.TEMPORAL, keywords=("change", "freeze"))
    end = desk.result("slack:1", "The change freeze is until 4 December 2025.", age=2)
    whole = desk.result("slack:2", "The change freeze runs from 9 November 2025 to 4 December 2025.", age=20, score=0.6)
    assert chosen(desk, end, whole)[0] == "The change freeze is until 4 December 2025."


@pytest.mark.parametrize("heading", ["다음 주", "Next week", "계획", "To do", "앞으로 할 일", "Next steps:"])
def test_what_stands_under_a_heading_of_the_time_to_come_is_told_last(desk: Any, heading: str) -> None:
    desk = desk.ask("PAY-151 웹훅 상태", type=QueryType.STATUS, keywords=("웹훅",), ids=(PAY_151,))
    plan = desk.result("notion:1", f"## 진행\n- 스펙 완료\n\n## {heading}\n- 웹훅 서명(PAY-151) 배포", age=1)
    now = desk.result("slack:1", "웹훅 서명 수정 완료, 샌드박스에서 확인 중입니다.", age=3, score=0.9)
    assert chosen(desk, plan, now) == ["웹훅 서명 수정 완료, 샌드박스에서 확인 중입니다.", "웹훅 서명(PAY-151) 배포"]


def test_what_stands_under_a_heading_of_now_is_told_from_the_newest_back(desk: Any) -> None:
    desk = desk.ask("PAY-151 웹훅 상태", type=QueryType.STATUS, keywords=("웹훅",), ids=(PAY_151,))
    new = desk.result("notion:1", "## 막힘\n- 스펙 완료\n\n## 진행\n- 웹훅 서명(PAY-151) 배포됨", age=1)
    old = desk.result("slack:1", "웹훅 서명 수정 완료, 샌드박스에서 확인 중입니다.", age=3, score=0.9)
    assert chosen(desk, new, old)[0] == "웹훅 서명(PAY-151) 배포됨"


@pytest.mark.parametrize(
    ("question", "words", "status", "option"),
    [
        (
            "will we upgrade the database by pg_upgrade or logical replication",
            ("database", "pg_upgrade", "logical", "replication"),
            "The upgrade of the database: staging is completed, the writes stood still for 2 minutes.",
            "It is logical replication.",
        ),
        (
            "청소는 월요일 아니면 수요일",
            ("청소", "월요일", "수요일"),
            "청소 준비 완료했습니다, 도구도 샀습니다.",
            "수요일입니다.",
        ),
    ],
)
def test_of_two_things_that_the_question_names_one_is_told_first(
    desk: Any, question: str, words: tuple[str, ...], status: str, option: str
) -> None:
    desk = desk.ask(question, type=QueryType.STATUS, keywords=words)
    quotes = read_quotes((desk.result("slack:1", f"{status} {option}", age=3),), desk.query, desk.now)
    known = [replace(each, score=1.0 if each.words == status else 0.3) for each in quotes]
    assert choose_quotes(known, desk.query, desk.now)[0].words == option
    plain = desk.ask(
        question.replace(" or ", " and ").replace("아니면", "그리고"), type=QueryType.STATUS, keywords=words
    )
    assert choose_quotes(known, plain.query, desk.now)[0].words == status


def test_from_which_day_until_which_is_told_however_unlikely_the_sentence(desk: Any) -> None:
    desk = desk.ask("when is the freeze", type=QueryType.TEMPORAL, keywords=("freeze",))
    end = desk.result("slack:1", "The freeze ends on 4 December.", age=3)
    whole = desk.result("slack:2", "The freeze runs from 9 November to 4 December.", age=30)
    quotes = read_quotes((end, whole), desk.query, desk.now)
    known = [replace(each, score=1.0 if each.number == 1 else 0.01) for each in quotes]
    assert choose_quotes(known, desk.query, desk.now)[0].words == "The freeze runs from 9 November to 4 December."


def test_what_is_told_beside_the_likely_makes_nobody_surer(desk: Any) -> None:
    desk = desk.ask("fare", type=QueryType.FACTUAL, keywords=("fare",))
    (quote,) = read_quotes((desk.result("slack:1", "The fare is 30."),), desk.query, desk.now)
    shares = (0.05, 1.0, 0.12, 0.1)  # the first was put there by a rule
    told = [replace(quote, score=share) for share in shares]
    assert [each.score for each in weighty(told)] == [0.05, 1.0, 0.12]
    assert weighty(()) == ()


@pytest.mark.parametrize(
    ("kind", "question", "words", "named", "title", "nameless"),
    [
        (
            QueryType.TEMPORAL,
            "when do the direct claims of Marupet open",
            ("direct", "claims", "Marupet"),
            "Direct claims of Marupet open on 14 December.",
            "Direct billing",
            "It will be 11 January, their system is late.",
        ),
        (
            QueryType.DECISION,
            "배달 봉투 소재 뭘로 정했어",
            ("배달", "봉투", "소재"),
            "배달 봉투 소재는 크라프트로 결정했습니다.",
            "포장 봉투",
            "비에 젖어서 비닐 코팅으로 확정했습니다.",
        ),
    ],
)
def test_what_is_as_likely_as_all_that_names_the_thing_is_told_next_and_what_is_likelier_first(
    desk: Any, kind: QueryType, question: str, words: tuple[str, ...], named: str, title: str, nameless: str
) -> None:
    desk = desk.ask(question, type=kind, keywords=words)

    results = desk.result("slack:1", named, age=30), desk.result("gmail:2", nameless, age=5, title=title)
    quotes = read_quotes(results, desk.query, desk.now)

    def told(times: float) -> tuple[list[str], list[str]]:
        """All that is quoted, and what of it says how sure the answer is."""
        known = [replace(each, score=1.0 if each.number == 1 else times) for each in quotes]
        quoted = choose_quotes(known, desk.query, desk.now)
        return [each.words for each in quoted], [each.words for each in weighty(quoted)]

    assert told(2.0) == ([nameless, named], [nameless, named])
    assert told(1.2) == ([named, nameless], [named])
    assert told(0.4) == ([named], [named])


def test_beside_a_value_is_told_what_is_as_likely_and_tells_a_figure(desk: Any) -> None:
    desk = desk.ask("how many kids applied for the U15 trial", type=QueryType.FACTUAL, keywords=("kids", "U15"))
    count = desk.result("slack:1", "214 kids applied for the U15 trial.", age=30)
    others = desk.result("slack:2", "Of the U15: 231 → 60", age=5), desk.result("slack:3", "The kids are very good.")
    quotes = read_quotes((count, *others), desk.query, desk.now)
    known = [replace(each, score=1.0 if each.number == 1 else 2.0) for each in quotes]
    assert [each.words for each in choose_quotes(known, desk.query, desk.now)] == [
        count.hit.snippet,
        others[0].hit.snippet,
    ]
