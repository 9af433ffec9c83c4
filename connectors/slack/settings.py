"""What can be set for a Slack source, by whichever of Slack's two searches it is served."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, PositiveInt

from connectors.manifest import SourceSettings, by_commas

BOTS = ("xoxb-", "xoxe.xoxb-")  # the latter where tokens rotate: https://docs.slack.dev/authentication/tokens

ChannelType = Literal["public_channel", "private_channel", "mpim", "im"]


class SlackSettings(SourceSettings):
    """Settings of one Slack workspace.

    ``search``: ``messages`` (search.messages), ``realtime`` (Real-time Search), or ``auto``: what the token can use, as
    far as it shows that. ``team``: the workspace to search with an organisation-wide token (``T…``).
    ``directory_pages``: how many pages of 200 people, and of 200 channels, are read at most. ``max_text``: characters
    kept of one message. For Real-time Search alone: ``semantic``, whether messages may be found by what they mean;
    ``channel_types``, which kinds of channel are searched (empty: all).
    """

    search: Literal["auto", "messages", "realtime"] = "auto"
    team: str = Field(default="", pattern=r"^(T[A-Z0-9]+)?$")
    directory_pages: PositiveInt = Field(default=10, le=100)
    max_text: PositiveInt = 20_000
    semantic: bool = False
    channel_types: Annotated[tuple[ChannelType, ...], BeforeValidator(by_commas)] = ()

    @property
    def by_meaning(self) -> bool:
        return self.semantic

    @property
    def served_by(self) -> str:
        """A bot's token can use Real-time Search alone; every other is taken for a user's, which may use either."""
        if self.search == "auto":
            bot = self.token is not None and is_bot(self.token.get_secret_value())
            return "slack_rts" if bot else self.kind
        return "slack_rts" if self.search == "realtime" else "slack"


def is_bot(token: str) -> bool:
    """Whether a token is a bot's, by how it begins."""
    return token.startswith(BOTS)
