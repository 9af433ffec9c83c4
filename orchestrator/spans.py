"""What took how long within a question, for whoever traces it. Nothing is recorded unless an operator asks for it.

The names are OpenTelemetry's, which writes them down in :mod:`orchestrator.assembly.tracing`; the rooms below know only
these two protocols. A span never holds words of a question or of a source.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    SpanValue = str | int | float | bool


class Span(Protocol):
    """A stretch of time with a name, inside another."""

    def child(self, name: str, /, **facts: SpanValue) -> AbstractContextManager[Span]:
        """A span inside this one, which ends with the context."""
        ...

    def note(self, **facts: SpanValue) -> None:
        """Say more about this one. ``error``, a stable code, says that it failed."""
        ...


class Tracer(Protocol):
    """Where the spans of questions go."""

    def question(self, parent: str, /, **facts: SpanValue) -> AbstractContextManager[Span]:
        """The outermost span of one question. ``parent``: the caller's ``traceparent`` (W3C Trace Context), or empty."""
        ...

    async def aclose(self) -> None:
        """Send what has not been sent; safe to call twice."""
        ...


class Untraced:
    """A span, and a tracer, of which nothing is kept."""

    def child(self, _: str, /, **__: SpanValue) -> AbstractContextManager[Span]:
        """Itself."""
        return NOWHERE

    def question(self, _: str, /, **__: SpanValue) -> AbstractContextManager[Span]:
        """Itself."""
        return NOWHERE

    def note(self, **_: SpanValue) -> None:
        """Nothing."""

    async def aclose(self) -> None:
        """Nothing."""


UNTRACED = Untraced()
NOWHERE: AbstractContextManager[Span] = nullcontext(UNTRACED)
