"""What can go wrong at a source (:mod:`storage.errors`), and what several sources say of it."""

from __future__ import annotations

from storage.errors import (
    BadReply,
    Forbidden,
    Misconfigured,
    Rejected,
    SourceError,
    Throttled,
    Unauthenticated,
    Unavailable,
)
from translators.said import Said

__all__ = [
    "BAD_TOKEN",
    "LATE",
    "NO_TOKEN",
    "SILENT",
    "BadReply",
    "Forbidden",
    "Misconfigured",
    "Rejected",
    "SourceError",
    "Throttled",
    "Unauthenticated",
    "Unavailable",
]

SILENT = Said("no answer within {seconds:.1f} s")
LATE = Said("did not come in time")
NO_TOKEN = Said("no token for {name}: {help}")
BAD_TOKEN = Said("the token for {name} holds characters that no token has; copy it again")
