"""How long understanding takes: a query in each language after warm-up, and fresh processes for one English question.

Run it alone (``python tests/bench/bench_understand.py [--profile]``) or with the others (``python -m tests.bench understand``).
"""

from __future__ import annotations

import cProfile
import json
import os
import pstats
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from orchestrator.understand import understand, understanding, warm  # noqa: E402  (found only once the checkout is on the path)

QUERIES = ROOT / "tests" / "data" / "queries" / "queries.jsonl"
ROUNDS = 15
COLD_RUNS = 15
QUESTION = "what did we decide about the API migration last week?"
ROW = json.dumps({"id": "x", "text": QUESTION, "reference": "2026-05-13T10:00:00+09:00"})
COLD = {
    "bare Python": ["-c", "pass"],
    "python -m orchestrator.understand": ["-m", "orchestrator.understand"],
    "fedsearch understand": ["-c", "from orchestrator.main import run; run()", "understand", QUESTION],
}
STEPS = (
    "read_quotes", "read_filters", "read_minuses", "read_ids", "analyse", "read_containers", "read_time", "read_negations", "read_people",
    "read_projects", "read_sources", "read_modifiers", "read_keywords", "read_intent", "meaning", "essential", "read_variants",
)  # fmt: skip


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


def cold(code: list[str]) -> list[tuple[float, float]]:
    """Wall and CPU seconds of fresh processes, in the state of an installed package: bytecode written, files in memory."""
    taken = []
    with tempfile.TemporaryDirectory() as cache:
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment = {**kept, "PYTHONPYCACHEPREFIX": cache, "XDG_CONFIG_HOME": cache}
        for _ in range(COLD_RUNS + 1):
            wall, cpu = time.perf_counter(), children()
            subprocess.run(
                [sys.executable, *code],
                input=ROW,
                env=environment,
                capture_output=True,
                text=True,
                cwd=ROOT,
                check=True,
            )
            taken.append((time.perf_counter() - wall, children() - cpu))
    return taken[1:]


def children() -> float:
    """CPU seconds of all processes that were started here and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


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
            shares(asked)
            profile(asked)
    for name, code in COLD.items():
        (wall, cpu), best = map(statistics.median, zip(*(runs := cold(code)), strict=True)), min(runs)
        print(f"cold, {name:34} median {wall:.2f} s, CPU {cpu:.2f} s; best {best[0]:.2f} s   ({len(runs)} runs)")


def shares(asked: list[tuple[str, datetime]]) -> None:
    """How the time of a question divides among its steps."""
    spent: Counter[str] = Counter()

    def timed(name: str, step: Callable[..., Any]) -> Callable[..., Any]:
        def run(*given: Any) -> Any:
            start = time.thread_time_ns()
            try:
                return step(*given)
            finally:
                spent[name] += time.thread_time_ns() - start

        return run

    steps = {name: getattr(understanding, name) for name in STEPS}
    try:
        for name, step in steps.items():
            setattr(understanding, name, timed(name, step))
        total = sum(milliseconds(asked)) * 1e6
    finally:
        for name, step in steps.items():
            setattr(understanding, name, step)
    spent["the rest"] = round(total) - spent.total()
    for name, part in spent.most_common():
        print(f"  {name:16} {part / total:6.1%}")


def profile(asked: list[tuple[str, datetime]]) -> None:
    """The fifteen functions that take most of the time."""
    profiler = cProfile.Profile()
    with profiler:
        milliseconds(asked)
    pstats.Stats(profiler).strip_dirs().sort_stats("tottime").print_stats(15)


if __name__ == "__main__":
    main()
