"""People's work: what somebody is assigned, does or has done, read as conditions and not as words to find."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from orchestrator.understand.called import AS_A_LIST_KO, LEFT_EN, LEFT_KO, WORK_EN, WORK_KO
from orchestrator.understand.directory import person_of
from orchestrator.understand.draft import BLANK, Role
from orchestrator.understand.meaning import LIKELY
from orchestrator.understand.people_ko import is_full_name
from translators.patterns import Sieve, regex
from translators.query import (
    NEARLY_TYPED,
    Category,
    Entity,
    EntityKind,
    Kind,
    Person,
    QueryType,
    Sort,
    State,
    TypeScore,
    Window,
    WorkFlag,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from orchestrator.understand.draft import Draft

GAP = rf"[\s{BLANK}]+"
"""Between two words, where a period may have stood."""
WHO = r"(?P<who>[\w'’-]+(?:\.\w+)*(?: [A-Z][\w'’-]+)?)"
OPEN = rf"(?:(?P<open>(?i:{LEFT_EN})) )?"
NOW = rf"(?:{GAP}(?i:now|right now|currently|at the moment|these days|please))*[\s{BLANK}?!.]*$"
CALLED = r"(?:\s?(?:님|씨)|\s(?:매니저|팀장|책임|선임|수석|대리|과장|차장|부장|프로)님?)?"
NAMED = rf"(?P<who>[가-힣]{{2,5}}?|[A-Z][a-z]+(?: [A-Z][a-z]+)?|내|제|나|저){CALLED}"
AT_PRESENT = rf"(?:(?:지금|현재|요즘|앞으로|오늘){GAP})?"
LEFT = rf"(?:(?P<open>{LEFT_KO})\s)?"
TASKS = rf"(?:{WORK_KO}|일|거|것){AS_A_LIST_KO}(?:은|는|이|가|을|를|의)?(?=[\s?!.,]|$)"
STILL = rf"(?:(?:아직도?|여전히|지금|현재){GAP})?"
BEGIN = r"(?<![\w가-힣])"

TO_DO_EN = r"(?i:(?:be )?(?:do|doing|finish|complete|deliver|work on|working on|get done|wrap up|hand in|take care of))"
"""What is done with work, without what it is done for."""
OBLIGED_EN = rf"(?i:(?:still )?(?:have|need|supposed|meant|expected) to) {TO_DO_EN}"

ASSIGNED_EN = (
    regex(rf"{OPEN}\b(?i:{WORK_EN}) (?i:(?:that are |which are |currently |still )*assigned to) {WHO}"),
    regex(rf"\b{WHO}(?:'s|’s) {OPEN}(?i:{WORK_EN}){NOW}"),
    regex(rf"\b(?i:(?P<who>my)) {OPEN}(?i:{WORK_EN}){NOW}"),
    regex(rf"\b(?i:on|left on) {WHO}(?:'s|’s)? {OPEN}(?i:plate|to-?do list){NOW}"),
    regex(rf"\b(?i:what(?:'s|’s| is) (?:still )?{OPEN}(?P<who>mine)){NOW}"),
    regex(rf"^\W*(?i:what)(?i: else| all)? (?i:do|does|am|is) {WHO} (?P<open>{OBLIGED_EN}){NOW}"),
    regex(rf"^\W*(?i:what)(?i: else| all)? (?i:should|must) {WHO} (?P<open>{TO_DO_EN}){NOW}"),
    regex(rf"^\W*(?i:which|what) (?i:{WORK_EN}) (?i:do|does|should|must) {WHO} (?P<open>(?i:(?:still )?(?:(?:have|need) to )?(?:fix|do|finish|close|work on|handle))){NOW}"),
    regex(rf"^\W*(?i:what(?:'s|’s| is))(?i: still)? (?P<open>(?i:left|on|waiting|pending|open))(?i: for| with)? {WHO}(?i: to do){NOW}"),
    regex(rf"^\W*(?i:what(?:'s|’s| is))(?i: still)? (?P<open>(?i:left for|on|waiting for|waiting on|pending for|open for)) (?P<who>(?i:me)){NOW}"),
    regex(rf"\b(?i:in|on) {WHO}(?:'s|’s)? {OPEN}(?i:queue|backlog|list of tasks){NOW}"),
    regex(rf"^\W*(?i:show |list |open )*(?P<who>(?i:my)) {OPEN}(?i:backlog|queue){NOW}"),
    regex(rf"^\W*(?i:which) (?i:{WORK_EN}) (?i:are(?: still)?) {OPEN}(?P<who>(?i:mine)){NOW}"),
    regex(rf"^\W*(?i:all )?{OPEN}(?i:{WORK_EN}) (?P<who>(?i:i)) (?i:own){NOW}"),
    regex(rf"^\W*(?i:do|have) (?P<who>(?i:i)) (?i:have |got )(?i:any |some |more )*{OPEN}(?=(?i:overdue |urgent |blocked |late )?(?i:{WORK_EN})\b)"),
)  # fmt: skip
"""Work given to somebody."""
ASSIGNED_KO = (
    regex(rf"{BEGIN}{NAMED}(?:에게|한테|께|게){GAP}{STILL}(?P<open>{LEFT_KO})\s{TASKS}"),
    regex(rf"{BEGIN}{NAMED}의?\s(?:앞으로|이름으로)\s(?P<open>된|온|들어온|넘어온|등록된|남은|배정된|할당된){GAP}(?:{LEFT_KO}\s)?{TASKS}"),
    regex(rf"{BEGIN}{NAMED}(?:이|가){GAP}{STILL}(?P<open>못 ?(?:끝낸|한|마친|닫은)|안 ?(?:끝낸|한|닫은)|끝내지 못한|하지 못한){GAP}{TASKS}"),
    regex(rf"{BEGIN}(?P<who>내|제|나의|저의)\s{LEFT}(?:백로그|일감|할일함){AS_A_LIST_KO}(?=[\s?!.,은는이가을를]|$)"),
    regex(rf"{BEGIN}{NAMED}(?:에게|한테|께|게){GAP}(?:할당|배정)(?:된|되어 있는|돼 있는){GAP}{LEFT}{TASKS}"),
    regex(
        rf"{BEGIN}{NAMED}(?:이|가){GAP}{AT_PRESENT}(?:담당하는|담당(?:자)?인|담당하고 있는|담당 중인|담당한|맡은|맡고 있는|할당받은){GAP}{LEFT}{TASKS}"
    ),
    regex(rf"{BEGIN}(?<![면때]\s){NAMED}(?:이|가){GAP}{AT_PRESENT}(?P<open>할|해야 할|해야 하는|해야 될){GAP}(?:일|업무|작업|거|것)(?=[\s?!.,은는이가을를]|$)"),
    regex(rf"^[\s{BLANK}]*{NAMED}(?:이|가){GAP}{AT_PRESENT}(?P<open>(?:해|끝내|마쳐|처리해|마무리해|완료해|제출해)야 ?(?:할|하는|될|되는)){GAP}(?:{WORK_KO}|일|거|것|건|게)(?=[\s?!.,은는이가을를]|$)"),
    regex(rf"{BEGIN}{NAMED}의?\s{LEFT}{WORK_KO}{AS_A_LIST_KO}(?:은|는)?[\s{BLANK}?!.]*$"),
)  # fmt: skip
DONE_EN = (
    regex(rf"(?i:\bwhat(?:'s|’s| is| are| was| were| am| has| have| did)) {WHO} (?i:(?:currently |now |actually |mainly |been )*(?:working(?: on)?|work(?:ed)?(?: on)?|doing|do|done|up to)){NOW}"),
)  # fmt: skip
"""Work somebody does or did: assigned to them, or written by them where nothing is assigned."""
DONE_KO = (
    regex(rf"{BEGIN}{NAMED}(?:이|가){GAP}{AT_PRESENT}(?:한|하는|하던|했던|하고 있는|진행 중인|진행하는|작업 중인|작업하는|작업한|처리한|처리하는){GAP}{TASKS}"),
    regex(rf"{BEGIN}{NAMED}(?:이|가|은|는)?{GAP}{AT_PRESENT}(?:뭐|뭘|무엇을|무슨 일|어떤 일)\s?(?:을 )?(?:하고 있|해|하는|하나|했|작업)[가-힣 ]*[?!.]*$"),
)  # fmt: skip
SOMEBODY = rf"(?!(?i:what|who|which|that|it|this|anything|something|anyone|anybody|somebody|nobody|nothing)\b){WHO}"
HOLDS_UP_EN = (
    regex(rf"(?i:\b(?:am|is|are|was)) {SOMEBODY} (?i:(?:currently |still |now |actually )*)(?P<open>(?i:blocking))\b"),
    regex(rf"\b{SOMEBODY}(?i:'m|’m| am|'s|’s| is) (?i:(?:currently |still |now |actually )*)(?P<open>(?i:blocking))\b"),
    regex(rf"(?i:\b(?:do|does|did)) {WHO} (?P<open>(?i:block))\b"),
    regex(rf"(?i:\b(?P<open>blocked|stuck|held up) (?:by|on|because of)) {WHO}"),
)  # fmt: skip
"""Work of somebody's that holds other work up: "what am I blocking"."""
HELD_UP_EN = (regex(rf"(?i:\b(?P<open>blocking|holding up|holding back)) {WHO}"),)
"""Work of somebody's that is held up: "what's blocking me"."""
THEIRS_KO = rf"{BEGIN}{NAMED}(?:의?\s?(?:{WORK_KO}|일))?"
BLOCKS_KO = r"(?P<open>막고|막는|막은|블락|블록|블럭|블로킹)"
HOLDS_UP_KO = (
    regex(rf"{THEIRS_KO}(?:이|가){GAP}{AT_PRESENT}(?:(?:뭘|뭐를?|무엇을|무슨 일을|어떤 일을|누구를|누굴)\s)?{BLOCKS_KO}"),
    regex(rf"{THEIRS_KO}\s?때문에{GAP}{AT_PRESENT}(?P<open>막혀|막힌|막히|막혔|블락|블록|블럭)"),
)  # fmt: skip
HELD_UP_KO = (regex(rf"{THEIRS_KO}(?:을|를){GAP}{AT_PRESENT}{BLOCKS_KO}"),)
HOLDS_UP = {True: (*HOLDS_UP_KO, *HOLDS_UP_EN), False: HOLDS_UP_EN}
"""By whether the question has Hangul in it: beside a Korean name the verb may be English ("what is 민수 blocking")."""
GIVEN = {
    True: (*HOLDS_UP[True], *HELD_UP_KO, *HELD_UP_EN, *ASSIGNED_KO),
    False: (*HOLDS_UP[False], *HELD_UP_EN, *ASSIGNED_EN),
}
MAIL = regex(r"\s*(?P<who>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)\s*")
PERSONAL = regex(r"\b(?:work|working|worked|assigned to)\b")
"""What persons do and systems do not: beside it an unknown capital is a person."""
GROUPS = frozenset("team squad group guild org ops department everyone everybody anyone people".split())
ME = frozenset({"i", "me", "my", "mine", "myself", "내", "제", "나", "저"})

