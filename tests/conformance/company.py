"""A small company behind the HTTP API: what is asked at the door, what each vendor was sent for it, what comes back."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from datetime import datetime
from functools import partial
from importlib import resources
from typing import TYPE_CHECKING, Any

from orchestrator.sandbox import load_corpus
from tests.clock import leaping
from tests.e2e.conftest import serving

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from pathlib import Path

    from orchestrator.sandbox import RequestRecord, Sandbox
    from tests.e2e.conftest import Server

NOW = "2026-11-20T10:00:00+09:00"
PATIENT = 30.0  # seconds of budget: these tests are about what is done, on a machine as slow as it likes
OFTEN = 100_000  # requests in a source's period
UNMIRRORED = {"notion": {"mirrored": 0}}
"""How much of it has been read beside the questions hangs on the clock."""
QUERIES = {
    "slack": lambda query: query["query"],
    "notion": lambda query: query["query"],
    "gmail": lambda query: query["q"],
    "drive": lambda query: query["q"],
    "linear": lambda query: query["variables"],
    "asana": lambda query: query,
    "jira": lambda query: query["jql"],
    "confluence": lambda query: query["cql"],
    "github": lambda query: query["q"],
}
"""What is searched for in a vendor's request, as the vendor reads it."""
SEARCHES = {
    "slack": ("/search.messages", "/assistant.search.context"),
    "notion": "/v1/search",
    "gmail": "/messages",
    "drive": "/files",
    "asana": "/tasks/search",
}
"""How the address of a search ends, where that tells it from other requests."""


class Company:
    """The API with a company behind it. Each question is asked anew: nothing of the one before is remembered."""

    def __init__(self, api: Server) -> None:
        self.api, self.sandbox, self._asked = api, api.sandbox, 0

    async def ask(self, question: str, **more: Any) -> dict[str, Any]:
        """The reply of ``POST /v1/search``, with thirty results at most."""
        self._asked = len(self.sandbox.requests)
        return await self.post("/v1/search", question=question, now=NOW, **{"limit": 30, "budget": PATIENT, **more})

    async def over_after(self, source: str, question: str) -> dict[str, Any]:
        """The reply where the budget is over as soon as a source has answered."""
        body = {"question": question, "now": NOW, "limit": 30, "budget": PATIENT}
        leap, name = leaping(), ""
        async with self.api.post("/v1/search/stream", body, headers={"Connection": "close"}) as reply:
            async for line in reply.content:
                field, _, said = line.decode().partition(": ")
                if field == "event":
                    name = said.strip()
                elif field == "data" and name == "outcome" and json.loads(said)["source"] == source:
                    leap(PATIENT)
                elif field == "data" and name == "answer":
                    return json.loads(said)
        raise AssertionError("a stream ends with its answer")

    async def understood(self, question: str) -> dict[str, Any]:
        """The reply of ``POST /v1/understand``."""
        return await self.post("/v1/understand", question=question, now=NOW)

    async def post(self, path: str, /, **body: Any) -> dict[str, Any]:
        """What a route replies, which is no refusal."""
        async with self.api.post(path, body, headers={"Connection": "close"}) as reply:  # the server ends idle ones
            said = await reply.json()
            assert reply.status == 200, said
            return said

    def sent(self, source: str) -> list[Any]:
        """What ``source`` was asked since the last question, in its own language and in order."""
        return [QUERIES[source](each.query) for each in self.requests(source)]

    def requests(self, source: str) -> list[RequestRecord]:
        """The searches that reached ``source`` since the last question."""
        return [
            each
            for each in self.sandbox.requests[self._asked :]
            if each.source == source and each.path.endswith(SEARCHES.get(source, "")) and _searches(each)
        ]


def _searches(record: RequestRecord) -> bool:
    return record.source != "linear" or "searchIssues" in record.query["query"] or "issues(" in record.query["query"]


def places(reply: dict[str, Any]) -> list[str]:
    """The source of each result, best first."""
    return [each["source"] for each in reply["results"]]


def status(reply: dict[str, Any], source: str) -> dict[str, Any]:
    """The receipt of a source."""
    return next(each for each in reply["sources"] if each["source"] == source)


@asynccontextmanager
async def a_company(
    folder: Path,
    kinds: Sequence[str],
    rows: Sequence[dict[str, Any]] = (),
    people: Sequence[dict[str, Any]] = (),
    *,
    packaged: bool = True,
    settings: dict[str, Any] | None = None,
    of: dict[str, dict[str, Any]] | None = None,
) -> AsyncIterator[Company]:
    """``rows`` besides the packaged company, or instead of it, before vendors of these ``kinds``; ``of``: settings of each."""
    for name, lines in (("rows", rows), ("people", people)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    with resources.as_file(resources.files("orchestrator.sandbox") / "workplace") as company:
        corpus = load_corpus([company, folder / "rows.jsonl"] if packaged else folder)
    async with serving(
        folder,
        corpus=corpus,
        kinds=kinds,
        mcp=True,
        now=datetime.fromisoformat(NOW),
        more=partial(_settings, settings or {}, of or {}),
    ) as api:
        yield Company(api)


def _settings(settings: dict[str, Any], of: dict[str, Any], _: str, sandbox: Sandbox) -> dict[str, Any]:
    ends = {
        name: {
            "base_url": end.base_url,
            "token": end.token,
            "rate": OFTEN,
            **UNMIRRORED.get(name, {}),
            **of.get(name, {}),
        }
        for name, end in sandbox.endpoints.items()
    }
    # One query after the other, so that their order is that of asking for less.
    return {
        "cache": {"results": 0},
        "search": {"ahead": 0, "hedge": False},
        **settings,
        "sources": {**ends, **settings.get("sources", {})},
    }
