"""What all that could be quoted is read to say: as it stands, as far as it holds, and as far as it can answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from orchestrator.answer.corrected import corrections, with_corrections
from orchestrator.answer.earliest import earliest
from orchestrator.answer.quotes import read_quotes
from orchestrator.answer.replies import with_reply
from orchestrator.answer.revoked import standing
from orchestrator.answer.speaking import with_names
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from orchestrator.answer.corrected import Correction
    from orchestrator.answer.quote import Quote
    from orchestrator.model import Outcome, Result
    from translators.query import Query


@record
class Readings:
    """``results``: with the names of who speaks in them; ``readable``: every sentence of them; ``corrections`` of these; ``holding``: what is left that nobody took back; ``told``: what of it can answer."""

    results: tuple[Result, ...]
    readable: tuple[Quote, ...]
    corrections: tuple[Correction, ...]
    holding: tuple[Quote, ...]
    told: tuple[Quote, ...]


def readings(results: Sequence[Result], outcomes: Sequence[Outcome], query: Query, now: datetime) -> Readings:
    """Of ranked ``results``."""
    named = with_names(with_reply(results, outcomes, query), outcomes)
    readable = read_quotes(named, query, now)
    made = corrections(readable, query)
    holding = with_corrections(standing(readable, now), made)
    return Readings(tuple(named), tuple(readable), tuple(made), tuple(holding), tuple(earliest(holding, query)))
