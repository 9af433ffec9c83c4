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
YES = regex(
    rf"^\W{{0,3}}{GREETING}(?:yes|yep|yup|agreed|deal|ok|okay|sure|perfect|confirmed|accepted|approved|go ahead|done|changed)\b"
    r"|\b(?:is|are|sounds|looks) (?:perfect|fine|good|great|ok|okay)\b|\bworks for (?:me|us)\b|\b(?:we|i) accept\b"
    r"|^\W{0,3}(?:네|넵|넹|예|좋아요|좋습니다|오케이|ㅇㅋ|콜|동의(?:합니다|해요)?|승인|수락)(?![가-힣])"
    r"|그렇게 (?:하죠|합시다|해요|하시죠|가죠|진행|하겠|할게)|그걸로 (?:하죠|합시다|해요|가죠|하겠|할게)|(?:승인|수락)(?:합니다|했|할게|하겠)",
    re.IGNORECASE,
)
BUT = regex(
    r"\b(?:but|however|though|unless|if|too|not)\b|n['’]t\b|(?<![가-힣])(?:단|다만|근데|그런데|하지만|그래도|대신)(?![가-힣])",
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