OVER = regex(
    r"\b(?:did|was|were|had|done|closed|finished|resolved|completed|fixed|merged|shipped|released|landed)\b"
    r"|끝났|끝난|끝냈|끝낸|완료|해결|닫힌|닫혔|처리된|처리됐|처리했|처리한|마쳤|마친|했던|하던|(?<![가-힣])한 (?:일|작업|거|것)|작업한|했(?=[나어는습지죠]|을|다)|됐|되었|된 (?:거|것|일|작업)"
)
"""What asks for what is over, or whether it is."""
NOT_OVER = regex(
    r"\bnot (?:yet )?\w|n['’]t\b|\byet\b|(?<![가-힣])안 ?(?:끝|된|됐|닫)|지 ?(?:않|못)|미완료|미해결|(?:해결|처리|완료) ?안|못 ?(?:끝|마|한)"
)
OVERDUE = regex(
    r"\boverdue\b|\bpast (?:due|(?:the|its|their) (?:deadline|due date))\b"
    r"|(?:기한|마감일?|납기일?)(?:이|을)? ?(?:지난|지났|넘은|넘긴|넘었|초과)|(?<![가-힣])밀린(?![가-힣])"
)
DUE = regex(r"\bdue\b(?! to\b| diligence\b)|(?<![가-힣])(?:마감|기한|납기)(?=인|되는|이 ?되|일인|\W*$)")
"""Such words alone ask for work, as those for being held up do; beside a name they ask how that stands."""
URGENT = regex(
    r"\b(?P<en>urgent)\b|\b(?:top|high|higher|highest)[ -]priorit(?:y|ies)\b"
    r"|(?:(?:제일|가장|젤|더)\s?)?(?<![가-힣])(?P<ko>급한|시급한|긴급한)|우선\s?순위(?:가|이)?\s?(?:(?:제일|가장|젤|더)\s?)?높은"
)
WHEN = regex(r"\bwhen\b|\bwho\b|\bwhat (?:day|date|time)\b|\bhow\b|\bwhy\b|언제|누[구가]|며칠|몇 ?[시일월]|왜|어떻게")
WORK = regex(rf"\b{WORK_EN}\b|{WORK_KO}|(?<![가-힣])(?:일|거|것|게)(?![가-힣])")
OPENED = regex(
    r"^\W*(?!(?:what|which)\s(?!time|hour|day|door|shop|branch|office|room|site))(?:.{0,80}\s)?(?:be|is|are|stays?)\b.{0,80}\b(?:open|closed|shut)\s"
    r"(?:(?:on|over|at|until|till|during)\s(?:the\s)?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|week|holiday|public|bank|christmas|easter|new year|night|noon|lunch|\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
    r"|(?:all|today|tonight|tomorrow|this|next)\b)"
    r"|(?:요일|주말|휴일|연휴|명절|시|에도|에는|엔|내일|오늘)(?:에도|에는|에|엔|도|까지)?\s(?:문(?:을)?\s)?(?:열|여[나는]|연[다대]|닫|하나요|해\W*$|하나\W*$)"
)
"""Whether a place is open then, and no work."""
THINGS_KO = r"\s?(?:거|것|건|게|일|할\s?일|항목|사항|서류|문서|부분|작업|목록|리스트|지적|조건)(?:들)?(?![가-힣]{3})(?!\S{0,2}\s?(?:얼마|며칠|몇|어떻게|왜|언제))"
NOT_DONE_KO = rf"{LEFT_KO}|빠진|빠져\s?있는|덜\s?(?:된|끝난|한|낸)|(?:아직|미처)\s(?:안|못)\s?[가-힣]{{1,4}}|(?:안|못)\s?(?:된|낸|한|끝낸|고친|받은|들어온|정한|정해진)|미(?:완|완료|해결|확정|결정|제출|처리)(?:인|된|한|의)?|(?:끝나|되|하|고치|내|정하|정해지|제출하|해결되|처리되)지\s?(?:않은|못한)"
DONE_ALREADY_KO = r"(?:이미\s|벌써\s|다\s)?(?<![안못덜]\s)(?<![안못덜])(?:끝난|끝낸|완료(?:된|한)|고친|해결(?:된|한)|처리(?:된|한)|마친|제출(?:된|한)|정해진)"
LEFT_OF = Sieve(
    regex(
        rf"(?<![가-힣])(?:{NOT_DONE_KO}){THINGS_KO}"
        rf"|\b(?:what|which)\b[^?.]{{0,60}}?\b(?:still|yet)\s(?:{LEFT_EN}|missing|left|undone|to do|to be done|not \w+)\b"
        r"|\b(?:what|which)\b[^?.]{0,40}?\b(?:are|is)\s(?:we\s)?(?:missing|outstanding|left|not (?:yet )?(?:done|fixed|finished|ready|in))\b"
        r"|\bwhat(?:'s|’s|\sis|\sare)?\s(?:still\s)?(?:left|missing|not\s(?:yet\s)?done|outstanding|remaining)\b(?!\sof\sthe\s(?:money|budget))"
        r"|\bwhat\sremains\b|\b(?:remaining|outstanding|unfinished)\s(?:tasks?|items?|points?|steps?|work|documents?|actions?)\b|\bwhat\s(?:do|does|must)\s[^?.]{1,20}\s(?:still|yet)\s(?:have|need)\b",
        re.IGNORECASE,
    )
)
"""What asks which things of several are left to be done, by name."""
DONE_OF = Sieve(
    regex(
        rf"(?<![가-힣])(?:{DONE_ALREADY_KO}){THINGS_KO}"
        r"|\b(?:what|which)\b[^?.]{0,40}?\b(?:are|is|were|has been|have been)\s(?:already\s)?(?:done|fixed|finished|completed|closed|resolved|ticked off)\b(?!\sby\b)",
        re.IGNORECASE,
    )
)
"""And which are done."""
MEASURED = regex(r"\bhow (?:many|much|long)\b|얼마|몇")
EVEN = 0.5
"""From which it is likelier than not that it is asked how something stands."""
UNFINISHED = 0.5
"""How sure it is that who asks how things stand means those not done: what is done is an answer, too."""


