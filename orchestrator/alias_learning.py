"""Learn other names from what sources returned, for whoever was shown it."""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING

from orchestrator.aliases.reading import AliasEvidence, may_teach
from orchestrator.thinking import NobodyRead, aliases_in
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from connectors.contract import Hit
    from orchestrator.aliases.reading import Alias
    from orchestrator.aliases.repository import AliasRepository
    from orchestrator.gather import Source
    from orchestrator.model import Outcome
    from orchestrator.thinking import Thinking

MOST_READ = 100  # things of one question


@record
class AliasLearning:
    """``public``: sources of the outside, which teach nothing: anybody could write there what we are to search for."""

    repository: AliasRepository
    thinking: Thinking
    public: frozenset[str]

    def ahead(self, outcome: Outcome, telling: TellingHits) -> None:
        """What :meth:`learn` will want to know of it, while slower sources are awaited."""
        if outcome.source not in self.public:
            telling.of(outcome)

    async def learn(
        self, owner: str, outcomes: Sequence[Outcome], sources: Mapping[str, Source], telling: TellingHits
    ) -> tuple[Alias, ...]:
        """What is new of it; nothing where nobody reads it in time. ``telling``: what was read of them as they arrived."""
        read = chain.from_iterable(telling.of(each) for each in outcomes if each.source not in self.public)
        things = tuple(islice(read, MOST_READ))
        if not things:
            return ()
        try:
            found = await self.thinking.run(aliases_in, things)
        except NobodyRead:
            return ()
        unkept = (name for name, each in sources.items() if not each.connector.manifest.may_store)
        return await self.repository.learn(owner, found, unkept=unkept)


class TellingHits:
    """What may teach a name, of each outcome of a question: read when it arrives, while slower sources are awaited."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Outcome, tuple[AliasEvidence, ...]]] = {}

    def of(self, outcome: Outcome) -> tuple[AliasEvidence, ...]:
        """Read once; one whose texts have been read since is another."""
        if id(outcome) not in self._known:
            self._known[id(outcome)] = outcome, tuple(evidence_in((outcome.hits,)))
        return self._known[id(outcome)][1]


def evidence_in(found: Iterable[Sequence[Hit]]) -> Iterator[AliasEvidence]:
    """What may teach a name, of the hits of each source; most sources return nothing of the kind, and to ask that of all at once costs a tenth."""
    hits = (
        hit for each in found if may_teach("\n".join(f"{hit.title}\n{hit.snippet}" for hit in each)) for hit in each
    )
    telling = (hit for hit in hits if may_teach(hit.title) or may_teach(hit.snippet))
    return (AliasEvidence(hit.source, hit.title, hit.snippet, hit.url) for hit in islice(telling, MOST_READ))
