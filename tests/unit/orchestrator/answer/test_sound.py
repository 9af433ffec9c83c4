"""What a question wants to hear (a reason, an amount, a measure, a day that something happened on, or what its type says), and what says it."""

from __future__ import annotations

from typing import Any

import pytest

from orchestrator.answer.sound import measure_of
from orchestrator.model import Confidence
from tests.rows import each_row
from translators.query import Person, QueryType, TypeScore


def said(answer: Any) -> list[str]:
    return [each.text for each in answer.statements]


@pytest.mark.parametrize(
    ("text", "language", "lead"),
    [
        ("why was the office move postponed", "en", "Why, as the sources put it:"),
        ("what was really behind the leak in the cellar", "en", "Why, as the sources put it:"),
        ("office move 왜 미뤘어요", "ko", "이유와 출처:"),
    ],
)
def test_a_question_for_a_reason_gets_the_reason(desk: Any, text: str, language: str, lead: str) -> None:
    desk = desk.ask(text, keywords=("office", "move"), language=language)
    answer = desk.answer(
        desk.result("gmail:1", "We decided: the office move is on 12 April. This is because the line is late.")
    )
    assert said(answer) == [lead, said(answer)[1]]
    assert "because the line is late" in said(answer)[1]


@pytest.mark.parametrize(
    ("question", "kind", "right"),
    [
        (
            "what does the new gearbox of the turntable cost us",
            QueryType.FACTUAL,
            "The last offer for it is 16.2 million won.",
        ),
        ("when do the keys of the new turntable come", QueryType.TEMPORAL, "The keys are sent within two weeks."),
    ],
)
def test_where_a_value_is_asked_for_what_tells_none_is_no_answer(
    desk: Any, question: str, kind: QueryType, right: str
) -> None:
    desk = desk.ask(question, type=kind, keywords=("turntable", "gearbox", "keys"))
    tells_none = desk.result("slack:1", "The turntable with the new gearbox and the keys never stops in act one.")
    claims = said(desk.answer(tells_none, desk.result("linear:2", right, title="Gearbox and keys of the turntable")))
    assert any(right in claim for claim in claims)
    assert not any("never stops" in claim for claim in claims)


def test_a_reason_may_stand_under_its_heading(desk: Any) -> None:
    desk = desk.ask("왜 REST로 바꿨어요", keywords=("REST",), language="ko")
    answer = desk.answer(desk.result("notion:1", "## 결정\n- REST로 간다\n\n## 이유\n- GraphQL 380ms, REST 140ms"))
    assert "380ms" in said(answer)[1]


@pytest.mark.parametrize(
    ("text", "language", "words", "lead"),
    [
        ("how much is the licence", "en", "The licence costs $500 a year.", "How much, as the sources put it:"),
        ("licence 얼마예요", "ko", "licence 비용은 연 50만원입니다.", "금액과 출처:"),
    ],
)
def test_a_question_for_an_amount_gets_the_amount(desk: Any, text: str, language: str, words: str, lead: str) -> None:
    desk = desk.ask(text, type=QueryType.FACTUAL, keywords=("licence",), language=language)
    answer = desk.answer(desk.result("slack:1", "The licence must be renewed by May 5."), desk.result("gmail:2", words))
    assert said(answer)[0] == lead
    assert words in said(answer)[1]


@pytest.mark.parametrize(
    ("question", "language", "answers"),
    [
        ("may visitors use a tripod in the hall", "en", "In the hall cameras yes, tripod no."),
        ("hall 에서 tripod 써도 되나요", "ko", "hall 에서 tripod 은 금지예요."),
    ],
)
def test_a_number_says_nothing_of_whether_something_may_be(
    desk: Any, question: str, language: str, answers: str
) -> None:
    desk = desk.ask(question, type=QueryType.FACTUAL, keywords=("tripod", "hall"), language=language)
    counted = desk.result("slack:1", "In the hall stand 3 chairs and 1 tripod of the club.", age=1, score=1.2)
    assert answers in said(desk.answer(counted, desk.result("slack:2", answers, age=20)))[1]


