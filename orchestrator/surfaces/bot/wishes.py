"""What is said to the bot and asks nothing, or asks the same otherwise: courtesies, help, another language, one source only."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from orchestrator.dialogue import has_subject
from translators.said import Said, filled_in

if TYPE_CHECKING:
    from orchestrator.engine import Engine
    from orchestrator.model import Ask

END = r"[\s,.!~?…^]*+"
THANKS = (
    r"(?:many )?thanks(?: (?:a lot|so much|again))?|thank you(?: (?:so|very) much)?|thx|cheers|great|perfect|awesome|nice|cool|ok(?:ay)?|got it|(?:good)?bye"
    r"|(?:정말 |너무 )?(?:고마워요?|고맙습니다|감사(?:합니다|해요|드립니다|드려요)?)|네{1,3}|넵{1,3}|넹|예|알겠(?:습니다|어요?)|확인했(?:습니다|어요?)"
    r"|(?:well|nicely) done|(?:good|great|nice) (?:job|work|one)|good|ty|yes|ye(?:p|ah)|sure|understood|noted|no worries|never ?mind|nvm|lol|(?:ha){2,9}|kk"
    r"|땡큐|굿|오케이|오키|응|아하?|그렇군요?|그렇구나|좋(?:아|네|습니다)요?|최고(?:예요|네요|입니다)?|잘했어요?|이해했(?:습니다|어요?)|됐(?:습니다|어요?)"
    r"|수고(?:하셨습니다|하세요|했어요?|많으셨습니다)?|[ㄱㄳㅅㅇㅎㅋㅠㅜ]+|:[+\w-]+:|[\U0001f300-\U0001faff\u2600-\u27bf\ufe0f]"
)
GREETING = r"hi|hey|hello|good (?:morning|afternoon|evening)|안녕(?:하세요|하십니까)?|하이|굿모닝|좋은 (?:아침|하루|저녁)(?:이에요|입니다|되세요)?|반가워요?|반갑습니다|there|bot|fedsearch"
HELP = (
    r"help(?: me)?|what can you do|how (?:do i|to|can i) use (?:you|this)|usage"
    r"|도움말|도와\s?(?:줘|주세요|줄래)요?|사용법(?:\s?(?:알려\s?(?:줘|주세요)))?|(?:뭘|무엇을|뭐)\s?할 수 있(?:어|나|니|어요|나요|습니까)"
    r"|(?:이거\s?)?어떻게 (?:써|쓰는 거야|쓰나|쓰나요|사용하나요|사용해요?|쓰면 돼요?)"
)
SMALL_TALK = re.compile(rf"{END}(?:(?:{THANKS}|{GREETING}|{HELP})(?![\w가-힣]){END})+", re.IGNORECASE)
INTRODUCED = re.compile(rf"(?<![\w가-힣])(?:{GREETING}|{HELP})(?![\w가-힣])", re.IGNORECASE)
PLEASE = r"(?:\s*+,?\s*+please)?"
LANGUAGE = re.compile(
    rf"{END}(?:(?:again|(?:please )?(?:answer|reply|say (?:it|that)|repeat (?:it|that)))\s+)?(?:in )(?P<in>korean|english){PLEASE}{END}"
    rf"|{END}(?P<by>한국어|한국말|우리말|영어)로(?:도|만)?(?:\s*(?:다시|답변?|대답|말씀|말|설명|알려|보여|해|써|번역))*\s*+(?:줘|주세요|주실래|줄래)?요?{END}",
    re.IGNORECASE,
)
KOREAN = frozenset({"korean", "한국어", "한국말", "우리말"})
ONLY = re.compile(
    rf"{END}(?P<ko>[\w .-]{{1,40}}?)(?:에서|에|쪽|쪽에서)?만(?:\s*(?:다시|찾아|보여|검색해?|봐|알려|답해))*\s*+(?:줘|주세요|봐)?요?{END}"
    rf"|{END}(?:only|just)\s+(?:(?:in|on|from)\s+)?(?P<en>[\w .-]{{1,40}}?){PLEASE}{END}"
    rf"|{END}(?:(?:in|on|from)\s+)?(?P<last>[\w .-]{{1,40}}?)\s+only{PLEASE}{END}",
    re.IGNORECASE,
)
ASKED_ANEW = Said("what is known about {subject}?")


def small_talk(text: str) -> str:
    """What of the bot's words answers a message that asks nothing: ``help``, ``welcome``; "" for a question."""
    if not SMALL_TALK.fullmatch(text):
        return ""
    return "help" if INTRODUCED.search(text) else "welcome"


def language_wished(text: str) -> str:
    """``ko`` or ``en`` where nothing is wished but an answer in that language; "" else."""
    found = LANGUAGE.fullmatch(text)
    if found is None:
        return ""
    return "ko" if (found["in"] or found["by"]).casefold() in KOREAN else "en"


def asked_anew(subject: str, language: str) -> str:
    """A question on a subject in words of a language."""
    return filled_in(ASKED_ANEW, language, subject=subject)


def only_in(text: str) -> str:
    """What a message of nothing else says it wants only from, as a place to understand: "Slack에서만" is "in Slack"."""
    found = ONLY.fullmatch(text)
    return f"in {next(filter(None, found.groups())).strip()}" if found else ""


async def only_from(engine: Engine, ask: Ask) -> str:
    """The filter that a message stands for which only names where to look: one source, else all of its kind; "" else."""
    if not (place := only_in(ask.text)):
        return ""
    query = await engine.understand(replace(ask, text=place))
    if has_subject(query) or not query.hints:
        return ""
    named, known = place.removeprefix("in ").casefold(), await engine.profiles_for(ask.principal)
    one = next((each.name for each in known if named in {each.name.casefold(), each.title.casefold()}), "")
    kind = next((hint.value for hint in query.hints if any(each.category is hint for each in known)), "")
    return f"source:{one or kind}" if one or kind else ""
