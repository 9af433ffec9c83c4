"""What the database complains of, as what to do next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from storage.errors import (
    Forbidden,
    Misconfigured,
    Rejected,
    SourceError,
    Throttled,
    Unauthenticated,
    Unavailable,
)
from translators.plain import quote
from translators.said import Said

if TYPE_CHECKING:
    from collections.abc import Callable


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
