"""The emulator of a source, from its folder beside this file; imported only when it is served."""

from importlib import import_module
from typing import cast

from orchestrator.sandbox.corpus import SOURCES
from orchestrator.sandbox.program import Program
from orchestrator.sandbox.wire import Emulator, Situation


def emulator(source: str, situation: Situation, token: str | None) -> Emulator | Program:
    """Build the emulator of a source over its rows. CPU-bound (it indexes), so call it in a thread.

    Raises `NotServed` where this machine lacks the program that it is.
    """
    if source not in SOURCES:
        raise ValueError(f"there is no emulator for {source!r}: choose from {', '.join(SOURCES)}")
    return cast("Emulator | Program", import_module(f".{source}", __package__).EMULATOR(situation, token))
