"""The command line. :func:`make_app` builds it over a :class:`Composition`, which the composition root provides."""

from orchestrator.surfaces.cli.app import make_app
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
    "make_app",
]
