"""The parts of SerpApi's replies that are read: https://serpapi.com/organic-results , https://serpapi.com/search-errors ."""

from __future__ import annotations

from typing import Annotated

from connectors.web_search import Address
from connectors.wire import Line, Text, Wire, inside


class Result(Wire):
    """One page. ``date`` is as Google shows it: ``Jan 5, 2026``, or in words."""

    link: Address
    title: Line = ""
    snippet: Text = ""
    date: Line = ""
    source: Line = ""


class Found(Wire):
    """A reply; without pages there are no ``organic_results`` in it, and ``error`` says so."""

    search_metadata: Annotated[Line, inside("status", "")]
    search_information: Annotated[int | float | str | None, inside("total_results", None)] = None
    organic_results: tuple[object, ...] = ()
    serpapi_pagination: Annotated[Line, inside("next", "")] = ""


class Account(Wire):
    """The account of a key: https://serpapi.com/account-api ."""

    account_email: Line = ""
    plan_name: Line = ""
    total_searches_left: int | None = None
