"""Run every benchmark in its own process and print its figures: ``python -m tests.bench [NAME…]``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main(wanted: list[str]) -> int:
    """All benchmarks, or those whose name holds one of ``wanted``; 1 if one of them failed to run."""
    failed = 0
    for script in sorted(HERE.glob("bench_*.py")):
        if wanted and not any(name in script.stem for name in wanted):
            continue
        print(f"\n== {script.stem.removeprefix('bench_')}", flush=True)
        failed |= subprocess.run([sys.executable, str(script)], cwd=HERE.parents[1], check=False).returncode != 0
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
