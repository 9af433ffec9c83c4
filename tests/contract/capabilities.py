"""The page ``docs/reference/capabilities.md``, made from what sources and dialects say of themselves: ``make docs``."""

from __future__ import annotations

from pathlib import Path

from connectors.registry import load_source
from connectors.testing.exemplar import filed_exemplars
from orchestrator.main import Root
from orchestrator.sandbox import SOURCES
from tests.contract.vendors.generated import described

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "capabilities.md"
DIALECTS = Path(__file__).parents[2] / "translators"
MARKS = {"exact": "●", "wider": "◐", "approximate": "≈", "none": "·"}
HEAD = """# What each source can do

Made by `make docs` from the sources and dialects themselves; a test keeps it true. `fedsearch sources --powers` shows the same for what is
installed, and `fedsearch explain` what becomes of one question.

● the source checks it exactly · ◐ it returns more, and we check again · ≈ it has its own idea, which stands and is named in the receipt ·
· it cannot be asked: we check what it returns, and keep and mark what cannot be checked.
"""
PROOF = """
## How each is proved

*Queries*: canonical questions with the native query expected of each. *Exchanges*: whole exchanges with the vendor, what works and what goes
wrong, played over a real socket. *Vendor's contract*: every exemplar and every generated question is held against what the vendor itself
publishes of its API (`make contract` for thousands). *Sandbox*: an emulator that obeys the vendor's manual, or the real server.
"""


def markdown() -> str:
    """The whole page."""
    kinds = Root().powers()
    rows = list(kinds[0].powers)
    lines = [HEAD, _row("", *(kind.title for kind in kinds)), _row("---", *("---" for _ in kinds))]
    lines += [_row(row, *(MARKS[kind.powers[row]] for kind in kinds)) for row in rows]
    lines += [_row("newest first", *("●" if "newest" in kind.orders else "·" for kind in kinds))]
    lines += [_row("leaves out", *(", ".join(kind.excludes) or "·" for kind in kinds))]
    lines += ["", "## Terms", "", _row("source", "kind", "finds", "limits", "signs in by"), _row(*["---"] * 5)]
    lines += [
        _row(kind.title, f"`{kind.kind}`", _words(kind.finds), kind.limits, _words(kind.signs_in_by)) for kind in kinds
    ]
    lines += [PROOF, _row("source", "queries", "exchanges", "vendor's contract", "sandbox"), _row(*["---"] * 5)]
    lines += [_row(kind.title, *_proof(kind.kind, kind.dialect)) for kind in kinds]
    return "\n".join(lines) + "\n"


def _proof(kind: str, dialect: str) -> tuple[str, ...]:
    queries = sum(path.read_text("utf-8").count("[[exemplar]]") for path in (DIALECTS / dialect).rglob("*.toml"))
    drawers = [filed.drawer for filed in filed_exemplars(load_source(kind))]
    exchanges = f"{drawers.count('exemplary')} + {drawers.count('supplemental')}"
    return str(queries), exchanges, "●" if kind in described() else "none published", "●" if kind in SOURCES else "·"


def _words(names: tuple[str, ...]) -> str:
    return ", ".join(name.replace("_", " ") for name in names)


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    PAGE.write_text(markdown(), encoding="utf-8")
