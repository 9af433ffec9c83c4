"""GitHub: REST by its own description, GraphQL by its own schema."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.contract.vendors.descriptions import graphql, openapi

if TYPE_CHECKING:
    from pathlib import Path

    from connectors.http import HttpRequest
    from tests.contract.vendors.descriptions import Check

CONTENTS = "/contents/"


def validator(contracts: Path) -> Check:
    """Requests to GitHub, relative to ``https://api.github.com``."""
    by_rest = openapi(contracts / "github_search.openapi.json")
    by_graphql = graphql(contracts / "github.schema.graphql")

    def check(request: HttpRequest) -> None:
        if request.path.lstrip("/") == "graphql":
            assert not request.params, "GraphQL takes no parameters"
            return by_graphql(request)
        return by_rest(_with_one_path(request))

    return check


def _with_one_path(request: HttpRequest) -> HttpRequest:
    """The path of a file is one parameter to GitHub, slashes included, which OpenAPI cannot say of a parameter."""
    before, contents, path = request.path.partition(CONTENTS)
    return replace(request, path=f"{before}{contents}{path.replace('/', '%2F')}") if contents else request
