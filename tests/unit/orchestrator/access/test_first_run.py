"""The code that a server prints opens once, for whoever comes first, and not to somebody who tries them all."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from orchestrator.access import SCOPES, FirstRun, KeyRing, Scope, new_code
from orchestrator.access.keys import MOST_WRONG, NotFirst

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def ring(tmp_path: Path) -> KeyRing:
    return KeyRing(tmp_path / "keys.json", lambda: datetime.now(UTC))


def enter(first: FirstRun, code: str) -> str:
    """As the page does."""
    return first.enter() if first.knows(code) else ""


def test_it_opens_once_however_it_is_typed(ring: KeyRing) -> None:
    code = new_code()
    first, elsewhere = FirstRun(code, ring), FirstRun(code, ring)  # another process of the same server
    assert first.is_open
    assert enter(first, "ÄÖÜ") == enter(first, "") == ""
    text = enter(first, f" {code.lower().replace('-', ' ')} ")
    key = ring.find(text)
    assert key is not None
    assert key.scopes == tuple(sorted(SCOPES))
    assert not first.is_open
    assert not elsewhere.is_open
    assert enter(first, code) == enter(elsewhere, code) == first.enter() == ""
    assert len(ring.all()) == 1


def test_two_at_once_make_one_key(ring: KeyRing) -> None:
    ring.create("mine", [Scope.SEARCH], first=True)
    with pytest.raises(NotFirst):
        ring.create("yours", [Scope.SEARCH], first=True)


def test_whoever_tries_many_is_let_in_by_none(ring: KeyRing) -> None:
    code = new_code()
    first = FirstRun(code, ring)
    for _ in range(MOST_WRONG):
        assert enter(first, new_code()) == ""
    assert (first.is_open, enter(first, code)) == (False, "")


def test_without_a_code_nobody_is_first(ring: KeyRing) -> None:
    assert (FirstRun("", ring).is_open, enter(FirstRun("", ring), "")) == (False, "")
