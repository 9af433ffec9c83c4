"""The words around quotes, in the asker's language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.answer.sound import is_firm, sound_of
from orchestrator.model import Status
from translators.query import QueryType
from translators.said import said_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from orchestrator.answer.quotes import Quote
    from translators.query import Query

ENGLISH = {
    "lead_decision": "What was decided:",
    "lead_status": "Where it stands, latest first:",
    "lead_document": "The closest document:",
    "lead_person": "People, with what shows it:",
    "lead_factual": "The rule, as the sources put it:",
    "lead_temporal": "When:",
    "lead_reason": "Why, as the sources put it:",
    "lead_amount": "How much, as the sources put it:",
    "lead_count": "How many, as the sources put it:",
    "lead_span": "How long, as the sources put it:",
    "lead_place": "Where, as the sources put it:",
    "lead_exploratory": "What is known:",
    "claim_yes": "Yes",
    "claim_no": "No",
    "claim_document": "{title}: {url}",
    "claim_was": "was {old}, until {day}",
    "claim_was_why": "was {old}, until {day}, because “{reason}”",
    "claim_named": "{name} ({counts})",
    "claim_assigned": "assigned {count}",
    "claim_written": "wrote {count}",
    "claim_open": "Open: {titles}",
    "claim_left": "Open: {titles} — {origin}",
    "tally": "{done} of {every} done",
    "claim_done": "Closed: {titles} — {origin}",
    "claim_blocked": "Blocked: {titles}",
    "claim_theme": "On {label}: {count} of the results",
    "claim_place": "In {label}: {count} of the results",
    "weak_decision": "No decision was found in so many words. The nearest passages:",
    "weak_status": "No plain statement of where it stands was found. The latest passages:",
    "weak_person": "No sentence names an owner. People and passages that come nearest:",
    "weak_temporal": "No sentence names a date. The nearest passages:",
    "weak_reason": "No sentence gives a reason. The nearest passages:",
    "weak_amount": "No sentence names an amount. The nearest passages:",
    "weak_span": "No sentence says how long. The nearest passages:",
    "weak_place": "No sentence says where. The nearest passages:",
    "weak_count": "No sentence says how many, and nothing was counted here. The nearest passages:",
    "lead_asked": "{name} asked this on {day}, and no answer to it was found. What comes nearest:",
    "lead_asked_by_somebody": "Somebody asked this on {day}, and no answer to it was found. What comes nearest:",
    "lead_unsaid": "Nobody says anything of this in so many words ({words}). What comes nearest:",
    "unadded": "Nobody says anything of this in so many words ({words}).",
    "then": "As of {day}: what is later is left aside.",
    "none_then": "Nothing that was found says this as of {day}.",
    "outside": "Nothing satisfies all that was asked; this lies outside it:",
    "weak_factual": "No sentence states a rule. The nearest passages:",
    "untold": "{hits} came back without any text to quote.",
    "unheld": "{hits} came back, and none of them holds a word of the question.",
    "commanding": "{hits} with orders to whoever reads: these are not repeated.",
    "gap": "Not included: {sources}.",
    "partly": "Only part of: {sources}.",
    "absent": "There is no {thing} in {sources}, or none that may be seen here.",
    "none_found": "Nothing was found in {sources}.",
    "none_fit": "{hits} came back, and none of them satisfies what was asked.",
    "none_answered": "No source could answer: {sources}. This says nothing about whether there is an answer.",
    "none_in_full": "Nothing came back, but no source answered in full: {sources}. There may still be an answer.",
    "incomplete": "So this is no proof that there is nothing: {sources}.",
    "conflict": "These statements differ: {told}. Which one holds is not settled here.",
    "replaced": "Changed: {told}. The last one replaces what stands before it.",
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
    "was_dropped": "{hits} left out ({reason}).",
    "failed_source": "{source} did not answer ({reason}).",
    "partial_source": "{source} answered only in part ({reason}).",
    "connect": "{source} is not connected: {reason}.",
    "not_asked": "{source} was not asked: {reason}.",
    "none_asked": "{source} were not asked: {reason}.",
    "unsupported": "nothing that the model wrote was supported by what it cites",
    "no_time": "no time was left",
    "unworded": "Not worded by a model: {reason}.",
    "which": "“{word}” means several things here: {readings}. Which one do you mean?",
    "no_outcome": "no outcome was reported for it; this is a bug in fedsearch, please report it",
    "retry": "ask again in {seconds} s",
    "one_hit": "1 hit",
    "many_hits": "{count} hits",
    "found_line": "{hits} in {took}",
    "partial_line": "{hits} in {took}, then: {problem}",
    "empty_line": "asked, no hits, in {took}",
    "problem_line": "{status}: {problem}",
    "skipped_line": "{status}: {reason}",
}

KOREAN = {
    "lead_decision": "결정된 내용:",
    "lead_status": "현재 상황(최신순):",
    "lead_document": "가장 가까운 문서:",
    "lead_person": "사람과 그 근거:",
    "lead_factual": "규칙과 출처:",
    "lead_temporal": "시점:",
    "lead_reason": "이유와 출처:",
    "lead_amount": "금액과 출처:",
    "lead_count": "개수와 출처:",
    "lead_span": "기간과 출처:",
    "lead_place": "장소와 출처:",
    "lead_exploratory": "알려진 내용:",
    "claim_yes": "예",
    "claim_no": "아니요",
    "claim_document": "{title}: {url}",
    "claim_was": "{day}까지는 {old}",
    "claim_was_why": "{day}까지는 {old}, 바뀐 이유: “{reason}”",
    "claim_named": "{name}({counts})",
    "claim_assigned": "담당 {count}건",
    "claim_written": "작성 {count}건",
    "claim_open": "진행 중: {titles}",
    "claim_left": "남은 것: {titles} — {origin}",
    "tally": "{every}개 중 {done}개 완료",
    "claim_done": "끝난 것: {titles} — {origin}",
    "claim_blocked": "막힘: {titles}",
    "claim_theme": "{label} 관련: {count}건",
    "claim_place": "{label}: {count}건",
    "weak_decision": "결정이라고 분명히 적힌 문장은 찾지 못했습니다. 가장 가까운 내용:",
    "weak_status": "상황을 분명히 적은 문장은 찾지 못했습니다. 최근 내용:",
    "weak_person": "담당자를 밝힌 문장은 찾지 못했습니다. 가장 가까운 사람과 내용:",
    "weak_temporal": "날짜가 적힌 문장은 찾지 못했습니다. 가장 가까운 내용:",
    "weak_reason": "이유를 밝힌 문장은 찾지 못했습니다. 가장 가까운 내용:",
    "weak_amount": "금액이 적힌 문장은 찾지 못했습니다. 가장 가까운 내용:",
    "weak_span": "기간을 밝힌 문장은 찾지 못했습니다. 가장 가까운 내용:",
    "weak_place": "장소를 밝힌 문장은 찾지 못했습니다. 가장 가까운 내용:",
    "weak_count": "개수를 밝힌 문장은 찾지 못했고, 여기서 세지도 않았습니다. 가장 가까운 내용:",
    "lead_asked": "{day}에 {name} 님이 같은 것을 물었지만 답은 찾지 못했습니다. 가장 가까운 내용:",
    "lead_asked_by_somebody": "{day}에 누군가 같은 것을 물었지만 답은 찾지 못했습니다. 가장 가까운 내용:",
    "lead_unsaid": "이것({words})을 말한 내용은 찾지 못했습니다. 가장 가까운 내용:",
    "unadded": "이것({words})을 말한 내용은 찾지 못했습니다.",
    "then": "{day} 기준입니다. 그 뒤의 내용은 답에 쓰지 않았습니다.",
    "none_then": "{day} 기준으로 이것을 말한 내용은 찾지 못했습니다.",
    "outside": "요청한 조건을 모두 만족하는 결과가 없어, 조건 밖의 내용을 보여 드립니다:",
    "weak_factual": "규칙을 분명히 적은 문장은 찾지 못했습니다. 가장 가까운 내용:",
    "untold": "결과 {hits}을 찾았지만 인용할 본문이 없습니다.",
    "unheld": "결과 {hits}을 찾았지만 질문의 단어가 들어 있는 것이 없습니다.",
    "commanding": "읽는 쪽에 지시하는 글이 든 결과 {hits}: 그 지시는 옮기지 않았습니다.",
    "gap": "포함되지 않은 소스: {sources}.",
    "partly": "일부만 가져온 소스: {sources}.",
    "absent": "{sources}에는 {thing} 항목이 없거나 볼 수 있는 권한이 없습니다.",
    "none_found": "{sources}에서 찾은 결과가 없습니다.",
    "none_fit": "{hits}을 받았지만 요청한 조건에 맞는 것이 없습니다.",
    "none_answered": "응답한 소스가 없습니다: {sources}. 답이 없다는 뜻은 아닙니다.",
    "none_in_full": "돌아온 결과가 없지만 끝까지 답한 소스도 없습니다: {sources}. 답이 있을 수도 있습니다.",
    "incomplete": "따라서 내용이 없다고 단정할 수 없습니다: {sources}.",
    "conflict": "서로 다른 내용이 있습니다: {told}. 어느 것이 맞는지는 여기서 정하지 않습니다.",
    "replaced": "변경됨: {told}. 마지막 것이 앞의 것을 대체합니다.",
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
    "was_dropped": "{hits}은 제외되었습니다({reason}).",
    "failed_source": "{source}: 응답하지 않았습니다({reason}).",
    "partial_source": "{source}: 일부만 응답했습니다({reason}).",
    "connect": "{source}: 연결되어 있지 않습니다. {reason}.",
    "not_asked": "{source}: 묻지 않았습니다. {reason}.",
    "none_asked": "{source}: 모두 묻지 않았습니다. {reason}.",
    "unsupported": "모델이 쓴 문장이 인용한 근거로 뒷받침되지 않았습니다",
    "no_time": "시간이 남지 않았습니다",
    "unworded": "모델이 다듬지 않은 답입니다: {reason}.",
    "which": "“{word}”에 해당하는 내용이 여러 가지입니다: {readings}. 어느 것을 찾으세요?",
    "no_outcome": "결과가 보고되지 않았습니다. fedsearch의 오류이니 알려 주세요",
    "retry": "{seconds}초 뒤에 다시 물어보세요",
    "one_hit": "1건",
    "many_hits": "{count}건",
    "found_line": "{took} 동안 {hits}",
    "partial_line": "{took} 동안 {hits}, 이후: {problem}",
    "empty_line": "{took} 동안 물었고 결과 없음",
    "problem_line": "{status}: {problem}",
    "skipped_line": "{status}: {reason}",
}

# Words that hold sentences together: they name no group of results, and a sentence is not proved by them.
STOP = frozenset(
    "a an the of to in on at by for from with and or but is are was were be been has have had will would can could "
    "should may might must do does did not no nor so as if than then that this these those it its our your their we you "
    "they he she his her my me us about into over under after before between during per via re fwd new old more most "
    "one some any all each every other another next last first please let now also only just how what when where who why "
    "which there here up out off until since full complete entire big final our whole current latest "
    "그 이 저 및 등 또는 그리고 하지만 위해 대한 관련 위한 통해 지금 이번 다음 지난 전체 모든 각 새 우리 저희 있는 없는 하는 되는 같은 대해".split()
)

# What the frames of claims say, and words that only report: they claim nothing that a source would have to hold.
FRAME = frozenset(
    {
        "assigned",
        "wrote",
        "open",
        "blocked",
        "said",
        "says",
        "written",
        "according",
        "noted",
        "stated",
        "states",
        "reads",
        "results",
        "관련",
        "source",
        "sources",
        "담당",
        "작성",
        "건",
        "진행",
        "중",
        "막힘",
        "남은",
        "끝난",
        "closed",
        "yes",
        "예",
        "아니요",
        "because",
        "까지는",
        "바뀐",
        "이유",
        "따르면",
        "적었",
        "적혀",
        "말했",
        "밝혔",
        "있습니다",
        "있다",
        "합니다",
        "했습니다",
        "됩니다",
        "입니다",
        "이다",
        "것",
        "수",
        "년",
        "월",
        "일",
    }
)

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
    """One phrase in the asker's language; what is put into it is said in it as well, where it can be."""
    told = {name: said_in(each, query.language) if isinstance(each, str) else each for name, each in values.items()}
    return (KOREAN if query.language == "ko" else ENGLISH)[key].format(**told)


def say_hits(query: Query, count: int) -> str:
    """So many hits, in the asker's language."""
    return say(query, "one_hit" if count == 1 else "many_hits", count=count)


def status_word(query: Query, status: Status) -> str:
    """A status in the asker's language."""
    return KOREAN_STATUS[status] if query.language == "ko" else status.value


def is_plain(query: Query, quotes: Sequence[Quote]) -> bool:
    """Whether something sounds like what was asked for, or nothing need to: a document is its link, a theme anything."""
    name = sound_of(query).name
    # What reads as nothing in particular is taken for a factual question: that one is never in doubt about its type.
    doubtful = name == query.type and query.type is not QueryType.FACTUAL and not is_firm(query)
    needless = f"weak_{name}" not in ENGLISH or doubtful
    return needless or any(quote.signal for quote in quotes)


def lead(query: Query, quotes: Sequence[Quote]) -> str:
    """What introduces the quotes; where nothing sounds like an answer of the kind that was clearly asked for, it says so."""
    name = sound_of(query).name
    if not is_plain(query, quotes):
        return say(query, f"weak_{name}")
    told = f"weak_{name}" not in ENGLISH or any(quote.signal for quote in quotes)
    return say(query, f"lead_{name}" if told else "lead_exploratory")
