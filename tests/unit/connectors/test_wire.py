"""What is missing or of the wrong type in a reply is named by its field and never by its value."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import from_json

from connectors.errors import BadReply
from connectors.wire import (
    LONGEST_KNOWN,
    MOST_KNOWN,
    IsoInstant,
    ItemMemo,
    Line,
    Text,
    UnixMilliseconds,
    UnixSeconds,
    Url,
    Wire,
    key_of,
    read,
    read_each,
)


class Inner(Wire):
    name: Line


class Outer(Wire):
    inner: Inner
    text: Text = ""
    url: Url = ""


class Times(Wire):
    seconds: UnixSeconds | None = None
    millis: UnixMilliseconds | None = None
    iso: IsoInstant | None = None


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({}, "inner: is missing"),
        ({"inner": "s3cret"}, "inner: should be an object"),
        ({"inner": {"name": ["s3cret"]}}, "inner.name: input should be a valid string"),
        ({"inner": {"name": "x"}, "text": 5}, "text: input should be a valid string"),
        ([1], "something other than a JSON object"),
        (None, "something other than a JSON object"),
    ],
)
def test_a_bad_reply_names_the_field(data: object, told: str) -> None:
    """And whose it is."""
    with pytest.raises(BadReply) as caught:
        read(Outer, data, "Acme")
    assert "Acme" in caught.value.message
    assert told in caught.value.message
    assert "s3cret" not in caught.value.message


def test_what_is_null_is_empty_and_unclean_text_is_cleaned() -> None:
    """Vendors say null for "none"."""
    outer = read(Outer, {"inner": {"name": "a\nb\u202e"}, "text": None, "url": "javascript:x", "more": 1}, "Acme")
    assert (outer.inner.name, outer.text, outer.url) == ("a b", "", "")


def test_an_item_that_cannot_be_read_costs_itself() -> None:
    """The note counts them and tells the first fault."""
    made, notes = read_each(Inner, [{"name": "a"}, {}, 7, {"name": "b"}], lambda item: item.name or None, "names")
    assert made == ("a", "b")
    assert notes == ("2 of 4 names could not be read (name: is missing)",)


def test_an_item_that_is_not_wanted_is_no_fault() -> None:
    """``None`` from the maker."""
    assert read_each(Inner, [{"name": ""}], lambda item: item.name or None, "names") == ((), ())


def test_times_in_each_form() -> None:
    """Always aware, in UTC."""
    at = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
    times = Times.model_validate(
        {"seconds": "1795262400.0", "millis": "1795262400000", "iso": "2026-11-21T21:00:00+09:00"}
    )
    assert (times.seconds, times.millis, times.iso) == (at, at, at)
    assert Times.model_validate({"iso": "2026-11-21T12:00:00"}).iso == at


@pytest.mark.parametrize(
    "data",
    [
        {"seconds": "nan"}, {"seconds": "9e300"}, {"seconds": True}, {"seconds": [1]}, {"seconds": "-99999999999"},
        {"millis": "x"}, {"millis": "9" * 400}, {"millis": 1.5}, {"millis": False},
        {"iso": "yesterday"}, {"iso": "0001-01-01T00:00:00+14:00"}, {"iso": 5}, {"iso": "9999-12-31T23:59:59-14:00"},
    ],
)  # fmt: skip
def test_times_out_of_reason(data: dict[str, object]) -> None:
    """No arithmetic with them could end well."""
    with pytest.raises(BadReply):
        read(Times, data, "Acme")


class Counted(Wire):
    id: Line


def test_an_item_that_comes_again_is_made_once() -> None:
    """The queries of one question bring much the same; what differs in the least is made anew."""
    made: list[str] = []
    known = ItemMemo()

    def make(item: Counted) -> Counted:
        made.append(item.id)
        return item

    first = read_each(Counted, [{"id": "a", "n": 1}, {"id": "b"}], make, "things", known)
    again = read_each(Counted, [{"id": "b"}, {"id": "a", "n": 1}, {"id": "a", "n": 1.0}], make, "things", known)
    assert made == ["a", "b", "a"]
    assert again[0] == (first[0][1], first[0][0], first[0][0])
    read_each(Inner, [{"name": "a"}, {"id": "a", "n": 1, "name": "x"}], lambda item: item.name, "names", known)
    assert made == ["a", "b", "a"]


def test_what_cannot_be_read_or_is_not_wanted_is_looked_at_again() -> None:
    known = ItemMemo()
    for _ in range(2):
        hits, notes = read_each(Counted, [{}, {"id": "no"}], lambda _: None, "things", known)
        assert (hits, notes) == ((), ("1 of 2 things could not be read (id: is missing)",))


def test_little_is_kept_of_what_came_before() -> None:
    """Neither many items nor long ones, nor any that JSON cannot say."""
    known, made = ItemMemo(), []
    items = [{"id": str(number)} for number in range(MOST_KNOWN + 1)]
    odd = [{"id": "long", "text": "x" * LONGEST_KNOWN}, {"id": "odd", "text": object()}]
    for _ in range(2):
        read_each(Counted, [*odd, *items[-2:]], lambda item: made.append(item.id) or item, "things", known)
        read_each(Counted, items, lambda item: item, "things", known)
    assert made == ["long", "odd", "255", "256", "long", "odd"]


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
        lambda part: st.lists(part) | st.dictionaries(st.text(), part),
        max_leaves=8,
    )
)
def test_the_same_said_twice_is_known_whoever_holds_it(said: object) -> None:
    """Also where a parser shares equal strings between items, and where it does not."""
    written = json.dumps([said, said])
    one, other = json.loads(written)
    (apart,) = json.loads(json.dumps([said]))
    shared = from_json(written, cache_strings="all")[1]
    assert key_of(Counted, one) == key_of(Counted, other) == key_of(Counted, apart) == key_of(Counted, shared)
