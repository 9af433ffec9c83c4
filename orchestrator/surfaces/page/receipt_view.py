"""The receipt as the page shows it: what each source was sent, in its own language, and what came back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from orchestrator.documents.plain import one_line
from orchestrator.documents.receipt import fates, widened
from orchestrator.documents.words import said_notes
from translators.said import said_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from orchestrator.documents.answer import AnswerDocument, SourceDocument
    from orchestrator.documents.plan import NativeDocument

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


def receipt_lines(answer: AnswerDocument, words: Mapping[str, str], language: str) -> list[dict[str, Any]]:
    """Every source in full."""
    return [_line(each, words, language) for each in answer["sources"]]


def _line(entry: SourceDocument, words: Mapping[str, str], language: str) -> dict[str, Any]:
    problem = entry["problem"]
    return {
        "title": entry["title"],
        "status": words[entry["status"]],
        "tone": tone_of(entry["status"]),
        "sent": [_native(each) for each in entry["sent"]],
        "facts": list(_facts(entry, words)),
        "rungs": [
            (one_line(said_in(label, language)), hits)
            for label, hits in widened(
                (each["label"], each["rung"], each["returned"]) for each in entry["asked"]
            ).items()
        ],
        "left_out": [(each["reason"], each["count"]) for each in entry["left_out"]],
        "losses": [
            (words[kind], ", ".join(named), said_in(why, language))
            for kind, named, why in fates((each["kind"], each["what"], each["why"]) for each in entry["losses"])
        ],
        "notes": said_notes(entry["notes"], language),
        "problem": problem["message"] if problem else "",
        "retry": f"{problem['retry_after']:.0f}" if problem and problem["retry_after"] is not None else "",
    }


def _facts(entry: SourceDocument, words: Mapping[str, str]) -> Any:
    """Pairs of what is counted and how much it is; nothing for a source that was not asked."""
    if entry["status"] in {"skipped", "not connected"}:
        return
    found = str(entry["returned"])
    if entry["total"] is not None and entry["total"] > entry["returned"]:
        found = words["found of"].format(returned=found, total=entry["total"])
    listed = words["listed"].format(count=entry["shown"])
    yield words["found"], f"{found} · {listed}" if entry["returned"] else found
    yield words["took"], words["took value"].format(seconds=f"{entry['took']:.2f}", requests=entry["requests"])
    if entry["covers"]:
        yield words["covers"], " – ".join(dict.fromkeys(entry["covers"]))
    if entry["age"] is not None:
        yield words["remembered"], words["remembered value"].format(seconds=f"{entry['age']:.0f}")


def _native(native: NativeDocument) -> dict[str, str]:
    """A native query as one would type it, its structured part as JSON."""
    args = json.dumps(native["args"], ensure_ascii=False, indent=1) if native["args"] else ""
    return {"dialect": native["dialect"], "text": native["text"], "args": args}
