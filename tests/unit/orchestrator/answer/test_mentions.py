"""Whom a text mentions by an id is shown by name, where what came back tells it."""

from __future__ import annotations

from typing import Any

import pytest

from orchestrator.answer import unsupported
from orchestrator.model import HitList, Status
from translators.query import Person, QueryType
from translators.translator import NativeQuery, Translation


@pytest.mark.parametrize("mention", ["@U01JWJ0A3", "<@U01JWJ0A3>", "<@U01JWJ0A3|woojin>"])
def test_a_known_id_is_shown_as_the_name(desk: Any, mention: str) -> None:
    desk = desk.ask(type=QueryType.EXPLORATORY, keywords=("문의",))
    asked = desk.result("slack:1", f"문의는 {mention}께 부탁드립니다.")
    other = desk.result("slack:2", "네").hit
    by = (type(other)(**{**_fields(other), "author": Person("정우진", native_id="U01JWJ0A3")}),)
    desk = desk.but("slack", Status.OK, lists=(HitList(Translation(NativeQuery("slack", "x")), by),))
    answer = desk.answer(asked)
    assert "문의는 @정우진께 부탁드립니다." in answer.summary
    assert answer.results[0].hit.snippet == "문의는 @정우진께 부탁드립니다."
    assert unsupported(answer.statements, answer.citations, answer.plan) == ()


def test_an_unknown_id_and_one_of_another_source_stay(desk: Any) -> None:
    desk = desk.ask(type=QueryType.EXPLORATORY, keywords=("Ask",))
    by = (desk.result("gmail:2", "yes", author="x").hit,)
    by = tuple(type(each)(**{**_fields(each), "author": Person("정우진", native_id="U01JWJ0A3")}) for each in by)
    desk = desk.but("gmail", Status.OK, lists=(HitList(Translation(NativeQuery("gmail", "x")), by),))
    text = "Ask @U01JWJ0A3 or @U0NOBODY1, or mail me@UPPER01CASE."
    assert f"“{text}”" in desk.answer(desk.result("slack:1", text)).summary


def _fields(hit: Any) -> dict[str, Any]:
    return {name: getattr(hit, name) for name in hit.__slots__}
