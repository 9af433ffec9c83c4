"""What says how to look and not what for: the order (latest, 처음으로), a list of things (all bugs, 이슈 목록) and how they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.understand.draft import ANY_ISSUE
from orchestrator.understand.meaning import HARDLY
from translators.patterns import regex
from translators.query import NEARLY_TYPED, Category, Doubt, Kind, Sort, State

if TYPE_CHECKING:
    import re

    from orchestrator.understand.draft import Draft

HAPPENINGS = r"(?:e-?mails?|mails?|messages?|posts?|threads?|tickets?|issues?|bugs?|prs?|pull requests?|commits?|comments?|mentions?|discussions?|announcements?|deploy(?:ments?|s)?|releases?|rollouts?|incidents?|outages?|meetings?|time)"
"""What happens one after another, so that one is the last; a version or a figure is looked for by its words."""
HAPPENINGS_KO = r"(?:메일|이메일|메시지|글|스레드|댓글|공지|티켓|이슈|버그|pr|커밋|논의|배포|릴리즈|장애|회의|거|것|꺼)"
TELLING = r"(?:mention\w*|propos\w+|suggest\w*|rais\w+|discuss\w*|talk\w*|said|report(?:ed|s)|appear\w*|introduc\w+|announce\w*|noticed|heard|wrote|written|posted|deployed|happened|(?:brought|came|come) up|(?:e-?mail|mail|message|thread|post|deployment)s?)\b"
TELLING_KO = r"(?:언급|얘기|이야기|논의|제안|말|나온|나왔|거론|올라|올린|제기|보고|발견|발생|공유|신고|도입|소개|꺼낸)"
NEWEST = (
    regex(rf"\b(?:latest|newest|most recent(?:ly)?|last)\b(?= (?:[\w-]+ ){{0,2}}?{HAPPENINGS}\b| \w+ed\b)"),
    regex(r"\b(?:newest|latest|most recent) first\b"),
    regex(
        rf"(?:(?:제일|가장|맨) ?)?(?:최근|최신|마지막)(?:에|의|으로)?(?= (?:[^\s\W]\S* ){{0,2}}?{HAPPENINGS_KO}(?![가-힣]{{3}}))"
    ),
    regex(r"(?:(?:제일|가장) ?(?:최근|마지막)|마지막)(?:으로|에)(?=\s)|최신순(?:으로)?"),
)
OLDEST = (
    regex(rf"\b(?:earliest|oldest)\b(?= (?:[\w-]+ ){{0,2}}?{HAPPENINGS}\b)|\boldest first\b"),
    regex(rf"\bfirst (?=(?:ever )?{TELLING})"),
    regex(
        r"\bfirst time (?=(?:[\w'’-]+ ){1,3}?(?:\w*(?:ed|ught)|said|spoke|came|went|wrote|heard|saw|had|was|were)\b)"
    ),
    regex(rf"(?:(?:맨|제일|가장) ?)?(?:처음|최초)(?:으?로)?(?= (?:\S+ ){{0,4}}?{TELLING_KO})"),
    regex(r"(?:(?:맨|제일|가장) ?)?(?:처음|최초)으로(?= .*(?:언제|누가|누구))|오래된 ?순(?:으로)?"),
)

STATE_EN = r"(?:(?:still|currently|right now|now|already|yet|all) )*(?P<state>open|unfinished|unresolved|closed|finished|resolved|completed|fixed|blocked|stuck|overdue|approved|merged)"
THING_EN = r"(?P<thing>(?:issues?|bugs?|tickets?|tasks?|prs?|pull requests?|merge requests?)(?! trackers?| templates?)|e-?mails|mails)\b"
LISTING_EN = r"(?P<list>(?:list|show|count|how many|number of|(?:find|get|give|see) (?:me )?all|which|^all|^every)(?: (?:of|me|all|any|every|the|our|my|these))*)"
STATE_KO = r"(?P<state>열린|열려 ?있는|안 ?끝난|끝나지 ?않은|미해결|미완료|미처리|(?:해결|처리|완료) ?안 ?된|(?:해결|처리|완료)되지 ?않은|닫히지 ?않은|안 ?닫힌|끝난|완료된|해결된|닫힌|처리된|종료된|막힌|막혀 ?있는)"
THING_KO = r"(?P<thing>버그|이슈|티켓|태스크|pr|풀리퀘(?:스트)?|메일|이메일)(?:들)?"
SOLE = regex(
    rf"\b(?:only|just)(?: (?:the|our|any|all))?(?: (?P<said>\w+))? {THING_EN}|{THING_KO.replace('thing', 'thing_ko')}만(?=[\s?!.,]|$)"
)
"""Only tickets, 이슈만: nothing else is wanted."""
LISTED = (
    regex(rf"\b{LISTING_EN} {STATE_EN} {THING_EN}"),
    regex(rf"\b(?!which|all|every){LISTING_EN} (?:[\w-]+ ){{0,2}}?{THING_EN}"),
    regex(rf"\b{STATE_EN} {THING_EN}"),
    regex(r"\b(?:latest|newest|most recent|last) (?P<thing>prs?|pull requests?|tickets?|e-?mails?|mails?)\b"),
    regex(r"\b(?P<thing>e-?mails?|mails?)(?= (?:from|sent by|written by)\b)"),
    regex(rf"\b(?P<list>which|what) {THING_EN}(?= (?:are|is|were) {STATE_EN}\b)"),
    regex(rf"{STATE_KO} \S+ (?P<thing>버그|티켓|태스크)"),
    regex(rf"{STATE_KO} {THING_KO}(?: ?(?P<list>목록|리스트|전부|모두))?"),
    regex(
        rf"{THING_KO}(?:은|는|이|가|을|를|의)? ?(?P<list>목록|리스트|전부|모두|전체|다(?= (?:보여|알려|뽑|나열))|총? ?몇 ?(?:건|개)|개수|건수)"
    ),
    regex(rf"(?P<list>모든|전체) {THING_KO}"),
    regex(rf"(?:만든|등록한|생성한|올린|작성한|신고한|보낸|쓴|받은) {THING_KO}(?!\S*내용)"),
)
"""A list of things, or what is left to do of them: beside such words an issue is no trouble one has."""
TAILS = (
    regex(rf"(?: (?:that|which|are|is|do we have|have))* {STATE_EN}\b(?! (?:by|to)\b)"),
    regex(rf"(?:은|는|이|가|중|중에)? {STATE_KO} ?(?:거|것|게|건)"),
    regex(r"(?:나|이나|가|이)? (?P<state>남았|안 ?끝났|열려 ?있)"),
)
"""Behind the things, how they stand."""
LISTING_ALONE = regex(
    r"^\W*(?:(?:please|can you|could you) )?(?P<en>list)(?= (?:all|every|everything|the|out|of|our|my|any|me|what|which|open|closed|blocked)\b)"
    r"|^\W*(?P<ko>목록|리스트)(?=\s*:)|(?<=[거것] )(?P<of>목록|리스트)"
)
COUNTED = ("how many", "number of", "count", "which", "what", "총 몇", "총몇", "몇", "개수", "건수")
"""What is counted or chosen from is told in words as often as it is listed."""
LISTING = 0.5
KINDS = (
    ("메일", Kind.MAIL, Category.MAIL),
    ("mail", Kind.MAIL, Category.MAIL),
    ("p", Kind.PULL_REQUEST, Category.CODE),
    ("merge", Kind.PULL_REQUEST, Category.CODE),
    ("풀", Kind.PULL_REQUEST, Category.CODE),
)
"""How a thing's name ends or begins, and what it is; the others are issues."""
SHUT = regex(r"closed|finished|resolved|completed|fixed|merged|끝난|(?:완료|해결|처리|종료)된|닫힌")
NO_STATE = regex(r"blocked|stuck|overdue|approved|막")
"""Held up or let through: nothing that every tracker can say."""
BUGS = ("bug", "버그")
"""Issues of one sort. What else the question says is looked for; that they are bugs no source can be asked."""
# Plain substrings, tried first: most questions ask for no order and list nothing.
ORDER_WORDS = tuple("latest last recent newest oldest earliest first 최근 최신 마지막 처음 최초 오래된".split())
THING_WORDS = tuple("issue bug ticket task pr pull merge mail 이슈 버그 티켓 태스크 풀리퀘 메일".split())


