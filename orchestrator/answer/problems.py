"""What went wrong at a source, in the asker's language; a vendor's own words stay as they are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from orchestrator.model import Problem
    from translators.query import Query

SECONDS = re.compile(r"within (\d+(?:\.\d+)?) s\b")
BUG = re.compile(r"\((\w+)\)")

# By the stable code of a problem. What is ours is said in Korean only, a vendor's message follows the dash.
KOREAN = {
    "timed_out": "{seconds}초 안에 답이 없었습니다",
    "own_rate_limit": "우리 쪽 호출 제한 때문에 {seconds}초 안에 차례가 오지 않았습니다. 잠시 뒤 다시 물어보세요",
    "no_time": "물을 시간이 남지 않았습니다",
    "connector_bug": "커넥터 오류입니다({bug}). fedsearch의 버그이니 알려 주세요",
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
    phrase = KOREAN.get(problem.code) if query.language == "ko" else None
    if phrase is None:
        return problem.message
    seconds, bug = SECONDS.search(problem.message), BUG.search(problem.message)
    if ("{seconds}" in phrase and seconds is None) or ("{bug}" in phrase and bug is None):
        return problem.message
    return phrase.format(message=problem.message, seconds=seconds and seconds[1], bug=bug and bug[1])
