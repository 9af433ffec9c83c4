"""What can be set for Brave."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from connectors.manifest import SourceSettings


class BraveSettings(SourceSettings):
    """Settings of a key.

    ``country`` (``KR``) and ``language`` (``ko``): whose results come first; Brave's own choice if empty.
    ``safesearch``: Brave's own choice (moderate) if empty. ``extra_snippets``: up to five more extracts a page, in
    plans that have them.
    """

    country: Annotated[str, Field(pattern=r"^([A-Z]{2}|ALL)?$")] = ""
    language: Annotated[str, Field(pattern=r"^([a-z]{2,3}(-[a-z]{2,4})?)?$")] = ""
    safesearch: Literal["", "off", "moderate", "strict"] = ""
    extra_snippets: bool = False
