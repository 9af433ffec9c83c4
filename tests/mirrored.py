"""What a server has read beside its questions is there before a test asks: how far it is hangs on the clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from orchestrator.engine import Engine


async def mirrors_caught_up(engine: Engine) -> None:
    """Wait until every source that is mirrored has been looked at once."""
    for source in engine._reaching.sources.values():
        if source.mirror is not None:
            await source.mirror.caught_up()
