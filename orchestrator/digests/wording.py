"""The words of a digest, in the reader's language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.digests.content import SectionKind, Why

if TYPE_CHECKING:
    from orchestrator.digests.content import Coverage, Digest, DigestEntry, Group

PLACES = 4  # that are named where something is not shown
ENGLISH = {
    SectionKind.ACTIONS: "For you to do",
    SectionKind.DECISIONS: "Decided",
    SectionKind.MENTIONS: "You were mentioned",
    SectionKind.UPDATES: "What happened",
    SectionKind.DOCUMENTS: "Documents changed",
    Why.REQUEST: "asked of you",
    Why.PROMISED: "you said you would",
    Why.ASSIGNED: "assigned to you",
    Why.DUE: "due {day}",
    Why.OVERDUE: "overdue since {day}",
    Why.QUESTION: "open question",
    "daily": "Daily digest",
    "weekly": "Weekly digest",
    "spanning": "Digest",
    "span": "{since} – {until} ({zone})",
    "unanswered": "Unanswered questions",
    "made": "new, by {author}",
    "made by nobody": "new",
    "became": "became {state}",
    "finished": "finished",
    "state": "state: {state}",
    "assignee": "assigned to {name}",
    "nothing": "Nothing new.",
    "nothing_known": "Nothing new in what could be read; see what is missing.",
    "other": "Other",
    "also": "also in {places}",
    "count": "{count} messages or changes",
    "left": "and {count} more",
    "left in": "and {count} more: {places}",
    "elsewhere": "{count} elsewhere",
    "gaps": "What is missing",
    "gap_range": "{title}: read up to {covered} of {until}; {problem}. The rest comes with the next one.",
    "gap_part": "{title}: {problem}",
    "gap_none": "{title}: {problem}",
    "no_reason": "it could not be read to the end",
    "totals": "{events} events, {matters} matters, from {sources}.",
    "late": "{count} of them happened before that: their source did not list them yet (looked at again from {again}).",
    "totals_none": "no source",
    "source_count": "{title} {events}",
    "changed": "The answer has changed",
    "unchanged": "The answer is the same",
    "now": "Now",
    "before": "Before",
    "asked": "Question",
    "first": "A first answer",
    "none yet": "No answer yet",
    "stands on": "It stands on",
    "new": "New",
    "gone": "No longer there",
    "dense": "more than {count} things between {since} and {until}; the others cannot be told",
}
KOREAN = {
    SectionKind.ACTIONS: "해야 할 일",
    SectionKind.DECISIONS: "결정된 내용",
    SectionKind.MENTIONS: "나를 언급한 내용",
    SectionKind.UPDATES: "진행 상황",
    SectionKind.DOCUMENTS: "변경된 문서",
    Why.REQUEST: "요청받음",
    Why.PROMISED: "하겠다고 한 일",
    Why.ASSIGNED: "내 담당",
    Why.DUE: "기한 {day}",
    Why.OVERDUE: "기한 지남 {day}",
    Why.QUESTION: "답이 없는 질문",
    "daily": "일일 다이제스트",
    "weekly": "주간 다이제스트",
    "spanning": "다이제스트",
    "span": "{since} – {until} ({zone})",
    "unanswered": "답이 없는 질문",
    "made": "{author} 작성",
    "made by nobody": "새로 작성됨",
    "became": "{state} 상태로 바뀜",
    "finished": "끝남",
    "state": "상태: {state}",
    "assignee": "담당: {name}",
    "nothing": "새로운 내용이 없습니다.",
    "nothing_known": "읽을 수 있었던 범위에는 새로운 내용이 없습니다. 빠진 내용을 확인하세요.",
    "other": "기타",
    "also": "{places}에도 있음",
    "count": "메시지·변경 {count}건",
    "left": "외 {count}건",
    "left in": "외 {count}건: {places}",
    "elsewhere": "다른 곳 {count}건",
    "gaps": "빠진 내용",
    "gap_range": "{title}: {until} 중 {covered}까지 읽음; {problem}. 나머지는 다음 다이제스트에 실립니다.",
    "gap_part": "{title}: {problem}",
    "gap_none": "{title}: {problem}",
    "no_reason": "끝까지 읽지 못했습니다",
    "totals": "{sources}에서 이벤트 {events}건, 사안 {matters}건.",
    "late": "그중 {count}건은 그 이전 일로, 지난번에는 소스에 아직 없던 것입니다({again}부터 다시 확인).",
    "totals_none": "소스 없음",
    "source_count": "{title} {events}건",
    "changed": "답이 바뀌었습니다",
    "unchanged": "답이 그대로입니다",
    "now": "지금",
    "before": "이전",
    "asked": "질문",
    "first": "첫 답변",
    "none yet": "아직 답이 없습니다",
    "stands on": "근거",
    "new": "새로 생긴 근거",
    "gone": "더 이상 없는 근거",
    "dense": "{since}부터 {until}까지 {count}건이 넘어 나머지는 싣지 못했습니다",
}


def say(language: str, key: str, **values: object) -> str:
    """One phrase in the reader's language."""
    return (KOREAN if language == "ko" else ENGLISH)[key].format(**values)


