"""Gmail's REST API, by Google's discovery document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.contract.vendors.descriptions import discovery

if TYPE_CHECKING:
    from pathlib import Path

    from tests.contract.vendors.descriptions import Check


def validator(contracts: Path) -> Check:
    """Requests to Gmail, relative to ``https://gmail.googleapis.com``."""
    return discovery(contracts / "gmail.v1.search.discovery.json")
