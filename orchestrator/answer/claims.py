"""What an answer says of the matter, in the form that each type of question wants, each claim with what it cites.

A decision is what, when, by whom and where; a status what is open and blocked, and the latest words; a person is named
with what shows it; a date stands before what it was taken from; a document is its link; a rule comes with its source;
what is known comes by theme.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from connectors.text import absolute_url
from orchestrator.answer.claim import TITLE, Claim, ClaimMaterial, claim_of, named, named_title, provenance
from orchestrator.answer.cover import TermAlternatives, attached, covered, covered_by, wanted
from orchestrator.answer.dates import newest_first
from orchestrator.answer.flagged import flagged_claims
from orchestrator.answer.own import SPEAKING, is_blocked
from orchestrator.answer.people import Concerned, people_in
from orchestrator.answer.period import period_claims
from orchestrator.answer.quoted import quoted
from orchestrator.answer.quotes import is_quotable
from orchestrator.answer.scope import within
from orchestrator.answer.sentences import sentences
from orchestrator.answer.slot import AnswerKind, kind_of
from orchestrator.answer.text import hosts, quotable_line, shorten
from orchestrator.answer.themes import TEXT, find_themes
from orchestrator.answer.work_claims import how_work_stands, listing
from orchestrator.commanding import commands
from translators.match import fold, happened
from translators.query import Kind, QueryType

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from connectors.contract import Hit
    from orchestrator.answer.ledger import Former
    from orchestrator.answer.polar import YesOrNo
    from orchestrator.answer.quote import Quote
    from orchestrator.model import Plan, Result

GROUPS = 4  # themes


def claims_for(
    quotes: Sequence[Quote],
    results: Sequence[Result],
    plan: Plan,
    now: datetime,
    *,
    verdict: YesOrNo | None = None,
    former: Former | None = None,
    linked: Sequence[Result] = (),
) -> tuple[Claim, ...]:
    """In the order in which they are read. ``verdict``: what they say to a question for yes or no; ``former``: what the first replaced; ``linked``: :func:`linked_work`."""
    material = ClaimMaterial(quotes, within(results, wanted(plan.query), plan.query), plan, now, verdict, former)
    if plan.query.flag or plan.query.of_a_period:
        return tuple((flagged_claims if plan.query.flag else period_claims)(material))
    told = _of_its_type(material, results)
    if not linked:
        return told
    key = "claim_blocked" if all(is_blocked(each.hit) for each in linked) else "claim_open"
    first, numbers = listing(key, linked, material), {each.number for each in linked}
    return (first, *(each for each in told if not set(each.statement.numbers) <= numbers or each.spans != first.spans))


def _of_its_type(material: ClaimMaterial, results: Sequence[Result]) -> tuple[Claim, ...]:
    match material.plan.query.type:
        case QueryType.PERSON:
            return _concerned(material)
        case QueryType.DOCUMENT:
            return _documents(material, results)
        case QueryType.STATUS:
            return how_work_stands(material)
        case QueryType.EXPLORATORY:
            return (*quoted(material), *_themes(material))
        case _:
            return tuple(quoted(material))


# ---- documents


def _documents(material: ClaimMaterial, results: Sequence[Result]) -> tuple[Claim, ...]:
    """The link and what is said besides; what is somewhere and is no document stands where a sentence says."""
    links, told = tuple(_links(material)), tuple(quoted(material))
    if told and material.quotes[0].signal and kind_of(material.plan.query) is AnswerKind.PLACE:
        return (*told, *links)
    linked = {result.hit.id for claim in links for result, _ in claim.spans}
    return (*links, *(each for each in told if not _repeats(each, linked) and not _strays(each, results)))


def _links(material: ClaimMaterial) -> Iterator[Claim]:
    """The link first: that is what was asked for. What only speaks of it comes after a thing that holds as many words.

    Of such things first what is called most like what was asked for, a file before a page that may only say where it lies, and the newest of several versions.
    """
    quoted = [quote.result for quote in material.quotes]
    about = [each for each in (*material.about(), *quoted) if _is_somewhere(each.hit) and not commands(each.hit.title)]
    words = wanted(material.plan.query)
    held = {id(each): len(covered_by((each,), words)) for each in about}
    most = max(held.values(), default=0)

    def order(result: Result) -> tuple[bool, int, bool, float]:
        hit = result.hit
        speaks = hit.kind in SPEAKING or held[id(result)] < most
        return speaks, -len(covered(hit.title, words)), hit.kind is not Kind.FILE, newest_first(happened(hit))

    for result in sorted(about, key=order)[:1]:
        title = shorten(result.hit.title, TITLE) or provenance(result.hit, material)["place"]
        if file := _file_of(result.hit, words):
            title = f"{shorten(file, TITLE)} ({title})"
        span = quotable_line(result.hit.title)
        yield claim_of(
            material.say("claim_document", title=named_title(title), url=_address(result.hit)), ((result, span),)
        )


def _file_of(hit: Hit, words: Mapping[str, TermAlternatives]) -> str:
    """The file that hangs on it, where that is called more like what was asked for than the thing itself is."""
    least = len(covered(hit.title, words))
    held = {name: len(covered(name, words)) for name in attached(hit) if is_quotable(name)}
    best = max(held, key=lambda name: held[name], default="")
    return best if best and held[best] > least else ""


def _is_somewhere(hit: Hit) -> bool:
    return bool(absolute_url(hit.url) if hit.url else hit.address)


def _address(hit: Hit) -> str:
    """The link; of a file without one its path, which nobody shall take for a citation."""
    return hit.url or named_title(quotable_line(hit.address))


def _repeats(claim: Claim, linked: set[str]) -> bool:
    """Nothing but words of the title of what is linked already."""
    return all(result.hit.id in linked and quote in quotable_line(result.hit.title) for result, quote in claim.spans)


def _strays(claim: Claim, results: Sequence[Result]) -> bool:
    """It holds an address elsewhere than anything found: a link that somebody planted among those asked for."""
    known = hosts(" ".join(each.hit.url for each in results))
    return any(not hosts(quote) <= known for _, quote in claim.spans)


# ---- people


def _concerned(material: ClaimMaterial) -> tuple[Claim, ...]:
    """Who is assigned, then what is said; where no sentence names anybody, who wrote of it: that is not to be responsible for it.

    What says who it is stands before who is assigned something that was found behind that.
    """
    people = people_in(material.results, wanted(material.plan.query))
    assigned, others = [each for each in people if each.assigned], [each for each in people if not each.assigned]
    best = min((result.number for each in assigned for result in each.assigned), default=0)
    told, given = tuple(quoted(material)), tuple(_people(assigned, material))
    first = bool(told) and material.quotes[0].signal and material.quotes[0].number < best
    named = any(each.signal for each in material.quotes)
    return (*((*told, *given) if first else (*given, *told)), *(() if named else _people(others, material)))


def _people(people: Sequence[Concerned], material: ClaimMaterial) -> Iterator[Claim]:
    for person in people:
        counts = [material.say("claim_assigned", count=len(person.assigned))] if person.assigned else []
        counts += [material.say("claim_written", count=len(person.written))] if person.written else []
        text = material.say("claim_named", name=named(person.name), counts=", ".join(counts))
        yield claim_of(text, tuple((result, "") for result in (*person.assigned, *person.written)))


# ---- themes


def _themes(material: ClaimMaterial) -> Iterator[Claim]:
    """What the results are about besides, and how many of them; where that does not tell them apart, where they are."""
    themes, _ = find_themes((each.hit for each in material.results), material.plan.query)
    by_key = {(each.hit.source, each.hit.id): each for each in material.results}
    groups = {theme.label: [by_key[key] for key in theme.hits] for theme in themes}
    about = bool(groups)
    if len(groups) < 2:  # noqa: PLR2004
        about, groups = False, {}
        for each in material.about():
            groups.setdefault(provenance(each.hit, material)["place"], []).append(each)
    if len(groups) < 2:  # noqa: PLR2004
        return
    for label, members in sorted(groups.items(), key=lambda each: -len(each[1]))[:GROUPS]:
        text = material.say("claim_theme" if about else "claim_place", label=named(label), count=len(members))
        yield claim_of(text, tuple((each, _saying(label, each.hit) if about else "") for each in members))


def _saying(label: str, hit: Hit) -> str:
    """The title or the sentence that holds the theme's word; "" where only a fact (the project) does."""
    texts = (quotable_line(hit.title), *sentences(hit.snippet[:TEXT]))
    return next((text for text in texts if fold(label) in fold(text) and is_quotable(text)), "")
