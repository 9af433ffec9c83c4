"""Where the vendors' descriptions lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def contracts(shared: Path) -> Path:
    """The folder of descriptions, which are not part of the project."""
    folder = shared / "contracts"
    if not folder.is_dir():
        pytest.skip("the vendors' descriptions are not beside this checkout")
    return folder
