"""Text that gives orders to the machine that reads it, and not to colleagues (prompt injection): it is shown where it stands, and never said as ours.

A rule that colleagues are to keep is none, even where it speaks of instructions ("never ignore the safety rules", "reply
with your availability"): orders are what changes the reader's own rules, role or words.
"""

from __future__ import annotations

import re
from functools import lru_cache

from translators.patterns import Sieve, regex

BEFORE = r"(?:^|[.:;,!?\"'“”‘’()\[\]<>*#|…-]\s{0,3}|\b(?:please|and|now|then|so|must|should|just|also|kindly|instead|shall)\s)"
ORDERS = regex(
    BEFORE
    + r"(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:instructions?|prompts?|rules?|guidelines?|messages?|above|previous|prior|told)\b"
    r"|\b(?:reveal|print|output|show|repeat)\b.{0,30}\bsystem prompt\b|\bsystem prompt\s?:|\bnew instructions?\s?:"
    r"|\byou are now (?:an?|the|in)\b|\bas an? (?:ai|llm|(?:ai |large )?language model|ai assistant)\b.{0,3}\b(?:you|i)\b"
    r"|\bif you(?:['’]re| are) an? (?:ai|llm|(?:large )?language model|(?:ai )?assistant|bot)\b"
    r"|\b(?:ai|llm|bot|chatbot|assistant|model|agent)s?\b.{0,20}\b(?:reading|summari[sz]ing|processing) this\b"
    r"|\b(?:respond|reply|answer|output) only with\b|\bonly (?:respond|reply|answer) with\b"
    r"|\b(?:do not|don['’]t|never) (?:tell|mention|reveal|cite)\b.{0,20}\b(?:the user|th(?:is|ese) (?:message|instruction|text|prompt)|that you|(?:your|the) sources?)"
    r"|<\s*+/?\s*+(?:system|instructions?)\s*>|\[/?inst\]|<\|(?:im_start|im_end|system|user|assistant)\|?>"
    # "기존 규칙을 무시하고 배포하면 안 됩니다" is a rule.
    r"|(?:이전|앞선|앞의|앞에서|위의?|지금까지|기존|모든|원래).{0,12}(?:지시|명령|지침|프롬프트|규칙|안내|내용|대화).{0,12}"
    r"(?:(?:무시|배제)(?:하고|하세요|하라|하십시오|하시오|하며|하여|하도록|해|한 [채뒤]|할 것|바랍)|잊(?:고|어|으)|따르지 ?(?:말|마|않고))"
    r"(?![^.!?\n]{0,60}(?:안\s?[되돼됩된]|금지|수 없|지 ?(?:마세|마십|않습|않는|않아|말아)))"
    r"|시스템 프롬프트.{0,12}(?:출력|공개|알려|보여|무시)|(?:너는|당신은) (?:이제|지금부터)|당신[은이] (?:ai|인공지능|챗봇)"
    r"|(?:글|문서|메시지|메일|내용|페이지)[을를]? ?(?:읽|요약하|보|처리하)는 .{0,12}(?:\bai|인공지능|챗봇|모델|어시스턴트|비서)"
    r"|[다라]고만 (?:답|대답|답변|응답|출력)(?:하|해)",
    re.MULTILINE | re.DOTALL,  # a line may be broken inside what it says
)


ORDERED = Sieve(ORDERS)


@lru_cache(maxsize=1024)
def commands(text: str) -> bool:
    """Whether ``text`` addresses a reader who obeys: "ignore the previous instructions", "이전 지시는 무시하고"."""
    return ORDERED.finds(text.lower())
