"""Google Drive's REST API, as far as searching and reading needs it, over the files of a corpus."""

from .api import DriveEmulator

EMULATOR = DriveEmulator

__all__ = ["EMULATOR", "DriveEmulator"]