def read_modifiers(draft: Draft) -> None:
    """Set the order, the kinds and the states that are asked for, and keep their words from the keywords."""
    text = draft.open.lower() if len(draft.open.lower()) == len(draft.open) else draft.open
    if any(word in text for word in ORDER_WORDS):
        draft.sort = _read_order(draft, text)
    if match := LISTING_ALONE.search(text):
        _drop(draft, *match.span(match.lastgroup or 0))
    # What happens in a channel is told in words; who types filters has said what is wanted.
    if draft.kinds or draft.states or draft.container is not None or not any(word in text for word in THING_WORDS):
        return
    sole = SOLE.search(text)
    if sole and (not sole["said"] or sole["said"] in draft.lexicon.categories):
        _read_things(draft, sole, text, NEARLY_TYPED)
        return
    for pattern in LISTED:
        if match := pattern.search(text):
            asked = match.groupdict().get("list") or ""
            _read_things(draft, match, text, HARDLY if asked.startswith(COUNTED) else LISTING)
            return


def _read_order(draft: Draft, text: str) -> Sort:
    for sort, patterns in ((Sort.OLDEST, OLDEST), (Sort.NEWEST, NEWEST)):
        for pattern in patterns:
            if match := pattern.search(text):
                _drop(draft, *match.span())
                return sort
    return draft.sort


