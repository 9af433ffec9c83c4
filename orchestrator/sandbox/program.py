"""What an emulator is that is a program of its own and speaks something other than HTTP."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol, runtime_checkable

from orchestrator.sandbox.faults import Fault
from orchestrator.sandbox.service import RequestRecord


class NotServed(Exception):
    """An emulator that cannot be had on this machine; the message says why and what would help."""


@runtime_checkable
class Program(Protocol):
    """A server that is started over a corpus and stopped again; its making raises `NotServed`."""

    source: str
    tokens: Sequence[str]
    """Every accepted token; the first is the one to use."""

    def serve(self, port: int, record: Callable[[RequestRecord], None]) -> AbstractAsyncContextManager[str]:
        """Listen on a port (0: any) for as long as the context lasts; its address is what the client takes.

        `record` is told of each command that was answered. Raises `OSError` for a taken port.
        """
        ...

    def strike(self, fault: Fault | None) -> None:
        """Misbehave like this from the next command on, or no longer."""
        ...

    def origins(self) -> Mapping[str, str]:
        """The corpus id behind each name under which items are served."""
        ...
