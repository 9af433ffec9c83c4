"""Google Chat's REST API, as far as searching and reading needs it, over the messages of a corpus."""

from .api import GoogleChatEmulator

EMULATOR = GoogleChatEmulator

__all__ = ["EMULATOR", "GoogleChatEmulator"]
