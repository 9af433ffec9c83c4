"""A public name means one thing: whoever reads it in one module need not ask which of several is meant.

Left out by rule, since each is a world of its own: the sandbox, which speaks as vendors do; wire models, which mirror the
vendor's own words; type variables; and ``Annotated`` forms, which declare one parameter or field where they stand.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("translators", "storage", "connectors", "orchestrator", "fedsearch")
SANDBOX = Path("orchestrator/sandbox")
WIRE = {"wire.py", "reply.py"}  # of a source: the models of what its vendor sends
FORMS = {"Annotated", "TypeVar", "ParamSpec"}

# Names with several meanings that stay. The list may only shrink.
SHARED = {
    "Health": "a source's state as engines see it, and a server's as the HTTP API publishes it under that name",
    "NotThere": "each source's own error for what is not there; sources import nothing of each other",
}


def names(module: ast.Module) -> Iterator[str]:
    """Public classes and type aliases of a module, those that only type checkers see as well."""
    bodies = (each.body for each in module.body if isinstance(each, ast.If))
    for statement in chain(module.body, *bodies):
        name = _name(statement)
        if name and not name.startswith("_"):
            yield name


def _name(statement: ast.stmt) -> str:
    match statement:
        case ast.ClassDef(name=name):
            return name
        case ast.AnnAssign(target=ast.Name(id=name), annotation=kind) if "TypeAlias" in ast.unparse(kind):
            return name
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if _is_type(name, value):
            return name
    return ""


def _is_type(name: str, value: ast.expr) -> bool:
    """Types are in CamelCase here, values never."""
    made_of = ast.unparse(value).partition("[")[0].partition("(")[0]
    return name[0].isupper() and not name.isupper() and made_of not in FORMS


def shared(root: Path) -> dict[str, list[str]]:
    """Names that more than one module defines, and which modules those are."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for path in sorted(chain.from_iterable((root / room).rglob("*.py") for room in ROOMS)):
        place = path.relative_to(root)
        if not (
            place.is_relative_to(SANDBOX)
            or (place.parts[0] == "connectors" and len(place.parts) > 2 and place.name in WIRE)
        ):
            for name in set(names(ast.parse(path.read_text("utf-8")))):
                found[name].append(place.as_posix())
    return {name: places for name, places in found.items() if len(places) > 1}


def test_a_public_name_is_defined_in_one_module() -> None:
    several = {name: places for name, places in shared(ROOT).items() if name not in SHARED}
    assert several == {}


def test_what_is_excused_is_still_shared() -> None:
    assert sorted(SHARED) == sorted(name for name in shared(ROOT) if name in SHARED)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("class Desk: ...", {"Desk"}),
        ("class _Desk: ...", set()),
        ("def f() -> None:\n    class Desk: ...", set()),
        ("Desk = tuple[str, int]", {"Desk"}),
        ("Desk = First | Second", {"Desk"}),
        ("Desk: TypeAlias = 'First'", {"Desk"}),
        ("if TYPE_CHECKING:\n    Desk = tuple[str, int]", {"Desk"}),
        ("Desk = Annotated[str, Field()]", set()),
        ("DeskT = TypeVar('DeskT')", set()),
        ("DESK = (1, 2)", set()),
    ],
)
def test_which_names_are_seen(text: str, expected: set[str]) -> None:
    assert set(names(ast.parse(text))) == expected


def test_two_modules_that_share_a_name_are_told(tmp_path: Path) -> None:
    for place in ("storage/one.py", "connectors/two.py", "connectors/vendor/wire.py", "orchestrator/sandbox/vendor.py"):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text("class Desk: ...\n")
    assert shared(tmp_path) == {"Desk": ["connectors/two.py", "storage/one.py"]}
