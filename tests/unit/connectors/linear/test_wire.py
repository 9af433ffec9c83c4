"""Linear's errors and the wait that it asks for."""

from __future__ import annotations

import pytest

from connectors.errors import Forbidden, Rejected, SourceError, Throttled, Unauthenticated, Unavailable
from connectors.http import Reply
from connectors.linear.wire import error_from, errors_in, wait

DATE = {"date": "Sat, 21 Nov 2026 12:00:00 GMT"}
NOON = 1_795_262_400_000


def limit(name: str, remaining: str, seconds: int) -> dict[str, str]:
    return {f"x-ratelimit-{name}-remaining": remaining, f"x-ratelimit-{name}-reset": str(NOON + seconds * 1000)}


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "9", **limit("requests", "0", 60)}, 9.0),
        (limit("requests", "0", 60), 60.0),
        (limit("requests", "0", -60), 0.0),
        ({**limit("requests", "0", 60), **limit("complexity", "0", 90)}, 90.0),
        ({**limit("requests", "5", 60), **limit("endpoint-requests", "0", 20)}, 20.0),
        ({**limit("requests", "5", 60), **limit("complexity", "7", 20)}, 20.0),
        ({"x-ratelimit-requests-remaining": "0", "x-ratelimit-requests-reset": "soon"}, None),
        ({"x-ratelimit-requests-remaining": "0", "x-ratelimit-requests-reset": "1e300"}, None),
    ],
)
def test_wait(headers: dict[str, str], seconds: float | None) -> None:
    """Until the last of the used-up limits is renewed; where none says that it is, until the first."""
    assert wait({**DATE, **headers}) == seconds


@pytest.mark.parametrize(
    ("extensions", "kind"),
    [
        ({"code": "RATELIMITED"}, Throttled),
        ({"type": "ratelimited"}, Throttled),
        ({"code": "AUTHENTICATION_ERROR"}, Unauthenticated),
        ({"type": "authentication error"}, Unauthenticated),
        ({"type": "forbidden"}, Forbidden),
        ({"type": "feature not accessible"}, Forbidden),
        ({"code": "INTERNAL_SERVER_ERROR"}, Unavailable),
        ({"type": "lock timeout"}, Unavailable),
        ({"code": "GRAPHQL_VALIDATION_FAILED"}, Rejected),
        ({}, Rejected),
    ],
)
def test_kinds(extensions: dict[str, str], kind: type[SourceError]) -> None:
    """By code or by type, in either spelling."""
    errors = errors_in({"errors": [{"message": "said", "extensions": extensions}]})
    problem = error_from(errors, Reply(200, None, DATE))
    assert type(problem) is kind
    assert "said" in problem.message


def test_the_kind_that_is_known_goes_before_the_first() -> None:
    """Several errors, one of them the reason."""
    body = {"errors": [{"message": "first"}, {"message": "second", "extensions": {"code": "RATELIMITED"}}]}
    assert type(error_from(errors_in(body), Reply(200, None, DATE))) is Throttled


@pytest.mark.parametrize("errors", [None, [], "x", {"a": 1}])
def test_no_errors(errors: object) -> None:
    """Only a list with something in it is one."""
    assert errors_in({"errors": errors}) == ()
