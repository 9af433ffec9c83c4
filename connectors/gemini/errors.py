"""Gemini's errors: a ``status`` and ``details`` in the body, and answers that were refused with HTTP 200.

https://ai.google.dev/gemini-api/docs/troubleshooting ; details: https://cloud.google.com/apis/design/errors .
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING

from connectors.errors import (
    Forbidden,
    Misconfigured,
    Rejected,
    SourceError,
    Throttled,
    Unauthenticated,
    Unavailable,
    advised,
)
from connectors.exchange import UNSPECIFIED
from connectors.http import answered, error_for, retry_after
from connectors.text import quote
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from connectors.gemini.reply import Generated
    from connectors.http import Reply

WRONG_KEY = frozenset({"API_KEY_INVALID", "API_KEY_EXPIRED", "API_KEY_SERVICE_BLOCKED", "API_KEY_NOT_FOUND"})
SECONDS = re.compile(r"(\d{1,6}(?:\.\d{1,9})?)s", re.ASCII)


def error_from(reply: Reply, model: str) -> SourceError | None:  # noqa: PLR0911 — one line a kind of error
    """What an HTTP status and its body stand for."""
    if reply.ok:
        return None
    error = _error(reply.data)
    status = str(error.get("status", ""))
    said = answered("Gemini", reply.status, quote(error.get("message") or "") or UNSPECIFIED)
    if status == "RESOURCE_EXHAUSTED" or reply.status == HTTPStatus.TOO_MANY_REQUESTS:
        return Throttled(said, _wait(error, reply))
    if any(each.get("reason") in WRONG_KEY for each in _details(error)):
        return Unauthenticated(said)
    match status:
        case "UNAUTHENTICATED":
            return Unauthenticated(said)
        case "FAILED_PRECONDITION":  # the free tier is not offered everywhere
            return Forbidden(advised(said, Said("enable billing for the project of this key")))
        case "NOT_FOUND":
            return Misconfigured(
                advised(said, Said("set model to one that can search, it is {model}").filled(model=model))
            )
        case "UNAVAILABLE" | "INTERNAL" | "DEADLINE_EXCEEDED":
            return Unavailable(said)
        case _:
            return error_for(reply, said)


def refusal(generated: Generated) -> SourceError | None:
    """Why a reply that succeeded holds no answer."""
    why = generated.refusal
    if not why:
        return None
    if generated.first is None and not (generated.promptFeedback and generated.promptFeedback.blockReason):
        return Unavailable(Said("Gemini answered without a candidate; ask again"))
    return Rejected(
        Said("Gemini does not answer this ({said}); ask in other words, or another search").filled(said=quote(why))
    )


def _error(data: object) -> Mapping[str, object]:
    body = data[0] if isinstance(data, list) and data else data
    error = body.get("error") if isinstance(body, Mapping) else None
    return error if isinstance(error, Mapping) else {}


def _details(error: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    listed = error.get("details")
    yield from (each for each in listed if isinstance(each, Mapping)) if isinstance(listed, list) else ()


def _wait(error: Mapping[str, object], reply: Reply) -> float | None:
    """``RetryInfo.retryDelay``, a duration such as ``37s`` or ``1.5s``; rounded up, for less would be too early."""
    for each in _details(error):
        found = SECONDS.fullmatch(str(each.get("retryDelay", "")))
        if found:
            return float(math.ceil(float(found[1])))
    return retry_after(reply.headers)