def _read_things(draft: Draft, match: re.Match[str], text: str, strength: float) -> None:
    """Enter the kind and the state; their words go on weighing, since "bugs" may be what is written about."""
    name = "thing" if match["thing"] else "thing_ko"
    thing, first, last = match[name], *match.span(name)
    kind, category = next(
        (
            (kind, category)
            for name, kind, category in KINDS
            if thing.startswith(name) or thing.rstrip("s").endswith(name)
        ),
        (Kind.ISSUE, Category.TRACKER),
    )
    draft.kinds.append(kind)
    draft.hints.append((first, category))
    draft.imply("kinds", strength, draft.text[first:last])
    _weaken(draft, first, last)
    if thing.startswith(BUGS):
        draft.doubts.append(Doubt("any_issue", ANY_ISSUE))
    if match.groupdict().get("list"):
        _drop(draft, *match.span("list"))
    tail = next(filter(None, (pattern.match(text, match.end()) for pattern in TAILS)), None)
    said = tail or match
    if "state" in said.re.groupindex and said["state"]:
        draft.imply("states", strength, draft.text[slice(*said.span("state"))])
        _weaken(draft, *said.span("state"))
        _read_state(draft, said["state"])


def _read_state(draft: Draft, said: str) -> None:
    if not NO_STATE.match(said):
        draft.states.append(State.DONE if SHUT.match(said) else State.OPEN)


def _weaken(draft: Draft, first: int, last: int) -> None:
    """These words are conditions too, so that an answer need not hold them."""
    _drop(draft, first, last)
    for word in draft.words_in(first, last):
        draft.lessen(word.start, draft.text[word.start : min(word.end, last)])


def _drop(draft: Draft, first: int, last: int) -> None:
    """These words are no keywords; those for being held up may be, where nothing else is."""
    for word in draft.words_in(first, last):
        if not word.lower.startswith(draft.lexicon.hindrances):
            word.keep = False
