"""The page ``docs/reference/conformance.md``, read from the tests themselves: ``make conformance``."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "conformance.md"
SYSTEMS = Path(__file__).parent
HEAD = """# What is required, and what shows it

Made by `make conformance` from the tests themselves; a test keeps it true. Each requirement is asserted where people and programs meet it: the query that a
vendor received, the final order of results, the text that is shown, the reply of the API, the MCP server or the command line.

"""
KEY = """● shown · ◇ deliberately different by default; what brings the required form is named · ○ not done yet: the test that will show it is known to fail,
and fails the suite as soon as it passes.
"""


@dataclass
class Requirement:
    """One requirement: what it is, where its code is, why it is otherwise, and the tests that show it (or will)."""

    number: str
    what: str = ""
    where: str = ""
    differs: str = ""
    setting: str = ""
    shown_by: list[str] = field(default_factory=list)
    awaits: list[str] = field(default_factory=list)
    """Why a test of it fails so far."""

    @property
    def mark(self) -> str:
        """How it stands, in one sign."""
        return "○" if self.awaits else "◇" if self.differs else "●"


def collected() -> dict[str, Requirement]:
    """Every requirement by its number, in order. Raises ``ValueError`` where two tests say different things of one."""
    found: dict[str, Requirement] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        text = path.read_text("utf-8")
        if "@requirement(" in text:
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    _read(found, node, f"{path.relative_to(ROOT).as_posix()}::{node.name}")
    return dict(sorted(found.items(), key=lambda item: _place(item[0])))


def _read(found: dict[str, Requirement], test: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> None:
    awaits = [said["reason"] for said in _decorators(test, "not_yet")]
    for said in _decorators(test, "requirement"):
        each = found.setdefault(said["number"], Requirement(said["number"]))
        for field_, value in said.items():
            if field_ != "number" and getattr(each, field_):
                raise ValueError(f"{name} says again what {each.number} is; give the number alone")
            setattr(each, field_, value)
        each.shown_by.append(name)
        each.awaits += awaits


def _decorators(test: ast.FunctionDef | ast.AsyncFunctionDef, called: str) -> list[dict[str, str]]:
    """The arguments of each decorator of this name; all of them are texts."""
    calls = [each for each in test.decorator_list if isinstance(each, ast.Call) and ast.unparse(each.func) == called]
    return [
        {name: ast.literal_eval(value) for name, value in zip(("number", "what"), call.args, strict=False)}
        | {str(each.arg): ast.literal_eval(each.value) for each in call.keywords}
        for call in calls
    ]


def _place(number: str) -> tuple[int, ...]:
    return tuple(map(int, number.split(".")))


def markdown() -> str:
    """The whole page."""
    found = collected()
    lines = [HEAD + _totals(list(found.values())), "", KEY]
    for module in sorted(SYSTEMS.glob("test_[0-9]_*.py")):
        title = (ast.get_docstring(ast.parse(module.read_text("utf-8"))) or "").partition("\n")[0]
        own = [each for each in found.values() if each.number.startswith(f"{module.name[5]}.")]
        lines += [f"## {title}", "", "| | | requirement | code | shown by |", "|---|---|---|---|---|"]
        lines += [_row(each) for each in own] + [""]
    return "\n".join(lines)


def _totals(every: list[Requirement]) -> str:
    marks = [each.mark for each in every]
    return f"{len(every)} requirements: {marks.count('●')} ●, {marks.count('◇')} ◇, {marks.count('○')} ○."


def _row(each: Requirement) -> str:
    told = each.what
    if each.differs:
        told += f"<br>**By default otherwise:** {each.differs} Required form: {each.setting}"
    told += "".join(f"<br>**Not yet:** {reason}" for reason in each.awaits)
    code = "<br>".join(f"[{path}](../../{path})" for path in each.where.split())
    tests = "<br>".join(f"[{test.partition('::')[2]}](../../{test.partition('::')[0]})" for test in each.shown_by)
    return f"| {each.mark} | {each.number} | {told} | {code} | {tests} |"


if __name__ == "__main__":
    PAGE.write_text(markdown(), encoding="utf-8")
