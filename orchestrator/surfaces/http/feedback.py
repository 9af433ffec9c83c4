"""``/v1/feedback``: what readers thought of results, appended to a file that ranking can be measured against."""

import hashlib
from collections import OrderedDict
from typing import Annotated

from fastapi import APIRouter, Depends, Header, Response

from orchestrator.access import Caller, Scope, append_line
from orchestrator.surfaces.http.bodies import VERDICTS, Feedback
from orchestrator.surfaces.http.identity import wants
from orchestrator.surfaces.http.problems import REFUSALS, Refused
from orchestrator.surfaces.http.services import Services
from translators.said import Said

MOST_REMEMBERED = 10_000  # idempotency keys
IdempotencyKey = Annotated[
    str | None, Header(min_length=1, max_length=128, description="The same key and body again count once")
]

REUSED = Said("this Idempotency-Key came with another body; take a new one")
UNWRITTEN = Said("it could not be written down ({why}); try again")


class IdempotencyKeys:
    """Which requests have been done already, by caller and Idempotency-Key."""

    def __init__(self) -> None:
        self._done: OrderedDict[tuple[str, str], str] = OrderedDict()

    def is_new(self, caller: str, key: str, body: str) -> bool:
        """Whether to do it. Raises :class:`Refused` for a key that came with another body."""
        digest = hashlib.sha256(body.encode()).hexdigest()
        known = self._done.get((caller, key))
        if known is not None and known != digest:
            raise Refused(422, "idempotency_key_reused", REUSED)
        self._done[caller, key] = digest
        while len(self._done) > MOST_REMEMBERED:
            self._done.popitem(last=False)
        return known is None

    def forget(self, caller: str, key: str) -> None:
        """It failed: it may be tried again."""
        self._done.pop((caller, key), None)


def feedback_routes(services: Services) -> APIRouter:
    """``/v1/feedback``."""
    router = APIRouter(prefix="/v1", tags=["questions"], responses=REFUSALS)
    asking = Annotated[Caller, Depends(wants(Scope.SEARCH, services))]
    once = IdempotencyKeys()

    @router.post("/feedback", status_code=204, response_class=Response)
    async def feedback(
        body: Feedback,
        caller: asking,
        idempotency_key: IdempotencyKey = None,
    ) -> Response:
        """Say whether a result was right, or that it was opened or copied."""
        who, text = caller.principal.id, body.model_dump_json()
        if idempotency_key is not None and not once.is_new(who, idempotency_key, text):
            return Response(status_code=204)
        try:
            await keep(body, caller, services)
        except Refused:
            if idempotency_key is not None:
                once.forget(who, idempotency_key)
            raise
        return Response(status_code=204)

    return router


async def keep(judged: Feedback, caller: Caller, services: Services) -> None:
    """Write a judgment down. Raises :class:`Refused` where the disk does not take it."""
    who = caller.principal.id
    await services.learning.reacted(who, judged.question, judged.verdict, judged.source or "", judged.id or "")
    if judged.verdict not in VERDICTS:
        return  # what somebody did with a result stands in numbers alone
    line = {"at": services.clock().isoformat(), "principal": who, **judged.model_dump()}
    try:
        await append_line(services.feedback, line)
    except OSError as failure:
        raise Refused(503, "not_kept", UNWRITTEN.filled(why=failure.strerror or "")) from None
