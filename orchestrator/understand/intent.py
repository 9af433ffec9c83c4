"""Which of the seven types of answer is wanted, with a score per type and the words that decided it; rules and a small trained part."""

from __future__ import annotations

from itertools import pairwise
from math import exp
from typing import TYPE_CHECKING

from orchestrator.understand.draft import Role
from orchestrator.understand.heads import SOUGHT, noun_asked_for, noun_at_end, plain
from orchestrator.understand.meaning import LIKELY
from orchestrator.understand.rule import asks_for_rule, without_case
from orchestrator.understand.trained import STRONG, TYPES
from orchestrator.understand.work import asked_of_several
from translators.patterns import regex
from translators.query import Category, EntityKind, IdKind, QueryType, TypeScore
from translators.question_words import ENGLISH_ASKS, KOREAN_ASKS

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from orchestrator.understand.draft import Draft

TOKEN = regex(r"⟨\w+⟩|[a-z]+(?:'[a-z]+)?|\d+|[가-힣]+|[?!]")
TAIL = regex(r"(?<=[A-Za-z0-9])[가-힣]+$|(?:이|가|은|는|을|를|의|한테|이랑|랑)$")
MOST = 40
"""Words of a question that are read."""
ENGLISH = regex(
    r"\b(?:who|who's|whos|what|what's|when|where|where's|how|why|which|is|are|the|for|of|on|did|has|any|anyone)\b"
)
"""English words that ask or join, as they stand in a question of both languages."""
SEARCHING = regex(
    r"^\W{0,9}(?:(?:please|pls|can you|could you|i want to|i need to|let me|help me) )*(?:(?P<en>search)(?P<for> for| through| up)?|look up) (?!engines?\b|index\b|results?\b|relevance\b|(?:the |our |a |an )?[\w-]+ (?:of|for|about|on|by|from)\b)\S"
    r"|\S (?P<ko>검색|서치)(?:을|좀)? ?(?:(?:해|하|부탁|바라|바랍)[가-힣 ]{0,10})?[\s?!.~]*$"
)
"""A command to search and no more: whatever it is given, it asks for all there is."""
SAID = 0.3
"""What the word of such a command weighs."""
ASKS = regex(rf"\b(?:{ENGLISH_ASKS})\b|{KOREAN_ASKS}")
DOES = regex(r"누가 (?:\S+ )?(?:하|맡|담당하|진행하|작업하|만들|개발하|처리하)고 ?있")
"""Who is at it; not whether it goes on."""
RELATIVE = regex(r"^\W*(?:why|when|where|how (?:many|much|long|often))\b(?P<rest>.*)")
WHO = regex(r"(?<=[a-z])(?<! and)(?<! or)(?<!,) who\b")
"""Behind a word that asks: why people who join lose their progress."""
ASKED = regex(r"\W*(?:(?:for|to|by|with|in|on|from) )?(?:what|which|who|whom|whose|how|where)\b")
CASE = regex(
    r"(?<=[a-z0-9]) when (?=(?:the|an?|we|i|you|they|it|he|she|there|somebody|someone|something|nobody|nothing|my|our|your|their|his|her|its|this|that)\b)"
)
"""What is to be done in a case: what we do when the till is short."""
TELLS = frozenset(
    "and or about of on know knows knew say says said tell told me us see set sets decide decides decided confirm confirmed asked remember remembers".split()
)
"""Before a "when" that still asks: who knows when it opens."""
QUOTED = regex(r"[\"“][^\"”]*[\"”]")
PRIOR = {QueryType.EXPLORATORY: 0.5}
"""A question without any cue is a topic to explore."""
SUPPORT = 0.3
"""How much each further cue of a type adds."""
RULE = 5.0
"""The weight of asking for a rule, as that of a cue."""
EXPLORING = TYPES.index(QueryType.EXPLORATORY)
PERSON = TYPES.index(QueryType.PERSON)
STATUS, FACTUAL = TYPES.index(QueryType.STATUS), TYPES.index(QueryType.FACTUAL)
NOBODY = regex(
    r"\W*why\b|(?!.*(?:누[가구군]|는 (?:사람|분))).*(?<![가-힣])왜(?![가-힣])"
    r"|(?!.*(?:\b(?:who(?:m|se)?|owners?|authors?|experts?|contacts?|responsible|in charge)\b|누[가구군]|담당|책임|이름|(?:[는쓴]|[가-힣][한된은]) (?:사람|분|동료)))"
    r".*(?:\bhow (?:much|long|many (?!people\b))|\bwhat .{1,60}\bto pay\b|얼마(?! ?전)|며칠)"
)
"""Nobody is the answer to a question why, nor to one for an amount or a time: for how much one person goes; in Korean that word need not come first, and it
may be asked who and why, or for the owner of what says how long."""
SURE = 0.5
"""Below it the type of one bare noun is right out of fold in 6 of 25 questions, and exploratory in 7; above it in 30 of 33."""
FEW = 2
HAPPENED = regex(r"\W*what(?:'s|’s| has| is| was)?(?: been)? (?:happen(?:s|ed|ing)|(?:went|going) on)\b")
"""Asks for whatever there was in a time."""
CODES = frozenset({IdKind.ERROR_CODE, IdKind.URL, IdKind.PERMALINK})
MAIL_OR_DRIVE = frozenset({Category.MAIL, Category.DRIVE})
TRACKER_OR_CODE = frozenset({Category.TRACKER, Category.CODE})


