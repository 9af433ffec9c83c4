"""One round for the texts of the best hits: some sources return heads, and each text costs a request, so that only what ranking wants is read.

It begins when all sources have answered, or, while a slow one is still awaited, when a third of the time is left: a source that hangs costs others no text.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from connectors.contract import is_completing
from orchestrator.gather import complete, turns_left
from orchestrator.model import ANSWERED
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

    from connectors.contract import Hit
    from orchestrator.gather import Asking, Deadline, Source
    from orchestrator.model import Outcome, Result

AMONG = 20  # results, the best, of which as many are read as a source is set to read
LEFT = 1 / 3  # of the time of all sources, from which on texts of what is there are read
LEAST = 2  # texts of each source that are read in any case, since a title tells little


@record
class Texts:
    """How the ``best`` results are found by their heads."""

    best: Callable[[Sequence[Outcome]], Awaitable[Sequence[Result]]]

    async def read(
        self, outcomes: list[Outcome], sources: Mapping[str, Source], deadline: Deadline, asking: Asking
    ) -> list[Outcome]:
        """Outcomes with the texts of the best results, as far as turns and time go."""
        found = (each for each in outcomes if each.hits and each.status in ANSWERED)
        able = {each.source: each for each in found if is_completing(sources[each.source].connector)}
        if not able:
            return outcomes
        most = {name: max(LEAST, turns_left(each, sources[name], deadline)) for name, each in able.items()}
        wanted = _chosen(await self.best(outcomes), most)
        tasks = (complete(sources[name], able[name], hits, deadline, asking) for name, hits in wanted.items())
        read = {each.source: each for each in await asyncio.gather(*tasks)}
        return [read.get(each.source, each) for each in outcomes]


class TextsBeside:
    """The same beside the slowest sources. ``outcomes`` grows while they arrive; close it where nobody waits for it any more."""

    def __init__(
        self,
        texts: Texts,
        outcomes: list[Outcome],
        sources: Mapping[str, Source],
        deadline: Deadline,
        asking: Asking,
    ) -> None:
        self._outcomes = outcomes
        self._begun = False
        self._reading = asyncio.create_task(self._read(texts, sources, deadline, asking))

    async def outcomes(self) -> list[Outcome]:
        """All that has arrived, with the texts that were read meanwhile."""
        if not self._begun:
            await self.aclose()
            return self._outcomes
        read = {each.source: each for each in await self._reading}
        return [read.get(each.source, each) for each in self._outcomes]

    async def aclose(self) -> None:
        """Stop reading; safe to call twice."""
        self._reading.cancel()
        await asyncio.gather(self._reading, return_exceptions=True)

    async def _read(
        self, texts: Texts, sources: Mapping[str, Source], deadline: Deadline, asking: Asking
    ) -> list[Outcome]:
        await asyncio.sleep(deadline.left * (1 - LEFT))
        self._begun = True
        return await texts.read(list(self._outcomes), sources, deadline, asking)


def _chosen(best: Iterable[Result], most: Mapping[str, int]) -> dict[str, list[Hit]]:
    """By source, best first: ``most`` of those among the best, a few of each in any case."""
    wanted: dict[str, list[Hit]] = {name: [] for name in most}
    for place, result in enumerate(best):
        for hit in (result.hit, *result.also):
            chosen = wanted.get(hit.source)
            if chosen is not None and len(chosen) < (most[hit.source] if place < AMONG else LEAST):
                chosen.append(hit)
    return {name: chosen for name, chosen in wanted.items() if chosen}
