"""Choose which of the sentences that were read answer the question: by what is learnt, by what holds now, and without saying a thing twice."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from connectors.passages import cells_of
from orchestrator.answer.actors import names_anybody
from orchestrator.answer.cover import wanted
from orchestrator.answer.dates import day_at, day_of, days, newest_first
from orchestrator.answer.own import SPOKEN, is_reply
from orchestrator.answer.passages import passage_of
from orchestrator.answer.quotes import DIGIT, HALF, says_little
from orchestrator.answer.revoked import STRUCK
from orchestrator.answer.rows import month_of
from orchestrator.answer.sentences import Sentence
from orchestrator.answer.signals import DATE, HEDGES, HOW_MANY, RANGE, SETTLES, changes
from orchestrator.answer.slot import slot_of
from orchestrator.answer.sound import sound_of
from orchestrator.answer.speaking import turn_of
from orchestrator.answer.text import STOP, quotable_line
from translators.match import matches
from translators.match import words as words_of
from translators.patterns import regex
from translators.query import Compare, Field, Kind, QueryType, all_of, leaves

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import date, datetime

    from orchestrator.answer.quote import Quote
    from translators.query import Leaf, Query

ONE_MATTER = SPOKEN | {Kind.MAIL}  # of one matter from the first line to the last
AT_ONCE = 120  # characters of a message that is read in one glance
MOST = 3  # sentences quoted
OF_ONE = 2  # of them from one result, as long as others have something to say
TOLD = 0.08  # of the best sentence's odds, from which one is told beside it;
NEARLY = 0.25  # of a decision or a date, where what is only near misleads
LIKELIER = 1.5  # of the odds of the best of the kind that is asked for, from which what is of no such kind may stand before it;
AS_LIKELY = 0.5  # and from which it is told
WORTHWHILE = 0.12  # of them, from which a newer one may stand before it
# Where something on the matter sounds right, what does not is told only where it is as likely. The others can be shown by anything.
STRICT = frozenset({QueryType.DECISION, QueryType.TEMPORAL})
# What holds at present is asked for, of which a table may tell the history.
NOW = regex(
    r"\b(?:is|are)\s(?:[a-z]{1,12}\s){0,2}(?:live|current|active|running|in (?:use|force|effect))\b|\b(?:now|current(?:ly)?|latest|newest)\b|현재|지금|최신|현행|요즘",
    re.IGNORECASE,
)
# A word that may say which of several: no number, and in Korean without a particle.
BARE = regex(
    r"[a-z][a-z-]{2,20}(?<!ed)(?<!ly)|[가-힣A-Za-z\d]{1,8}[가-힣](?<![은는이가을를의에로도만와과서며고터지게한된할던인])"
)
# What came, went or is so of some: no number of all.
PART = regex(
    r"\b(?:add(?:ed|s|ing)?|another|extra|additional|more(?! than)|hired)\b|(?<=\d )new\b|(?<=\d )(?:out )?of (?:the|our|these|those|them|which)\b(?! \d)"
    r"|\b(?:we|they|he|she|i|has|have|were|was|are|is|got) (?:also |just |already )?(?:ordered|bought|received|returned|sold|lost|broken?|missing|sick|absent|gone|repaired|replaced)\b"
    r"|추가(?=로|\s?(?:했|됐|합|해|하였|되었|구매|구입|주문|입니다|이에요|예요))|(?:주문|반납|입고|출고|충원|퇴사|입사|판매|분실|불참|결석|고장)\s?(?:했|됐|났|합|해|하였|되었|입니다|이에요|예요)|(?<![가-힣])더(?=[\s,.])|(?<!\d\S)(?<!\d\S\S)\s중(?=\s|에\s?\d)|뽑[았혔]|신규|새로",
    re.IGNORECASE,
)
TOTAL = regex(
    r"\b(?:total|altogether|in all|overall|now (?:have|has|at|up to|there are))\b|총|전부|모두|합계|전체|합쳐|합하면",
    re.IGNORECASE,
)
BESIDE = 16  # characters from such a word to the number that it is said of
BREAK = regex(r"[,.;:!?()\n]")
PART_STEM = 3  # and these by fewer: add, added
STEM = 4  # letters by which a word is known in its forms
TO_A_DAY = regex(rf"(?:{DATE.pattern})[^.!?\n]{{0,12}}?로\s|\b(?:to|on)\s(?:{DATE.pattern})", re.IGNORECASE)
ASKS_UNTIL = regex(
    r"까지|\b(?:until|till|by when|how long|deadline|ends?|due|last day)\b|끝나|마감|기한", re.IGNORECASE
)
"""Asks for the end of a stretch of time."""
OR = regex(r"\b(?:or|vs\.?)\s|아니면\s|또는\s|혹은\s", re.IGNORECASE)
TO_COME = regex(
    r"(?:#+\s*)?(?:next\s(?:week|month|sprint|quarter|steps?|up)|upcoming|coming up|plan(?:s|ned)?|to[- ]?do|roadmap"
    r"|(?:다음|차|내)\s?(?:주|달|월|분기|스프린트|단계)|할\s?일|(?:향후|앞으로)(?:의)?(?:\s?(?:계획|일정|할 일))?|계획|예정|로드맵)(?:\s?(?:계획|할 일|예정|plan))?\s?:?$",
    re.IGNORECASE,
)
"""A heading under which stands what is to be done."""
SAME = 0.7  # of the shorter quote's words in the other: it says the same again


def choose_quotes(known: Sequence[Quote], query: Query, now: datetime) -> tuple[Quote, ...]:
    """Two or three sentences, the likeliest first, fewer where there are no more worth it; none only if no result holds any text.

    Behind the likeliest word on how a thing stands come the others from the newest back, and what is only planned; of a thing named by its id all do.
    ``known``: all that could be quoted, weighed.
    """
    told = [quote for quote in known if not quote.asks] or list(known)
    candidates, worthwhile = _answering(_of_who_is_asked_about(told, query), query)
    candidates = _sure_first(candidates, query, now)
    if sound_of(query).newest:
        candidates = _newest_of(candidates, query, now)
    if candidates and NOW.search(query.text):
        candidates = _first(_latest_row(candidates, now), candidates)
    candidates = _stretch_first(_changed_first(_option_first(candidates, query), known, query), known, query, now)
    chosen: list[Quote] = []
    best = max((quote.score for quote in candidates), default=0.0)
    worthy = [quote for quote in candidates if quote is candidates[0] or quote.score >= worthwhile * best]
    for quote, of_one in (*((each, OF_ONE) for each in worthy), *((each, MOST) for each in worthy)):
        if len(chosen) == MOST:
            break
        said = _latest_said(quote, candidates, worthwhile, reason=sound_of(query).reason)
        named = query.type is not QueryType.DOCUMENT and any(_is_named_by(each, said) for each in chosen)
        if not named and _adds(said, chosen, of_one):
            chosen.append(said if said.more else replace(said, passage=passage_of(said.result.hit, said.words)))
    if query.type is QueryType.STATUS:  # of a thing named by its id all is about it, and the newest is how it stands
        at = 0 if query.ids else 1
        chosen[at:] = sorted(
            chosen[at:], key=lambda quote: (bool(TO_COME.match(quote.heading)), newest_first(quote.when))
        )
    return tuple(chosen)


def weighty(chosen: Sequence[Quote]) -> tuple[Quote, ...]:
    """The first of what is told, and of the rest what is likely enough to stand before others and sounds right if the first does: what is told beside these makes nobody surer."""
    best = max((quote.score for quote in chosen), default=0.0)
    return tuple(
        quote
        for at, quote in enumerate(chosen)
        if at == 0 or (quote.score >= WORTHWHILE * best and quote.signal >= chosen[0].signal)
    )


def _answering(candidates: list[Quote], query: Query) -> tuple[list[Quote], float]:
    """Of what may be quoted, what can answer, the likeliest first, and the share of the best one's odds from which it is worth it.

    Of :data:`STRICT` types that is what sounds right on the matter; where a value is asked for, what tells one; all where there is none.
    """
    least = WORTHWHILE * max((quote.score for quote in candidates), default=0.0)
    worthy = [quote for quote in candidates if quote.score >= least]
    right = [quote for quote in worthy if quote.signal]
    if query.type in STRICT and right:
        return _with_as_likely([quote for quote in right if not quote.guessed] or right, worthy), NEARLY
    sound = sound_of(query)
    if told := [quote for quote in worthy if quote.agreed or sound.valuing(quote.words)]:
        return _with_as_likely(told, [quote for quote in worthy if DIGIT.search(quote.words)]), TOLD
    return _likeliest_first(candidates), TOLD


def _likeliest_first(quotes: Iterable[Quote]) -> list[Quote]:
    return sorted(quotes, key=lambda quote: (-quote.score, quote.number, quote.words))


def _with_as_likely(told: Sequence[Quote], worthy: Sequence[Quote]) -> list[Quote]:
    """With what is about as likely as the best of them, behind that, or before it where it is clearly likelier: who knows what has become of a thing often does not name it."""
    best, known = _likeliest_first(told)[0], {id(quote) for quote in told}
    others = (quote for quote in worthy if id(quote) not in known and not quote.guessed)
    found = _likeliest_first((*told, *(quote for quote in others if quote.score > AS_LIKELY * best.score)))
    return found if found[0].score > LIKELIER * best.score else _first(best, found)


def _of_who_is_asked_about(candidates: list[Quote], query: Query) -> list[Quote]:
    """Where nothing but somebody's work is asked about, what they wrote or were given, if there is any: what others say to them is none of it."""
    who = [each.clause for each in query.implied if all(_is_of_somebody(part) for part in leaves(each.clause))]
    if query.keywords or not who:
        return candidates
    return [each for each in candidates if matches(all_of(who), each.result.hit) is True] or candidates


