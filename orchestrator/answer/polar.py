"""Questions for yes or no, and the sentence that says one of them: of all that is asked, with the state that is asked for.

"Is the canopy approved?" is answered by "the canopy was approved" and "the canopy has not been approved", and by nothing else:
what says something near is how it stands, and the reader's to judge.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from orchestrator.answer.cover import wanted
from orchestrator.answer.dates import day_at
from orchestrator.answer.signals import MAY, NEGATED, UNDECIDED, is_reported
from orchestrator.answer.text import STOP
from translators.inflection import stem
from translators.match import HANGUL
from translators.match import words as words_of
from translators.patterns import regex
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from orchestrator.answer.quote import Quote
    from translators.query import Query


@record
class AskedState:
    """``asked``: how a question asks for it; ``said``: what says it, unless that is denied; ``refused``: what says no by itself; ``modal``: what else belongs to it."""

    asked: re.Pattern[str]
    said: re.Pattern[str]
    refused: re.Pattern[str]
    modal: re.Pattern[str]


NOTHING = r"(?!)"


def _asked_state(asked: str, said: str = "", refused: str = NOTHING, modal: str = NOTHING) -> AskedState:
    return AskedState(*(regex(each, re.IGNORECASE) for each in (asked, said or asked, refused, modal)))


# States that are asked for and said in several words; any other is asked for and said in the same one.
STATES = (
    _asked_state(  # it has to be so
        r"\b(?:need|must|have to|has to|required?|mandatory|compulsory|obligatory|necessary)\b|야\s?(?:하|되|돼|할)|필요|의무|필수",
        r"\b(?:required?|mandatory|compulsory|obligatory|necessary|must|needs?|needed|have to|has to)\b|야\s?(?:합|하|해|된|됩|돼)|필수|의무|필요",
        r"\b(?:optional|voluntary|exempt|(?:not|n['’]t) (?:required|mandatory|compulsory|necessary|needed)|no need|need not|needn['’]t|(?:do|does)(?: not|n['’]t) (?:need|have)|needs? no"
        r"|no (?:\w{1,20} ){1,3}?(?:required|needed|necessary))\b"
        r"|지\s?않아도|안\s\S{1,6}도\s?(?:됩|돼|되|괜찮)|없[이어]도|필요\s?(?:는|가|도)?\s?없|필요하지\s?않|(?:의무|필수)\S{0,2}\s?(?:는|가)?\s?아[니닙]|생략|면제|선택(?:\s?사항)?(?=입니다|이에요)",
        r"\b(?:must|should|needs?)\b|해야|야\s",
    ),
    _asked_state(  # it may be so
        r"^\W*(?:can|may)\b|\b(?:allow|permit)\w{0,4}\b|도\s?(?:되|돼|괜찮)|되나요|가능|허용|수\s?있[나을어]",
        r"\b(?:can|may|allowed|permitted)\b|도\s?(?:됩니다|돼|된다|괜찮)|가능(?:합|함|하|해)|허용|수\s?있",
        r"\b(?:can(?:no|['’])t|can not|may not|must not|mustn['’]t|(?:can|may) no longer|prohibited|forbidden|banned|(?:not|no longer|n['’]t) (?:be )?(?:allowed|permitted))\b"
        r"|^\W*(?:please )?(?:do not|don['’]t|never|no)\s|불가능?|금지|(?:안|못)\s?(?:됩|돼|된)|수\s?없|지\s?(?:마[세시십]|말[아고]|않습|못합)|허용(?:되지|하지)\s?않",
        r"\bmay\b",
    ),
    _asked_state(r"\b(?:done|finish|complet)\w{0,4}\b|완료|끝[나났]|마쳤|마무리"),
    _asked_state(
        r"\b(?:approv|signed off|accept)\w{0,4}\b|승인|결재|수락",
        "",
        r"\b(?:reject|declin|refus|turned down)\w{0,3}\b|반려(?!견|동물)|거절|기각|불허|부결",
    ),
    _asked_state(r"\bpass(?:ed)?\b|통과|합격", "", r"\bfail(?:ed)?\b|탈락|불합격|떨어[졌지]"),
    _asked_state(
        r"\bopen\b|영업|운영|열[어리려나]",
        r"\bopen\b|영업|운영|열[립리려어었]|엽니다",
        r"\bclosed\b|닫[습았힌]|휴무|휴업|쉽니다|쉬어|쉰다|취소",
    ),
    _asked_state(r"\bclosed?\b|닫[았혔나]", r"\bclosed\b|닫[았혔습]", r"\b(?:re)?open(?:ed)?\b|열[었려립]|엽니다"),
    _asked_state(r"\b(?:valid|in force)\b|유효", "", r"\b(?:expired|lapsed|void)\b|만료[됐되된]|무효"),
    _asked_state(r"\b(?:deliver|arriv)\w{0,3}\b|도착|입고", "", r"\b(?:outstanding|missing)\b|미도착|미입고"),
    _asked_state(r"\bpaid\b|결제|지급|입금|납부", "", r"\b(?:unpaid|overdue)\b|미납|미결제|미지급|연체"),
    _asked_state(r"\bfree\b|무료", "", r"유료"),
    _asked_state(
        r"(?:is|are) (?:[a-z]{1,20} ){1,4}(?:up|running)\b|정상\s?(?:작동|가동|운영)",
        r"\b(?:up|running)\b|정상",
        r"\bdown\b|고장|중단",
    ),
    _asked_state(r"\b(?:fix|resolv|solv)\w{0,4}\b|해결|수정|고쳤|고쳐"),
    _asked_state(r"\b(?:releas|ship|deploy|launch)\w{0,4}\b|배포|출시|릴리스"),
    _asked_state(r"\bsign(?:ed|s|ing)?\b|서명|체결"),
    _asked_state(
        r"(?<!수 )(?<!수)있(?:나요|어요?|습니까|을까요|니|음|는지)",
        r"있(?:습|어|음|다(?![가-힣])|고|으며)",
        r"없(?:습|어|음|다(?![가-힣])|고|으며)",
    ),
)
OPEN = regex(
    rf"{MAY}\b|\b(?:if|whether|unless|until|once|when|before|after|might|maybe|probably|likely|will|shall|going to|to be|only|except|partly|almost|nearly|half|should|must|needs?|want|asked|not sure)\b"
    r"|여부|아마|것 같|예정|하면|되면|나면|이면|겠|위해|만\s|외에|경우|한해|제외|거의|일부|해야|려면|부탁|(?<!마)(?<!마시)세요|[은는]지\s",
    re.IGNORECASE,
)
SHORTEST = 4  # letters of a stem that tells a state
BEFORE = 30  # characters before a state in which it is denied in English,
BEHIND = 14  # and behind it in Korean,
JUST_BEFORE = 3  # where 안 and 못 may also stand just before it
AUXILIARY = regex(r"\b(?:is|are|was|were|has|have|had|did|does|do|yet|already|still|again|now)\b", re.IGNORECASE)
# A Korean predicate that asks: a noun that something is, does or undergoes, or a verb of two syllables and more.
PREDICATE = regex(
    r"(?P<noun>[가-힣]{2,6}?)(?:하|되|되었|됐|했|인|이에|예)?(?:[나가까][요]?|어요?|습니까|니|지요?|죠|해요?|은지|는지)?[\s?？.!~]*$"
)
# What is to be done or may be done: its verb is seldom among the words that a search looks for.
VERB = regex(
    r"(?<![가-힣])(?P<first>[가-힣])[가-힣]{0,5}(?:도\s?(?:되|돼|괜찮)|야\s?(?:하|되|돼|할))|(?<![가-힣])(?P<able>[가-힣])[가-힣]{0,5}\s수\s?있"
)
PLAIN = frozenset({"하", "해", "할", "되", "돼", "있", "없", "꼭"})
CONTRACTED = {
    4: (18,),
    9: (8,),
    14: (13,),
    6: (20,),
    1: (0,),
}  # vowels: 써 is 쓰다, 와 is 오다, 줘 is 주다, 켜 is 키다, 해 is 하다


@record
class YesOrNo:
    """Which of the quotes says it, by its place from 0, and whether it says yes."""

    place: int
    yes: bool


def verdict(quotes: Sequence[Quote], said: Sequence[Quote], query: Query, now: datetime) -> YesOrNo | None:
    """The newest of ``quotes`` that says yes or no; ``None`` where none does, or anything ``said`` that day or later says the other."""
    state = _state(query.text)
    if state is None:
        return None
    of = {word for word in wanted(query) if not (state.said.search(word) or state.asked.search(word))}
    also = _also(query.text, state, set(wanted(query)))
    if not of and not also:
        return None
    told = [
        (each, yes)
        for each in said
        if of <= each.held and (each.own & of or not of) and all(word.search(each.words) for word in also)
        if (yes := _says(each, state)) is not None
    ]
    newest = max((day_at(each.when, now) for each, _ in told), default="")
    latest = [(each, yes) for each, yes in told if day_at(each.when, now) == newest]
    if len({yes for _, yes in latest}) != 1:
        return None
    sentences = {(each.result.hit.id, each.words): yes for each, yes in latest}
    places = (place for place, each in enumerate(quotes) if (each.result.hit.id, each.words) in sentences)
    first = next(places, None)
    return None if first is None else YesOrNo(first, yes=latest[0][1])


def _state(question: str) -> AskedState | None:
    """What is asked of the thing: a state that is known by several words, else the last word, in all its forms."""
    for state in STATES:
        if state.asked.search(question):
            return state
    last = words_of(AUXILIARY.sub(" ", question))[-1:]
    if not last:
        return None
    if HANGUL.match(last[0]):
        found = PREDICATE.match(last[0])
        return _asked_state(rf"(?<![가-힣]){_begun(found['noun'])}(?![비료율률팀장])") if found else None
    stemmed = stem(last[0])
    return _asked_state(rf"\b{re.escape(stemmed)}\w{{0,4}}\b") if len(stemmed) >= SHORTEST else None


def _also(question: str, state: AskedState, found: set[str]) -> tuple[re.Pattern[str], ...]:
    """The verbs of a question, and its other words where a search looks for none, that what answers has to hold."""
    if HANGUL.search(question):
        verbs = {each["first"] or each["able"] for each in VERB.finditer(question)} - PLAIN
        told = {_begun(each) for each in verbs if not any(word.startswith(each) for word in found)}
    else:
        said = (stem(each) for each in words_of(AUXILIARY.sub(" ", question)))
        known = {stem(each) for word in found for each in words_of(word)}
        told = {
            rf"\b{re.escape(each)}"
            for each in said
            if len(each) >= SHORTEST
            and each not in known
            and each not in STOP
            and not state.asked.search(each)
            and not state.said.search(each)
        }
    return tuple(regex(each, re.IGNORECASE) for each in sorted(told))


def _begun(text: str) -> str:
    """How a Korean word begins, whatever its ending makes of its last syllable: 나오 is 나옵, 나와 and 나왔, 써 is 쓰 and 쓸."""
    first, last = text[:2][:-1], text[:2][-1]
    vowel, final = divmod((ord(last) - 0xAC00) % 588, 28)
    if final:
        return first + last
    initial = ord(last) - (ord(last) - 0xAC00) % 588
    same = {vowel, *CONTRACTED.get(vowel, ()), *(new for new, (old, *_) in CONTRACTED.items() if old == vowel)}
    ranges = "".join(f"{chr(initial + each * 28)}-{chr(initial + each * 28 + 27)}" for each in sorted(same))
    return f"{first}[{ranges}]"


def _says(quote: Quote, state: AskedState) -> bool | None:
    """Yes, no, or ``None`` of a sentence that leaves the state out, in doubt, to a condition or to somebody's opinion."""
    text = quote.words
    if quote.asks or quote.more or is_reported(text) or OPEN.search(state.modal.sub(" ", text)):
        return None
    if refused := state.refused.search(text):
        rest = f" {text[: refused.start()]} {text[refused.end() :]} "
        return None if NEGATED.search(rest) else False
    found = list(state.said.finditer(text))
    if len(found) != 1:
        return None
    start, end = found[0].span()
    denied = len(NEGATED.findall(text))
    korean = HANGUL.search(found[0][0])
    near = (
        f"{text[max(0, start - JUST_BEFORE) : start]}|{text[end : end + BEHIND]}"
        if korean
        else text[max(0, start - BEFORE) : start]
    )
    if denied == 1 and NEGATED.search(f" {near} "):
        return False
    return None if denied or UNDECIDED.search(text) else True
