"""What is missing or of the wrong type in a reply is named by its field and never by its value."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from connectors.errors import BadReply
from connectors.wire import IsoInstant, Line, Text, UnixMilliseconds, UnixSeconds, Url, Wire, read, read_each


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
