"""Asana's errors, sorted by what to do: https://developers.asana.com/docs/errors ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import ValidationError

from connectors.asana.wire import Refusal
from connectors.errors import Forbidden, Misconfigured, SourceError, advised
from connectors.http import answered, error_for
from connectors.text import quote
from translators.said import Said

if TYPE_CHECKING:
    from connectors.http import Reply

PLAN = Said(
    "Asana lets only members on a paid plan search tasks: ask for a seat on one, or switch this source off with enabled = false"
)
RIGHTS = Said("the token's owner may not read this, or the token lacks scopes such as tasks:read")
PLACE = Said("is workspace the number of a workspace that the token's owner belongs to?")
ADDRESS = Said("is base_url the address of Asana's API?")

KNOWN_AS = Said("{said} (Asana's support knows it as: {phrase})")


class NotThere(Misconfigured):
    """What was named by its number does not exist, or not for the token's owner."""


def error_from(reply: Reply) -> SourceError | None:
    """What is wrong with a reply, ``None`` if nothing is."""
    if reply.ok:
        return None
    problems = _problems(reply)
    said = _said(reply.status, problems)
    match reply.status:
        case 402:
            return Forbidden(advised(said, PLAN))
        case 403:
            return Forbidden(advised(said, RIGHTS))
        case 404 if any(problem.message for problem in problems.errors):
            return NotThere(advised(said, PLACE))
        case 404:
            return Misconfigured(advised(said, ADDRESS))
        case _:
            return error_for(reply, said)


def _problems(reply: Reply) -> Refusal:
    try:
        return Refusal.model_validate(reply.data)
    except ValidationError:
        return Refusal()


def _said(status: int, refusal: Refusal) -> Said:
    messages = "; ".join(problem.message for problem in refusal.errors if problem.message)
    told = answered("Asana", status, quote(messages) if messages else "")
    phrase = next((problem.phrase for problem in refusal.errors if problem.phrase), "")
    return KNOWN_AS.filled(said=told, phrase=quote(phrase)) if phrase else told