def test_a_size_that_is_no_length_is_told_by_the_number_behind_it(desk: Any) -> None:
    desk = desk.ask(
        "what is the sample size of the trial", type=QueryType.FACTUAL, keywords=("sample", "size", "trial")
    )
    page = desk.result("notion:1", "Budget: 210,000 EUR.\nSample size: 96 (before: 84).", title="Trial")
    assert "Sample size: 96" in said(desk.answer(page))[1]


def test_without_it_the_answer_says_so_and_is_not_sure(desk: Any) -> None:
    desk = desk.ask("how much is the licence", type=QueryType.FACTUAL, keywords=("licence",))
    answer = desk.answer(desk.result("slack:1", "The licence must be renewed by May 5."))
    assert said(answer)[0] == "No sentence names an amount. The nearest passages:"
    assert answer.confidence in {Confidence.MEDIUM, Confidence.LOW}


def test_what_is_done_happened_when_it_was_said(desk: Any) -> None:
    desk = desk.ask("when was the contract signed", type=QueryType.TEMPORAL, keywords=("contract", "signed"))
    answer = desk.answer(
        desk.result("slack:1", "The contract is signed!", age=3),
        desk.result("notion:2", "The contract ends 30 November."),
    )
    assert "28 February 2025 — Slack, 2025-02-28: “The contract is signed!” [1]" in said(answer)


def test_an_id_is_not_the_word_it_begins_with(desk: Any) -> None:
    desk = desk.ask("how much do we pay Acme", type=QueryType.FACTUAL, keywords=("pay", "Acme"))
    answer = desk.answer(
        desk.result("slack:1", "Today: PAY-151 tests."), desk.result("gmail:2", "Acme gets $500 a year.", score=0.5)
    )
    assert "$500" in said(answer)[1]


def test_who_is_assigned_is_named_whatever_the_sentences_say(desk: Any) -> None:
    desk = desk.ask("who does the login page", type=QueryType.PERSON, keywords=("login", "page"))
    issue = desk.result("linear:1", title="Rewrite the login page", assignee=Person("Jane"))
    assert said(desk.answer(issue))[0] == "People, with what shows it:"
    written = desk.result("slack:1", "The login page is blue.", author="Jane")
    assert said(desk.answer(written))[0].startswith("No sentence names an owner")


def test_a_question_that_only_touches_on_a_type_is_not_told_that_its_type_is_missing(desk: Any) -> None:
    asked = {"keywords": ("approved", "login"), "type": QueryType.DECISION}
    result = desk.result("slack:1", "The login page is blue.")
    touching = desk.ask("links to the approved login PRs", scores=(TypeScore(QueryType.DECISION, 0.4),), **asked)
    assert said(touching.answer(result))[0] == "What is known:"
    clearly = desk.ask("what was approved for the login", scores=(TypeScore(QueryType.DECISION, 0.9),), **asked)
    assert said(clearly.answer(result))[0].startswith("No decision was found")


@pytest.mark.parametrize(
    ("text", "language", "told"),
    [
        ("how long is the wait for the pump", "en", "we need 9 weeks."),
        ("펌프 납품에 며칠 걸려요", "ko", "펌프 납품은 12일 걸립니다."),
    ],
)
def test_how_long_wants_a_stretch_of_time(desk: Any, text: str, language: str, told: str) -> None:
    words = ("pump",) if language == "en" else ("펌프",)
    desk = desk.ask(text, keywords=words, type=QueryType.FACTUAL, language=language)
    other = desk.result("slack:1", "The pump 펌프 has 3 valves and is at most 40 cm.")
    answer = desk.answer(other, desk.result("notion:2", told, title="pump 펌프", score=0.8))
    assert told in said(answer)[1]


