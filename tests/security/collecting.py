"""Every regular expression of the product, as a fresh interpreter meets it: run as a program, it prints them as JSON.

Three ways lead to one: :func:`re.compile` at import or later, whatever function builds the pattern; ``regex`` of
``translators.patterns``; and literals inside functions, which are read from the syntax trees. Questions of our
own are understood as well, so that what is built out of the language files is met too.
"""

from __future__ import annotations

import ast
import base64
import importlib
import json
import pkgutil
import re
import sys
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("translators", "storage", "connectors", "orchestrator")
HOW = {"match": "match", "fullmatch": "fullmatch", "search": "search"}
USES = (*HOW, "sub", "subn", "split", "finditer", "findall")
CALLERS = ("re", "translators.patterns", __name__)


@dataclass
class Found:
    """A pattern (bytes as latin-1), its flags, the module that compiles it, and how that and others use it."""

    pattern: str
    flags: int
    module: str
    line: int
    is_bytes: bool = False
    how: list[str] = field(default_factory=list)


def collected() -> list[Found]:
    """All of them, each once."""
    found: dict[tuple[str, int, bool], Found] = {}

    def note(pattern: Any, flags: Any) -> None:
        frame = sys._getframe(2)
        while frame.f_globals.get("__name__") in CALLERS and frame.f_back:
            frame = frame.f_back
        module = frame.f_globals.get("__name__", "")
        if isinstance(pattern, (str, bytes)) and module.partition(".")[0] in PACKAGES:
            text = pattern if isinstance(pattern, str) else pattern.decode("latin-1")
            key = (text, int(flags), isinstance(pattern, bytes))
            found.setdefault(key, Found(text, int(flags), module, frame.f_lineno, key[2]))

    _watch(note)
    modules = [importlib.import_module(name) for name in _modules()]
    _understand_questions()
    nodes = {module.__name__: _nodes(Path(str(module.__file__)).read_text("utf-8")) for module in modules}
    for name, each in nodes.items():
        for text, flags, line, is_bytes, how in _literals(each):
            found.setdefault((text, flags, is_bytes), Found(text, flags, name, line, is_bytes)).how.append(how)
    _say_uses(found, modules, nodes)
    return list(found.values())


def _watch(note: Any) -> None:
    from translators import patterns

    compiled, later = re._compile, patterns._Uncompiled.__init__  # type: ignore[attr-defined]

    def compiling(pattern: Any, flags: Any = 0) -> Any:
        note(pattern, flags)
        return compiled(pattern, flags)

    def noting(self: Any, text: str, flags: int) -> None:
        note(text, flags)
        later(self, text, flags)

    re._compile = compiling  # type: ignore[attr-defined]
    patterns._Uncompiled.__init__ = noting  # type: ignore[method-assign]


def _modules() -> list[str]:
    names = []
    for package in PACKAGES:
        walked = pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}.")
        names += [package, *(each.name for each in walked if not each.name.endswith("__main__"))]
    return names


def _understand_questions() -> None:
    from orchestrator.understand import load_lexicon, understand

    lexicon = load_lexicon()
    for cues in (lexicon.cues_en, lexicon.cues_ko):
        list(cues.found("x"))
    lines = (ROOT / "tests/data/queries/queries.jsonl").read_text("utf-8").splitlines()
    for line in lines:
        understand(json.loads(line)["text"], datetime(2026, 3, 4, tzinfo=UTC), lexicon=lexicon)


def _nodes(code: str) -> list[ast.AST]:
    """What :func:`ast.walk` yields, in another order and in a third of the time."""
    nodes: list[ast.AST] = [ast.parse(code)]
    for node in nodes:
        for value in vars(node).values():
            if isinstance(value, ast.AST):
                nodes.append(value)
            elif isinstance(value, list):
                nodes.extend(each for each in value if isinstance(each, ast.AST))
    return nodes


def _literals(nodes: list[ast.AST]) -> Any:
    """(text, flags, line, whether bytes, how) of ``re.sub(r"…", …)`` and its like."""
    for node in nodes:
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in USES):
            continue
        if (
            isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
            and isinstance(node.args[0], ast.Constant)
        ):
            text = node.args[0].value
            words = ast.unparse(node)
            flags = sum(
                flag for name, flag in re.RegexFlag.__members__.items() if f"re.{name}" in words and len(name) > 1
            )
            shown = text if isinstance(text, str) else text.decode("latin-1")
            yield shown, flags, node.lineno, isinstance(text, bytes), HOW.get(node.func.attr, "all")


def _say_uses(found: dict[tuple[str, int, bool], Found], modules: list[Any], nodes: dict[str, list[ast.AST]]) -> None:
    """``NAME.search(…)`` in the module that holds the pattern under this name; a name of unknown use is used in every way."""
    by_pattern: dict[str, list[str]] = {}
    escaped: set[str] = set()
    for module in modules:
        named = {
            name: value
            for name, value in vars(module).items()
            if isinstance(getattr(value, "pattern", None), str | bytes)
        }
        every = nodes[module.__name__] if named else []
        around = {id(node.value): node.attr for node in every if isinstance(node, ast.Attribute)}
        for node in every:
            name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
            if name not in named or isinstance(node.ctx, ast.Store):
                continue
            pattern = named[name].pattern
            text = pattern if isinstance(pattern, str) else pattern.decode("latin-1")
            use = around.get(id(node), "")
            if use in USES:
                by_pattern.setdefault(text, []).append(HOW.get(use, "all"))
            elif use not in ("pattern", "flags", "groupindex"):
                escaped.add(text)
    for each in found.values():
        how = set(each.how) | set(by_pattern.get(each.pattern, ()))
        each.how = ["all"] if not how or "all" in how or each.pattern in escaped else sorted(how)


if __name__ == "__main__":
    encoded = json.dumps([asdict(each) for each in collected()]).encode()
    sys.stdout.write(base64.b64encode(encoded).decode())
