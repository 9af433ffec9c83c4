"""Whether what a claim says is in what it cites: quotes to the letter, everything else word by word.

A sentence is supported if it cites something; if each of its quotes stands literally in a result it cites; and if every
number, day and telling word outside the quotes is in the cited words or is a fact of the cited result (its title,
people, place, day, state). A sentence that negates or doubts where its source does not, or the other way round, is not
supported. Order is not looked at: "A instead of B" and "B instead of A" pass alike.
"""

from __future__ import annotations

from datetime import UTC, timedelta
from typing import TYPE_CHECKING

from orchestrator.answer.claim import title_told
from orchestrator.answer.cover import attached
from orchestrator.answer.dates import days, named_days
from orchestrator.answer.own import own_text
from orchestrator.answer.quotes import ID
from orchestrator.answer.rows import tally
from orchestrator.answer.signals import HEDGED, NEGATED
from orchestrator.answer.speaking import speakers
from orchestrator.answer.text import ADDRESS, STOP, quotable_line
from orchestrator.answer.wording import FRAME
from orchestrator.model import Part
from translators.match import HANGUL, fold, happened, words
from translators.patterns import regex
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import date, datetime

    from orchestrator.model import Citation, Plan, Result, Statement

QUOTED = regex(r"“([^”]*)”")
MARKERS = regex(r"(?:(?<!\s)\s++)?\[\d+\](?:\s*+\[\d+\])*")
NUMBER = regex(r"(?<![A-Za-z\d_.,:])\d+(?:[.,:]\d+)*(?![A-Za-z_])")  # not the digits of v2 or PAY-142
ENDING = regex(r"(?:ations?|ments?|ings?|ies|ied|ers?|ed|es|s|ly)$")
KOREAN_ENDING = regex(
    r"(?:되|됐|된|될|하|했|한|할|합|됩|함|됨|이|입|였|었|았|있|는|ㄴ|던){0,6}(?:니다|습니다|었습니다|였습니다|어요|아요|해요|돼요|예요|이에요|다|음|고|며|면|서|지)?"
    r"(?:은|는|이|가|을|를|의|에|에서|으로|로|와|과|도|만|까지|부터)?$"
)
STEM = 4  # letters that stay when an ending goes
ZONES = tuple(timedelta(hours=hours) for hours in (-12, 0, 14))  # from UTC, west to east
SHORTEST = 2  # syllables that two Korean words must share at their beginning


@record
class ClaimSupport:
    """What a claim may lean on: the ``spans`` quoted, the ``facts`` of the results, and the ``days`` of both."""

    spans: tuple[str, ...]
    facts: tuple[str, ...]
    whole: tuple[str, ...]
    days: frozenset[date]


def unsupported(statements: Iterable[Statement], citations: Sequence[Citation], plan: Plan) -> tuple[Statement, ...]:
    """The claims that what they cite does not hold."""
    return tuple(each for each in statements if each.part is Part.CLAIM and not is_supported(each, citations, plan))


def is_supported(claim: Statement, citations: Sequence[Citation], plan: Plan) -> bool:
    """Whether all that a claim says is in what it cites."""
    cited = [each for each in citations if each.number in claim.numbers]
    if not claim.numbers or {each.number for each in cited} != set(claim.numbers):
        return False
    ground = ground_of(cited, plan)
    if not all(_is_literal(quote, ground) for quote in QUOTED.findall(claim.text)):
        return False
    said = MARKERS.sub(" ", QUOTED.sub(" ", claim.text))
    if any(address not in ground.whole and address not in ground.facts for address in ADDRESS.findall(said)):
        return False
    said = ADDRESS.sub(" ", said)
    if QUOTED.search(claim.text) is None:
        telling = any(word not in STOP and word not in FRAME for word in words(said))
        if not telling or not (_is_metadata(said, ground) or _agrees(said, ground)):
            return False
    else:  # what a quote is from is called as that is, whatever days and words its name has
        for title in filter(None, (title_told(each.result.hit) for each in cited)):
            said = said.replace(title, " ")
    return not unproved(said, ground, len(claim.numbers))


