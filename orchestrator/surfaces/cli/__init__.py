"""The command line. :func:`make_app` builds it over a :class:`Composition`, which the composition root provides."""

from orchestrator.surfaces.cli.app import make_app
from orchestrator.surfaces.cli.composition import (
    BadInput,
    BrowserSignIn,
    Composition,
    Configured,
    KindPowers,
    SandboxWish,
    Served,
    Serving,
    SetupTile,
    TrialWish,
)

__all__ = [
    "BadInput",
    "BrowserSignIn",
    "Composition",
    "Configured",
    "KindPowers",
    "SandboxWish",
    "Served",
    "Serving",
    "SetupTile",
    "TrialWish",
    "make_app",
]
