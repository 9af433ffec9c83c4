"""The web in the federation: asked when it is wanted, told nothing that only exists inside, and the receipt says so."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

import pytest

from orchestrator.answer import receipt
from orchestrator.assembly.searching import build_engine
from orchestrator.model import Ask, NoSources, Status
from orchestrator.sandbox import Sandbox, parse_fault
from orchestrator.settings import load_settings
from tests.clock import HANGING
from tests.corpora import corpus_of
from tests.e2e.web_world import at, web_corpus
from translators.strategies import KST

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from orchestrator.model import Answer

NOW = datetime(2026, 3, 20, 9, tzinfo=KST)
PEOPLE = [
    {"id": "U1", "name": "Sarah Kim", "handle": "sarah", "email": "sarah@acme.example"},
    {"id": "U2", "name": "김민수", "handle": "minsu", "email": "minsu@acme.example"},
]
ISSUES = [
    {"id": "i1", "source": "linear", "kind": "issue", "key": "PHX-12", "container": "Phoenix", "title": "쿠버네티스 배포",
     "text": "suspense fallback", "author": "U1", "state": "Todo", "created": "2026-03-01T00:00:00Z"},
]  # fmt: skip


@pytest.fixture
async def outside(tmp_path: Path) -> AsyncIterator[Sandbox]:
    async with Sandbox(web_corpus(tmp_path / "web"), sources=["brave"]) as served:
        yield served


@pytest.fixture
async def inside(tmp_path: Path) -> AsyncIterator[Sandbox]:
    folder = tmp_path / "inside"
    folder.mkdir()
    async with Sandbox(corpus_of(folder, ISSUES, PEOPLE), owner="U1") as served:
        yield served


async def answered(inside: Sandbox, outside: Sandbox, text: str, *only: str, **said: Any) -> Answer:
    linear = inside.endpoints["linear"]
    tables = {
        "linear": {"base_url": linear.base_url, "token": linear.token},
        "web": {"rate": 60, **at(outside, "brave")},
    }
    patient = {"patience": 20.0, **said}
    settings = load_settings({"sources": tables, "search": {"budget": 30.0}, "outside": patient}, {})
    async with build_engine(settings) as engine:
        return await engine.search(Ask(text, NOW, budget=HANGING, sources=only))


def asked_outside(outside: Sandbox) -> list[str]:
    return [record.query["q"] for record in outside.requests]


@pytest.mark.parametrize(
    "text", ["suspense fallback", "쿠버네티스 배포", "What is the status of Phoenix?", "online store checkout suspense"]
)
async def test_nobody_outside_is_asked_unbidden(inside: Sandbox, outside: Sandbox, text: str) -> None:
    answer = await answered(inside, outside, text)
    assert asked_outside(outside) == []
    (line,) = [line for line in receipt(answer) if line.source == "web"]
    assert line.status is Status.SKIPPED
    assert "--source web" in line.problem


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("suspense fallback on the web", "suspense fallback"),
        ("웹에서 쿠버네티스 배포", "쿠버네티스"),
        ("구글에서 쿠버네티스 확장", "쿠버네티스"),
        ("type:web suspense fallback", "suspense fallback"),
    ],
)
async def test_a_question_that_bids_it_is_answered_from_both(
    inside: Sandbox, outside: Sandbox, text: str, sent: str
) -> None:
    answer = await answered(inside, outside, text)
    (line,) = asked_outside(outside)
    assert sent in line.replace("(쿠버네티스 OR", "쿠버네티스")
    assert not {"web", "웹", "구글"} & set(line.split())
    assert "web" in {result.hit.source for result in answer.results}


async def test_the_asker_may_name_it(inside: Sandbox, outside: Sandbox) -> None:
    """By ``--source``, ``source:`` and ``in:``, for matters as well about which it is not asked otherwise."""
    for text, only in (
        ("suspense fallback", ("web",)),
        ("source:web suspense fallback", ()),
        ("in:web suspense fallback", ()),
    ):
        answer = await answered(inside, outside, text, *only)
        assert {result.hit.source for result in answer.results} == {"web"}
    await answered(inside, outside, "from:sarah suspense fallback", "web")
    assert asked_outside(outside) == ["suspense fallback"] * 4


async def test_it_can_be_asked_by_the_kind_of_question(inside: Sandbox, outside: Sandbox) -> None:
    answer = await answered(inside, outside, "suspense fallback", types="exploratory, factual")
    assert asked_outside(outside) == ["suspense fallback"]
    assert {"linear", "web"} <= {outcome.source for outcome in answer.outcomes}
    await answered(inside, outside, "my issues about suspense", types="exploratory, factual, status")
    assert len(asked_outside(outside)) == 1


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("PHX-12 suspense on the web", "PHX-12"),
        ("phx-12 suspense on the web", "phx-12"),
        ("Phoenix suspense on the web", "Phoenix"),
        ("suspense https://wiki.corp.acme.example/x on the web", "https://wiki.corp.acme.example/x"),
        ("suspense on billing-db.internal on the web", "billing-db.internal"),
        ("웹에서 아틀라스 suspense", "아틀라스"),
    ],
)
async def test_what_is_only_inside_stays_there(inside: Sandbox, outside: Sandbox, text: str, held: str) -> None:
    answer = await answered(inside, outside, text, words="아틀라스", hosts="corp.acme.example")
    lines = asked_outside(outside)
    assert lines
    assert all("suspense" in line and held.casefold() not in line.casefold() for line in lines)
    (line,) = [line for line in receipt(answer) if line.source == "web"]
    told = [loss for loss in line.losses if loss.why.startswith("not sent: ")]
    assert any(held.casefold() in loss.what.casefold() for loss in told)


@pytest.mark.parametrize("only", [(), ("web", "linear")])
async def test_where_the_names_inside_could_not_be_read_nothing_is_sent_out(
    inside: Sandbox, outside: Sandbox, only: tuple[str, ...]
) -> None:
    """Whoever cannot list its people and projects cannot be protected: failed means held, not free."""
    inside.set_fault("linear", parse_fault("linear=status:500")[1])
    answer = await answered(inside, outside, "Phoenix suspense on the web", *only)
    assert asked_outside(outside) == []
    (line,) = [line for line in receipt(answer) if line.source == "web"]
    assert line.status is Status.SKIPPED
    assert "Linear: its names could not be read" in line.problem


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("source:web 김민수", "모두 내부에만 있는 것이라"),
        ("source:web sarah kim PHX-12", "only exists inside"),
        ("source:web @minsu", "only exists inside"),
    ],
)
async def test_with_nothing_left_nobody_is_asked(inside: Sandbox, outside: Sandbox, text: str, why: str) -> None:
    with pytest.raises(NoSources, match=why):
        await answered(inside, outside, text)
    assert asked_outside(outside) == []


async def test_until_the_names_are_known_nobody_is_asked(inside: Sandbox, outside: Sandbox) -> None:
    answer = await answered(inside, outside, "suspense fallback on the web", patience=0.0)
    (line,) = [line for line in receipt(answer) if line.source == "web"]
    assert (line.status, asked_outside(outside)) == (Status.SKIPPED, [])
    assert "still being read" in line.problem


def test_a_declared_search_of_the_web_is_outside_as_well() -> None:
    """Whoever serves it: what counts is where the question goes."""
    table = {"kind": "json_api", "category": "web", "base_url": "http://127.0.0.1:9", "auth": {"kind": "none"}}
    engine = build_engine(load_settings({"sources": {"mine": table}}, {}))
    assert [profile.public for profile in engine.profiles] == [True]
