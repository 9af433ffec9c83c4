"""One question back with real options, where what was found means different things; and silence everywhere else."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from connectors.contract import Hit
from orchestrator.answer import may_mean_several
from orchestrator.answer.themes import find_themes
from orchestrator.model import Dropped, HitList, Status
from translators.query import (
    Container,
    Entity,
    EntityKind,
    Identifier,
    IdKind,
    Kind,
    Person,
    Query,
    QueryType,
    Window,
)
from translators.translator import NativeQuery, Translation

EN = {
    "slack": ["The database migration (Phoenix) starts on Monday", "cloud migration: AWS to GCP, wave 2"],
    "notion": ["Database migration plan: project Phoenix", "Mail migration: Exchange to O365"],
    "linear": ["Cloud migration AWS → GCP", "Phoenix: database migration rehearsal"],
    "gmail": ["Your mail migration is due", "cloud migration costs"],
}
KO = {
    "slack": ["데이터베이스 마이그레이션은 월요일에 시작합니다", "클라우드 마이그레이션 2차"],
    "notion": ["데이터베이스 마이그레이션 계획", "메일 마이그레이션 안내"],
    "gmail": ["메일 마이그레이션 일정", "클라우드 마이그레이션 비용"],
}
FEW = {"slack": ["the API migration", "API migration guide", "a mail migration", "mail migration faq"]}
ONE = {"slack": ["The API migration starts", "API migration moved", "the API migration guide", "mail migration"]}


def found(desk: Any, titles: dict[str, list[str]], rung: int = 0) -> Any:
    """The desk after each source returned so many titles."""
    for source, texts in titles.items():
        hits = tuple(Hit(source, f"{source}-{n}", Kind.PAGE, title=text) for n, text in enumerate(texts))
        lists = (HitList(Translation(NativeQuery("test", "x")), hits, rung),)
        desk = desk.but(source, Status.OK, lists=lists)
    return desk


def asking(desk: Any, text: str = "search for the migration", **facts: Any) -> Any:
    facts = {"type": QueryType.EXPLORATORY, "keywords": ("migration",), **facts}
    return desk.ask(text, **facts)


def test_it_asks_with_what_was_found_and_how_often(desk: Any) -> None:
    asked = found(asking(desk), EN).answer().clarification
    assert asked is not None
    assert {(each.label.casefold(), each.count) for each in asked.readings} == {
        ("database", 3),
        ("cloud", 3),
        ("mail", 2),
    }
    assert "database (3)" in asked.question.casefold()
    assert set(map(str.casefold, asked.options)) == {
        "search for the database migration",
        "search for the cloud migration",
        "search for the mail migration",
    }
    assert len(asked.options) == len(asked.readings)


def test_in_korean_too(desk: Any) -> None:
    desk = asking(desk, "마이그레이션 찾아줘", keywords=("마이그레이션",), language="ko")
    asked = found(desk, KO).answer().clarification
    assert asked is not None
    assert asked.question.startswith("“마이그레이션”에 해당하는 내용이 여러 가지입니다")
    assert set(asked.options) == {
        "데이터베이스 마이그레이션 찾아줘",
        "클라우드 마이그레이션 찾아줘",
        "메일 마이그레이션 찾아줘",
    }


def test_an_option_is_clear_enough_to_be_asked(desk: Any) -> None:
    """Asked again as it stands it finds what it says, and nothing is asked back."""
    asked = found(asking(desk), EN).answer().clarification
    for option, reading in zip(asked.options, asked.readings, strict=True):
        again = asking(desk, option, keywords=(reading.label, "migration"))
        answer = found(again, EN).answer()
        assert answer.clarification is None


@pytest.mark.parametrize(
    "titles", [ONE, FEW, {"slack": ["the migration"] * 5}, {"slack": ["API migration", "mail migration"]}, {}]
)
def test_where_one_reading_prevails_nothing_is_asked(desk: Any, titles: dict[str, list[str]]) -> None:
    assert found(asking(desk), titles).answer().clarification is None


@pytest.mark.parametrize(
    "facts",
    [
        {"keywords": ("database", "migration", "plan")},
        {"keywords": ()},
        {"keywords": ("migration-v2",)},
        {"keywords": ("ActionGenie",)},
        {"entities": (Entity(EntityKind.PROJECT, "Migration"),)},
        {"phrases": ("the migration",)},
        {"ids": (Identifier(IdKind.TICKET, "PAY-1"),)},
        {"author": Person("Sarah")},
        {"container": Container("platform")},
        {"kinds": (Kind.FILE,)},
        {"negated": ("mail",)},
        {"window": Window(date(2026, 1, 1), None)},
        {"mine": True},
        {
            "type": QueryType.STATUS,
            "ambiguous": True,
            "entities": (Entity(EntityKind.PROJECT, "Migration"),),
        },
    ],
    ids=str,
)
def test_a_question_that_says_which_one_is_not_asked_back(desk: Any, facts: dict[str, Any]) -> None:
    assert found(asking(desk, **facts), EN).answer().clarification is None


def test_what_was_left_out_or_found_by_broadening_is_no_reading(desk: Any) -> None:
    assert found(asking(desk), EN, rung=1).answer().clarification is None
    desk = found(asking(desk), EN)
    hits = [hit for outcome in desk.outcomes for hit in outcome.hits]
    dropped = tuple(Dropped(hit, "x") for hit in hits)
    assert desk.answer(dropped=dropped).clarification is None


def test_copies_of_one_text_are_one_thing(desk: Any) -> None:
    titles = {name: ["mail migration", "cloud migration"] for name in ("slack", "notion", "gmail")}
    assert found(asking(desk), titles).answer().clarification is None


def test_a_project_names_a_group_too() -> None:
    hits = [
        Hit("linear", str(n), Kind.ISSUE, title=f"migration step {n}", facts={"project": project})
        for n, project in enumerate(["Phoenix", "Phoenix", "Magpie", "Magpie"])
    ]
    themes, looked_at = find_themes(hits, Query("migration", keywords=("migration",)))
    assert {(theme.label, len(theme.hits)) for theme in themes} == {("Phoenix", 2), ("Magpie", 2)}
    assert looked_at == 4


def test_a_word_of_the_question_is_known_in_either_number() -> None:
    hits = [
        Hit("slack", str(n), Kind.MESSAGE, snippet=f"a {name} box, number {n}")
        for n, name in enumerate(["gift", "gift", "tool", "tool"])
    ]
    themes, _ = find_themes(hits, Query("boxes", keywords=("boxes",)))
    assert {theme.label for theme in themes} == {"gift", "tool"}


def test_addresses_and_small_words_name_no_group() -> None:
    hits = [
        Hit("slack", str(n), Kind.MESSAGE, snippet=f"the migration {n}: https://acme.example/acme-migration")
        for n in range(4)
    ]
    assert find_themes(hits, Query("migration", keywords=("migration",)))[0] == ()


def test_any_text_can_be_grouped() -> None:
    hits = [
        Hit("x", str(n), Kind.PAGE, title="\u202emigration [1]\x00" * n, snippet="ﬁ migration " * n) for n in range(5)
    ]
    find_themes(hits, Query("migration", keywords=("migration",)))
    assert find_themes(hits, Query("x"))[0] == ()


def test_the_gate_reads_the_question_alone() -> None:
    assert may_mean_several(Query("the migration", keywords=("migration",)))
    assert not may_mean_several(replace(Query("x"), keywords=("a", "b", "c")))
    signed = Query("who works on webhook signatures", keywords=("webhook", "signatures"))
    assert may_mean_several(signed)
    assert not may_mean_several(replace(signed, type=QueryType.PERSON))


def test_a_reading_says_where_most_of_it_belongs() -> None:
    """By project before place; not where that is its own name."""
    place = Container("infra")
    hits = [
        Hit("linear", "1", Kind.ISSUE, title="database migration plan", container=place, facts={"project": "Phoenix"}),
        Hit("linear", "2", Kind.ISSUE, title="the database migration", container=place),
        Hit("slack", "3", Kind.MESSAGE, title="mail migration", container=place),
        Hit("slack", "4", Kind.MESSAGE, title="a mail migration faq", container=Container("mail")),
        Hit("slack", "5", Kind.MESSAGE, title="about the mail migration", container=Container("mail")),
    ]
    themes, _ = find_themes(hits, Query("migration", keywords=("migration",)))
    assert {each.label: each.context for each in themes} == {"database": "Phoenix", "mail": ""}


@pytest.mark.parametrize(("language", "labels"), [("ko", {"데이터베이스", "메일"}), ("en", {"database", "mail"})])
def test_a_reading_is_one_in_both_languages_and_named_in_the_askers(language: str, labels: set[str]) -> None:
    pairs = {"database": "데이터베이스", "mail": "메일"}
    pairs |= {korean: english for english, korean in pairs.items()}
    texts = ["database migration plan", "데이터베이스 migration 계획", "mail migration", "the mail migration faq"]
    hits = [Hit("notion", str(n), Kind.PAGE, title=text) for n, text in enumerate(texts)]
    query = Query("migration", language=language, keywords=("migration",))
    themes, _ = find_themes(hits, query, lambda word: (pairs[word],) if word in pairs else ())
    assert {each.label for each in themes} == labels
