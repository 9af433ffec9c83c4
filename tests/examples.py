"""How many examples a test looks at, where a few hundred of each kind of source would take most of the run."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")

STEADY = 100
"""Examples of the ordinary profile; see `conftest.py`."""


def fewer(examples: int) -> settings:
    """So many in the ordinary run, and all that the profile asks for in the nightly one."""
    most = settings.default.max_examples
    return settings(max_examples=most if most > STEADY else examples)


def nightly(examples: int) -> settings:
    """So many in the nightly run, and a quarter of them in the ordinary one."""
    return settings(max_examples=examples if settings.default.max_examples > STEADY else examples // 4)


def sample(every: Sequence[T], of: int) -> Sequence[T]:
    """One of so many by day, and all of them in the nightly run."""
    return every if settings.default.max_examples > STEADY else every[::of]
