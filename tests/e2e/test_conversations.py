"""A thread answers as a whole: what was said around the best hits is read, though it holds no word of the question."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pytest

from connectors.yields import FRUITLESS
from orchestrator.assembly.searching import build_engine
from orchestrator.model import Ask
from orchestrator.sandbox import Fault, Sandbox, load_corpus
from orchestrator.settings import load_settings
from tests.clock import HANGING
from tests.corpora import corpus_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from orchestrator.engine import Engine
    from orchestrator.model import Answer

NOW = datetime.fromisoformat("2026-05-20T10:00:00+09:00")
SAID = [
    (
        "ferry-0",
        "",
        "Dana Roth",
        "How many seats did the ferry charter for the summer outing get?",
        "2026-05-04T10:00:00+09:00",
    ),
    ("ferry-1", "ferry-0", "Minho Seo", "Still waiting for the harbour office.", "2026-05-04T11:00:00+09:00"),
    ("ferry-2", "ferry-0", "Dana Roth", "They confirmed: 84.", "2026-05-11T09:00:00+09:00"),
    ("camp-0", "", "Minho Seo", "캠핑장 예약 인원은 몇 명으로 할까요?", "2026-05-05T10:00:00+09:00"),
    ("camp-1", "camp-0", "Dana Roth", "최종 41명입니다.", "2026-05-12T09:00:00+09:00"),
    ("alone-0", "", "Minho Seo", "The printer on floor three works again.", "2026-05-13T09:00:00+09:00"),
]


@asynccontextmanager
async def workplace(folder: Path, rate: int = 1000, **faults: Fault) -> AsyncIterator[Engine]:
    rows = [
        {"id": name, "source": "slack", "kind": "message", "container": "general", "created": when, "text": text}
        | ({"thread": root} if root else {})
        | {"author": f"U-{author.split()[0]}", "author_name": author}
        for name, root, author, text, when in SAID
    ]
    corpus = folder / "corpus"
    corpus.mkdir()
    (corpus / "slack.jsonl").write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    async with Sandbox(load_corpus(corpus), now=NOW, sources=("slack",), faults=faults) as sandbox:
        at = sandbox.endpoints["slack"]
        slack: dict[str, Any] = {"kind": "slack", "base_url": at.base_url, "token": at.token, "rate": rate}
        async with build_engine(load_settings({"sources": {"slack": slack}}, {})) as engine:
            yield engine


async def ask(engine: Engine, question: str, budget: float = HANGING) -> Answer:
    return await engine.search(Ask(question, NOW, budget=budget))


def texts(answer: Answer) -> list[str]:
    return [result.hit.snippet for result in answer.results]


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        ("how many seats did the ferry charter get", "They confirmed: 84."),
        ("캠핑장 예약 인원 몇 명이야?", "최종 41명입니다."),
    ],
)
async def test_replies_of_the_best_hits_are_read(tmp_path: Path, question: str, reply: str) -> None:
    async with workplace(tmp_path) as engine:
        answer = await ask(engine, question)
    assert reply in texts(answer)
    found = next(result.hit for result in answer.results if result.hit.snippet == reply)
    assert found.author is not None
    assert found.author.name == "Dana Roth"
    assert "thread_ts=" in found.url
    sent = [str(native) for native in answer.outcomes[0].sent]
    assert any("conversations.replies" in each for each in sent), "the receipt shows what was read"


async def test_what_was_typed_excludes_in_a_thread_too(tmp_path: Path) -> None:
    async with workplace(tmp_path) as engine:
        answer = await ask(engine, "ferry charter -confirmed")
        assert texts(answer)
        assert "They confirmed: 84." not in texts(answer)
        mine = await ask(engine, 'ferry from:"Minho Seo"')
        assert "They confirmed: 84." not in texts(mine)


async def test_a_message_that_stands_alone_changes_nothing(tmp_path: Path) -> None:
    async with workplace(tmp_path) as engine:
        answer = await ask(engine, "printer on floor three")
    assert texts(answer) == ["The printer on floor three works again."]


async def test_a_source_that_is_short_of_turns_is_spared(tmp_path: Path) -> None:
    """Within less than a minute, after which there are turns again."""
    async with workplace(tmp_path, rate=4) as engine:
        for question in ("ferry charter", "harbour office", "printer floor"):
            answer = await ask(engine, question, budget=20.0)
    assert not any("conversations.replies" in str(native) for native in answer.outcomes[0].sent)


async def test_threads_are_left_alone_where_reading_them_has_brought_nothing_time_and_again(tmp_path: Path) -> None:
    async with workplace(tmp_path) as engine:
        read = [
            "conversations.replies" in str((await ask(engine, f"printer {n}")).outcomes[0].sent)
            for n in range(FRUITLESS + 1)
        ]
        answer = await ask(engine, "how many seats did the ferry charter get")
    assert read == [True] * FRUITLESS + [False]
    assert not any("conversations.replies" in str(native) for native in answer.outcomes[0].sent)


# ---- Microsoft Teams: search tells neither what a message answers nor what stands beside it

TEAMS: list[dict[str, Any]] = [
    {"id": "dock-0", "container": "Harbour", "author_name": "Dana Roth", "created": "2026-05-04T10:00:00Z", "text": "How many seats did the ferry charter for the summer outing get?"},
    {"id": "dock-1", "container": "Harbour", "thread": "dock-0", "author_name": "Minho Seo", "created": "2026-05-04T11:00:00Z", "text": "Still waiting for the harbour office."},
    {"id": "dock-2", "container": "Harbour", "thread": "dock-0", "author_name": "Dana Roth", "created": "2026-05-11T09:00:00Z", "text": "They confirmed: 84."},
    {"id": "camp-0", "container": "Harbour", "author_name": "Minho Seo", "created": "2026-05-05T10:00:00Z", "text": "워크숍 숙소 건"},
    {"id": "camp-1", "container": "Harbour", "thread": "camp-0", "author_name": "Dana Roth", "created": "2026-05-05T11:00:00Z", "text": "캠핑장 예약 인원은 몇 명으로 할까요?"},
    {"id": "camp-2", "container": "Harbour", "thread": "camp-0", "author_name": "Minho Seo", "created": "2026-05-12T09:00:00Z", "text": "최종 41명입니다."},
    {"id": "chat-0", "container": "Dana, Minho", "private": True, "author_name": "Dana Roth", "created": "2026-05-06T10:00:00Z", "text": "What is the new code of the archive door?"},
    {"id": "chat-1", "container": "Dana, Minho", "private": True, "author_name": "Minho Seo", "created": "2026-05-06T10:05:00Z", "text": "it is 7719 since monday"},
    {"id": "chat-2", "container": "Dana, Minho", "private": True, "author_name": "Dana Roth", "created": "2026-05-15T10:00:00Z", "text": "lunch on 22 at 12?"},
    {"id": "note-0", "container": "민호, 다나", "private": True, "author_name": "Minho Seo", "created": "2026-05-07T08:00:00Z", "text": "전기차 충전기 몇 대 들어와요?"},
    {"id": "note-1", "container": "민호, 다나", "private": True, "author_name": "Dana Roth", "created": "2026-05-07T23:00:00Z", "text": "6대요"},
]  # fmt: skip


@asynccontextmanager
async def teams(folder: Path, **settings: Any) -> AsyncIterator[Engine]:
    rows = [{**row, "source": "microsoft365", "kind": "message", "author": f"U-{row['author_name']}"} for row in TEAMS]
    async with Sandbox(corpus_of(folder, rows), now=NOW, sources=("microsoft365",)) as sandbox:
        at = sandbox.endpoints["microsoft365"]
        kind: dict[str, Any] = {"kind": "microsoft365", "base_url": at.base_url, "token": at.token, **settings}
        async with build_engine(load_settings({"sources": {"microsoft365": kind}}, {})) as engine:
            yield engine


@pytest.mark.parametrize(
    ("question", "asked", "reply"),
    [
        pytest.param("how many seats did the ferry charter get", 0, 2, id="of-the-first-message"),
        pytest.param("캠핑장 예약 인원 몇 명이야?", 4, 5, id="of-a-reply"),
        pytest.param("code of the archive door", 6, 7, id="beside-it-in-a-chat"),
        pytest.param("전기차 충전기 몇 대 들어와요?", 9, 10, id="the-next-morning"),
    ],
)
async def test_what_teams_says_around_a_message_is_read(tmp_path: Path, question: str, asked: int, reply: int) -> None:
    async with teams(tmp_path) as engine:
        answer = await ask(engine, question)
    threads = {each.hit.snippet: each.hit.thread for each in answer.results}
    assert threads[TEAMS[reply]["text"]] == threads[TEAMS[asked]["text"]]
    assert any(TEAMS[reply]["text"] in each.text for each in answer.statements)
    assert "lunch on 22 at 12?" not in texts(answer), "a long silence ends what a chat is about"
