"""Who a sentence says did, does or will do what a question for a person asks: "approved by Dana Fox", 정유라 책임이 승인, "sign-off: H. Kwon".

A name somewhere in a sentence is nobody who did anything: it has to stand where an actor does. Before the verb that is asked for, behind "by", behind a
colon or "is", behind "call" or "ask". In Korean before the verb with a subject's particle, or before the copula. The verbs of work that say one thing
are known together (approve, sign off, 승인, 결재); of any other the question's own word counts. Whom the question names is not who is asked for.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from orchestrator.answer.text import STOP
from translators.match import HANGUL
from translators.match import words as words_of
from translators.patterns import regex
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator

READ = 400  # characters of a sentence that are looked at
REACH = 60  # characters before a verb in which its subject stands
STEM = 4  # letters by which a verb is known in its forms
ENDING = 2  # letters in which they may differ

TITLES = (
    "팀장|파트장|실장|본부장|센터장|그룹장|대표|이사장|이사|상무|전무|부사장|사장|회장|부장|차장|과장|대리|주임|사원|선임|책임|수석|연구원|매니저|프로|소장|원장|국장|교수|박사|간호사|기사"
    "|감독|셰프|점장|반장|조장|변호사|회계사|세무사|노무사|선생|작가|디자이너|개발자|기획자|코치|인턴"
)
FAMILY = "김이박최정강조윤장임한오서신권황안송류유전홍고문양손배백허남심노하곽성차주우구민진지엄채원천방공현함변"
FULL = rf"[{FAMILY}][가-힣]{{2}}"
TITLED = rf"[가-힣]{{1,4}}\s?(?:(?:{TITLES})\s?님?|님|씨)"
NOBODY = (
    r"(?!(?:The|This|That|These|Those|We|It|They|You|He|She|Our|Your|My|All|Each|Please|Thanks|Thank|Sorry|Yes|No|Ok|Okay|Note|Update|Approved|Signed|Done|Who|What|When"
    r"|Where|Why|How|If|As|At|By|For|From|In|On|To|Of|And|But|Or|So|Not|There|Then|Every|Some|Any|January|February|March|April|May|June|July|August|September|October"
    r"|November|December|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|Today|Tomorrow|Yesterday|Slack|Jira|Confluence|Notion|GitHub|Drive|Linear|Teams|Gmail)\b)"
)
GIVEN = rf"{NOBODY}[A-Z][a-z’-]{{1,20}}"
ENGLISH_NAME = rf"@[\w.-]{{2,40}}|\b(?:(?:[A-Z]\.\s?){{1,2}}[A-Z][a-z’-]{{1,20}}|(?:(?:Dr|Prof|Mr|Mrs|Ms)\.?\s)?{GIVEN}(?:\s{GIVEN}){{0,2}})\b(?!\s?\d)"
ROLE = r"\b(?:[Tt]he|[Oo]ur)\s(?:[a-z]{2,20}[\s-]){0,2}[a-z]{2,20}"
KOREAN_NAME = rf"(?<![가-힣])(?:{TITLED}|{FULL}(?=[은는이가을를께에한과와,.)]|입니다|이에요|예요|이고|$))"
NAME = regex(f"{ENGLISH_NAME}|{KOREAN_NAME}")
SIDE_BY_SIDE = regex(rf"(?<![가-힣]){FULL}\s{FULL}(?![가-힣])")
# Whoever says "I" is who wrote it, and "the board" is somebody, too: of those only what stands before the verb.
SUBJECT = regex(
    rf"\bI(?=['’\s])|{ROLE}(?=['’]s?\s)|(?<![가-힣])(?:제가|내가|저희가|[가-힣]{{1,8}}(?:\s[가-힣]{{1,8}})?(?:이|가|께서)(?=\s))"
)
ROLE_BEFORE = regex(rf"{ROLE}(?:\s(?:on|of|in|at|from)\s[\w ]{{1,20}})?\s$")
# What may stand between who does something and the verb.
HELPS = regex(
    r"(?:['’](?:ve|ll|s|m))?(?:\s?\([^()]{1,30}\))?(?:,?\s(?:and|&)\s@?[A-Z][\w.-]{1,20}){0,2}"
    r"(?:\s(?:has|have|had|will|would|can|is|are|was|already|just|also|now|usually|always|only|kindly|finally|formally|still|then|who|the|one|going|to|be|[a-z]{2,14}ly)){0,4}\s",
)
PASSIVE = regex(r"['’\s](?:is|are|was|were|be|been)\b")
DONE_TO = regex(r"\b(?:\w+ed|made|chosen|taken|run|led|held|given|picked)\b", re.IGNORECASE)
FINITE = regex(r"[a-z]+(?:s|ed)|made|chose|took|ran|led|held|gave|wrote|built|bought|sent|took\sover|takes\sover")
HELPS_KO = regex(r"\s?(?:님|씨)?(?:이|가|께서|께서는|은|는)?(?:도)?\s(?:[가-힣A-Za-z]{1,10}\s){0,2}[가-힣A-Za-z]{0,6}")
BECOMES = regex(
    r"\s?(?:이|가)?\s?[되됐된될됩돼]|\s?(?:이|가|은|는|을|를)?\s?(?:필요|요청|절차|대기|전|안|못|예정일|기준|서류|양식)"
)
BY = regex(r"[^.;!?]{0,60}\bby\s(?:the\s)?")
# What a name stands straight behind where it is told who it is.
IS = regex(r"\b(?:is|are|was|were|be|it['’]s|that['’]s)\s(?:now\s|still\s|currently\s)?(?:going to be\s|with\s)?$")
TURN_TO = regex(
    r"\b(?:[Cc]all|[Aa]sk|[Cc]ontact|[Tt]alk to|[Ss]peak (?:to|with)|[Ee]-?mail|[Rr]each(?: out to)?|[Pp]ing|[Ww]rite to|[Cc]heck with|up to|assigned to|given to|handed (?:over )?to"
    r"|goes to|belongs to|passed to)\s$"
)
LABEL = regex(r"(?:^|[.;\n]\s?)[^.:：;\n]{2,60}[:：]\s?$")
TOPIC = regex(r"(?P<of>[가-힣A-Za-z]{1,12})[은는]\s(?:[가-힣A-Za-z]{1,8}의?\s)?$")
COPULA = regex(
    r"(?:\s?(?:님|씨))?(?:입니다|이에요|예요|이고|임(?=[\s.]|$)|이야|야(?=[\s.]|$)|$|[.,]|\s?과|\s?와|\s?랑)"
)
TURNED_TO = regex(
    r"(?:\s?님)?(?:께|에게|한테)\s(?:[가-힣]{1,8}\s){0,2}(?:문의|연락|물어|전화|말씀|얘기|요청|부탁|확인|여쭤)"
)
POSSESSED = regex(r"['’]s?\s(?:job|task|call|decision|responsibility|turn|duty|idea|baby)\b")


# Whose place somebody took, where a sentence says so itself: "took over from Dana Fox", 정유라 님 후임으로.
TAKEN_FROM = regex(
    rf"\b(?:t(?:ook|akes|aking)\sover\b[^.;!?]{{0,40}}\bfrom|replac(?:ed|es|ing)|succeed(?:ed|s|ing)|instead of|in place of)\s(?P<en>{ENGLISH_NAME})"
    rf"|(?<![가-힣])(?P<ko>{TITLED}|{FULL})(?:의?\s(?:후임|대신)|(?:에게|한테)서\s)"
)
NOT_YET = regex(r"\b(?:will|shall|next|from|starting|as of)\b|예정|부터|다음|내년|내달", re.IGNORECASE)


@record
class Act:
    """One thing that people do at work: what asks for it, and what says it."""

    asked: re.Pattern[str]
    says: re.Pattern[str]


def _act(asked: str, more: str) -> Act:
    """What is ``asked`` with and said with, and what ``more`` it is said with."""
    return Act(regex(asked, re.IGNORECASE), regex(f"{asked}|{more}", re.IGNORECASE))


HANDS_OVER = r"\bt(?:ook|akes?|aking)\sover\b|\breplac(?:es?|ed|ing)\b|\bsucceed(?:s|ed|ing)?\b|\bsuccessor\b|후임|인수|인계|(?:이어|물려|넘겨)\s?받"
APPROVES = _act(
    r"\bapprov|\bsign(?:s|ed|ing)?[\s-]?(?:it |this |that |them )?off\b|\bgreen-?lit\b|\bauthori[sz]|\bok(?:ay)?(?:ed\b|['’]d)|승인|결재|허가|컨펌|재가",
    r"\bsigned\b|\b(?:gave|gives|given) (?:the|his|her|their|it the) (?:ok|okay|go-ahead|approval|blessing)\b|\bOK\b|오케이|사인",
)
DECIDES = _act(
    r"\bdecid|\bchose|\bpicked|\bmade the (?:call|decision)|결정|정[했하한]|골[랐라]",
    r"\bruled|\bsettled on|\bdecision\b",
)
TAKES_OVER = _act(
    rf"{HANDS_OVER}|\bhand(?:s|ed|ing)?[ -]?over to|\bfill(?:s|ing)? in\b|\bstep(?:s|ping)? in\b|\bcover(?:s|ing)? for\b|\bstand(?:s|ing)? in\b|대신|교체",
    r"(?<=will )(?:run|take|cover|lead|look after|handle|do|be)\b|\bcovers?\b|맡",
)
ASKS_FOR = _act(
    r"\basks? for|\basked for|\brequest|\bwanted\b|\bordered\b|\braised\b|요청|부탁|신청|주문|달라",
    r"\basked\b|\bwants\b|\bneeds\b|원[하했]",
)
HOLDS = _act(
    r"\bown(?:s|ed|er)?\b|\bin charge\b|\bresponsible\b|\brun(?:s|ning)?\b|\bleads?\b|\bleading\b|\bmanag|\blook(?:s|ing)? after|\btak(?:es?|ing) care|\bhandl|\bmaintain|\bcoordinat|\bheads\b"
    r"|\bcontact\b|\bwhose (?:job|task|turn|responsibility|duty)\b|담당|맡|책임|관리|총괄|누구\s?(?:일|거|건|소관|차례|한테)",
    r"\bt(?:ook|akes|aking)\sover\b|이어\s?받|\bis on\b|\bworks on\b|\bdoes\b|\bgives\b|챙[기겨]",
)
COMES = _act(r"\bcoming\b|\battend|\bjoin|\bgoing\b|참석|참가|오[나는]|가[나는]", r"옵니다|갑니다|가요|와요")
ACTS = (APPROVES, DECIDES, TAKES_OVER, ASKS_FOR, HOLDS, COMES)
# What somebody does with anything; whatever else stands before it as a subject may do so as well.
DOES = regex(r"봅니다|봐요|보고 있|하고 있|합니다|해요|하십니다|하세요")
ASKED_EN = regex(
    r"\bwho(?:m|se)?(?:['’]s)?\s(?:(?:is|was|has|had|will|can|should|do|does|did|would|are|were|all|else|we|i|you|they|to|usually|normally|job|it|the)\s){0,5}(?P<verb>[a-z]{3,20})",
    re.IGNORECASE,
)
ASKED_KO = regex(
    r"(?P<done>[가-힣]{1,8})[는은]\s(?:거|건|게|것|일|사람|분)(?![가-힣]{2})|누[가구군](?:가|한테|에게)?\s(?:[가-힣]{1,8}\s)?(?P<verb>[가-힣]{2,12})"
)


@record
class Acting:
    """What somebody is asked for as: the words of the question, which name nobody, the acts it asks for and the beginning of its verb ("" for none)."""

    said: frozenset[str]
    text: str
    acts: tuple[Act, ...]
    stem: str


@lru_cache(maxsize=32)
def acting_of(question: str) -> Acting:
    """Of a question for a person."""
    folded = question.casefold()
    acts = tuple(each for each in ACTS if each.asked.search(question))
    found = ASKED_EN.search(question) or ASKED_KO.search(question)
    verb = next(filter(None, found.groups()), "").casefold() if found else ""
    korean = HANGUL.match(verb) is not None
    stem = verb[: (2 if len(verb) > ENDING else 1) if korean else max(STEM, len(verb) - ENDING)]
    stem = "" if stem in STOP else stem
    # "Who is the site manager" asks who has it.
    return Acting(frozenset(words_of(folded)), folded, acts or (() if stem else (HOLDS,)), stem)


def actor_in(sentence: str, acting: Acting) -> str:
    """Who it says does what is asked, as it stands there; "" where it says it of nobody."""
    text = sentence[:READ]
    verbs = tuple(_verbs(text, acting))
    does = tuple(each.span() for each in DOES.finditer(text)) if HOLDS in acting.acts else ()
    named = tuple(each for each in NAME.finditer(text) if not _is_asked(each[0], acting))
    for each in named:
        if _is_told(text, each, acting) or any(_acts(text, each.span(), verb) for verb in (*verbs, *does)):
            return each[0].strip()
    for each in SUBJECT.finditer(text):
        if not _is_asked(each[0], acting) and (
            POSSESSED.match(text, each.end()) or any(_acts(text, each.span(), verb) for verb in verbs)
        ):
            return each[0].strip()
    finite = (begins for begins, ends in verbs if FINITE.fullmatch(text, begins, ends))
    roles = (ROLE_BEFORE.search(text, max(0, begins - REACH), begins) for begins in finite)
    return next((each[0].strip() for each in roles if each and not _is_asked(each[0], acting)), "")


def names_anybody(text: str, acting: Acting) -> bool:
    """Whether a text names somebody anywhere whom the question does not."""
    found = (*NAME.finditer(text[:READ]), *SIDE_BY_SIDE.finditer(text[:READ]))
    return any(not _is_asked(each[0], acting) for each in found)


def former_actor(sentence: str) -> str:
    """Whose place somebody took by now, where the sentence names both; "" where it does not, or that lies ahead."""
    text = sentence[:READ]
    found = TAKEN_FROM.search(text)
    if found is None or NOT_YET.search(f"{text[: found.start()]} {text[found.end() :]}"):
        return ""
    return next(filter(None, found.groups()), "").strip()


def _verbs(text: str, acting: Acting) -> Iterator[tuple[int, int]]:
    """Where the sentence says the act."""
    yield from (each.span() for each in chain.from_iterable(act.says.finditer(text) for act in acting.acts))
    if acting.stem:
        folded = text.casefold()
        at = folded.find(acting.stem)
        while at >= 0 and len(folded) == len(text):
            if at == 0 or not folded[at - 1].isalnum():
                end = at
                while end < len(folded) and folded[end].isalnum():
                    end += 1
                yield at, end
            at = folded.find(acting.stem, at + 1)


def _is_asked(name: str, acting: Acting) -> bool:
    """Whether the question itself holds it, in full or by any of its telling words."""
    told = [each for each in words_of(name) if each not in STOP]
    if HANGUL.search(name):
        core = name.split(maxsplit=1)[0].rstrip("님씨이가")
        return not core or core in acting.text
    return any(each in acting.said for each in told)


def _is_told(text: str, name: re.Match[str], acting: Acting) -> bool:
    """Behind "is", "call" or a label of what is asked, or before a copula."""
    before = text[max(0, name.start() - REACH) : name.start()]
    if TURN_TO.search(before) or (IS.search(before) and _holds_asked(before, acting)):
        return True
    if HANGUL.match(name[0]):
        if TURNED_TO.match(text, name.end()):
            return True
        topic = TOPIC.search(before)
        if topic and COPULA.match(text, name.end()) and _holds_asked(topic["of"], acting):
            return True
    if POSSESSED.match(text, name.end()):
        return True
    label = LABEL.search(text[: name.start()])
    return label is not None and _holds_asked(label[0], acting)


def _holds_asked(text: str, acting: Acting) -> bool:
    """Whether words hold one of the question's that tells something, or an act that it asks for."""
    told = (each for each in words_of(text) if each not in STOP and len(each) > 1)
    return any(
        each in acting.said or (HANGUL.match(each) is not None and each.rstrip("은는이가의") in acting.text)
        for each in told
    ) or any(act.says.search(text) for act in acting.acts)


def _acts(text: str, name: tuple[int, int], verb: tuple[int, int]) -> bool:
    """Whether somebody stands where whoever does it stands: before the verb, or behind "by"."""
    (start, end), (begins, ends) = name, verb
    if start >= ends:
        return BY.fullmatch(text, ends, start) is not None
    if POSSESSED.match(text, end):
        return True
    if HANGUL.search(text, begins, ends):
        between = HELPS_KO.fullmatch(text, end, begins) or (
            text[start:end].endswith(("이", "가", "께서")) and _near(text, end, begins)
        )
        return bool(between) and not BECOMES.match(text, ends)
    if not HELPS.fullmatch(text, end, begins):
        return False
    return not (PASSIVE.search(text, end, begins) and DONE_TO.fullmatch(text, begins, ends))


def _near(text: str, end: int, begins: int) -> bool:
    return end < begins and text[end:begins].count(" ") <= 3 and not any(mark in text[end:begins] for mark in ",.;:!?")  # noqa: PLR2004
