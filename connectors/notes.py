"""Notes on completeness that say how much could not be read: counted, so that of several the worst can stand for all."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Self

from translators.said import Said, said_in

if TYPE_CHECKING:
    from collections.abc import Mapping

# What is counted, as the callers name it; of anything else Korean gives the number alone.
COUNTED: Mapping[str, str] = MappingProxyType(
    {
        "categories": "카테고리",
        "channels": "채널",
        "discussions": "토론",
        "files": "파일",
        "folders": "폴더",
        "hits": "결과",
        "issues": "이슈",
        "mails": "메일",
        "messages": "메시지",
        "pages": "페이지",
        "posts": "글",
        "projects": "프로젝트",
        "repositories": "저장소",
        "results": "결과",
        "shared drives": "공유 드라이브",
        "sites": "사이트",
        "spaces": "스페이스",
        "supports": "근거",
        "tasks": "작업",
        "teams": "팀",
        "topics": "토픽",
        "types": "유형",
        "workspaces": "워크스페이스",
    }
)


class Unread(Said):
    """So many of so many things could not be read. ``kind``: the same for notes that count the same things."""

    __slots__ = ("kind", "missing")
    kind: str
    missing: int

    @classmethod
    def of(cls, missing: int, everything: int, what: str, why: str = "", *, text: bool = False) -> Self:
        """``what``: in English and the plural; ``text``: the things are there, and only what they say is not."""
        english = f"{'the text of ' * text}{missing} of {everything} {what} could not be read{f' ({why})' * bool(why)}"
        counted = f"{COUNTED.get(what, '')} {everything}개 중 {missing}개".lstrip()
        korean_why = f" ({said_in(why, 'ko')})" * bool(why)
        made = cls(english, f"{counted}{'의 본문을' if text else '를'} 읽지 못했습니다{korean_why}")
        made.kind, made.missing = f"{text} {what} {why}", missing
        return made
