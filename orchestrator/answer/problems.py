"""What went wrong at a source, in the asker's language; a vendor's own words stay as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.said import Said, said_in

if TYPE_CHECKING:
    from orchestrator.model import Problem
    from translators.query import Query

# By the stable code of a problem: what stands before a message that is a vendor's and so in one language only.
KOREAN = {
    "suspended": "방금 여러 번 실패해서 잠시 쉬고 있습니다 — {message}",
    "throttled": "요청이 너무 많아 잠시 막혔습니다 — {message}",
    "unavailable": "지금 응답하지 못합니다 — {message}",
    "unauthenticated": "인증되지 않았습니다. 다시 연결하세요 — {message}",
    "forbidden": "권한이 없습니다 — {message}",
    "rejected": "소스가 질의를 받아들이지 않았습니다. fedsearch의 버그이니 알려 주세요 — {message}",
    "bad_reply": "소스의 응답을 읽을 수 없습니다 — {message}",
    "misconfigured": "설정을 고쳐야 합니다 — {message}",
}


def in_words(problem: Problem, query: Query) -> str:
    """Of a code that is not known here the message as it is."""
    if query.language != "ko" or isinstance(problem.message, Said):
        return said_in(problem.message, query.language)
    return KOREAN.get(problem.code, "{message}").format(message=problem.message)
