"""Which words of a question are searched for in another spelling, and how it is told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from connectors.contract import Hit
from orchestrator.model import HitList, Outcome, Status
from orchestrator.respelling import (
    AT_ONCE,
    LOOKED_AT,
    Respelling,
    asked_instead,
    merged,
    respellings,
    respelt,
    strange_words,
)
from orchestrator.understand import Directory, load_lexicon
from translators.query import Category, Identifier, IdKind, Kind, Query, Term, all_of
from translators.said import said_in
from translators.translator import NativeQuery, Translation

LEXICON = load_lexicon()


def asked(*words: str, **more: object) -> Query:
    where = all_of(map(Term, words))
    return replace(Query(" ".join(words), where, keywords=words, essential=words), **more)  # type: ignore[arg-type]


def found(*texts: str, native: str = "q", status: Status = Status.OK) -> Outcome:
    hits = tuple(Hit("slack", f"{native}{at}", Kind.MESSAGE, snippet=text) for at, text in enumerate(texts))
    lists = (HitList(Translation(NativeQuery("x", native)), hits),)
    return Outcome("slack", "Slack", Category.CHAT, status, lists, requests=1)


def looked(query: Query, *outcomes: Outcome, names: Directory | None = None) -> tuple[Respelling, ...]:
    strange = strange_words(query, outcomes)
    return respellings(strange, names, LEXICON) if strange else ()


def pairs(query: Query, *texts: str) -> list[tuple[str, str]]:
    return [(each.word, each.meant) for each in looked(query, found(*texts))]


@pytest.mark.parametrize(
    ("word", "text", "meant"),
    [
        ("reimbursment", "the reimbursement limit", "reimbursement"),
        ("훌련", "소방 훈련이 있습니다", "훈련"),
        ("appstore", "App Store rejection", "app store"),
    ],
)
def test_a_word_that_no_hit_holds_is_searched_for_as_a_hit_spells_it(word: str, text: str, meant: str) -> None:
    assert pairs(asked(word), text) == [(word, meant)]


@pytest.mark.parametrize(
    ("word", "text", "meant"),
    [
        ("홀브룩", "the boat for Holbrook leaves at nine", "Holbrook"),
        ("펜할로", "Penhallow School rang about the lockers", "Penhallow"),
        ("스톤스크로프트", "the lease of Stones Croft ends in May", "Stones Croft"),
    ],
)
def test_a_name_in_hangul_is_searched_for_as_hits_write_what_sounds_like_it(word: str, text: str, meant: str) -> None:
    """Where no list has it; a word that the lists translate is no name."""
    assert pairs(asked(word), text) == [(word, meant)]
    assert pairs(asked(word), text.lower()) == []
    assert not [each for each in pairs(asked("계약"), "Kayak rental") if each[1] == "Kayak"]


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("recieved", "we recieved it, though others received it"),  # somebody writes it so
        ("payments", "the payment is late"),
        ("배포자동화", "배포 자동화를 시작합니다"),
        ("kangaroo", "the meeting is on Monday"),  # nothing is near
        ("committee", "the commitee met"),  # a word of the language
    ],
)
def test_a_word_that_is_held_or_known_or_near_nothing_costs_nothing(word: str, text: str) -> None:
    assert pairs(asked(word), text) == []


@pytest.mark.parametrize(
    ("word", "meant"), [("빨래", "세탁"), ("밤근무", "야간근무"), ("pictures", "photo"), ("laptops", "notebook")]
)
def test_a_known_word_is_searched_for_by_what_else_it_is_called_where_nothing_at_all_was_found(
    word: str, meant: str
) -> None:
    assert (word, meant) in pairs(asked(word))
    assert pairs(asked(word), "another matter", "다른 글") == []


def test_what_holds_a_longer_name_holds_the_word_itself() -> None:
    assert pairs(asked("회식")) == []  # so that 회식자리 needs no request
    assert pairs(asked("빨래")) == [("빨래", "세탁")]  # nor does 세탁물 beside 세탁


def test_several_names_of_a_word_are_asked_for_at_once_and_each_is_told() -> None:
    query = asked("lift", "broken", variants=(("lift", ("엘리베이터",)),))
    what = tuple(each for each in looked(query, found()) if each.word == "lift")
    other = asked_instead(query, what)
    assert str(other.where) == "elevator AND broken"
    assert dict(other.variants) == {"elevator": ("hoist",)}
    told = respelt(query, what)
    assert dict(told.variants) == {"lift": ("엘리베이터", "elevator", "hoist")}
    assert told.respelt == (("lift", "elevator"), ("lift", "hoist"))
    assert [said_in(doubt.message, "en") for doubt in told.doubts] == [
        "also searched for “elevator” (for “lift”)",
        "also searched for “hoist” (for “lift”)",
    ]
    (beside,) = merged(found(native="1"), found("elevator", native="2"), what).lists[1:]
    assert beside.dropped == ("lift",)  # said once


def test_what_was_quoted_or_pasted_is_no_slip() -> None:
    assert pairs(asked("훌련", phrases=("훌련",)), "소방 훈련") == []
    assert pairs(asked("PAYY-151", ids=(Identifier(IdKind.TICKET, "PAYY-151"),)), "PAY-151") == []


def test_names_that_sources_know_are_at_hand_without_any_hit() -> None:
    known = Directory(channels=("adlershof",))
    (one,) = looked(asked("Adlershfo"), found(), names=known)
    assert (one.word, one.meant) == ("Adlershfo", "adlershof")


def test_a_compound_that_nothing_holds_is_asked_for_apart() -> None:
    query = asked("전원출근", variants=(("전원출근", ("전원 출근",)),))
    (one,) = looked(query, found("다른 글"))
    assert (one.meant, one.spaced) == ("전원 출근", True)
    assert respelt(query, (one,)) == query  # the same word needs no doubt


def test_words_side_by_side_are_asked_for_in_one_where_the_second_is_nowhere() -> None:
    query = asked("배포", "자동화", "일정", joined=(("배포", "자동화"), ("자동화", "일정")))
    (one,) = looked(query, found("배포 일정을 알립니다"))
    assert (one.word, one.meant, one.spaced, one.told) == ("배포 자동화", "배포자동화", True, False)
    assert str(asked_instead(query, (one,)).where) == "배포자동화 AND 일정"
    assert looked(query, found("배포자동화 일정")) == ()
    assert looked(query, found("다른 글")) == ()  # of the first word there is nothing either


def test_english_words_side_by_side_are_worth_no_second_round() -> None:
    query = asked("price", "list", joined=(("price", "list"),))
    assert looked(query, found("the price of it")) == ()


def test_where_nothing_at_all_was_found_an_unknown_korean_word_is_asked_for_by_its_beginning() -> None:
    (one,) = looked(asked("건강겁진"), found())
    assert (one.meant, one.sure) == ("건강", False)


def test_a_name_is_held_by_hits_far_apart_together_and_what_no_hit_holds_is_still_found() -> None:
    apart = ("Harbor opens", *["nothing of the kind"] * 3 * AT_ONCE, "the Desk opens")
    query = asked("tideline", variants=(("tideline", ("Harbor Desk",)),))
    assert strange_words(query, (found(*apart),)) is None
    strange = strange_words(query, (found(*apart[:-1]),))
    assert strange is not None
    assert (strange.words, len(strange.texts)) == (("tideline",), len(apart) - 1)


def test_many_strange_words_are_not_all_looked_at() -> None:
    words = tuple(f"wrod{chr(97 + at % 26)}{chr(97 + at // 26)}xyz" for at in range(200))
    assert len(pairs(asked(*words), " ".join(word[:-1] for word in words))) <= LOOKED_AT


def test_the_question_stands_as_asked_with_one_more_name_and_says_so_in_both_languages() -> None:
    query = asked("소방", "훌련")
    what = looked(query, found("소방 훈련이 있습니다"))
    told = respelt(query, what)
    assert (told.where, told.keywords) == (query.where, query.keywords)
    assert told.variants == (("훌련", ("훈련",)),)
    assert told.respelt == (("훌련", "훈련"),)
    (doubt,) = told.doubts
    assert said_in(doubt.message, "en") == "also searched for “훈련” (for “훌련”)"
    assert said_in(doubt.message, "ko") == "“훈련”도 함께 찾음 (“훌련” 대신)"


def test_the_other_question_asks_for_what_is_meant() -> None:
    query = asked("appstore", "rejection")
    other = asked_instead(query, looked(query, found("App Store rejection")))
    assert str(other.where) == "app AND store AND rejection"
    assert other.essential == ("app", "store", "rejection")


def test_lists_of_the_second_round_say_what_they_are_without_and_stand_behind() -> None:
    query = asked("소방", "훌련")
    first = found("소방 훈련이 있습니다")
    what = looked(query, first)
    both = merged(first, found("훈련 일정", native="r"), what)
    assert [(each.rung, each.dropped) for each in both.lists] == [(0, ()), (1, ("훌련",))]
    assert both.requests == 2
    assert both.notes == (what[0].said,)
    assert merged(first, found("소방 훈련이 있습니다"), what).lists == first.lists  # asked before, told once
    assert merged(found(status=Status.EMPTY), found("훈련", native="r"), what).status is Status.OK


def test_what_names_a_kind_of_thing_is_asked_for_by_the_noun_before_it() -> None:
    """A list headed 관제 says who watches the 관제실; a lunchbox is no city."""
    assert pairs(asked("관제실"), "다른 글") == [("관제실", "관제")]
    assert pairs(asked("관제실"), "관제실 근무") == []
    assert pairs(asked("도시락"), "다른 글") == []
