"""Linear's GraphQL API, as far as reading and searching issues needs it, over the issues of a corpus."""

from .api import LinearEmulator

EMULATOR = LinearEmulator

__all__ = ["EMULATOR", "LinearEmulator"]
