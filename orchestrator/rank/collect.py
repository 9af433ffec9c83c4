"""Begin a ranking: every hit of every list once, with where it was found; what its source could not be asked is checked here."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from orchestrator.model import Dropped, Evidence, Ranking, Result
from orchestrator.rank.named import THE_THING, NamedIds, absent, strays
from orchestrator.rank.periods import speaks_of
from orchestrator.rank.wording import condition, say
from translators.capabilities import TIMES
from translators.match import Checkable, matches, words
from translators.query import CREDIBLE, Clause, Compare, Not, Term, any_of, conjuncts
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from connectors.contract import Hit
    from orchestrator.model import Absent, Outcome
    from orchestrator.rank.stage import RankContext
    from translators.query import Implied, Query


@record
class ConditionCheck:
    """Conditions that a hit fails, and those that nobody can check on what is at hand."""

    failed: tuple[Clause, ...] = ()
    unknown: tuple[Clause, ...] = ()


ACCEPTED = ConditionCheck()


def check(document: Checkable, residual: Clause | None) -> ConditionCheck:
    """Judge each condition by itself, so that the one which fails can be named."""
    return ACCEPTED if residual is None else check_each(document, conjuncts(residual))


def check_each(document: Checkable, conditions: Iterable[Clause]) -> ConditionCheck:
    """The verdict on several conditions that must all hold."""
    judged = [(part, matches(part, document)) for part in conditions]
    return ConditionCheck(
        failed=tuple(part for part, holds in judged if holds is False),
        unknown=tuple(part for part, holds in judged if holds is None),
    )


class Sighting(NamedTuple):
    """One hit at one place of one list."""

    hit: Hit
    evidence: Evidence
    dropped: tuple[str, ...]
    verdict: ConditionCheck
    named: bool = False
    strays: tuple[str, ...] = ()
    preferred: tuple[Implied, ...] = ()

    @property
    def is_plain(self) -> bool:
        """As asked, with nothing left to check: as most are."""
        plain = self.verdict is ACCEPTED and not self.evidence.rung
        return plain and not (self.named or self.strays or self.preferred)

    def order(self) -> tuple[int, int, int]:
        """The strictest and highest sighting first, of those the one that says most."""
        return (self.evidence.rung, self.evidence.rank, -len(self.hit.snippet))


def collect(outcomes: Iterable[Outcome], context: RankContext) -> Ranking:
    """All results in a fixed order (source, id), whatever order they arrived in; unscored."""
    outcomes = tuple(outcomes)
    missing = absent(outcomes, context)
    seen: dict[tuple[str, str], list[Sighting]] = {}
    for sighting in _sightings(outcomes, NamedIds.of(context), missing):
        seen.setdefault((sighting.evidence.source, sighting.hit.id), []).append(sighting)
    results: list[Result] = []
    dropped: list[Dropped] = []
    for key in sorted(seen):
        sightings = seen[key]
        if len(sightings) == 1 and sightings[0].is_plain:
            results.append(Result(sightings[0].hit, (sightings[0].evidence,), unmet=_elsewhere(key[0], context)))
            continue
        good = [each for each in sightings if not (each.verdict.failed or each.strays)]
        if good:
            results.append(_result(good, context))
        else:
            dropped.append(_dropped(sightings, context))
    return Ranking(tuple(results), tuple(dropped), missing)


def _sightings(outcomes: Iterable[Outcome], names: NamedIds, missing: tuple[Absent, ...]) -> Iterator[Sighting]:
    """The place in the list is the rank: a source numbers its pages as it likes."""
    for outcome in outcomes:
        for hit_list in outcome.lists:
            rung, dropped = hit_list.rung, hit_list.dropped
            residual, preferred = hit_list.translation.residual, hit_list.translation.preferred
            fetched = names.is_fetch(outcome.source, hit_list)
            for rank, hit in enumerate(hit_list.hits, 1):
                evidence = Evidence(outcome.source, rank, rung, _finite(hit.score))
                verdict = ACCEPTED if residual is None else check(hit, residual)
                stray = tuple(strays(hit, hit_list, missing)) if missing else ()
                named = fetched or (bool(names.keys) and names.name(hit))
                yield Sighting(hit, evidence, dropped, verdict, named, stray, preferred)


def _finite(score: float | None) -> float | None:
    return score if score is not None and math.isfinite(score) else None


def _first(sightings: list[Sighting]) -> Sighting:
    """The first by their order. Of several in one place that differ, the choice falls by what they say, in any order."""
    if len(sightings) == 1:
        return sightings[0]
    least = min(each.order() for each in sightings)
    tied = [each for each in sightings if each.order() == least]
    same = all(each.hit == tied[0].hit for each in tied)
    return tied[0] if same else min(tied, key=lambda each: repr(each.hit))


def _result(sightings: list[Sighting], context: RankContext) -> Result:
    if any(each.named for each in sightings):
        result = _found(sightings, context)
        return replace(result, factors=THE_THING, why=(say(context, "named"), *result.why))
    return _found(sightings, context)


def _found(sightings: list[Sighting], context: RankContext) -> Result:
    best = _first(sightings)
    unmet, untold = _implied(best.hit, sightings, context.query)
    unmet = (*unmet, *_elsewhere(best.evidence.source, context))
    if best.verdict is ACCEPTED and not (best.evidence.rung or untold):
        return Result(best.hit, (best.evidence,), unmet=unmet)
    # Variants of one rung are alternatives: what one of them leaves open another may have settled.
    same_rung = (each.verdict.unknown for each in sightings if each.evidence.rung == best.evidence.rung)
    unknown = min(same_rung, key=lambda parts: (len(parts), str(parts)))
    why = (say(context, "broadened", dropped=", ".join(best.dropped)),) if best.evidence.rung else ()
    nearly = (each.clause for each in untold if each.strength >= CREDIBLE)
    unverified = (condition(part, context) for part in (*unknown, *nearly))
    return Result(
        best.hit, (best.evidence,), why=why, unverified=tuple(dict.fromkeys(unverified)), unmet=unmet, untold=untold
    )


def _elsewhere(source: str, context: RankContext) -> tuple[Implied, ...]:
    """That an answer is wanted from another source than this."""
    beside = context.beside.get(source)
    return (beside,) if beside else ()


def _implied(hit: Hit, sightings: list[Sighting], query: Query) -> tuple[tuple[Implied, ...], tuple[Implied, ...]]:
    """Conditions of prose that the hit breaks, and those of which it does not tell.

    A source that was asked for a condition is believed: what one of the requests that found the hit carried holds.
    """
    if not all(each.preferred for each in sightings):
        return (), ()
    others = [frozenset(each.preferred) for each in sightings[1:]]
    unasked = [each for each in sightings[0].preferred if all(each in other for other in others)]
    judged = [(each, _holds(each, hit, query)) for each in unasked]
    # That something is left out nobody can tell of a part that was not read, and nobody was asked to.
    untold = (each for each, holds in judged if holds is None and not isinstance(each.clause, Not))
    return tuple(each for each, holds in judged if holds is False), tuple(untold)


def _holds(implied: Implied, hit: Hit, query: Query) -> bool | None:
    """Whether a hit satisfies a condition. A period is satisfied by a text that names it, too: the bill for October."""
    holds = matches(implied.clause, hit)
    if holds is not False or not isinstance(implied.clause, Compare) or implied.clause.field not in TIMES:
        return holds
    said = frozenset(words(implied.words))
    named = [word for word, _ in query.lesser if word.casefold() in said]
    if not named:
        return speaks_of(hit, implied, query)
    otherwise = dict(query.variants)
    names = (any_of(map(Term, (word, *otherwise.get(word, ())))) for word in named)
    return all(matches(each, hit) for each in names) or speaks_of(hit, implied, query)


def _dropped(sightings: list[Sighting], context: RankContext) -> Dropped:
    best = _first(sightings)
    if best.strays and not best.verdict.failed:
        return Dropped(best.hit, say(context, "strays", things=", ".join(best.strays)))
    conditions = ", ".join(condition(part, context) for part in best.verdict.failed)
    return Dropped(best.hit, say(context, "fails", conditions=conditions))
