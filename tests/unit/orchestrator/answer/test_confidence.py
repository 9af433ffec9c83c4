"""Confidence: the rule of the module, row by row."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from orchestrator.answer.confidence import Grounds
from orchestrator.model import Confidence, Evidence, Problem, Status
from translators.query import Container, Person, QueryType

BEST = Grounds(QueryType.STATUS, 1.0, strict=True, inside=True, agreement=True, spoken=True, complete=True)


@pytest.mark.parametrize(
    ("change", "confidence"),
    [
        ({}, Confidence.HIGH),
        ({"agreement": False}, Confidence.HIGH),
        ({"spoken": False}, Confidence.HIGH),
        ({"spoken": False, "type": QueryType.DECISION}, Confidence.MEDIUM),
        ({"spoken": False, "agreement": False}, Confidence.MEDIUM),
        ({"strict": False}, Confidence.MEDIUM),
        ({"complete": False}, Confidence.MEDIUM),
        ({"coverage": 0.79}, Confidence.MEDIUM),
        ({"coverage": 0.49}, Confidence.LOW),
        ({"inside": False}, Confidence.LOW),
    ],
    ids=str,
)
def test_each_ground_counts_as_the_rule_says(change: dict[str, Any], confidence: Confidence) -> None:
    assert replace(BEST, **change).confidence is confidence


def test_nothing_found_is_no_confidence(desk: Any) -> None:
    assert desk.answer().confidence is Confidence.NONE


TEXT = "The login rewrite is done."


@pytest.mark.parametrize(
    ("facts", "confidence"),
    [
        ({}, Confidence.HIGH),
        ({"evidence": (Evidence("slack", 1, rung=1),)}, Confidence.MEDIUM),
        ({"unverified": ("from Sarah",)}, Confidence.MEDIUM),
        ({"factors": {"asked": 0.0}}, Confidence.LOW),
    ],
    ids=str,
)
def test_how_the_best_result_was_found_counts(desk: Any, facts: dict[str, Any], confidence: Confidence) -> None:
    desk = desk.ask(type=QueryType.STATUS, keywords=("login", "rewrite"))
    assert desk.answer(desk.result("slack:1", TEXT, **facts)).confidence is confidence


@pytest.mark.parametrize("status", [Status.TIMED_OUT, Status.PARTIAL], ids=str)
def test_a_missing_source_caps_it(desk: Any, status: Status) -> None:
    desk = desk.ask(type=QueryType.STATUS, keywords=("login",)).but("gmail", status, Problem("x", "late"))
    assert desk.answer(desk.result("slack:1", TEXT)).confidence is Confidence.MEDIUM


def test_words_are_looked_for_in_people_and_places_too(desk: Any) -> None:
    desk = desk.ask(type=QueryType.STATUS, keywords=("login", "rewrite", "sarah", "platform"))
    facts = {"assignee": Person("Sarah Kim"), "container": Container("platform")}
    assert desk.answer(desk.result("linear:1", TEXT, **facts)).confidence is Confidence.HIGH


def test_a_document_with_the_words_in_its_title_speaks_for_itself(desk: Any) -> None:
    desk = desk.ask(type=QueryType.DOCUMENT, keywords=("REST", "spec"))
    assert desk.answer(desk.result("notion:1", title="REST spec")).confidence is Confidence.HIGH
    assert desk.answer(desk.result("notion:1", "REST spec")).confidence is Confidence.MEDIUM


def test_two_sources_agree(desk: Any) -> None:
    desk = desk.ask(type=QueryType.EXPLORATORY, keywords=("login",))
    one, other = desk.result("slack:1", TEXT), desk.result("gmail:2", TEXT)
    assert desk.answer(one).confidence is Confidence.MEDIUM
    assert desk.answer(one, other).confidence is Confidence.HIGH


def test_another_name_of_a_keyword_covers_it(desk: Any) -> None:
    variants = (("쿠버네티스", ("kubernetes", "container orchestration")),)
    desk = desk.ask(type=QueryType.STATUS, keywords=("쿠버네티스",), variants=variants)
    assert desk.answer(desk.result("slack:1", "Kubernetes is done.")).confidence is Confidence.HIGH
    assert desk.answer(desk.result("slack:1", "docker is done.")).confidence is Confidence.LOW


def test_a_question_of_filters_alone_is_never_answered_with_high_confidence(desk: Any) -> None:
    assert desk.ask(type=QueryType.STATUS).answer(desk.result("slack:1", TEXT)).confidence is Confidence.MEDIUM
