"""Microsoft Graph, as far as searching and reading needs it, over the mail, messages and files of a corpus."""

from .api import GraphEmulator

EMULATOR = GraphEmulator

__all__ = ["EMULATOR", "GraphEmulator"]
