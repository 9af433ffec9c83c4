"""The few words the command line puts around an answer, in the asker's language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.documents.words import VALUES
from translators.said import said_in

if TYPE_CHECKING:
    from collections.abc import Mapping

ENGLISH: Mapping[str, str] = {
    **VALUES["en"],
    # around an answer
    "receipt": "What was asked, and what came back",
    "nothing": "Nothing was found.",
    "nobody": "No source answered.",
    "also": "also",
    "matter": "same matter",
    "unverified": "not verifiable",
    "confidence": "confidence",
    "worded": "worded by {model} from these quotes",
    "conflict": "conflict",
    "try": "Try instead",
    "took": "{seconds} s",
    "hits": "{count} hits",
    "hit": "1 hit",
    "listed": "{count} listed",
    "sent": "sent",
    "nothing sent": "nothing was sent",
    "widened": "widened",
    "seen": "seen",
    "of": "{returned} of {total}",
    "covers": "from – to",
    "remembered": "remembered",
    "ago": "asked {seconds} s ago",
    "left out": "left out",
    "note": "note",
    "problem": "problem",
    "waiting": "waiting",
    "asking": "Asking {count} sources",
    "requests": "{count} requests",
    "total": "{seconds} s in all · {sources} asked · {count} listed",
    "retry": "try again in {seconds} s",
    # a question taken apart
    "type": "type",
    "keywords": "keywords",
    "variants": "other names",
    "phrases": "phrases",
    "people": "people",
    "projects": "names",
    "ids": "identifiers",
    "hints": "look in",
    "only": "wanted from",
    "sources": "only in",
    "author": "written by",
    "container": "place",
    "kinds": "kind",
    "window": "dates",
    "negated": "without",
    "mine": "mine only",
    "ambiguous": "ambiguous",
    "doubt": "doubt",
    "meaning": "meaning",
    "implied": "implied",
    "lesser": "weigh too",
    "yes": "yes",
    "from": "from {start}",
    "until": "before {end}",
    # a plan
    "plan": "What would be sent",
    "weight": "weight {weight}",
    "as asked": "as asked",
    "without": "without {dropped}",
    # an answer from the web
    "web sources": "Sources",
    "web searched": "searched for",
}

KOREAN: Mapping[str, str] = {
    **VALUES["ko"],
    "receipt": "무엇을 물었고 무엇이 돌아왔나",
    "nothing": "찾은 것이 없습니다.",
    "nobody": "답한 소스가 없습니다.",
    "also": "같은 내용",
    "matter": "같은 사안",
    "unverified": "확인 못 함",
    "confidence": "신뢰도",
    "worded": "{model}이(가) 인용문만으로 다듬음",
    "conflict": "서로 다름",
    "try": "이렇게 물어보세요",
    "took": "{seconds}초",
    "hits": "{count}건",
    "hit": "1건",
    "listed": "목록에 {count}건",
    "sent": "보낸 것",
    "nothing sent": "아무것도 보내지 않음",
    "widened": "넓힘",
    "seen": "본 것",
    "of": "{total}건 중 {returned}건",
    "covers": "기간",
    "remembered": "기억",
    "ago": "{seconds}초 전에 물음",
    "left out": "제외",
    "note": "참고",
    "problem": "문제",
    "waiting": "기다리는 중",
    "asking": "소스 {count}곳에 묻는 중",
    "requests": "요청 {count}번",
    "total": "모두 {seconds}초 · 소스 {sources}곳 · 목록 {count}건",
    "retry": "{seconds}초 뒤에 다시",
    "type": "유형",
    "keywords": "핵심어",
    "variants": "다른 이름",
    "phrases": "구절",
    "people": "사람",
    "projects": "이름",
    "ids": "식별자",
    "hints": "찾을 곳",
    "only": "원하는 곳",
    "sources": "소스",
    "author": "작성자",
    "container": "위치",
    "kinds": "종류",
    "window": "기간",
    "negated": "제외",
    "mine": "내 것만",
    "ambiguous": "모호함",
    "doubt": "확인",
    "meaning": "뜻",
    "implied": "읽은 조건",
    "lesser": "함께 보는 말",
    "yes": "예",
    "from": "{start}부터",
    "until": "{end} 전까지",
    "plan": "보낼 내용",
    "weight": "가중치 {weight}",
    "as asked": "물은 그대로",
    "without": "{dropped} 빼고",
    "web sources": "출처",
    "web searched": "검색어",
}


def reason(why: str, words: Mapping[str, str]) -> str:
    """A reason in the language of ``words``, as far as it is ours."""
    return said_in(why, language_of(words))


def language_of(words: Mapping[str, str]) -> str:
    """Which language a table of words is in."""
    return "ko" if words is KOREAN else "en"


def frame(language: str) -> Mapping[str, str]:
    """The table for ``ko`` or, for anything else, English."""
    return KOREAN if language == "ko" else ENGLISH
