"""A typed client of the API, for Python programs elsewhere: the same documents that the server describes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal, Self, cast

import aiohttp

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from orchestrator.documents.answer import AnswerDocument
    from orchestrator.documents.plan import PlanDocument
    from orchestrator.documents.question import QueryDocument
    from orchestrator.documents.sources import SourceState

FeedbackVerdict = Literal["right", "wrong", "outdated", "incomplete", "opened", "copied"]
ATTEMPTS = 3  # at taking up a stream that broke off


class ApiProblem(Exception):
    """The server's refusal (RFC 9457): ``code`` is stable, ``retry_after`` in seconds, ``request`` is for its operator."""

    def __init__(self, status: int, document: dict[str, Any], retry_after: float | None) -> None:
        super().__init__(str(document.get("detail") or document.get("title") or f"HTTP {status}"))
        self.status = status
        self.code = str(document.get("code", "unknown"))
        self.request = str(document.get("request", ""))
        self.retry_after = retry_after


class Client:
    """One server and one key. Close it when done, or use it as a context.

    >>> import asyncio
    >>> async def asked(question: str) -> None:
    ...     async with Client(URL, KEY) as server:  # "http://127.0.0.1:8480", a key of `fedsearch keys add`
    ...         understood = await server.understand(question)
    ...         print(understood["language"], understood["keywords"])
    ...         plan = await server.explain(question, sources=["slack"])
    ...         print([step["source"] for step in plan["steps"]])
    ...         answer = await server.search(question, limit=3)
    ...         print(len(answer["results"]), all(each["returned"] for each in answer["sources"]))
    ...         await server.feedback(question, "right", source="slack", result_id=answer["results"][0]["id"])
    ...         events = [name async for name, _ in server.stream(question)]
    ...         print(events[0], events[-1])
    ...         try:
    ...             await server.search(question, sources=["nowhere"])
    ...         except ApiProblem as problem:
    ...             print(problem.status, problem.code)
    >>> asyncio.run(asked("who owns the Okta rollout?"))
    en ['Okta', 'rollout']
    ['slack']
    3 True
    plan done
    400 bad_ask
    """

    def __init__(self, url: str, key: str, *, timeout: float = 70.0) -> None:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._url = url.rstrip("/")
        self._http = aiohttp.ClientSession(headers=headers, timeout=aiohttp.ClientTimeout(total=timeout))

    async def search(
        self,
        question: str,
        *,
        sources: Sequence[str] = (),
        limit: int = 10,
        budget: float | None = None,
        zone: str | None = None,
        conversation: str = "",
    ) -> AnswerDocument:
        """The whole answer; ``budget`` in seconds, that of the server by default, ``conversation``: that of the answer it goes on from. Raises :class:`ApiProblem`."""
        body = _question(question, sources, zone) | {"limit": limit, "budget": budget, "conversation": conversation}
        return cast("AnswerDocument", await self._post("/v1/search", body))

    async def stream(
        self,
        question: str,
        *,
        sources: Sequence[str] = (),
        limit: int = 10,
        budget: float | None = None,
        zone: str | None = None,
        conversation: str = "",
    ) -> AsyncIterator[tuple[str, Any]]:
        """Names and documents of events as they happen; a broken connection is taken up where it broke off."""
        body = _question(question, sources, zone) | {"limit": limit, "budget": budget, "conversation": conversation}
        last = ""
        for attempt in range(ATTEMPTS):
            try:
                async with self._http.post(
                    f"{self._url}/v1/search/stream", json=body, headers={"Last-Event-ID": last} if last else {}
                ) as reply:
                    await _checked(reply)
                    async for event_id, name, document in _events(reply.content):
                        last = event_id
                        yield name, document
                        if name in {"done", "problem"}:
                            return
            except aiohttp.ClientConnectionError:
                if attempt == ATTEMPTS - 1:
                    raise
        raise aiohttp.ClientConnectionError("the stream broke off again and again")

    async def understand(self, question: str, *, zone: str | None = None) -> QueryDocument:
        """The question taken apart."""
        return cast("QueryDocument", await self._post("/v1/understand", _question(question, (), zone)))

    async def explain(self, question: str, *, sources: Sequence[str] = (), zone: str | None = None) -> PlanDocument:
        """What each source would be sent."""
        return cast("PlanDocument", await self._post("/v1/explain", _question(question, sources, zone)))

    async def sources(self) -> list[SourceState]:
        """Every configured source and how it does."""
        async with self._http.get(f"{self._url}/v1/sources") as reply:
            await _checked(reply)
            return cast("list[SourceState]", (await reply.json())["sources"])

    async def feedback(
        self,
        question: str,
        verdict: FeedbackVerdict,
        *,
        source: str | None = None,
        result_id: str | None = None,
        comment: str = "",
    ) -> None:
        """Say what a result, or the whole answer, was worth; or that somebody opened or copied a result."""
        said = {"source": source, "id": result_id, "comment": comment}
        await self._post("/v1/feedback", {"question": question, "verdict": verdict, **said})

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def _post(self, path: str, body: dict[str, Any]) -> Any:
        async with self._http.post(self._url + path, json=body) as reply:
            await _checked(reply)
            return await reply.json() if reply.content_type == "application/json" else None


def _question(question: str, sources: Sequence[str], zone: str | None) -> dict[str, Any]:
    return {"question": question, "sources": list(sources), **({"zone": zone} if zone else {})}


async def _checked(reply: aiohttp.ClientResponse) -> None:
    if reply.ok:
        return
    try:
        document = json.loads(await reply.text())
    except ValueError:
        document = {}
    after = reply.headers.get("retry-after", "")
    raise ApiProblem(
        reply.status, document if isinstance(document, dict) else {}, float(after) if after.isdigit() else None
    )


async def _events(content: aiohttp.StreamReader) -> AsyncIterator[tuple[str, str, Any]]:
    """Id, name and document of each event (WHATWG HTML, "Parsing an event stream")."""
    fields: dict[str, str] = {}
    buffer = b""
    async for chunk in content.iter_any():
        buffer += chunk
        *lines, buffer = buffer.split(b"\n")
        for line in lines:
            name, _, value = line.decode().partition(": ")
            if line and name:
                fields[name] = value
            elif not line and "data" in fields:
                yield fields.get("id", ""), fields.get("event", "message"), json.loads(fields["data"])
                fields = {}
