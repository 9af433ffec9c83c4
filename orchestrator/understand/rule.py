"""Whether a question asks for a rule: what may, must or can be done, by how much, and in what case.

It asks for no state of work, and a time in it is one that the rule is of. What stands in its case is what befalls, and not what is asked.
"""

from __future__ import annotations

from functools import lru_cache

from translators.letters import PAST_SYLLABLES
from translators.patterns import regex

WHOSE = r"(?:i|we|one|an?|the|my|our|any|anyone|anybody|somebody|someone|everyone|each|every|this|that|these|those|your|their|his|her|he|she|they|it)"
"""What opens the subject of an inverted sentence."""
ALLOWED = r"(?:may|must|can|should|shall)"
RULE_EN = regex(
    rf"^\W*(?:(?:and|so|but|hi|hey|ok)\W+)?(?:may|must)\s(?!\d|\S+\W*$)"
    rf"|^\W*(?:(?:and|so|but|hi|hey|ok)\W+)?(?:can|could|should|would)\s(?!(?:i|we|you|someone|somebody|anyone|anybody)\s(?:please\s)?(?:get|have|see|know|ask|check|tell|give|show|send|share|confirm|update|find)\b|you\b)"
    rf"|\b(?:who|what|when|where|which|how|until|by)\b[^.?!]{{0,60}}?\b(?:{ALLOWED}\s{WHOSE}\b|(?:may|must)\s|(?:do|does)\s(?:{WHOSE}\s)?(?:\w+\s){{0,2}}(?:have|need)\sto\b|(?:allowed|supposed|required)\sto\b)"
    r"|\bhow\sfar\s(?:is|are)\s[^.?!]{1,60}\bfrom\s(?!being|done|complet|finish|ready|go|launch|releas)"
    rf"|\bhow\s(?!much\b|many\b|come\b|about\b|long\b|soon\b)\w+\s(?:\w+\s){{0,3}}?(?:{ALLOWED}|do|does)\s(?!you\b)"
)
"""In small letters."""
CASE_EN = regex(r"(?<=\w)[\s,]+(?:if|when|once|unless|whenever|in case)\s.*")
"""In what case: it stands behind what is asked."""
CASE = r"[가-힣]{2,20}면\s(?=\S)(?!(?:좀\s|저한테\s|나한테\s)?(?:알려|공유|보내|보여|말|전달|찾아|부탁|줘|주[세실]))"
"""A condition, and not what is said to be polite: 막힌 거 있으면 알려줘."""
RULE_KO = regex(
    r"[가-힣](?:도|면|까지)\s?(?:돼|되[나는지요죠니냐]|된다|됩|괜찮|가능|상관)"
    r"|[가-힣]야\s?(?:[하되](?:나|는지|는가|지|요|죠|니|냐)|해|돼|됩|합|할지)|[해어아여]야\s(?![하되할될한된])(?=\S)"
    r"|어디까지\s(?:[가-힣]+\s)?[가-힣]{0,4}(?:[가되하][나는지죠]|돼|가능|괜찮|인정|보장|허용|지원|포함|적용)"
    r"|[ᆯ가-힣]\s수\s?있(?:어|나|는지|을까|습|지|죠|니|냐)"
    rf"|어떻게 (?!되|돼|생각|느끼|진행|흘러|돌아|굴러|지내|보[고세시]|봐|활용|운영)(?:(?![{PAST_SYLLABLES}])[가-힣]){{1,5}}\?*$|{CASE}|(?<=[할될갈올날쓸때릴])\s때\s(?=\S)"
    r"|(?:얼마|며칠|몇\s?(?:달|주|년|개월|시간|분|일))마다|얼마나\s(?:자주|높|멀|길|오래|크|깊|두껍|두꺼|무겁|무거|빨리|일찍|늦게|가까|떨어)"
)
CASE_KO = regex(rf"^.*(?:{CASE}|(?<=[할될갈올날쓸릴])\s때\s)")
"""In what case: it stands before what is asked."""
PAST_KO = regex(
    rf"[{PAST_SYLLABLES}](?:나|는지|어|지|을까|습|니|죠|냐)\S{{0,3}}\W*$|(?:한|된|온|난|간|린|낸)\s?(?:거|건|것)\S{{0,3}}\W*$"
)
PAST_EN = regex(r"\b(?:did|was|were|had|has been|have been|still|yet|already)\b")
ASKED = 400
"""Letters of a question in which it is looked for."""


def asks_for_rule(text: str) -> bool:
    """Whether it asks, in the present, what may, must or can be done: May a technician go up alone? 몇 층까지 올라가도 돼?"""
    return _asks(text[:ASKED].lower())


@lru_cache(maxsize=32)  # the type, the state and the times of a question ask it
def _asks(said: str) -> bool:
    if not said.isascii() and RULE_KO.search(said) and not PAST_KO.search(said):
        return True
    return RULE_EN.search(said) is not None and PAST_EN.search(said) is None


def without_case(text: str) -> str:
    """What a rule is asked for, without the case in which: 배수구가 막히면 어디에 연락해, whom to call when the pump is stuck."""
    rest = CASE_KO.sub("", text[:ASKED], count=1)
    return CASE_EN.sub("", rest, count=1)
