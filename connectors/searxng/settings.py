"""What can be set for a SearXNG instance."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from connectors.manifest import SourceSettings

Names = Annotated[tuple[Annotated[str, Field(pattern=r"^[^,]{1,60}$")], ...], Field(max_length=30)]


class SearxngSettings(SourceSettings):
    """Settings of one instance.

    ``categories`` and ``engines``: which are asked, the instance's own choice if empty. ``language``: a code such as
    ``ko`` or ``all``. ``safesearch``: 0 off to 2 strict. ``username``: for a proxy that wants basic authentication.
    """

    categories: Names = ()
    engines: Names = ()
    language: Annotated[str, Field(pattern=r"^([a-z]{2,3}(-[A-Za-z]{2,4})?|all|auto)?$")] = ""
    safesearch: Literal[0, 1, 2] | None = None
    username: Annotated[str, Field(pattern=r"^[^\x00-\x1f:]*$")] = ""
