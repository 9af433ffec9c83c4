"""The receipt as the page shows it: what each source was sent, in its own language, and what came back; and how a source does by itself."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from orchestrator.documents.receipt import shown_receipt
from translators.said import said_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from orchestrator.documents.answer import AnswerDocument
    from orchestrator.documents.plan import NativeDocument
    from orchestrator.documents.sources import SourceState

TONES = {"ok": "good", "partial": "fair", "empty": "quiet", "skipped": "quiet", "not connected": "quiet"}


def tone_of(status: str) -> str:
    """How a status is coloured: good, fair, bad, or quiet where nothing was wrong and nothing came."""
    return TONES.get(status, "bad")


def source_strip(answer: AnswerDocument, awaited: Sequence[str], words: Mapping[str, str]) -> list[dict[str, Any]]:
    """Every source in a word: how it did and how much it gave, or by its title that it is still awaited."""
    done = [
        {
            "title": each["title"],
            "word": words[each["status"]],
            "tone": tone_of(each["status"]),
            "count": each["returned"],
        }
        for each in answer["sources"]
    ]
    return done + [{"title": each, "word": words["waiting"], "tone": "waiting", "count": 0} for each in awaited]


def receipt_lines(answer: AnswerDocument, language: str) -> list[dict[str, Any]]:
    """Every source in full, with its colour."""
    return [
        {"shown": each, "tone": tone_of(each.status), "sent": [_native(native) for native in each.sent]}
        for each in shown_receipt(answer, language)
    ]


def _native(native: NativeDocument) -> dict[str, str]:
    """A native query as one would type it, its structured part as JSON."""
    args = json.dumps(native["args"], ensure_ascii=False, indent=1) if native["args"] else ""
    return {"dialect": native["dialect"], "text": native["text"], "args": args}


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
