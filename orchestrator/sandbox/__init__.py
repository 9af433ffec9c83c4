"""A pretend workplace: loopback servers that speak the wire formats of vendors over any corpus.

It evaluates each *native* query by the vendor's own rules and knows nothing of translators, connectors or answers.
"""

from orchestrator.sandbox.corpus import (
    SOURCES,
    Corpus,
    CorpusError,
    Directory,
    Person,
    Row,
    default_corpus,
    load_corpus,
)
from orchestrator.sandbox.faults import Fault, parse_fault
from orchestrator.sandbox.server import Sandbox, serve
from orchestrator.sandbox.service import RequestRecord

__all__ = [
    "SOURCES",
    "Corpus",
    "CorpusError",
    "Directory",
    "Fault",
    "Person",
    "RequestRecord",
    "Row",
    "Sandbox",
    "default_corpus",
    "load_corpus",
    "parse_fault",
    "serve",
]
