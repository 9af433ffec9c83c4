"""A small office in four trackers and four other sources, of which nearly everything is known: whose, what, how it stands."""

from __future__ import annotations

import json
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any

from orchestrator.assembly.searching import build_engine
from orchestrator.sandbox import Sandbox, load_corpus
from orchestrator.settings import load_settings
from tests.e2e.demo_workplace import MANY

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable
    from pathlib import Path

    from orchestrator.engine import Engine

NOW = datetime.fromisoformat("2026-11-20T10:00:00+09:00")
TRACKERS = ("asana", "github", "jira", "linear")
SARAH = {"id": "U0SARAH001", "name": "Sarah Kim", "handle": "sarah.kim", "email": "sarah.kim@acme.example"}
MINSU = {"id": "U0MINSU002", "name": "김민수", "handle": "minsu.kim", "email": "minsu.kim@acme.example"}


def row(source: str, kind: str, title: str, text: str, **more: Any) -> dict[str, Any]:
    """A row of a corpus, by Sarah ten days ago unless told otherwise."""
    made = {
        "author": SARAH["id"],
        "author_name": SARAH["name"],
        "created": "2026-11-10T09:00:00+09:00",
        "container": "platform",
    }
    return {"source": source, "kind": kind, "title": title, "text": text, **made, **more}


def issues(topic: str) -> Iterable[dict[str, Any]]:
    """One that is open and one that was done later, in each tracker, both given to Sarah."""
    for number, source in enumerate(TRACKERS, 1):
        place = {"container": "acme/platform"} if source == "github" else {"project": "Platform", "team": "PLT"}
        for offset, state, day in ((0, "In Progress", "12"), (10, "Done", "18")):
            key = f"PLT-{number + offset}"
            yield row(
                source, "issue", f"{topic}: {state.lower()} in {source}", f"{topic} work of the {source} board.", key=key,
                state=state, assignee=SARAH["id"], assignee_name=SARAH["name"], updated=f"2026-11-{day}T09:00:00+09:00",
                **({"completed": f"2026-11-{day}T09:00:00+09:00"} if state == "Done" else {}), **place,
            )  # fmt: skip


@asynccontextmanager
async def office(folder: Path, rows: Iterable[dict[str, Any]]) -> AsyncIterator[Engine]:
    """An engine over a sandbox that serves these rows, as Sarah."""
    (folder / "people.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in (SARAH, MINSU)), "utf-8")
    numbered = ({"id": f"{each['source']}-{at}", **each} for at, each in enumerate(rows, 1))
    (folder / "rows.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in numbered), "utf-8")
    async with AsyncExitStack() as stack:
        sandbox = await stack.enter_async_context(Sandbox(load_corpus(folder), now=NOW, owner=str(SARAH["id"])))
        sources = {
            name: {"kind": name, "base_url": at.base_url, "token": at.token, "rate": MANY}
            for name, at in sandbox.endpoints.items()
        }
        settings = load_settings(
            {"sources": sources, "storage": {"data_dir": str(folder)}, "ranking": {"semantic": "off"}}, {}
        )
        engine = await stack.enter_async_context(build_engine(settings, rated=False))
        await engine.prepare()
        yield engine
