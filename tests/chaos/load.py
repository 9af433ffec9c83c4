"""What goes on in the world meanwhile: questions in two languages, judgments, definitions, documents that are added, a source that is pulled."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import time
import uuid
from typing import TYPE_CHECKING, Any, Self

import aiohttp

from tests.chaos.world import APIS, PROGRAM, RESTART

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from tests.chaos.world import World

BUDGET = 3.0  # seconds of a question
PATIENCE = 40.0  # seconds until a caller gives up
EVERY = {"question": 2.0, "feedback": 6.0, "definition": 15.0, "ingest": 25.0}  # seconds between two, on average
MOST = 6  # questions at the same time
TRIES = 40
QUESTIONS = (
    "API 마이그레이션 일정에 대해 무엇을 결정했나요?", "what did we decide about the 2027 pricing start date",
    "지난주에 결제 장애 원인이 뭐였지?", "who owns the payments migration", "배포 계획 문서 어디 있어?", "release plan for version 2",
    "API v2 방식은 GraphQL과 REST 중에 뭐로 정해졌어요?", "open issues assigned to me", "온보딩 가이드", "onboarding checklist for new engineers",
    "환불 규정 -초안", "incident review from last month", "박지현이 올린 회의록", '"rate limit" from:jihyun', "보안 점검 언제까지 끝내야 해?",
    "summary of the design review", "in:general 점심", "ENG-12 status", "휴가 정책 바뀐 것", "mails about the contract renewal",
)  # fmt: skip
DOCUMENTS = (
    "# {mark} 점검 기록\n\n{mark} 장비를 점검했고 이상이 없었다. 다음 점검은 석 달 뒤로 정했다.\n",
    "# Notes on {mark}\n\nWe looked at {mark} and decided to keep it. The next look is in three months.\n",
)


class Load:
    """Runs until cancelled; ``settled`` then waits for what was begun. ``doors``: where it asks, by the names of the world's ports."""

    def __init__(self, world: World, seed: int, doors: Sequence[str] = APIS) -> None:
        self._world = world
        self._doors = tuple(doors)
        self._journal = world.journal
        self._rng = random.Random(f"load {seed}")
        self._numbers = itertools.count(1)
        self._asking: set[asyncio.Task[None]] = set()
        self._http: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        # A connection for each request: who balances load keeps none to a server that has gone.
        headers = {"Authorization": f"Bearer {self._world.key}"}
        connector = aiohttp.TCPConnector(force_close=True, limit=0)
        limit = aiohttp.ClientTimeout(PATIENCE)
        self._http = aiohttp.ClientSession(connector=connector, headers=headers, timeout=limit)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._http is not None
        await self._http.close()

    async def run(self) -> None:
        await asyncio.gather(self._questions(), *map(self.each, ("feedback", "definition", "ingest")))

    async def settled(self) -> None:
        """What was begun comes to its end, and all documents are accepted."""
        if self._asking:
            await asyncio.wait(self._asking)
        await self._ingest()

    async def _waits(self, what: str) -> AsyncIterator[None]:
        while True:
            await asyncio.sleep(self._rng.expovariate(1 / EVERY[what]))
            yield

    async def each(self, what: str) -> None:
        """Work of one kind, again and again."""
        async for _ in self._waits(what):
            await {"feedback": self._feedback, "definition": self._definition, "ingest": self._ingest}[what]()

    # ---- questions

    async def _questions(self) -> None:
        async for _ in self._waits("question"):
            if len(self._asking) < MOST:
                task = asyncio.create_task(self.ask(self._rng.choice(QUESTIONS), self._rng.choice(self._doors)))
                self._asking.add(task)
                task.add_done_callback(self._asking.discard)

    async def ask(self, text: str, api: str, budget: float = BUDGET, what: str = "question") -> dict[str, Any]:
        """One question; what came of it is noted, and given back."""
        request = uuid.uuid4().hex
        sent, began = self._journal.now(), time.monotonic()
        told: dict[str, Any] = {"api": api, "request": request, "sent": sent, "budget": budget, "text": text}
        status, body = await self._posted(api, "/v1/search", {"question": text, "budget": budget}, request)
        told |= {"status": status, "seconds": round(time.monotonic() - began, 3)}
        if status == 200:
            told["sources"] = {
                each["source"]: [each["status"], (each["problem"] or {}).get("code", "")] for each in body["sources"]
            }
            told |= {"results": len(body["results"]), "citations": len(body["citations"]), "took": body["took"]}
            told["cited"] = all(each.get("source") in told["sources"] for each in body["citations"])
        else:
            told["code"] = body.get("code", "")
        self._journal.note(what, **told)
        return told

    async def _posted(self, api: str, path: str, body: Any, request: str, **headers: str) -> tuple[int, dict[str, Any]]:
        """The status and document of a reply; 0 and the kind of failure where none came."""
        assert self._http is not None
        address = f"http://127.0.0.1:{self._world.ports[api]}{path}"
        try:
            async with self._http.post(address, json=body, headers={"X-Request-Id": request, **headers}) as reply:
                text = await reply.text()
                return reply.status, json.loads(text) if text else {}
        except (aiohttp.ClientError, OSError, TimeoutError, ValueError) as failure:
            return 0, {"code": type(failure).__name__}

    # ---- work that is accepted or not

    async def _until_accepted(self, what: str, path: str, body: Any, good: tuple[int, ...], **headers: str) -> None:
        """The same request until it is accepted, at whichever server: who heard nothing cannot know."""
        mark = uuid.uuid4().hex
        for attempt in range(TRIES):
            api = self._rng.choice(self._doors)
            status, told = await self._posted(api, path, body, mark, **headers)
            self._journal.note(what, mark=body.get("comment") or body.get("name"), api=api, status=status,
                               code=told.get("code", ""), attempt=attempt, accepted=status in good)  # fmt: skip
            if status in good or status in {400, 401, 403, 422}:
                return
            await asyncio.sleep(RESTART)

    async def _feedback(self) -> None:
        mark = uuid.uuid4().hex
        body = {"question": self._rng.choice(QUESTIONS), "verdict": "right", "comment": mark}
        await self._until_accepted("feedback", "/v1/feedback", body, (204,), **{"Idempotency-Key": mark})

    async def _definition(self) -> None:
        body = {"name": f"own-{next(self._numbers)}", "period": "daily", "language": self._rng.choice(("ko", "en"))}
        await self._until_accepted("definition", "/v1/digests", body, (200, 201, 409))

    async def _ingest(self) -> None:
        """New documents beside the old ones, and the whole folder given to the index, as somebody would from a shell."""
        for _ in range(2):
            number = next(self._numbers)
            mark = f"zq{uuid.uuid4().hex[:10]}"
            text = DOCUMENTS[number % len(DOCUMENTS)].format(mark=mark)
            (self._world.documents / f"{mark}.md").write_text(text, "utf-8")
        given = sorted(each.stem for each in self._world.documents.iterdir())
        command = [
            *PROGRAM,
            "index",
            "add",
            str(self._world.documents),
            "--name",
            "chaos",
            "--visible-to",
            "public",
            "--words-only",
        ]
        await self._ran("ingest", command, given)
        if self._rng.random() < 0.3:
            await self._ran("pull", [*PROGRAM, "index", "sync", "notion", "--visible-to", "public", "--words-only"], [])

    async def _ran(self, what: str, command: list[str], given: list[str]) -> None:
        began = self._journal.now()
        with (self._world.folder / f"{what}.log").open("ab") as log:
            process = await asyncio.create_subprocess_exec(
                *command, env=self._world.environment, stdout=log, stderr=log
            )
            try:
                async with asyncio.timeout(180):
                    ended = await process.wait()
            except TimeoutError:
                process.kill()
                ended = await process.wait()
            except asyncio.CancelledError:
                process.kill()
                await process.wait()
                raise
        self._journal.note(what, began=began, ended=ended, given=given)
