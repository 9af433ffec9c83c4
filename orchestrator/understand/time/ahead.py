"""Days and months without a year that lie ahead, as the verb says: will it begin in December, 12월 14일에 시작되나요."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from orchestrator.understand.time.calendar import MONTHS, Grain, add_months
from orchestrator.understand.time.certainty import OF_A_TIME, OVER, PLACED, is_over
from translators.letters import FUTURE_SYLLABLES, PAST_SYLLABLES
from translators.patterns import regex
from translators.question_words import ENGLISH_ASKS, KOREAN_ASKS

if TYPE_CHECKING:
    import re
    from datetime import date

    from orchestrator.understand.time.calendar import PeriodHit

CERTAIN = regex(
    r"(?<!free )\b(?:will|won't|won’t|shall|(?:is|are|am|'re) going to)\b(?! have\b)"
    r"|예정(?!대로|됐|되었|이었|이던)|(?:할|될|열릴|올|갈|나올|시작할|끝날) ?(?:까요|건가요|것인가요|거예요|거야|건지|계획)"
)
"""The future itself."""
LIKELY = regex(
    r"\b(?:does|do)\b.{1,60}\b(?:start|begin|open|launch|end|close|expire|go live|happen|ship|take place|kick off)\b"
    r"|\b(?:is|are|'s)\b.{0,60}\b(?:happening|starting|beginning|opening|launching|coming|shipping|closing|ending|expiring|due)\b"
    r"|(?<!어떻게 )(?:되|하|열리|끝나|바뀌|나오|오|가|쉬|닫히)(?:나요|나\?|나$|는지|는가|는 건가요)|(?:됩|합|열립|끝납|바뀝|쉽)니까|(?:열려|해|돼|쉬어)요?\?"
)
"""The present, which speaks of what comes where that is nearer than what was."""
ASKS = regex(
    rf"\?|^\W*(?:(?:by|until|till|from|since|on|in|at|for|to) )?(?:will|won't|shall|does|do|is|are|what's|who's|{ENGLISH_ASKS})\b"
    rf"|나요|까요|니까|는지|은지|는가|인가|건가|{KOREAN_ASKS}"
)
"""A question. Who states what will be (팀에 6월에 돌아갈 거야) may be quoting what was written a year ago."""
DATED = regex(
    r"\b(?:when(?: (?:in|on|during) \w+)?(?:'s|’s| is| are| does| do| will| can)|(?:what|which) (?:date|day|time)|deadline|due date|cut-?off|scheduled|planned|upcoming)\b"
    r"|언제(?!부터)|(?:마감|기한|일정)일?[은이]?\W*$|예정(?!자)|며칠|쉬[나는어]|휴무"
)
"""Asks for a day, or for what is set for one."""
STATES = regex(r"니다|[가-힣]요\s*[.!]|\b(?:i|we|you|is|are|am|be|will|has|have|must|i'm|it's|i'll|we'll)\b")
"""A finite verb, so that what is no question is a statement."""
SAYS = regex(
    r"\b(?:said|says|told|tells|announced|claims|claimed|insists|insisted|wrote|mentioned|warned|heard|understand)\b"
    r".*\b(?:is|are|will|would|can|cannot|can't|must|ha(?:s|ve) to|lasts?|runs?|ends?|holds?|stays?|stands?|continues?|applies|remains?)\b"
)
"""Somebody's words, of what is or will be."""
SAID_KO = regex(
    r"^(?P<between>.{0,30}?)(?:이?라|"
    rf"(?<![{PAST_SYLLABLES}])다|자)(?:고 ?(?:했|하|합|해|말|들|안내|공지|통보|알려|적|쓰|썼|전)|며\b|면서|던데|더라|길래|더니|는데|네요)"
)
"""Behind a time: somebody's words end, and they do not tell of the past (12월 4일까지 동결이라고 했는데)."""
NEAR = 10
"""Letters between a time and its verb."""
OF_A_DAY = regex(r"\bwhat(?:['’]s| is| are| [a-z]+s)\b|(?:뭐|뭘|뭔|무엇|무슨)[^.?!]*[가-힣]\W*$")
"""Asks of a day what there is or comes: what changes on 30 November."""
PRESENT_KO = regex(
    r"(?<!알려)(?<!보여)(?<!찾아)(?<!정리)(?<!요약)(?:[가-힣][아어여]|[해돼봐내가와써쉬커져려])요?\s*\?*$"
)
"""Ends in the present: 몇 명 뽑아, 사무실 열어? What is past or begged for ends otherwise."""
FROM = regex(r"^(?:starting )?from\b|부터$")
"""From when something holds."""
SENTENCE = regex(r"[^.?!\n]*(?:[.?!]+(?!\s|$)[^.?!\n]*)*(?:[.?!]+|\n|$)")
"""Up to a mark with a space or the end behind it: 3.2 goes on."""
LAST_OR_NEXT = regex(
    r"(?:(?:on|by|until|till|before) (?:mon|tues|wednes|thurs|fri|satur|sun)day\b(?!['’]s)|(?:mon|tues|wednes|thurs|fri|satur|sun)day\W*$|[월화수목금토일]요일(?:날에?|에|(?:\s?이?전)?까지)"
    r"|[연월][초말](?:에|(?:\s?이?전)?까지)|(?:at |by )?the (?:end|beginning|start) of the (?:month|quarter|year)\b)"
)
"""A day of the week, an end of the month, by its name alone: the last or the next, as the verb says."""
DUE = regex(r"^(?:by|until|till)\b|(?<!전)까지(?:의|는)?$")
"""A limit up to which something is done, and not before which something was written."""
TO_DO = regex(
    rf"\b(?:to|must|should|needs?|shall)\s[a-z]|[가-힣]야 (?:하|할|되|될|돼|해|합|됩)|[{FUTURE_SYLLABLES}]\s[가-힣]"
)
"""What is still to be done, and not what was: forms to hand in, 제출할 서류."""
YEAR = MONTHS[Grain.YEAR]
FEAST = 7
"""Days of the longest one."""


