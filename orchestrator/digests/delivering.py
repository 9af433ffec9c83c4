"""Empty the outbox: each delivery by the way of its address, tried again while that may help, then left where it is seen."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from connectors.errors import BadReply, Forbidden, Misconfigured, Rejected, SourceError, Throttled, Unauthenticated
from orchestrator.digests.definitions import defined_by
from orchestrator.digests.delivery import kept_destination
from orchestrator.digests.delivery.file import ToFile
from orchestrator.digests.delivery.mail import ByMail
from orchestrator.digests.delivery.webhook import ToWebhook
from orchestrator.digests.message import from_data, message_of
from storage.logs import log_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from orchestrator.digests.definition_repository import DefinitionCatalogue
    from orchestrator.digests.definitions import DefinedBy
    from orchestrator.digests.delivery import Deliver
    from orchestrator.digests.run_repository import Outgoing, RunRepository
    from orchestrator.digests.running import Clock
    from orchestrator.settings.digests import DefinitionSettings, Smtp
    from orchestrator.websearch.pages.addresses import AddressPolicy

    Ways = Callable[[str, DefinitionSettings], Deliver]

log = log_of(__name__)

LASTING = (Misconfigured, Rejected, BadReply, Forbidden, Unauthenticated)  # trying again does not help
LONGEST = 3600.0  # seconds between two attempts
GONE = "it is no longer delivered there by the settings; `fedsearch digest list` shows what is configured"


def ways_of(
    folder: Path,
    smtp: Smtp,
    *more: tuple[str, Callable[[DefinitionSettings], Deliver]],
    reach: AddressPolicy | None = None,
) -> Ways:
    """How to deliver, by the scheme of an address. Files that are not absolute lie under ``folder``.

    ``reach``: where webhooks may lead; ``None``: anywhere.
    """
    made: dict[str, Callable[[DefinitionSettings], Deliver]] = {
        "file": lambda _: ToFile(folder),
        "mailto": lambda _: ByMail(smtp),
        "https": lambda wished: ToWebhook(wished.secret, reach=reach),
        "http": lambda wished: ToWebhook(wished.secret, reach=reach),
        **dict(more),
    }

    def way(address: str, wished: DefinitionSettings) -> Deliver:
        scheme = address.partition(":")[0]
        if scheme not in made:
            raise Misconfigured(f"nothing can be delivered to {scheme}: yet")
        return made[scheme](wished)

    return way


class Deliveries:
    """One attempt at a time. Raises only what the database does: a failed delivery is written down and planned again.

    ``theirs``: the ways of what people defined themselves, ``ways`` those of the settings.
    """

    def __init__(
        self, catalogue: DefinitionCatalogue, run_repository: RunRepository, ways: Ways, theirs: Ways, clock: Clock
    ) -> None:
        self._catalogue = catalogue
        self._run_repository = run_repository
        self._ways: Mapping[DefinedBy, Ways] = {"settings": ways, "person": theirs}
        self._clock = clock

    async def deliver(self, *, key: str) -> None:
        """One job: what waits under this key, unless it has gone out."""
        out = await self._run_repository.outgoing(key)
        if out is None or out.status != "waiting":
            return
        try:
            await self._sent(out)
        except SourceError as failure:
            await self._failed(out, failure)
        else:
            await self._run_repository.attempted(key, "sent")

    async def _sent(self, out: Outgoing) -> None:
        definitions = await self._catalogue.knowing(out.digest)
        wished = definitions.by_name.get(out.digest)
        address = (
            next((each for each in wished.deliver if kept_destination(each).target == out.target), "") if wished else ""
        )
        content = await self._run_repository.content(out.digest, out.due)
        if wished is None or not address or content is None:
            raise Misconfigured(GONE)
        at, way = out.due.astimezone(definitions.zone_for(wished)), self._ways[defined_by(out.digest)]
        await way(address, wished)(address, message_of(from_data(content)), out.key, at)

    async def _failed(self, out: Outgoing, failure: SourceError) -> None:
        numbers, tried = self._catalogue.fixed.numbers, out.attempts + 1
        log.warning("a delivery failed", digest=out.digest, to=out.place, attempt=tried, reason=failure.message)
        if isinstance(failure, LASTING) or tried >= numbers.attempts:
            await self._run_repository.attempted(out.key, "dead", failure.message)
            return
        wait = min(LONGEST, numbers.again * 2**out.attempts)
        if isinstance(failure, Throttled):
            wait = max(wait, failure.retry_after or 0.0)
        at = datetime.now(UTC) + timedelta(seconds=wait)
        await self._run_repository.attempted(out.key, "waiting", failure.message, at)
