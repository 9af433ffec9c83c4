"""What the database complains of, as what to do next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from connectors.errors import (
    Forbidden,
    Misconfigured,
    Rejected,
    SourceError,
    Throttled,
    Unauthenticated,
    Unavailable,
)
from connectors.text import quote

if TYPE_CHECKING:
    from collections.abc import Callable


class Gone(Unavailable):
    """The connection broke, or none could be made. Where a server ended, another may be there soon."""


class Hindered(Unavailable):
    """Two were in each other's way, and this one was undone; done once more, it goes through."""


# By the class of SQLSTATE, its first two characters, or by the whole: https://www.postgresql.org/docs/current/errcodes-appendix.html
MADE: dict[str, Callable[[str], SourceError]] = {
    "08": lambda said: Gone(f"the index's database cannot be reached ({said})"),
    "0A000": lambda said: Misconfigured(
        f"the index's database lacks something ({said}); it must be PostgreSQL 15 or newer with pgvector 0.8 or newer "
        "(https://github.com/pgvector/pgvector#installation)"
    ),
    "25006": lambda said: Unavailable(f"the index's database can only be read ({said}); point index.database_url at the primary"),
    "28": lambda said: Unauthenticated(f"the index's database does not know this user or password ({said}); check index.database_url"),
    "3D": lambda said: Misconfigured(f"the index's database is not there ({said}); create it, or correct index.database_url"),
    "40": lambda said: Hindered(f"somebody else wrote to the index at the same time ({said}); try again"),
    "42501": lambda said: Forbidden(
        f"the user of index.database_url may not do this ({said}); grant it CREATE on the schema, and let an administrator "
        "run CREATE EXTENSION vector"
    ),
    "53100": lambda said: Unavailable(f"the disk of the index's database is full ({said}); make room, nothing is lost"),
    "53200": lambda said: Unavailable(f"the index's database has no memory left ({said})"),
    "53300": lambda said: Throttled(f"the index's database has too many connections ({said})", 1.0),
    "57014": lambda said: Unavailable(f"the index's database gave up a question ({said})"),
    "57": lambda said: Gone(f"the index's database is starting or stopping ({said})"),
    "58P01": lambda said: Misconfigured(
        f"the index's database has no pgvector ({said}); install it (https://github.com/pgvector/pgvector#installation)"
    ),
    "58": lambda said: Unavailable(f"the index's database cannot read or write its files ({said})"),
}  # fmt: skip


def error_of(failure: BaseException) -> SourceError:
    """An exception of asyncpg, or of the way to the database, as one of ours. Nothing of the address is repeated."""
    state = str(getattr(failure, "sqlstate", "") or "")
    said = quote(failure) or type(failure).__name__
    for key in (state, state[:2]):
        if key and key in MADE:
            return MADE[key](said)
    if state:
        return Rejected(f"the index's database refused what was asked ({state}: {said})")
    if isinstance(failure, TimeoutError):
        return Unavailable("the index's database did not answer in time")
    if isinstance(failure, OSError):
        return Gone(f"the index's database cannot be reached ({failure.strerror or type(failure).__name__})")
    return Gone(f"the index's database cannot be talked to ({type(failure).__name__})")
