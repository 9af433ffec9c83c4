"""Gmail's REST API, as far as searching and reading needs it, over the mail of a corpus."""

from .api import GmailEmulator

EMULATOR = GmailEmulator

__all__ = ["EMULATOR", "GmailEmulator"]
