"""Notion's REST API, version 2025-09-03 and later, over the pages of a corpus."""

from .api import NotionEmulator

EMULATOR = NotionEmulator

__all__ = ["EMULATOR", "NotionEmulator"]