def tokens(draft: Draft) -> list[str]:
    """The lower-cased words, with names, periods, places and the like each as one mark: what they are, not which."""
    named = {start: entity.kind for start, entity in draft.entities}
    text, parts, at = draft.text, list[str](), 0
    for word in draft.words:
        kind: str | None = word.role or named.get(word.start)
        if kind is None or kind is Role.NOISE or word.start < at:
            continue
        tail = None
        if word.role is None:
            kind = "person" if kind is EntityKind.PERSON else "project"
            tail = TAIL.search(word.text) if word.hangul else None
        parts += (text[at : word.start], f" ⟨{kind}⟩{tail.group() if tail else ''} ")
        at = word.end
    parts.append(text[at:])
    found = TOKEN.findall(_without_relatives("".join(parts).lower().replace("’", "'")))[:MOST]
    numbered = ["0" if word.isdigit() else word for word in found]
    return [word for before, word in pairwise(["", *numbered]) if word != before or not word.startswith("⟨")]


def marks(draft: Draft) -> list[str]:
    """What the other steps found, as features."""
    flags = {
        "window": draft.window,
        "future": draft.future,
        "author": draft.author,
        "container": draft.container,
        "mine": draft.mine,
    }
    found = [name for name, value in flags.items() if value]
    found += [str(hint) for _, hint in draft.hints] + [str(item.kind) for _, item in draft.ids]
    found += [str(entity.kind) for _, entity in draft.entities]
    return [f"g:{name}" for name in dict.fromkeys(found)]


def read_intent(draft: Draft) -> tuple[TypeScore, ...]:
    """Scores of all types, best first; they sum to 1. Rules and the trained part are mixed where there is one."""
    found, strengths, clearest = evidence(draft)
    words = [tuple(word for _, word in found[kind]) for kind in TYPES]
    if (trained := draft.lexicon.types) is None:
        raw = [strength + PRIOR.get(kind, 0.0) for kind, strength in zip(TYPES, strengths, strict=True)]
    else:
        weights, read = trained.of(draft.language), tokens(draft)
        odds = weights.mixed(strengths, clearest, weights.learned(read, marks(draft)))
        top = max(odds)
        raw = [exp(value - top) for value in odds]
        if clearest[STATUS] < STRONG and asks_for_rule(_wanted(draft)):
            raw[FACTUAL], raw[STATUS] = raw[FACTUAL] + raw[STATUS], 0.0
        best = raw.index(max(raw))
        if settled := _settled(draft):
            place = TYPES.index(settled[0])
            raw[place], words[place] = 2 * raw[best], (settled[1],)
        elif _is_code_alone(draft) or (not any(strengths) and _says_no_type(draft, raw[best] / sum(raw))):
            raw[EXPLORING] = raw[best]
            words[EXPLORING] = ("(a topic alone)",) if read else ()  # faces and dots are no topic
        elif telling := weights.telling(read, best):
            words[best] += (f"~{telling}",)
    if NOBODY.match(draft.open.lower()):
        raw[PERSON] = 0.0
    total = sum(raw)
    scored = [TypeScore(kind, round(value / total, 4), why) for kind, value, why in zip(TYPES, raw, words, strict=True)]
    return tuple(sorted(scored, key=lambda score: (score.score, score.type is QueryType.EXPLORATORY), reverse=True))


def read_search(draft: Draft) -> None:
    """A command to search is no word to look for, though it may be part of a name: it weighs a little."""
    if search := _search(draft):
        draft.searching = True
        if search["ko"] or (search["en"] and not search["for"]):
            draft.weaken(*search.span("ko" if search["ko"] else "en"), SAID)


def _search(draft: Draft) -> re.Match[str] | None:
    text = draft.text.lower()
    if len(text) != len(draft.text) or not (search := SEARCHING.search(text)):
        return None
    if ASKS.search(draft.open.lower()):  # not by what says when: 며칠 전 회의록 검색
        return None
    # "Search ranking status" may be the status of what is called search.
    bare = search["en"] and not search["for"] and any(_cues(draft, plain(text)))
    return None if bare else search


def _settled(draft: Draft) -> tuple[QueryType, str] | None:
    """What a sentence asks for by its build, whatever stands in it: to search, who is at a thing, where a document is."""
    if draft.searching:
        return QueryType.EXPLORATORY, "(a search)"
    if draft.assignee and not (draft.keywords or draft.phrases or draft.ids):
        return QueryType.STATUS, "(somebody's work)"
    text = _wanted(draft).lower()
    if (draft.coming or (draft.window and not draft.keywords)) and (match := HAPPENED.match(text)):
        return QueryType.EXPLORATORY, match.group()
    if match := DOES.search(text):
        return QueryType.PERSON, match.group()
    if several := asked_of_several(text):
        return QueryType.STATUS, several[1]
    head = next(_head(draft, plain(text)), None)
    return (head[0], head[2]) if head and head[:2] == (QueryType.DOCUMENT, SOUGHT) else None


