"""What can be set for SerpApi."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from connectors.manifest import SourceSettings


class SerpapiSettings(SourceSettings):
    """Settings of an account.

    ``engine``: ``google``, or ``google_light``, which is quicker and knows no dates. ``language`` (Google's ``hl``,
    ``ko``) and ``country`` (``gl``, ``kr``): Google's own choice if empty. ``safe``: whether explicit pages are left out.
    """

    engine: Literal["google", "google_light"] = "google"
    language: Annotated[str, Field(pattern=r"^([a-z]{2,3}(-[a-z]{2,4})?)?$")] = ""
    country: Annotated[str, Field(pattern=r"^([a-z]{2})?$")] = ""
    safe: bool = False
