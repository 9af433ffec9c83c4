"""What a sentence asks of somebody, and whether it speaks of the reader, in Korean and English."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from translators.match import HANGUL

if TYPE_CHECKING:
    from collections.abc import Iterable

ENDING_IN_L = "".join(chr(first + 8) for first in range(ord("가"), ord("힣") + 1, 28))  # 할, 될, 줄 …
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
# What people say to be polite, at the beginning of a sentence: what is left of it says whether it tells anything.
COURTESY = re.compile(
    r"^(?:[\s,.!~]*(?:(?:hi|hey|hello|dear|thanks|thank you|many thanks|thx|great|awesome|perfect|nice|cool|sure|okay|ok|yes|yeah|yep"
    r"|sounds good|looks good|lgtm|approved|all set|from my (?:side|end)|for merge|to merge|too|got it|will do|just took a(?: quick)? look"
    r"|i'?(?:ll| will) (?:take a(?: quick)? look|check|review)(?: (?:it|at it|this))?(?: (?:too|now|soon|later))?|absolutely|exactly|agreed|no problem|you'?re welcome|welcome|congrats|congratulations"
    r"|good (?:work|job|catch|point|idea)|great (?:work|job|catch|point|idea)|well done|team|all|everyone|everybody|guys|folks"
    r"|for (?:the|your|sharing|letting)(?: (?:quick|prompt))?(?: (?:update|updates|feedback|info|information|heads[ -]up|help|review|reminder|input|insights|comments|response|reply))?)\b"
    r"|@\S+"
    r"|(?:안녕하세요|감사합니다|감사드립니다|고맙습니다|알겠습니다|확인했습니다|확인하겠습니다|좋습니다|수고하셨습니다|수고 많으셨습니다|고생하셨습니다|축하합니다|축하드립니다)(?![가-힣])"
    r"|(?:네|넵|넹|예)(?![가-힣])))+",
    re.IGNORECASE,
)
# Nobody has asked about a decision: a sentence that only speaks of deciding, or of a change that somebody approved, states none.
SPEAKS_OF = re.compile(
    r"\bdecision[- ]mak\w+|\b(?:mak(?:e|es|ing)|timely|better|informed|strategic|business|data-driven) (?:\w+ )?decisions?\b"
    r"|\bif that(?:'s| is) the decision\b|\bthe approved\b|\bapproved (?:pr|pull request|change)\b|\bi(?:'ve| have)? approved\b"
    r"|\b(?:crucial|important|make sure|ensure|until|once|when|before)\b.{0,60}\bapproved\b"
    r"|의사\s?결정(?:권|자|\s?과정|을 (?:돕|지원|위)|에 (?:도움|필요|참고))",
    re.IGNORECASE,
)
# Somebody says what they will do, and by when. A promise without a day is mostly a courtesy.
PROMISE = re.compile(
    rf"[{ENDING_IN_L}]게요?[\s.!~…)]*$|(?<![알르되])겠습니다[\s.!~…)]*$|\bI(?:['’]ll| will|['’]m going to| am going to)\b",
    re.IGNORECASE,
)
BY_WHEN = re.compile(
    r"까지|오늘|내일|모레|(?:이번|다음)\s?주|[월화수목금토일]요일|\d월\s?\d{1,2}일|\d/\d"
    r"|\b(?:by|before|until|today|tonight|tomorrow|(?:this|next) week|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b",
    re.IGNORECASE,
)
# Somebody who is asked agrees to something and says to what.
CONSENT = re.compile(
    r"^(?:ok(?:ay)?|fine|agreed|approved|yes)[,!]? (?:with|to|for) (?!me\b|us\b)|\b(?:i|we)(?:['’]m|['’]re| am| are) (?:ok(?:ay)?|fine) with\b"
    r"|\bgo ahead with\b|(?:[으대걸]로|것으로) (?:진행|가|하)(?:합시다|하시죠|해\s?주세요|하세요|시죠|죠|ㅂ시다)",
    re.IGNORECASE,
)
# What may be done is not what is to be; and nothing is decided by a draft.
POSSIBLE = re.compile(
    r"\b(?:you|we|they|customers|users) (?:can|may|could|might)\b|수 있(?:습니다|어요|다|음|고|는)", re.IGNORECASE
)
DRAFT = re.compile(r"\bdraft\b|\bwip\b|초안|작성\s?중", re.IGNORECASE)
# Whom a text begins with: "Hi Jihyun,", "@jihyun", "지현님".
GREETED = re.compile(r"\s*(?:(?i:hi|hey|hello|dear)\s+([A-Z][A-Za-z’'-]+)|([가-힣]{2,4})\s?(?:님|씨)(?=[\s,!~]))")
MENTIONED = re.compile(r"(?<!\w)@([A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?|[가-힣]{2,4})")
TO_ALL = re.compile(r"(?i:all|team|everyone|everybody|folks|guys|there|channel|here)")
AUTOMATIC = re.compile(r"\b\w*bot\b|봇$|no-?reply|do-?not-?reply|notifications?@|\bci\b|\balerts?\b", re.IGNORECASE)
HONORIFICS = r"(?:\s?(?:님|씨|매니저|팀장|리더|대표|이사|선임|책임|수석|과장|차장|부장|대리|프로))"
KOREAN_NAME = 3  # syllables of a full name
SHORTEST = 2


class ReaderNames:
    """How the reader is called: whole names, handles and addresses; a Korean given name with a title behind it."""

    def __init__(self, names: Iterable[str], handles: Iterable[str] = ()) -> None:
        """``handles`` are theirs only behind an @."""
        parts = [part for name in names if (part := _pattern(name.strip()))]
        parts += [rf"(?<!\w)@{re.escape(each)}(?![A-Za-z0-9._-]*[A-Za-z0-9])" for each in handles if each]
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
    return rf"(?<![\w.]){re.escape(bare)}(?![A-Za-z0-9_])"  # "@jihyun님" is one word


def is_automatic(author: str) -> bool:
    """Whether a program wrote it."""
    return bool(AUTOMATIC.search(author))
