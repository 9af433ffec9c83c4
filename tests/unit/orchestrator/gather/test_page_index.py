"""Pages in memory are found by the words of a question in any form, the rarer words first, passage by passage."""

from datetime import UTC, datetime

import pytest

from connectors.contract import Hit
from orchestrator.gather.page_index import LONGEST, PageIndex
from translators.query import AnyOf, Compare, Field, Kind, Not, Op, Phrase, Term, all_of

DAY = datetime(2026, 11, 20, tzinfo=UTC)


def page(name, text, title="", updated=DAY):
    return Hit("wiki", name, Kind.PAGE, title=title, snippet=text, complete=True, updated=updated)


def index_of(*pages):
    index = PageIndex()
    for each in pages:
        index.put(each)
    return index


def names(index, *words, most=5):
    return [hit.id for _, hit in index.fitting(all_of(words), most)]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("보증금은 두 달 치", Term("보증금")),
        ("The deposits are due", Term("deposit")),
        ("one deposit", Term("deposits")),
        ("Ａ동 열쇠", Term("a동")),
        ("time off is 20 days", Term("time off")),
        ("고객 지원팀이 받는다", AnyOf((Term("support"), Term("고객 지원팀")))),
        ("배가 들어온다", Term("배")),
        ("커넥션 풀 포화도 알림", Term("커넥션풀")),
        ("고객지원팀이 받는다", Term("고객 지원팀")),
        ("we moved to db-main-2", Phrase("db-main-2")),
    ],
)
def test_a_word_is_found_in_its_forms(text, word):
    assert names(index_of(page("it", text), page("other", "무관한 글 about nothing")), word) == ["it"]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("배터리를 간다", Term("배")),
        ("커넥션 하나와 풀장", Term("커넥션풀")),
        ("off we go, time flies", Term("time off")),
        ("a depository", Term("deposit")),
    ],
)
def test_what_only_begins_or_stands_apart_is_not(text, word):
    assert names(index_of(page("it", text)), word) == []


def test_the_rarer_word_counts_for_more_and_one_word_of_several_is_chance():
    index = index_of(
        *(page(f"p{at}", "매장 공지") for at in range(8)), page("rare", "생두 보관"), page("both", "매장 생두")
    )
    assert names(index, Term("생두")) == ["rare", "both"]
    assert names(index, Term("매장"), Term("생두")) == ["both"]
    words = all_of([Term("매장"), Term("생두"), Term("보관")])
    assert [(whole, hit.id) for whole, hit in index.fitting(words, 5)] == [(False, "rare")]


def test_a_part_of_the_words_is_worth_telling_only_where_what_is_at_hand_holds_less():
    index = index_of(
        page("some", "생두 샘플"),
        page("more", "생두 샘플 보관"),
        page("all", "생두 샘플 보관 기간"),
        page("none", "휴가"),
        *(page(f"other{at}", "휴가") for at in range(8)),
    )
    words = all_of(map(Term, ("생두", "샘플", "보관", "기간")))
    assert [hit.id for _, hit in index.fitting(words, 5, {"none"})] == ["all", "more"]
    assert [hit.id for _, hit in index.fitting(words, 5, {"more"})] == ["all"]
    assert [hit.id for _, hit in index.fitting(words, 5, {"all"})] == []


def test_one_rare_word_of_several_will_do_where_nothing_else_is_at_hand():
    """Better one page that is near than none."""
    index = index_of(
        page("toy", "마스코트 이름: 또랑이 (수달)"), page("sea", "수달 이야기"), page("other", "휴가 안내")
    )
    words = all_of(map(Term, ("수달", "장난감")))
    assert [(whole, hit.id) for whole, hit in index.fitting(words, 5)] == [(False, "toy"), (False, "sea")]
    assert index.fitting(words, 5, {"other"}) == []
    index.put(page("third", "수달 사진"))
    assert index.fitting(words, 5) == []
    index.put(page("both", "수달 장난감"))
    assert [hit.id for _, hit in index.fitting(words, 5)] == ["both"]


def test_words_that_stand_far_apart_in_a_page_are_not_held_together():
    far = page(
        "far", "정산 파일은 은행으로 간다.\n\n" + "그 밖의 안내 문장이다. " * (LONGEST // 8) + "\n\n담당: 이하늘"
    )
    near = page("near", "정산 담당: 한소라")
    found = index_of(far, near).fitting(all_of([Term("정산"), Term("담당")]), 5)
    assert [(whole, hit.id) for whole, hit in found] == [(True, "near")]


def test_a_title_counts_for_each_of_its_passages():
    index = index_of(page("it", "기간은 석 달이다", title="정직원 수습"), page("other", "기간은 한 달이다"))
    assert names(index, Term("수습"), Term("기간")) == ["it"]


def test_what_breaks_a_condition_is_left_out():
    index = index_of(page("new", "요금"), page("old", "요금", updated=datetime(2025, 1, 1, tzinfo=UTC)))
    since = Compare(Field.UPDATED, Op.GE, datetime(2026, 1, 1, tzinfo=UTC))
    assert names(index, Term("요금"), since) == ["new"]
    assert names(index, Term("요금"), Not(Term("요금"))) == []


def test_a_page_that_is_put_again_or_dropped_is_found_as_it_is_now():
    index = index_of(page("it", "옛 요금 4,800"), page("gone", "요금"))
    index.put(page("it", "새 가격 5,000"))
    index.drop("gone")
    index.drop("never there")
    assert names(index, Term("요금")) == []
    assert names(index, Term("가격")) == ["it"]
    assert index.characters == len("새 가격 5,000")


def test_a_page_without_text_is_found_by_its_title():
    assert names(index_of(page("it", "", title="Snow rota")), Term("rota")) == ["it"]


@pytest.mark.parametrize("asked", [Term("…"), Term(""), Term("ㅋㅋㅋ"), Phrase("((((("), Term("a" * 5000)])
def test_hostile_words_find_nothing_and_break_nothing(asked):
    assert names(index_of(page("it", "조용한 글"), page("x" * 100, "\x00\u202e" * 100)), asked) == []
