"""The parts of Brave's replies that are read: https://api-dashboard.search.brave.com/api-reference/web/search/get ."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator

from connectors.web_search import Address
from connectors.wire import IsoInstant, Line, Text, Wire


def _if_iso(value: object) -> object:
    """Brave writes some ages in words; that costs the date, not the page."""
    return value if isinstance(value, str) and value[:4].isdigit() and value[4:5] == "-" else None


class Result(Wire):
    """One page. ``age`` is for people, ``page_age`` a date."""

    url: Address
    title: Text = ""
    description: Text = ""
    extra_snippets: tuple[Text, ...] = ()
    age: Line = ""
    language: Line = ""
    page_age: Annotated[IsoInstant | None, BeforeValidator(_if_iso)] = None


class Pages(Wire):
    """The pages among the results."""

    results: tuple[object, ...] = ()


class Asked(Wire):
    """What Brave says of the question."""

    more_results_available: bool = False


class Found(Wire):
    """A reply; without pages there is no ``web`` in it."""

    type: Line
    web: Pages | None = None
    query: Asked | None = None


class Refusal(Wire):
    """``code``: ``VALIDATION``, ``SUBSCRIPTION_TOKEN_INVALID``, ``RATE_LIMITED``, ``QUOTA_LIMITED`` and others."""

    code: Line = ""
    detail: Line = ""


class Refused(Wire):
    """An error."""

    error: Refusal
