"""What lives as long as a running server: the engine, the streams being read, the figures."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self, TypeVar

from orchestrator.gather import trace
from orchestrator.model import NotReady
from orchestrator.surfaces.http.events import Broadcasts
from orchestrator.surfaces.http.metrics import Metrics
from orchestrator.surfaces.http.prefork import READY, Readiness
from storage.logs import log_of
from translators.said import Said

if TYPE_CHECKING:
    from pathlib import Path

    from connectors.models.reranking import Reranker
    from orchestrator.digests.service import DigestService
    from orchestrator.engine import Engine
    from orchestrator.surfaces.http.limits import ApiLimits
    from orchestrator.websearch import WebSearch

T = TypeVar("T")
STARTING = Said("the server is starting or stopping; ask again in a moment")
AGAIN = 5.0  # seconds between two attempts to get ready
log = log_of(__name__)


@dataclass(slots=True)
class ServerState:
    """``running`` is empty before the server has started and after it has begun to stop; ``leaving``: it will, and says so;

    ``failure``: by what it ended.
    """

    metrics: Metrics
    broadcasts: Broadcasts
    readiness: Readiness
    running: Engine | None = None
    searching: WebSearch | None = None
    judging: Reranker | None = None
    digest_service: DigestService | None = None
    leaving: bool = False
    failure: BaseException | None = None

    @classmethod
    def of(cls, limits: ApiLimits, readiness: Readiness | None = None, counted: Path | None = None) -> Self:
        """A server that has not started."""
        return cls(Metrics(counted), Broadcasts(limits), readiness or Readiness())

    def note(self, _: object, failure: BaseException | None, __: object) -> None:
        """Keep by what it ended: whoever runs it is told only that it could not start."""
        self.failure = failure

    @property
    def engine(self) -> Engine:
        """The engine, whatever it still loads. Raises :class:`NotReady` where there is none."""
        return _there(self.running)

    @property
    def answering(self) -> Engine:
        """The engine once it has loaded what questions wait for: one that came before would spend its time on that, and no source be asked.

        Raises :class:`NotReady` until then.
        """
        return _there(self.running if self.readiness.was else None)

    @property
    def reranker(self) -> Reranker:
        """Who judges documents. Raises :class:`NotReady` where the server is not running."""
        return _there(self.judging)

    @property
    def digests(self) -> DigestService:
        """Digests. Raises :class:`NotReady` where the server is not running."""
        return _there(self.digest_service)

    @property
    def web(self) -> WebSearch:
        """The public web. Raises :class:`NotReady` where the server is not running."""
        return _there(self.searching)

    async def prepare(self) -> None:
        """Let no question wait for what is loaded once. What of it fails is tried again, as often as it takes."""
        while not self.readiness.here:
            try:
                await self.engine.prepare()
                self.readiness.tell(READY)
            except Exception as failure:  # noqa: BLE001 — nobody waits for this; without it no server would ever be ready
                log.error("the server cannot get ready", **trace(failure))  # noqa: TRY400 — values may be secret
                await asyncio.sleep(AGAIN)


def _there(found: T | None) -> T:
    if found is None:
        raise NotReady(STARTING)
    return found