def _is_code_alone(draft: Draft) -> bool:
    """Nothing but error codes or addresses: what their pieces were learned to mean elsewhere says nothing (E_PUMP_771 is no time)."""
    codes = [(start, start + len(each.text)) for start, each in draft.ids if each.kind in CODES]
    return bool(codes) and all(any(start <= word.start < end for start, end in codes) for word in draft.words)


def _says_no_type(draft: Draft, score: float) -> bool:
    """A bare noun of which the trained part is not sure, or one or two that are everybody's topics: 결제, change freeze."""
    free = [word for word in draft.words if word.role is None]
    kept = {text.casefold() for _, text in draft.keywords}
    if len(free) > FEW or "?" in draft.text or not all(word.lower in kept for word in free):
        return False
    lexicon = draft.lexicon
    common = all(
        any(word.lower in words for words in (lexicon.generic, lexicon.variants, lexicon.beside)) for word in free
    )
    return common or (len(free) == 1 and score < SURE)


def evidence(draft: Draft) -> tuple[dict[QueryType, list[tuple[float, str]]], list[float], list[float]]:
    """What the rules found: cues by type, and of each of ``TYPES`` the whole strength and the heaviest cue."""
    text = plain(_wanted(draft))
    found: dict[QueryType, list[tuple[float, str]]] = {kind: [] for kind in TYPES}
    for kind, weight, why in (*_cues(draft, text), *_head(draft, text), *_context(draft)):
        found[kind].append((weight, why))
    rule = asks_for_rule(text)
    if rule:
        found[QueryType.FACTUAL].append((RULE, "(a rule)"))
    if found[QueryType.STATUS] and rule and (asked := without_case(text)) != text:
        told = {why for kind, _, why in _cues(draft, asked) if kind is QueryType.STATUS}
        found[QueryType.STATUS] = [each for each in found[QueryType.STATUS] if each[1] in told or each[1][0] == "("]
    strengths = [_strength(found[kind]) for kind in TYPES]
    return found, strengths, [max((weight for weight, _ in found[kind]), default=0.0) for kind in TYPES]


def _strength(cues: list[tuple[float, str]]) -> float:
    """The best cue decides and the others support it: many weak words must not outvote a clear one."""
    if not cues:
        return 0.0
    weights = sorted((weight for weight, _ in cues), reverse=True)
    return weights[0] + SUPPORT * sum(weights[1:])


def _wanted(draft: Draft) -> str:
    """The question without what it excludes."""
    text = draft.text
    for word in draft.words:
        if word.role is Role.NEGATED:
            text = text[: word.start] + " " * (word.end - word.start) + text[word.end :]
    return text


def _cues(draft: Draft, text: str) -> Iterator[tuple[QueryType, float, str]]:
    """The cues of the language, of both where English words ask inside a Korean question."""
    lexicon = draft.lexicon
    if draft.hangul:
        yield from lexicon.cues_ko.found(text)
    if not draft.hangul or ENGLISH.search(text):
        yield from lexicon.cues_en.found(_without_relatives(text))


def _without_relatives(text: str) -> str:
    """Lower-cased ``text`` whose first word asks, with "that" for a "who" that asks nothing and "if" for a "when" that does not."""
    if asked := RELATIVE.match(text):
        text = text[: asked.start("rest")] + WHO.sub(" that", asked["rest"])
    case = CASE.search(text) if ASKED.match(text) else None
    if case and text[: case.start()].rpartition(" ")[2] not in TELLS:
        text = f"{text[: case.start()]} if {text[case.end() :]}"
    return text


def _head(draft: Draft, text: str) -> Iterator[tuple[QueryType, float, str]]:
    """The noun that is asked for."""
    lexicon = draft.lexicon
    bare = QUOTED.sub(" ", text)
    named = noun_at_end(bare, lexicon.heads_ko) if draft.hangul else None
    if named := named or noun_asked_for(bare, lexicon.heads_en):
        yield named


def _context(draft: Draft) -> Iterator[tuple[QueryType, float, str]]:
    """What is asked for where no word says it: a file name or somebody's mail is a document, a tracker tells status."""
    kinds = {found.kind for _, found in draft.ids}
    if IdKind.FILE_NAME in kinds:
        yield QueryType.DOCUMENT, 3.0, "(file name)"
    if IdKind.ERROR_CODE in kinds:
        yield QueryType.FACTUAL, 2.0, "(error code)"
    if draft.worker is not None and draft.worker.email == draft.text.strip():
        yield QueryType.PERSON, 7.0, "(address)"
    elif draft.assignee is not None or (draft.worker is not None and draft.readings["worker"].strength >= LIKELY):
        yield QueryType.STATUS, 14.0, "(somebody's work)"
    hints = {hint for _, hint in draft.hints}
    if hints & MAIL_OR_DRIVE:
        yield QueryType.DOCUMENT, 1.0, "(mail or drive)"
    if hints & TRACKER_OR_CODE:
        yield QueryType.STATUS, 1.0, "(tracker or code)"
