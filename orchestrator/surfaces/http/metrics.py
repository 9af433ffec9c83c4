"""What an operator watches, in Prometheus's text format: requests, and how each source does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from orchestrator.gather.source import Capacity
    from orchestrator.model import Answer

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 30.0, 60.0)


class Metrics:
    """A registry of its own, so that two applications in one process do not meet.

    ``counted``: the folder in which the processes of one server count together.
    """

    def __init__(self, counted: Path | None = None) -> None:
        self.registry = CollectorRegistry()
        self._counted = counted
        labels = ("method", "route", "status")
        self._requests = Counter("fedsearch_http_requests", "Requests answered", labels, registry=self.registry)
        self._latency = Histogram(
            "fedsearch_http_seconds", "Time of a request", ("route",), buckets=SECONDS, registry=self.registry
        )
        self._answers = Counter(
            "fedsearch_answers", "Questions answered", ("type", "confidence"), registry=self.registry
        )
        self._took = Histogram(
            "fedsearch_answer_seconds", "Time of a whole question", buckets=SECONDS, registry=self.registry
        )
        self._overruns = Counter(
            "fedsearch_budget_overruns", "Questions that took longer than their budget", registry=self.registry
        )
        self._outcomes = Counter(
            "fedsearch_source_outcomes", "How asking a source ended", ("source", "status"), registry=self.registry
        )
        self._source = Histogram(
            "fedsearch_source_seconds",
            "Time of one source",
            ("source", "rung"),
            buckets=SECONDS,
            registry=self.registry,
        )
        self._sent = Counter(
            "fedsearch_source_requests", "Requests sent to a source", ("source",), registry=self.registry
        )
        self._remembered = Counter(
            "fedsearch_source_remembered", "Sources answered from memory", ("source",), registry=self.registry
        )
        self._left = Gauge(
            "fedsearch_source_requests_left",
            "Requests free of a source's rate now",
            ("source",),
            multiprocess_mode="livemostrecent",
            registry=self.registry,
        )
        self._cost = Gauge(
            "fedsearch_source_requests_a_question",
            "Requests that a question took of a source of late",
            ("source",),
            multiprocess_mode="livemostrecent",
            registry=self.registry,
        )
        self._room = Gauge(
            "fedsearch_source_questions_a_minute",
            "Questions that a source's rate is enough for",
            ("source",),
            multiprocess_mode="livemostrecent",
            registry=self.registry,
        )
        self.streams = Gauge(
            "fedsearch_open_streams", "Streams being read", registry=self.registry, multiprocess_mode="livesum"
        )

    def requested(self, method: str, route: str, status: int, took: float) -> None:
        """One request has been answered; ``took`` in seconds."""
        self._requests.labels(method, route, str(status)).inc()
        self._latency.labels(route).observe(took)

    def answered(self, answer: Answer) -> None:
        """One question has been answered."""
        self._answers.labels(str(answer.query.type), str(answer.confidence)).inc()
        self._took.observe(answer.took)
        if answer.took > answer.plan.budget:
            self._overruns.inc()
        for outcome in answer.outcomes:
            self._outcomes.labels(outcome.source, str(outcome.status)).inc()
            rung = max((each.rung for each in outcome.lists if each.hits), default=0)
            self._source.labels(outcome.source, str(rung)).observe(outcome.took)
            self._sent.labels(outcome.source).inc(outcome.requests)
            if outcome.age is not None:
                self._remembered.labels(outcome.source).inc()

    def standing(self, sources: Mapping[str, Capacity]) -> None:
        """What every source allows now; nothing is claimed of what a question takes where none was asked."""
        for name, capacity in sources.items():
            self._left.labels(name).set(capacity.free)
            if capacity.cost is not None and capacity.questions_a_minute is not None:
                self._cost.labels(name).set(capacity.cost)
                self._room.labels(name).set(capacity.questions_a_minute)

    def text(self) -> bytes:
        """The text exposition format, version 0.0.4; of all processes of the server."""
        if self._counted is None:
            return generate_latest(self.registry)
        from prometheus_client.multiprocess import MultiProcessCollector

        together = CollectorRegistry()
        MultiProcessCollector(together, str(self._counted))  # type: ignore[no-untyped-call]
        return generate_latest(together)
