"""The map of the house: which room imports which, floor by floor, and how large each is. Writes docs/reference/map.md; ``make map``.

A room is a package of the orchestrator, a part of the connectors, storage, or the translators; an arrow is an import at the top of a module or inside
a function, types included. Arrows that others imply are left out of the drawing (transitive reduction), so that it can be read.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from graphlib import TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "reference" / "map.md"
PACKAGES = ("translators", "storage", "connectors", "orchestrator", "fedsearch")
BEFORE = """The first release, as it was counted then: 821 modules, 94,541 lines, 26 rooms, 124 arrows, none back up; PostgreSQL, the job queue and everybody's migrations stood in
`connectors/local`, which digests, accounts and the bot imported, and thirteen pairs of modules imported each other through types."""


def room_of(module: str) -> str:
    """``orchestrator.rank.fuse`` is in ``rank``; a module that stands beside the rooms of the orchestrator is a room by itself."""
    parts = module.split(".")
    if parts[0] != "orchestrator":
        if parts[0] == "connectors" and len(parts) > 1 and (ROOT / "connectors" / parts[1] / "manifest.toml").exists():
            return "sources"
        if parts[0] == "translators" and len(parts) > 1 and (ROOT / "translators" / parts[1] / "__init__.py").exists():
            return "dialects"
        return parts[0]
    return parts[1] if len(parts) > 1 else "orchestrator"


def modules() -> dict[str, Path]:
    """Every module of the product by its name."""
    found = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(path: Path, known: Mapping[str, Path]) -> Iterator[str]:
    """Modules of the product that one imports."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            for name in node.names:
                whole = f"{node.module}.{name.name}"
                yield whole if whole in known else node.module
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)


def arrows() -> dict[str, set[str]]:
    """For each room those that it imports."""
    known, found = modules(), defaultdict[str, set[str]](set)
    for module, path in known.items():
        room = room_of(module)
        others = {room_of(each) for each in imported(path, known) if each in known}
        found[room] |= others - {room}
    return dict(found)


def reduced(graph: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Without the arrows that others imply."""
    below: dict[str, set[str]] = {}
    for room in TopologicalSorter(graph).static_order():
        straight = graph.get(room, set())
        below[room] = straight.union(*(below[each] for each in straight))
    return {
        room: {each for each in straight if not any(each in below[other] for other in straight - {each})}
        for room, straight in graph.items()
    }


def floors(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """Rooms by height: what imports nothing is at the bottom. Raises ``CycleError`` where rooms import each other in a circle."""
    height: dict[str, int] = {}
    for room in TopologicalSorter(graph).static_order():
        height[room] = 1 + max((height[each] for each in graph.get(room, ())), default=-1)
    return [sorted(room for room, at in height.items() if at == floor) for floor in range(max(height.values()) + 1)]


def page() -> str:
    """The page."""
    graph, known = arrows(), modules()
    lines = defaultdict[str, list[int]](list)
    for module, path in known.items():
        lines[room_of(module)].append(len(path.read_text("utf-8").splitlines()))
    drawn = "\n".join(f"  {room} --> {other}" for room in sorted(graph) for other in sorted(reduced(graph)[room]))
    rows = "\n".join(
        f"| {at} | {room} | {len(lines[room])} | {sum(lines[room]):,} | {', '.join(sorted(graph[room])) or '–'} |"
        for at, floor in reversed(list(enumerate(floors(graph))))
        for room in floor
    )
    total = sum(map(sum, lines.values()))
    return f"""# The map

Written by `make map`. Do not edit. Imports go down only; [CONTRIBUTING](../../CONTRIBUTING.md) says what is in which room, and `make imports` says who broke that.

{len(known)} modules, {total:,} lines, {len(graph)} rooms on {len(floors(graph))} floors, {sum(map(len, graph.values()))} arrows, none back up. {BEFORE}

```mermaid
graph TD
{drawn}
```

| floor | room | modules | lines | imports |
|---|---|---|---|---|
{rows}
"""


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
    print(PAGE)
