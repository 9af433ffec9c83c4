"""What trackers and tables call things, in English and in Korean: whose a piece of work is, by when it is to be done, and how it stands."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from connectors.text import plain_line
from translators.match import fold
from translators.patterns import regex
from translators.query import State
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

LONGEST = 80  # characters of a column's name or of a state that are looked at
PARTS = regex(r"[()\[\]/|,·:&]+")
WORD = regex(r"[^\W_]+")
EXACT, OF_SOMETHING, NOT_AT_ALL = 2, 1, 0


@record
class ColumnName:
    """What a column is called that says one thing: ``names`` in small letters and without blanks; ``but``: words before them that make it another."""

    names: frozenset[str]
    but: AbstractSet[str]

    def fits(self, column: str) -> int:
        """How surely ``column`` is so called: ``EXACT``; ``OF_SOMETHING`` with more said ("Sales owner"); else ``NOT_AT_ALL``.

        >>> [ASSIGNEE.fits(name) for name in ("담당자 (Owner)", "영업 담당자", "Previous owner")]
        [2, 1, 0]
        """
        parts = [words for part in PARTS.split(fold(column[:LONGEST])) if (words := WORD.findall(part))]
        if any(word in self.but for words in parts for word in words):
            return NOT_AT_ALL
        found = [self._part(words) for words in parts]
        if not any(found):
            return NOT_AT_ALL
        return EXACT if all(each == EXACT for each in found) else OF_SOMETHING

    def _part(self, words: list[str]) -> int:
        for start in range(len(words)):
            if "".join(words[start:]) in self.names:
                return OF_SOMETHING if start else EXACT
        last = words[-1]  # Korean writes what it is of before it, with a blank or without
        ends = (last[: -len(name)] for name in self.names if not name.isascii() and last.endswith(name))
        return OF_SOMETHING if any(before not in self.but for before in ends) else NOT_AT_ALL


BEFORE = frozenset("previous former old original prior past initial not no 이전 전 구 기존 원래 당초 최초".split())
ASSIGNEE = ColumnName(
    frozenset(
        "assignee assignees assign assigned assignedto owner owners ownedby dri responsible responsibleperson "
        "personresponsible responsibleparty incharge personincharge peopleincharge pic "
        "담당 담당자 담당자명 담당인 책임 책임자 오너 수행자 작업자 처리자".split()
    ),
    BEFORE
    | frozenset(
        "ex co next new future backup deputy secondary alternate vice 전임 후임 차기 다음 부 보조 백업 예비 대체".split()
    ),
)
DUE = ColumnName(
    frozenset(
        "due duedate dueby dueon dueday duetime datedue deadline deadlinedate "
        "마감 마감일 마감일자 마감일시 마감날짜 마감시간 마감시한 마감기한 기한 기한일 시한 납기 납기일 데드라인".split()
    ),
    # How long something keeps or holds is no day by which it is to be done.
    BEFORE | frozenset("유통 유효 보존 보관 사용 판매 소비 보증 존속 만료".split()),
)
STATUS = ColumnName(frozenset("status state taskstatus 상태 진행상태 처리상태 진행상황 진행현황".split()), BEFORE)


OPEN = regex(
    r"open|to ?do|t\.?b\.?d\.?|pending|in progress|not (?:yet )?(?:started|done|decided)|undecided|blocked|waiting"
    r"|미정|미확정|미완료?|미착수|미결|대기(?:\s?중)?|보류|진행\s?중?|예정",
    re.IGNORECASE,
)
"""What says that something is open wherever it stands, as a cell of any table."""
DONE = regex(
    r"done|closed|completed?|paid|finished|fixed|resolved|완료|종결|종료|해결|끝|지급(?:\s?완료)?", re.IGNORECASE
)
OPEN_STATE = regex(
    r"backlog|triage|(?:un)?started|planned|queued|new|doing|active|ongoing|underway|reopened|next(?: up)?|paused|postponed|delayed"
    r"|(?:not )?(?:on|off) track|at risk|stuck|in (?:review|development|dev|testing|test|qa|design|discussion)"
    r"|under (?:review|way|consideration|discussion|construction)|on hold|awaiting \w{2,20}|waiting (?:for|on) \w{2,20}"
    r"|ready(?: (?:for|to) \w{2,20})?|needs? \w{2,20}|to be \w{2,20}|not (?:yet )?(?:begun|ready|completed?|approved|reviewed|scheduled|assigned|published|released)"
    r"|(?:할|해야 ?할) ?일|백로그|신규|접수(?:됨)?|계획(?:됨)?|연기(?:됨)?|지연(?:됨)?|보류됨|시작 ?안 ?함|시작하지 ?않음"
    r"|[가-힣]{2,6} ?(?:중|전|대기|예정|필요)|미(?:해결|처리|배포|승인|검토|진행|확인|제출|지급|납|시작)",
    re.IGNORECASE,
)
"""What says so as well where it is known to be a state; elsewhere "new" or 계획 may be anything."""
DONE_STATE = regex(
    r"cancell?ed|duplicate|won ?t (?:do|fix)|shipped|released|launched|published|delivered|merged|deployed|archived|abandoned"
    r"|(?:[가-힣]{2,6} ?)?완료(?:됨|함)?|취소(?:됨)?|폐기(?:됨)?|해결됨|닫힘|종료됨|종결됨|마감(?:됨)?|끝남|중복(?:됨)?|(?:배포|출시|발행|게시|반영|보관)됨",
    re.IGNORECASE,
)


def state_of(said: str) -> State | None:
    """Whether what a tracker calls a state is open or done; nothing where its words do not say.

    >>> state_of("✅ Done"), state_of("검토 중"), state_of("Live")
    (<State.DONE: 'done'>, <State.OPEN: 'open'>, None)
    """
    words = WORD.findall(plain_line(said[:LONGEST]))
    text = " ".join(words[1:] if words and words[0].isdecimal() else words)
    if OPEN.fullmatch(text) or OPEN_STATE.fullmatch(text):
        return State.OPEN
    return State.DONE if DONE.fullmatch(text) or DONE_STATE.fullmatch(text) else None
