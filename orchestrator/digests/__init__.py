"""Digests and saved searches: what happened while somebody was away, made on schedule and delivered.

``definitions`` says what is defined, ``definition_repository`` and ``defining`` what of it by people themselves; ``content`` what a digest is,
``scanning`` to ``making`` how it comes about (the rest of it pure), ``running`` and ``run_repository`` when, and that nothing is left out or told twice, ``rendering`` and ``delivery`` how it reaches its reader.
"""

from orchestrator.digests.content import Alert, Digest
from orchestrator.digests.defining import Defining, Maker, NotDefined
from orchestrator.digests.definition_repository import DefinitionCatalogue, DefinitionRepository
from orchestrator.digests.definitions import SEARCHES, Definitions
from orchestrator.digests.delivering import Deliveries, ways_of
from orchestrator.digests.message import DigestMessage, as_data, from_data, message_of, outlined
from orchestrator.digests.run_repository import RunRepository
from orchestrator.digests.running import Clock, Runs

__all__ = [
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
    "as_data",
    "from_data",
    "message_of",
    "outlined",
    "ways_of",
]
