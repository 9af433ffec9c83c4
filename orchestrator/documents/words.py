"""What the values in documents are called, and why a condition was lost, in English and Korean, on every surface."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.documents.reasons import KOREAN_PECULIARITIES

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
    },
}

# Why a condition could not be asked exactly, where our own framework says so; what a vendor's dialect says: `reasons.py`.
KOREAN_REASONS: Mapping[str, str] = {
    "only one can be asked for at a time": "한 번에 하나만 물을 수 있습니다",
    "the source cannot be asked to leave this out": "이 소스에는 제외 조건을 물을 수 없습니다",
    "alternatives do not fit into one query of this source": "여러 대안을 한 질의에 담을 수 없습니다",
    "the thing itself is fetched, whatever else is asked of it": "식별자로 직접 가져오므로 다른 조건은 여기서 확인합니다",
    "an id is fetched by itself and cannot stand in a query of this source": "식별자는 따로 가져오며 질의에 넣을 수 없습니다",
    "nothing can satisfy this": "이 조건을 만족하는 것은 있을 수 없습니다",
    "the source cannot be asked for this": "이 소스에는 이 조건을 물을 수 없습니다",
    "the source has its own idea of this": "이 소스는 이 조건을 다르게 해석합니다",
    "the source cannot put its results in this order": "이 소스는 결과를 이 순서로 정렬할 수 없습니다",
    "it holds no letter or digit to search for": "검색할 글자나 숫자가 없습니다",
}


def said_state(state: str | None, facts: Mapping[str, object], words: Mapping[str, str]) -> str:
    """What a thing's state is called: by its source, whose words say more (a ``Todo`` and an ``In Review`` are both open), else by us."""
    return str(facts.get("state") or "") or (words[state] if state else "")


def said_reason(why: str, language: str) -> str:
    """A reason in this language, as far as it is ours."""
    return (KOREAN_REASONS.get(why) or KOREAN_PECULIARITIES.get(why, why)) if language == "ko" else why
