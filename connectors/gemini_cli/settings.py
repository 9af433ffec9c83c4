"""What can be set for the Gemini CLI."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from connectors.manifest import SourceSettings


class GeminiCliSettings(SourceSettings):
    """Settings of one installation.

    ``command``: the program and what stands before its other arguments, one by one. ``model``: the CLI's own choice if
    empty. ``format``: what it is asked to print. ``env``: more of the environment that it gets, which is otherwise
    the bare minimum.
    """

    command: Annotated[tuple[Annotated[str, Field(min_length=1)], ...], Field(min_length=1)] = ("gemini",)
    model: Annotated[str, Field(pattern=r"^([a-z0-9][a-z0-9.-]{0,79})?$")] = ""
    format: Literal["json", "stream-json"] = "json"
    env: dict[str, str] = Field(default_factory=dict, repr=False)
