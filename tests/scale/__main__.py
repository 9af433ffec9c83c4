"""``make scale``: more servers, a standby, more workers, and an index over several machines, each measured on this one; figures go to ``build/scale``."""

from __future__ import annotations

import argparse
import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.chaos import judge
from tests.scale import nodes, servers, standby, workers
from tests.scale.postgres import open_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PARTS = ("servers", "standby", "workers", "nodes")


def main() -> int:
    told = argparse.ArgumentParser(prog="python -m tests.scale", description=__doc__)
    told.add_argument("--only", choices=PARTS, nargs="+", default=PARTS)
    told.add_argument("--servers", type=int, nargs="+", default=[1, 2, 4])
    told.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4], help="of the index, or of its jobs")
    told.add_argument("--seconds", type=float, default=60.0)
    told.add_argument("--folder", type=Path, default=Path("build") / "scale")
    wishes = told.parse_args()
    is_broken = False
    for part in wishes.only:
        is_broken = {"servers": _servers, "standby": _standby, "workers": _workers, "nodes": _nodes}[part](
            wishes
        ) or is_broken
    return int(is_broken)


def _servers(wishes: argparse.Namespace) -> bool:
    if servers.MISSING:
        print(
            f"servers: not measured, as {' and '.join(servers.MISSING)} is not installed (apt-get install {' '.join(servers.MISSING)})"
        )
        return False
    found = []
    for count in wishes.servers:
        folder = wishes.folder / f"servers-{count}"
        found.append(asyncio.run(servers.measured(folder, count, wishes.seconds)))
        _kept(folder, found[-1])
    _table(servers.HEADINGS, map(servers.row, found))
    dropped = [line for each in found if each["servers"] > 1 for line in each["dropped"]]
    broken = [f"{law}: {line}" for each in found for law, it in each["laws"].items() for line in it["broken"]]
    for line in (*dropped, *broken):
        print(line)
    return bool(dropped or broken)


def _standby(wishes: argparse.Namespace) -> bool:
    with open_folder() as place:
        found = asyncio.run(standby.measured(place))
    _kept(wishes.folder / "standby", found)
    _table(("a standby is promoted", ""), _lines(found))
    return not found["written last is there"] or found["longest answer"] > standby.BUDGET + judge.LATE


def _workers(wishes: argparse.Namespace) -> bool:
    with open_folder() as place:
        found = asyncio.run(workers.measured(place, wishes.workers))
    _kept(wishes.folder / "workers", found)
    _table(workers.HEADINGS, [workers.row(each, found["workers"][0]) for each in found["workers"]])
    _table(("one of two workers is killed", ""), _lines(found["killed"]))
    return any(each["wrong"] for each in found["workers"]) or bool(found["killed"]["twice or lost"])


def _nodes(wishes: argparse.Namespace) -> bool:
    if wanted := nodes.missing():
        print(f"nodes: not measured, as there is no {wanted} here (docs/explanation/scaling.md says how to build them)")
        return False
    with open_folder() as place:
        found = asyncio.run(nodes.measured(place, wishes.workers))
    _kept(wishes.folder / "nodes", found)
    _table(nodes.HEADINGS, map(nodes.row, found["workers"]))
    for what in ("dead", "silent"):
        _table((f"a worker is {what}", ""), _lines(found[what]))
    enough = all(
        each["words"] >= nodes.ENOUGH and each["meaning"] >= nodes.ENOUGH * each["meaning on one"]
        for each in found["workers"]
    )
    lost = any(found[what]["not found, though on a server that lives"] for what in ("dead", "silent"))
    return not enough or lost or not all(each["kept"] and not each["moved"].get("failed") for each in found["workers"])


def _lines(found: dict[str, Any]) -> Iterator[list[str]]:
    for what, said in found.items():
        if isinstance(said, list):
            yield [what, "; ".join(map(str, said))]
        else:
            yield [what, f"{said:.1f} s" if isinstance(said, float) else str(said)]


def _kept(folder: Path, figures: dict[str, Any]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "figures.json").write_text(json.dumps(figures, indent=2, ensure_ascii=False), "utf-8")


def _table(headings: Sequence[str], rows: Any) -> None:
    for each in (headings, ["---"] * len(headings), *rows):
        print(f"| {' | '.join(each)} |", flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
