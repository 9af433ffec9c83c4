"""The summary: literal quotes in a frame of the asker's language, and never "nothing" for a failure."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from datetime import timedelta, timezone
from typing import Any

import pytest

from orchestrator.answer.receipt import receipt
from orchestrator.answer.summary import with_absent
from orchestrator.gather.outcomes import NO_TURN
from orchestrator.model import Absent, Confidence, Dropped, Part, Problem, Skipped, Statement, Status
from translators.query import Category, Container, Identifier, IdKind, Person, QueryType

LATE = Problem("timed_out", "no answer within 3.0 s")
EVERYBODY = ("slack", "notion", "linear", "gmail")


@pytest.mark.parametrize(("language", "lead"), [("en", "What was decided:"), ("ko", "결정된 내용:")])
def test_the_frame_speaks_the_askers_language_and_the_quote_its_own(desk: Any, language: str, lead: str) -> None:
    desk = desk.ask(keywords=("API",), language=language)
    answer = desk.answer(
        desk.result("slack:1", "API는 REST로 확정했습니다.", author="김민수", container=Container("결제-개발"))
    )
    assert answer.summary == f"{lead} 2025-03-03, 김민수, Slack 결제-개발: “API는 REST로 확정했습니다.” [1]"
    assert [(each.number, each.quote) for each in answer.citations] == [(1, "API는 REST로 확정했습니다.")]


@pytest.mark.parametrize("kind", QueryType, ids=str)
@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_type_has_its_frame(desk: Any, kind: QueryType, language: str, is_quoted: Any) -> None:
    answer = desk.ask(type=kind, keywords=("API",), language=language).answer(desk.result("slack:1", "the API thing"))
    facts = "2025-03-03, Slack" if kind in {QueryType.DECISION, QueryType.STATUS} else "Slack, 2025-03-03"
    said = f"“the API thing” — {facts}" if kind is QueryType.FACTUAL else f"{facts}: “the API thing”"
    assert re.fullmatch(f".+: {said} \\[1\\]", answer.summary)
    assert is_quoted(answer)


def test_without_a_decision_it_says_that_none_was_found(desk: Any) -> None:
    answer = desk.ask(keywords=("API",)).answer(desk.result("slack:1", "Should the API change?"))
    assert answer.summary.startswith("No decision was found in so many words.")


@pytest.mark.parametrize(
    ("kind", "best"),
    [
        (QueryType.DECISION, "We decided on REST for the API."),
        (QueryType.STATUS, "The API work is blocked."),
        (QueryType.PERSON, "Sarah owns the API."),
        (QueryType.TEMPORAL, "The API started on 12 January."),
        (QueryType.FACTUAL, "The API limit is 500 requests."),
    ],
    ids=str,
)
def test_the_sentence_that_sounds_like_the_type_asked_for_is_quoted_first(
    desk: Any, kind: QueryType, best: str
) -> None:
    others = "The API is nice. Somebody asked about the API. Lunch was good."
    answer = desk.ask(type=kind, keywords=("API",)).answer(desk.result("slack:1", f"{others} {best}"))
    assert answer.citations[0].quote == best


def test_a_sentence_under_a_decisions_heading_is_a_decision(desk: Any) -> None:
    answer = desk.ask(keywords=("API",)).answer(
        desk.result("notion:1", "## 결정\n- API는 REST\n\n## 배경\n- API가 느림")
    )
    assert answer.citations[0].quote == "API는 REST"
    assert answer.summary.startswith("What was decided:")


def test_a_document_is_quoted_by_its_title(desk: Any) -> None:
    answer = desk.ask(type=QueryType.DOCUMENT, keywords=("REST", "spec")).answer(
        desk.result("notion:1", "The current version.", title="REST spec")
    )
    assert answer.citations[0].quote == "REST spec"


def test_a_result_without_text_is_quoted_by_its_title(desk: Any) -> None:
    answer = desk.ask(keywords=("API",)).answer(desk.result("notion:1", title="API 회의록"))
    assert answer.citations[0].quote == "API 회의록"


def test_results_without_any_text_are_counted(desk: Any) -> None:
    answer = desk.answer(desk.result("slack:1"))
    assert answer.summary == "1 hit came back without any text to quote."
    assert answer.citations == ()


def test_numbers_are_places_in_the_list(desk: Any) -> None:
    desk = desk.ask(keywords=("API",))
    answer = desk.answer(
        desk.result("slack:1", "lunch is at noon today"),
        desk.result("slack:2", "The API was approved.", score=0.9),
        desk.result("gmail:3", "We decided to keep the API.", score=0.8),
    )
    assert {(each.number, each.result.hit.id) for each in answer.citations} == {(2, "2"), (3, "3")}


def test_at_most_three_sentences_are_quoted_and_two_of_one_result(desk: Any) -> None:
    desk = desk.ask(keywords=("API",))
    first = f"We decided on API one {'after a talk of hours ' * 6}."
    same = f"{first} We approved API two {'though nobody had read it ' * 6}. We agreed on API three {'as ever ' * 18}."
    answer = desk.answer(desk.result("slack:1", same), desk.result("slack:2", same.replace("API", "API v9")))
    assert sorted(Counter(each.number for each in answer.citations).values()) == [1, 2]


def test_the_same_sentence_is_not_quoted_twice(desk: Any) -> None:
    desk = desk.ask(keywords=("API",))
    answer = desk.answer(
        desk.result("slack:1", "We decided to move the API to REST."),
        desk.result("gmail:2", "We decided to move the API to REST!"),
    )
    assert len(answer.citations) == 1


def test_the_same_words_with_another_date_are_quoted_both_newest_first(desk: Any) -> None:
    desk = desk.ask(keywords=("API",))
    answer = desk.answer(
        desk.result("slack:1", "API 시작일은 3월 10일로 확정했습니다.", age=9),
        desk.result("gmail:2", "API 시작일은 3월 24일로 확정했습니다.", age=2),
    )
    assert [each.number for each in answer.citations] == [2, 1]


def test_of_a_thing_named_by_its_id_the_newest_word_comes_first_and_undated_ones_last(desk: Any) -> None:
    desk = desk.ask("API-7", type=QueryType.STATUS, keywords=("API-7",), ids=(Identifier(IdKind.TICKET, "API-7"),))
    answer = desk.answer(
        desk.result("slack:1", "API-7 is done.", age=None), desk.result("gmail:2", "API-7 작업은 진행 중입니다.", age=2)
    )
    assert [each.number for each in answer.citations] == [2, 1]


@pytest.mark.parametrize("text", ["API를 바꾸기로 했습니다.", "그 API는 승인됐습니다.", "API문서 v2로 확정했습니다."])
def test_a_foreign_word_with_a_korean_particle_is_found(desk: Any, text: str) -> None:
    answer = desk.ask(keywords=("API",)).answer(desk.result("slack:1", f"점심은 12시로 확정했습니다. {text}"))
    assert answer.citations[0].quote == text


def test_passages_that_only_come_near_a_decision_keep_the_order_of_their_match(desk: Any) -> None:
    desk = desk.ask(keywords=("API", "plan"))
    answer = desk.answer(
        desk.result("slack:1", "The API plan is on the wall.", age=2),
        desk.result("gmail:2", "그 API plan 어디 있죠", age=2, score=0.9),
    )
    assert [each.number for each in answer.citations] == [1, 2]


def test_a_sentence_is_about_what_its_message_is_about(desk: Any) -> None:
    desk = desk.ask(type=QueryType.STATUS, keywords=("Okta", "rollout"))
    answer = desk.answer(desk.result("slack:1", "Okta rollout: see the board. Still blocked: the old admin uses LDAP."))
    assert "Still blocked: the old admin uses LDAP." in answer.summary


def test_a_bare_link_is_quoted_only_where_there_is_nothing_else(desk: Any) -> None:
    link = "API: https://wiki.example/pages/api-plan"
    desk = desk.ask(keywords=("API",))
    alone = desk.answer(desk.result("slack:1", link))
    beside = desk.answer(desk.result("slack:1", f"{link}\nThe API was approved."))
    assert [each.quote for each in alone.citations] == [link]
    assert [each.quote for each in beside.citations] == ["The API was approved."]


def test_a_long_sentence_is_cut_at_a_word_and_says_so(desk: Any, is_quoted: Any) -> None:
    answer = desk.ask(keywords=("API",)).answer(desk.result("slack:1", "API " + "word " * 100 + "end."))
    (citation,) = answer.citations
    assert len(citation.quote) <= 240
    assert f"{citation.quote}…”" in answer.summary
    assert is_quoted(answer)


@pytest.mark.parametrize("filler", ["word ", "글자 ", "İ "], ids=["latin", "hangul", "a letter that folds longer"])
def test_a_long_sentence_is_cut_around_its_match(desk: Any, is_quoted: Any, filler: str) -> None:
    answer = desk.ask(keywords=("phoenix",)).answer(desk.result("slack:1", filler * 200 + "the Phoenix rollback ended"))
    assert is_quoted(answer)
    assert ("Phoenix" in answer.citations[0].quote) == (filler != "İ ")


def test_a_sentence_with_a_bracketed_number_is_never_quoted(desk: Any) -> None:
    """It would read as one of our own citations."""
    answer = desk.ask(keywords=("API",)).answer(
        desk.result("slack:1", "We decided on the API [2]. The API was approved later.")
    )
    assert [each.quote for each in answer.citations] == ["The API was approved later."]


def test_names_cannot_forge_a_citation_or_a_line(desk: Any) -> None:
    answer = desk.ask(keywords=("API",)).answer(
        desk.result("slack:1", "The API was approved.", author="Eve [7]\n\x1b[2J")
    )
    assert "Eve (7) (2J, Slack:" in answer.summary
    assert "\n" not in answer.summary


def test_days_are_shown_in_the_askers_zone(desk: Any) -> None:
    seoul = replace(desk.ask(keywords=("API",)), now=desk.now.astimezone(timezone(timedelta(hours=9))))
    result = seoul.result("slack:1", "The API was approved.", age=17.5 / 24)
    assert "2025-03-03" in seoul.answer(result).summary
    assert "2025-03-02" in desk.ask(keywords=("API",)).answer(result).summary


def test_a_person_question_names_owners_and_cites_where(desk: Any) -> None:
    desk = desk.ask(type=QueryType.PERSON, keywords=("API",))
    answer = desk.answer(
        desk.result("linear:1", "Rewrite the API.", assignee=Person("Sarah Kim"), author="김민수"),
        desk.result("slack:2", "The API is fine.", author="김민수"),
        desk.result("linear:3", "API tests.", assignee=Person("Sarah Kim")),
        desk.result("slack:4", "nobody said this"),
    )
    named = [each.text for each in answer.statements if "“" not in each.text and each.part == "claim"]
    assert named == ["Sarah Kim (assigned 2) [1][3]"]
    assert set(map(int, re.findall(r"\[(\d+)\]", answer.summary))) == {each.number for each in answer.citations}


def test_what_lies_outside_the_question_is_introduced_so(desk: Any) -> None:
    answer = desk.ask(keywords=("API",)).answer(desk.result("slack:1", "The API was approved.", factors={"asked": 0.0}))
    assert answer.summary.startswith("Nothing satisfies all that was asked; this lies outside it:")


# ---- gaps


def test_a_missing_source_is_named_beside_what_was_found(desk: Any) -> None:
    desk = desk.ask(keywords=("API",)).but("slack", Status.TIMED_OUT, LATE).but("gmail", Status.PARTIAL, LATE)
    answer = desk.answer(desk.result("notion:1", "The API was approved."))
    assert "Not included: Slack (timed out: no answer within 3.0 s)." in answer.summary
    assert "Only part of: Gmail (partial: no answer within 3.0 s)." in answer.summary


def test_whoever_asks_is_told_who_can_connect_a_source_anew_and_not_how(desk: Any) -> None:
    """How is for whoever did it, and stands in the receipt."""
    refused = Problem("unauthenticated", "invalid_auth; create an app and take its token")
    desk = desk.ask(keywords=("API",)).but("slack", Status.DENIED, refused)
    answer = desk.answer(desk.result("notion:1", "The API was approved."))
    assert "whoever connected it has to connect it anew" in answer.summary
    assert "create an app" not in " ".join((answer.summary, *answer.suggestions))
    assert any("create an app" in line.problem for line in receipt(answer))


@pytest.mark.parametrize(
    ("language", "less", "none"),
    [
        ("en", "Less than usual was looked up in Notion, Gmail, which may", "Slack (throttled: it may be asked only so often; ask again in 4 s)"),
        ("ko", "Notion, Gmail에는 물을 수 있는 횟수가", "물을 수 있는 횟수가 정해져 있습니다; 4초 뒤에"),
    ],
)  # fmt: skip
def test_who_was_asked_less_thoroughly_is_named_once_and_without_numbers_of_rates(
    desk: Any, language: str, less: str, none: str
) -> None:
    short = Problem("own_rate_limit", NO_TURN.filled(gate="20 requests in 60 s", took=2.5), 4.0)
    desk = desk.ask(keywords=("API",), language=language).but("slack", Status.THROTTLED, short)
    desk = desk.but("gmail", Status.PARTIAL, short)
    spared = tuple(replace(each, spared=each.source in {"notion", "gmail"}) for each in desk.outcomes)
    answer = replace(desk, outcomes=spared).answer(desk.result("notion:1", "The API was approved."))
    assert answer.summary.count(less) == 1
    assert none in answer.summary
    assert "requests in 60 s" not in f"{answer.summary} {answer.suggestions}"
    assert not any("Gmail" in each for each in answer.suggestions)


def test_nothing_found_names_the_sources_that_were_asked(desk: Any) -> None:
    assert desk.answer().summary == "Nothing was found in Slack, Notion, Linear, Gmail."


@pytest.mark.parametrize("status", [Status.TIMED_OUT, Status.THROTTLED, Status.DENIED, Status.FAILED], ids=str)
def test_a_failure_never_reads_as_nothing_found(desk: Any, status: Status) -> None:
    failed = desk.but("slack", status, Problem("x", "went wrong", 30.0))
    summary = failed.answer().summary
    assert summary.startswith(
        "Nothing was found in Notion, Linear, Gmail. So this is no proof that there is nothing: Slack"
    )
    assert "went wrong; ask again in 30 s" in summary


@pytest.mark.parametrize(
    ("language", "says"),
    [("en", "No source could answer: Slack (failed: down)"), ("ko", "응답한 소스가 없습니다: Slack (실패: down)")],
)
def test_when_all_fail_nothing_is_claimed_about_the_answer(desk: Any, language: str, says: str) -> None:
    desk = desk.ask(language=language)
    for name in EVERYBODY:
        desk = desk.but(name, Status.FAILED, Problem("x", "down"))
    answer = desk.answer()
    assert answer.summary.startswith(says)
    assert "Nothing was found" not in answer.summary
    assert "찾은 결과가 없습니다" not in answer.summary


def test_when_none_was_asked_the_reasons_are_given(desk: Any) -> None:
    plan = replace(desk.plan, steps=(), skipped=(Skipped("slack", "Slack", Status.NOT_CONNECTED, "no token"),))
    from orchestrator.answer import compose
    from orchestrator.model import Ranking

    assert "Slack: no token" in compose(Ranking(), (), plan, desk.now).summary


def test_hits_that_all_fail_the_question_are_counted(desk: Any) -> None:
    hit = desk.result("slack:1").hit
    answer = desk.answer(dropped=(Dropped(hit, "does not satisfy: from Sarah"),) * 3)
    assert answer.summary == "3 hits came back, and none of them satisfies what was asked."


def test_a_planned_source_without_an_outcome_is_a_failure_not_a_silence(desk: Any) -> None:
    desk = replace(desk, outcomes=desk.outcomes[1:])
    assert "Slack (failed: no outcome was reported for it" in desk.answer().summary


def test_an_outcome_outside_the_plan_is_counted_too(desk: Any) -> None:
    extra = replace(desk.outcomes[0], source="wiki2", title="Wiki 2", category=Category.WIKI)
    assert replace(desk, outcomes=(*desk.outcomes, extra)).answer().summary.endswith("Gmail, Wiki 2.")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "There is no PAY-9 in Linear, Jira, or none that may be seen here."),
        ("ko", "Linear, Jira에는 PAY-9 항목이 없거나 볼 수 있는 권한이 없습니다."),
    ],
)
def test_an_id_that_no_source_has_is_said_first_whatever_else_was_found(desk: Any, language: str, said: str) -> None:
    plan = desk.ask(keywords=("PAY-9",), language=language).plan
    others = (Statement("…", Part.REMARK),)
    first, *rest = with_absent(others, (Absent("PAY-9", ("Linear", "Jira")),), plan)
    assert (first, tuple(rest)) == (Statement(said, Part.REMARK), others)


@pytest.mark.parametrize(("language", "said"), [("en", "none of them holds a word"), ("ko", "들어 있는 것이 없습니다")])
def test_what_holds_no_word_of_the_question_is_not_claimed(desk: Any, language: str, said: str) -> None:
    desk = desk.ask(type=QueryType.EXPLORATORY, keywords=("axolotl",), language=language)
    far = desk.result("notion:1", "ERROR E_PUMP_771 at boot.")
    answer = desk.answer(far)
    assert (answer.citations, len(answer.results)) == ((), 1)
    assert said in answer.summary
    assert answer.confidence is Confidence.LOW
    near = desk.result("notion:1", "The salamander never grows up.", factors={"meaning": 0.9})
    assert "salamander" in desk.answer(near).summary
