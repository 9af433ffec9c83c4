"""What to say when no link of the chain has answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from connectors.errors import Rejected, SourceError, Throttled, Unavailable
from translators.said import Said, joined

if TYPE_CHECKING:
    from collections.abc import Mapping

OF_LINK = Said("{name}: {why}")


def all_failed(failures: Mapping[str, SourceError]) -> SourceError:
    """One error for those of all links, by their names: of their own kind where they agree, else that none is there."""
    if len(failures) == 1:
        return next(iter(failures.values()))
    said = joined("; ", (OF_LINK.filled(name=name, why=failure.message) for name, failure in failures.items()))
    message = Said("no web search answered: {said}").filled(said=said)
    kinds = {type(failure) for failure in failures.values()}
    if kinds == {Throttled}:
        waits = [each.retry_after for each in failures.values() if isinstance(each, Throttled)]
        return Throttled(message, min((wait for wait in waits if wait is not None), default=None), WHOEVER)
    if kinds == {Rejected}:
        natives = (each.native for each in failures.values() if isinstance(each, Rejected))
        return Rejected(message, next(natives, ""))
    return next(iter(kinds))(message) if len(kinds) == 1 else Unavailable(message)


WHOEVER = "none"  # a bucket that nobody takes turns in: each link rests by itself, and the chain itself never
