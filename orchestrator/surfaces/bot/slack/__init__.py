"""The bot on Slack: Slack's own framework and client around :mod:`orchestrator.surfaces.bot`."""

from orchestrator.surfaces.bot.slack.app import SlackBot, SlackSecrets, open_slack
from orchestrator.surfaces.bot.slack.app_manifest import app_manifest
from orchestrator.surfaces.bot.slack.installations import Shop, SlackApp
from orchestrator.surfaces.bot.slack.transports import serve_http, serve_pages, serve_socket

__all__ = [
    "Shop",
    "SlackApp",
    "SlackBot",
    "SlackSecrets",
    "app_manifest",
    "open_slack",
    "serve_http",
    "serve_pages",
    "serve_socket",
]
