"""Linear's errors: ``errors[]`` with HTTP 200 or 400, sorted by what to do (https://linear.app/developers/graphql)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from connectors.errors import Forbidden, Rejected, SourceError, Throttled, Unauthenticated, Unavailable, advised
from connectors.exchange import UNSPECIFIED
from connectors.http import answered, reply_time, retry_after
from connectors.linear.wire import GraphqlError
from connectors.text import quote
from connectors.wire import read_each
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from connectors.http import Reply

LIMITS = ("endpoint-requests", "requests", "complexity", "endpoint-complexity")

# Words for the same thing in ``extensions.code`` and in ``extensions.type``, compared without case, blanks and "_".
TOO_OFTEN = frozenset({"ratelimited"})
SIGN_IN_AGAIN = frozenset({"authenticationerror", "unauthenticated"})
NO_RIGHT = frozenset({"forbidden", "featurenotaccessible"})
TRY_LATER = frozenset({"internalservererror", "internalerror", "networkerror", "locktimeout", "bootstraperror"})


def errors_in(body: Mapping[str, object]) -> tuple[GraphqlError, ...]:
    """The entries of ``errors`` that are errors at all."""
    listed = body.get("errors")
    entries = listed if isinstance(listed, list) else []
    return read_each(GraphqlError, entries, lambda entry: entry, "errors")[0] or (
        (GraphqlError(message=Said("an error without a description")),) if entries else ()
    )


def error_from(errors: Sequence[GraphqlError], reply: Reply) -> SourceError:
    """The one error that the entries stand for: the first of a kind that we know."""
    words = {word for each in errors for word in _words(each)}
    said = answered("Linear", reply.status, quote(said_by(errors[0])))
    if words & TOO_OFTEN:
        return Throttled(said, wait(reply.headers))
    if words & SIGN_IN_AGAIN:
        return Unauthenticated(advised(said, Said("get a new API key or access token")))
    if words & NO_RIGHT:
        return Forbidden(advised(said, Said("ask for read access in Linear")))
    return Unavailable(said) if words & TRY_LATER else Rejected(said)


def not_there(errors: Sequence[GraphqlError]) -> GraphqlError | None:
    """The error that says of a fetched issue that there is none, or none that this token may see."""
    return next((each for each in errors if each.path == ("issue",) and "not found" in each.message.casefold()), None)


def said_by(error: GraphqlError) -> str:
    """What an error says to people, else to developers."""
    presentable = error.extensions.userPresentableMessage if error.extensions else ""
    return presentable or error.message or UNSPECIFIED


def wait(headers: Mapping[str, str]) -> float | None:
    """Seconds until the limit that is used up is renewed: ``X-RateLimit-…-Reset`` is in milliseconds since 1970.

    https://linear.app/developers/rate-limiting. Several may be used up; the last to be renewed counts.
    """
    asked = retry_after(headers)
    if asked is not None:
        return asked
    used_up = [name for name in LIMITS if headers.get(f"x-ratelimit-{name}-remaining", "").strip() in ("0", "0.0")]
    resets = [moment for name in used_up or LIMITS if (moment := _reset(headers, name))]
    if not resets:
        return None
    return max(0.0, ((max if used_up else min)(resets) - reply_time(headers)).total_seconds())


def _reset(headers: Mapping[str, str], name: str) -> datetime | None:
    try:
        return datetime.fromtimestamp(float(headers.get(f"x-ratelimit-{name}-reset", "")) / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _words(error: GraphqlError) -> set[str]:
    kinds = (error.extensions.code, error.extensions.type) if error.extensions else ()
    return {kind.casefold().replace("_", "").replace(" ", "") for kind in kinds}
