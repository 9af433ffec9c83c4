"""The parts of Brave's replies that are read: https://api-dashboard.search.brave.com/api-reference/web/search/get ."""

from __future__ import annotations

from typing import Annotated

from connectors.web_search import Address
from connectors.wire import IfIso, Line, Text, Wire, inside


class Result(Wire):
    """One page. ``age`` is for people, ``page_age`` a date."""

    url: Address
    title: Text = ""
    description: Text = ""
    extra_snippets: tuple[Text, ...] = ()
    age: Line = ""
    language: Line = ""
    page_age: IfIso = None


class Found(Wire):
    """A reply; without pages there is no ``web`` in it. ``query`` says whether there are more."""

    type: Line
    web: Annotated[tuple[object, ...], inside("results", ())] = ()
    query: Annotated[bool, inside("more_results_available", default=False)] = False
