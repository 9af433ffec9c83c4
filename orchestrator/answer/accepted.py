"""What was proposed in a conversation and accepted there: "3,200?", and then "Yes to 3,200". Nobody says the value again as a statement."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from orchestrator.answer.own import own_text
from orchestrator.answer.signals import asks
from translators.patterns import regex

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from connectors.contract import Hit

READ = 300  # characters of a reply in which it says yes
GREETING = r"(?:(?:dear|hi|hello|hey|thanks|thank you)\b[^,.!\n]{0,40}[,.!]\s*)?"
ALONE = r"(?=\s{0,3}(?:[.!,~\n]|$))"  # "승인 요청드립니다" asks for it
# "네 번째", "네 명이": four of them.
FOUR = r"\s(?:번째|가지|명|개|시|분|달|사람|곳|권)(?:이|가|은|는|을|를|의|에|로|으로|만)?(?![가-힣])"
YES = regex(
    rf"^\W{{0,3}}{GREETING}(?:yes|yep|yup|agreed|deal(?! with)|ok|okay|sure|perfect|confirmed|accepted|approved|go ahead|done|changed(?! my))\b"
    r"|\b(?:is|are|sounds|looks) (?:perfect|fine|good|great|ok|okay)\b|(?<!nothing )\bworks for (?:me|us)\b|\b(?:we|i) accept\b"
    rf"|^\W{{0,3}}(?:네(?!{FOUR})|예(?!\s?[:：])|네네|예예|넵넵?|넹|옙|좋(?:아요?|습니다|네요|겠(?:어요|습니다|네요))|오케이|ㅇㅋ|콜{ALONE}|(?:동의|승인|수락){ALONE})(?![가-힣])"
    r"|그렇게 (?:하죠|합시다|해요|하시죠|가죠|진행|하겠|할게)|그걸로 (?:하죠|합시다|해요|가죠|하겠|할게)|(?:동의|승인|수락)(?:합니다|해요|했|할게|하겠)",
    re.IGNORECASE,
)
# What takes it back or puts it off: "좋아요 단", "okay, let me check", "동의 못 합니다".
BUT = regex(
    r"\b(?:but|however|though|unless|if|too|not|never|let me|waiting)\b|\bno\b(?! (?:problem|objection))|n['’]t\b"
    r"|(?<![가-힣])(?:단|다만|근데|그런데|하지만|그래도|대신|안|못|아니(?:요|오)?)(?![가-힣])|지 (?:않|못)|(?:확인|검토|생각)해 ?[보볼봐]|어렵|어려[우울워]|곤란|보류",
    re.IGNORECASE,
)
NUMBER = regex(r"\d[\d,.]{0,20}")


def accepted(conversations: Iterable[Sequence[Hit]]) -> dict[str, Hit]:
    """By the id of what asked whether: the reply, by somebody else and next to it, that says yes to that and names no other number."""
    return {
        asked.id: reply
        for messages in conversations
        for asked, reply in pairwise(messages)
        if "?" in asked.snippet and asked.author != reply.author and _answers(own_text(asked), own_text(reply))
    }


def accepts(text: str) -> bool:
    """Whether somebody says yes, and nothing against it."""
    said = text[:READ]
    return bool(YES.search(said)) and not BUT.search(said) and not asks(said.strip().split("\n")[0])


def _answers(asked: str, reply: str) -> bool:
    """Whether a reply says yes to what is asked, and of the numbers that it names one stands there."""
    numbers = _numbers(reply[:READ])
    return "?" in asked and accepts(reply) and (not numbers or bool(numbers & _numbers(asked)))


def _numbers(text: str) -> set[str]:
    return {each.rstrip(".,") for each in NUMBER.findall(text)}
