"""Steps and lists: what asks for them, the sentences that tell one, and the lines of a text that are one, whole.

Who asks how something is done wants what to do ("press and hold the button", 먼저 밸브를 잠그세요), and not whatever holds a number. Who asks which things
there are wants those that enumerate them.
"""

from __future__ import annotations

import re
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from orchestrator.answer.sentences import READ
from orchestrator.answer.text import cut_at_word, quotable_line
from translators.patterns import Sieve, regex
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST = 480  # characters of a list, which is of use as a whole
LEAST = 2  # lines that are one
ITEM = 80  # characters of an item on average: longer ones are paragraphs
HEADS = 100  # characters of the line above
LINE = regex(r"[ \t]{0,8}(?:(?P<number>\d{1,2})[.)]|[-*+•·‣▪►☐✓✔]|\[[ xX]?\])\s+\S")

VERBS = (
    "press|hold|open|close|click|choose|select|go|turn|switch|set|enter|type|pull|push|plug|unplug|remove|put|place|fill|bring|send|submit|upload|download|use|run|call|ask|contact"
    "|wait|check|make|log|sign|add|pick|take|leave|follow|attach|connect|disconnect|restart|reboot|copy|paste|scan|tap|insert|lift|lock|unlock|start|stop|drain|wash|rinse|clean|mix"
    "|pour|stir|heat|keep|write|create|register|apply|request|book|email|mail|notify|tell|report|drop|return|empty|replace|screw|unscrew|tighten|loosen|install|update|sync|export"
    "|import|move|drag|read|find|give|get|do|let|shut|cut|wipe|lower|raise|slide|swipe|flip|hang|fold|cover|store|give|begin|stay|walk|assemble|print|approve|confirm|reset|try"
)
INSTRUCTS = Sieve(
    regex(
        rf"(?:^\W{{0,4}}(?:\d{{1,2}}[.)]\s)?|[:：;–—]\s|,\s(?:then\s|and\s)?|\b(?:then|first|next|finally|please|just|simply|and|never|always)\s|\bdo(?:n['’]t| not)\s)(?:{VERBS})\b(?!\s(?:was|is|were|are|has|had|of)\b)"
        r"|^\W{0,4}(?:after|when|whenever|if|before|once|in case of|to|for)\s[^,.;]{2,60},\s(?!(?:the|an?|we|i|it|he|she|they|there|this|that|our|some|no|which|who|and|or|but|not)\b)[a-z]{2,14}\s"
        r"|\byou (?:need|have|must|should|can)\b|\b(?:needs?|has|have) to be\b|\bmake sure\b|\bby (?:press|hold|click|select|send|open|fill|enter|turn|pull|push|call|writ|email|choos)\w{1,4}ing\b|\bstep \d"
        r"|(?:세요|십시오|주시면|시면\s?(?:됩|돼)|면\s?(?:됩니다|돼요|된다|끝))|[가-힣]야\s?(?:합니다|해요|하며|됩니다|돼요|함|한다)|[가-힣]\s(?:뒤|후|다음)(?:에)?(?=[\s,])|그\s?다음|먼저\s"
        r"|(?:누르|누른|누릅|입력|클릭|선택|체크|제출|작성|첨부|접속|로그인|내려받|업로드|저장|등록|신청)(?:고|니다|하고|합니다|해서|한다|하면|하기|는다|다)(?=[\s,.]|$)",
        re.IGNORECASE,
    )
)
ASKS_FOR_ALL = regex(
    r"\bwhat(?:['’]s|\s(?:is|are))?\s(?:all|the (?:full|whole|complete))\b|\b(?:who|what|which) all\b|\b(?:which|what)\s[a-z]{2,20}(?<![suioea])(?<!doe)(?<!thi)s\s(?:are|were|do|did|have|had|can|could|will|would|should|must|need|run|use|go|make|get|come|belong|take|apply|still|of|for|in|on|with)\b"
    r"|\bwhat are (?:the|our|all)\s|\blist (?:of|all|the)\b|\bwhat (?:do|does|should|must) (?:we|i|you|they|one) (?:need|bring|pack|have to bring)\b"
    r"|\bwhat(?:['’]s|\s(?:is|was|has|have|had|did|does|got))?\s(?:[\w.-]+\s){0,4}?(?:changed?|new|different|added|improved|fix(?:ed)?)\s(?:in|with|since|for|between|by)\b|\b(?:change|release) ?(?:log|notes)\b|\bwhat['’]s new\b"
    r"|(?:뭐|뭘|무엇)(?:가|이|을)?\s?(?:새로\s?)?(?:바뀌|바뀐|바꼈|바꿨|바뀜|달라|변경|추가|개선|고쳐졌)|(?:변경|개선|수정|달라진|바뀐)\s?(?:사항|점|내용|거|것)"
    r"|뭐\s?뭐|뭣뭣|무엇무엇|누구\s?누구|어디\s?어디|뭐가?\s?(?:있|들|필요)|(?:목록|명단|종류|준비물|리스트)(?:이|가|은|는|을|를)?\s?(?:뭐|무엇|어떻게|알려|좀|[?？]|$)|어떤\s[가-힣]{1,8}들",
    re.IGNORECASE,
)
# Three things and more: two commas with little between them, or one and an "and" behind it.
APART = r"[,、·]\s?"
ENUMERATES = regex(
    rf"(?:^|[:：\s])[^,.;:!?\n]{{1,40}}{APART}[^,.;:!?\n]{{1,40}}(?:{APART}(?:and\s|or\s)?|\s(?:and|or|&|및|그리고)\s|[와과]\s)[^,.;:!?\s]{{1,40}}",
    re.IGNORECASE,
)