def _is_of_somebody(leaf: Leaf) -> bool:
    return isinstance(leaf, Compare) and leaf.field in {Field.ASSIGNEE, Field.AUTHOR}


def _sure_first(candidates: list[Quote], query: Query, now: datetime) -> list[Quote]:
    """What says a word for it stands before what only sounds so by the order of its words, where that alone put it behind; of somebody also what is newer and names anybody."""
    first, acting = (candidates[0] if candidates else None), sound_of(query).acting
    if first is None or not first.guessed:
        return candidates
    near = [each for each in candidates[1:] if not each.guessed and each.score >= NEARLY * first.score]
    if acting:
        sure = [each for each in near if each.signal and names_anybody(each.words, acting)]
        sure += [
            each
            for each in near
            if day_at(each.when, now) > day_at(first.when, now)
            and each.held >= first.held
            and names_anybody(each.result.hit.snippet, acting)
        ]
    else:
        sure = [each for each in near if each.signal]
    return _first(max(sure, key=lambda each: each.score, default=None), candidates)


def _newest_of(candidates: list[Quote], query: Query, now: datetime) -> list[Quote]:
    """The newest that says such a value of the same matter stands before all others, where it is worth quoting.

    What may come to be is no newer value, nor is that of something narrower: a key deposit is not the deposit, nor are twelve more chairs the chairs.
    """
    told = [each for each in candidates if each.signal and each.when and each.score >= WORTHWHILE * candidates[0].score]
    sound = sound_of(query)
    told = told if sound.valued else [each for each in told if sound.plainly(Sentence(each.words))]
    if not told:
        return candidates
    same = [each for each in told if len(each.held & told[0].held) > HALF * len(told[0].held)]
    holding = [each for each in same if not HEDGES.finds(each.words)] or same
    holding = [each for each in holding if not _counts_others(each, query)] or holding
    narrowed = [len(_narrowing(each, query)) for each in holding]
    holding = [each for each, many in zip(holding, narrowed, strict=True) if many == min(narrowed)]
    return _first(max(holding, key=lambda each: day_at(each.when, now), default=None), candidates)


