"""Notion: the words of the question in their order, the one filter and the one order that its search knows."""

from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import nightly
from translators.notion import Notion
from translators.query import (
    DATED,
    EVERYTHING,
    Clause,
    Compare,
    Field,
    Identifier,
    IdKind,
    Not,
    Op,
    Query,
    all_of,
    conjuncts,
)
from translators.strategies import comparisons, identifiers, queries, text_leaves

if TYPE_CHECKING:
    from collections.abc import Mapping

SPEC = Path(__file__).parents[3] / "shared" / "contracts" / "notion_2025-09-03.openapi.json"
many = nightly(300)
leaves = text_leaves() | comparisons().filter(lambda leaf: leaf.field is not Field.ID)


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

    @nightly(200)
    @given(queries())
    def check(query: Query) -> None:
        native = Notion().translate(query, Notion.can).native
        if "id" in native.args:
            return
        jsonschema.validate({"query": native.text, **native.args}, schema)
        if query.sort in DATED:
            assert native.args["sort"]["timestamp"] == "last_edited_time"  # type: ignore[index,call-overload]

    check()


# ---- pages named by their address

HEX = st.text("0123456789abcdefABCDEF", min_size=32, max_size=32)
SLUGS = st.sampled_from(["", "Plan-", "온콜-안내서-", "a-b-c-", "1-", "%EA%B3%84%ED%9A%8D-"])
ADDRESSES = st.builds(
    "{}{}{}{}{}".format,
    st.sampled_from(
        ["https://www.notion.so/acme/", "https://notion.so/", "https://acme.notion.site/", "http://x.example/"]
    ),
    SLUGS,
    HEX,
    st.sampled_from(["", "?pvs=4", "?v=1"]) | HEX.map("?v=1&p={}".format),
    st.sampled_from(["", "#7f0a", " OR 1=1"]),
)


def named(text: str) -> str:
    """What an address of Notion's opens: the page over a database, else the page at the end of the path."""
    parts = urlsplit(text)
    if " " in text or not (parts.hostname or "").endswith(("notion.so", "notion.site")):
        return ""
    return (*parse_qs(parts.query).get("p", []), parts.path[-32:])[0].lower()


@many
@given(ADDRESSES, st.lists(text_leaves(), max_size=2))
def test_what_an_address_opens_is_fetched(address: str, words: list[Clause]) -> None:
    """The rest of the question is checked; an address of another product is left to us."""
    thing = Compare(Field.ID, Op.EQ, Identifier(IdKind.URL, address))
    found = Notion().translate(Query("?", where=all_of([thing, *words])), Notion.can)
    assert found.native.args.get("id", "") == named(address)
    left = set(conjuncts(found.residual or EVERYTHING))
    assert (thing in left) is not bool(named(address))
    assert not named(address) or left == set(conjuncts(all_of(words)))


@many
@given(identifiers())
def test_nothing_but_an_id_is_ever_sent(thing: Identifier) -> None:
    """It becomes part of a path."""
    found = Notion().translate(Query("?", where=Compare(Field.ID, Op.EQ, thing)), Notion.can)
    assert re.fullmatch(r"[0-9a-f]{32}|", str(found.native.args.get("id", "")))
    assert not found.native.text
