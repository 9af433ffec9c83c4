"""What goes wrong with a digest, as an HTTP refusal."""

from __future__ import annotations

import asyncio

import pytest

from connectors.errors import SourceError, Throttled, Unavailable
from orchestrator.surfaces.http.digests import told
from orchestrator.surfaces.http.problems import Refused


@pytest.mark.parametrize(
    ("failure", "status", "code", "wait"),
    [
        (Throttled("it was run in this very second", 1.0), 429, "too_many_requests", "1"),
        (Unavailable("the database is away"), 503, "unavailable", "5"),
    ],
)
def test_failures_say_when_to_come_again(failure: SourceError, status: int, code: str, wait: str) -> None:
    async def fail() -> None:
        raise failure

    with pytest.raises(Refused) as caught:
        asyncio.run(told(fail()))
    refused = caught.value
    assert (refused.status, refused.code, refused.headers) == (status, code, {"Retry-After": wait})
