"""The report of a run: what was done, what held, how long it took to be well again, and four plots."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from tests.chaos.journal import Entry, of
from tests.chaos.judge import BEHIND, spans
from tests.chaos.plots import Plot, drawn

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tests.chaos.judge import Verdict

STEP = 5.0
MOST_BROKEN = 8  # lines of one law


def written(
    folder: Path, entries: list[Entry], verdicts: Sequence[Verdict], heading: str, remarks: Sequence[str]
) -> Path:
    """``report.md`` and its plots in ``folder``."""
    bands = [(first, last, f"{it['target']} {it['kind']}") for first, last, it in spans(entries)]
    plots = {
        "questions": _questions(entries, bands),
        "seconds": _seconds(entries, bands),
        "memory": _samples(entries, bands, "memory", "MB"),
        "handles": _samples(entries, bands, "handles", "open"),
    }
    for name, plot in plots.items():
        (folder / f"{name}.svg").write_text(drawn(plot), "utf-8")
    lines = [f"# {heading}", "", *remarks, "", "| law | looked at | |", "|---|---|---|"]
    for each in verdicts:
        said = (
            "holds"
            if each.holds
            else "nothing to look at"
            if not each.broken
            else f"**broken {len(each.broken)} times**"
        )
        lines.append(f"| {each.law} | {each.counted} | {said}{'; ' if each.remark else ''}{each.remark} |")
    for each in verdicts:
        if each.broken:
            lines += ["", f"**{each.law}**", "", *(f"- {line}" for line in each.broken[:MOST_BROKEN])]
    lines += ["", *_kinds(entries), "", *(f"![{plot.title}]({name}.svg)\n" for name, plot in plots.items())]
    lines += ["| at | what | for | well again after | |", "|---|---|---|---|---|", *_rounds(entries)]
    path = folder / "report.md"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def _kinds(entries: list[Entry]) -> list[str]:
    """Of each kind of fault, how many questions that met it were answered whole."""
    met: dict[str, Counter[str]] = defaultdict(Counter)
    asked = of(entries, "question")
    for first, last, it in spans(entries):
        kind = met[it["kind"]]
        kind["faults"] += 1
        for each in asked:
            if each["sent"] <= last and first <= each["at"]:
                kind["questions"] += 1
                kind["answered"] += each["status"] == 200
                kind["whole"] += each["status"] == 200 and all(
                    status not in {"failed", "timed out", "denied"} for status, _ in each["sources"].values()
                )
    lines = ["| fault | times | questions that met it | answered | with every source |", "|---|---|---|---|---|"]
    return lines + [
        f"| {kind} | {it['faults']} | {it['questions']} | {it['answered']} | {it['whole']} |"
        for kind, it in sorted(met.items())
    ]


def _rounds(entries: list[Entry]) -> list[str]:
    lines, struck = [], []
    for each in entries:
        if each["what"] == "strike":
            struck.append(each)
        elif each["what"] in {"recovered", "not recovered"} and struck:
            what = " and ".join(_said(it) for it in struck)
            longest = max(it["seconds"] for it in struck)
            lines.append(
                f"| {struck[0]['at']:.0f} s | {what} | {longest:.1f} s | {each['seconds']:.0f} s | {each['why']} |"
            )
            struck = []
    return lines


def _said(it: Entry) -> str:
    by = f" by {it['more']:+g} s" if it["more"] else ""
    return f"{it['target']} {it['kind']}{by}"


def _questions(entries: list[Entry], bands: Sequence[tuple[float, float, str]]) -> Plot:
    series: dict[str, Counter[float]] = {
        name: Counter() for name in ("every source", "some sources", "refused", "no reply")
    }
    for each in of(entries, "question"):
        if each["status"] == 200:
            whole = all(status not in BEHIND for status, _ in each["sources"].values())
            name = "every source" if whole else "some sources"
        else:
            name = "refused" if each["status"] else "no reply"
        series[name][each["sent"] // STEP * STEP] += 1
    told = {name: sorted(counted.items()) for name, counted in series.items()}
    return Plot("Questions in 5 s, by what came of them", "questions", told, bands, stacked=True, step=STEP)


def _seconds(entries: list[Entry], bands: Sequence[tuple[float, float, str]]) -> Plot:
    series: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for each in of(entries, "question"):
        if each["status"] == 200:
            series[each["api"]].append((each["sent"], each["seconds"]))
    return Plot(
        "Seconds until an answer was there, and the budget",
        "seconds",
        dict(sorted(series.items())),
        bands,
        dotted=True,
        mark=3.0,
    )


def _samples(entries: list[Entry], bands: Sequence[tuple[float, float, str]], what: str, unit: str) -> Plot:
    series: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for each in of(entries, "sample"):
        series[each["part"]].append((each["at"], each[what]))
    names = {"memory": "Memory of each part with its processes", "handles": "Open files and sockets of each part"}
    return Plot(names[what], unit, dict(series), bands)
