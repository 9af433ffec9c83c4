"""GitHub's errors: by status and header in REST, by ``errors[].type`` in GraphQL, sorted by what to do.

https://docs.github.com/en/rest/using-the-rest-api/troubleshooting-the-rest-api and
https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from connectors.contract import LeftOut
from connectors.errors import Forbidden, Rejected, SourceError, Throttled, Unavailable, advised
from connectors.github.wire import GraphqlError
from connectors.http import answered, error_for, reply_time, retry_after
from connectors.text import absolute_url, quote
from connectors.wire import read_each
from translators.said import Said

if TYPE_CHECKING:
    from connectors.http import Reply

NOT_FOUND, REFUSED, TOO_MANY, UNPROCESSABLE = 404, 403, 429, 422
A_MINUTE = 60.0  # what GitHub asks for where it sets a limit without saying for how long
NO_RIGHT = frozenset({"FORBIDDEN", "INSUFFICIENT_SCOPES"})
TRY_LATER = frozenset({"SERVICE_UNAVAILABLE", "INTERNAL", "TIMEOUT"})
ADVICE = Said("give the token the right to read contents, discussions, issues, metadata and pull requests")

ADVICE_FOR = Said("{advice} (GitHub wants {needed})")
SIGN_ON = Said("authorise the token for the organisation's single sign-on")
NO_SIGN_ON = LeftOut(
    Said("organisations with single sign-on are missing; authorise the token for them in GitHub's settings")
)
SIGN_ON_AT = Said("authorise the token for the organisation's single sign-on at {url}")


class NotThere(Forbidden):
    """GitHub does not tell apart what is not there and what this token may not see."""


def error_of(reply: Reply) -> SourceError | None:
    """What is wrong with a reply, if anything."""
    if reply.ok:
        return _graphql_error(reply)
    said = answered("GitHub", reply.status, _message(reply))
    if reply.status in (REFUSED, TOO_MANY):
        return _refusal(reply, said)
    if reply.status == NOT_FOUND:
        return NotThere(
            advised(
                said, Said("it is not there, or not for this token, or base_url is not the address of GitHub's API")
            )
        )
    if reply.status == UNPROCESSABLE and "cannot be searched" in said:
        return Forbidden(advised(said, Said("check the names, or give the token access to them")))
    return error_for(reply, said)


def wait(headers: Mapping[str, str]) -> float | None:
    """Seconds until GitHub may be asked again: Retry-After, else until the limit that is used up is renewed."""
    asked = retry_after(headers)
    if asked is not None or not used_up(headers):
        return asked
    try:
        reset = datetime.fromtimestamp(float(headers.get("x-ratelimit-reset", "")), UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return max(0.0, (reset - reply_time(headers)).total_seconds())


def used_up(headers: Mapping[str, str]) -> bool:
    """Whether this was the last request that the limit of its kind allows."""
    return headers.get("x-ratelimit-remaining", "").strip() == "0"


def spent(reply: Reply, bucket: str) -> Throttled | None:
    """What a good reply says of the requests after it, if it was the last that the limit of its kind allows."""
    seconds = wait(reply.headers) if used_up(reply.headers) else None
    return Throttled(Said("GitHub's limit is used up"), seconds, bucket) if seconds else None


def left_out(headers: Mapping[str, str]) -> tuple[LeftOut, ...]:
    """What is missing because the token is not authorised for single sign-on."""
    if not headers.get("x-github-sso", "").startswith("partial-results"):
        return ()
    return (NO_SIGN_ON,)


def graphql_errors(reply: Reply) -> tuple[GraphqlError, ...]:
    """The entries of ``errors`` in a successful reply; that a thing was not found is none."""
    body = reply.members
    listed = body.get("errors")
    entries = listed if isinstance(listed, list) else []
    found = read_each(GraphqlError, entries, lambda entry: entry, "errors")[0]
    if entries and not found:
        return (GraphqlError(message=Said("an error without a description")),)
    return tuple(each for each in found if each.type != "NOT_FOUND")


def _graphql_error(reply: Reply) -> SourceError | None:
    errors = graphql_errors(reply)
    if not errors or _has_data(reply):
        return None
    types, said = (
        {each.type for each in errors},
        Said("GitHub says {why}").filled(why=quote(errors[0].message or errors[0].type).rstrip(".")),
    )
    if "RATE_LIMITED" in types or (used_up(reply.headers) and "limit" in said):
        return Throttled(said, _at_least(reply.headers))
    if types & NO_RIGHT:
        return Forbidden(advised(said, ADVICE))
    broken = types & TRY_LATER or "Something went wrong" in said
    return Unavailable(said) if broken else Rejected(said)


def _has_data(reply: Reply) -> bool:
    data = reply.data.get("data") if isinstance(reply.data, Mapping) else None
    return isinstance(data, Mapping) and any(value is not None for value in data.values())


def _refusal(reply: Reply, said: str) -> SourceError:
    """403 and 429 both stand for limits; without a sign of one, 403 is about rights."""
    headers = reply.headers
    secondary = re.search(r"rate limit|abuse", said, re.IGNORECASE) is not None
    if reply.status == TOO_MANY or used_up(headers) or secondary or "retry-after" in headers:
        return Throttled(said, _at_least(headers))
    sign_on = headers.get("x-github-sso", "")
    if sign_on.startswith("required"):
        url = absolute_url(sign_on.partition("url=")[2])
        return Forbidden(advised(said, SIGN_ON_AT.filled(url=url) if url else SIGN_ON))
    needed = headers.get("x-accepted-github-permissions") or headers.get("x-accepted-oauth-scopes") or ""
    return Forbidden(advised(said, ADVICE_FOR.filled(advice=ADVICE, needed=quote(needed)) if needed else ADVICE))


def _at_least(headers: Mapping[str, str]) -> float:
    seconds = wait(headers)
    return A_MINUTE if seconds is None else seconds


def _message(reply: Reply) -> str:
    """What GitHub says, with the messages of its ``errors``, as far as it says anything."""
    body = reply.members
    listed = body.get("errors")
    errors = listed if isinstance(listed, list) else []
    parts = [body.get("message"), *(each.get("message") if isinstance(each, Mapping) else each for each in errors)]
    said = ": ".join(part for part in parts if isinstance(part, str) and part)
    return quote(said.rstrip("."))
