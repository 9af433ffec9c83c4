"""Where the time of a run went, by part: `pytest -p tests.timing`, as `make check` has it."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from resource import RUSAGE_CHILDREN, getrusage
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

MEASURED = ("cases", "setup", "call", "teardown", "processor")
DEAREST = 20
WORKED: list[float] = []
"""Seconds of a processor of each worker of pytest-xdist, from its start to its end."""
BEFORE = pytest.StashKey[float]()


def processor() -> float:
    """Seconds of a processor that went into this process and into those that it has waited for."""
    children = getrusage(RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """The clock runs from here on."""
    item.stash[BEFORE] = processor()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """What a phase took of a processor travels with its report, also between the processes of pytest-xdist."""
    report = yield
    now = processor()
    report.processor, item.stash[BEFORE] = now - item.stash[BEFORE], now
    return report


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A worker says what all of it took."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["processor"] = processor()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Whoever was killed has said nothing."""
    WORKED.append(getattr(node, "workeroutput", {}).get("processor", 0.0))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """A table, dearest part first, and the dearest cases: servers that outlive a case are in nobody's `processor`."""
    reports = [each for some in terminalreporter.stats.values() for each in some if isinstance(each, pytest.TestReport)]
    terminalreporter.section("seconds by part")
    for line in table(reports):
        terminalreporter.write_line(line)
    whole = time.process_time() + sum(WORKED) if WORKED else processor()
    beside = whole - sum(getattr(each, "processor", 0.0) for each in reports)
    terminalreporter.write_line(f"{'beside cases: collecting, loading, telling':72}{beside:10.0f}")
    for nodeid, seconds in dearest(reports):
        terminalreporter.write_line(f"{seconds:10.2f} {nodeid}")


def table(reports: Iterable[pytest.TestReport]) -> list[str]:
    """A line for each folder of tests, and one for all."""
    spent: dict[str, Counter[str]] = defaultdict(Counter)
    for report in reports:
        took = {
            "cases": report.when == "setup",
            str(report.when): report.duration,
            "processor": getattr(report, "processor", 0),
        }
        for part in (part_of(report.nodeid), "all"):
            spent[part].update(took)
    rows = sorted(spent.items(), key=lambda row: row[1]["processor"])
    return [
        f"{'':32}" + "".join(f"{each:>10}" for each in MEASURED),
        *(f"{part:32}" + "".join(f"{took[each]:10.0f}" for each in MEASURED) for part, took in reversed(rows)),
    ]


def dearest(reports: Iterable[pytest.TestReport]) -> list[tuple[str, float]]:
    """The cases that took most of a processor, and their seconds."""
    spent: Counter[str] = Counter()
    for report in reports:
        spent[report.nodeid] += getattr(report, "processor", 0.0)
    return spent.most_common(DEAREST)


def part_of(nodeid: str) -> str:
    """The folder of a case, and no more than three deep."""
    return "/".join(nodeid.partition("::")[0].split("/")[1:-1][:3])
