"""Putting files into the local index: folders, documents, mailboxes and exports, again and again, with what was skipped and why."""

from connectors.local.ingest.collection import Given, Ingest
from connectors.local.ingest.ledger import Collection
from connectors.local.ingest.pages import GivenPages, Page, ReadPage
from connectors.local.ingest.report import Progress, Report, Skipped
from connectors.local.ingest.syncing import Origin, check_storable, sync

__all__ = [
    "Collection",
    "Given",
    "GivenPages",
    "Ingest",
    "Origin",
    "Page",
    "Progress",
    "ReadPage",
    "Report",
    "Skipped",
    "check_storable",
    "sync",
]
