"""The bot on Slack: Slack's own framework and client around :mod:`orchestrator.surfaces.bot`."""

from orchestrator.surfaces.bot.slack.app import SlackSecrets, open_slack
from orchestrator.surfaces.bot.slack.transports import serve_http, serve_socket

__all__ = ["SlackSecrets", "open_slack", "serve_http", "serve_socket"]
