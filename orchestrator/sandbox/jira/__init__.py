"""Jira Cloud's REST API, as far as searching and reading issues needs it, over the issues of a corpus."""

from .api import JiraEmulator

EMULATOR = JiraEmulator

__all__ = ["EMULATOR", "JiraEmulator"]
