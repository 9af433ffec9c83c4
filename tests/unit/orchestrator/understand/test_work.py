"""People's work: whose it is becomes a condition, and the words that say so are searched for nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from translators.query import Compare, Field, Op, Person, QueryType, State, Term, any_of, conjuncts

if TYPE_CHECKING:
    from collections.abc import Callable

    from translators.query import Query

ME = Person("", me=True)


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
    ],
)
def test_what_is_assigned_to_somebody(ask: Callable[[str], Query], text: str, who: Person) -> None:
    query = ask(text)
    assert query.where == assigned(who)
    assert query.keywords == ()
    assert query.type is QueryType.STATUS
    assert query.mine is who.me


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
    }


@pytest.mark.parametrize(
    "text",
    ["결제팀 이슈", "배포 이슈", "고객이 할 일", "Kafka's issues", "what is Okta doing", "what is the search team working on",
     "what is Design Ops working on", "박서준님이 맡은 정산 배치 개편 진척도"],
)  # fmt: skip
def test_teams_systems_and_named_topics_are_nobodys_work(ask: Callable[[str], Query], text: str) -> None:
    fields = {part.field for part in conjuncts(ask(text).where) if isinstance(part, Compare)}
    assert Field.ASSIGNEE not in fields
