"""An answer in the words of a model that writes, where there is one and time is left for it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from connectors.errors import SourceError
from orchestrator.answer import prompt_for, reworded, unworded

if TYPE_CHECKING:
    from connectors.models.writing import Writer
    from orchestrator.model import Answer


class Rewording:
    """``writer``: ``None``, and every answer stays in its quotes; ``timeout``: seconds that it may take."""

    def __init__(self, writer: Writer | None, timeout: float) -> None:
        self._writer = writer
        self.reserve = timeout if writer else 0.0
        """Seconds of a question that are kept for it."""

    async def of(self, answer: Answer, until: float) -> Answer:
        """The answer in the writer's words as far as its quotes support them. ``until``: on the loop's clock."""
        prompt = prompt_for(answer) if self._writer else None
        if self._writer is None or prompt is None:
            return answer
        patience = min(self.reserve, until - asyncio.get_running_loop().time())
        if patience <= 0.0:
            return unworded(answer, reason="")
        try:
            async with asyncio.timeout(patience):
                return reworded(answer, await self._writer.write(prompt, patience), self._writer.name)
        except TimeoutError:
            return unworded(answer, reason="")
        except SourceError as failure:
            return unworded(answer, failure.message)
        except Exception as failure:  # noqa: BLE001 — a bug in a writer must not cost a person the answer
            return unworded(answer, type(failure).__name__)

    async def aclose(self) -> None:
        """Release the writer; safe to call twice."""
        if self._writer is not None:
            await self._writer.aclose()
