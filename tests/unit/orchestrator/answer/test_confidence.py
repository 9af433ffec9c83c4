"""Confidence: what speaks for an answer, the table that weighs it, and the ceilings that no table lifts."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from pydantic import ValidationError

from orchestrator.answer.choosing import choose_quotes
from orchestrator.answer.confidence import Calibration, EvidenceWeights, Grounds, find_grounds, shipped_calibration
from orchestrator.answer.gaps import Gaps, find_gaps
from orchestrator.answer.quote import Quote
from orchestrator.answer.quotes import read_quotes
from orchestrator.answer.sentence_features import weighed
from orchestrator.model import Confidence, Evidence, HitList, Problem, Status
from translators.query import Container, Entity, EntityKind, Person, QueryType, Sort
from translators.translator import Loss, LossKind, NativeQuery, Translation

BEST = Grounds(QueryType.STATUS, 1.0, 1.0, 1.0, 1.0, 0.5, 1.0, 1.0, 1.0, 1.0, 1.0)
LEAST = Grounds(QueryType.STATUS, coverage=0.1)
TEXT = "The login rewrite is done."
TOML = Path(__file__).parents[4] / "config" / "confidence.toml"


def grounds(desk: Any, *results: Any) -> Grounds:
    return find_grounds(results, (), Gaps(), desk.query, desk.now)


# ---- the table


def test_the_best_evidence_is_high_and_the_least_is_low() -> None:
    assert BEST.confidence(shipped_calibration()) is Confidence.HIGH
    assert LEAST.confidence(shipped_calibration()) is Confidence.LOW


@pytest.mark.parametrize("name", [name for name in EvidenceWeights.model_fields if name != "bias"])
def test_no_evidence_speaks_against_an_answer(name: str) -> None:
    table = shipped_calibration()
    less = replace(BEST, **{name: 0.0})
    assert table.probability(less.evidence()) <= table.probability(BEST.evidence())
    assert set(BEST.evidence()) == set(EvidenceWeights.model_fields) - {"bias"}


def test_a_table_that_makes_no_sense_is_refused() -> None:
    data = shipped_calibration().model_dump()
    for wrong in (
        {**data, "weights": {**data["weights"], "match": -1.0}},
        {**data, "levels": {"high": 2.0, "medium": 0.0}},
        {**data, "other": 1},
    ):
        with pytest.raises(ValidationError):
            Calibration.model_validate(wrong)


def test_the_shipped_table_is_the_file() -> None:
    assert Calibration.load(TOML) == shipped_calibration()
    assert shipped_calibration().levels.medium <= shipped_calibration().levels.high


def test_probabilities_stay_within_bounds_whatever_the_numbers() -> None:
    wild = shipped_calibration().model_copy(
        update={"weights": EvidenceWeights.model_validate(dict.fromkeys(EvidenceWeights.model_fields, 1e9))}
    )
    assert wild.probability(BEST.evidence()) == pytest.approx(1.0)
    assert 0.0 <= wild.probability({}) <= 1.0


# ---- ceilings


@pytest.mark.parametrize(
    ("change", "confidence"),
    [
        ({}, Confidence.HIGH),
        ({"complete": False}, Confidence.MEDIUM),
        ({"checked": False}, Confidence.MEDIUM),
        ({"worded": False}, Confidence.MEDIUM),
        ({"type": QueryType.DECISION, "spoken": 0.0}, Confidence.MEDIUM),
        ({"type": QueryType.DECISION, "spoken": 0.0, "firm": False}, Confidence.HIGH),
        ({"confirmed": False}, Confidence.MEDIUM),
        ({"dated": False}, Confidence.MEDIUM),
        ({"told": False}, Confidence.LOW),
        ({"valued": False}, Confidence.LOW),
        ({"ordered": False}, Confidence.LOW),
        ({"inside": False}, Confidence.LOW),
        ({"coverage": 0.0}, Confidence.LOW),
    ],
    ids=str,
)
def test_ceilings_hold_whatever_the_table_says(change: dict[str, Any], confidence: Confidence) -> None:
    sure = shipped_calibration().model_copy(
        update={"levels": shipped_calibration().levels.model_copy(update={"high": 0.0, "medium": 0.0})}
    )
    assert replace(BEST, **change).confidence(sure) is confidence


def test_a_source_that_was_asked_less_thoroughly_leaves_the_search_incomplete(desk: Any) -> None:
    result = desk.result("notion:1", "The API was approved.")
    plan, query = desk.plan, desk.query

    def complete(**facts: Any) -> bool:
        gaps = find_gaps(desk.but("gmail", Status.OK, **facts).outcomes, plan)
        return find_grounds((result,), (), gaps, query, desk.now).complete

    assert (complete(), complete(spared=True)) == (True, False)


def test_nothing_found_is_no_confidence(desk: Any) -> None:
    assert desk.answer().confidence is Confidence.NONE


@pytest.mark.parametrize("status", [Status.TIMED_OUT, Status.PARTIAL], ids=str)
@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_missing_source_caps_it(desk: Any, status: Status, language: str) -> None:
    desk = desk.ask(type=QueryType.STATUS, keywords=("login", "rewrite"), language=language)
    results = (desk.result("slack:1", TEXT), desk.result("notion:2", TEXT))
    assert desk.answer(*results).confidence is Confidence.HIGH
    assert desk.but("gmail", status, Problem("x", "late")).answer(*results).confidence is Confidence.MEDIUM


def test_what_lies_outside_the_question_is_low(desk: Any) -> None:
    desk = desk.ask(type=QueryType.STATUS, keywords=("login",))
    assert desk.answer(desk.result("slack:1", TEXT, factors={"asked": 0.0})).confidence is Confidence.LOW


def test_a_question_of_filters_alone_is_never_answered_with_high_confidence(desk: Any) -> None:
    assert desk.ask(type=QueryType.STATUS).answer(desk.result("slack:1", TEXT)).confidence is not Confidence.HIGH


def test_a_text_on_something_else_is_low(desk: Any) -> None:
    desk = desk.ask(type=QueryType.STATUS, keywords=("쿠버네티스", "이전"))
    assert desk.answer(desk.result("slack:1", "docker is done.")).confidence is Confidence.LOW


# ---- evidence


def test_words_are_looked_for_in_people_and_places_too(desk: Any) -> None:
    desk = desk.ask(keywords=("login", "rewrite", "sarah", "platform"))
    facts = {"assignee": Person("Sarah Kim"), "container": Container("platform")}
    assert grounds(desk, desk.result("linear:1", TEXT, **facts)).coverage == 1.0
    assert grounds(desk, desk.result("linear:1", TEXT)).coverage == 0.5


def test_another_name_of_a_keyword_covers_it(desk: Any) -> None:
    desk = desk.ask(keywords=("쿠버네티스",), variants=(("쿠버네티스", ("kubernetes", "container orchestration")),))
    assert grounds(desk, desk.result("slack:1", "Kubernetes is done.")).coverage == 1.0


def test_further_sources_agree_and_the_same_one_does_not(desk: Any) -> None:
    desk = desk.ask(keywords=("login",))
    one, same, other = (desk.result(name, TEXT) for name in ("slack:1", "slack:2", "gmail:3"))
    third, off = desk.result("notion:4", TEXT), desk.result("linear:5", "lunch")
    assert grounds(desk, one, same).agreement == 0.0
    assert grounds(desk, one, same, other, off).agreement == 0.5
    assert grounds(desk, one, other, third).agreement == 1.0


def test_names_must_be_in_what_was_found(desk: Any) -> None:
    desk = desk.ask(keywords=("status", "ActionGenie", "Okta"), entities=(Entity(EntityKind.TOOL, "Okta"),))
    assert grounds(desk, desk.result("slack:1", "status of ActionGenie")).names == 0.5
    assert grounds(desk, desk.result("slack:1", "Okta in ActionGenie")).names == 1.0
    assert grounds(desk, desk.result("slack:1", "Okta in ActionGenie"), desk.result("slack:2", "status")).names == 0.5


def test_a_broader_question_counts_less(desk: Any) -> None:
    desk = desk.ask(keywords=("login",))
    found = [
        grounds(desk, desk.result("slack:1", TEXT, evidence=(Evidence("slack", 1, rung=n),))).strict for n in range(3)
    ]
    assert found == [1.0, 0.75, 0.5]


def test_standing_out_counts_more_than_being_one_of_many(desk: Any) -> None:
    desk = desk.ask(keywords=("login", "rewrite"))
    best, other, off = desk.result("slack:1", TEXT), desk.result("slack:2", TEXT), desk.result("slack:3", "lunch")
    assert grounds(desk, best, off, off).lead > grounds(desk, best, other, other).lead
    assert grounds(desk, off, best).lead == 0.0


def test_the_conversation_around_the_first_result_is_what_ranking_says(desk: Any) -> None:
    desk = desk.ask(keywords=("login", "rewrite"))
    talked, alone = desk.result("slack:1", TEXT, factors={"around": 0.75}), desk.result("notion:2", TEXT)
    assert grounds(desk, talked, alone).around == 0.75
    assert grounds(desk, alone, talked).around == 0.0


def test_the_best_of_the_first_three_speaks(desk: Any) -> None:
    desk = desk.ask(keywords=("login", "rewrite"))
    off, best = (
        desk.result("slack:1", "login"),
        desk.result("slack:3", TEXT, factors={"freshness": 0.9, "authority": 0.8}),
    )
    found = grounds(desk, off, off, best)
    assert (found.coverage, found.freshness, found.authority) == (1.0, 0.9, 0.8)
    assert grounds(desk, off, off, off, best).coverage == 0.5


def test_a_document_with_the_words_in_its_title_speaks_for_itself(desk: Any) -> None:
    desk = desk.ask(type=QueryType.DOCUMENT, keywords=("REST", "spec"))
    assert grounds(desk, desk.result("notion:1", title="REST spec")).spoken == 1.0
    assert grounds(desk, desk.result("notion:1", "REST spec")).spoken == 0.0


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (QueryType.PERSON, "The login page is blue today."),
        (QueryType.TEMPORAL, "The login page is blue."),
        (QueryType.FACTUAL, "The login page is blue."),
        (QueryType.STATUS, "The login page is blue."),
    ],
    ids=str,
)
def test_an_answer_that_says_it_found_no_sentence_is_not_sure(desk: Any, kind: QueryType, text: str) -> None:
    desk = desk.ask(type=kind, keywords=("login", "page"))
    answer = desk.answer(desk.result("slack:1", text, author="Jane"))
    assert answer.statements[0].text.startswith("No ")
    assert replace(BEST, plain=False).confidence(shipped_calibration()) is not Confidence.HIGH
    assert answer.confidence is not Confidence.HIGH


def test_somebody_asking_the_same_is_no_answer(desk: Any) -> None:
    desk = desk.ask(type=QueryType.DOCUMENT, keywords=("report",))
    asked = desk.result(
        "slack:1", "Where is the report? I need the report for the audit.", url="https://chat.example/1"
    )
    found = composed(desk, asked)
    assert not found.stated
    assert desk.answer(asked).confidence is not Confidence.HIGH


def test_an_answer_to_what_names_nothing_is_low(desk: Any) -> None:
    desk = desk.ask("일정 언제야?", type=QueryType.TEMPORAL, keywords=(), language="ko")
    answer = desk.answer(desk.result("gmail:1", "휴가는 3월 20일부터 24일까지입니다."))
    assert answer.confidence is Confidence.LOW


@pytest.mark.parametrize(
    "note", ["Swaps are agreed in #duty.", "당번을 바꾸면 채널에 적는다.", "Duty calls go to the desk."]
)
def test_a_row_that_may_have_been_swapped_since_is_not_sure(desk: Any, note: str) -> None:
    desk = desk.ask("who is on duty", type=QueryType.PERSON, keywords=("duty",))
    text = f"Duty owner: Ana\n\n{note}"
    page = desk.result("notion:1", text, title="duty rota")
    said = (Quote(1, page, "Duty owner: Ana"), Quote(1, page, note))
    assert find_grounds((page,), said, Gaps(), desk.query, desk.now).unchanged is ("calls" in note)


@pytest.mark.parametrize(
    ("note", "on", "sure"),
    [
        ("Calls go to the desk.", "", True),
        ("Calls go to the desk.", "https://wiki.example/pages/2", True),
        ("Swaps are agreed in #duty.", "", False),
        ("Calls go to the desk.", "https://wiki.example/pages/1", False),
    ],
)
def test_a_row_whose_page_speaks_of_swaps_or_has_a_comment_is_not_sure(
    desk: Any, note: str, on: str, sure: bool
) -> None:
    desk = desk.ask("who is on duty", type=QueryType.PERSON, keywords=("duty",))
    page = desk.result("notion:1", f"3 March | Ana\n\n{note}", title="duty rota", url="https://wiki.example/pages/1")
    comment = desk.result("notion:7", "Ben takes my week", title="Re: duty rota", facts={"comments_on": on})
    said = (Quote(1, page, "3 March | Ana", table="week | who"),)
    assert find_grounds((page, comment), said, Gaps(), desk.query, desk.now).unchanged is sure


def test_what_is_to_be_swapped_is_no_less_sure(desk: Any) -> None:
    desk = desk.ask("how often is the filter cleaned", type=QueryType.FACTUAL, keywords=("filter",))
    page = desk.result("notion:1", "The filter is cleaned weekly. Swap the filter in May.", title="filter")
    said = tuple(Quote(1, page, text) for text in ("The filter is cleaned weekly.", "Swap the filter in May."))
    assert find_grounds((page,), said, Gaps(), desk.query, desk.now).unchanged


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_word_of_a_short_question_that_no_claim_holds_is_low(desk: Any, language: str) -> None:
    desk = desk.ask(type=QueryType.EXPLORATORY, keywords=("Seoyeon", "quota"), language=language)
    texts = [("slack:1", "We have Seoyeon for databases."), ("gmail:2", "Seoyeon, I signed it.")]
    answer = desk.answer(*(desk.result(name, text) for name, text in texts))
    assert answer.confidence is Confidence.LOW
    assert find_grounds((desk.result("slack:1", "quota of Seoyeon"),), (), Gaps(), desk.query, desk.now).told


@pytest.mark.parametrize(
    ("question", "text"),
    [("how many payments failed", "{} payments failed."), ("실패한 payments 몇 건", "payments {}건 failed.")],
)
def test_a_count_that_nobody_counted_is_low(desk: Any, question: str, text: str) -> None:
    desk = desk.ask(question, type=QueryType.FACTUAL, keywords=("payments", "failed"))
    uncounted = desk.answer(desk.result("slack:1", "From 14:12 some payments failed."), desk.result("gmail:2", TEXT))
    assert uncounted.confidence is Confidence.LOW
    assert "how many" in uncounted.statements[0].text
    counted = desk.answer(desk.result("slack:1", text.format(412)))
    assert counted.statements[0].text.startswith("How many")


@pytest.mark.parametrize(
    ("question", "text"), [("how wide are the beds", "The beds are 140 cm."), ("beds 몇 cm", "beds는 140cm입니다.")]
)
def test_a_value_that_nobody_says_is_low(desk: Any, question: str, text: str) -> None:
    desk = desk.ask(question, type=QueryType.FACTUAL, keywords=("beds",))
    assert desk.answer(desk.result("slack:1", "The beds? Good question, have to measure.")).confidence is Confidence.LOW
    assert desk.answer(desk.result("slack:1", text)).confidence is not Confidence.LOW


@pytest.mark.parametrize("question", ["when was login first mentioned", "login 이야기가 처음 나온 게 언제야"])
def test_the_first_of_what_was_not_sorted_is_low(desk: Any, question: str) -> None:
    results = [desk.result(name, "login is done today.") for name in ("slack:1", "gmail:2", "notion:3")]
    facts = {"type": QueryType.TEMPORAL, "keywords": ("login",)}
    assert desk.ask(question, **facts).answer(*results).confidence is Confidence.LOW
    by_age = desk.ask(question, sort=Sort.OLDEST, **facts)
    assert by_age.answer(*results).confidence is Confidence.HIGH
    unsorted = Translation(NativeQuery("slack", "x"), losses=(Loss(LossKind.DROPPED, "sort oldest", "no order"),))
    lists = (HitList(unsorted, (results[0].hit,)),)
    assert by_age.but("slack", Status.OK, lists=lists).answer(*results).confidence is Confidence.LOW


@pytest.mark.parametrize(
    ("ages", "day", "sure"),
    [
        ((80, 80), "20 March", False),
        ((3, 80), "20 March", True),
        ((9, 9), "20 March", True),
        ((80, 80), "1 March", True),
    ],
)
def test_one_old_announcement_of_a_day_to_come_is_not_sure(
    desk: Any, ages: tuple[int, int], day: str, sure: bool
) -> None:
    desk = desk.ask("when is the move", type=QueryType.TEMPORAL, keywords=("move",))
    answer = desk.answer(
        desk.result("slack:1", f"The move is on {day}.", age=ages[0]),
        desk.result("gmail:2", f"All of us move on {day}, that is settled.", age=ages[1]),
    )
    assert (answer.confidence is Confidence.HIGH) is sure


def test_words_that_only_several_claims_hold_together_are_no_certainty(desk: Any) -> None:
    desk = desk.ask(keywords=("Fen", "valve"), type=QueryType.FACTUAL)
    apart = (desk.result("slack:1", "Fen has at most 3 pumps."), desk.result("slack:2", "The valve opens within 4 s."))
    one = (desk.result("slack:1", "The valve of Fen opens within 4 s."),)
    assert not composed(desk, *apart).whole
    assert composed(desk, *one).whole


def test_talk_of_a_document_is_not_the_document(desk: Any) -> None:
    desk = desk.ask(keywords=("pump", "report"), type=QueryType.DOCUMENT)
    assert not composed(desk, desk.result("slack:1", "The pump report is in.")).whole
    assert composed(desk, desk.result("notion:1", "Chapters one to five.", title="Pump report")).whole


def composed(desk: Any, *results: Any) -> Grounds:
    quotes = choose_quotes(weighed(read_quotes(results, desk.query), results, desk.query), desk.query, desk.now)
    return find_grounds(results, quotes, Gaps(), desk.query, desk.now)


@pytest.mark.parametrize(("hours", "confirmed"), [((30, 37), True), ((26, 28), False)], ids=["two days", "one"])
def test_an_old_word_on_a_day_to_come_is_confirmed_on_another_day_of_the_asker(
    desk: Any, hours: tuple[int, int], confirmed: bool
) -> None:
    now = datetime(2026, 11, 26, 12, tzinfo=ZoneInfo("Asia/Seoul"))
    desk = replace(desk, now=now.astimezone(UTC)).ask(
        "when is the regatta", type=QueryType.TEMPORAL, keywords=("regatta",)
    )
    said = "The regatta is on 20 December 2026.", "Everybody comes to the regatta on 20 December."
    results = (
        desk.result(f"slack:{at}", each, age=40 + hour / 24)
        for at, (each, hour) in enumerate(zip(said, hours, strict=True))
    )
    assert composed(replace(desk, now=now), *results).confirmed is confirmed


def test_of_a_decision_a_subject_alone_says_only_which_matter_it_is_of(desk: Any) -> None:
    """ "Awning: who pays?" is answered by who pays; what was decided of the awning is something else."""
    facts = {"title": "Re: Awning: who pays?", "factors": {"keywords": 1.0, "match": 1.0}}
    asked = desk.ask("what did we decide about the awning", keywords=("awning",), type=QueryType.DECISION)
    mail = desk.result("gmail:1", "The landlord. He agreed by phone.", **facts)
    said = desk.result("gmail:1", "The landlord agreed to pay for the awning.", **facts)
    assert asked.answer(mail).confidence is not Confidence.HIGH
    assert asked.answer(said).confidence is Confidence.HIGH


def test_where_several_sentences_are_as_likely_none_is_certain(desk: Any) -> None:
    desk = desk.ask("fare", type=QueryType.FACTUAL, keywords=("fare",))
    one = desk.result("slack:1", "The fare is 30 at most.")
    others = tuple(desk.result(f"slack:{at}", f"The fare is {at}0 at most.") for at in range(2, 8))
    assert composed(desk, one).clear
    assert not composed(desk, one, *others).clear
    assert replace(BEST, clear=False).confidence(shipped_calibration()) is not Confidence.HIGH
