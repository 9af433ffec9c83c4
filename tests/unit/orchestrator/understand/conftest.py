"""One moment for all unit tests of understanding, and the Korean model loaded once."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest

from orchestrator.understand import Directory, understand, warm

if TYPE_CHECKING:
    from collections.abc import Callable

    from translators.query import Query

WEDNESDAY = datetime(2026, 5, 13, 10, 30, tzinfo=ZoneInfo("Asia/Seoul"))


@pytest.fixture(scope="session", autouse=True)
def _warm() -> None:
    warm()


@pytest.fixture
def now() -> datetime:
    """Wednesday, 13 May 2026, in Seoul."""
    return WEDNESDAY


@pytest.fixture
def ask() -> Callable[..., Query]:
    """Understand a question as asked on that Wednesday."""

    def _ask(text: str, directory: Directory | None = None) -> Query:
        return understand(text, WEDNESDAY, directory)

    return _ask