def _counts_others(quote: Quote, query: Query) -> bool:
    """Whether it counts what came, went or is so of some, and it is asked how many there are; or how many there are where what came is asked for."""
    if not sound_of(query).count:
        return False
    asked_for = _parts(query.text)
    told = _parts(quote.words)
    return not asked_for & told if asked_for else bool(told) and not TOTAL.search(quote.words)


def _parts(text: str) -> frozenset[str]:
    """What is said to have come, gone or been so of some, by how it begins, where it stands beside a number: "12 more", 3명 더."""
    return frozenset(
        each[0].casefold()[:PART_STEM] for each in PART.finditer(text) if _is_beside_number(text, *each.span())
    )


def _is_beside_number(text: str, start: int, end: int) -> bool:
    before = BREAK.split(text[max(0, start - BESIDE) : start])[-1]
    after = BREAK.split(text[end : end + BESIDE])[0]
    return DIGIT.search(before + after) is not None or HOW_MANY.search(text) is not None


def _narrowing(quote: Quote, query: Query) -> frozenset[str]:
    """The words that stand straight before those of the question and are none of them: "the *side* gate", *열쇠* 보증금."""
    said, asked_for = quote.words.casefold().split(), " ".join(query.keywords).casefold()
    begun = tuple(word.casefold()[:STEM] for word in wanted(query))
    return frozenset(
        before
        for before, word in pairwise(said)
        if begun
        and word.lstrip("\"“‘'(").startswith(begun)
        and BARE.fullmatch(before)
        and before not in STOP
        and before not in asked_for
        if not SETTLES.finds(before) and not changes(before)
    )