def test_how_many_is_no_stretch_of_time(desk: Any) -> None:
    desk = desk.ask("how many people joined Fen", keywords=("people", "Fen"), type=QueryType.FACTUAL)
    other = desk.result("slack:1", "People of Fen: a break of 9 days.")
    assert "23 of 40" in said(desk.answer(other, desk.result("slack:2", "Fen people: 23 of 40.", score=0.8)))[1]


def test_steps_are_told_whole(desk: Any) -> None:
    page = "1. Tell the desk\n\n2. Send it to one shop:\n\nsend --first\n\n3. Send it to all\n\nNot at night."
    desk = desk.ask("how do I rotate keys", keywords=("rotate", "keys"), type=QueryType.FACTUAL)
    answer = desk.answer(desk.result("notion:1", page, title="Rotate keys"))
    assert "“1. Tell the desk 2. Send it to one shop: send --first 3. Send it to all”" in said(answer)[1]


def test_how_at_the_end_of_a_spoken_question_asks_for_steps(desk: Any) -> None:
    page = "지난 3월에 샀습니다.\n\n1. 문을 닫는다\n2. 노란 손잡이를 올린다\n3. 10분 기다린다"
    desk = desk.ask("가마 켤 때 어떻게?", keywords=("가마",), type=QueryType.FACTUAL, language="ko")
    answer = desk.answer(desk.result("notion:1", page, title="가마 켜기"))
    assert "“1. 문을 닫는다 2. 노란 손잡이를 올린다 3. 10분 기다린다”" in said(answer)[1]


def test_of_values_the_newest_is_told_first(desk: Any) -> None:
    desk = desk.ask("how much is the surcharge of Larch", keywords=("surcharge", "Larch"), type=QueryType.FACTUAL)
    old = desk.result("gmail:1", "The surcharge of Larch is 190 EUR.", age=90)
    new = desk.result("gmail:2", "from now on: 170 EUR.", title="Re: surcharge of Larch", age=2, score=0.9)
    told = said(desk.answer(old, new))
    assert "170 EUR" in told[1]
    assert "190 EUR" in told[2]


def test_a_person_may_be_named_by_a_role_that_the_question_names(desk: Any) -> None:
    desk = desk.ask("chief surveyor of Fen", keywords=("chief", "surveyor", "Fen"), type=QueryType.PERSON)
    told = desk.result("slack:1", "Fen is approved. Chief surveyor is Dr. Ana Ruiz.", author="Bo")
    assert "Dr. Ana Ruiz" in said(desk.answer(told))[1]


@pytest.mark.parametrize(
    ("question", "language", "done", "due"),
    [
        ("허가 신청 접수한 날짜가?", "ko", "허가 신청 접수했습니다.", "허가 신청 보완 기한은 6월 16일입니다."),
        ("when was the permit filed", "en", "The permit was filed on 20 February.", "The permit is due by 16 June."),
    ],
)
def test_a_day_by_which_is_none_on_which_something_was_done(
    desk: Any, question: str, language: str, done: str, due: str
) -> None:
    words = tuple(question.split()[:2]) if language == "ko" else ("permit",)
    desk = desk.ask(question, type=QueryType.TEMPORAL, keywords=words, language=language)
    answer = desk.answer(desk.result("slack:1", done), desk.result("slack:2", due))
    assert done[:-1] in said(answer)[1]


