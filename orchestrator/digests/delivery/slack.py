"""To a channel or a person on Slack, by Slack's own client: https://docs.slack.dev/reference/methods/chat.postMessage ."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from connectors.errors import Misconfigured, Rejected, SourceError, Throttled, Unauthenticated, Unavailable
from connectors.http import retry_after
from connectors.transport import open_session
from orchestrator.digests.message import outline_for
from orchestrator.digests.rendering import as_blocks
from translators.said import Said

if TYPE_CHECKING:
    from datetime import datetime

    from pydantic import SecretStr
    from slack_sdk.errors import SlackApiError

    from orchestrator.digests.message import DigestMessage
    from orchestrator.settings.digests import DefinitionSettings

TIMEOUT = 30  # seconds
SHARED = "local"  # the principal of an installation that asks with one sign-in for everybody
CALM = {"parse": "none", "link_names": False, "unfurl_links": False, "unfurl_media": False}
SIGNED_OUT = frozenset({"invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired"})
PASSING = frozenset({"internal_error", "fatal_error", "service_unavailable", "request_timeout", "ratelimited"})


class ToSlack:
    """``slack:CHANNEL`` or ``slack:USER``, by their ids. What is read with one person's rights goes to persons only."""

    def __init__(self, token: SecretStr | None, base_url: str, wished: DefinitionSettings) -> None:
        self._token = token
        self._base_url = base_url
        self._wished = wished

    async def __call__(self, address: str, message: DigestMessage, key: str, at: datetime) -> None:
        from slack_sdk.errors import SlackApiError, SlackClientError
        from slack_sdk.web.async_client import AsyncWebClient

        del at
        channel = _channel(address)
        if self._token is None:
            raise Misconfigured(Said("Slack is delivered to by the bot's token; set bot.token in the environment"))
        check_audience(address, self._wished)
        told = {**as_blocks(outline_for(message)), **CALM}
        metadata = {"event_type": "fedsearch_digest", "event_payload": {"key": key}}
        async with open_session(1) as session:
            quiet = logging.getLogger("fedsearch.digests.slack")
            quiet.setLevel(logging.CRITICAL)  # its own lines hold what was sent
            client = AsyncWebClient(
                self._token.get_secret_value(),
                base_url=self._base_url,
                session=session,
                timeout=TIMEOUT,
                logger=quiet,
                retry_handlers=[],  # whether to try again is the outbox's affair
            )
            try:
                if channel.startswith(("U", "W")):
                    opened = await client.conversations_open(users=channel)
                    channel = str((opened.get("channel") or {}).get("id") or channel)
                await client.api_call("chat.postMessage", json={"channel": channel, "metadata": metadata, **told})
            except SlackApiError as failure:
                raise _error(failure) from None
            except (SlackClientError, OSError, TimeoutError) as failure:
                raise Unavailable(f"Slack cannot be reached ({type(failure).__name__})") from None


def check_audience(address: str, wished: DefinitionSettings) -> None:
    """Raises :class:`Misconfigured` where one person's rights would tell a channel what it must not see."""
    if wished.person != SHARED and not _channel(address).startswith(("U", "W", "D")):
        raise Misconfigured(
            Said(
                "{address}: what is read with the rights of {person} may hold what a channel must not see; deliver it to slack:USER-ID"
            ).filled(address=address, person=wished.person)
        )


def _channel(address: str) -> str:
    return address.removeprefix("slack:").lstrip("#@")


def _error(failure: SlackApiError) -> SourceError:
    code = str(failure.response.get("error", "an error"))
    said = f"Slack refused it: {code}"
    if code == "ratelimited":
        headers = {name.lower(): str(value) for name, value in failure.response.headers.items()}
        return Throttled(said, retry_after(headers))
    if code in SIGNED_OUT:
        return Unauthenticated(f"{said}; is bot.token right?")
    return Unavailable(said) if code in PASSING else Rejected(f"{said}; is the app in that channel?")
