"""``python -m tests.quality``, which is ``make quality``: ask everything anew, and hold the figures against their floors."""

from __future__ import annotations

import argparse
import json
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from tests.quality.figures import Floors, Measured, failing, judged, table, together
from tests.quality.page import write_page
from tests.quality.parts import measure, parts
from tests.quality.reliability import by_part, plot

FLOORS = Path(__file__).with_name("floors.toml")
AT_ONCE = 2


def main(given: list[str]) -> int:
    """1 if a figure is below its floor, 2 if there is no such part."""
    parser = argparse.ArgumentParser(prog="make quality", description=__doc__)
    parser.add_argument("--full", action="store_true", help="all questions of HERB, and the blind ones")
    parser.add_argument("--only", default="", help="parts whose name holds this; several with commas")
    parser.add_argument("--raise", dest="raised", action="store_true", help="raise the floors to what is measured")
    parser.add_argument("--write", action="store_true", help="write the page of figures in docs/reference")
    parser.add_argument("--json", dest="as_json", action="store_true", help="for programs")
    asked = parser.parse_args(given)
    wanted = [each for each in asked.only.split(",") if each]
    names = [name for name in parts(full=asked.full) if not wanted or any(each in name for each in wanted)]
    if not names:
        print(f"no part is called {asked.only}; there are {', '.join(parts(full=asked.full))}", file=sys.stderr)
        return 2
    measured = all_of(names, full=asked.full)
    floors = Floors.read(FLOORS)
    if asked.raised:
        floors.raise_to(measured)
        floors.write(FLOORS)
    rows = judged(measured, floors)
    if asked.write:
        write_page(measured, floors, command(asked))
    if asked.as_json:
        took = {each.part: round(each.seconds, 1) for each in measured}
        reliable = {part: [asdict(bar) for bar in bars] for part, bars in by_part(measured).items()}
        document = {"rows": [asdict(row) for row in rows], "seconds": took, "reliability": reliable}
        print(json.dumps(document, ensure_ascii=False, indent=1))
    else:
        print(table(rows))
        for each in together(measured):
            print(f"all companies together: {each.name} {each.value} of {each.of}")
        for part, bars in by_part(measured).items():
            print("", f"right by confidence, {part}", *plot(bars), sep="\n")
    low = failing(rows)
    for row in low:
        figure, value, _, floor = row.cells()
        print(f"{row.part} {figure}: {value or 'no longer measured'}, and must be {floor}", file=sys.stderr)
    return int(bool(low))


def command(asked: argparse.Namespace) -> str:
    """What a person types for this."""
    said = (("FULL=1", asked.full), (f"ONLY={asked.only}", asked.only), ("WRITE=1", asked.write))
    return " ".join(["make quality", *(word for word, meant in said if meant)])


def all_of(names: list[str], *, full: bool) -> list[Measured]:
    """Each part in a fresh process, so that none learns from another; two at a time where there are two processors."""
    at_once = min(AT_ONCE, os.cpu_count() or 1)
    with ProcessPoolExecutor(at_once, mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
        return list(pool.map(partial(measure, full=full), names))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
