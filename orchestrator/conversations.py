"""One more round for what was said around the best hits: a thread answers as a whole, and its replies seldom say the question's words."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from connectors.contract import Conversing
from orchestrator.gather import fan_out, may_ask_again
from orchestrator.model import Rung
from translators.match import matches
from translators.query import CERTAIN, all_of, conjuncts, only_words
from translators.translator import Translation

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

    from orchestrator.gather import Asking, Deadline, Source
    from orchestrator.model import Outcome, Plan, Result
    from translators.query import Clause, Query
    from translators.translator import NativeQuery

LOOKED_AT = 10
"""Results, best first, whose conversations are worth reading."""


@dataclass(frozen=True, slots=True)
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
        able = {each.source for each in outcomes if _is_able(each, sources[each.source], deadline)}
        best = (await self.best(outcomes))[:LOOKED_AT] if able and self.most else ()
        wanted = self._wanted((each for each in best if each.hit.source in able), sources)
        if not wanted:
            return outcomes
        typed = _typed(plan.query)
        steps = tuple(
            replace(step, rungs=(Rung(tuple(Translation(native) for native in wanted[step.source])),), fetches=())
            for step in plan.steps
            if step.source in wanted
        )
        async with aclosing(fan_out(replace(plan, steps=steps), sources, deadline, asking)) as arriving:
            found = {each.source: each async for each in arriving}
        return [_joined(each, found[each.source], typed) if each.source in found else each for each in outcomes]

    def _wanted(self, best: Iterable[Result], sources: Mapping[str, Source]) -> dict[str, tuple[NativeQuery, ...]]:
        """The conversations of the first results, each once, by source."""
        chosen: dict[tuple[str, str], NativeQuery] = {}
        for result in best:
            connector = sources[result.hit.source].connector
            native = connector.conversation(result.hit) if isinstance(connector, Conversing) else None
            if native is not None and len(chosen) < self.most:
                chosen.setdefault((result.hit.source, str(native)), native)
        return {
            name: tuple(native for (source, _), native in chosen.items() if source == name)
            for name in {source for source, _ in chosen}
        }


def _typed(query: Query) -> Clause:
    """What a person typed as a condition excludes here as anywhere; words do not."""
    return all_of(each for each in conjuncts(query.where) if not only_words(each) and query.strength(each) == CERTAIN)


def _is_able(outcome: Outcome, source: Source, deadline: Deadline) -> bool:
    holds = bool(outcome.hits) and isinstance(source.connector, Conversing)
    return holds and may_ask_again(outcome, source, deadline)


def _joined(first: Outcome, second: Outcome, typed: Clause) -> Outcome:
    """What is new, and for certain what was typed, stands behind what was found; what could not be read costs nothing."""
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
