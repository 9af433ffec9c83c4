"""In Korean: what the dialects of a workplace's commonest sources say of a condition, and what is noted of completeness.

Other vendors' peculiarities stay in English, and so does whatever a source itself says.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

KOREAN_PECULIARITIES: Mapping[str, str] = {
    # any search box that reads words
    "the source is not told who is asking": "묻는 사람이 누구인지 소스에 알리지 않습니다",
    "nothing can be found by a name without letters": "글자가 없는 이름으로는 아무것도 찾을 수 없습니다",
    "asked by the name exactly as written": "쓰인 그대로의 이름으로 물었습니다",
    "it is an operator in many search boxes, and this one knows no quotes": "많은 검색창에서 연산자로 읽히는데 이 검색창에는 따옴표가 없습니다",
    "only a single word has a beginning that can be asked for": "앞부분으로 물을 수 있는 것은 낱말 하나뿐입니다",
    "its words are asked for one by one, as this search box knows no quotes": "이 검색창에는 따옴표가 없어 낱말을 하나씩 물었습니다",
    # Slack
    "Slack finds members by id or handle, and only a name is known": "Slack은 구성원을 ID나 핸들로 찾는데 이름만 알고 있습니다",
    "this is not a name that a Slack channel can have, and no id is known": "Slack 채널 이름이 될 수 없고 ID도 알려져 있지 않습니다",
    "asked as a Slack handle, for want of the member's id": "구성원 ID를 몰라 Slack 핸들로 물었습니다",
    "asked as messages that carry a file": "파일이 붙은 메시지로 물었습니다",
    "Slack's search returns messages only": "Slack 검색은 메시지만 돌려줍니다",
    "messages are assigned to nobody": "메시지에는 담당자가 없습니다",
    "Slack knows only whole days, in a time zone of its own": "Slack은 자기 시간대의 하루 단위만 압니다",
    "messages are neither open nor done": "메시지에는 진행 상태가 없습니다",
    "this is no address of a message in Slack": "Slack 메시지의 주소가 아닙니다",
    # Notion
    "Notion compares titles only": "Notion은 제목만 비교합니다",
    "this is no address of a page in Notion": "Notion 페이지의 주소가 아닙니다",
    "Notion's search knows titles, pages and databases only": "Notion 검색은 제목, 페이지, 데이터베이스만 압니다",
    # Linear
    "Linear searches by words and by nearness in meaning": "Linear는 낱말과 뜻의 가까움으로 함께 찾습니다",
    "nobody can be found by a name without letters": "글자가 없는 이름으로는 사람을 찾을 수 없습니다",
    "asked by parts of the name, for want of the member's id": "구성원 ID를 몰라 이름의 일부로 물었습니다",
    "Linear's search returns issues only": "Linear 검색은 이슈만 돌려줍니다",
    "this is no key or address of an issue": "이슈의 번호도 주소도 아닙니다",
    # Gmail
    "asked a second wider: Gmail does not say whether the boundary belongs to it": "Gmail이 경계를 포함하는지 밝히지 않아 1초 넓혀 물었습니다",
    "Gmail finds one mail by its <Message-ID> only": "Gmail은 메일 하나를 <Message-ID>로만 찾습니다",
    "Gmail finds senders by address or name, and neither is known": "Gmail은 보낸 사람을 주소나 이름으로 찾는데 둘 다 알려져 있지 않습니다",
    "Gmail's search cannot spell this label": "Gmail 검색어로 쓸 수 없는 라벨입니다",
    "the ids in Gmail's web addresses are not those of its search": "Gmail 웹 주소의 ID는 검색의 ID와 다릅니다",
    "asked by name, for want of an address; Gmail wants the whole name": "주소를 몰라 이름으로 물었습니다. Gmail은 이름 전체가 있어야 찾습니다",
    "asked by the words of the name, for want of an address": "주소를 몰라 이름의 낱말로 물었습니다",
    "asked as mail with an attachment": "첨부 파일이 있는 메일로 물었습니다",
    "Gmail's search returns mail only": "Gmail 검색은 메일만 돌려줍니다",
    "Gmail finds whole words only": "Gmail은 온전한 낱말만 찾습니다",
    "mail is assigned to nobody": "메일에는 담당자가 없습니다",
    "mail is neither open nor done": "메일에는 진행 상태가 없습니다",
    "Gmail finds Korean words only as they stand, without particles": "Gmail은 한국어 낱말을 조사 없이 쓰인 그대로만 찾습니다",
    "Gmail's clock begins in 1970": "Gmail의 시각은 1970년에 시작합니다",
}

UNREAD = re.compile(
    r"(?P<text>the text of )?(?P<missing>\d+) of (?P<all>\d+) (?P<what>[a-z]+) could not be read\b(?P<why>.*)"
)
UNITS: Mapping[str, str] = {"pages": "페이지", "mails": "메일", "files": "파일", "messages": "메시지", "issues": "이슈"}

KOREAN_THRIFT: Mapping[str, str] = {
    "half of what the source allows in its time is used up": "소스가 허용하는 호출의 절반을 썼습니다",
    "the last quarter of what the source allows in its time is kept for other questions": "소스가 허용하는 호출의 마지막 4분의 1은 다른 질문을 위해 남겨 둡니다",
}

# Notes of our own, by how they read in English.
KOREAN_NOTES: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(r"not asked further: it usually takes ([\d.]+) s and ([\d.]+) s were left"),
        "더 묻지 않음: 보통 {0}초 걸리는데 {1}초가 남았습니다",
    ),
    (re.compile(r"only the first page was read, (.+)"), "첫 쪽만 읽음: {0}"),
    (re.compile(r"not asked for anything broader: (.+)"), "더 넓게 묻지 않음: {0}"),
    (re.compile(r"asked for (\d+) of (\d+) alternatives: (.+)"), "다른 표현 {1}개 중 {0}개만 물음: {2}"),
    (re.compile(r"one of (\d+) variants failed: (.+)"), "다른 표현 {0}개 중 하나가 실패함: {1}"),
    (
        re.compile(r"left out, as it lies in the trash: (\d+) of (\d+) pages"),
        "휴지통에 있어 제외함: 페이지 {1}개 중 {0}개",
    ),
)


def said_notes(notes: Sequence[str], language: str) -> list[str]:
    """Notes on completeness in this language, as far as they are ours, each once.

    Of several that count what could not be read of the same things, the one that misses most stands for all: rungs of
    one ladder read much the same.
    """
    worst: dict[str, re.Match[str]] = {}
    for counted in filter(None, map(UNREAD.fullmatch, notes)):
        kind = _kind(counted)
        worst[kind] = max(worst.get(kind, counted), counted, key=lambda each: int(each["missing"]))
    said = (worst[_kind(found)][0] if (found := UNREAD.fullmatch(note)) else note for note in notes)
    return [_in_korean(note) if language == "ko" else note for note in dict.fromkeys(said)]


def _kind(found: re.Match[str]) -> str:
    return f"{found['text'] or ''}{found['what']}{found['why']}"


def _in_korean(note: str) -> str:
    if (found := UNREAD.fullmatch(note)) and (unit := UNITS.get(found["what"])):
        what = "의 본문을" if found["text"] else "를"
        return f"{unit} {found['all']}개 중 {found['missing']}개{what} 읽지 못했습니다{found['why']}"
    for pattern, korean in KOREAN_NOTES:
        if told := pattern.fullmatch(note):
            return korean.format(*map(_in_korean, told.groups()))
    return KOREAN_THRIFT.get(note, note)
