"""What can be set for Gemini."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from connectors.manifest import SourceSettings


class GeminiSettings(SourceSettings):
    """``model``: one that can search (https://ai.google.dev/gemini-api/docs/google-search lists them)."""

    model: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9.-]{0,79}$")] = "gemini-2.5-flash"
