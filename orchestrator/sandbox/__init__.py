"""A pretend workplace: loopback servers that speak the wire formats of vendors over any corpus.

It evaluates each *native* query by the vendor's own rules and knows nothing of translators, connectors or answers.
"""

from .corpus import SOURCES, Corpus, CorpusError, Row, default_corpus, load_corpus
from .faults import Fault, parse_fault
from .people import Directory, Person
from .run import serve
from .server import Endpoint, Sandbox
from .service import RequestRecord

__all__ = [
    "SOURCES",
    "Corpus",
    "CorpusError",
    "Directory",
    "Endpoint",
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
