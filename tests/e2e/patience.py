"""Time enough for everything: what a test says must not turn on how busy the machine is.

The limits of `config/defaults.toml` that cut a question short are what somebody waits for at a screen. Under load they cut
whatever is under way, and an answer has a source less. Tests in which time does run out say their own limits, or run in virtual time.
"""

from __future__ import annotations

from dataclasses import fields
from importlib import import_module
from typing import TYPE_CHECKING, Any

from connectors.contract import Call
from orchestrator.settings import layers
from tests.clock import HANGING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ENOUGH = 50.0  # seconds
LIMITS = {
    "search": {"budget": ENOUGH},
    "directory": {"patience": ENOUGH / 2},
    "outside": {"patience": ENOUGH / 2},
    "wording": {"timeout": ENOUGH / 4},
    "web": {"seconds": ENOUGH, "page_seconds": ENOUGH},
    "ranking": {"reranker": {"timeout": ENOUGH / 4}, "numbers": {"semantic": {"budget": ENOUGH / 4}}},
    "thinking": {"processes": 0},  # tests/security have them, and COLD servers: each loads for seconds
}
COLD = {"FEDSEARCH_SEARCH__BUDGET": f"{ENOUGH}", "FEDSEARCH_DIRECTORY__PATIENCE": f"{ENOUGH / 2}"}
"""The same for a process that is started from nothing."""
CALL = tuple(HANGING if each.name == "timeout" else each.default for each in fields(Call))
"""What a call is made with that says nothing of its own: the same with time."""
WAITS = (
    "connectors.auth.PATIENCE",
    "connectors.mcp_client.session.ALIVE",
    "orchestrator.assembly.tracing.FLUSH",
    "orchestrator.gather.people.PATIENCE",
    "orchestrator.surfaces.bot.kept.PATIENCE",
    "storage.database.CONNECTING",
)
"""Seconds that are in no setting: how long something is waited for that may be at work, and is then taken for gone."""
_read = layers.read_toml


def be_patient(put: Callable[[Any, str, Any], None] = setattr) -> None:
    """From now on, in this process."""
    put(layers, "read_toml", _patient)
    for each in WAITS:
        module, _, name = each.rpartition(".")
        put(import_module(module), name, ENOUGH)


def _patient(path: Path) -> dict[str, Any]:
    """In place of the reader of the packaged defaults."""
    values = _read(path)
    if path.name == "defaults.toml":
        layers._merge(values, LIMITS)
    return values