def _latest_row(candidates: Sequence[Quote], now: datetime) -> Quote | None:
    """Of rows of one table that hold as much as the likeliest, which is one of them, that of the last day that has come: ``v2 | since May``; none where a row has none."""
    first = candidates[0]
    rows = [each for each in candidates if each.table and each.table == first.table and each.number == first.number]
    rows = [each for each in rows if each.own == first.own]
    told = [(tuple(_days_of(each, now)), each) for each in rows]
    come = [(max(passed), row) for found, row in told if (passed := [day for day in found if day <= now.date()])]
    return max(come, key=lambda each: each[0])[1] if len(come) > 1 and all(found for found, _ in told) else None


def _days_of(quote: Quote, now: datetime) -> Iterator[date]:
    """The days that a row names outside of what is struck out, and the first of a month that it names alone."""
    text, written = STRUCK.sub(" ", quote.words), day_of(quote.result.hit, now)
    yield from days(text, written)
    yield from (begins for cell in cells_of(text) if written and (begins := month_of(cell, written)))


def _changed_first(candidates: list[Quote], known: Sequence[Quote], query: Query) -> list[Quote]:
    """What newer says that something is no longer so, and speaks of all that the likeliest does, stands before that, however short it is said.

    Where it is asked what is so now, or what became otherwise, that holds however unlikely the newer one is. Where a day is asked for it need only name the thing, and the day to which that was moved. A likeliest that holds less than half of the question's words may
    be about something else.
    """
    first = candidates[0] if candidates else None
    if first is None or first.when is None or len(first.held) < HALF * len(wanted(query)):
        return candidates
    about: defaultdict[tuple[int, str], frozenset[str]] = defaultdict(frozenset)
    for each in known:
        about[_whole(each)] |= each.held
    since = [each for each in known if each.when and each.when > first.when and _changes(each) and not each.asks]
    worthy = {id(each) for each in candidates if each.score >= WORTHWHILE * first.score}
    if changes(query.text) or NOW.search(query.text):  # "to which day was it moved?", "where is it now?"
        worthy |= {id(each) for each in since if each.own >= first.own or sound_of(query).valuing(each.words)}
    newer = [each for each in since if id(each) in worthy and about[_whole(each)] >= first.held]
    entity = frozenset(slot_of(query).entity)
    if not newer and query.type is QueryType.TEMPORAL and not sound_of(query).wants:
        moved = [each for each in since if TO_A_DAY.search(each.words)]
        names = _telling_words(first) if moved else frozenset()
        newer = [
            each for each in moved if (entity and each.signal and entity <= each.own) or _goes_on(first, each, names)
        ]
    return _first(min(newer, key=lambda each: newest_first(each.when), default=None), candidates)


def _option_first(candidates: list[Quote], query: Query) -> list[Quote]:
    """Where the question says which two things it may be, and the likeliest names neither, the likeliest that names one stands before it."""
    options = _options(query)
    if not (options and candidates) or candidates[0].own & options:
        return candidates
    naming = (each for each in candidates if each.own & options and each.score >= NEARLY * candidates[0].score)
    return _first(max(naming, key=lambda each: each.score, default=None), candidates)


def _options(query: Query) -> frozenset[str]:
    """The words of a question straight before and behind an "or" between two things: "pg_upgrade *or* logical replication"."""
    said, text = OR.search(query.text), query.text.casefold()
    if said is None:
        return frozenset()
    places = sorted((place, word) for word in wanted(query) if (place := text.find(word.casefold())) >= 0)
    before = [word for place, word in places if place < said.start()]
    behind = [word for place, word in places if place >= said.end()]
    return frozenset((*before[-1:], *behind[:1])) if before and behind else frozenset()


