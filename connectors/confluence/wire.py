"""The parts of Confluence's replies that are read: https://developer.atlassian.com/cloud/confluence/rest/v1/.

Confluence's errors, sorted by what to do, and how long it wants to be left alone.

Titles and excerpts of search results as plain text: highlights are marked, and the rest is HTML.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape
from typing import TYPE_CHECKING, Self
from urllib.parse import parse_qs, urlsplit

from pydantic import Field, model_validator

from connectors.atlassian import (
    OF_THIS_KIND,
    SIGN_IN,
    SIGNATURE,
    asked_wait,
)
from connectors.errors import (
    Forbidden,
    Misconfigured,
    SourceError,
    Throttled,
    Unauthenticated,
    advised,
)
from connectors.http import answered, error_for
from connectors.markup import from_html
from connectors.text import (
    MASK,
    plain_line,
    plain_text,
    quote,
)
from connectors.wire import (
    IsoInstant,
    Line,
    Url,
    Wire,
)
from translators.said import Said

if TYPE_CHECKING:
    from connectors.http import Reply

HIGHLIGHT = re.compile(r"@@@(?:end)?hl@@@")
# An ampersand that was escaped twice, as some excerpts are, is an entity still.
ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|hellip|#39|#x27);")


def excerpt(marked: str) -> str:
    """An excerpt as a person reads it."""
    return _unescaped_twice(from_html(HIGHLIGHT.sub("", marked)))


def title(marked: str) -> str:
    """A title on one line; what looks like a tag in it is a word."""
    return plain_line(_unescaped_twice(unescape(HIGHLIGHT.sub("", marked))))


def _unescaped_twice(text: str) -> str:
    return plain_text(ENTITY.sub(lambda match: unescape(match[0]), text))


SCOPES = Said(
    "the token needs the scopes search:confluence, read:confluence-user, read:space:confluence and read:page:confluence"
)


def error_from(reply: Reply) -> SourceError | None:  # noqa: PLR0911 — one line for each thing that can be done
    """What is wrong with a reply, ``None`` if nothing is."""
    said = _said(reply)
    # With a wrong token a site that is open to the public answers as it would anybody: less, and without an error.
    if "AUTHENTICATED_FAILED" in reply.headers.get("x-seraph-loginreason", ""):
        return Unauthenticated(Said("{said}, as to a stranger; {sign_in}").filled(said=said, sign_in=SIGN_IN))
    match reply.status:
        case 401 if "scope" in said.casefold():
            return Forbidden(advised(said, SCOPES))
        case 401:
            return Unauthenticated(advised(said, SIGN_IN))
        case 403:
            return Forbidden(advised(said, Said("ask for access to Confluence, or {scopes}").filled(scopes=SCOPES)))
        case 404:
            return Misconfigured(advised(said, Said("is base_url the address of a Confluence Cloud site?")))
        case 429:
            reason = quote(reply.headers.get("ratelimit-reason", ""))
            return Throttled(OF_THIS_KIND.filled(said=said, kind=reason) if reason else said, asked_wait(reply.headers))
        case _:
            return error_for(reply, said)


def _said(reply: Reply) -> Said:
    """The status with Confluence's reason: a ``message`` in the older API, ``errors`` in the newer."""
    body = reply.members
    errors = body.get("errors")
    first = errors[0] if isinstance(errors, list) and errors and isinstance(errors[0], Mapping) else {}
    reason = body.get("message") or first.get("detail") or first.get("title")
    return answered("Confluence", reply.status, quote(SIGNATURE.sub(MASK, reason)) if isinstance(reason, str) else "")


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
