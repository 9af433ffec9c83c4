"""What came first: of a question for it, what is oldest among all that is on the matter, by the day it was said."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from orchestrator.answer.signals import wants_first
from translators.match import happened
from translators.query import Sort

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from connectors.contract import Hit
    from orchestrator.answer.quote import Quote
    from translators.query import Query


def wants_earliest(query: Query) -> bool:
    """Whether a question asks for what came first, and the oldest was looked for."""
    return query.sort is Sort.OLDEST and wants_first(query.text)


def begun(hit: Hit) -> datetime | None:
    """When a thing came to be: a page that was changed since is no newer for that."""
    return hit.created or happened(hit)


def earliest(quotes: Sequence[Quote], query: Query) -> tuple[Quote, ...]:
    """The sentences of the oldest result that holds as many words as any; all of another question, or where nothing has a day.

    To be first one need not sound like anything: that somebody said it then is the answer.
    """
    dated = [(when, quote) for quote in quotes if (when := begun(quote.result.hit)) and not quote.asks]
    if not dated or not wants_earliest(query):
        return tuple(quotes)
    most = max(len(quote.held) for _, quote in dated)
    about = [(when, quote) for when, quote in dated if len(quote.held) == most]
    first = min(when for when, _ in about)
    return tuple(replace(quote, signal=True) for when, quote in about if when == first)
