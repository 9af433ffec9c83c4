"""One more round for words that no hit holds and that may be mistyped, and for what a name is called besides, as the hits say: within the same deadline."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING

from orchestrator.gather import fan_out, turns_left
from orchestrator.respelling import Respelling, asked_instead, merged, respelt, strange_words
from orchestrator.thinking import NobodyRead, other_spellings
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from orchestrator.gather import Asking, Deadline, Source
    from orchestrator.model import Outcome, Plan, Step
    from orchestrator.plan import SourceProfile
    from orchestrator.thinking import Thinking
    from orchestrator.understand import Directory
    from translators.query import Query

ENOUGH = 1  # hits of a source: the first round went as far as it could without the word


@record
class Again:
    """What a second round goes by: the names that words are compared with, where that is done, and how a question is planned."""

    names: Directory | None
    thinking: Thinking
    plan_for: Callable[[Query], Plan]
    profiles: Sequence[SourceProfile]

    async def asked(
        self,
        plan: Plan,
        outcomes: list[Outcome],
        sources: Mapping[str, Source],
        deadline: Deadline,
        asking: Asking,
        *,
        names: Sequence[tuple[str, str]] = (),
    ) -> tuple[Plan, list[Outcome]]:
        """Plan and outcomes with what the other spellings and ``names`` found, or as they were. Only sources with turns to spare are asked."""
        taught = tuple(Respelling(name, other) for name, other in names)
        found = (*taught, *await self._found(plan.query, outcomes))
        sound = (each for each in outcomes if each.problem is None) if found else ()
        able = {each.source for each in sound if turns_left(each, sources[each.source], deadline)}
        if not able:
            return plan, outcomes
        again = self.plan_for(asked_instead(plan.query, found))
        steps = tuple(step for step in again.steps if step.source in able and self._is_news(step, found))
        asking = replace(asking, enough=ENOUGH, further=True)
        async with aclosing(fan_out(replace(again, steps=steps), sources, deadline, asking)) as arriving:
            second = {each.source: each async for each in arriving}
        both = [merged(each, second[each.source], found) if each.source in second else each for each in outcomes]
        if not all(each.sure for each in found):  # a beginning was searched for: do its hits hold what was meant?
            found = (*taught, *(each for each in await self._found(plan.query, both) if each.sure))
        return (replace(plan, query=respelt(plan.query, found)), both) if found else (plan, outcomes)

    async def _found(self, query: Query, outcomes: Sequence[Outcome]) -> tuple[Respelling, ...]:
        """The texts of hits are compared where a text that takes too long costs nothing else."""
        strange = strange_words(query, outcomes)
        if strange is None:
            return ()
        try:
            return await self.thinking.run(other_spellings, strange, self.names, about=self.names)
        except NobodyRead:
            return ()

    def _is_news(self, step: Step, found: Sequence[Respelling]) -> bool:
        """Who takes alternatives was sent other blanks with the question; the public web is not told more of it."""
        profile = next(each for each in self.profiles if each.name == step.source)
        told = profile.can.any_of and profile.can.any_of_text and all(each.told for each in found)
        return not profile.public and not told