def _stretch_first(candidates: list[Quote], known: Sequence[Quote], query: Query, now: datetime) -> list[Quote]:
    """Where it is asked when something is, and the likeliest says until which day alone, what says from which day until that one stands before it, however unlikely it is."""
    if query.type is not QueryType.TEMPORAL or sound_of(query).wants or ASKS_UNTIL.search(query.text) or not candidates:
        return candidates
    first = candidates[0]
    end = days(first.words, day_of(first.result.hit, now))
    fuller = [
        each
        for each in known
        if len(end) == 1 and each.held >= first.held and RANGE.search(each.words) and _ends_on(each, end, now)
    ]
    return _first(max(fuller, key=lambda each: each.score, default=None), candidates)


def _ends_on(quote: Quote, end: frozenset[date], now: datetime) -> bool:
    """Whether the last of several days that it names is that one."""
    told = days(quote.words, day_of(quote.result.hit, now))
    return len(told) > 1 and {max(told)} == end


def _changes(quote: Quote) -> bool:
    """Whether it says that something became otherwise, or a short message does of which it tells the rest: "또 밀림. 첫 방송 2월 2일"."""
    hit = quote.result.hit
    short = hit.kind in SPOKEN and len(hit.snippet) <= AT_ONCE
    return changes(quote.words) or (short and quote.signal and changes(hit.snippet))


def _telling_words(quote: Quote) -> frozenset[str]:
    return frozenset(
        word for word in words_of(quote.words) if len(word) > 1 and word not in STOP and not DIGIT.search(word)
    )


def _goes_on(first: Quote, later: Quote, names: frozenset[str]) -> bool:
    """Said by the same person or in the same place, in half of the first one's telling words: who says what has become of a thing calls it by less than its name."""
    one, other = first.result.hit, later.result.hit
    near = one.author == other.author if one.author else one.container is not None and one.container == other.container
    if not (near and later.own and one.kind in SPOKEN and other.kind in SPOKEN):
        return False
    said = words_of(later.words)
    again = sum(any(each.startswith(word) for each in said) for word in names)
    return again >= max(HALF * len(names), 2)


def _latest_said(quote: Quote, candidates: Sequence[Quote], worthwhile: float, *, reason: bool) -> Quote:
    """Of several comments on one thing that say as much as ``quote``, the latest: what they say was so before, but for a ``reason``."""
    if reason or not turn_of(quote.result.hit, quote.words):
        return quote
    number, little = DIGIT.search(quote.words) is not None, says_little(quote.words)
    said = [
        each
        for each in candidates
        if each.number == quote.number
        and each.score >= worthwhile * quote.score
        and each.signal >= quote.signal
        and each.held >= quote.held
        and each.own >= quote.own
        and (DIGIT.search(each.words) is not None) >= number
        and says_little(each.words) <= little
    ]
    return max(said, key=lambda each: turn_of(each.result.hit, each.words), default=quote)


def _first(one: Quote | None, candidates: list[Quote]) -> list[Quote]:
    """That one, if there is one, before all others."""
    return [one, *(each for each in candidates if each is not one)] if one else candidates


def _whole(quote: Quote) -> tuple[int, str]:
    """What says what a quote is about: the message or mail that it is of, and of a longer text it alone."""
    return quote.number, "" if quote.result.hit.kind in ONE_MATTER else quote.words


def _is_named_by(chosen: Quote, title: Quote) -> bool:
    """Whether it is the name of what another quote is from, which stands beside that one."""
    hit = title.result.hit
    return chosen.number == title.number and title.words == quotable_line(hit.title) and not is_reply(hit.title)


def _adds(quote: Quote, chosen: list[Quote], of_one: int) -> bool:
    told = quote.brief or (quote.signal and DIGIT.search(quote.words))  # "네 11/16" is all that was asked for
    little = bool(chosen) and not told and says_little(quote.words)
    if little or sum(1 for each in chosen if each.number == quote.number) >= of_one:
        return False
    return not any(quote.words in each.passage or repeats(quote.words, each.words) for each in chosen)


def repeats(one: str, other: str) -> bool:
    """Mostly the same words, and the same numbers: a date that differs is what a reader must see."""
    first, second = set(words_of(one)), set(words_of(other))
    if {word for word in first if DIGIT.search(word)} != {word for word in second if DIGIT.search(word)}:
        return False
    return len(first & second) >= SAME * max(1, min(len(first), len(second)))
