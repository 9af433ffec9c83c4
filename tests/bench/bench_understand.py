"""How long understanding takes: a query in each language after warm-up, and a cold process for one English question.

Run it alone (``python tests/bench/bench_understand.py [--profile]``) or with the others (``python -m tests.bench understand``).
"""

from __future__ import annotations

import cProfile
import json
import pstats
import statistics
import subprocess
import sys
import time
from datetime import datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from orchestrator.understand import understand, warm  # noqa: E402  (found only once the checkout is on the path)

QUERIES = ROOT / "tests" / "data" / "queries" / "queries.jsonl"
ROUNDS = 15
COLD_RUNS = 7
ONE = '{"id": "x", "text": "what did Dana decide about the Kestrel launch last week", "reference": "2026-05-13T10:00:00+09:00"}'


def questions(lang: str) -> list[tuple[str, datetime]]:
    """The labelled questions of one language with the moments they are asked at."""
    rows = map(json.loads, QUERIES.read_text("utf-8").splitlines())
    return [(row["text"], datetime.fromisoformat(row["reference"])) for row in rows if row["lang"] == lang]


def milliseconds(asked: list[tuple[str, datetime]]) -> list[float]:
    """CPU time of each question in each round; wall time would measure the neighbours on a shared machine."""
    taken = []
    for _ in range(ROUNDS):
        for text, now in asked:
            start = time.thread_time_ns()
            understand(text, now)
            taken.append((time.thread_time_ns() - start) / 1e6)
    return sorted(taken)


def cold(code: list[str], given: str) -> float:
    """Median seconds of a fresh process."""
    taken = []
    for _ in range(COLD_RUNS):
        start = time.perf_counter()
        subprocess.run([sys.executable, *code], input=given, capture_output=True, text=True, cwd=ROOT, check=True)
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def main() -> None:
    """Print the figures, and with ``--profile`` where the time goes."""
    start = time.perf_counter()
    warm()
    print(f"Korean model, first load       {time.perf_counter() - start:8.2f} s")
    for lang in ("en", "ko"):
        asked = questions(lang)
        for text, now in asked:
            understand(text, now)
        taken = milliseconds(asked)
        p99 = taken[int(0.99 * len(taken))]
        print(
            f"one question, {lang}: median {statistics.median(taken):6.3f} ms   p99 {p99:6.3f} ms   ({len(taken)} runs, CPU)"
        )
        if "--profile" in sys.argv:
            profile(asked)
    print(f"cold process, bare Python      {cold(['-c', 'pass'], ''):8.2f} s")
    print(f"cold process, English question {cold(['-m', 'orchestrator.understand'], ONE):8.2f} s")


def profile(asked: list[tuple[str, datetime]]) -> None:
    """The fifteen functions that take most of the time."""
    profiler = cProfile.Profile()
    with profiler:
        milliseconds(asked)
    pstats.Stats(profiler).strip_dirs().sort_stats("tottime").print_stats(15)


if __name__ == "__main__":
    main()
