"""The reasons that ranking gives, in the asker's language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.capabilities import TIMES
from translators.query import Clause, Compare, Not

if TYPE_CHECKING:
    from orchestrator.rank.stage import RankContext

ENGLISH = {
    "found": "{source}: number {rank} of its list",
    "agreed": "found by {count} sources",
    "broadened": "found after broadening: without {dropped}",
    "outside": "outside what was asked: {conditions}",
    "unlike": "not as it seems to be asked: {conditions}",
    "fails": "does not satisfy: {conditions}",
    "named": "what the question names",
    "strays": "does not hold {things}",
    "matches": "matches {words}",
    "titled": "matches {words} (title: {titled})",
    "today": "today",
    "days": "{count} days old",
    "day": "1 day old",
    "months": "{count} months old",
    "years": "{count} years old",
    "undated": "no date",
    "role": "{role}",
    "same": "also in {sources}",
    "around": "part of a conversation about it",
    "purpose": "it is for: “{purpose}”",
    "ahead": "ahead of its place in {source}: {cause}",
    "behind": "behind its place in {source}: {cause}",
    "ahead_named": "the question names it",
    "behind_named": "the question names another",
    "ahead_asked": "it meets the conditions",
    "behind_asked": "it does not meet all conditions",
    "ahead_words": "it holds more of the question",
    "behind_words": "it holds less of the question",
    "ahead_freshness": "it is newer",
    "behind_freshness": "it is older",
    "ahead_authority": "it settles such questions sooner",
    "behind_authority": "others settle such questions sooner",
    "ahead_completeness": "it says more",
    "behind_completeness": "it says less",
    "ahead_others": "other sources speak for it",
    "behind_others": "other sources speak for others",
    "not": "not {condition}",
    "author": "from {value}",
    "assignee": "assigned to {value}",
    "container": "in {value}",
    "kind": "type {value}",
    "state": "state {value}",
    "since": "since {value}",
    "until": "before {value}",
    "exactly": "at {value}",
    "meeting_notes": "meeting notes",
    "conclusion": "a conclusion in a conversation",
    "confirmation": "a confirmation by mail",
    "announcement": "an announcement",
    "official": "an official page",
    "status_report": "a status report",
    "status_mail": "a status report by mail",
    "recent_chat": "",
    "notice": "an announcement",
}

KOREAN = {
    "found": "{source}: 목록의 {rank}번째",
    "agreed": "{count}개 소스에서 발견",
    "broadened": "조건을 줄여서 찾음(뺀 것: {dropped})",
    "outside": "요청한 조건 밖: {conditions}",
    "unlike": "질문에서 읽은 조건과 다름: {conditions}",
    "fails": "조건에 맞지 않음: {conditions}",
    "named": "질문에 적힌 바로 그 항목",
    "strays": "본문에 없음: {things}",
    "matches": "일치: {words}",
    "titled": "일치: {words} (제목: {titled})",
    "today": "오늘",
    "days": "{count}일 전",
    "day": "1일 전",
    "months": "{count}개월 전",
    "years": "{count}년 전",
    "undated": "날짜 없음",
    "role": "{role}",
    "same": "{sources}에도 있음",
    "around": "이를 다룬 대화의 일부",
    "purpose": "용도: “{purpose}”",
    "ahead": "{source}의 순서보다 앞: {cause}",
    "behind": "{source}의 순서보다 뒤: {cause}",
    "ahead_named": "질문에 적힌 항목",
    "behind_named": "질문에 적힌 다른 항목이 앞섬",
    "ahead_asked": "조건에 맞음",
    "behind_asked": "맞지 않는 조건이 있음",
    "ahead_words": "질문의 말을 더 많이 담음",
    "behind_words": "질문의 말을 덜 담음",
    "ahead_freshness": "더 새로움",
    "behind_freshness": "더 오래됨",
    "ahead_authority": "이런 질문에 더 확실한 근거",
    "behind_authority": "이런 질문에 더 확실한 근거가 앞섬",
    "ahead_completeness": "내용이 더 충실함",
    "behind_completeness": "내용이 덜 충실함",
    "ahead_others": "다른 소스도 뒷받침함",
    "behind_others": "다른 소스가 뒷받침하는 것이 앞섬",
    "not": "제외: {condition}",
    "author": "작성자 {value}",
    "assignee": "담당자 {value}",
    "container": "위치 {value}",
    "kind": "종류 {value}",
    "state": "상태 {value}",
    "since": "{value}부터",
    "until": "{value} 이전",
    "exactly": "{value}",
    "meeting_notes": "회의록",
    "conclusion": "대화에서 나온 결론",
    "confirmation": "메일로 확인된 내용",
    "announcement": "공지",
    "official": "공식 문서",
    "status_report": "현황 보고",
    "status_mail": "메일로 온 현황 보고",
    "recent_chat": "",
    "notice": "공지",
}

BOUNDS = {">=": "since", "<": "until", "=": "exactly"}


def say(context: RankContext, key: str, **values: object) -> str:
    """One phrase in the asker's language; a role that only the configuration knows is shown by its name."""
    table = KOREAN if context.query.language == "ko" else ENGLISH
    return table.get(key, key.replace("_", " ")).format(**values)


def condition(clause: Clause, context: RankContext) -> str:
    """A condition as a person would say it."""
    match clause:
        case Compare(field, op, value) if field in TIMES:
            shown = value.strftime("%Y-%m-%d %H:%M").removesuffix(" 00:00") if hasattr(value, "strftime") else value
            return say(context, BOUNDS[op], value=shown)
        case Compare(field, _, value):
            return say(context, field.value, value=value)
        case Not(part):
            return say(context, "not", condition=condition(part, context))
        case _:
            return str(clause)