def asked_of_several(text: str) -> tuple[State, str] | None:
    """Where a question asks which things of several are left, or which are done: that, and by what words; none that asks for a number of them, a day or a reason."""
    for state, asks in ((State.OPEN, LEFT_OF), (State.DONE, DONE_OF)):
        match = asks.pattern.search(text) if asks.finds(text) else None
        if match and not (MEASURED.search(text) or WHEN.search(text)):
            return state, match.group()
    return None


def read_unfinished(draft: Draft, asked: TypeScore) -> None:
    """How something stands is told by what is still open, unless the question says more of that or of the time; and which are done, by what is done."""
    told = draft.states or draft.kinds  # a list says itself which of its things it wants
    named = draft.keywords or draft.phrases or draft.assignee or draft.worker or draft.author or draft.container
    if asked.type is not QueryType.STATUS or told or not named or _is_past(draft):
        return
    text = draft.text.lower()
    if OPENED.search(text) and not WORK.search(text):
        return
    several = asked_of_several(text)
    if several or not OVER.search(text) or NOT_OVER.search(text):
        draft.states.append(several[0] if several else State.OPEN)
        learned = all(
            word[0] == "~" for word in asked.words
        )  # no word says so: "turn left" only looks like what is left
        sure = asked.score >= EVEN and not learned  # that it is asked how something stands at all
        words = asked.outright if f" {asked.outright}" in f" {text}" else ""  # of 장애났어 nobody reads a 났어
        draft.imply("states", UNFINISHED if sure else UNFINISHED * asked.score, words)


