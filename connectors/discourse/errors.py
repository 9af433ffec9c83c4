"""Discourse's errors: ``errors``, ``error_type`` and ``extras`` in the body (source: app/controllers/application_controller.rb)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import ValidationError

from connectors.discourse.wire import Refusal
from connectors.errors import Forbidden, SourceError, Throttled, Unauthenticated, Unavailable
from connectors.http import answered, error_for, retry_after
from connectors.text import quote
from translators.said import Said, joined

if TYPE_CHECKING:
    from connectors.http import Reply

NOT_SIGNED_IN = "not_logged_in"
NO_ACCESS = "invalid_access"


def error_from(reply: Reply) -> SourceError | None:
    """What is wrong with a reply, if anything."""
    if reply.ok:
        return _unsearched(reply.data)
    why = _refusal(reply.data)
    said = answered("Discourse", reply.status, quote(why.errors[0]) if why.errors else "")
    match error_for(reply, said):
        case Throttled():
            wait = retry_after(reply.headers)
            return Throttled(said, why.extras.wait_seconds if wait is None and why.extras else wait)
        case Forbidden() if why.error_type == NOT_SIGNED_IN:
            return Unauthenticated(said)
        case Forbidden() if why.error_type == NO_ACCESS:  # from memory: so is a wrong key told, in the forum's language
            return Forbidden(
                joined(
                    "; ",
                    (
                        said,
                        Said("the key is wrong, or may not act as that username, or may not search"),
                    ),
                )
            )
        case other:
            return other


def _unsearched(data: object) -> SourceError | None:
    """Source: a search that is put off, because there are too many, says so with HTTP 200 and no hits."""
    grouped = data.get("grouped_search_result") if isinstance(data, dict) else None
    why = grouped.get("error") if isinstance(grouped, dict) else None
    return Unavailable(Said("Discourse did not search: {said}").filled(said=quote(why))) if why else None


def _refusal(data: object) -> Refusal:
    try:
        return Refusal.model_validate(data)
    except ValidationError:
        return Refusal()
