"""A yes in a thread points back to what it accepts: in mail and in chat, in both languages."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from connectors.contract import Hit
from orchestrator.answer.accepted import accepted
from orchestrator.model import Part
from tests.unit.orchestrator.answer.conftest import NOW
from translators.query import Kind, Person, QueryType

if TYPE_CHECKING:
    from orchestrator.model import Answer
    from tests.unit.orchestrator.answer.conftest import Desk


def mails(*said: tuple[str, str]) -> list[Hit]:
    return [
        Hit("gmail", str(at), Kind.MAIL, snippet=text, author=Person(who), created=NOW + timedelta(days=at))
        for at, (who, text) in enumerate(said)
    ]


def first(answer: Answer) -> str:
    return next(each.text for each in answer.statements if each.part is Part.CLAIM)


@pytest.mark.parametrize(
    ("asked", "reply"),
    [
        ("Could we say arrival on 9 March instead?", "Dear Una, the 9th is perfect, please book."),
        ("3,200 and silver?", "Yes to 3,200 and yes to silver.\n\n> 3,200 and silver?"),
        ("보고서는 5/29까지 가능할까요?", "네 가능해요."),
        ("그럼 R10으로 할까요?", "그렇게 하죠"),
        ("Five shows instead of six?", "Agreed."),
        ("Five shows instead of six?", "No problem, works for us."),
        ("Aurora 5?", "Yes please, nothing exotic."),
        ("B안으로 할까요?", "네네, B안으로 가요"),
        ("B안으로 할까요?", "네 가지고 가겠습니다"),
        ("B안으로 할까요?", "동의해요, 이의 없습니다"),
    ],
)
def test_a_yes_by_somebody_else_accepts_what_was_asked_just_before(asked: str, reply: str) -> None:
    one, other = mails(("Ana", asked), ("Ben", reply))
    assert accepted([(one, other)]) == {one.id: other}


@pytest.mark.parametrize(
    ("asked", "reply"),
    [
        ("Could we say 9 March?", "Yes, but rather the 11th."),
        ("3,200 and silver?", "Yes to 4,000."),
        ("3,200 and silver?", "That is too much."),
        ("선인세 2,500 유로 어떠세요?", "좋아요 단 조금 올려주세요"),
        ("We offer 2,500.", "Yes."),
        ("Could we say 9 March?", "Yes? Are you sure?"),
        ("Could we say 9 March?", "Okay, let me check with Una."),
        ("Could we say 9 March?", "Ok no, that week is full. It looks good otherwise."),
        ("Could we say 9 March?", "Nothing works for us in March."),
        ("Could we say 9 March?", "Changed my mind."),
        ("세 명이면 될까요?", "네 명이 필요합니다"),
        ("B안으로 할까요?", "네 번째 안이 낫습니다"),
        ("B안으로 할까요?", "예: 작년 포스터"),
        ("B안으로 할까요?", "승인 요청 올려 두었습니다"),
        ("B안으로 할까요?", "동의 못 합니다"),
        ("B안으로 할까요?", "네, 안 됩니다"),
        ("B안으로 할까요?", "네 확인해 볼게요"),
    ],
)
def test_what_asks_for_more_names_another_number_or_follows_no_question_accepts_nothing(asked: str, reply: str) -> None:
    assert accepted([mails(("Ana", asked), ("Ben", reply))]) == {}


def test_nobody_accepts_what_they_asked_themselves() -> None:
    assert accepted([mails(("Ana", "3,200?"), ("Ana", "Yes?")), mails(("Ana", "3,200?"), ("Ana", "Yes, 3,200."))]) == {}


def test_what_was_accepted_answers_and_not_the_offer_before_it(desk: Desk) -> None:
    thread = {"facts": {"thread": "t"}}
    asked = desk.ask(
        "how much is the advance for the Portuguese rights",
        type=QueryType.FACTUAL,
        keywords=("advance", "portuguese", "rights"),
    )
    answer = asked.answer(
        asked.result("gmail:1", "We could offer an advance of 2,500 euro.", title="Portuguese rights", author="Marta", age=40, **thread),
        asked.result("gmail:2", "The author hopes for 4,000 euro.", title="Re: Portuguese rights", author="Nuri", age=30, score=0.3, **thread),
        asked.result("gmail:3", "3,200 and we print in silver?", title="Re: Re: Portuguese rights", author="Marta", age=20, score=0.2, **thread),
        asked.result("gmail:4", "Yes to 3,200 and yes to silver.", title="Re: Re: Re: Portuguese rights", author="Nuri", age=18, score=0.1, **thread),
    )  # fmt: skip
    assert "3,200" in first(answer)


def test_of_comments_that_say_as_much_the_latest_is_quoted_and_of_reasons_any(desk: Desk) -> None:
    asked = desk.ask("how far is the records clean-up", type=QueryType.STATUS, keywords=("records", "clean-up"))
    text = "480 records\n\nElspeth Lorne: 225\n\nElspeth Lorne: 310"
    found = asked.result("linear:OPS-22", text, title="Metadata clean-up", facts={"voices": ("Elspeth Lorne",)})
    claims = " ".join(each.text for each in asked.answer(found).statements)
    assert "310" in claims
    assert "225" not in claims