@record
class WholeList:
    """The lines of a list in one, and the line above them ("" for none)."""

    heading: str
    text: str
    counted: bool
    items: int


def lists_in(text: str) -> tuple[WholeList, ...]:
    """The lists of a text: numbered lines that count on from 1, with what stands between, and bullets that follow each other."""
    lines = text[:READ].split("\n")
    marked = [(at, int(found["number"] or 0)) for at, line in enumerate(lines) if (found := LINE.match(line))]
    return tuple(_of(lines, run) for run in _runs(marked) if len(run) >= LEAST)


def steps_in(text: str) -> tuple[WholeList, ...]:
    """The lists that tell what to do: those that are numbered, and bullets of which one says so or that have a line above."""
    return tuple(each for each in lists_in(text) if each.counted or each.heading or instructs(each.text))


def things_in(text: str) -> tuple[WholeList, ...]:
    """The lists whose items are things and no paragraphs."""
    return tuple(each for each in lists_in(text) if len(each.text) <= ITEM * each.items)


def _runs(marked: list[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    run: list[tuple[int, int]] = []
    for before, (at, number) in pairwise(chain([(-1, -1)], marked)):
        goes_on = run and (number == before[1] + 1 if number else not before[1] and at == before[0] + 1)
        if not goes_on:
            yield run
            run = []
        if run or number in {0, 1}:
            run.append((at, number))
    yield run


def _of(lines: list[str], run: list[tuple[int, int]]) -> WholeList:
    first, last = run[0][0], run[-1][0]
    above = next((lines[at] for at in range(first - 1, -1, -1) if lines[at].strip()), "")
    heading = quotable_line(above.lstrip("# "))
    whole = cut_at_word(quotable_line("\n".join(lines[first : last + 1])), LONGEST)
    return WholeList(heading if len(heading) <= HEADS else "", whole, bool(run[0][1]), len(run))


def instructs(sentence: str) -> bool:
    """Whether a sentence tells somebody what to do."""
    return INSTRUCTS.finds(sentence)


def asks_for_all(question: str) -> bool:
    """Whether a question asks which things there are, all of them."""
    return ASKS_FOR_ALL.search(question) is not None


def enumerates(sentence: str) -> bool:
    """Whether a sentence names three things and more, one after the other."""
    return ENUMERATES.search(sentence) is not None
