"""``make chaos``: one run by a seed, judged and told; ends with 1 where a law was broken."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import subprocess
import time
from pathlib import Path

from tests.chaos.faults import FOUND
from tests.chaos.journal import of, read
from tests.chaos.report import written
from tests.chaos.run import Run
from tests.chaos.world import APIS


def main() -> int:
    told = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    told.add_argument("--minutes", type=float, default=10.0)
    told.add_argument("--seed", type=int, default=int(time.time()) % 100_000)
    told.add_argument("--folder", type=Path, default=None, help="where the report goes (build/chaos/SEED)")
    told.add_argument("--found", action="store_true", help="only what once broke something")
    wishes = told.parse_args()
    folder = wishes.folder or Path("build") / "chaos" / str(wishes.seed)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # whoever ends it early leaves no disk mounted
    run = Run(folder, wishes.seed, wishes.minutes * 60, FOUND if wishes.found else None)
    verdicts = asyncio.run(run.played())
    commit = (
        subprocess.run(["git", "rev-parse", "--short", "HEAD"], check=False, capture_output=True)
        .stdout.decode()
        .strip()
    )
    heading = f"Chaos, seed {wishes.seed}: {wishes.minutes:g} minutes of faults"
    entries = read(folder / "journal.jsonl")
    late = sum(each["seconds"] for each in of(entries, "waited") if each["part"] in APIS)
    machine = f"{os.cpu_count()} cores that others used as well: its two servers waited {late:.0f} s for one in all"
    again = f"`make chaos SEED={wishes.seed} MINUTES={wishes.minutes:g}` draws the same faults again."
    remarks = [f"Commit `{commit}`, {machine}. {again}", *run.remarks]
    path = written(folder, entries, verdicts, heading, remarks)
    print(path.read_text("utf-8"))
    print(f"{path}")
    return int(any(each.broken for each in verdicts))


if __name__ == "__main__":
    raise SystemExit(main())