def read_flag(draft: Draft) -> None:
    """Which open work is held up, late or to be done in a time is told by trackers, where nothing is named of which it is asked; the word is no name of it.

    Not what was held up in a time, nor of what one asks when it is due.
    """
    named = (draft.phrases, draft.ids, draft.author, draft.kinds and set(draft.kinds) != {Kind.ISSUE}, draft.negated)
    text = draft.text.lower()
    found = None if any(named) else _flag(draft, text)
    if found is None:
        return
    flag, *span = found
    if flag is not WorkFlag.BLOCKING and WHEN.search(text):
        return
    spans = (span, *(each.span() for each in WORK.finditer(text)))
    is_due = flag is WorkFlag.DUE
    timed = (draft.window is not None or draft.future) if is_due else not _is_past(draft)
    if not timed or any(not any(first <= at < last for first, last in spans) for at, _ in draft.keywords):
        return
    draft.flag = flag
    if not draft.keywords:  # people say so, too
        draft.keywords = [(span[0], draft.text[slice(*span)].split()[-1])]
    today = draft.now.date()
    if flag is WorkFlag.URGENT:
        draft.sort = Sort.URGENT
    if is_due:
        draft.due, draft.window = draft.spoken_of or Window(today, None), None
    elif flag is WorkFlag.OVERDUE:
        draft.due = Window(None, today)
    draft.states = [State.OPEN]
    said = " ".join(text for _, text in draft.keywords)
    for condition in ("states", "due"):  # asked for in place of the words, as one
        draft.imply(condition, UNFINISHED, said)