def as_ahead(hits: list[PeriodHit], text: str, today: date) -> list[PeriodHit]:
    """``hits`` with those marked as future whose year is our guess and whose own sentence looks ahead or repeats what was said."""
    lower = text.lower()
    sentences = list(SENTENCE.finditer(lower)) if len(lower) == len(text) else []  # a few letters change their length
    alone = len(hits) == 1
    return [replace(hit, future=hit.future or _is_ahead(hit, lower, sentences, today, alone=alone)) for hit in hits]


def _is_ahead(hit: PeriodHit, text: str, sentences: list[re.Match[str]], today: date, *, alone: bool) -> bool:
    spans = (found.span() for found in sentences if found.start() <= hit.first < found.end())
    first, last = next(spans, (0, len(text)))
    sentence = text[first:last]
    if hit.yearless and _asks_for_a_day(sentence):
        return True
    behind = text[hit.last : last]
    whether = OF_A_TIME.search(sentence) or (PRESENT_KO.search(sentence) and sentence.rstrip().endswith("?"))
    if LAST_OR_NEXT.match(text[hit.first : last]) and whether and not is_over(sentence, behind):
        return True
    due = alone and _is_limit(hit) and (DUE.search(text[hit.first : hit.last]) or TO_DO.search(sentence)) is not None
    if due and not is_over(sentence, behind) and _lies_ahead(hit, today, certain=False):
        return True  # forms to hand in by 14 December, asked in November
    if not ASKS.search(text):
        return False
    if _is_reported(hit, text[first : hit.first], text[hit.last : last]):
        return _lies_ahead(hit, today, certain=True)
    certain = CERTAIN.search(sentence) is not None
    # What is stated up to a day before the question is asked tells how things stand: the freeze is on until 4 December.
    stated = _is_limit(hit) and not ASKS.search(sentence)
    likely = stated or LIKELY.search(sentence) is not None or _is_asked_of_a_time(hit, sentence, first)
    return (certain or likely) and _lies_ahead(hit, today, certain=certain)


def _asks_for_a_day(sentence: str) -> bool:
    """When is the retreat in November, 12월 정산 마감일: what happens then is looked for, whenever it was written of."""
    if not DATED.search(sentence) or OVER.search(sentence):
        return False
    return ASKS.search(sentence) is not None or not STATES.search(sentence)


def _is_asked_of_a_time(hit: PeriodHit, sentence: str, first: int) -> bool:
    """Of a day, a feast, in a month or from one on, in no past tense; "the January invoice" is one of a month."""
    words, behind = sentence[hit.first - first : hit.last - first], sentence[hit.last - first :]
    if hit.start is None or is_over(sentence, behind):
        return False
    if not FROM.search(words):
        long = hit.end is None or (hit.end - hit.start).days > FEAST
        if hit.end is None or (long and not PLACED.search(words)):
            return False
    return any(asked.search(sentence) for asked in (OF_A_TIME, OF_A_DAY, PRESENT_KO))


def _is_reported(hit: PeriodHit, before: str, behind: str) -> bool:
    """The freeze lasts until 4 December, as they said: no period in which anything was written."""
    said = SAID_KO.match(behind)
    if said is not None:  # 6월에 보낸 메일에서 줄인다고: far from a day or month, another verb may have it
        return _is_limit(hit) or len(said["between"]) <= NEAR
    return _is_limit(hit) and SAYS.search(before) is not None


def _is_limit(hit: PeriodHit) -> bool:
    return hit.start is None and hit.end is not None


def _lies_ahead(hit: PeriodHit, today: date, *, certain: bool) -> bool:
    """Whether the next such period may be meant: always where the verb is certain, else where it is the nearer one."""
    said = hit.start or hit.end
    if not hit.yearless or said is None or (hit.start is not None and hit.start <= today < (hit.end or today)):
        return False
    return certain or add_months(said, YEAR) - today < today - said
