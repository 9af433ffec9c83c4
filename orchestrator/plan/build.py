"""Choose sources and write down what each will be asked, rung by rung."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from orchestrator.model import Plan, Rung, Skipped, Status, Step
from orchestrator.plan.ladder import ladder
from orchestrator.plan.names import resolve_names
from orchestrator.plan.variants import variants
from translators.query import Compare, Field, Op

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from orchestrator.plan.profile import SourceProfile
    from translators.query import Query
    from translators.translator import Translation

MOST_FETCHES = 3  # ids of one question that are fetched directly; a pasted list of a hundred keys is searched for
HINTED = 3.0  # "in Slack" says where the answer is believed to be; the others are still asked, and count less


@dataclass(frozen=True, slots=True)
class PlanLimits:
    """How much may be asked: hits per source, sub-queries at once, seconds for everything."""

    hits: int = 20
    variants: int = 3
    budget: float = 3.0


def make_plan(query: Query, profiles: Sequence[SourceProfile], only: Iterable[str], limits: PlanLimits) -> Plan:
    """What goes where. ``only`` names the sources or categories wanted (empty: all); the rest are skipped and say so."""
    wanted = frozenset(only) | frozenset(query.sources)
    steps: list[Step] = []
    skipped: list[Skipped] = []
    for profile in sorted(profiles, key=lambda each: each.name):
        reason = _reason_to_skip(profile, wanted)
        if reason is None:
            steps.append(_step(query, profile, limits))
        else:
            skipped.append(reason)
    return Plan(query, tuple(steps), tuple(skipped), limits.budget)


def _reason_to_skip(profile: SourceProfile, wanted: frozenset[str]) -> Skipped | None:
    if wanted and not profile.names & wanted:
        reason = f"only {', '.join(sorted(wanted))} was to be asked"
        return Skipped(profile.name, profile.title, Status.SKIPPED, reason)
    if profile.missing:
        return Skipped(profile.name, profile.title, Status.NOT_CONNECTED, profile.missing)
    return None


def _step(query: Query, profile: SourceProfile, limits: PlanLimits) -> Step:
    hinted = HINTED if profile.category in query.hints else 1.0
    rungs = _rungs(query, profile, limits)
    return Step(profile.name, profile.title, profile.category, rungs, profile.priority * hinted, limits.hits)


def _rungs(query: Query, profile: SourceProfile, limits: PlanLimits) -> tuple[Rung, ...]:
    """Translated rungs; a rung that would send nothing new is left out.

    Other names are tried along with the question as asked. Broader rungs say each thing once: a source that needs
    a query for every name would have its quota spent on a few questions.
    """
    rungs: list[Rung] = []
    sent: set[str] = set()
    for broader in ladder(query):
        resolved = query.narrowed(resolve_names(broader.where, profile.directory))
        said = variants(resolved, profile.can, 1 if rungs else limits.variants)
        translated = [profile.translator.translate(each, profile.can) for each in said]
        fresh = _unsent(translated if rungs else [*_fetches(query, profile), *translated], sent)
        if fresh:
            rungs.append(Rung(fresh, broader.dropped))
    return tuple(rungs)


def _fetches(query: Query, profile: SourceProfile) -> Iterator[Translation]:
    """What the question names by key or address is fetched directly, by whichever sources know such ids (law 6)."""
    if Field.ID not in profile.can.fields:
        return
    for each in query.ids[:MOST_FETCHES]:
        found = profile.translator.translate(query.narrowed(Compare(Field.ID, Op.EQ, each)), profile.can)
        if found.residual is None:  # else the id is not of this source's kind
            yield found


def _unsent(translations: Iterable[Translation], sent: set[str]) -> tuple[Translation, ...]:
    fresh = []
    for translation in translations:
        key = f"{translation.native}|{translation.residual}"
        if key not in sent:
            sent.add(key)
            fresh.append(translation)
    return tuple(fresh)
