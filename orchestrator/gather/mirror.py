"""The texts of a source whose search knows titles alone (Notion), kept in memory beside it (a mirror), so that words are found that stand in no title.

Whoever stays (a server, a bot) lists what the source shows every few minutes and reads what has changed, in turns that no question
needs. What is kept is what the same credential was shown at the last look, and what is no longer listed is forgotten: a mirror
widens nobody's rights (law 7). It is gone with the process; the local index keeps copies that last.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from connectors.contract import Call, Mirrored
from connectors.errors import Forbidden, SourceError, Unauthenticated
from orchestrator.gather.outcomes import lists_of, trace
from orchestrator.gather.page_index import PageIndex
from orchestrator.gather.queueing import Comer
from orchestrator.model import Lane, Status
from storage.logs import log_of
from translators.query import Kind, Query, Sort
from translators.registry import load_dialect
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from connectors.contract import Connector, Hit
    from orchestrator.gather.gate import Gate
    from orchestrator.model import Outcome, Step

EVERY = 300.0  # seconds between two looks at what has changed
STALE = 3 * EVERY  # seconds after the last look from which nothing of it is shown any more
LEFT = 0.5  # share of the source's rate that is left to questions
REST = 1.0  # seconds to wait where less is left
PATIENCE = 30.0  # seconds for one request
MOST_CHARACTERS = 8_000_000  # of one source
MOST_FOUND = 5  # pages for a question
SECOND = 2
SHOWN = frozenset({Status.OK, Status.PARTIAL, Status.EMPTY, Status.THROTTLED, Status.TIMED_OUT})
"""How asking the source may have ended: where it refuses, nothing of it is shown."""
READER = Comer(Lane.DIGEST)

SEARCHED = Said("{read} of {all} pages were searched by their texts as well, as they were {age:.0f} s ago")

log = log_of(__name__)


class Mirror:
    """What is kept of one source, asked with one credential. ``sound``: raises why the source is not to be asked now."""

    def __init__(
        self,
        connector: Mirrored,
        gate: Gate,
        sound: Callable[[], Awaitable[None]],
    ) -> None:
        self._connector = connector
        self._gate = gate
        self._sound = sound
        self._index = PageIndex()
        self._listed = 0
        self._looked_at: float | None = None
        self._asked = 0
        self._keeping: asyncio.Task[None] | None = None
        self._caught_up = asyncio.Event()

    def asked(self) -> None:
        """A question was put to the source. A process that asks one and ends would read for nothing, so the second begins it."""
        self._asked += 1
        if self._asked >= SECOND:
            self.begin()

    def begin(self) -> None:
        """Read from now on, beside the questions."""
        if self._keeping is None:
            self._keeping = asyncio.create_task(self._keep(), name=f"mirror {self._connector.name}")

    async def caught_up(self) -> None:
        """Begin, and wait until all that there is has been looked at once, whatever came of it."""
        self.begin()
        await self._caught_up.wait()

    async def look(self) -> None:
        """List what there is, forget what is not there any more or has changed, and read what is not kept. Raises :class:`SourceError`."""
        await self._sound()
        listed = await self._heads()
        self._listed, self._looked_at = len(listed), asyncio.get_running_loop().time()
        for gone in self._index.pages.keys() - {head.id for head in listed if self.kept(head)}:
            self._index.drop(gone)
        for head in listed:
            if self._age > EVERY or self._index.characters > MOST_CHARACTERS:
                return  # the next look goes on
            if self.kept(head) is None:
                await self._read(head)

    def kept(self, hit: Hit) -> Hit | None:
        """A page with its text, where that is what was found now."""
        known = self._index.pages.get(hit.id) if self._is_fresh else None
        return known if known is not None and known.updated == hit.updated else None

    def joined(self, outcome: Outcome, step: Step) -> Outcome:
        """``outcome`` with the pages whose texts hold words of the question and that the source did not return, and what is said of that."""
        if not self._is_fresh or outcome.status not in SHOWN:
            return outcome
        found = self._index.fitting(step.meaning, MOST_FOUND, {hit.id for hit in outcome.hits})
        lists = lists_of(step, *([hit for all_words, hit in found if all_words is whole] for whole in (True, False)))
        note = SEARCHED.filled(read=len(self._index.pages), all=self._listed, age=self._age)
        status = Status.OK if lists and outcome.status is Status.EMPTY else outcome.status
        return replace(outcome, status=status, lists=(*outcome.lists, *lists), notes=(*outcome.notes, note))

    async def aclose(self) -> None:
        """Read no more; safe to call twice."""
        if self._keeping is not None:
            self._keeping.cancel()
            await asyncio.gather(self._keeping, return_exceptions=True)

    @property
    def _age(self) -> float:
        """Seconds since the last look; without one, forever."""
        return float("inf") if self._looked_at is None else asyncio.get_running_loop().time() - self._looked_at

    @property
    def _is_fresh(self) -> bool:
        return self._age < STALE and bool(self._index.pages)

    async def _keep(self) -> None:
        while True:
            rest = EVERY
            try:
                await self.look()
                rest = max(REST, EVERY - self._age)
            except (Unauthenticated, Forbidden) as failure:
                self._index = PageIndex()
                log.info("no longer mirrored", source=self._connector.name, error=failure.code)
            except SourceError as failure:
                log.info("not mirrored", source=self._connector.name, error=failure.code)
            except Exception as failure:  # noqa: BLE001 — law 3: a broken connector must not hurt its questions
                log.error("mirroring failed", source=self._connector.name, **trace(failure))  # noqa: TRY400 — values may be secret
            self._caught_up.set()
            await asyncio.sleep(rest)

    async def _heads(self) -> list[Hit]:
        """The pages that are listed, as many as are worth keeping; a database has no text of its own."""
        dialect, most = load_dialect(self._connector.manifest.dialect), self._connector.mirrored
        everything = dialect.translate(Query("", sort=Sort.NEWEST), dialect.can).native
        heads: dict[str, Hit] = {}
        cursor: str | None = None
        while len(heads) < most:
            await self._room()
            page = await self._connector.search(everything, replace(self._call, cursor=cursor))
            heads |= {hit.id: hit for hit in page.hits if hit.kind is not Kind.DATABASE}
            cursor = page.cursor
            if cursor is None:
                break
        return list(heads.values())[:most]

    async def _read(self, head: Hit) -> None:
        """The text of one page; one that cannot be read now, as the notes say, is tried again at the next look."""
        await self._room()
        page = await self._connector.complete([head], self._call)
        if not page.notes:
            self._index.put(page.hits[0])

    @property
    def _call(self) -> Call:
        return Call(
            limit=self._connector.manifest.limits.page,
            timeout=PATIENCE,
            turn=partial(self._gate.enter, comer=READER),
            throttled=self._gate.heed,
            heads=True,
        )

    async def _room(self) -> None:
        """Wait until no question needs the turns that there are."""
        while self._gate.spare < LEFT:  # noqa: ASYNC110 — nobody tells when a turn is given back
            await asyncio.sleep(REST)


def mirror_of(connector: Connector, gate: Gate, sound: Callable[[], Awaitable[None]]) -> Mirror | None:
    """For a source that can be mirrored and shall be; ``None`` for the others."""
    if not isinstance(connector, Mirrored) or not (connector.manifest.may_store and connector.mirrored):
        return None
    return Mirror(connector, gate, sound)
