"""Slack as `search.messages` and the methods around it show it, over the messages of a corpus."""

from .api import SlackEmulator

EMULATOR = SlackEmulator

__all__ = ["EMULATOR", "SlackEmulator"]
