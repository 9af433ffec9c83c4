"""One thing found in several ways is one result; two things stay two."""

from __future__ import annotations

from typing import Any

import pytest

from orchestrator.rank import collect, dedupe, merge_copies, merge_twins
from translators.query import Not, QueryType, Term

URL = "https://docs.example.com/spec"
NOTICE = (
    "서버 점검 안내드립니다. 이번 주 토요일 새벽 2시부터 4시까지 결제 시스템 점검이 있어 그동안 로그인과 결제가 되지 않습니다. "
    "급한 일은 플랫폼팀 당직자에게 연락해 주세요."
)
ENGLISH = (
    "The office moves to the new building next month. Please pack your desk until Friday evening, label every box with "
    "your name and team, and hand in the old badge at the front desk before you leave."
)
LONG = f"{NOTICE} {ENGLISH}"


def merged(world: Any, stage: Any, *outcomes: Any) -> Any:
    return stage(collect(outcomes, world.context), world.context).results


def test_the_same_address_in_two_sources_is_one_result_with_both_as_evidence(world: Any) -> None:
    here = world.outcome("notion", [world.hit("notion", "p", url=URL)])
    there = world.outcome("slack", [world.hit("slack", "m", url=f"{URL}/?utm_source=slack#top")])
    (result,) = merged(world.ask(type=QueryType.FACTUAL), dedupe, here, there)
    assert result.hit.source == "notion"
    assert [each.source for each in result.evidence] == ["notion", "slack"]
    assert [hit.id for hit in result.also] == ["m"]
    assert result.why == ("also in Slack",)


def test_repeats_of_an_address_inside_one_source_are_no_agreement(world: Any) -> None:
    hits = [world.hit("slack", name, url=f"{URL}?utm_term={name}") for name in "abc"]
    (result,) = merged(world, dedupe, world.outcome("slack", hits))
    assert [(each.source, each.rank) for each in result.evidence] == [("slack", 1)]
    assert len(result.also) == 2
    assert result.why == ()


def test_a_comment_is_not_its_page_which_would_not_be_read_for_it(world: Any) -> None:
    page = "https://acme.atlassian.net/wiki/spaces/ENG/pages/4711/On-call+rota"
    told = {"comments_on": page}
    comments = [world.hit("confluence", f"c{n}", url=f"{page}?focusedCommentId={n}", facts=told) for n in (1, 2)]
    found = merged(world, dedupe, world.outcome("confluence", [*comments, world.hit("confluence", "p", url=page)]))
    assert [(each.hit.id, each.also) for each in found] == [("c1", ()), ("c2", ()), ("p", ())]


def test_hits_without_an_address_stand_for_themselves(world: Any) -> None:
    assert len(merged(world, dedupe, world.outcome("slack", [world.hit("slack", "a"), world.hit("slack", "b")]))) == 2


def test_the_strictest_member_speaks_for_the_group(world: Any) -> None:
    broad = world.outcome("notion", world.list(world.hit("notion", "p", url=URL), rung=1, dropped=("dates",)))
    strict = world.outcome("slack", [world.hit("slack", "m", url=URL)])
    (result,) = merged(world.ask(type=QueryType.FACTUAL), dedupe, broad, strict)
    assert result.hit.source == "slack"
    assert "found after broadening: without dates" not in result.why


def test_what_one_member_settles_is_settled_for_the_group(world: Any) -> None:
    unsure = world.outcome("notion", world.list(world.hit("notion", "p", "x", url=URL), residual=Not(Term("old"))))
    sure = world.outcome("slack", [world.hit("slack", "m", url=URL)])
    (result,) = merged(world.ask(type=QueryType.FACTUAL), dedupe, unsure, sure)
    assert result.hit.source == "notion"
    assert result.unverified == ()


@pytest.mark.parametrize("text", [NOTICE, ENGLISH], ids=["ko", "en"])
def test_the_same_text_in_two_sources_is_one_result(world: Any, text: str) -> None:
    chat = world.outcome("slack", [world.hit("slack", "m", f"*{text}*")])
    mail = world.outcome("gmail", [world.hit("gmail", "e", text.replace(". ", ".\n\n"), title="안내 / notice")])
    (result,) = merged(world, merge_twins, chat, mail)
    assert {each.source for each in result.evidence} == {"slack", "gmail"}


def test_a_changed_word_in_a_long_text_is_no_other_text(world: Any) -> None:
    chat, mail = world.hit("slack", "m", LONG), world.hit("gmail", "e", LONG.replace("급한", "바쁜"))
    assert len(merged(world, merge_twins, world.outcome("slack", [chat]), world.outcome("gmail", [mail]))) == 1


