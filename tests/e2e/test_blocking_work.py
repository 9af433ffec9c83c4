"""Which work holds up which: by the links of trackers, in the direction that is asked about."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pytest

from orchestrator.assembly.searching import build_engine
from orchestrator.model import Ask, Confidence
from orchestrator.sandbox import Sandbox
from orchestrator.settings import load_settings
from tests.clock import HANGING
from tests.corpora import corpus_of

if TYPE_CHECKING:
    from pathlib import Path

    from orchestrator.model import Answer

NOW = datetime.fromisoformat("2026-05-20T10:00:00+09:00")
PEOPLE = [
    {"id": "U1", "name": "Dana Roth", "handle": "dana", "email": "dana@acme.example"},
    {"id": "U2", "name": "서민호", "handle": "minho", "email": "minho@acme.example"},
]
WORK: list[dict[str, Any]] = [
    {"id": "mast", "key": "FER-1", "title": "Order the mast", "assignee": "U1", "blocks": ["sail", "old"]},
    {"id": "sail", "key": "FER-2", "title": "Hoist the sail", "assignee": "U2"},
    {"id": "rope", "key": "FER-3", "title": "Buy rope", "assignee": "U1", "parent": "launch"},
    {
        "id": "done",
        "key": "FER-4",
        "title": "Paint the hull",
        "assignee": "U1",
        "state": "Done",
        "blocks": ["rope"],
        "parent": "launch",
    },
    {"id": "old", "key": "FER-5", "title": "Sell the old mast", "assignee": "U2", "state": "Done"},
    {"id": "launch", "key": "FER-7", "title": "Launch", "assignee": "U2"},
    {"id": "deck", "key": "FER-6", "title": "갑판 청소", "assignee": "U2", "blocks": ["rope"]},
]


async def asked(folder: Path, tracker: str, question: str) -> Answer:
    rows = [
        {"source": tracker, "kind": "issue", "team": "FER", "container": "Ferry", "text": "", "state": "In Progress"}
        | {"created": "2026-05-04T10:00:00Z", "author": "U2"}
        | row
        for row in WORK
    ]
    async with Sandbox(corpus_of(folder, rows, PEOPLE), owner="dana", now=NOW, sources=(tracker,)) as sandbox:
        at = sandbox.endpoints[tracker]
        source: dict[str, Any] = {"kind": tracker, "base_url": at.base_url, "token": at.token}
        async with build_engine(load_settings({"sources": {tracker: source}}, {})) as engine:
            return await engine.search(Ask(question, NOW, budget=HANGING))


@pytest.mark.parametrize("tracker", ["jira", "linear"])
@pytest.mark.parametrize(
    ("question", "told", "others"),
    [
        pytest.param("what am I blocking?", "Order the mast (holds up FER-2)", ("Buy rope", "Hoist", "갑판"), id="mine"),
        pytest.param("내가 막고 있는 거 뭐야", "Order the mast (FER-2 막음)", ("Buy rope", "Hoist", "갑판"), id="mine-ko"),
        pytest.param("뭐가 나 때문에 막혀 있어?", "(FER-2 막음)", ("Buy rope", "갑판"), id="because-of-me"),
        pytest.param("what's blocking me", "Buy rope (waits for FER-6)", ("Order", "Hoist"), id="of-mine"),
        pytest.param("what's blocked?", "Hoist the sail (waits for FER-1)", ("Order the", "Paint"), id="blocked"),
        pytest.param("막힌 거 뭐 있어", "Buy rope (FER-6 때문에 막힘)", ("Order the", "Paint"), id="blocked-ko"),
    ],
)  # fmt: skip
async def test_work_is_told_by_what_it_holds_up_or_is_held_up_by(
    tmp_path: Path, tracker: str, question: str, told: str, others: tuple[str, ...]
) -> None:
    answer = await asked(tmp_path, tracker, question)
    first = "\n".join(each.text for each in answer.statements[:2])
    names = {"FER-1": "Order the mast", "FER-2": "Hoist the sail", "FER-6": "갑판 청소"}
    for key, name in names.items():  # Linear tells the keys alone of what is linked
        told = told.replace(key, f"{key} {name}") if tracker == "jira" else told
    assert told in first
    listed = re.sub(r"\([^()]*\)", "", first)
    assert not [each for each in others if each in listed]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("what is FER-2 waiting for?", "Hoist the sail (waits for FER-1 Order the mast)"),
        ("what does FER-1 block", "Order the mast (holds up FER-2 Hoist the sail)"),
        ("FER-1 안 끝나면 뭐가 밀려", "Order the mast (FER-2 Hoist the sail 막음)"),
        ("what is left of FER-7", "Launch (left of it: FER-3 Buy rope)"),
        ("FER-7 하위 작업 뭐 남았어", "Launch (남은 하위 작업: FER-3 Buy rope)"),
        ("why can't we hoist the sail", "Hoist the sail (waits for FER-1 Order the mast)"),
    ],
)
async def test_a_thing_that_is_named_is_told_first_with_its_links(tmp_path: Path, question: str, told: str) -> None:
    answer = await asked(tmp_path, "jira", question)
    assert told in answer.statements[1].text


@pytest.mark.parametrize("question", ["what is FER-2", "FER-2 누가 해", "who looks after FER-1"])
async def test_links_are_not_what_is_asked_for(tmp_path: Path, question: str) -> None:
    answer = await asked(tmp_path, "jira", question)
    assert "FER-" not in answer.statements[1].text.partition("(")[2]


@pytest.mark.parametrize(
    ("question", "told", "other"),
    [
        ("what am I blocking?", "Order the mast (holds up Hoist the sail)", "Buy rope"),
        ("내가 막고 있는 거 뭐야", "Order the mast (Hoist the sail 막음)", "Buy rope"),
        ("what's blocked?", "Hoist the sail (waits for Order the mast)", "Paint"),
        ("막힌 거 뭐 있어", "Buy rope (갑판 청소 때문에 막힘)", "Paint"),
    ],
)
async def test_tasks_of_asana_have_names_and_no_keys(tmp_path: Path, question: str, told: str, other: str) -> None:
    answer = await asked(tmp_path, "asana", question)
    first = "\n".join(each.text for each in answer.statements[:2])
    assert told in first
    assert other not in first


@pytest.mark.parametrize("tracker", ["jira", "linear", "asana"])
@pytest.mark.parametrize(
    ("question", "told"),
    [("what is 서민호 blocking", "갑판 청소"), ("서민호가 막고 있는 일", "갑판 청소")],
)
async def test_somebody_else_s_work_is_theirs(tmp_path: Path, tracker: str, question: str, told: str) -> None:
    answer = await asked(tmp_path, tracker, question)
    first = "\n".join(each.text for each in answer.statements[:2])
    assert told in first
    assert "Order the mast" not in first


@pytest.mark.parametrize("tracker", ["jira", "linear", "asana"])
@pytest.mark.parametrize("question", ["anything overdue?", "기한 지난 거 있어?"])
async def test_that_nothing_is_late_is_certain_where_all_open_work_was_looked_at(
    tmp_path: Path, tracker: str, question: str
) -> None:
    answer = await asked(tmp_path, tracker, question)
    assert not answer.citations
    assert answer.confidence is Confidence.HIGH
