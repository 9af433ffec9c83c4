"""What a process costs that has only begun: ``--help``, an import of the engine, a first answer at the command line, in seconds of CPU of its own.

Each is begun several times, all in turn; the median and the least are printed, since a busy machine makes a process dearer. The answer is over
one declared source that answers at once, with a home folder that is empty but for what earlier starts have left there.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory

from bench_scale import QUESTIONS, sources

ROUNDS = 7
CLI = "from orchestrator.main import run; run()"
STARTS: dict[str, tuple[str, ...]] = {
    "nothing but Python": ("pass",),
    "fedsearch --help": (CLI, "--help"),
    "import of the engine": ("import orchestrator.engine",),
    **{f"first answer, {language}": (CLI, "search", text.format("7")) for language, text in QUESTIONS.items()},
}


def seconds(arguments: tuple[str, ...], environment: dict[str, str]) -> float:
    """CPU of a fresh interpreter that does this, and of what it starts and waits for."""
    process = subprocess.Popen([sys.executable, "-c", *arguments], env=environment, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, arguments)
    return used.ru_utime + used.ru_stime


def main(wanted: list[str]) -> None:
    """Those whose name holds one of ``wanted``, or all."""
    chosen = {name: each for name, each in STARTS.items() if not wanted or any(part in name for part in wanted)}
    taken: defaultdict[str, list[float]] = defaultdict(list)
    with sources(1, 0.0) as (url,), TemporaryDirectory(prefix="fedsearch-cold-") as home:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("FEDSEARCH_", "PYTHON"))}
        environment = {
            **kept,
            "HOME": home,
            "XDG_CONFIG_HOME": f"{home}/config",
            "XDG_DATA_HOME": f"{home}/data",
            "FEDSEARCH_SOURCES__BENCH__KIND": "json_api",
            "FEDSEARCH_SOURCES__BENCH__BASE_URL": url,
            "FEDSEARCH_SOURCES__BENCH__AUTH__KIND": "none",
            "PYTHONPATH": str(Path(__file__).parents[2]),
        }
        for number in range(-1, ROUNDS):  # the first writes what Python has compiled
            for name, arguments in chosen.items():
                used = seconds(arguments, environment)
                if number >= 0:
                    taken[name].append(used)
    for name, each in taken.items():
        print(f"{name:22} {statistics.median(each):.3f} s of CPU (least {min(each):.3f})")


if __name__ == "__main__":
    main(sys.argv[1:])
