"""How sure it is that a time in a question is the time of writing, and not a part of what is looked for (the October invoice)."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from orchestrator.understand.meaning import LIKELY
from orchestrator.understand.rule import asks_for_rule
from orchestrator.understand.time.calendar import SEASONS
from translators.letters import PAST_SYLLABLES
from translators.patterns import regex

if TYPE_CHECKING:
    from datetime import date

    from orchestrator.understand.draft import Draft
    from orchestrator.understand.time.calendar import PeriodHit

CONTENT = 0.4
"""The period is more likely a part of the thing: it only orders."""
SURE = 0.9
"""Last week, in 2023 we decided."""
MONTH = 31
"""Days of the longest month: what names a longer time rather says which thing it is."""
YEAR = regex(
    r"(?<!\d)(?:1[89]|20)\d\d(?!\d)|\b(?:fy|cy)\s?'?\d\d\b|\b(?:twenty|nineteen)\b|\b(?:fiscal|financial) year\b",
)
BOUND = regex(
    r"^(?:since|after|before|until|till|through|by|from|between|prior|later|newer|older|earlier|ahead|up)\b|(?:이후|이전|부터|까지|전에?|이래로?|직후)(?:의|에|는|까지)?$"
)
SEASON = regex("|".join(rf"\b{name}\b" if name.isascii() else name for name in SEASONS))
PLACED = regex(
    r"^(?:back in|in|on|during|over|within|throughout|around|across|sometime)\b|(?:에|에는|에서|에서는|에도|엔|동안|사이|내내|중에?|쯤에?|경에?|들어서?|기준)$"
)
"""The words of a period that put something into it, rather than name a thing by it."""
PAST = regex(
    r"\b(?:did|was|were|had|(?:have|has)(?! to\b))\b|(?<!\bare )(?<!\bis )(?<!\bam )\b(?:we|i|they|you|he|she|who|team|people) (?:\w+ly )?(?:(?!need\b|supposed to\b)\w{2,}ed|said|wrote|made|sent|built|chose|took|held|met|ran|got|gave|put|went|saw|told|paid|bought|sold)\b"
    r"|[았었했됐였갔왔났셨졌렸겼쳤냈랐꿨쐈탔샀](?:나|는|던|다|어|지|을|습|고|니|죠|음|네|대|더|으)"
)
"""Somebody did something then, or it befell: by the commonest verbs alone, since the words of a period that is sure weigh nothing."""
OVER = regex(
    rf"\b(?:did|was|were|had|ago|already|last)\b|[{PAST_SYLLABLES}](?:나|는|던|다|어|지|을|습|고|니|죠|음|네|대|더|으)|(?:한|된|온|난|간|린|낸|른) (?:게|건|것이|것은|거) 언제"
)
"""It is over, so that the day that is asked for has been."""
OF_A_TIME = regex(
    r"\b(?:who|who's|where|what time|how much|(?:do|does)(?! (?:\w+ ){0,2}(?:know|say|think|feel|remember)\b)|(?:am|should|must) i|(?:are|is) (?:we|you|they|he|she|it|the|our|my|there))\b|^\W*(?:is|are|can|may|must)\b"
    r"|누가|누구|누군|어디|몇 ?시|얼마|[가-힣]야 (?:하|할|되|될|합|됩)|[가-힣]는 (?:사람|분|곳|데|시간)(?:은|이|을)?\W*$|(?:나요|가요|니까|지요|죠)\W*$"
)
"""Asks of a time in the present whom, where, at what hour, or whether: who covers the gate on Christmas Day, 추석에 문 여나요."""
WHEN = regex(r"\bwhen(?:'s|’s| is| are| do| does| can| must| should)\b|언제")
"""Asks of a time that goes on for the day in it: 이달 마감 언제야."""
BEFELL = regex(r"^[\s,]*(?:[^\s.?!,]+\s){0,2}?[가-힣]+(?:[된뀐진던린낸긴]|(?<!가능)(?<!필요)한)\s")
"""Behind a period: what befell a thing then, 1월에 결정된 정책."""
DONE_KO = regex(r"[된한온난간린낸른뀐힌킨]\s(?:[가-힣]+\s)?(?:거|것|게|건|글|메일|문서|일|공지)")
"""What befell: 발표된 거."""
RUNNING = regex(r"\b(?:this|today|tonight)\b|오늘|금일|[이요]번|금주|이\s?달|금월|올해")
"""A period that is not over, by its words."""
MODIFIES = regex(r"(?:^|\s)(?:[a-z][\w-]{2,}ed|written|sent|made|built|held|shown|given|taken) (?:\S+ )?$")
"""Before a period: guidance issued in 2021."""
WRITTEN = regex(
    r"(?:uploaded|posted|sent|shared|written|submitted|discussed|decided|agreed|announced|created|made|raised|reported|filed|mentioned|mailed|emailed|recorded|drafted) (?:\S+ )?$"
)
"""What people do with texts, so that its time is the time of the text."""
MODIFIES_KO = regex(
    r"^[\s,]*(?P<between>(?:[^\s.?!,]+\s){0,2}?)(?P<verb>[가-힣]*(?:[된한인른뀐힌킨]|[가-힣](?:은|던)))\s+(?=[^\s?!.])"
)
WRITTEN_KO = regex(
    r"올라|올린|공유|작성|보낸|받은|쓴|적은|남긴|게시|논의|결정|합의|정한|나온|말한|얘기|이야기|언급|발표|공지|등록|제출|정리|회의"
)
ACTOR = regex(r"(?:우리|저희|내|제|님|팀|씨)(?:가|이|에서|께서)?\s")
PARTICLE = regex(r"(?<=[가-힣\d])(?:에서는|에서|에는|에도|에|의|은|는|을|를|부터|까지|동안|중|쯤|경|엔)$")
LEADS = frozenset(
    "in on at for of the a an by from to since until till before after during over within throughout between and or this that up"
    " back around due".split()
)

WHICH = frozenset("last past previous next 지난 저번 이번 올 올해 작년 재작년 다음 내년".split())
"""Which season or month: no part of its name."""


def is_named(hit: PeriodHit, text: str) -> bool:
    """October, 3분기, 2024: other than *last week*, a document can say it of itself."""
    return (
        hit.yearless
        or YEAR.search(text[hit.first : hit.last].lower()) is not None
        or SEASON.search(text[hit.first : hit.last].lower()) is not None
        or "년" in text[hit.first : hit.last]
    )


def is_over(sentence: str, behind: str) -> bool:
    """Whether what is said of a time is said in the past. ``behind``: what follows the time."""
    return any(past.search(sentence) for past in (OVER, PAST, DONE_KO)) or BEFELL.match(behind) is not None


def certainty(hit: PeriodHit, text: str, today: date) -> float:
    """How sure it is that ``hit`` tells when something was written, above 0 and below 1."""
    words = text[hit.first : hit.last].lower()
    if _is_of_the_thing(hit, text, words, today):
        return CONTENT
    if not (hit.yearless or YEAR.search(words) or SEASON.search(words)) or BOUND.search(words):
        return SURE  # counted from today, or a bound: nothing is called so
    before, behind = text[: hit.first].lower(), text[hit.last :].lower()
    last = not text[hit.last :].strip(" ?.!,")
    if not PLACED.search(words) and not (SEASON.search(words) and last and PAST.search(text.lower())):
        return LIKELY if _days(hit) < MONTH - 3 else CONTENT
    modifier = MODIFIES_KO.match(behind)
    if modifier and not ACTOR.search(modifier["between"]) and "가 " not in modifier["between"]:
        return SURE if WRITTEN_KO.search(modifier.group()) else _of_thing(hit)
    if MODIFIES.search(before) and not PAST.search(" ".join(before.split()[-3:])):
        return SURE if WRITTEN.search(before) else _of_thing(hit)
    return SURE if modifier or PAST.search(text.lower()) else LIKELY


def _is_of_the_thing(hit: PeriodHit, text: str, words: str, today: date) -> bool:
    """Who closes this week: that was settled before. May I hand in last month's receipts: the rule may be older, too."""
    whole, behind = text.lower(), text[hit.last :].lower()
    if _is_running(hit, words, today) and (OF_A_TIME.search(whole) or WHEN.search(whole)):
        return not is_over(whole, behind)
    return asks_for_rule(whole) and not BOUND.search(words) and not BEFELL.match(behind)


def _is_running(hit: PeriodHit, words: str, today: date) -> bool:
    """Whether a period is not over: it has days to come, or is the month named in which it is asked. What is counted back ends with today."""
    if RUNNING.search(words):
        return True
    if hit.start is None or hit.end is None:
        return False
    return hit.start <= today < hit.end - (timedelta(0) if hit.yearless else timedelta(days=1))


def _of_thing(hit: PeriodHit) -> float:
    """Something that befell a thing: in a month, somebody is likely to have written of it then; in a year, it says which thing."""
    return LIKELY if _days(hit) <= MONTH else CONTENT


def _days(hit: PeriodHit) -> int:
    return (hit.end - hit.start).days if hit.start and hit.end else MONTH + 1


def keep_words(draft: Draft, hit: PeriodHit) -> None:
    """Let the words of a period weigh that may be a part of what is looked for."""
    for word in draft.words_in(hit.first, hit.last):
        text = PARTICLE.sub("", word.text)
        if word.lower not in LEADS and word.lower not in WHICH and text:
            draft.lessen(word.start, text)
