"""The numbers of confidence, as ``config/confidence.toml`` holds them."""

from __future__ import annotations

import math
import tomllib
from functools import cache
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, Field

from orchestrator.packaged import config_dir

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

Speaking = Annotated[float, Field(ge=0.0, allow_inf_nan=False)]  # evidence never speaks against an answer
Share = Annotated[float, Field(ge=0.0, le=1.0)]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class EvidenceWeights(_Section):
    """What each kind of evidence adds to the logarithm of the odds; ``bias`` is what there is without any."""

    bias: Annotated[float, Field(allow_inf_nan=False)]
    match: Speaking
    coverage: Speaking
    names: Speaking
    agreement: Speaking
    lead: Speaking
    around: Speaking
    strict: Speaking
    spoken: Speaking
    freshness: Speaking
    authority: Speaking


class Levels(_Section):
    """The probabilities from which on confidence is high, and medium."""

    high: Share
    medium: Share


class Calibration(_Section):
    """The whole table."""

    weights: EvidenceWeights
    levels: Levels

    @classmethod
    def load(cls, path: Path) -> Calibration:
        """Read a file. Raises ``OSError``, ``tomllib.TOMLDecodeError`` or ``pydantic.ValidationError``."""
        return cls.model_validate(tomllib.loads(path.read_text("utf-8")))

    def probability(self, evidence: Mapping[str, float]) -> float:
        """That the answer is right, from 0 to 1. What is not in ``evidence`` counts nothing."""
        weights = self.weights.model_dump()
        odds = weights.pop("bias") + math.fsum(weight * evidence.get(name, 0.0) for name, weight in weights.items())
        return 1.0 / (1.0 + math.exp(-max(-60.0, min(60.0, odds))))


@cache
def shipped_calibration() -> Calibration:
    """The table of this installation, read once."""
    return Calibration.load(config_dir() / "confidence.toml")
