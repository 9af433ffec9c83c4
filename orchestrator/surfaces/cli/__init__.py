"""The command line. :func:`make_cli` builds it over a :class:`Composition`, which the composition root provides."""

from orchestrator.surfaces.cli.app import make_cli
from orchestrator.surfaces.cli.composition import (
    BadInput,
    BrowserSignIn,
    Composition,
    KindPowers,
    SandboxWish,
    Served,
    Serving,
    TrialWish,
)

__all__ = [
    "BadInput",
    "BrowserSignIn",
    "Composition",
    "KindPowers",
    "SandboxWish",
    "Served",
    "Serving",
    "TrialWish",
    "make_cli",
]
