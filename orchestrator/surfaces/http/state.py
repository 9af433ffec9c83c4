"""What lives as long as a running server: the engine, the streams being read, the figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from orchestrator.surfaces.http.events import Broadcasts
from orchestrator.surfaces.http.metrics import Metrics
from orchestrator.surfaces.http.problems import Refused

if TYPE_CHECKING:
    from connectors.reranking import Reranker
    from orchestrator.digests.desk import Desk
    from orchestrator.engine import Engine
    from orchestrator.surfaces.http.services import ApiLimits
    from orchestrator.websearch import WebSearch


@dataclass(slots=True)
class State:
    """``running`` is empty before the server has started and after it has begun to stop; ``warm``: nothing loads any more."""

    metrics: Metrics
    broadcasts: Broadcasts
    running: Engine | None = None
    warm: bool = False
    searching: WebSearch | None = None
    judging: Reranker | None = None
    desk: Desk | None = None

    @classmethod
    def of(cls, limits: ApiLimits) -> Self:
        """A server that has not started."""
        return cls(Metrics(), Broadcasts(limits))

    @property
    def engine(self) -> Engine:
        """The engine. Raises :class:`Refused` where there is none to ask."""
        if self.running is None:
            raise Refused(503, "not_ready", "the server is starting or shutting down; try again", {"Retry-After": "1"})
        return self.running

    @property
    def reranker(self) -> Reranker:
        """Who judges documents. Raises :class:`Refused` where the server is not running."""
        if self.judging is None:
            raise Refused(503, "not_ready", "the server is starting or shutting down; try again", {"Retry-After": "1"})
        return self.judging

    @property
    def digests(self) -> Desk:
        """Digests. Raises :class:`Refused` where the server is not running."""
        if self.desk is None:
            raise Refused(503, "not_ready", "the server is starting or shutting down; try again", {"Retry-After": "1"})
        return self.desk

    @property
    def web(self) -> WebSearch:
        """The public web. Raises :class:`Refused` where the server is not running."""
        if self.searching is None:
            raise Refused(503, "not_ready", "the server is starting or shutting down; try again", {"Retry-After": "1"})
        return self.searching

    async def prepare(self) -> None:
        """Let no question wait for what is loaded once."""
        await self.engine.prepare()
        self.warm = True
