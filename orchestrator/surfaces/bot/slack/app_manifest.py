"""What Slack must be told to make the bot's app, as the manifest that its page takes: https://docs.slack.dev/reference/app-manifest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from orchestrator.surfaces.bot.slack.app import SHORTCUT
from orchestrator.surfaces.bot.slack.installations import CALLBACK
from orchestrator.surfaces.bot.slack.transports import PATH

if TYPE_CHECKING:
    from collections.abc import Mapping

SCOPES = (
    "app_mentions:read", "chat:write", "commands", "users:read", "users:read.email", "channels:read", "groups:read", "im:read",
    "mpim:read", "im:history", "channels:history", "groups:history",
)  # fmt: skip
EVENTS = ("app_mention", "message.im", "message.channels", "message.groups", "app_home_opened")
GONE = ("app_uninstalled", "tokens_revoked")  # where workspaces install it by themselves


def app_manifest(name: str, command: str, address: str, *, by_socket: bool, installs: bool) -> Mapping[str, Any]:
    """The app called ``name`` with a slash ``command``.

    ``address``: how Slack reaches the bot, where it does not listen by Socket Mode; ``installs``: whether workspaces install it by themselves.
    """
    requests = {} if by_socket else {"request_url": f"{address}{PATH}"}
    slash = {"command": command, "description": "Ask every source", "usage_hint": "a question", "should_escape": True}
    shortcut = {"name": "Ask about this", "type": "message", "callback_id": SHORTCUT, "description": "Ask every source"}
    return {
        "display_information": {"name": name, "description": "One question to every source, one cited answer"},
        "features": {
            "app_home": {
                "home_tab_enabled": True,
                "messages_tab_enabled": True,
                "messages_tab_read_only_enabled": False,
            },
            "bot_user": {"display_name": name, "always_online": True},
            "shortcuts": [shortcut],
            "slash_commands": [slash if by_socket else {**slash, "url": f"{address}{PATH}"}],
        },
        "oauth_config": {
            "scopes": {"bot": list(SCOPES)},
            **({"redirect_urls": [f"{address}{CALLBACK}"]} if installs else {}),
        },
        "settings": {
            "event_subscriptions": {"bot_events": [*EVENTS, *(GONE if installs else ())], **requests},
            "interactivity": {"is_enabled": True, **requests},
            "org_deploy_enabled": False,
            "socket_mode_enabled": by_socket,
            "token_rotation_enabled": False,
        },
    }
