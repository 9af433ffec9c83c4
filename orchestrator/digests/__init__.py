"""Digests and saved searches: what happened while somebody was away, made on schedule and delivered.

``content`` says what a digest is, ``scanning`` to ``making`` how it comes about (the rest of it pure), ``running`` and
``keeping`` when, and that nothing is left out or told twice, ``rendering`` and ``delivery`` how it reaches its reader.
"""

from orchestrator.digests.collecting import Since, collect
from orchestrator.digests.content import Alert, Digest
from orchestrator.digests.delivering import Deliveries, ways_of
from orchestrator.digests.keeping import DELIVER, RUN, Keeping
from orchestrator.digests.message import Message, as_data, from_data, message_of, outlined
from orchestrator.digests.running import SEARCHES, Book, Clock, Runs

__all__ = [
    "DELIVER",
    "RUN",
    "SEARCHES",
    "Alert",
    "Book",
    "Clock",
    "Deliveries",
    "Digest",
    "Keeping",
    "Message",
    "Runs",
    "Since",
    "as_data",
    "collect",
    "from_data",
    "message_of",
    "outlined",
    "ways_of",
]
