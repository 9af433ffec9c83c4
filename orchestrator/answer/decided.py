"""Whether a sentence that nobody has asked about states a decision, and whether it says anything at all: for what happened in a time, and for digests."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from orchestrator.answer.own import WORK
from orchestrator.answer.signals import DECIDED, HEDGED
from orchestrator.answer.text import ADDRESS, STOP
from translators.match import is_korean, words

if TYPE_CHECKING:
    from connectors.contract import Hit
    from orchestrator.answer.quote import Quote

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
AUTOMATIC = re.compile(r"\b\w*bot\b|봇$|no-?reply|do-?not-?reply|notifications?@|\bci\b|\balerts?\b", re.IGNORECASE)
QUESTION = re.compile(r"[?？][\s\"'”’)\]]*$|(?:까요|나요|는지요|ㄹ까요|인가요|건가요|을지요)[.…\s]*$")
ADVERTISING = frozenset({"CATEGORY_PROMOTIONS", "CATEGORY_SOCIAL", "SPAM"})
LEAST, LETTERS = 2, 8  # words of a sentence that says something, and letters of them


def is_automatic(author: str) -> bool:
    """Whether a program wrote it."""
    return bool(AUTOMATIC.search(author))


def is_noise(hit: Hit) -> bool:
    """Written by a program, or advertising."""
    labels = hit.facts.get("labels")
    advertises = isinstance(labels, tuple) and not ADVERTISING.isdisjoint(labels)
    return advertises or (hit.author is not None and is_automatic(hit.author.name or hit.author.email or ""))


def says_something(quote: Quote) -> bool:
    """Not by a program, and more than "LGTM, approved!", "Thoughts?" or thanks; Korean says as much in fewer words."""
    said = [word for word in words(COURTESY.sub("", ADDRESS.sub(" ", quote.words))) if word not in STOP]
    least = LEAST if is_korean(quote.words) or QUESTION.search(quote.words) else LEAST + 1
    return not is_noise(quote.result.hit) and len(said) >= least and len("".join(said)) >= LETTERS


def decides(quote: Quote) -> bool:
    """It states what is so from now on, by an answer's own reading or as consent. Work says by its title what was approved."""
    said, hit = quote.words, quote.result.hit
    consents = CONSENT.search(said) and not HEDGED.search(said)
    if not (quote.signal or consents) or SPEAKS_OF.search(said) or DRAFT.search(hit.title):
        return False
    if POSSIBLE.search(said) and not DECIDED.search(said):
        return False
    return says_something(quote) or (hit.kind in WORK and not is_noise(hit))
