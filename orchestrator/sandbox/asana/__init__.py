"""Asana's REST API, as far as searching and reading tasks needs it, over the tasks of a corpus."""

from .api import AsanaEmulator

EMULATOR = AsanaEmulator

__all__ = ["EMULATOR", "AsanaEmulator"]
