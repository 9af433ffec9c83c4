"""The noun that a question asks for, as a pattern: "payload of the van", "freezer temperature?", 냉동고 온도, 주차비가 얼마예요."""

from __future__ import annotations

# Before the noun that is asked for stands nothing but what asks, determines or describes it; behind it of what it is, or nothing.
ASKING_EN = (
    r"^\W*(?:(?:what|whats|what['’]s|which|is|are|was|were|the|an?|our|my|your|their|its|of|in|at|to|by|under|tell|give|show|me|us|please|pls|hi|hey|hello|so|and|ok"
    r"|do|we|you|i|know|have|need|anyone)\b[\s,]*+)*+"
)
NOT_ASKED = r"(?!\W*(?:is|are|was|were|do|does|did|has|have|had|can|could|should|will|would|may|must|why|who|whose|when|where|how|steps|procedure|instructions)\b)"
OF_WHAT = r"(?=\W*$|[\s,]+(?:of|for|in|on|at|per|from|between|under|with|within|limits?|allowed|range|settings?|is|are|does|do|did|should|must|we|you)\b)"
# Behind a Korean noun a particle, a word on what the value is, and what asks for it.
ASKED_KO = (
    r"(?:은|는|이|가|을|를|도|의)?\s?(?:(?:좀|지금|현재|최대|최소|한도|제한|기준|상한|하한)(?:은|는|이|가|을|를)?\s?){0,2}"
    r"(?:얼마|얼만|몇|어떻게\s?(?:되|돼|될|됐)|뭐|뭔|무엇|알려|궁금|이?[야에예죠지]|인가|(?=[?？.!~\s]*$))"
)


def asks_for(how: str, english: str = "", korean: str = "") -> str:
    """A pattern of what is asked for so, or by one of these nouns."""
    named = (
        rf"{ASKING_EN}(?:[\w-]+\s){{0,3}}(?:{english})\b{OF_WHAT}|^{NOT_ASKED}.*\b(?:{english})\W*$" if english else "",
        rf"(?:{korean}){ASKED_KO}" if korean else "",
    )
    return "|".join(filter(None, (how, *named)))
