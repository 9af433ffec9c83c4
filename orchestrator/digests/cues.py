"""What a sentence asks of somebody, and whether it speaks of the reader, in Korean and English."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from translators.match import HANGUL

if TYPE_CHECKING:
    from collections.abc import Iterable

REQUEST = re.compile(
    r"\b(?:please|pls|plz)\b|\b(?:can|could|would|will) you\b|\bneed(?:s)? you to\b|\blet (?:me|us) know\b|\basap\b"
    r"|\byour (?:review|approval|sign-?off|input|confirmation|feedback|decision|action)\b|\bwaiting (?:for|on) you\b"
    r"|\b(?:please )?(?:review|confirm|approve|sign off|reply|respond|send|update|check) (?:\S+ ){0,6}(?:by|before|until|today|tomorrow)\b"
    r"|\baction (?:required|needed)\b|\bremind(?:er)?\b.{0,60}\bbefore\b"
    r"|부탁|[해어아여줘]\s?주(?:세요|십시오|시[면겠길기]|실)|주시[면겠길기]|주실|바랍니다|해\s?줘|해\s?주라|해야 (?:합니다|해요|함)"
    r"|(?:검토|확인|승인|회신|답변|공유|의견)(?:이|을|를)?\s?(?:필요|요청|요망|바람)|까지\s?(?:제출|회신|확인|검토|승인|완료|공유)",
    re.IGNORECASE,
)
QUESTION = re.compile(r"[?？][\s\"'”’)\]]*$|(?:까요|나요|는지요|ㄹ까요|인가요|건가요|을지요)[.…\s]*$")
AUTOMATIC = re.compile(r"\b\w*bot\b|봇$|no-?reply|do-?not-?reply|notifications?@|\bci\b|\balerts?\b", re.IGNORECASE)
HONORIFICS = r"(?:\s?(?:님|씨|매니저|팀장|리더|대표|이사|선임|책임|수석|과장|차장|부장|대리|프로))"
KOREAN_NAME = 3  # syllables of a full name
SHORTEST = 2


class Names:
    """How the reader is called: whole names, handles and addresses; a Korean given name with a title behind it."""

    def __init__(self, names: Iterable[str]) -> None:
        parts = [part for name in names if (part := _pattern(name.strip()))]
        self._pattern = re.compile("|".join(parts), re.IGNORECASE) if parts else None

    def __bool__(self) -> bool:
        return self._pattern is not None

    def named_in(self, text: str) -> bool:
        """Whether a text speaks of the reader."""
        return self._pattern is not None and self._pattern.search(text) is not None


def _pattern(name: str) -> str:
    bare = name.lstrip("@")
    if len(bare) < SHORTEST:
        return ""
    if HANGUL.match(bare):
        given = rf"|(?<![가-힣]){re.escape(bare[1:])}{HONORIFICS}" if len(bare) == KOREAN_NAME else ""
        return rf"(?<![가-힣]){re.escape(bare)}{given}"
    return rf"(?<![\w.]){re.escape(bare)}(?![\w])"


def is_automatic(author: str) -> bool:
    """Whether a program wrote it."""
    return bool(AUTOMATIC.search(author))
