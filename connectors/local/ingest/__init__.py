"""Putting files into the local index: folders, documents, mailboxes and exports, again and again, with what was skipped and why."""

from connectors.local.ingest.collection import Given, Ingest
from connectors.local.ingest.example import ExampleQuestion, example_of
from connectors.local.ingest.ledger import Collection
from connectors.local.ingest.pages import CrawledPage, GivenPages, PageCrawler
from connectors.local.ingest.report import IngestProgress, IngestReport, SkippedFile
from connectors.local.ingest.syncing import SyncedSource, check_storable, sync

__all__ = [
    "Collection",
    "CrawledPage",
    "ExampleQuestion",
    "Given",
    "GivenPages",
    "Ingest",
    "IngestProgress",
    "IngestReport",
    "PageCrawler",
    "SkippedFile",
    "SyncedSource",
    "check_storable",
    "example_of",
    "sync",
]
