"""How many requests are held against each vendor's description: ``python -m tests.contract.vendors.count [source …]``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, given, settings

from tests.contract.vendors.generated import described, recorded_requests, requests_for, validator
from translators import strategies

if TYPE_CHECKING:
    from collections.abc import Iterator

    from translators.query import Query

CONTRACTS = Path(__file__).resolve().parents[4] / "shared" / "contracts"
ENOUGH = 2000  # requests of each source
MOST = 2500  # questions at first: the `thousands` of tests/conftest.py; a question can make no request, or several


def counted(kind: str) -> tuple[int, int, int]:
    """Requests in exemplars, generated questions, and requests made of them, all valid; raises for one that is not.

    Refusals that exemplars show on purpose are not looked at here.
    """
    check = validator(kind, CONTRACTS)
    recorded = sum(1 for _ in recorded_requests(kind))
    asked: list[int] = []

    @settings(
        derandomize=True, deadline=None, max_examples=MOST, database=None, suppress_health_check=[HealthCheck.too_slow]
    )
    @given(strategies.queries())
    def generated(query: Query) -> None:
        requests = requests_for(kind, query)
        for request in requests:
            check(request)
        asked.append(len(requests))

    generated()
    return recorded, len(asked), sum(asked)


def lines(kinds: tuple[str, ...]) -> Iterator[str]:
    """A row a source."""
    for kind in kinds:
        recorded, questions, requests = counted(kind)
        note = "" if requests >= ENOUGH else f"  (fewer than {ENOUGH})"
        yield f"{kind:14} {recorded:10} {questions:10} {requests:10}{note}"


if __name__ == "__main__":
    print(f"{'source':14} {'exemplars':>10} {'questions':>10} {'requests':>10}")
    for line in lines(tuple(sys.argv[1:]) or described()):
        print(line, flush=True)