def heading(digest: Digest) -> str:
    """What stands above a digest."""
    return digest.title or f"{say(digest.language, digest.period)}: {digest.name}"


def reason(entry: DigestEntry, language: str) -> str:
    """Why an entry is an action; "" for other entries."""
    if entry.why is Why.NONE:
        return ""
    day = entry.due.isoformat() if entry.due else ""
    told = say(language, entry.why, day=day)
    with_day = entry.due is not None and entry.why not in {Why.DUE, Why.OVERDUE}
    return f"{told}, {say(language, Why.DUE, day=day)}" if with_day else told


def doings(entry: DigestEntry, language: str) -> tuple[str, ...]:
    """Who did what is told, and how a piece of work stands; of the reader's own it is known whose it is."""
    origin = entry.origin
    told = [origin.author]
    if origin.new:
        told = [say(language, "made", author=origin.author) if origin.author else say(language, "made by nobody")]
    if origin.finished:
        told.append(say(language, "became", state=origin.state) if origin.state else say(language, "finished"))
    elif origin.state and not entry.quoted:
        told.append(say(language, "state", state=origin.state))
    if origin.assignee and entry.why in {Why.NONE, Why.REQUEST, Why.QUESTION}:
        told.append(say(language, "assignee", name=origin.assignee))
    return tuple(filter(None, told))


def left(group: Group, language: str) -> str:
    """How many entries are not shown, and where they are to be found; "" where all are."""
    if not group.left:
        return ""
    most = group.where[:PLACES]
    places = [say(language, "source_count", title=place, events=count) for place, count in most]
    if rest := group.left - sum(count for _, count in most):
        places.append(say(language, "elsewhere", count=rest))
    if not most:
        return say(language, "left", count=group.left)
    return say(language, "left in", count=group.left, places=", ".join(places))


def gap(each: Coverage, digest: Digest) -> str:
    """What is missing of one source, and why."""
    problem = each.problem or say(digest.language, "no_reason")
    if not each.asked:
        return say(digest.language, "gap_none", title=each.title, problem=problem)
    if each.covered >= each.until:
        return say(digest.language, "gap_part", title=each.title, problem=problem)
    days = {"covered": moment(each.covered, digest), "until": moment(each.until, digest)}
    return say(digest.language, "gap_range", title=each.title, problem=problem.rstrip("."), **days)


def nothing(digest: Digest) -> str:
    """What stands in an empty digest: that nothing was found is not that there was nothing."""
    return say(digest.language, "nothing_known" if digest.gaps else "nothing")


def totals(digest: Digest) -> str:
    """The last line."""
    counted = [
        say(digest.language, "source_count", title=each.title, events=each.events)
        for each in digest.coverage
        if each.asked
    ]
    sources = ", ".join(counted) or say(digest.language, "totals_none")
    return say(digest.language, "totals", events=digest.events, matters=digest.matters, sources=sources)


def late(digest: Digest) -> str:
    """What is told although it happened in the time of an earlier one; "" where nothing is."""
    again = [each.again for each in digest.coverage if each.late and each.again]
    count = sum(each.late for each in digest.coverage)
    return say(digest.language, "late", count=count, again=moment(min(again), digest)) if again else ""


def span(digest: Digest) -> str:
    """From when to when, in the reader's zone."""
    since, until = moment(digest.since, digest), moment(digest.until, digest)
    return say(digest.language, "span", since=since, until=until, zone=digest.zone)


def moment(when: object, digest: Digest) -> str:
    """``2026-11-20 09:00`` in the reader's zone."""
    from datetime import datetime

    from orchestrator.digests.schedules import zone_of

    assert isinstance(when, datetime)
    return when.astimezone(zone_of(digest.zone)).strftime("%Y-%m-%d %H:%M")
