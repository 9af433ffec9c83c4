"""The budget of a question: what each of its steps costs for 1, 8 and 32 sources, in microseconds and in machine instructions.

The pure steps are called one after the other, as a question calls them, over replies ready made; ``send`` is what a question
over real sockets costs beside them: asyncio, HTTP, gates, deadlines. Instructions are counted by Valgrind's callgrind
(https://valgrind.org/docs/manual/cl-manual.html), so that they do not depend on how busy a machine is: two runs differ by less
than a hundredth. ``hold`` compares them with those kept in ``path.json`` and fails where one has risen by more than a tenth;
``keep`` writes them down anew.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from dataclasses import replace
from functools import reduce
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from bench_scale import COUNTS, HITS, NOW, QUESTIONS, Cost, engine_over, sources
from canned_sources import ASKED, plain_bodies

from connectors.exchange import reply_from_text
from orchestrator.alias_learning import evidence_in
from orchestrator.aliases.reading import read_aliases
from orchestrator.answer import compose
from orchestrator.model import Ask, HitList, Outcome, Status
from orchestrator.plan import PlanLimits, make_plan
from orchestrator.rank import STAGES, RankContext, collect
from orchestrator.thinking import understood

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from orchestrator.model import Plan

T = TypeVar("T")
Figures = dict[str, dict[str, float]]  # by the number of sources, then by step

KEPT = Path(__file__).with_name("path.json")
ROUNDS, COUNTED = 30, 3
RISE = 0.10  # of a step's instructions; of a step that is less than a hundredth of its question nothing is said
TEXT = QUESTIONS["en"]
STEPS = ("understand", "plan", "translate", "read", "learn", "collect", "rank", "answer")
# Calls that begin and end what is counted: of the C library, and made by nothing else here.
BEGIN, END = "getppid", "getpgid"


class Measured(Protocol):
    """Calls a function and takes down what that costs, by the name of the step."""

    def __call__(self, step: str, work: Callable[[], T], /) -> T: ...


class CannedPath:
    """One question after the other, without a socket, over ``count`` declared searches."""

    def __init__(self, count: int) -> None:
        self._engine = engine_over([f"http://127.0.0.1:9/{number}" for number in range(count)], "json_api")
        self._mind: Any = self._engine._thinking._mind  # type: ignore[attr-defined]
        self._bodies = plain_bodies(count, HITS)
        self.text = TEXT

    def question(self, number: int, measured: Measured) -> None:
        """From its text to its answer."""
        mind, profiles = self._mind, self._engine.profiles
        asked = Ask(self.text.format(number), NOW)
        query = measured("understand", lambda: replace(understood(mind, asked.text, NOW), limit=asked.limit))
        plan = measured("plan", lambda: make_plan(query, profiles, (), PlanLimits()))
        measured("translate", lambda: [step.rungs[:1] for step in plan.steps])
        outcomes = measured("read", lambda: tuple(self._read(number, plan)))
        measured("learn", lambda: read_aliases(evidence_in(each.hits for each in outcomes), lambda _: False))
        context = RankContext(plan.query, NOW, plan, mind.ranking)
        gathered = measured("collect", lambda: collect(outcomes, context))
        ranking = measured("rank", lambda: reduce(lambda ranked, stage: stage(ranked, context), STAGES, gathered))
        measured("answer", lambda: compose(ranking, outcomes, plan, NOW, calibration=mind.calibration, reordered=True))

    def _read(self, number: int, plan: Plan) -> Iterator[Outcome]:
        for step, body in zip(plan.steps, self._bodies, strict=True):
            reply = reply_from_text(200, body.replace(ASKED, str(number).encode()), {})
            connector: Any = self._engine._reaching.sources[step.source].connector
            hits = (hit.placed(step.source, rank) for rank, hit in enumerate(connector.parse(reply).hits, 1))
            found = HitList(step.rungs[0].translations[0], tuple(hits))
            yield Outcome(step.source, step.title, step.category, Status.OK, (found,), sent=(found.translation.native,))


def unmeasured(_: str, work: Callable[[], T], /) -> T:
    """For what is to be warm before anything is measured."""
    return work()


# ---- time


def microseconds(count: int) -> dict[str, float]:
    """CPU time of each step of the median question, and of a whole one over real sockets."""
    taken: defaultdict[str, list[float]] = defaultdict(list)

    def timed(step: str, work: Callable[[], T], /) -> T:
        started = time.thread_time_ns()
        made = work()
        taken[step].append((time.thread_time_ns() - started) / 1000)
        return made

    path = CannedPath(count)
    for number in range(5):
        path.question(number, unmeasured)
    for number in range(ROUNDS):
        path.question(number, timed)
    steps = {step: statistics.median(taken[step]) for step in STEPS}
    return {**steps, "send": max(0.0, asyncio.run(_whole(count)) - sum(steps.values()))}


async def _whole(count: int) -> float:
    """CPU microseconds of a question to sources that answer at once."""
    with sources(count, 0.0) as urls:
        async with engine_over(urls, "json_api") as engine:
            await engine.prepare()
            cost = Cost()
            for number in range(ROUNDS + 5):
                await cost.of(engine.search(Ask(TEXT.format(number), NOW, budget=10.0)))
            return statistics.median(cost.cpu[5:]) * 1e6


# ---- instructions


def instructions() -> Figures:
    """Of each step, in a process of its own that callgrind watches once everything is loaded and warm."""
    with TemporaryDirectory() as folder:
        command = [
            "valgrind", "--tool=callgrind", "--instr-atstart=no", f"--zero-before={BEGIN}", f"--dump-before={END}",
            f"--callgrind-out-file={folder}/counted", sys.executable, __file__, "counted",
        ]  # fmt: skip
        paths = os.pathsep.join((str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")))
        environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONPATH": paths}
        told = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
        order = json.loads(told.splitlines()[-1])
        counts: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
        for place, (count, step) in enumerate(order, 1):
            counts[count, step].append(_summary(Path(folder, f"counted.{place}")))
    return {str(count): {step: statistics.median(counts[count, step]) for step in STEPS} for count in COUNTS}


def _summary(dump: Path) -> int:
    lines = dump.read_text("utf-8").splitlines()
    return next(int(line.partition(":")[2]) for line in lines if line.startswith("summary:"))


def counted() -> None:
    """What the watched process does: each step between two calls that callgrind knows; it tells which they were."""
    order: list[tuple[int, str]] = []
    paths = {count: CannedPath(count) for count in COUNTS}
    for path in paths.values():
        for number in range(3):
            path.question(number, unmeasured)
    gc.collect()
    gc.disable()
    watch = ["callgrind_control", "-i", "on", str(os.getpid())]
    subprocess.run(watch, check=True, stdout=subprocess.DEVNULL)
    for count, path in paths.items():

        def between(step: str, work: Callable[[], T], /, count: int = count) -> T:
            os.getppid()
            made = work()
            os.getpgid(0)
            order.append((count, step))
            return made

        for number in range(COUNTED):
            path.question(1000 + number, between)
    print(json.dumps(order))


def risen(now: Figures, before: Figures) -> Iterator[str]:
    """Steps that take more than a tenth more than they did."""
    for count, steps in before.items():
        whole = sum(steps.values())
        for step, figure in steps.items():
            if figure > whole / 100 and now[count][step] > figure * (1.0 + RISE):
                yield f"{step} for {count} sources: {now[count][step]:,.0f} instructions, {now[count][step] / figure - 1:+.0%}"


# ---- what is printed and kept


def table(figures: Mapping[str, Mapping[str, float]], unit: str) -> str:
    """One row for each number of sources."""
    steps = list(next(iter(figures.values())))
    rows = ["N".rjust(3) + "".join(step.rjust(12) for step in (*steps, "all")) + f"   {unit}"]
    for count, each in figures.items():
        rows.append(
            str(count).rjust(3) + "".join(f"{each[step]:12,.0f}" for step in steps) + f"{sum(each.values()):12,.0f}"
        )
    return "\n".join(rows)


def main(wanted: list[str]) -> int:
    """Times and instructions; ``hold`` and ``keep`` count instructions alone. 1 where one has risen."""
    if wanted == ["counted"]:
        counted()
        return 0
    if not wanted:
        print(table({str(count): microseconds(count) for count in COUNTS}, "µs of CPU"), flush=True)
    if not shutil.which("callgrind_control"):
        print("instructions are counted where Valgrind is installed")
        return 0
    now = instructions()
    print(table(now, "instructions"))
    if wanted == ["keep"]:
        KEPT.write_text(json.dumps({"python": sys.version, "instructions": now}, indent=1) + "\n", "utf-8")
        return 0
    kept = json.loads(KEPT.read_text("utf-8"))
    if kept["python"] != sys.version:
        print(f"not compared: what is kept was counted with Python {kept['python']}")
        return 0
    for each in (rises := list(risen(now, kept["instructions"]))):
        print(each, file=sys.stderr)
    if rises:
        print("if that is worth it, write it down: python tests/bench/bench_path.py keep", file=sys.stderr)
    return int(bool(rises))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
