"""Fail where the branch coverage of a room falls below its floor: ``python tests/coverage_floor.py coverage.json``."""

from __future__ import annotations

import json
import sys
from pathlib import Path

FLOORS = {  # share of statements and branches together, as `coverage report` counts them
    "translators": 0.95,
    "storage": 0.85,  # the guardian of the embedded server runs apart, where nothing counts
    "connectors": 0.90,
    "orchestrator/plan": 0.95,
    "orchestrator/rank": 0.95,
    "orchestrator/answer": 0.95,
    "orchestrator/gather": 0.95,
    "orchestrator/understand": 0.90,
    "orchestrator/sandbox": 0.90,
}


def coverage_of(room: str, files: dict[str, dict[str, dict[str, float]]]) -> float:
    """Covered share of one folder."""
    summaries = [each["summary"] for name, each in files.items() if Path(name).as_posix().startswith(f"{room}/")]
    covered = sum(each["covered_lines"] + each["covered_branches"] for each in summaries)
    return covered / max(1, sum(each["num_statements"] + each["num_branches"] for each in summaries))


def main() -> int:
    """Print every room's figure; 1 if one is below its floor."""
    files = json.loads(Path(sys.argv[1]).read_text("utf-8"))["files"]
    low = 0
    for room, floor in FLOORS.items():
        share = coverage_of(room, files)
        low += share < floor
        print(f"coverage {room:26} {share:6.1%}  floor {floor:.0%}{'' if share >= floor else '  <-- too low'}")
    return 1 if low else 0


if __name__ == "__main__":
    sys.exit(main())
