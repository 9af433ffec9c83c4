"""What a question is after, by its shape: the noun asked for and the clause that asks, whatever stands around them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from translators.patterns import regex
from translators.query import QueryType
from translators.question_words import COURTEOUS, COURTESIES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

HEAD = 5.6
"""Weight of the noun a noun phrase ends in: "pricing deck for Acme" asks for a deck, 결정 일정 for a date."""
NEAR_HEAD = 4.6
"""Weight of such a noun with a clause behind it: "the template Tomoko made"."""
ASKED = 6.5
"""Weight of the noun behind which or what: "in which month", "what team"."""
SOUGHT = 9.0
"""Weight of the Korean one straight before where or what: 스펙은 어디에, 정책은 무엇."""

THING = 3.6
"""Weight of which or what before a noun that no table holds: some value is asked for."""

FILTER = regex(r"(?<!\S)-?[a-z]+:\S+|(?<!\S)-(?=[^\W\d])\S+")
LEAD = regex(
    r"^(?:[\s,.!?…~-]|(?:so|hi|hey|hello|ok|okay|and|but|also|please|pls|plz|quick (?:q|question)|just|sorry|um|hmm|folks|all|team|everyone|guys|there)\b"
    r"|(?:can|could|would|will) (?:you|u|someone|somebody)\b(?: please| kindly)?(?: help(?: me)?| point me to| tell me)?|(?:do|does|did) (?:you|u|someone|somebody|anyone|anybody|any of you|one of you)(?: please| kindly| guys| all)? (?:tell|remind|explain|let|know|recall|remember|happen to know|clarify|confirm|say|share)\b(?: me| us| to me)?(?: know)?"
    r"|(?:i|we)(?:'m| am|'d| would| was|'re| are)? (?:just )?(?:wondering|curious|trying to (?:find out|figure out|understand|remember|recall|work out)|need(?:ing)? to (?:know|find out|understand)|want(?:ed|ing)? to (?:know|ask|check|find out|understand)|like to (?:know|understand)|interested in|not sure|unsure|forgot|forget|don't (?:know|remember)|can't (?:recall|remember))\b(?: about)?"
    r"|(?:any(?:body|one)?(?: here)? (?:idea|clue|know|knows|remember|remembers|recall)|remind me|tell me|let me know|not sure|no idea|wondering|curious|question:?)\b(?! (?:about|if there))"
    r"|(?:if|whether)\b)+"
)
CLAUSE = regex(
    r"(?:[,;.?!:–—]\s*(?:and |so |but )?|\s-+\s|\s(?=(?:who|what|when|where)(?:'s| (?:is|are|was|were|did|does|do|has|have)) ?(?:it|that|this|they|he|she)?\??$))"
    r"(?P<asks>(?:who|whos|whose|what|whats|when|where|which|how|why)\b.*)$"
)
OPENS = regex(
    r"(?:who|whos|whose|whom|what|whats|when|whens|where|wheres|which|how|hows|why|in which|by when|until when|since when)\b"
)
BREAK = regex(
    r"(?<![\w-])(?:for|of|on|in|at|from|about|with|to|between|by|that|which|who|when|where|while|during|after|before|since|because|if|re|regarding|per|against|into|under|over|around|as|is|are|was|were|and|or|vs|versus|not|w/|excluding|except|but|covering|showing|touching|explaining|describing|(?:ground|top|first|second|third|fourth|fifth|\d+(?:st|nd|rd|th)) floor|(?:level|floor) \d+|the \w+ one)(?![\w-])|[,;:?.!()]|\s[-–—]\s"
)
WHAT_IS = regex(
    r"^what(?:'s|s| is| are| was| were| will be)? (?:the |our |my |your |their |its |current |latest |his |her )*"
)
ASKS_FOR = regex(
    r"^(?:in |on |by |at |for |from |under |to |with |until |since |during )?(?:which|what) (?!(?:is|are|was|were|do|does|did|has|have|had|will|can|should|would|if|about|got|happens?|happened)\b)(?P<rest>(?:[\w'’-]+\s?){1,3})"
)
GIVE = regex(
    r"(?:(?:the|a|an|our|my|any|all|latest|current|need|needs|send|show|get|give|find|share|looking for|want|me|us|link to)\b\s*)+"
)
CLAUSAL = regex(
    r"(?:is|are|was|were|do|does|did|has|have|had|can|could|should|would|will|may|must|am|who|what|when|where|why|how|which|whose|anyone|anybody|somebody|someone)\b"
)
WORD = regex(r"[a-z][\w-]*")
TRANSPARENT = frozenset(
    "version versions copy list lists set kind type part page section edition name names link links".split()
)
PERIODS = frozenset("day days week weeks month months quarter year years weekend time times".split())
TRAILING = 4
"""How many words of a clause may follow the noun asked for: "template Tomoko made in May"."""

ASKING = {
    QueryType.DOCUMENT: regex(r"어[디딨딧](?!까지|쯤)"),
    QueryType.FACTUAL: regex(r"무엇|뭐|뭔|얼마|어떻게 되"),
}
"""How the word begins that asks for a thing, and for a value."""
CLOSING = "?!.~,…;"
PLEASE = regex("(?<=[가-힣])좀")
"""Written onto the word before it: 회의록좀."""
HUMBLE = frozenset({"분"})
"""Heads only as words of their own: 성분 and 수분 are no persons."""
CARRYING = frozenset(
    "이름 거 것 걸 거로 최신 최신판 버전 버젼 최신본 주소 링크 url 위치 목록 리스트 내용 여부 사항".split()
)
PARTICLE = regex(
    r"(?:들)?(?:이|가|은|는|을|를|의|에|로|도|만|랑|이랑|에서|에게|한테|과|와|요|인지|인가요|인가|이야|이에요|예요|이죠|죠|이었죠|였죠|이었나요|였나요|이지|지|인데|으로)?$"
)
POLITE_WH = regex(
    r"(?<=[지나까요]) (?:아시는|아는|기억하시는|알고 계신|혹시 아시는) (?:분|사람)(?:들)?(?:\s?(?:계신가요|계세요|계실까요|있나요|있으세요|있을까요|있어요|있음|있나|없나요))?\s*[?!.~ㅠㅜ]*$"
)


def plain(text: str) -> str:
    """The lower-cased question without filters and courtesy, and with the clause that asks in front."""
    lowered = text.lower().replace("’", "'")
    if ":" in lowered or "-" in lowered:
        lowered = FILTER.sub(" ", lowered).strip() or lowered
    if not lowered.isascii():
        lowered = POLITE_WH.sub("", lowered)
    lead = LEAD.match(lowered)
    core = (lowered[lead.end() :].lstrip() if lead else "") or lowered
    if not OPENS.match(core) and (match := CLAUSE.search(core)):
        core = f"{match['asks']} ; {core[: match.start()]}"
    return core


def noun_asked_for(core: str, heads: Mapping[str, QueryType]) -> tuple[QueryType, float, str] | None:
    """The English noun asked for: the type it speaks for, the weight of that, and the noun."""
    if match := ASKS_FOR.match(core):
        found = _first(WORD.findall(match["rest"]), heads)
        return (found[0], ASKED, found[2]) if found else (QueryType.FACTUAL, THING, match.group().strip())
    what = WHAT_IS.match(core)
    if not what and CLAUSAL.match(core):
        return None
    start = what or GIVE.match(core)
    segments = BREAK.split(core[start.end() :] if start else core, maxsplit=2)
    words = WORD.findall(segments[0])
    if words and words[-1] in TRANSPARENT and len(segments) > 1:
        words = WORD.findall(segments[1])  # the latest version of the form
    found = _first([word for word in words[: -TRAILING - 1 : -1] if word not in PERIODS], heads)
    return (found[0], NEAR_HEAD if found[1] else HEAD, found[2]) if found else None


def _first(words: Sequence[str], heads: Mapping[str, QueryType]) -> tuple[QueryType, int, str] | None:
    return next(((kind, place, word) for place, word in enumerate(words) if (kind := _english_noun(word, heads))), None)


def _english_noun(word: str, heads: Mapping[str, QueryType]) -> QueryType | None:
    """What a noun speaks for: known whole or by its last part (tax-form)."""
    return heads.get(word) or heads.get(word.rpartition("-")[2])


def noun_at_end(core: str, heads: Mapping[str, QueryType]) -> tuple[QueryType, float, str] | None:
    """The Korean noun asked for: the last one before courtesy and question words, known whole or by its ending."""
    kept = _uncourteous(core)
    words = kept[-TRAILING:][::-1]
    if not words:
        return None
    before = words[1:] if words[0] in CARRYING else []
    found = next((found for word in before if (found := _ending(word, heads))), None) or _ending(words[0], heads)
    rest = core.split()[len(kept) :]
    if found and rest and (asking := ASKING.get(found[0])) and asking.match(rest[0]):
        return found[0], SOUGHT, found[2]
    return found


def _uncourteous(text: str) -> list[str]:
    """The words without the courtesy they end in: taken off word by word from the end, each looked at once."""
    words = text.split()
    while words:
        word = words.pop()
        kept = PLEASE.split(word, maxsplit=1)[0].rstrip(CLOSING)
        if kept and kept not in COURTESIES and not kept.startswith(COURTEOUS):
            return [*words, kept]
    return words


def _ending(word: str, heads: Mapping[str, QueryType]) -> tuple[QueryType, float, str] | None:
    for noun in dict.fromkeys((word, PARTICLE.sub("", word))):
        for start in range(len(noun)):
            if start and (noun[start:] in HUMBLE or (noun[start].isascii() and noun[start - 1].isascii())):
                continue  # inside a Latin word nothing ends: npm is no pm
            if kind := heads.get(noun[start:]):
                return kind, HEAD, noun[start:]
    return None
