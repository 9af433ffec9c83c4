"""People's work: whose it is becomes a condition, and the words that say so are searched for nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from translators.query import CREDIBLE, Compare, Field, Op, Person, QueryType, State, Term, any_of, conjuncts

if TYPE_CHECKING:
    from collections.abc import Callable

    from translators.query import Query

ME = Person("", me=True)
OPEN = Compare(Field.STATE, Op.EQ, State.OPEN)


def assigned(person: Person) -> Compare:
    return Compare(Field.ASSIGNEE, Op.EQ, person)


def work_of(person: Person) -> object:
    return any_of((assigned(person), Compare(Field.AUTHOR, Op.EQ, person)))


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("issues assigned to Woojin", Person("Woojin")),
        ("tickets assigned to Minsu Kim", Person("Minsu Kim")),
        ("Dana's tickets", Person("Dana")),
        ("issues assigned to me", ME),
        ("정우진이 담당하는 이슈", Person("정우진")),
        ("박지현에게 할당된 이슈", Person("박지현")),
        ("김민수 님이 맡고 있는 업무", Person("김민수")),
        ("김민수 이슈", Person("김민수")),
        ("김민수 작업", Person("김민수")),
        ("김민수 작업 현황", Person("김민수")),
        ("what's left on Dana's plate", Person("Dana")),
        ("what's on my plate", ME),
        ("what is mine", ME),
        ("what's mine?", ME),
        ("what's still mine?", ME),
        ("what should I be working on?", ME),
        ("what does Dana need to finish?", Person("Dana")),
        ("내가 끝내야 하는 일감 뭐 있어?", ME),
        ("제가 처리해야 하는 거 뭐예요", ME),
        ("my tasks", ME),
        ("my assigned tasks", ME),
        ("내 작업", ME),
        ("내 작업 상태는?", ME),
        ("내 작업 보여줘", ME),
        ("내 할 일 목록", ME),
        ("제 할일 뭐예요?", ME),
        ("나한테 온 이슈", ME),
        ("내가 담당인 이슈", ME),
        ("나한테 아직 남은 티켓 뭐 있지?", ME),
        ("나한테 남은 일 뭐야", ME),
        ("내 앞으로 된 일감 뭐 있어", ME),
        ("박지현 님 앞으로 된 이슈", Person("박지현")),
        ("내 이름으로 된 열린 이슈", ME),
        ("내가 아직 못 끝낸 일", ME),
        ("내 백로그 보여줘", ME),
        ("what's left for me to do", ME),
        ("what is left for Dana to do", Person("Dana")),
        ("what is still on me", ME),
        ("what's waiting for me", ME),
        ("which tasks are mine", ME),
        ("issues I own", ME),
        ("what's in my queue", ME),
        ("my backlog", ME),
        ("which bugs do I need to fix", ME),
    ],
)
def test_what_is_assigned_to_somebody(ask: Callable[[str], Query], text: str, who: Person) -> None:
    """And of that what is open, by how it is implied: who asks what somebody has to do seldom asks for what is done."""
    query = ask(text)
    assert conjuncts(query.where) == (assigned(who), OPEN)
    assert query.strength(OPEN) < CREDIBLE
    assert query.keywords == ()
    assert query.type is QueryType.STATUS
    assert query.mine is who.me


@pytest.mark.parametrize(
    "text",
    [
        "what do I have to finish this month?",
        "what am I supposed to do this week",
        "내가 이번 달 안에 끝내야 하는 일감 뭐 있어?",
    ],
)
def test_what_is_to_be_done_by_then_may_have_been_written_before(ask: Callable[[str], Query], text: str) -> None:
    query = ask(text)
    assert assigned(ME) in conjuncts(query.where)
    assert all(each.strength < CREDIBLE for each in query.implied if "time" in str(each.clause))


def test_by_a_day_of_the_week_is_the_coming_one(ask: Callable[[str], Query]) -> None:
    assert ask("what do I need to do by Friday?").window is None
    assert ask("who sent it before Friday?").window is not None


@pytest.mark.parametrize(
    "text",
    [
        "what do I need to do to get VPN access?",
        "if I fall ill abroad what am I supposed to do",
        "휴가 쓰려면 내가 해야 하는 거 뭐야",
        "장애 났을 때 내가 할 일",
    ],
)
def test_the_steps_to_a_thing_are_nobodys_work(ask: Callable[[str], Query], text: str) -> None:
    assert assigned(ME) not in conjuncts(ask(text).where)


@pytest.mark.parametrize("text", ["What's my open work?", "내가 할 일", "my open tickets"])
def test_what_the_asker_has_to_do_is_open(ask: Callable[[str], Query], text: str) -> None:
    query = ask(text)
    assert set(conjuncts(query.where)) == {assigned(ME), Compare(Field.STATE, Op.EQ, State.OPEN)}
    assert query.mine


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("what is Woojin working on?", Person("Woojin")),
        ("What is Sora Park working on this week?", Person("Sora Park")),
        ("what did Dana do last week", Person("Dana")),
        ("what am I working on", ME),
        ("김민수가 지난주에 한 일", Person("김민수")),
        ("이번 주에 박지현이 하고 있는 일", Person("박지현")),
        ("김민수는 요즘 뭐 하고 있어?", Person("김민수")),
    ],
)
def test_what_somebody_does_is_assigned_to_them_or_written_by_them(
    ask: Callable[[str], Query], text: str, who: Person
) -> None:
    query = ask(text)
    assert conjuncts(query.where)[0] == work_of(who)
    assert query.keywords == ()
    assert query.type is QueryType.STATUS


def test_a_bare_address_is_a_person(ask: Callable[[str], Query]) -> None:
    query = ask("minsu.kim@acme.example")
    assert query.people() == ("minsu.kim@acme.example",)
    assert query.where == work_of(Person("minsu.kim@acme.example", email="minsu.kim@acme.example"))
    assert query.type is QueryType.PERSON


def test_the_topic_of_the_work_is_still_searched_for(ask: Callable[[str], Query]) -> None:
    assert set(conjuncts(ask("issues assigned to Woojin about refunds").where)) == {
        Term("refunds"),
        assigned(Person("Woojin")),
        OPEN,
    }


@pytest.mark.parametrize(
    "text",
    ["결제팀 이슈", "배포 이슈", "고객이 할 일", "Kafka's issues", "what is Okta doing", "what is the search team working on",
     "what is Design Ops working on", "박서준님이 맡은 정산 배치 개편 진척도"],
)  # fmt: skip
def test_teams_systems_and_named_topics_are_nobodys_work(ask: Callable[[str], Query], text: str) -> None:
    fields = {part.field for part in conjuncts(ask(text).where) if isinstance(part, Compare)}
    assert Field.ASSIGNEE not in fields


@pytest.mark.parametrize(
    "text",
    [
        "status of the API migration",
        "webhook 상태는?",
        "how is the Okta rollout going",
        "결제 서비스 진행 상황 알려줘",
        "내 작업 중 안 끝난 거",
    ],
)
def test_how_things_stand_is_told_by_what_is_open(ask: Callable[[str], Query], text: str) -> None:
    query = ask(text)
    assert OPEN in conjuncts(query.where)
    assert 0.5 <= query.strength(OPEN) < CREDIBLE, "asked for beside a request without it, and no exclusion"


@pytest.mark.parametrize(
    "text",
    [
        "is the Okta rollout finished",
        "what did Dana do last week",
        "status of the migration last month",
        "지난주에 완료한 작업 현황",
        "웹훅 작업 다 끝났나요?",
        "number of tickets",
        "what did we decide about the API migration",
        "API 마이그레이션 문서 어디 있나요",
        "is:closed status of the migration",
    ],
)
def test_what_is_over_or_told_otherwise_is_not_taken_for_open(ask: Callable[[str], Query], text: str) -> None:
    assert OPEN not in conjuncts(ask(text).where)


@pytest.mark.parametrize("text", ["my documents", "내 문서"])
def test_what_is_the_askers_own_is_theirs_whatever_it_is_called(ask: Callable[[str], Query], text: str) -> None:
    assert work_of(ME) in conjuncts(ask(text).where)


@pytest.mark.parametrize(
    "text", ["김민수 님 지난주에 뭐 했어?", "지난주 김민수 님 뭐 했어?", "김민수 지난주에 뭐 했어?"]
)
def test_whose_work_it_was_is_said_without_a_particle_too(ask: Callable[..., Query], text: str) -> None:
    """As people speak; but a meeting does nothing."""
    assert work_of(Person("김민수")) in conjuncts(ask(text).where)
    assert "회의" in ask(text.replace("김민수 님", "회의").replace("김민수", "회의")).keywords


def test_open_is_meant_less_where_it_is_hardly_asked_how_things_stand(ask: Callable[[str], Query]) -> None:
    """Where something is now may stand in an issue that is done."""
    sure, unsure = ask("is the kiosk rollout blocked"), ask("Where do the orchestra sessions take place now?")
    assert sure.strength(OPEN) == 0.5
    assert unsure.strength(OPEN) < 0.3


@pytest.mark.parametrize(
    ("question", "words"), [("webhook-relay 왜 장애났어?", ""), ("okta 롤아웃 아직 안 끝났어?", "아직")]
)
def test_the_end_of_a_word_is_no_word_that_says_what_is_open(
    ask: Callable[..., Query], question: str, words: str
) -> None:
    (opened,) = (each for each in ask(question).implied if "state" in str(each.clause))
    assert opened.words == words
