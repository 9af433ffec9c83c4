"""What the values in documents are called, in English and Korean, on every surface."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

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
