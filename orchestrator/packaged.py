"""Where the packaged configuration lies. Apart from the settings, so that what only reads words stays light."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def config_dir() -> Path:
    """The folder of packaged defaults: inside the wheel, or ``config/`` of a source checkout."""
    here = Path(__file__).resolve().parent
    packaged = here / "_config"
    return packaged if packaged.is_dir() else here.parent / "config"
