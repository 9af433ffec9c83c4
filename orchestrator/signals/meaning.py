"""How near hits are in meaning to a question in another language, by a small model in a thread, as far as time allows.

Hits are read as they arrive, while slower sources are still awaited, so that little is left to do when the last is there.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import TYPE_CHECKING

from connectors.errors import SourceError
from connectors.passages import opening
from orchestrator.process import ALWAYS
from translators.match import is_korean
from translators.records import record
from translators.said import Said, filled_in, said_in

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterable, Mapping, Sequence

    import numpy as np
    import numpy.typing as npt

    from connectors.contract import Hit, HitKey
    from connectors.models.embedding import Embedder
    from orchestrator.model import Outcome
    from orchestrator.process import Need

    Vector = npt.NDArray[np.float32]

REMEMBERED = 4000  # texts whose vectors are kept: 2 KB each
SLICE = 8  # texts embedded between two looks at the clock
MOST_READING = 32  # outcomes being read ahead at once; under more load answers come without
SECOND = 2
SHORTEST = 0.02  # seconds: with less left, nothing is begun

MESSAGES = {
    "loading": Said("meaning was not compared: its model is not loaded yet"),
    "time": Said("meaning was not compared: no time was left for it"),
    "part": Said("meaning was compared for {read} of {all} results: no time was left for the others"),
    "broken": Said("meaning was not compared: {reason}"),
}


@record
class Nearness:
    """Cosines by (source, id), ``None`` where nothing was compared; ``note`` says what was left out and why."""

    cosines: Mapping[HitKey, float] | None = None
    note: str = ""


class Meaning:
    """One model for all questions of a process, and the vectors of what it has read lately.

    The model is loaded beside the second question: a process that asks one and ends would pay and gain nothing. Where that is not known
    to be needed (``need``), it is loaded beside the first whose results are in the other language. ``characters`` of each of the first
    ``results`` hits are read.
    """

    def __init__(self, embedder: Embedder, *, characters: int, results: int, need: Need = ALWAYS) -> None:
        self._embedder = embedder
        self._need = need
        self._characters = characters
        self._results = results
        self._vectors: OrderedDict[str, Vector] = OrderedDict()
        self._questions: OrderedDict[str, Vector] = OrderedDict()
        self._reading = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._asked = 0
        self._loading = False

    async def prepare(self) -> None:
        """Load the model now if it is known to be needed; one that cannot be loaded is told of where it is missed."""
        if self._need.is_known:
            await self._load()

    async def _load(self) -> None:
        try:
            await self._embedder.prepare()
        except SourceError:
            return

    async def _load_after_all(self) -> None:
        self._need.note()
        await self._load()

    def begin(self) -> None:
        """A question is asked."""
        self._asked += 1
        if self._asked == SECOND and not self._embedder.ready:
            self._later(self.prepare())

    def read_ahead(self, question: str, outcome: Outcome) -> None:
        """Begin to read what a source returned."""
        may_load = not (self._embedder.ready or self._loading or self._need is ALWAYS)
        if not (self._embedder.ready or may_load) or len(self._tasks) >= MOST_READING:
            return
        hits = self._foreign(question, [outcome])
        if hits and may_load:
            self._loading = True
            self._later(self._load_after_all())
        elif hits:
            self._later(self._read_quietly([self._text(hit) for hit in hits]))

    async def nearness(self, question: str, outcomes: Sequence[Outcome], language: str, patience: float) -> Nearness:
        """How near the best hits of ``outcomes`` in the other language are, after at most ``patience`` seconds."""
        hits = self._foreign(question, outcomes)
        if not hits:
            return Nearness()
        if not self._embedder.ready:
            return Nearness(note=said_in(MESSAGES["loading"], language))
        try:
            if patience >= SHORTEST:
                async with asyncio.timeout(patience):
                    await self._read_question(question)
                    await self._read([self._text(hit) for hit in hits])
        except TimeoutError:
            pass
        except SourceError as failure:
            return Nearness(note=filled_in(MESSAGES["broken"], language, reason=failure.message))
        cosines = self.known(question, outcomes)
        if not cosines:
            return Nearness(note=said_in(MESSAGES["time"], language))
        missed = len(hits) - len(cosines)
        return Nearness(
            cosines, filled_in(MESSAGES["part"], language, read=len(cosines), all=len(hits)) if missed else ""
        )

    def known(self, question: str, outcomes: Sequence[Outcome]) -> Mapping[HitKey, float] | None:
        """The cosines of what has been read already; for answers that will be revised."""
        asked = self._questions.get(question)
        if asked is None:
            return None
        pairs = (
            ((hit.source, hit.id), self._vectors.get(self._text(hit))) for hit in self._foreign(question, outcomes)
        )
        return {key: float(vector @ asked) for key, vector in pairs if vector is not None}

    async def aclose(self) -> None:
        """Stop reading and release the model's thread; safe to call twice."""
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._embedder.aclose()

    # ---- reading

    async def _read_quietly(self, texts: list[str]) -> None:
        try:
            await self._read(texts)
        except SourceError:
            return  # whoever needs them is told

    async def _read_question(self, question: str) -> None:
        if question not in self._questions:
            self._questions[question] = (await self._embedder.embed_queries([question]))[0]
            _forget(self._questions)

    async def _read(self, texts: Iterable[str]) -> None:
        """Texts in order, a few at a time; whoever else reads takes turns, and nothing is read twice."""
        wanted = list(dict.fromkeys(texts))
        for start in range(0, len(wanted), SLICE):
            async with self._reading:
                new = [text for text in wanted[start : start + SLICE] if text not in self._vectors]
                vectors = await self._embedder.embed_passages(new) if new else ()
                self._vectors.update(zip(new, vectors, strict=True))
                _forget(self._vectors)

    def _foreign(self, question: str, outcomes: Sequence[Outcome]) -> list[Hit]:
        """The first of every source, then the second of every source, and so on: those in another language than asked in."""
        korean = is_korean(question)
        return [hit for hit in self._best(outcomes) if is_korean(self._text(hit)) is not korean]

    def _best(self, outcomes: Sequence[Outcome]) -> list[Hit]:
        placed = ((place, outcome.source, hit) for outcome in outcomes for place, hit in enumerate(outcome.hits))
        ordered = sorted(placed, key=lambda each: each[:2])
        return [hit for _, _, hit in ordered[: self._results]]

    def _text(self, hit: Hit) -> str:
        return opening(hit.snippet, self._characters, hit.title)

    def _later(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _forget(vectors: OrderedDict[str, Vector]) -> None:
    while len(vectors) > REMEMBERED:
        vectors.popitem(last=False)
