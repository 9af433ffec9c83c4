"""The words around quotes, in the asker's language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.model import Status

if TYPE_CHECKING:
    from translators.query import Query

ENGLISH = {
    "lead_decision": "What was decided:",
    "lead_status": "Where it stands, latest first:",
    "lead_document": "The closest document:",
    "lead_person": "Who it is about:",
    "lead_factual": "What the sources say:",
    "lead_temporal": "When:",
    "lead_exploratory": "What is known:",
    "weak_decision": "No decision was found in so many words. The nearest passages:",
    "weak_status": "No plain statement of where it stands was found. The latest passages:",
    "weak_person": "No sentence names an owner. The nearest passages:",
    "weak_temporal": "No sentence names a date. The nearest passages:",
    "outside": "Nothing satisfies all that was asked; this lies outside it:",
    "people": "Named in the results: {people}.",
    "untold": "{count} results were found, none of them with text to quote.",
    "gap": "Not included: {sources}.",
    "partly": "Only part of: {sources}.",
    "none_found": "Nothing was found in {sources}.",
    "none_fit": "{count} hits came back, and none of them satisfies what was asked.",
    "none_answered": "No source could answer: {sources}. This says nothing about whether there is an answer.",
    "incomplete": "So this is no proof that there is nothing: {sources}.",
    "conflict": "Two statements differ: {old_day} “{old}” [{old_number}]; {new_day} “{new}” [{new_number}]. "
    "The newer one may replace the older one.",
    "tried": "Tried already: {tried}.",
    "without": "without {dropped}",
    "without_window": "Ask without the dates ({value}).",
    "without_author": "Ask without from:{value}.",
    "without_place": "Ask without in:{value}.",
    "without_kind": "Ask without type:{value}.",
    "without_phrase": "Ask without the quotation marks around “{value}”.",
    "without_negated": "Ask without -{value}.",
    "fewer_words": "Ask for fewer words: {value}.",
    "other_name": "Try another name: {value}.",
    "was_dropped": "{count} hits were left out ({reason}).",
    "failed_source": "{source} did not answer ({reason}).",
    "connect": "{source} is not connected: {reason}.",
    "not_asked": "{source} was not asked: {reason}.",
    "no_outcome": "no outcome was reported for it; this is a bug in fedsearch, please report it",
    "retry": "ask again in {seconds} s",
    "found_line": "{hits} hits in {took}",
    "partial_line": "{hits} hits in {took}, then: {problem}",
    "empty_line": "asked, no hits, in {took}",
    "problem_line": "{status}: {problem}",
    "skipped_line": "{status}: {reason}",
}

KOREAN = {
    "lead_decision": "결정된 내용:",
    "lead_status": "현재 상황(최신순):",
    "lead_document": "가장 가까운 문서:",
    "lead_person": "관련된 사람:",
    "lead_factual": "소스에 적힌 내용:",
    "lead_temporal": "시점:",
    "lead_exploratory": "알려진 내용:",
    "weak_decision": "결정이라고 분명히 적힌 문장은 찾지 못했습니다. 가장 가까운 내용:",
    "weak_status": "상황을 분명히 적은 문장은 찾지 못했습니다. 최근 내용:",
    "weak_person": "담당자를 밝힌 문장은 찾지 못했습니다. 가장 가까운 내용:",
    "weak_temporal": "날짜가 적힌 문장은 찾지 못했습니다. 가장 가까운 내용:",
    "outside": "요청한 조건을 모두 만족하는 결과가 없어, 조건 밖의 내용을 보여 드립니다:",
    "people": "결과에 나오는 사람: {people}.",
    "untold": "결과 {count}건을 찾았지만 인용할 본문이 없습니다.",
    "gap": "포함되지 않은 소스: {sources}.",
    "partly": "일부만 가져온 소스: {sources}.",
    "none_found": "{sources}에서 찾은 결과가 없습니다.",
    "none_fit": "{count}건을 받았지만 요청한 조건에 맞는 것이 없습니다.",
    "none_answered": "응답한 소스가 없습니다: {sources}. 답이 없다는 뜻은 아닙니다.",
    "incomplete": "따라서 내용이 없다고 단정할 수 없습니다: {sources}.",
    "conflict": "서로 다른 내용이 있습니다: {old_day} “{old}” [{old_number}], {new_day} “{new}” [{new_number}]. "
    "나중 것이 앞의 것을 대체했을 수 있습니다.",
    "tried": "이미 시도한 검색: {tried}.",
    "without": "{dropped} 빼고",
    "without_window": "기간({value}) 없이 물어보세요.",
    "without_author": "from:{value} 없이 물어보세요.",
    "without_place": "in:{value} 없이 물어보세요.",
    "without_kind": "type:{value} 없이 물어보세요.",
    "without_phrase": "“{value}”의 따옴표를 빼고 물어보세요.",
    "without_negated": "-{value} 없이 물어보세요.",
    "fewer_words": "단어를 줄여 보세요: {value}.",
    "other_name": "다른 이름으로 찾아보세요: {value}.",
    "was_dropped": "{count}건은 제외되었습니다({reason}).",
    "failed_source": "{source}: 응답하지 않았습니다({reason}).",
    "connect": "{source}: 연결되어 있지 않습니다. {reason}.",
    "not_asked": "{source}: 묻지 않았습니다. {reason}.",
    "no_outcome": "결과가 보고되지 않았습니다. fedsearch의 오류이니 알려 주세요",
    "retry": "{seconds}초 뒤에 다시 물어보세요",
    "found_line": "{took} 동안 {hits}건",
    "partial_line": "{took} 동안 {hits}건, 이후: {problem}",
    "empty_line": "{took} 동안 물었고 결과 없음",
    "problem_line": "{status}: {problem}",
    "skipped_line": "{status}: {reason}",
}

KOREAN_STATUS = {
    Status.OK: "정상",
    Status.PARTIAL: "일부",
    Status.EMPTY: "결과 없음",
    Status.TIMED_OUT: "시간 초과",
    Status.THROTTLED: "요청 제한",
    Status.DENIED: "거부됨",
    Status.FAILED: "실패",
    Status.SKIPPED: "건너뜀",
    Status.NOT_CONNECTED: "연결 안 됨",
}


def say(query: Query, key: str, **values: object) -> str:
    """One phrase in the asker's language."""
    return (KOREAN if query.language == "ko" else ENGLISH)[key].format(**values)


def status_word(query: Query, status: Status) -> str:
    """A status in the asker's language."""
    return KOREAN_STATUS[status] if query.language == "ko" else status.value


def lead(query: Query, *, strong: bool) -> str:
    """What introduces the quotes; where nothing sounds like an answer of the type asked for, it says so."""
    weak = f"weak_{query.type.value}"
    return say(query, f"lead_{query.type.value}" if strong or weak not in ENGLISH else weak)
