"""Spans as a collector receives them: OTLP over HTTP, protobuf, on a real socket."""

import asyncio
from contextlib import asynccontextmanager

from aiohttp import web
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Status as Code

QUESTION = "API 마이그레이션 일정에 대해 무엇을 결정했나요?"
TRACE, CALLER = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"  # as in the standard's examples
TOKEN = "collector-secret"


class Collector:
    """Keeps what it is sent."""

    def __init__(self):
        self.url = ""
        self.tokens = set()
        self.services = set()
        self.spans = []
        self.raw = b""

    async def take(self, request):
        """POST /v1/traces."""
        body = await request.read()
        self.raw += body
        self.tokens.add(request.headers.get("Authorization"))
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
            self.services |= {
                each.value.string_value for each in resource.resource.attributes if each.key == "service.name"
            }
            self.spans += [span for scope in resource.scope_spans for span in scope.spans]
        return web.Response(content_type="application/x-protobuf")

    def named(self, name):
        """Spans of a name."""
        return [span for span in self.spans if span.name == name]


@asynccontextmanager
async def collecting():
    collector = Collector()
    app = web.Application()
    app.router.add_post("/v1/traces", collector.take)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    collector.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield collector
    finally:
        await runner.cleanup()


def settings(collector, share=1.0):
    return {"tracing": {"endpoint": collector.url, "token": TOKEN, "service": "검색", "share": share}}


def facts(span):
    """A span's attributes as Python values."""
    return {each.key: getattr(each.value, each.value.WhichOneof("value")) for each in span.attributes}


async def test_a_question_and_each_call_of_a_source_are_spans_of_the_callers_trace(serve, tmp_path):
    async with collecting() as collector:
        async with (
            serve(tmp_path, "slack=status:500", more=settings(collector)) as api,
            api.post("/v1/search", {"question": QUESTION}, headers={"traceparent": f"00-{TRACE}-{CALLER}-01"}) as reply,
        ):
            assert reply.status == 200
            sources = {each["source"]: each for each in (await reply.json())["sources"]}
        (question,) = collector.named("question")
        assert (question.trace_id.hex(), question.parent_span_id.hex()) == (TRACE, CALLER)
        assert facts(question)["fedsearch.type"] == "decision"
        for name, outcome in sources.items():
            (asked,) = collector.named(f"ask {name}")
            assert (asked.trace_id, asked.parent_span_id) == (question.trace_id, question.span_id)
            assert facts(asked)["fedsearch.status"] == outcome["status"]
            requests = [span for span in collector.named("request") if span.parent_span_id == asked.span_id]
            assert requests
            assert all(span.start_time_unix_nano <= span.end_time_unix_nano for span in requests)
        (failed,) = collector.named("ask slack")
        assert failed.status.code == Code.STATUS_CODE_ERROR
        assert facts(failed)["error.type"] == "unavailable"
        assert collector.tokens == {f"Bearer {TOKEN}"}
        assert collector.services == {"검색"}
        assert all(word not in collector.raw for word in ("마이그레이션".encode(), b"xoxp-", b"migration"))


async def test_a_question_that_its_reader_leaves_is_a_span_that_ended(serve, tmp_path):
    async with collecting() as collector:
        async with serve(tmp_path, "slack=delay:30", more=settings(collector)) as api:
            async with api.post("/v1/search/stream", {"question": QUESTION, "budget": 30}) as reply:
                await reply.content.readany()
            await asyncio.sleep(0)
        (question,) = collector.named("question")
        (asked,) = collector.named("ask slack")
        assert facts(asked)["fedsearch.cancelled"]
        assert question.end_time_unix_nano >= asked.start_time_unix_nano


async def test_what_is_not_sampled_is_not_sent_unless_its_caller_traces(serve, tmp_path):
    async with collecting() as collector:
        async with serve(tmp_path, more=settings(collector, share=0.0)) as api:
            for header in ("", f"00-{TRACE}-{CALLER}-01", "nonsense", "00-" + "f" * 5000):
                async with api.post("/v1/search", {"question": QUESTION}, headers={"traceparent": header}) as reply:
                    assert reply.status == 200
        assert [span.trace_id.hex() for span in collector.named("question")] == [TRACE]


async def test_a_collector_that_is_away_hurts_nobody(serve, tmp_path):
    gone = {"tracing": {"endpoint": "http://127.0.0.1:9", "token": TOKEN}}
    async with serve(tmp_path, more=gone) as api, api.post("/v1/search", {"question": QUESTION}) as reply:
        assert reply.status == 200
