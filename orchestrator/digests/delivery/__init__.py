"""Ways out: a file, mail, a webhook. Each raises only :class:`connectors.errors.SourceError`, never with a secret.

All are given the key of the delivery, which stays the same however often it is tried: a file is written again, a mail has
the same Message-ID, a webhook the same id, so that whoever receives one twice can tell.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

from orchestrator.digests.run_repository import Destination

if TYPE_CHECKING:
    from datetime import datetime

    from orchestrator.digests.message import DigestMessage

SHOWN = frozenset({"file", "mailto", "slack"})  # of which the whole address may be told


class Deliver(Protocol):
    """Brings a message to an address. ``at``: the moment that the message is of, aware, in the reader's zone."""

    async def __call__(self, address: str, message: DigestMessage, key: str, at: datetime) -> None: ...


def kept_destination(address: str) -> Destination:
    """What is kept of an address: a webhook's may hold a secret in its path, so only its host is."""
    scheme = address.partition(":")[0]
    shown = address if scheme in SHOWN else f"{scheme}://{urlsplit(address).hostname}/…"
    return Destination(shown, hashlib.sha256(address.encode()).hexdigest()[:32])
