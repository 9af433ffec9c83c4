"""Shows, while sources answer, who has and who has not. On a terminal only, and gone when the answer comes."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.live import Live
from rich.spinner import Spinner
from rich.table import Table

from orchestrator.documents.receipt import said_hits
from orchestrator.model import ANSWERED, Status
from orchestrator.surfaces.cli.screen import BAD, GOOD, QUIET, errors, is_interactive, styled
from orchestrator.surfaces.cli.words import frame

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType

    from orchestrator.model import Outcome, Plan

FRAMES_PER_SECOND = 8


class Progress:
    """One line a source, in the plan's order. Rendered anew for each frame."""

    def __init__(self) -> None:
        self._plan: Plan | None = None
        self._outcomes: dict[str, Outcome] = {}
        self._started = time.monotonic()

    def planned(self, plan: Plan) -> None:
        """Everybody is being asked now."""
        self._plan = plan
        self._started = time.monotonic()

    def arrived(self, outcome: Outcome) -> None:
        """One source is done."""
        self._outcomes[outcome.source] = outcome

    def __rich__(self) -> RenderableType:
        grid = Table.grid(padding=(0, 2, 0, 0))
        if self._plan is not None:
            for step in self._plan.steps:
                grid.add_row(styled(step.title), *self._state(step.source, self._plan.query.language))
        return grid

    def _state(self, source: str, language: str) -> tuple[RenderableType, RenderableType, RenderableType]:
        words = frame(language)
        outcome = self._outcomes.get(source)
        if outcome is None:
            waited = words["took"].format(seconds=f"{time.monotonic() - self._started:.1f}")
            return Spinner("dots", text=styled(words["waiting"], QUIET)), "", styled(waited, QUIET)
        count = len(outcome.hits)
        hits = said_hits(count, language) if count else ""
        colour = GOOD if outcome.status in ANSWERED else BAD
        if outcome.status is Status.EMPTY:
            colour, hits = QUIET, ""
        took = words["took"].format(seconds=f"{outcome.took:.2f}")
        return styled(words[outcome.status], colour), styled(hits), styled(took, QUIET)


@contextmanager
def watching(*, wanted: bool = True) -> Iterator[Progress]:
    """A :class:`Progress` that is on screen for as long as the context lasts."""
    progress = Progress()
    if not (wanted and is_interactive()):
        yield progress
        return
    with Live(progress, console=errors(), transient=True, refresh_per_second=FRAMES_PER_SECOND):
        yield progress