def _flag(draft: Draft, text: str) -> tuple[WorkFlag, int, int] | None:
    """What is asked of work, and from where to where that stands."""
    if late := OVERDUE.search(text):
        return WorkFlag.OVERDUE, *late.span()
    held = _holds_up(draft) if draft.assignee is not None else None
    for word in draft.words:
        if word.lower.startswith(draft.lexicon.hindrances):
            return WorkFlag.BLOCKING if held else WorkFlag.BLOCKED, word.start, word.end
    if held:
        return WorkFlag.BLOCKING, *held.span("open")
    if due := DUE.search(text):
        return WorkFlag.DUE, *due.span()
    urgent = URGENT.search(text)
    return (WorkFlag.URGENT, *urgent.span()) if urgent else None


def _holds_up(draft: Draft) -> re.Match[str] | None:
    """Where it is asked what somebody's work holds up, and not what is held up."""
    found = (pattern.search(draft.text) for pattern in HOLDS_UP[draft.hangul])
    return next((match for match in found if match), None)


def _is_past(draft: Draft) -> bool:
    """Whether it is asked about a time that is over."""
    return draft.window is not None and draft.window.end is not None and draft.window.end <= draft.now.date()


def read_work(draft: Draft) -> None:
    """Make the person of such a phrase the assignee or worker; the person and the phrase are then no keywords."""
    if draft.assignee is not None:
        return
    for match, assigned in _phrases(draft):
        person = _person(draft, match)
        if person is not None and draft.author in {None, person}:  # Dana's tickets are given to her, not written by her
            _enter(draft, match, person, assigned=assigned)
            return


