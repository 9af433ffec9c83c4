"""One more round for what was said around the best hits: a thread answers as a whole, and its replies seldom say the question's words."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING

from connectors.contract import Conversing
from orchestrator.gather import AROUND, fan_out, turns_left, with_texts
from orchestrator.model import Rung
from translators.match import matches
from translators.records import record
from translators.translator import Translation

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence

    from connectors.contract import HitKey
    from connectors.yields import Yields
    from orchestrator.gather import Asking, Deadline, Source
    from orchestrator.model import Outcome, Plan, Result, Step
    from translators.query import Clause
    from translators.translator import NativeQuery

BEGUN_BY = "thread_ts", "thread"
"""Facts that name a conversation by the id of what began it, or by the end of that."""
LOOKED_AT = 10
"""Results, best first, whose conversations are worth reading."""


@record
class Conversations:
    """How many are ``most`` read for a question, and how the ``best`` results are found."""

    most: int
    best: Callable[[Sequence[Outcome]], Awaitable[Sequence[Result]]]

    async def read(
        self,
        plan: Plan,
        outcomes: list[Outcome],
        sources: Mapping[str, Source],
        deadline: Deadline,
        asking: Asking,
    ) -> list[Outcome]:
        """Outcomes with what stands in the conversations of the best results. Only sources with turns to spare are asked."""
        ways = {each.source: _ways(sources[each.source], asking) for each in outcomes}
        able = {each.source: _turns(each, sources[each.source], deadline) for each in outcomes}
        worth = {source: bool(turns) and ways[source].is_worth(AROUND) for source, turns in able.items()}
        due = {key for each in outcomes if able[each.source] for key in _due(each, every=worth[each.source])}
        best = (await self.best(outcomes))[:LOOKED_AT] if due and self.most else ()
        wanted = self._wanted((each for each in best if (each.hit.source, each.hit.id) in due), sources, able)
        if not wanted:
            return outcomes
        steps = tuple(_reading(step, wanted[step.source]) for step in plan.steps if step.source in wanted)
        async with aclosing(
            fan_out(replace(plan, steps=steps), sources, deadline, replace(asking, further=True))
        ) as arriving:
            found = {each.source: each async for each in arriving}
        for source, outcome in found.items():
            first = next(each for each in outcomes if each.source == source)
            found[source] = _joined(first, outcome, plan.query.typed)
            ways[source].searched(AROUND, found=len(found[source].hits) > len(first.hits))
        return [found.get(each.source, each) for each in outcomes]

    def _wanted(
        self, best: Iterable[Result], sources: Mapping[str, Source], turns: Mapping[str, int]
    ) -> dict[str, tuple[NativeQuery, ...]]:
        """The conversations of the first results, each once, by source; of each as many as it has ``turns``."""
        chosen: dict[tuple[str, str], NativeQuery] = {}
        for result in best:
            connector = sources[result.hit.source].connector
            native = connector.conversation(result.hit) if isinstance(connector, Conversing) else None
            if native is not None and len(chosen) < self.most:
                chosen.setdefault((result.hit.source, str(native)), native)
        return {
            name: tuple(native for (source, _), native in chosen.items() if source == name)[: turns[name]]
            for name in {source for source, _ in chosen}
        }


def _reading(step: Step, natives: Iterable[NativeQuery]) -> Step:
    """The step of a source that is asked for conversations, and for no words."""
    rung = Rung(tuple(map(Translation, natives)))
    return replace(step, rungs=(rung,), fetches=(), by_word=False, ranked=False)


def _ways(source: Source, asking: Asking) -> Yields:
    """What reading conversations there has brought of late."""
    return source.habit_of(asking.principal.id, asking.principal.groups).ways


def _due(outcome: Outcome, *, every: bool) -> Iterator[HitKey]:
    """The hits whose conversations are worth reading: every one, or those that certainly have more, as what began theirs was not found."""
    ends = "".join(f"{hit.id}\n" for hit in outcome.hits)
    for hit in outcome.hits:
        begun = next((str(hit.facts[name]) for name in BEGUN_BY if name in hit.facts), "")
        if every or (begun and f"{begun}\n" not in ends):
            yield outcome.source, hit.id


def _turns(outcome: Outcome, source: Source, deadline: Deadline) -> int:
    """How many conversations may be read there."""
    holds = bool(outcome.hits) and isinstance(source.connector, Conversing)
    return turns_left(outcome, source, deadline, conversations=True) if holds else 0


def _joined(first: Outcome, second: Outcome, typed: Clause) -> Outcome:
    """What is new, and for certain what was typed, stands behind what was found; what could not be read costs nothing.

    What was found in part and stands there whole is whole.
    """
    whole = {hit.id: hit.snippet for hit in second.hits if hit.complete}
    cut = (hit for hit in first.hits if hit.id in whole and not hit.complete)
    first = with_texts(first, {hit.id: replace(hit, snippet=whole[hit.id], complete=True) for hit in cut})
    known = {hit.id for hit in first.hits}
    fresh = {hit.id: hit for hit in second.hits if hit.id not in known and matches(typed, hit)}
    at = next(at for at, each in enumerate(first.lists) if each.hits)
    longer = replace(first.lists[at], hits=(*first.lists[at].hits, *fresh.values()))
    return replace(
        first,
        lists=(*first.lists[:at], longer, *first.lists[at + 1 :]),
        took=first.took + second.took,
        requests=first.requests + second.requests,
        sent=(*first.sent, *second.sent),
    )
