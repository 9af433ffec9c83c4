"""The order, the kind and the state that a question asks for are conditions, and none of its keywords."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.rows import rows_of
from translators.query import Category, Compare, Field, Kind, Op, Sort, State, conjuncts

if TYPE_CHECKING:
    from collections.abc import Callable

    from translators.query import Query

ORDERS = """
first time someone mentioned Norvale | oldest | Norvale
who first mentioned GraphQL | oldest | GraphQL
earliest thread about the sandbox | oldest | thread sandbox
billing-gateway 처음 쿠버네티스 논의가 언제였지 | oldest | billing-gateway 쿠버네티스
처음으로 PG17 이야기 나온 게 언제야 | oldest | PG17
최초로 샌드박스 제안한 사람 | oldest | 샌드박스
most recent deploy of billing-gateway | newest | deploy billing-gateway
latest billing-gateway release | newest | billing-gateway release
when was the last time the certificate expired | newest | certificate expired
제일 최근 billing-gateway 배포 | newest | billing-gateway 배포
마지막으로 SSL 인증서 갱신한 게 언제지 | newest | SSL 인증서 갱신
Kestrel 최신순으로 | newest | Kestrel
first floor heating | relevance | first floor heating
first aid course in March | relevance | first aid course
latest version of the security policy | relevance | security policy
what lasted longer, the audit or the migration | relevance | lasted audit migration
Quickbean 처음부터 훑어볼 수 있게 | relevance | Quickbean
security policy 최신 버전 | relevance | security policy 버전
"""

LISTS = """
list all blocked issues | issue | open | blocked
how many tickets are open right now | issue | open | -
which tickets are still open | issue | open | -
show me all closed issues about refunds | issue | done | refunds
how many refund bugs are open | issue | open | refund
unresolved bugs in the importer | issue | open | importer
아직 안 끝난 이슈 목록 보여줘 | issue | open | -
안 끝난 버그 목록 | issue | open | -
버그 몇 개 남았어? | issue | open | -
안 끝난 환불 버그 | issue | open | 환불
해결된 티켓 전부 보여줘 | issue | done | -
환불 이슈 목록 | issue | - | 환불
links to the approved PRs | pull_request | - | -
모든 PR 보여줘 | pull_request | - | -
latest mail about the lease | mail | - | lease
emails from procurement about the lease | mail | - | procurement lease
"""

NO_LISTS = [
    "any issues with the printer in Busan",
    "프린터 이슈 현황",
    "is the device pairing bug fixed yet",
    "지난 2주간 in:#warehouse-ops 피킹 로봇 이슈 처리된 것 vs 남은 것",
    "default size of the issue list endpoint",
    "bug bounty policy",
    "메일 이전 계획",
]


@pytest.mark.parametrize(("text", "sort", "keywords"), rows_of(ORDERS))
def test_words_of_order_set_the_order(ask: Callable[[str], Query], text: str, sort: str, keywords: str) -> None:
    query = ask(text)
    assert query.sort is Sort(sort)
    assert list(query.keywords) == keywords.split()


@pytest.mark.parametrize(("text", "kind", "state", "keywords"), rows_of(LISTS))
def test_what_is_listed_is_a_kind_and_a_state(
    ask: Callable[[str], Query], text: str, kind: str, state: str, keywords: str
) -> None:
    query = ask(text)
    assert query.kinds == (Kind(kind),)
    parts = conjuncts(query.where)
    assert Compare(Field.KIND, Op.EQ, Kind(kind)) in parts
    states = [part.value for part in parts if isinstance(part, Compare) and part.field is Field.STATE]
    assert states == ([] if state == "-" else [State(state)])
    assert list(query.keywords) == ([] if keywords == "-" else keywords.split())
    assert not query.ambiguous


@pytest.mark.parametrize("text", NO_LISTS)
def test_trouble_and_topics_are_no_list_of_things(ask: Callable[[str], Query], text: str) -> None:
    assert ask(text).kinds == ()


def test_a_typed_filter_stands_above_what_is_said(ask: Callable[[str], Query]) -> None:
    query = ask("list all open issues type:page sandbox")
    assert query.kinds == (Kind.PAGE,)
    assert not [part for part in conjuncts(query.where) if isinstance(part, Compare) and part.field is Field.STATE]


def test_the_tracker_is_where_issues_are(ask: Callable[[str], Query]) -> None:
    assert ask("열린 이슈 몇 건이야").hints == (Category.TRACKER,)


@pytest.mark.parametrize(
    ("text", "keywords"),
    [
        ("list everything blocked", ["blocked"]),
        ("목록: 막힌 것", ["막힌"]),
        ("approved software list", ["approved", "software", "list"]),
        ("공급업체 목록", ["공급업체", "목록"]),
    ],
)
def test_a_list_is_a_keyword_only_where_it_is_the_thing(
    ask: Callable[[str], Query], text: str, keywords: list[str]
) -> None:
    assert list(ask(text).keywords) == keywords
