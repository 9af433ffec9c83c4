"""Confluence Cloud's REST API, as far as searching it needs it, over the pages of a corpus."""

from .api import ConfluenceEmulator

EMULATOR = ConfluenceEmulator

__all__ = ["EMULATOR", "ConfluenceEmulator"]
