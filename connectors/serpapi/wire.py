"""The parts of SerpApi's replies that are read: https://serpapi.com/organic-results , https://serpapi.com/search-errors ."""

from __future__ import annotations

from connectors.web_search import Address
from connectors.wire import Line, Text, Wire


class Result(Wire):
    """One page. ``date`` is as Google shows it: ``Jan 5, 2026``, or in words."""

    link: Address
    title: Line = ""
    snippet: Text = ""
    date: Line = ""
    source: Line = ""
    position: int | None = None


class Metadata(Wire):
    """``status``: ``Success``, ``Error``, ``Processing`` or ``Queued``."""

    status: Line = ""


class Information(Wire):
    """What Google says of the question."""

    total_results: int | float | str | None = None


class Pagination(Wire):
    """``next``: the address of the next page, if there is one."""

    next: Line = ""


class Found(Wire):
    """A reply; without pages there are no ``organic_results`` in it, and ``error`` says so."""

    search_metadata: Metadata
    search_information: Information | None = None
    organic_results: tuple[object, ...] = ()
    serpapi_pagination: Pagination | None = None
    error: Line = ""


class Account(Wire):
    """The account of a key: https://serpapi.com/account-api ."""

    account_email: Line = ""
    plan_name: Line = ""
    total_searches_left: int | None = None
