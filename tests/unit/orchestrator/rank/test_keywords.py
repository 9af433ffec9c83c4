"""Keyword match: one scale for all sources, exact where exactness was meant, Korean by the beginning of words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from orchestrator.rank.held import SoughtWords, held_in
from orchestrator.rank.lexical import Text
from orchestrator.rank.match import MatchedWords, found_words, matches
from orchestrator.rank.wanted import PIECES, pieces_of, wanted_of
from translators.query import Container, Entity, EntityKind, Identifier, IdKind, Person, Query

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orchestrator.rank.config import KeywordWorth


def match(world: Any, query: Query, *hits: Any) -> list[float]:
    return match_texts(query, [Text.of(hit, world.config.limits.text) for hit in hits], world.config.keywords)


def match_texts(query: Query, texts: Sequence[Text], worth: KeywordWorth) -> list[float]:
    wished = SoughtWords.of(query, worth)
    return matches(held_in(texts, wished), wished)


def found(world: Any, query: Query, **facts: Any) -> MatchedWords:
    text = Text.of(world.hit("notion", "x", **facts), world.config.limits.text)
    return found_words(wanted_of(query, world.config.keywords), [text], world.config.keywords)[0]


def one(world: Any, query: Query, **facts: Any) -> float:
    return match(world, query, world.hit("notion", "x", **facts))[0]


@pytest.mark.parametrize(
    ("keyword", "text"),
    [
        ("마이그레이션", "API 마이그레이션을 확정했습니다"),
        ("migration", "Two migrations are planned"),
        ("migrations", "the migration plan"),
        ("K8s", "the k8s cluster"),
        ("Ｋ８Ｓ", "k8s"),
        ("ERR_CONN_4012", "it says ERR_CONN_4012 again"),
        ("결제시스템", "결제 시스템을 점검합니다"),
        ("access boxes", "access box list"),
        ("API", "API를 REST로 만듭니다"),
        ("v2", "v2는 다음 달입니다"),
        ("API 문서", "API문서를 봐 주세요"),
        ("API문서", "API 문서를 봐 주세요"),
        ("Kubernetes", "신규Kubernetes에서 배포"),
    ],
)
def test_a_keyword_is_found_as_people_write_it(world: Any, keyword: str, text: str) -> None:
    assert found(world, Query("q", keywords=(keyword,)), text=text).words == (keyword,)


@pytest.mark.parametrize(
    ("keyword", "text"),
    [
        ("port", "the report"),
        ("서울", "경기도 서른"),
        ("art", "arts" * 3),
        ("팀", "스팀 청소"),
        ("API", "도RAPID"),
        ("bus", "bu"),
    ],
)
def test_a_keyword_is_not_found_inside_other_words(world: Any, keyword: str, text: str) -> None:
    assert one(world, Query("q", keywords=(keyword,)), text=text) == 0.0


def test_the_title_counts_more_than_the_text_and_the_text_more_than_names(world: Any) -> None:
    query = Query("q", keywords=("Phoenix",))
    title = one(world, query, title="Phoenix plan")
    body = one(world, query, title="Plan", text="about Phoenix")
    names = one(world, query, title="Plan", container=Container("phoenix"))
    assert title > body > names > 0
    assert found(world, query, title="Phoenix plan").titled == ("Phoenix",)
    assert found(world, query, title="Plan", text="about Phoenix").titled == ()


def test_people_places_and_ids_of_a_hit_can_be_asked_for(world: Any) -> None:
    query = Query("q", keywords=("김민수", "Sarah", "platform", "ENG-12"))
    hit = world.hit(
        "linear", "ENG-12", author=Person("김민수"), assignee=Person("Sarah Kim"), container=Container("platform")
    )
    text = Text.of(hit, world.config.limits.text)
    assert (
        found_words(wanted_of(query, world.config.keywords), [text], world.config.keywords)[0].words == query.keywords
    )


def test_a_message_without_a_title_is_hardly_worse_than_a_titled_match(world: Any) -> None:
    query = Query("q", keywords=("migration",))
    assert one(world, query, text="migration") > one(world, query, text="migration", title="Plan")


def test_a_compound_is_found_across_a_blank_in_the_title_too(world: Any) -> None:
    query = Query("q", keywords=("결제시스템",))
    title = one(world, query, title="결제 시스템 점검")
    body = one(world, query, title="점검", text="결제 시스템을 점검합니다")
    assert title > body > 0


def test_a_rare_word_counts_more_than_a_common_one(world: Any) -> None:
    query = Query("q", keywords=("meeting", "phoenix"))
    common = [world.hit("slack", f"{n}", "a meeting") for n in range(9)]
    rare = world.hit("slack", "r", "phoenix")
    scores = match(world, query, *common, rare)
    assert scores[-1] > 2 * scores[0]


def test_a_word_that_nobody_holds_counts_least(world: Any) -> None:
    query = Query("q", keywords=("phoenix", "xyzzy"))
    first, *_ = match(world, query, world.hit("slack", "a", "phoenix"), world.hit("slack", "b", "other"))
    assert first > 0.5


def test_another_name_of_a_keyword_counts_nearly_as_much(world: Any) -> None:
    query = Query("q", keywords=("쿠버네티스",), variants=(("쿠버네티스", ("kubernetes", "k8s")),))
    exact, other, none = match(
        world,
        query,
        world.hit("slack", "a", "쿠버네티스 이전"),
        world.hit("slack", "b", "K8s migration"),
        world.hit("slack", "c", "docker"),
    )
    assert exact > other > none == 0.0


def test_a_phrase_must_stand_together_and_outweighs_a_word(world: Any) -> None:
    query = Query("q", keywords=("rollout",), phrases=("release plan",))
    phrase, apart, word = match(
        world,
        query,
        world.hit("slack", "a", "the release plan is out"),
        world.hit("slack", "b", "plan the release"),
        world.hit("slack", "c", "the rollout"),
    )
    assert phrase > word > apart == 0.0


def test_a_korean_phrase_may_carry_a_particle_at_its_end_only(world: Any) -> None:
    query = Query("q", phrases=("배포 일정",))
    assert one(world, query, text="배포 일정을 공유합니다") > 0
    assert one(world, query, text="배포의 일정") == 0


def test_an_id_outweighs_everything_else(world: Any) -> None:
    query = Query("q", keywords=("login", "page"), ids=(Identifier(IdKind.TICKET, "ENG-12"),))
    ticket, words = match(
        world, query, world.hit("slack", "a", "see ENG-12"), world.hit("slack", "b", "the login page is slow")
    )
    assert ticket > words


def test_a_link_finds_the_thing_it_points_at(world: Any) -> None:
    link = "https://acme.slack.com/archives/C012AB/p1736901000000100?thread_ts=1&cid=C012AB"
    query = Query("q", ids=(Identifier(IdKind.PERMALINK, link),))
    there = world.hit("slack", "a", url="https://acme.slack.com/archives/C012AB/p1736901000000100")
    other = world.hit("slack", "b", url="https://acme.slack.com/archives/C012AB/p1736901000000999")
    assert match(world, query, there, other) == [1.0, 0.0]


def test_a_question_without_words_is_matched_by_everything(world: Any) -> None:
    assert one(world, Query("from:sarah")) == 1.0
    assert one(world, Query("q", keywords=("!!!",), phrases=("…",))) == 1.0


def test_a_megabyte_of_text_is_not_read_to_its_end(world: Any) -> None:
    query = Query("q", keywords=("needle",))
    assert one(world, query, text="hay " * 250_000 + "needle") == 0.0


def test_a_project_named_in_the_question_counts_more_than_a_common_word(world: Any) -> None:
    """Of two hits that hold one word each, the one about the named project is meant."""
    project = Entity(EntityKind.PROJECT, "ActionGenie")
    query = Query("q", keywords=("ActionGenie", "report"), entities=(project,))
    about = world.hit("notion", "a", text="ActionGenie ships")
    other = world.hit("notion", "b", text="the report ships")
    first, second = match(world, query, about, other)
    assert first > second


@pytest.mark.parametrize(
    ("keyword", "text"),
    [("policy", "our policies"), ("reverted", "we revert it"), ("release", "releasing today"), ("issues", "an issue")],
)
def test_an_inflected_word_is_found(world: Any, keyword: str, text: str) -> None:
    assert one(world, Query("q", keywords=(keyword,)), text=text) > 0


@pytest.mark.parametrize(("keyword", "text"), [("class", "clas"), ("news", "newest"), ("bus", "busing")])
def test_a_short_word_is_not_inflected(world: Any, keyword: str, text: str) -> None:
    assert one(world, Query("q", keywords=(keyword,)), text=text) == 0.0


@pytest.mark.parametrize(
    ("text", "words"), [("배는 내일 뜹니다", ("배",)), ("큰 배", ("배",)), ("배터리를 분리하세요", ())]
)
def test_a_word_of_one_syllable_is_not_the_beginning_of_another(world: Any, text: str, words: tuple[str, ...]) -> None:
    assert found(world, Query("q", keywords=("배",)), text=text).words == words


def test_part_of_a_korean_compound_tells_texts_apart(world: Any) -> None:
    query = Query("q", keywords=("지방은행", "인가요건"))
    near, far = match(
        world,
        query,
        world.hit("drive", "a", "지방은행의 인가 기준과 요건"),
        world.hit("drive", "b", "지방은행의 점심"),
    )
    assert near > far > 0


def test_a_word_with_other_names_lends_nothing_to_its_syllables(world: Any) -> None:
    """Who writes k8s must not stand behind who repeats 쿠버네티스."""
    query = Query("q", keywords=("쿠버네티스",), variants=(("쿠버네티스", ("k8s",)),))
    asked, other = match(
        world, query, world.hit("slack", "a", "쿠버네티스 쿠버네티스"), world.hit("slack", "b", "k8s 이전")
    )
    assert other == pytest.approx(asked * world.config.keywords.variant)


def test_words_side_by_side_count_more_in_either_order(world: Any) -> None:
    query = Query("login rewrite", keywords=("login", "rewrite"))
    near, turned, apart = match(
        world,
        query,
        world.hit("slack", "a", "the login rewrite"),
        world.hit("slack", "b", "rewrite login now"),
        world.hit("slack", "c", "rewrite the page of the login"),
    )
    assert near == turned > apart


def test_a_word_that_is_no_keyword_counts_a_little(world: Any) -> None:
    query = Query("what did customers say of Phoenix", keywords=("Phoenix",))
    said, unsaid = match(
        world, query, world.hit("slack", "a", "Phoenix customers"), world.hit("slack", "b", "Phoenix users")
    )
    assert said > unsaid > 0


def test_a_question_of_many_words_does_not_cost_without_bound(world: Any) -> None:
    query = Query(" ".join(f"nothing{n}" for n in range(500)), keywords=("phoenix",))
    assert len(pieces_of(query, wanted_of(query, world.config.keywords), world.config.keywords)) <= PIECES


@pytest.mark.parametrize("name", ["Phoenix", "피닉스"])
def test_what_is_about_another_project_stays_behind_whatever_words_it_shares(world: Any, name: str) -> None:
    query = Query("q", keywords=(name, "database", "schema", "migration"), entities=(Entity(EntityKind.PROJECT, name),))
    about, other = (
        world.hit("notion", "about", f"{name} database"),
        world.hit("notion", "other", "database schema migration"),
    )
    unnamed = world.config.keywords.unnamed
    free = world.config.keywords.model_copy(update={"unnamed": 1.0})
    texts = [Text.of(hit, 100) for hit in (about, other)]
    both, without = match_texts(query, texts, world.config.keywords), match_texts(query, texts, free)
    assert both[1] == pytest.approx(without[1] * unnamed)
    assert both[0] == without[0]


def test_a_name_that_nobody_holds_costs_nobody(world: Any) -> None:
    query = Query("q", keywords=("Phoenix", "schema"), entities=(Entity(EntityKind.PROJECT, "Phoenix"),))
    free = world.config.keywords.model_copy(update={"unnamed": 1.0})
    texts = [Text.of(world.hit("notion", "a", "the schema"), 100)]
    assert match_texts(query, texts, world.config.keywords) == match_texts(query, texts, free)


def test_another_name_of_a_project_names_it(world: Any) -> None:
    query = Query(
        "q",
        keywords=("Phoenix",),
        entities=(Entity(EntityKind.PROJECT, "Phoenix"),),
        variants=(("Phoenix", ("피닉스",)),),
    )
    named, other = match(world, query, world.hit("slack", "a", "피닉스 배포"), world.hit("slack", "b", "불사조"))
    assert named == pytest.approx(world.config.keywords.untitled * world.config.keywords.variant)
    assert other == 0


@pytest.mark.parametrize(
    ("words", "text", "held"),
    [
        (("배포", "자동화"), "배포자동화를 켰습니다", ("배포", "자동화")),
        (("배포", "자동화"), "배포 자동화를 켰습니다", ("배포", "자동화")),
        (("배포", "자동화"), "배포를 켰습니다", ("배포",)),
        (("price", "list"), "send them the pricelist", ("price", "list")),
        (("price", "list"), "the price of it", ("price",)),
    ],
)
def test_two_keywords_side_by_side_are_both_found_in_one_word(
    world: Any, words: tuple[str, str], text: str, held: tuple[str, ...]
) -> None:
    query = Query(" ".join(words), keywords=words, joined=(words,))
    read = Text.of(world.hit("slack", "a", text), world.config.limits.text)
    found = found_words(wanted_of(query, world.config.keywords), [read], world.config.keywords)[0]
    assert found.words == held


@pytest.mark.parametrize(
    ("word", "text", "holds"),
    [
        ("커넥션풀", "커넥션 풀을 늘렸습니다", True),
        ("커넥션풀", "커넥션 풀어서", False),
        ("회의실", "회의 실시", False),
        ("결제서비스", "결제 서비스", True),
    ],
)
def test_a_compound_across_a_blank_begins_and_ends_with_words(world: Any, word: str, text: str, holds: bool) -> None:
    query = Query(word, keywords=(word,))
    read = Text.of(world.hit("slack", "a", text), world.config.limits.text)
    found = found_words(wanted_of(query, world.config.keywords), [read], world.config.keywords)[0]
    assert bool(found.words) is holds
