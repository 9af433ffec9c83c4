"""What the values in documents are called, in English and Korean, on every surface; reasons and notes of a receipt among them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from connectors.notes import Unread
from translators.said import said_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

VALUES: Mapping[str, Mapping[str, str]] = {
    "en": {
        "ok": "ok",
        "partial": "partial",
        "empty": "nothing",
        "timed out": "timed out",
        "throttled": "throttled",
        "denied": "denied",
        "failed": "failed",
        "not connected": "not connected",
        "skipped": "not asked",
        "decision": "decision",
        "status": "status",
        "document": "document",
        "person": "person",
        "factual": "factual",
        "temporal": "temporal",
        "exploratory": "exploratory",
        "high": "high",
        "medium": "medium",
        "low": "low",
        "none": "none",
        "open": "open",
        "done": "done",
        "approximated": "approximated",
        "dropped": "lost",
        "checked here": "checked here",
        "ordered here": "ordered here",
    },
    "ko": {
        "ok": "정상",
        "partial": "일부",
        "empty": "없음",
        "timed out": "시간 초과",
        "throttled": "호출 제한",
        "denied": "권한 없음",
        "failed": "실패",
        "not connected": "연결 안 됨",
        "skipped": "묻지 않음",
        "decision": "결정",
        "status": "현황",
        "document": "문서",
        "person": "사람",
        "factual": "사실",
        "temporal": "시점",
        "exploratory": "탐색",
        "high": "높음",
        "medium": "보통",
        "low": "낮음",
        "none": "없음",
        "open": "열림",
        "done": "완료",
        "approximated": "근사",
        "dropped": "반영 못 함",
        "checked here": "직접 확인",
        "ordered here": "순서만 정함",
    },
}


def said_state(state: str | None, facts: Mapping[str, object], words: Mapping[str, str]) -> str:
    """What a thing's state is called: by its source, whose words say more (a ``Todo`` and an ``In Review`` are both open), else by us."""
    return str(facts.get("state") or "") or (words[state] if state else "")


def said_notes(notes: Sequence[str], language: str) -> list[str]:
    """Notes on completeness in this language, as far as they are ours, each once.

    Of several that count what could not be read of the same things, the one that misses most stands for all: rungs of
    one ladder read much the same.
    """
    worst: dict[str, Unread] = {}
    for counted in (note for note in notes if isinstance(note, Unread)):
        worst[counted.kind] = max(worst.get(counted.kind, counted), counted, key=lambda each: each.missing)
    told = (worst[note.kind] if isinstance(note, Unread) else note for note in notes)
    return [said_in(note, language) for note in dict.fromkeys(told)]
