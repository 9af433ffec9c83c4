"""Steps and lists are told whole, under the line that says what they are of."""

from __future__ import annotations

import pytest

from orchestrator.answer.whole_lists import LONGEST, asks_for_all, enumerates, lists_in, steps_in, things_in


def test_numbered_lines_are_one_list_under_the_line_above() -> None:
    (found,) = lists_in(
        "Bleeding the radiators:\n1) Switch off\n2) Open the valve\n   with the key\n3) Close it\n\nThat is all."
    )
    assert (found.heading, found.text) == (
        "Bleeding the radiators:",
        "1) Switch off 2) Open the valve with the key 3) Close it",
    )


def test_a_list_that_begins_anew_is_another() -> None:
    assert [each.items for each in lists_in("A\n1. a\n2. b\n\nB\n1. c\n2. d\n3. e")] == [2, 3]


def test_a_line_alone_is_no_list_nor_is_one_that_does_not_begin() -> None:
    assert lists_in("- a\n\ntext\n- b") == ()
    assert lists_in("4. a\n5. b") == ()


def test_bullets_are_steps_where_one_tells_what_to_do_or_something_stands_above() -> None:
    assert steps_in("- Plug the cable in\n- Set the source")
    assert steps_in("Closing the till\n- the cash\n- the report")
    assert not steps_in("- red ones\n- blue ones")


def test_paragraphs_are_no_things() -> None:
    assert things_in("Rules\n- No running\n- No glass")
    assert not things_in("Rules\n- " + "word " * 40 + "\n- " + "word " * 40)


def test_a_long_list_ends_at_a_word() -> None:
    (found,) = lists_in("\n".join(f"{at}. step number {at}" for at in range(1, 90)))
    assert len(found.text) <= LONGEST


@pytest.mark.parametrize(
    ("question", "all_of_them"),
    [
        ("which rooms have a projector", True),
        ("what do we need for the picnic", True),
        ("수영장 규칙 뭐뭐 있어", True),
        ("워크숍 누구누구 가", True),
        ("what changed in firmware 4.1.4", True),
        ("what's new in the handbook", True),
        ("what did we fix in 2.1", True),
        ("4.2에서 뭐가 바뀌었어", True),
        ("이번 릴리즈 변경사항", True),
        ("when did the price change", False),
        ("who changed the price", False),
        ("which engineer sleeps aboard this week", False),
        ("in which country does it start", False),
        ("for what day was the review planned", False),
        ("what is the wifi password", False),
    ],
)
def test_who_asks_for_all_of_them(question: str, all_of_them: bool) -> None:
    assert asks_for_all(question) is all_of_them


@pytest.mark.parametrize(
    ("sentence", "three"),
    [
        ("Rooms with a projector: Ash, Birch and Oak.", True),
        ("장갑은 안셀, 메디온, 쇼와 세 곳을 씁니다.", True),
        ("The projector in Ash is broken.", False),
        ("It is red, and old.", False),
    ],
)
def test_three_things_are_a_list(sentence: str, three: bool) -> None:
    assert enumerates(sentence) is three


@pytest.mark.parametrize("text", ["", "- " * 4000, "1. a\n" * 4000, ", " * 4000, "\n" * 9000, "a, b and " * 3000])
def test_hostile_text_is_read(text: str) -> None:
    lists_in(text)
    enumerates(text)
    asks_for_all(text)
