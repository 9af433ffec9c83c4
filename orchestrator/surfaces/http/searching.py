"""Questions over HTTP: answered whole, taken apart, or explained without asking anybody.

``/v1/search/stream``: the plan, each source as it answers, the answer as it grows, as server-sent events.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import aclosing
from typing import Annotated, Any

from fastapi import (
    APIRouter,
    Depends,
    Header,
    Query,
    Request,
    Response,
)
from fastapi.responses import StreamingResponse
from starlette.types import Message, Send

from orchestrator.access import Caller, Scope
from orchestrator.documents.answer import AnswerDocument, answer_document, outcome_document
from orchestrator.documents.plan import PlanDocument, plan_document
from orchestrator.documents.question import QueryDocument, query_document
from orchestrator.events import (
    Answered,
    Arrived,
    GatheringDone,
    Planned,
    Revised,
)
from orchestrator.model import (
    Answer,
    Ask,
)
from orchestrator.surfaces.http.bodies import (
    Question,
    Search,
    SearchParameters,
    ask_of,
    traced,
)
from orchestrator.surfaces.http.events import problem_event
from orchestrator.surfaces.http.identity import wants
from orchestrator.surfaces.http.problems import OUR_FAULT, PLAINLY, REFUSALS, Refused, accepted, plainly
from orchestrator.surfaces.http.services import Services
from orchestrator.surfaces.http.state import ServerState
from storage.logs import log_of
from translators.said import Said, failure_message, said_in


def json_reply(document: object, status: int = 200) -> Response:
    """JSON as it is. What leaves here is typed already; to check it again would cost more than the answer's ranking."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return Response(text.encode("utf-8", "replace"), status, media_type="application/json")


def search_routes(services: Services, state: ServerState) -> APIRouter:
    """``/v1/search``, ``/v1/understand``, ``/v1/explain``."""
    router = APIRouter(prefix="/v1", tags=["questions"], responses=REFUSALS)
    asking = Annotated[Caller, Depends(wants(Scope.SEARCH, services))]

    @router.post("/search", response_model=AnswerDocument)
    async def search(body: Search, request: Request, caller: asking) -> Response:
        """Ask every source and get one ranked, cited answer with the receipt of what was and was not asked."""
        ask = traced(ask_of(body, caller.principal, services, accepted(request)), request)
        ask = await state.answering.in_context(ask, services.conversations.before(ask))
        answer = await while_connected(request, state.answering.search(ask))
        await answered(ask, answer, request.scope["request_id"], services, state)
        return json_reply(answer_document(answer, services.conversations.after(answer, ask)))

    @router.post("/understand", response_model=QueryDocument)
    async def understand(body: Question, request: Request, caller: asking) -> Response:
        """Take a question apart; no source is asked."""
        query = await state.answering.understand(ask_of(body, caller.principal, services, accepted(request)))
        return json_reply(query_document(query))

    @router.post("/explain", response_model=PlanDocument)
    async def explain(body: Question, request: Request, caller: asking) -> Response:
        """What each source would be sent, and what it cannot check; no source is asked."""
        plan = await state.answering.explain(ask_of(body, caller.principal, services, accepted(request)))
        return json_reply(plan_document(plan))

    return router


async def answered(ask: Ask, answer: Answer, request_id: str, services: Services, state: ServerState) -> None:
    """What is counted and written down of every answer."""
    state.metrics.answered(answer)
    await services.audit.asked(ask, answer, request_id)
    await services.learning.shown(ask, answer)
    await services.usage.asked(ask, answer)


async def while_connected(request: Request, work: Coroutine[Any, Any, Answer]) -> Answer:
    """The result of ``work``, which is cancelled as soon as the caller has hung up: nobody would read it."""
    working = asyncio.create_task(work)
    leaving = asyncio.create_task(_gone(request))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise Refused(408, "client_closed", Said("the caller has closed the connection"))
        return working.result()
    finally:
        working.cancel()
        leaving.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


log = log_of(__name__)

EVENTS = "text/event-stream"
NAMES = ["plan", "outcome", "revision", "answer", "done", "problem"]
EVENT = {
    "type": "object",
    "description": "`data` is a JSON object: a plan, an outcome, an answer and whom it awaits, an answer, nothing, a code and a detail.",
    "properties": {"id": {"type": "string"}, "event": {"enum": NAMES}, "data": {"type": "string"}},
    "required": ["id", "event", "data"],
}
DESCRIBED: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Events `plan`, `outcome` (one a source), `revision`, `answer`, `done`; `problem` where it cannot go on.",
        "content": {EVENTS: {"schema": EVENT}},
    },
    **REFUSALS,
}
EventEncoder = Callable[[str, object], object]
LastEvent = Annotated[str | None, Header(max_length=64, description="Go on after this event")]


