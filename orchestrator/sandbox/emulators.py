"""The emulators by source; each is imported only when it is served."""

from .corpus import SOURCES
from .wire import Emulator, Situation


def emulator(source: str, situation: Situation, token: str | None) -> Emulator:
    """Build the emulator of a source over its rows. CPU-bound (it indexes), so call it in a thread."""
    match source:
        case "slack":
            from .slack import SlackEmulator

            return SlackEmulator(situation, token)
        case "notion":
            from .notion import NotionEmulator

            return NotionEmulator(situation, token)
        case "linear":
            from .linear import LinearEmulator

            return LinearEmulator(situation, token)
        case "gmail":
            from .gmail import GmailEmulator

            return GmailEmulator(situation, token)
        case _:
            raise ValueError(f"there is no emulator for {source!r}: choose from {', '.join(SOURCES)}")
