"""Digests and saved searches: what happened while somebody was away, made on schedule and delivered.

``book`` says what is defined, ``shelf`` and ``defining`` what of it by people themselves; ``content`` what a digest is,
``scanning`` to ``making`` how it comes about (the rest of it pure), ``running`` and ``keeping`` when, and that nothing is left out or told twice, ``rendering`` and ``delivery`` how it reaches its reader.
"""

from orchestrator.digests.book import SEARCHES, Definitions
from orchestrator.digests.collecting import Since, collect
from orchestrator.digests.content import Alert, Digest
from orchestrator.digests.defining import Defining, Maker, NotDefined
from orchestrator.digests.delivering import Deliveries, ways_of
from orchestrator.digests.keeping import DELIVER, RUN, RunRepository
from orchestrator.digests.message import DigestMessage, as_data, from_data, message_of, outlined
from orchestrator.digests.running import Clock, Runs
from orchestrator.digests.shelf import DefinitionCatalogue, DefinitionRepository

__all__ = [
    "DELIVER",
    "RUN",
    "SEARCHES",
    "Alert",
    "Clock",
    "Defining",
    "DefinitionCatalogue",
    "DefinitionRepository",
    "Definitions",
    "Deliveries",
    "Digest",
    "DigestMessage",
    "Maker",
    "NotDefined",
    "RunRepository",
    "Runs",
    "Since",
    "as_data",
    "collect",
    "from_data",
    "message_of",
    "outlined",
    "ways_of",
]