@each_row(
    ("question", "told", "other"),
    [
        ("How wide are the beds?", "140 cm", "140 kg"),
        ("How full may we charge it?", "85 %", "48,500 euros"),
        ("what share does Firth take", "15 per cent", "15 MW"),
        ("How hot may the store get?", "22 °C", "22 %"),
        ("how heavy is a rack", "960 kg", "96 racks"),
        ("how loud is the fan", "42 dB", "42 %"),
        ("how high is the mast", "12 m", "12 people"),
        ("how far is it to the depot", "10 km, by road", "10 km/h"),
        ("How far is it?", "30 miles from here", "30 miles an hour"),
        ("정류장은 얼마나 멀어요?", "400미터", "시속 40킬로"),
        ("how high is the late fee", "€45 a day", "4 days"),
        ("할인율은 얼마나 높아요?", "15%", "15명"),
        ("how fast do we answer", "within 2 hours", "2 people"),
        ("바람이 얼마나 불면 멈춰?", "풍속 10m/s", "250m 안"),
        ("충전 상한은 몇 퍼센트야?", "85%로", "85명"),
        ("창고는 몇 도까지 돼?", "영하 18도", "경기도 18호"),
        ("밧줄이 얼마나 굵어요?", "64mm", "64kg"),
        ("랙은 얼마나 무거워요?", "960kg", "960대"),
        ("승강기는 몇 kg까지 실어요?", "최대250kg", "250kg/m"),
        ("통로 폭은 몇 m예요?", "폭3m", "3m²"),
        ("바람이 몇 m/s면 멈춰?", "초속 10m/s", "10m 앞"),
        ("창고는 몇 ℃까지 돼?", "영하18도까지", "18도시로"),
        ("몇 dB까지 괜찮아?", "65dB", "65대"),
        ("서점 몇 시에 열어?", "오픈은 10시 30분", "오픈은 12월 2일"),
        ("막배 몇시야?", "17:40 출발", "2시간 걸림"),
        ("몇 시까지 해요?", "24시간 합니다", "6시간 합니다"),
        ("what time does the shop open?", "we open at 9 am", "we open on 9 March"),
        ("what time is lunch", "at noon", "at the noonday café"),
        ("what time is the review", "half past nine", "by two rooms"),
        ("서점 몇 시에 열어?", "아홉 시에 엽니다", "서버 2 시스템"),
        ("몇 시부터 해?", "열시부터 합니다", "열 시작점"),
    ],
)
def test_a_measure_is_a_number_in_its_unit(question: str, told: str, other: str) -> None:
    says = measure_of(question)
    assert says is not None
    assert says.search(told)
    assert not says.search(other)


@each_row(
    "question",
    [
        "how far along is the roof",
        "how far have we come",
        "how far is the move",
        "얼마나 빨리 답해요?",
        "얼마나 걸려?",
        "얼마나 많이 팔았어?",
        "몇 mm²예요?",
        "how is it going",
    ],
)
def test_how_it_stands_and_how_long_are_no_measures(question: str) -> None:
    assert measure_of(question) is None


@pytest.mark.parametrize(
    ("question", "words", "waits", "told"),
    [
        (
            "모루 소음시험 결과 어떻게 나왔어",
            ("모루", "소음시험"),
            "모루 소음시험 진행 중, 보고 기다림",
            "모루 소음시험 완료, 62dB 통과",
        ),
        (
            "how did the noise test of the anvil go",
            ("noise", "test", "anvil"),
            "In progress: waiting for the noise test of the anvil.",
            "The noise test of the anvil is done: 62 dB, passed.",
        ),
    ],
)
def test_whoever_waits_for_an_outcome_tells_none(
    desk: Any, question: str, words: tuple[str, ...], waits: str, told: str
) -> None:
    desk = desk.ask(question, type=QueryType.STATUS, keywords=words, language="ko" if "결과" in question else "en")
    waiting = desk.answer(desk.result("slack:1", waits, age=3))
    assert waiting.confidence is Confidence.LOW
    assert waits.rstrip(".") in "\n".join(said(waiting))
    assert desk.answer(desk.result("slack:1", told, age=3)).confidence is not Confidence.LOW
    standing = "모루 소음시험 지금 어때" if "결과" in question else "how is the noise test of the anvil"
    how = desk.ask(standing, type=QueryType.STATUS, keywords=words)
    assert how.answer(how.result("slack:1", waits, age=3)).confidence is not Confidence.LOW
