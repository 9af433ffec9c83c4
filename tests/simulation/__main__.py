"""``python -m tests.simulation [scenarios] [first seed]``: many worlds, each twice; stops at the first that breaks a law."""

from __future__ import annotations

import sys
import time
from collections import Counter

from tests.simulation.run import run, same


def main(scenarios: int = 10_000, first: int = 0) -> None:
    """Print what was simulated, so that a run which simulates nothing shows."""
    statuses: Counter[str] = Counter()
    questions = requests = 0
    started = time.perf_counter()
    for seed in range(first, first + scenarios):
        told = run(seed)
        if not same(told, run(seed)):
            raise SystemExit(f"seed {seed}: the same world told two stories")
        questions += len(told)
        for each in told:
            statuses.update(str(outcome.status) for outcome in each.outcomes)
            requests += sum(outcome.requests for outcome in each.outcomes)
    print(
        f"{scenarios} worlds from seed {first}, each twice: {questions} questions, {requests} requests, all laws held"
    )
    print(", ".join(f"{count} {status}" for status, count in statuses.most_common()))
    print(f"{time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
