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

What the database complains of, as what to do next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Self

from translators.plain import masked, quote
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Callable


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


class Gone(Unavailable):
    """The connection broke, or none could be made. Where a server ended, another may be there soon."""


class Hindered(Unavailable):
    """Two were in each other's way, and this one was undone; done once more, it goes through."""


# By the class of SQLSTATE, its first two characters, or by the whole: https://www.postgresql.org/docs/current/errcodes-appendix.html
MADE: dict[str, Callable[[str], SourceError]] = {
    "08": lambda said: Gone(Said("the database cannot be reached ({said})").filled(said=said)),
    "0A000": lambda said: Misconfigured(
        Said("the database lacks something ({said}); it must be PostgreSQL 15 or newer with pgvector 0.8 or newer (https://github.com/pgvector/pgvector#installation)").filled(said=said)
    ),
    "25006": lambda said: Unavailable(Said("the database can only be read ({said}); point index.database_url at the primary").filled(said=said)),
    "28": lambda said: Unauthenticated(Said("the database does not know this user or password ({said}); check index.database_url").filled(said=said)),
    "3D": lambda said: Misconfigured(Said("the database is not there ({said}); create it, or correct index.database_url").filled(said=said)),
    "40": lambda said: Hindered(Said("somebody else wrote to the database at the same time ({said}); try again").filled(said=said)),
    "42501": lambda said: Forbidden(
        Said("the user of index.database_url may not do this ({said}); grant it CREATE on the schema, and let an administrator run CREATE EXTENSION vector").filled(said=said)
    ),
    "53100": lambda said: Unavailable(Said("the disk of the database is full ({said}); make room, nothing is lost").filled(said=said)),
    "53200": lambda said: Unavailable(Said("the database has no memory left ({said})").filled(said=said)),
    "53300": lambda said: Throttled(Said("the database has too many connections ({said})").filled(said=said), 1.0),
    "57014": lambda said: Unavailable(Said("the database gave up a question ({said})").filled(said=said)),
    "57": lambda said: Gone(Said("the database is starting or stopping ({said})").filled(said=said)),
    "58P01": lambda said: Misconfigured(
        Said("the database has no pgvector ({said}); install it (https://github.com/pgvector/pgvector#installation)").filled(said=said)
    ),
    "58": lambda said: Unavailable(Said("the database cannot read or write its files ({said})").filled(said=said)),
}  # fmt: skip


def error_of(failure: BaseException) -> SourceError:
    """An exception of asyncpg, or of the way to the database, as one of ours. Nothing of the address is repeated."""
    state = str(getattr(failure, "sqlstate", "") or "")
    said = quote(failure) or type(failure).__name__
    for key in (state, state[:2]):
        if key and key in MADE:
            return MADE[key](said)
    if state:
        return Rejected(Said("the database refused what was asked ({state}: {said})").filled(state=state, said=said))
    if isinstance(failure, TimeoutError):
        return Unavailable(Said("the database did not answer in time"))
    if isinstance(failure, OSError):
        return Gone(
            Said("the database cannot be reached ({what})").filled(what=failure.strerror or type(failure).__name__)
        )
    return Gone(Said("the database cannot be talked to ({failure})").filled(failure=type(failure).__name__))
