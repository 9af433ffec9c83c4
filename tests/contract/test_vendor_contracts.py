"""What is sent, against what vendors publish of their own APIs: every exemplar and every generated question."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import pytest
from hypothesis import given

from connectors.http import HttpRequest
from tests.contract.vendors.descriptions import Invalid
from tests.contract.vendors.generated import described, recorded_requests, requests_for, validator
from tests.examples import fewer
from translators import strategies

if TYPE_CHECKING:
    from pathlib import Path

    from tests.contract.vendors.descriptions import Check

# Exemplars that send something the vendor refuses, to show what becomes of the refusal.
REFUSED_ON_PURPOSE = {("linear", "invalid_filter")}
MOST_SECONDS = 600  # thousands of requests, where `make contract` asks for them


@cache
def check_of(kind: str, contracts: Path) -> Check:
    """Reading a description takes a second or three: once a source is enough."""
    return validator(kind, contracts)


@pytest.mark.parametrize("kind", described())
def test_the_vendor_would_accept_every_exemplar(kind: str, contracts: Path) -> None:
    """Every request of a source's exemplars is valid by the vendor's description, unless refusal is its point."""
    for filed, request in recorded_requests(kind):
        if (kind, filed.path.stem) in REFUSED_ON_PURPOSE:
            with pytest.raises(Invalid):
                check_of(kind, contracts)(request)
        else:
            check_of(kind, contracts)(request)


@pytest.mark.timeout(MOST_SECONDS)
@pytest.mark.parametrize("kind", described())
def test_the_vendor_would_accept_whatever_is_asked(kind: str, contracts: Path) -> None:
    """Whatever the question, hostile ones included, what is sent for it is valid by the vendor's description."""
    check = check_of(kind, contracts)

    @fewer(60)
    @given(strategies.queries())
    def generated(query: strategies.Query) -> None:
        for request in requests_for(kind, query):
            check(request)

    generated()


@pytest.mark.parametrize("kind", described())
def test_the_check_can_fail(kind: str, contracts: Path) -> None:
    """A path that no vendor has is refused, and so are parameters and variables that nobody knows."""
    _, request = next(iter(recorded_requests(kind)))
    strange = replace(request, params={**request.params, "no_such_parameter": "1"})
    if isinstance(request.json, dict) and "variables" in request.json:
        strange = replace(request, json={**request.json, "variables": {"no_such_variable": 1}})
    for wrong in (HttpRequest("GET", "no/such/path"), strange):
        with pytest.raises(Invalid):
            check_of(kind, contracts)(wrong)
