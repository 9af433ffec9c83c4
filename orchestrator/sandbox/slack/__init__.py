"""Slack as `search.messages` and the methods around it show it, over the messages of a corpus."""

from .api import SlackEmulator

__all__ = ["SlackEmulator"]
