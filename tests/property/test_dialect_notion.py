"""Notion: the words of the question in their order, the one filter and the one order that its search knows."""

from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from translators.notion import Notion
from translators.query import EVERYTHING, Clause, Compare, Not, Query, Sort, all_of, conjuncts
from translators.strategies import comparisons, queries, text_leaves

if TYPE_CHECKING:
    from collections.abc import Mapping

SPEC = Path(__file__).parents[3] / "shared" / "contracts" / "notion_2025-09-03.openapi.json"
many = settings(max_examples=300, deadline=None)
leaves = text_leaves() | comparisons()


def words_of(text: str) -> list[str]:
    return re.findall(r"\w+", unicodedata.normalize("NFC", text))


@many
@given(st.lists(leaves | leaves.map(Not), max_size=5).map(all_of))
def test_the_words_of_the_question_are_sent_in_their_order(where: Clause) -> None:
    found = Notion().translate(Query("?", where=where), Notion.can)
    left = set(conjuncts(found.residual or EVERYTHING))
    sent = [part for part in conjuncts(where) if part not in left and not isinstance(part, Compare | Not)]
    assert words_of(found.native.text) == [word for part in sent for word in words_of(part.text)]  # type: ignore[union-attr]


@pytest.fixture(scope="module")
def schema() -> Mapping[str, Any]:
    if not SPEC.exists():
        pytest.skip(f"the vendor's description is not here: {SPEC}")
    spec = json.loads(SPEC.read_text(encoding="utf-8"))
    body = spec["paths"]["/v1/search"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    return {**body, "additionalProperties": False}


def test_what_is_sent_keeps_the_vendors_description(schema: Mapping[str, Any]) -> None:
    jsonschema = pytest.importorskip("jsonschema")

    @settings(max_examples=200, deadline=None)
    @given(queries())
    def check(query: Query) -> None:
        native = Notion().translate(query, Notion.can).native
        jsonschema.validate({"query": native.text, **native.args}, schema)
        if query.sort is not Sort.RELEVANCE:
            assert native.args["sort"]["timestamp"] == "last_edited_time"  # type: ignore[index,call-overload]

    check()