def test_three_copies_become_one(world: Any) -> None:
    outcomes = [world.outcome(name, [world.hit(name, "x", NOTICE)]) for name in ("slack", "gmail", "notion")]
    (result,) = merged(world, merge_twins, *outcomes)
    assert len(result.also) == 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (LONG, LONG.replace("2시부터", "3시부터")),
        (ENGLISH, ENGLISH.replace("next month", "on 14 April")),
        (f"{ENGLISH} ٣", f"{ENGLISH} ٤"),
        (NOTICE, ENGLISH),
        ("확정했습니다. 진행해 주세요.", "확정했습니다. 진행해 주세요."),
    ],
    ids=["revised hour", "revised date", "revised in other digits", "unrelated", "too short to tell"],
)
def test_what_only_looks_alike_is_not_merged(world: Any, one: str, other: str) -> None:
    chat, mail = world.hit("slack", "m", one), world.hit("gmail", "e", other)
    assert len(merged(world, merge_twins, world.outcome("slack", [chat]), world.outcome("gmail", [mail]))) == 2


def test_the_same_words_under_unrelated_titles_are_two_decisions(world: Any) -> None:
    page = world.hit("notion", "p", ENGLISH, title="Seoul office")
    mail = world.hit("gmail", "e", ENGLISH, title="Busan branch")
    assert len(merged(world, merge_twins, world.outcome("notion", [page]), world.outcome("gmail", [mail]))) == 2


def test_the_same_text_twice_in_one_source_stays_two_results(world: Any) -> None:
    hits = [world.hit("slack", "a", NOTICE), world.hit("slack", "b", NOTICE)]
    assert len(merged(world, merge_twins, world.outcome("slack", hits))) == 2


def test_two_copies_in_one_source_are_joined_by_a_third_elsewhere(world: Any) -> None:
    hits = [world.hit("slack", "a", NOTICE), world.hit("slack", "b", NOTICE)]
    mail = world.outcome("gmail", [world.hit("gmail", "e", NOTICE)])
    (result,) = merged(world, merge_twins, world.outcome("slack", hits), mail)
    assert len(result.also) == 2
    assert len(result.evidence) == 2


def test_numbers_that_another_source_happens_to_name_join_nothing(world: Any) -> None:
    hits = [world.hit("slack", "a", NOTICE), world.hit("slack", "b", NOTICE)]
    mail = world.outcome("gmail", [world.hit("gmail", "e", f"{ENGLISH} 2 4")])
    assert len(merged(world, merge_twins, world.outcome("slack", hits), mail)) == 3


def test_a_notice_and_its_revision_stay_two_groups(world: Any) -> None:
    revised = LONG.replace("2시부터", "3시부터")
    texts = {"slack": LONG, "gmail": LONG, "notion": revised, "linear": revised}
    outcomes = (world.outcome(name, [world.hit(name, "x", text)]) for name, text in texts.items())
    results = merged(world, merge_twins, *outcomes)
    assert [{each.source for each in result.evidence} for result in results] == [
        {"gmail", "slack"},
        {"linear", "notion"},
    ]


@pytest.mark.parametrize(
    ("original", "copy"),
    [
        ("Travel policy", "Copy of Travel policy"),
        ("Travel policy", "Travel policy (1)"),
        ("Travel policy", "Travel policy - Copy"),
        ("출장 규정", "출장 규정의 사본"),
        ("출장 규정", "출장 규정 - 복사본"),
        ("출장 규정", "사본 - 출장 규정 (2)"),
    ],
)
def test_a_copy_in_the_same_source_stands_beside_what_it_was_made_of(world: Any, original: str, copy: str) -> None:
    hits = [world.hit("drive", "copy", NOTICE, title=copy), world.hit("drive", "first", NOTICE, title=original)]
    (result,) = merged(world, merge_copies, world.outcome("drive", hits))
    assert (result.hit.id, [hit.id for hit in result.also]) == ("first", ["copy"])
    assert [(each.source, each.rank) for each in result.evidence] == [("drive", 1)], "the better of both places"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("Weekly report", NOTICE), ("Weekly report", NOTICE)),  # a template
        (("Travel policy", NOTICE), ("Copy of Travel policy", f"{NOTICE} 올해부터 바뀝니다.")),  # it was gone on with
        (("Travel policy", NOTICE), ("Copy of Expense policy", NOTICE)),
        (("", NOTICE), ("", NOTICE)),  # told to every channel
        (("Copy", "see below"), ("Copy (1)", "see below")),
    ],
)
def test_the_same_words_alone_are_no_copy(world: Any, one: tuple[str, str], other: tuple[str, str]) -> None:
    hits = [world.hit("drive", name, text, title=title) for name, (title, text) in (("a", one), ("b", other))]
    assert len(merged(world, merge_copies, world.outcome("drive", hits))) == 2


def test_copies_of_what_was_not_found_are_one_as_well(world: Any) -> None:
    hits = [world.hit("drive", name, NOTICE, title=f"Copy of Travel policy{name}") for name in ("", " (1)")]
    assert len(merged(world, merge_copies, world.outcome("drive", hits))) == 1


def test_the_same_file_in_two_sources_is_no_copy_within_one(world: Any) -> None:
    outcomes = [world.outcome(name, [world.hit(name, "x", NOTICE, title="Copy of A")]) for name in ("drive", "notion")]
    assert len(merged(world, merge_copies, *outcomes)) == 2
