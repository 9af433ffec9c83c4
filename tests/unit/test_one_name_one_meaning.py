"""A public name means one thing: whoever reads it in one module need not ask which of several is meant.

Of functions those names are public that another room imports, and within its room each: a source's or a dialect's own are nobody else's.

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
}


# Names of functions that are data elsewhere: the keys of weights, and what a command registers itself by.
BY_NAME = (Path("orchestrator/rank/features.py"), Path("orchestrator/answer/sentence_features.py"))
REGISTERING = {"add", "main"}
# Rooms that hold rooms: `orchestrator/surfaces/page` and the bot's are strangers to each other.
HALLS = {"orchestrator/surfaces"}


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


def room_of(place: Path) -> str:
    """The folder whose modules know each other; what lies flat in a package is one room."""
    folder = place.parent.parts
    hall = "/".join(folder[:2])
    return "/".join(folder[:3]) if hall in HALLS else hall


def functions(root: Path) -> dict[str, dict[str, Path]]:
    """Public functions by module and name, sandbox and tables of features apart."""
    found: dict[str, dict[str, Path]] = {}
    for path in sorted(chain.from_iterable((root / room).rglob("*.py") for room in ROOMS)):
        place = path.relative_to(root)
        if not place.is_relative_to(SANDBOX) and place not in BY_NAME:
            module = ".".join(place.with_suffix("").parts).removesuffix(".__init__")
            made = (each for each in ast.parse(path.read_text("utf-8")).body)
            named = (each.name for each in made if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef))
            found[module] = {name: place for name in named if not name.startswith("_") and name not in REGISTERING}
    return found


def imports(root: Path) -> Iterator[tuple[Path, str, str]]:
    """What every module takes by name from which other."""
    for path in chain.from_iterable((root / room).rglob("*.py") for room in ROOMS):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                yield from ((path.relative_to(root), node.module, each.name) for each in node.names)


def shared_functions(root: Path) -> dict[str, set[str]]:
    """Names of functions that two modules of one room define, or that rooms take from two others."""
    made, taken = functions(root), list(imports(root))
    within: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    abroad: defaultdict[str, set[str]] = defaultdict(set)
    for module, named in made.items():
        for name, place in named.items():
            within[room_of(place), name].add(module)
    # A room passes on at its front door what others take of it.
    passed = {(".".join(by.parent.parts), name): of for by, of, name in taken if by.name == "__init__.py"}
    for by, of, name in taken:
        origin = of if name in made.get(of, ()) else passed.get((of, name), of)
        if name in made.get(origin, ()) and room_of(made[origin][name]) != room_of(by):
            abroad[name].add(origin)
    several = {name: modules for (_, name), modules in within.items() if len(modules) > 1}
    return several | {name: modules for name, modules in abroad.items() if len(modules) > 1}


def test_a_function_that_rooms_share_is_one() -> None:
    assert shared_functions(ROOT) == {}


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


def test_functions_are_told_that_one_room_has_twice_or_that_rooms_take_from_two(tmp_path: Path) -> None:
    texts = {
        "storage/one.py": "def desk(): ...\ndef own(): ...",
        "connectors/two.py": "def desk(): ...\ndef _own(): ...",
        "orchestrator/rank/a.py": "from storage.one import desk\ndef shelf(): ...",
        "orchestrator/rank/b.py": "from connectors.two import desk\ndef shelf(): ...\ndef add(): ...",
        "orchestrator/plan/c.py": "def shelf(): ...\ndef add(): ...",
        "orchestrator/surfaces/page/d.py": "def frame(): ...",
        "orchestrator/surfaces/bot/e.py": "def frame(): ...",
    }
    for place, text in texts.items():
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text(text)
    assert shared_functions(tmp_path) == {
        "desk": {"storage.one", "connectors.two"},
        "shelf": {"orchestrator.rank.a", "orchestrator.rank.b"},
    }


def test_two_modules_that_share_a_name_are_told(tmp_path: Path) -> None:
    for place in ("storage/one.py", "connectors/two.py", "connectors/vendor/wire.py", "orchestrator/sandbox/vendor.py"):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text("class Desk: ...\n")
    assert shared(tmp_path) == {"Desk": ["connectors/two.py", "storage/one.py"]}