class Growing(StreamingResponse):
    """A reply whose source is closed when its reader leaves, and which does not wait for ever for a slow reader."""

    media_type = "text/html"

    def __init__(self, content: AsyncIterator[bytes], slowest: float) -> None:
        super().__init__(content, headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        self._slowest = slowest

    async def stream_response(self, send: Send) -> None:
        """ASGI: send the events, each within ``slowest`` seconds."""

        async def in_time(message: Message) -> None:
            async with asyncio.timeout(self._slowest):
                await send(message)

        async with aclosing(self.body_iterator):  # type: ignore[type-var]
            try:
                await super().stream_response(in_time)
            except TimeoutError:
                log.info("a reader was too slow and is let go")


class EventStream(Growing):
    """The same for server-sent events."""

    media_type = EVENTS


def stream_routes(services: Services, state: ServerState) -> APIRouter:
    """``/v1/search/stream`` by GET (as browsers' EventSource asks) and by POST."""
    router = APIRouter(prefix="/v1", tags=["questions"], responses=DESCRIBED)
    asking = Annotated[Caller, Depends(wants(Scope.SEARCH, services))]

    @router.post("/search/stream", status_code=200, response_class=EventStream)
    async def stream(
        body: Search,
        request: Request,
        caller: asking,
        last_event_id: LastEvent = None,  # noqa: ARG001 - described
    ) -> Response:
        """Ask, and read the answer as it grows."""
        return read_along(ask_of(body, caller.principal, services, accepted(request)), request, services, state)

    @router.get("/search/stream", status_code=200, response_class=EventStream)
    async def stream_by_address(
        asked: Annotated[SearchParameters, Query()],
        request: Request,
        caller: asking,
        last_event_id: LastEvent = None,  # noqa: ARG001 - described
    ) -> Response:
        """The same for readers that can only GET, such as a browser's EventSource."""
        return read_along(ask_of(asked, caller.principal, services, accepted(request)), request, services, state)

    return router


def read_along(
    ask: Ask, request: Request, services: Services, state: ServerState, told: EventEncoder | None = None
) -> Response:
    """A stream of what happens to a question, from where its reader was. ``told`` makes other documents of its events."""
    owner, last_event_id = ask.principal.id, request.headers.get("last-event-id")
    known = state.broadcasts.resume(owner, last_event_id) if last_event_id else None
    if known is None:
        _ = state.answering  # refuses here, where a reply has not begun
        events = happenings(traced(ask, request), request.scope["request_id"], services, state)
        known = (state.broadcasts.begin(owner, _worded(events, told) if told else events), 0)
    broadcast, read = known
    return EventStream(_counted(broadcast.read(read), state), services.limits.slowest)


async def _worded(events: AsyncIterator[tuple[str, object]], told: EventEncoder) -> AsyncIterator[tuple[str, object]]:
    async with aclosing(events):  # type: ignore[type-var]
        async for name, document in events:
            yield name, told(name, document)


async def _counted(frames: AsyncIterator[bytes], state: ServerState) -> AsyncIterator[bytes]:
    with state.metrics.streams.track_inprogress():
        async with aclosing(frames):  # type: ignore[type-var]
            async for frame in frames:
                yield frame


async def happenings(
    ask: Ask, request_id: str, services: Services, state: ServerState
) -> AsyncIterator[tuple[str, object]]:
    """What happens to one question, as names and documents."""
    try:
        ask = await state.answering.in_context(ask, services.conversations.before(ask))
        async with aclosing(state.answering.stream(ask)) as happening:
            async for event in happening:
                if isinstance(event, Answered):
                    await answered(ask, event.answer, request_id, services, state)
                    yield "answer", answer_document(event.answer, services.conversations.after(event.answer, ask))
                elif not isinstance(event, GatheringDone):  # of which the answer tells
                    yield _document(event)
        yield "done", {}
    except tuple(PLAINLY) as failure:
        yield problem_event(plainly(failure)[1], said_in(failure_message(failure), ask.language))
    except Exception:
        log.exception("a stream failed", request=request_id)
        yield problem_event("internal_error", said_in(OUR_FAULT, ask.language))


def _document(event: Planned | Arrived | Revised) -> tuple[str, object]:
    match event:
        case Planned(plan):
            return "plan", plan_document(plan)
        case Arrived(outcome):
            return "outcome", outcome_document(outcome)
        case Revised(answer, awaited):
            return "revision", {"answer": answer_document(answer), "awaited": list(awaited)}
