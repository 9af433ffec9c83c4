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
from translators.records import record
from translators.said import UNSAID, Said, joined

__all__ = [
    "BAD_TOKEN",
    "LATE",
    "NO_ADDRESS",
    "NO_TOKEN",
    "SILENT",
    "BadReply",
    "Forbidden",
    "Misconfigured",
    "Rejected",
    "Remedy",
    "SourceError",
    "Throttled",
    "Unauthenticated",
    "Unavailable",
    "advised",
]

SILENT = Said("no answer within {seconds:.1f} s")
LATE = Said("did not come in time")
NO_ADDRESS = Said("set base_url of {name} to its address, such as {example}")
NO_TOKEN = Said("no token for {name}: {help}")
BAD_TOKEN = Said("the token for {name} holds characters that no token has; copy it again")


@record
class Remedy:
    """What a vendor's error is, and what to do about it beside what the vendor says."""

    kind: type[SourceError]
    advice: Said = UNSAID

    def of(self, said: Said) -> SourceError:
        """The error, in the vendor's words and ours."""
        return self.kind(advised(said, self.advice))


def advised(said: str, advice: str) -> Said:
    """What went wrong, and what to do about it."""
    return joined("; ", filter(None, (said, advice)))
