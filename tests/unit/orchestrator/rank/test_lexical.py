"""Many texts read in one go are what each is by itself, whatever is in them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.contract import Hit
from orchestrator.rank.lexical import Text, folded_words, spaced, texts_of
from translators.query import Container, Kind, Person

ANY = st.text(st.one_of(st.characters(), st.sampled_from("결제API k8s\x02\x03\n\u00a0\u0301\u202e.,-_")), max_size=60)
HITS = st.builds(
    lambda title, snippet, name: Hit("s", "id 1", Kind.PAGE, title=title, snippet=snippet, author=Person(name)),
    ANY,
    ANY,
    ANY,
)


@given(st.lists(HITS, max_size=6))
def test_reading_many_at_once_is_reading_each(hits: list[Hit]) -> None:
    assert texts_of(hits, 50) == [Text.of(hit, 50) for hit in hits]


@given(HITS)
def test_a_text_holds_its_words_in_order_between_blanks(hit: Hit) -> None:
    text = Text.of(hit, 50)
    apart = folded_words(hit.title.replace("_", " ")) if "_" in hit.title else ()
    assert text.title.split() == [*folded_words(hit.title), *apart]
    assert text.body.split() == list(folded_words(hit.snippet[:50]))
    for part in (text.title, text.body, text.names):
        assert part.startswith(" ")
        assert part.endswith(" ")
        assert "  " not in part


@pytest.mark.parametrize("mark", ["\x02", "\x03", "\x03 \x02"])
def test_the_marks_in_a_text_are_no_marks(mark: str) -> None:
    hits = [
        Hit("s", "a", Kind.PAGE, title=f"one{mark}two", snippet=f"결제 {mark} API"),
        Hit("s", "b", Kind.PAGE, title="x"),
    ]
    first, second = texts_of(hits, 100)
    assert (first.title, first.body, second.title) == (" one two ", " 결제 api ", " x ")


def test_headings_of_a_passage_are_read_with_its_title() -> None:
    text = Text.of(Hit("s", "c", Kind.PAGE, title="Rules", snippet="7일", facts={"heading": "규정 › 환불"}), 100)
    assert (text.title, text.body) == (" rules 규정 환불 ", " 7 일 ")


def test_a_file_is_read_by_the_words_of_its_name_too() -> None:
    text = Text.of(Hit("s", "c", Kind.FILE, title="UK_price_list.xlsx"), 100)
    assert text.title == " uk_price_list xlsx uk price list xlsx "


def test_nothing_is_found_across_title_text_and_names() -> None:
    hit = Hit("s", "c", Kind.PAGE, title="access", snippet="boxes", container=Container("list"))
    whole = Text.of(hit, 100).whole
    assert " access boxes " not in whole
    assert " boxes list " not in whole


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("API를 REST로", ("api", "를", "rest", "로")),
        ("Ｋ８Ｓ", ("k8s",)),
        ("결\u110c\u1166", ("결제",)),
        ("--- !!!", ()),
        ("a\u00a0b", ("a", "b")),
        ("٣월 ३ v٢", ("3", "월", "3", "v2")),
    ],
)
def test_words_end_where_the_script_does(text: str, words: tuple[str, ...]) -> None:
    assert folded_words(text) == words
    assert spaced(text).split() == list(words)
    (read,) = texts_of([Hit("s", "x", Kind.PAGE, snippet=text)], 100)
    assert tuple(read.body.split()) == words


def test_a_hit_is_read_once_however_many_stages_ask(world: Any) -> None:
    context = world.context
    hits = [world.hit("slack", "a", "결제"), world.hit("slack", "b", "api")]
    first = context.texts(hits)
    assert [context.text(hit) is text for hit, text in zip(hits, first, strict=True)] == [True, True]
    assert context.texts(hits[::-1]) == first[::-1]
