"""The parts of Confluence's replies that are read: https://developer.atlassian.com/cloud/confluence/rest/v1/."""

from __future__ import annotations

from typing import Self
from urllib.parse import parse_qs, urlsplit

from pydantic import Field, model_validator

from connectors.wire import IsoInstant, Line, Url, Wire


class User(Wire):
    """A person, as far as their privacy settings allow."""

    type: Line = ""
    accountId: Line = ""  # noqa: N815 — Confluence's name, as all below
    accountType: Line = ""  # noqa: N815
    email: Line = ""
    displayName: Line = ""  # noqa: N815
    publicName: Line = ""  # noqa: N815

    @property
    def name(self) -> str:
        """The name to show."""
        return self.displayName or self.publicName


class Space(Wire):
    """Where content stands."""

    key: Line = ""
    name: Line = ""
    type: Line = ""


class History(Wire):
    """Who made it and when."""

    createdBy: User | None = None  # noqa: N815
    createdDate: IsoInstant | None = None  # noqa: N815


class Content(Wire):
    """A page, blog post, comment, attachment and so on."""

    id: Line
    type: Line = ""
    title: Line = ""
    space: Space | None = None
    history: History | None = None


class Summary(Wire):
    """The space or the page that a result stands in, for display."""

    title: Line = ""
    displayUrl: Line = ""  # noqa: N815


class Result(Wire):
    """One result: content, or a space or a person, which are no hits. Title and excerpt are marked up."""

    content: Content | None = None
    user: User | None = None
    space: object = None
    title: str | None = None
    excerpt: str | None = None
    url: str | None = None
    lastModified: IsoInstant | None = None  # noqa: N815
    resultParentContainer: Summary | None = None  # noqa: N815
    resultGlobalContainer: Summary | None = None  # noqa: N815
    score: float | None = None

    @model_validator(mode="after")
    def _is_one_of_them(self) -> Self:
        if self.content is None and self.user is None and self.space is None:
            raise ValueError("is neither content nor a space nor a person")
        return self


class Links(Wire):
    """``next`` is relative and carries the cursor; ``base`` is the site's own address, even behind the gateway."""

    base: Url = ""
    next: Line = ""

    @property
    def cursor(self) -> str | None:
        """Where the next page begins, if there is one."""
        return parse_qs(urlsplit(self.next).query).get("cursor", [None])[0]


class Found(Wire):
    """A page of results; each is read by itself, so that one bad one costs only itself."""

    results: tuple[object, ...]
    links: Links = Field(default=Links(), alias="_links")
    totalSize: int | None = None  # noqa: N815


class Listed(Wire):
    """A page of spaces."""

    results: tuple[object, ...]
    links: Links = Field(default=Links(), alias="_links")


class Body(Wire):
    """A text in one of its forms."""

    value: str = ""


class Bodies(Wire):
    """The form that was asked for."""

    view: Body | None = None


class Text(Wire):
    """A page or blog post with its text."""

    body: Bodies | None = None
