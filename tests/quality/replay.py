"""``python -m tests.quality.replay FOLDER``: answer the golden questions again from what was found once, and hold the figures against their floors.

``--record`` first asks those of every company and of the packaged workplace through sockets, as ``make quality`` does (some minutes), and writes down in the folder what
answering was given. Then they are answered by the code and the weights (``--weights FILE``) of now. ``--only quillmoth,workplace`` takes parts whose name holds one of these.

A replay shows what a change of answering does, and hides what one of asking or ranking breaks: figures to be quoted are ``make quality``'s.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

from orchestrator.answer.sentence_features import SentenceWeights
from tests.quality.figures import Floors, judged, table, together
from tests.quality.parts import COMPANIES
from tests.quality.recording import WORKPLACE, record, replayed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.quality.figures import Measured, Row

AT_ONCE = 2
FLOORS = Path(__file__).with_name("floors.toml")


def names(only: str = "") -> list[str]:
    """The parts that can be recorded, whose name holds one of these."""
    every = [each.name for each in sorted(COMPANIES.iterdir()) if each.is_dir()]
    return [name for name in (*every, WORKPLACE) if any(each in name for each in only.split(","))]


def recorded(names: Sequence[str], folder: Path) -> None:
    """Ask anew, two parts at a time, and write down."""
    folder.mkdir(parents=True, exist_ok=True)
    with _processes() as pool:
        for name, count in zip(names, pool.map(partial(record, folder=folder), names), strict=True):
            print(f"{name}: {count} questions", flush=True)


def all_of(names: Sequence[str], folder: Path, weights: SentenceWeights | None = None) -> list[Measured]:
    """The figures of these parts."""
    with _processes() as pool:
        return list(pool.map(partial(replayed, folder=folder, weights=weights), names))


def _processes() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(AT_ONCE, mp_context=get_context("spawn"), max_tasks_per_child=1)


def seen(measured: Sequence[Measured], floors: Floors) -> list[Row]:
    """Each figure beside its floor; those that a replay does not measure are not missed."""
    return [row for row in judged(measured, floors) if row.state != "gone"]


def main(given: list[str]) -> int:
    """1 if a figure would be below its floor."""
    parser = argparse.ArgumentParser(prog="python -m tests.quality.replay", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--record", action="store_true", help="ask anew and write down, before")
    parser.add_argument("--only", default="", help="parts whose name holds this; several with commas")
    parser.add_argument("--weights", type=Path, help="of sentences, instead of those of this installation")
    asked = parser.parse_args(given)
    if asked.record:
        recorded(names(asked.only), asked.folder)
    measured = all_of(names(asked.only), asked.folder, SentenceWeights.load(asked.weights) if asked.weights else None)
    rows = seen(measured, Floors.read(FLOORS))
    print(table(rows))
    for each in together(measured):
        print(f"all companies together: {each.name} {each.value} of {each.of}")
    low = [row for row in rows if row.state == "below"]
    for row in low:
        figure, value, _, floor = row.cells()
        print(f"{row.part} {figure}: {value}, and must be {floor}", file=sys.stderr)
    return int(bool(low))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
