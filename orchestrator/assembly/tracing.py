"""Spans written down by OpenTelemetry and exported by OTLP over HTTP (https://opentelemetry.io/docs/specs/otlp/)."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from orchestrator.spans import UNTRACED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Span as Recorded
    from opentelemetry.trace import Tracer as Recorder

    from orchestrator.settings import Tracing
    from orchestrator.spans import Span, SpanValue, Tracer

PATH = "/v1/traces"  # where a collector takes them, unless the endpoint has a path of its own
PREFIX = "fedsearch."
FLUSH = 3.0  # seconds that the last spans get when the process ends


def open_tracer(settings: Tracing) -> Tracer:
    """The tracer of ``settings``; one that keeps nothing where no endpoint is set. Nothing is sent yet."""
    if not settings.endpoint:
        return UNTRACED
    from importlib.metadata import version

    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor
    from opentelemetry.sdk.trace.sampling import ParentBasedTraceIdRatio

    token = settings.token.get_secret_value() if settings.token else ""
    exporter = OTLPSpanExporter(
        endpoint=_address(settings.endpoint), headers={"Authorization": f"Bearer {token}"} if token else {}
    )
    provider = TracerProvider(
        sampler=ParentBasedTraceIdRatio(settings.share),
        resource=Resource.create({"service.name": settings.service, "service.version": version("fedsearch")}),
        shutdown_on_exit=False,
    )
    provider.add_span_processor(BatchSpanProcessor(exporter))  # a thread of its own, a queue with an end
    return OpenTelemetry(provider)


def _address(endpoint: str) -> str:
    parts = urlsplit(endpoint)
    return endpoint if parts.path.strip("/") else urlunsplit(parts._replace(path=PATH))


class OpenTelemetry:
    """Gives a question its spans. ``provider`` records and exports them."""

    def __init__(self, provider: TracerProvider) -> None:
        self._provider = provider
        self._recorder = provider.get_tracer("fedsearch")
        self._closed = False

    @contextmanager
    def question(self, parent: str, /, **facts: SpanValue) -> Iterator[Span]:
        """See :class:`orchestrator.spans.Tracer`. A ``parent`` that is none is passed over, as the standard asks."""
        from opentelemetry.context import Context
        from opentelemetry.trace import SpanKind
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        context = TraceContextTextMapPropagator().extract({"traceparent": parent}, Context())
        span = self._recorder.start_span("question", context, SpanKind.SERVER, _attributes(facts))
        with _ended(RecordedSpan(self._recorder, span)) as recorded:
            yield recorded

    async def aclose(self) -> None:
        """Send what is left, for a few seconds at most."""
        if self._closed:
            return
        self._closed = True
        await asyncio.to_thread(self._provider.force_flush, int(FLUSH * 1000))
        await asyncio.to_thread(self._provider.shutdown)


class RecordedSpan:
    """A span of OpenTelemetry's that knows who records it.

    Parents are handed on by hand and not by the context: a question is an asynchronous generator, which is left and
    entered again in whatever context its reader has.
    """

    def __init__(self, recorder: Recorder, span: Recorded) -> None:
        self._recorder = recorder
        self.span = span

    @contextmanager
    def child(self, name: str, /, **facts: SpanValue) -> Iterator[Span]:
        """See :class:`orchestrator.spans.Span`."""
        from opentelemetry.context import Context
        from opentelemetry.trace import SpanKind, set_span_in_context

        inside = set_span_in_context(self.span, Context())
        span = self._recorder.start_span(name, inside, SpanKind.CLIENT, _attributes(facts))
        with _ended(RecordedSpan(self._recorder, span)) as recorded:
            yield recorded

    def note(self, **facts: SpanValue) -> None:
        """See :class:`orchestrator.spans.Span`."""
        from opentelemetry.trace import StatusCode

        error = facts.pop("error", "")
        if error:
            self.span.set_attribute("error.type", str(error))
            self.span.set_status(StatusCode.ERROR)
        self.span.set_attributes(_attributes(facts))


@contextmanager
def _ended(recorded: RecordedSpan) -> Iterator[RecordedSpan]:
    """Ends the span however its context ends. What is raised leaves its type and no text, which may hold anything."""
    try:
        yield recorded
    except (GeneratorExit, asyncio.CancelledError):  # nobody waits for it any more, which is no failure
        recorded.note(cancelled=True)
        raise
    except BaseException as failure:
        recorded.note(error=type(failure).__name__)
        raise
    finally:
        recorded.span.end()


def _attributes(facts: dict[str, SpanValue]) -> dict[str, SpanValue]:
    return {PREFIX + name: value for name, value in facts.items()}
