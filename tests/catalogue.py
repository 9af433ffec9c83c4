"""The messages of the code against the catalogues: ``make messages`` writes ``translators/messages.<code>.toml`` anew.

Each catalogue then holds every message in the order of the code under the room that says it first, what is not translated yet
as ``""`` (told in English until it is), and nothing that is no longer said. What a source or a dialect brings in a catalogue of
its own folder is not in it.
"""

from __future__ import annotations

import ast
import json
import sys
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

from orchestrator.surfaces.page.rendering import HERE, said_by, templates
from translators import said

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("translators", "storage", "connectors", "orchestrator")
# Where messages stand in data, and under which keys.
DATA = (("connectors/*/manifest.toml", frozenset({"help", "note"})), ("config/web_tiers.toml", frozenset({"reason"})))
HEAD = """\
# What people are told, in {name}, by its English as it stands in the code. `make messages` writes this file anew: it adds what is
# new as "" (told in English until it is translated) and drops what nobody says any more. Blanks in braces stay as they are.
"""


@dataclass(frozen=True)
class Place:
    """Where a message stands: a file, and a line of code."""

    file: Path
    line: int = 0

    def __str__(self) -> str:
        return f"{self.file.relative_to(ROOT)}:{self.line}"

    @property
    def room(self) -> str:
        """The folder."""
        return str(self.file.parent.relative_to(ROOT))


def messages() -> Iterator[tuple[Place, str, str]]:
    """Everything that is said: where, in which context, and in which words."""
    files = (file for package in PACKAGES for file in sorted((ROOT / package).rglob("*.py")))
    for file in (each for each in files if each != Path(said.__file__)):
        yield from messages_of(file)
    for name in templates().list_templates():
        yield from ((Place(HERE / "templates" / name), "", english) for english in said_by(name))
    for pattern, keys in DATA:
        for file in sorted(ROOT.glob(pattern)):
            yield from ((Place(file), "", text) for text in _texts(tomllib.loads(file.read_text("utf-8")), keys))


def messages_of(file: Path) -> Iterator[tuple[Place, str, str]]:
    """What one module says. Raises ``ValueError`` where that is no literal."""
    calls = [node for node in ast.walk(ast.parse(file.read_text("utf-8"))) if _says(node)]
    for call in sorted(calls, key=lambda each: (each.lineno, each.col_offset)):
        yield Place(file, call.lineno), *_literals(call, file)


def _says(node: ast.AST) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Said"


def _literals(call: ast.Call, file: Path) -> tuple[str, str]:
    match call:
        case ast.Call(args=[ast.Constant(str(english))], keywords=[]):
            return "", english
        case ast.Call(args=[ast.Constant(str(english))], keywords=[ast.keyword("context", ast.Constant(str(context)))]):
            return context, english
    raise ValueError(f'{file}:{call.lineno}: write Said("English") or Said("English", context="…"), of literals')


def _texts(data: Any, keys: frozenset[str]) -> Iterator[str]:
    rows = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in rows:
        if key in keys and isinstance(value, str):
            yield value
        else:
            yield from _texts(value, keys)


def written(language: str, known: Mapping[tuple[str, str], str], folder: Path = ROOT / "translators") -> Path:
    """Write the catalogue of a language: every message, in the words of ``known`` as far as it has them."""
    rooms: dict[tuple[str, str], str] = {}
    for place, context, english in messages():
        if english and (context, english) not in beside(place, language):
            rooms.setdefault((context, english), place.room)
    lines = [HEAD.format(name=said.LANGUAGES[language].name)]
    for context in sorted({context for context, _ in rooms}):
        lines.append(f"\n[{context or said.ANYWHERE}]\n")
        here = {english: room for (its, english), room in rooms.items() if its == context}
        for room in dict.fromkeys(here.values()):
            lines += [] if context else [f"\n# {room}\n"]
            lines += [_line(each, known.get((context, each), "")) for each, its in here.items() if its == room]
    file = folder / f"messages.{language}.toml"
    file.write_text("".join(lines), "utf-8")
    return file


@cache
def _read(file: Path) -> said.Catalogue:
    return said.read_catalogue(file)


def beside(place: Place, language: str) -> said.Catalogue:
    """What the folder of a source or a dialect brings of its own."""
    own = place.file.relative_to(ROOT).parts
    return (
        _read(ROOT / own[0] / own[1] / f"messages.{language}.toml") if own[0] in {"connectors", "translators"} else {}
    )


def _line(english: str, text: str) -> str:
    return f"{json.dumps(english, ensure_ascii=False)} = {json.dumps(text, ensure_ascii=False)}\n"


if __name__ == "__main__":
    for code in sys.argv[1:] or [each for each in said.LANGUAGES if each != said.ENGLISH]:
        print(written(code, said.read_catalogue(ROOT / "translators" / f"messages.{code}.toml")))
