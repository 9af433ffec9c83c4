"""The demo workplace as one engine over real sockets, for tests of whole answers."""

from __future__ import annotations

from contextlib import asynccontextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any

from orchestrator.assembly.searching import build_engine
from orchestrator.model import Ask
from orchestrator.sandbox import Sandbox, default_corpus
from orchestrator.settings import load_settings
from tests.clock import HANGING
from tests.mirrored import mirrors_caught_up

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from orchestrator.engine import Engine
    from orchestrator.model import Answer

NOW = datetime.fromisoformat("2026-11-20T10:00:00+09:00")
MANY = 100_000  # requests, more than any test asks


@asynccontextmanager
async def demo_workplace() -> AsyncIterator[Engine]:
    """Its sources, asked as often as one likes."""
    async with Sandbox(default_corpus(), now=NOW) as sandbox:
        sources: dict[str, Any] = {
            name: {"kind": name, "base_url": at.base_url, "token": at.token, "rate": MANY}
            for name, at in sandbox.endpoints.items()
        }
        # Meaning is read from the first question on, and not from whenever its model was there.
        settings = load_settings({"sources": sources, "ranking": {"semantic": "wait"}}, {})
        async with build_engine(settings) as engine:
            await mirrors_caught_up(engine)
            yield engine


async def ask(engine: Engine, question: str, **more: Any) -> Answer:
    """On that day, with time enough for a busy machine."""
    return await engine.search(Ask(question, NOW, budget=HANGING, **more))
