"""A mind that never comes to an end where a question bids it, by the engine of :mod:`re` itself: what an undiscovered pattern would do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from orchestrator.packaged import config_dir
from orchestrator.rank import RankingConfig
from orchestrator.thinking import Mind, open_mind, stages

if TYPE_CHECKING:
    from collections.abc import Callable

STAGES = ("understand", "rank", "compose")
RANKING = RankingConfig.load(config_dir() / "ranking.toml")
EVIL = re.compile(r"(?:a|a)+$")


def runaway_mind() -> Mind:
    """``open_mind`` with a trap in each stage: the word "trapunderstand", "traprank" or "trapcompose" springs it."""
    for stage in STAGES:
        setattr(stages, stage, _trapped(stage, getattr(stages, stage)))
    return open_mind("factors", RANKING)


def _trapped(stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def trapped(*arguments: Any, **options: Any) -> Any:
        texts = (getattr(each, "text", each) for given in arguments for each in (given, getattr(given, "query", None)))
        if any(isinstance(text, str) and f"trap{stage}" in text for text in texts):
            EVIL.search("a" * 60 + "!")
        return function(*arguments, **options)

    return trapped
