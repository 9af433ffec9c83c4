"""Paths: what is looked up step by step is what a general matcher finds, in any document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonpath import JSONPathEnvironment

from connectors.json_api.paths import PathLookup, compiled, pointer, steps
from connectors.json_api.settings import JsonApiSettings
from connectors.json_api.wire import read_page
from connectors.wire import ItemMemo

if TYPE_CHECKING:
    from collections.abc import Sequence

    from connectors.contract import Hit

NAMES = st.sampled_from(["a", "b", "_c", "d1", "e f", "x.y", ""])
PLACES = st.integers(0, 3)
PLAIN = st.sampled_from(["a", "b", "_c", "d1"])
DOCUMENTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda part: st.lists(part, max_size=4) | st.dictionaries(NAMES, part, max_size=4),
    max_leaves=12,
)


@st.composite
def paths(draw: st.DrawFn) -> str:
    """Written in each way that there is."""
    ways = PLAIN.map(".{}".format) | NAMES.map("['{}']".format) | PLACES.map("[{}]".format)
    return "$" + "".join(draw(st.lists(ways, max_size=3)))


@given(paths(), DOCUMENTS)
def test_a_plain_path_finds_what_the_matcher_finds(path: str, document: Any) -> None:
    assert steps(path) is not None
    expected = compiled(path).findall(document) if isinstance(document, dict | list) else []
    found = pointer(path).values(document)
    assert len(found) == len(expected)
    assert all(one is other for one, other in zip(found, expected, strict=True))
    assert pointer(path).singular


@given(st.lists(paths() | st.sampled_from(["", "$..a"]), min_size=2, max_size=6), DOCUMENTS)
def test_paths_that_are_looked_up_together_find_what_each_finds(several: list[str], document: Any) -> None:
    found = PathLookup([(path, pointer(path).first) for path in several])(document)
    assert all(one is pointer(path).first(document) for one, path in zip(found, several, strict=True))


@given(st.text("$.[]'\"ab01*?@ -:\\", max_size=8))
def test_whatever_is_taken_for_a_plain_path_is_one(path: str) -> None:
    if steps(path) is not None:
        assert JSONPathEnvironment(strict=True).compile(path).singular_query()


@pytest.mark.parametrize(
    "path", ["$..a", "$.*", "$.a[*]", "$['a','b']", "$[?@.a]", "$[0:2]", "$[-1]", '$["a"]', "$.제목"]
)
def test_anything_else_goes_through_the_matcher(path: str) -> None:
    assert steps(path) is None
    document = {"a": [1, 2], "제목": "x"}
    assert pointer(path).values(document) == compiled(path).findall(document)


def read(items: Sequence[Any], known: ItemMemo | None = None) -> tuple[Hit, ...]:
    settings = JsonApiSettings.model_validate({"kind": "json_api", "base_url": "http://127.0.0.1:1/api"})
    return read_page(settings, {"items": items}, "Mine", known).hits


def test_a_result_that_comes_again_is_read_once() -> None:
    """A changed one is read anew: it is known by all that it says."""
    known = ItemMemo()
    (one,), (again,) = read([{"id": "1", "text": "old"}], known), read([{"id": "1", "text": "old"}], known)
    (changed,) = read([{"id": "1", "text": "new"}], known)
    assert again is one
    assert (one.snippet, changed.snippet) == ("old", "new")


@pytest.mark.parametrize(
    ("score", "expected"), [(3, 3.0), (2.5, 2.5), (True, 1.0), ("9", None), (None, None), ([1], None)]
)
def test_a_score_is_a_number_or_none(score: Any, expected: float | None) -> None:
    (hit,) = read([{"id": "1", "score": score}])
    assert hit.score == expected


def test_a_score_beyond_all_numbers_costs_its_result_and_is_told() -> None:
    settings = JsonApiSettings.model_validate({"kind": "json_api", "base_url": "http://127.0.0.1:1/api"})
    page = read_page(settings, {"items": [{"id": "1", "score": 10**400}, {"id": "2"}]}, "Mine")
    assert [hit.id for hit in page.hits] == ["2"]
    assert "score: is no number within reason" in str(page.notes[0])


def test_true_is_no_date_even_beside_the_first_second() -> None:
    """Python takes 1 and true for equal, and a date that was read a moment before for the same."""
    told = {"kind": "json_api", "base_url": "http://127.0.0.1:1/api", "hit": {"dates": "seconds"}}
    items = [{"id": "1", "created": 1, "updated": True}, {"id": "2", "created": 1, "updated": 1}]
    page = read_page(JsonApiSettings.model_validate(told), {"items": items}, "Mine")
    assert [(hit.id, hit.updated == hit.created) for hit in page.hits] == [("2", True)]
    assert "updated: is not a time stamp" in str(page.notes[0])


def test_an_id_that_no_encoding_can_say_is_written_into_an_address_all_the_same() -> None:
    """Half a surrogate pair, in one result, took all others of its page away."""
    told = {"kind": "json_api", "base_url": "http://127.0.0.1:1/api", "hit": {"url": "https://wiki.example/{$.id}"}}
    page = read_page(JsonApiSettings.model_validate(told), {"items": [{"id": "\ud800x"}, {"id": "2"}]}, "Mine")
    assert [hit.url for hit in page.hits] == ["https://wiki.example/%3Fx", "https://wiki.example/2"]
