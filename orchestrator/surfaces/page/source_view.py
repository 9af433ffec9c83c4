"""How one source does, for a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from orchestrator.surfaces.page.receipt_view import tone_of
from translators.said import said_in

if TYPE_CHECKING:
    from orchestrator.documents.sources import SourceState


def source_row(state: SourceState, language: str) -> dict[str, Any]:
    """What is told of it, in the order in which it is."""
    advice = "told" if state["status"] == "ok" else "advice"
    facts = [("account", state["account"]), ("standing", state["standing"]), (advice, state["advice"])]
    facts += [("told", remark) for remark in state["remarks"]]
    return {
        **state,
        "tone": tone_of(state["status"]),
        "facts": [(key, said_in(value, language)) for key, value in facts if value],
    }
