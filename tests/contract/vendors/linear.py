"""Linear's GraphQL API, by its own schema."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.contract.vendors.descriptions import graphql

if TYPE_CHECKING:
    from pathlib import Path

    from tests.contract.vendors.descriptions import Check


def validator(contracts: Path) -> Check:
    """Documents and variables posted to Linear."""
    return graphql(contracts / "linear.schema.graphql")