def _phrases(draft: Draft) -> Iterator[tuple[re.Match[str], bool]]:
    """Phrases of work in the question, each with whether it speaks of what is assigned."""
    for patterns, assigned in ((GIVEN[draft.hangul], True), (DONE_KO if draft.hangul else DONE_EN, False)):
        yield from ((match, assigned) for pattern in patterns if (match := pattern.search(draft.open)))
    if address := MAIL.fullmatch(draft.open):
        yield address, False


def _enter(draft: Draft, match: re.Match[str], person: Person, *, assigned: bool) -> None:
    draft.author, draft.worker, draft.mine = None, None, draft.mine or person.me
    known = person.me or draft.directory.person(person.name, fuzzy=False) is not None
    draft.imply("assignee" if assigned else "worker", NEARLY_TYPED if known else LIKELY, person.name)
    if assigned:
        draft.assignee = person
        draft.hints.append((match.start(), Category.TRACKER))
        if match["open"]:
            draft.states.append(State.OPEN)
    else:
        draft.worker = person
    first, last = match.span("who")
    for word in draft.words_in(first, last):
        word.keep, word.role = False, None
    draft.keywords = [(at, text) for at, text in draft.keywords if not first <= at < last]
    if person.name:
        draft.lesser = [each for each in draft.lesser if each[1] != person.name]
        draft.lessen(first, person.name)
    draft.claim(match.start(), first, Role.NOISE)
    draft.claim(last, match.end(), Role.NOISE)


def _person(draft: Draft, match: re.Match[str]) -> Person | None:
    """Who is named: the asker, somebody found before, an address, or a name where only persons stand."""
    name, at = match["who"].removesuffix("'s").removesuffix("’s"), match.start("who")
    if name.lower() in ME:
        return Person("", me=True)
    for start, entity in draft.entities:
        if entity.kind is EntityKind.PERSON and start == at:
            return Person(entity.name, email=entity.email)
    if not _is_name(draft, name, personal=PERSONAL.search(match.group().lower()) is not None):
        return None
    found, score = person_of(draft.directory, name)
    email = found.email or (name if "@" in name else None)
    shown = found.name if score == 1.0 else name
    draft.entities.append((at, Entity(EntityKind.PERSON, shown, score, email)))
    return Person(shown, email=email)


def _is_name(draft: Draft, name: str, *, personal: bool) -> bool:
    lexicon, first = draft.lexicon, name.split(maxsplit=1)[0].lower()
    if "@" in name or draft.directory.person(name, fuzzy=False):
        return True
    if name.isascii():
        listed = first in lexicon.given and first not in lexicon.doubtful
        return listed or (name.istitle() and (" " in name or personal) and not _means_something(draft, name))
    common = name[:1] in lexicon.common_surnames or name[:2] in lexicon.common_surnames
    given = all(syllable in lexicon.syllables for syllable in name[-2:])
    return len(name) > 2 and common and given and is_full_name(draft, name)  # noqa: PLR2004


def _means_something(draft: Draft, name: str) -> bool:
    """Whether it is a word or a listed name of something else; of two words the last tells (Sora Park, Design Ops)."""
    lexicon, last = draft.lexicon, name.rsplit(maxsplit=1)[-1].lower()
    listed = (lexicon.tools, lexicon.not_projects, lexicon.project_names, lexicon.ordinary, lexicon.generic, GROUPS)
    return any(last in words for words in listed)
