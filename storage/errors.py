"""What can go wrong at a source or in the database, named by what to do next.

By that name the queue decides whether a job is tried again, so it stands on the floor of the queue.

SourceError
├── Throttled          wait ``retry_after`` seconds, ask the others meanwhile
├── Unavailable        try again later; the source or the way to it is broken
├── Unauthenticated    sign in again: the credential is missing, wrong or expired
├── Forbidden          ask for the right: the credential is good but may not do this
├── Rejected           our bug: the source refused what we sent; keep the native text
├── BadReply           the source answered something we do not understand (its API has drifted)
└── Misconfigured      change the settings
"""

from __future__ import annotations

from typing import ClassVar, Self

from translators.plain import masked
from translators.said import Said


class SourceError(Exception):
    """Base of everything that a connector or the database raises. ``message`` is for people and never holds a secret."""

    code: ClassVar[str] = "source_error"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    def without(self, secret: str) -> Self:
        """Mask ``secret``: messages quote a vendor, who may echo what it was sent. Returns the same error."""
        message = self.message
        if isinstance(message, Said):
            self.message = message.mapped(lambda said: masked(said, secret))
        else:
            self.message = masked(message, secret)
        self.args = (self.message,)
        return self


class Throttled(SourceError):
    """Too many requests. ``retry_after``: seconds, ``None`` where the source did not say.

    ``bucket``: which of the vendor's allowances is spent, where it has several; empty is all of them.
    """

    code = "throttled"

    def __init__(self, message: str, retry_after: float | None = None, bucket: str = "") -> None:
        super().__init__(message)
        self.retry_after = retry_after
        self.bucket = bucket


class Unavailable(SourceError):
    """Not reachable, or a failure on the source's side."""

    code = "unavailable"


class Unauthenticated(SourceError):
    """The credential is missing, wrong, expired or revoked."""

    code = "unauthenticated"


class Forbidden(SourceError):
    """The credential lacks a scope, a licence or a permission."""

    code = "forbidden"


class Rejected(SourceError):
    """The source says that the request is malformed: a bug of ours, so what was sent is kept."""

    code = "rejected"

    def __init__(self, message: str, native: str = "") -> None:
        super().__init__(message)
        self.native = native

    def without(self, secret: str) -> Self:
        """The native text is what we sent and is masked as well."""
        self.native = masked(self.native, secret)
        return super().without(secret)


class BadReply(SourceError):
    """The reply does not have the shape that the vendor documents."""

    code = "bad_reply"


class Misconfigured(SourceError):
    """The settings of this source cannot work.

    >>> raise Misconfigured("sources.wiki: token is missing")
    Traceback (most recent call last):
    storage.errors.Misconfigured: sources.wiki: token is missing
    """

    code = "misconfigured"
