"""The words that ask, in both languages, as parts of regular expressions, and those that ask and thank: what a room makes of a question is its own affair."""

from __future__ import annotations

from translators.patterns import regex

ENGLISH_ASKS = "who|whom|whose|what|when|where|which|why|how"
KOREAN_ASKS = "누[가구군]|누굴|언제|어디|무엇|무슨|뭐|뭘|왜|어떻|어떤|얼마|몇|며칠|어느"

COURTEOUS = tuple(
    "좀 부탁 알려 보여 공유 궁금 찾 줘 주실 주시 싶 확인 요청 정리 설명 있나 있어 있는지 있을까 계신 어딨 어딧 어디 뭐 뭔 뭘 무엇 누구 누군 언제 얼마 며칠"
    " 어떤 어떻 되는지 돼 가능 아시 모아 요약 문의 ㅠ ㅜ".split()
)
"""Beginnings of words that ask and thank, whatever ending follows."""
COURTESIES = frozenset(
    "알고 주세요 있음 있죠 있지 있는 있을 되나요 되죠 됩니까 혹시 아는 분 받을 볼 수 드려요 드립니다 해줘 해주세요".split()
)
"""The same, where another ending makes another word: 분 but not 분석."""

ASKS = regex(rf"(?:{ENGLISH_ASKS})\Z|{KOREAN_ASKS}")


def asks(word: str) -> bool:
    """Whether a word in small letters asks or thanks (who, 어떤, 궁금합니다), and tells nothing of the thing asked for."""
    return word in COURTESIES or word.startswith(COURTEOUS) or ASKS.match(word) is not None
