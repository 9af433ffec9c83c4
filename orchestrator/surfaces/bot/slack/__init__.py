"""The bot on Slack: Slack's own framework and client around :mod:`orchestrator.surfaces.bot`."""

from orchestrator.surfaces.bot.slack.app import SlackBot, SlackSecrets, open_slack
from orchestrator.surfaces.bot.slack.installations import Application
from orchestrator.surfaces.bot.slack.installing import Shop
from orchestrator.surfaces.bot.slack.transports import serve_http, serve_pages, serve_socket

__all__ = ["Application", "Shop", "SlackBot", "SlackSecrets", "open_slack", "serve_http", "serve_pages", "serve_socket"]
