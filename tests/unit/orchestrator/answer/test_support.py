"""The checker: what a sentence may say of what it cites, in both languages; and what it may not."""

from __future__ import annotations

from typing import Any

import pytest

from connectors.contract import Hit
from orchestrator.answer import is_supported, unsupported
from orchestrator.model import Citation, Part, Result, Statement
from translators.query import Container, Kind, Person

EN = "We revise the 10 October decision: Merchant API v2 will be REST, not GraphQL."
KO = "마루 앱 3.0이 오늘 정식 출시되었습니다."
LIMIT = "야근 식대 한도는 12,000원 → 15,000원입니다."
DOUBT = "Shall we move the launch to 3 December?"
PLAIN = "The Okta rollout is blocked by the old admin page."


def cited(desk: Any, text: str, number: int = 1, **facts: Any) -> Citation:
    hit = Hit("slack", "m", Kind.MESSAGE, snippet=text, created=desk.now, **facts)
    return Citation(number, Result(hit, (), number=number), text)


def claim(text: str, *numbers: int) -> Statement:
    return Statement(text, Part.CLAIM, numbers or (1,))


@pytest.mark.parametrize(
    ("span", "said"),
    [
        (EN, "Merchant API v2 will be REST, not GraphQL [1]."),
        (EN, "“Merchant API v2 will be REST” [1]"),
        (KO, "마루 앱 3.0이 정식 출시됐습니다 [1]"),
        (LIMIT, "야근 식대 한도는 15000원입니다 [1]"),
        (PLAIN, "The old admin page blocks the Okta rollout [1]."),
        (PLAIN, "“The Okta rollout is blocked” [1]"),
        (DOUBT, "Should we move the launch to 3 December? [1]"),
    ],
    ids=str,
)
def test_what_the_span_says_is_supported(desk: Any, span: str, said: str) -> None:
    assert is_supported(claim(said), [cited(desk, span)], desk.plan)


@pytest.mark.parametrize(
    ("span", "said"),
    [
        (EN, "Merchant API v2 will be GraphQL [1]."),
        (EN, "Merchant API v3 will be REST, not GraphQL [1]."),
        (EN, "Merchant API v2 will be REST, not GraphQL, from 3 December [1]."),
        (EN, "Sarah decided that Merchant API v2 will be REST, not GraphQL [1]."),
        (EN, "“Merchant API v2 will be GraphQL” [1]"),
        (KO, "마루 앱 4.0이 정식 출시됐습니다 [1]"),
        (KO, "마루 앱 3.0은 출시되지 않았습니다 [1]"),
        (KO, "마루 앱 3.0이 취소됐습니다 [1]"),
        (LIMIT, "야근 식대 한도는 18,000원입니다 [1]"),
        (LIMIT, "출장 숙박 한도는 15,000원입니다 [1]"),
        (PLAIN, "The Okta rollout is not blocked by the old admin page [1]."),
        (PLAIN, "The Okta rollout is finished [1]."),
        (PLAIN, "The budget was approved [1]."),
        (DOUBT, "We move the launch to 3 December [1]."),
        (PLAIN, "Okta 배포가 완료됐습니다 [1]"),
    ],
    ids=str,
)
def test_what_it_does_not_say_is_not(desk: Any, span: str, said: str) -> None:
    assert not is_supported(claim(said), [cited(desk, span)], desk.plan)


def test_without_a_citation_nothing_is_supported(desk: Any) -> None:
    assert not is_supported(Statement(PLAIN, Part.CLAIM), [cited(desk, PLAIN)], desk.plan)
    assert not is_supported(claim(PLAIN, 2), [cited(desk, PLAIN)], desk.plan)
    assert not is_supported(claim(f"{PLAIN} [1][7]", 1, 7), [cited(desk, PLAIN)], desk.plan)


def test_the_wrong_source_does_not_support(desk: Any) -> None:
    both = [cited(desk, PLAIN), cited(desk, EN, 2)]
    assert is_supported(claim("The Okta rollout is blocked [1]"), both, desk.plan)
    assert not is_supported(claim("The Okta rollout is blocked [2]", 2), both, desk.plan)


def test_facts_of_the_result_may_be_said(desk: Any) -> None:
    facts = {"author": Person("Sarah Kim"), "container": Container("security"), "title": "Okta"}
    said = "Slack security, 2025-03-03, Sarah Kim: “The Okta rollout is blocked” [1]"
    assert is_supported(claim(said), [cited(desk, PLAIN, **facts)], desk.plan)
    assert not is_supported(claim(said.replace("Sarah", "Emily")), [cited(desk, PLAIN, **facts)], desk.plan)
    assert not is_supported(claim(said.replace("03-03", "03-05")), [cited(desk, PLAIN, **facts)], desk.plan)


def test_a_date_may_be_written_in_the_askers_way(desk: Any) -> None:
    span = "사무실 이전이 3월 28일로 연기되었습니다."
    assert is_supported(claim(f"28 March 2025 — Slack: “{span}” [1]"), [cited(desk, span)], desk.plan)
    assert not is_supported(claim(f"29 March 2025 — Slack: “{span}” [1]"), [cited(desk, span)], desk.plan)


def test_only_claims_are_checked(desk: Any) -> None:
    lead, remark, wrong = (
        Statement("x:", Part.LEAD),
        Statement("gone", Part.REMARK),
        claim("The budget was approved [1]"),
    )
    assert unsupported((lead, remark, wrong), [cited(desk, PLAIN)], desk.plan) == (wrong,)
