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