def ground_of(citations: Sequence[Citation], plan: Plan) -> ClaimSupport:
    """What the cited results say and are."""
    titles = {step.source: step.title for step in plan.steps}
    results = [each.result for each in citations]
    spans = tuple(each.quote for each in citations if each.quote)
    found = {day for result in results for when in (happened(result.hit), result.hit.created) for day in _around(when)}
    found |= {
        day for each in citations for text in (each.quote, each.result.hit.title) for day in _days(text, each.result)
    }
    found |= {result.hit.due for result in results if result.hit.due}
    facts = tuple(fact for result in results for fact in _facts(result, titles))
    whole = tuple(quotable_line(f"{result.hit.title}\n{result.hit.snippet}") for result in results)
    return ClaimSupport(spans, facts, whole, frozenset(found))


def unproved(said: str, ground: ClaimSupport, count: int) -> tuple[str, ...]:
    """The telling words, numbers and days of a sentence that nothing cited holds. ``count``: results cited."""
    named = named_days(said, min(ground.days, default=None))
    missing = [said[each.start : each.end] for each in named if each.day not in ground.days]
    for each in reversed(named):
        said = f"{said[: each.start]} {said[each.end :]}"
    held = "\n".join((*ground.spans, *ground.facts))
    numbers = {_plain(number) for number in NUMBER.findall(held)} | {str(n) for n in range(1, count + 1)}
    missing += [number for number in NUMBER.findall(said) if _plain(number) not in numbers]
    known = set(words(held))
    stems = {_stem(word) for word in known}
    missing += [word for word in words(NUMBER.sub(" ", said)) if not _is_held(word, known, stems)]
    return tuple(missing)


def _is_held(word: str, known: set[str], stems: set[str]) -> bool:
    if word in STOP or word in FRAME or word in known or _stem(word) in stems:
        return True
    if not HANGUL.match(word):
        return False
    if len(word) < SHORTEST or any(word.startswith(each) and len(each) >= SHORTEST for each in FRAME):
        return True
    return any(_shared(word, each) for each in known if HANGUL.match(each))


def _shared(one: str, other: str) -> bool:
    """One stem begins with the other: compounds, and endings that we do not know, follow it."""
    first, second = sorted((_korean_stem(one), _korean_stem(other)), key=len)
    return len(first) >= SHORTEST and second.startswith(first)


def _korean_stem(word: str) -> str:
    stem = KOREAN_ENDING.sub("", word)
    return stem if len(stem) >= SHORTEST else word


def _stem(word: str) -> str:
    if HANGUL.match(word):
        return word
    stem = ENDING.sub("", word)
    return (stem if len(stem) >= STEM else word).rstrip("e")


def _agrees(said: str, ground: ClaimSupport) -> bool:
    """Negation and doubt are on both sides or on neither."""
    spans = " ".join(ground.spans)
    return all(bool(pattern.search(said)) == bool(pattern.search(spans)) for pattern in (NEGATED, HEDGED))


def _is_metadata(said: str, ground: ClaimSupport) -> bool:
    """It says only what a result is (its title, its people, its day), nothing of what it says."""
    return not unproved(said, ClaimSupport((), ground.facts, (), ground.days), len(ground.facts))


def _is_literal(quote: str, ground: ClaimSupport) -> bool:
    text = quote.removesuffix("…")
    return bool(text) and any(text in whole for whole in ground.whole)


def _facts(result: Result, titles: dict[str, str]) -> Iterator[str]:
    hit = result.hit
    yield quotable_line(hit.title)
    yield hit.id if ID.fullmatch(hit.id) else ""
    yield titles.get(hit.source, hit.source)
    yield quotable_line(hit.address)
    yield from (quotable_line(person.name) for person in (hit.author, hit.assignee) if person)
    yield from map(quotable_line, speakers(hit))
    yield from (quotable_line(hit.container.name),) if hit.container else ()
    yield from (quotable_line(str(hit.facts[name])) for name in ("project", "state") if name in hit.facts)
    yield from map(quotable_line, attached(hit))
    done, every = tally(own_text(hit))
    if every:
        yield f"{done} of {every} done, {every}개 중 {done}개 완료"


def _days(text: str, result: Result) -> frozenset[date]:
    """The days that a text names, wherever on earth it was written."""
    return frozenset(day for written in _written(result) or (None,) for day in days(text, written))


def _written(result: Result) -> tuple[date, ...]:
    return _around(happened(result.hit))


def _around(when: datetime | None) -> tuple[date, ...]:
    """The days on which it was that moment somewhere: the asker's is one of them."""
    return tuple({(when.astimezone(UTC) + offset).date() for offset in ZONES}) if when else ()


def _plain(number: str) -> str:
    return fold(number).replace(",", "")
