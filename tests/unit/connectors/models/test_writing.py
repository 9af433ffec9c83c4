"""Writers over a loopback server that speaks as the vendors do: requests, replies, refusals, secrets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from aiohttp import web
from jsonschema import Draft202012Validator

from connectors.errors import BadReply, Misconfigured, Rejected, SourceError, Throttled, Unauthenticated, Unavailable
from connectors.models import open_writer
from connectors.models.writing import Prompt, Writer, WriterSettings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

SHARED = Path(__file__).parents[4] / "shared" / "contracts"
KEY = "sk-secret-0123456789"
PROMPT = Prompt("Word it.", '{"question": "무엇을 결정했나요?"}')
CHAT = {"choices": [{"message": {"role": "assistant", "content": "REST [1]"}, "finish_reason": "stop"}]}
GEMINI = {
    "candidates": [
        {
            "content": {"role": "model", "parts": [{"text": "let me think", "thought": True}, {"text": "REST [1]"}]},
            "finishReason": "STOP",
            "index": 0,
        }
    ],
    "modelVersion": "gemini-test",
    "usageMetadata": {"promptTokenCount": 3, "totalTokenCount": 5},
}
MODELS = {"openai/m-1": CHAT, "gemini/g-1": GEMINI}


class Service:
    """What was asked, and what is answered."""

    def __init__(self) -> None:
        self.seen: list[dict[str, Any]] = []
        self.status = 200
        self.body: object = None
        self.text: str | None = None
        self.url = ""

    async def answer(self, request: web.Request) -> web.Response:
        self.seen.append({"path": request.path, "headers": dict(request.headers), "body": await request.json()})
        if self.text is not None:
            return web.Response(text=self.text, status=self.status)
        return web.json_response(self.body, status=self.status)


@pytest.fixture
async def service() -> AsyncIterator[Service]:
    served = Service()
    app = web.Application()
    app.router.add_post("/{path:.*}", served.answer)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    served.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    yield served
    await runner.cleanup()


@pytest.fixture
async def opened(service: Service) -> AsyncIterator[Callable[[str], Writer]]:
    """Opens a writer that asks the service."""
    writers: list[Writer] = []

    def make(model: str) -> Writer:
        settings = WriterSettings.model_validate({"model": model, "base_url": service.url, "api_key": KEY})
        writer = open_writer(settings)
        assert writer is not None
        writers.append(writer)
        service.body = MODELS[model]
        return writer

    yield make
    for writer in writers:
        await writer.aclose()


@pytest.mark.parametrize("model", MODELS)
async def test_the_text_comes_back(service: Service, opened: Callable[[str], Writer], model: str) -> None:
    writer = opened(model)
    assert isinstance(writer, Writer)
    assert writer.name == model
    assert await writer.write(PROMPT, 5.0) == "REST [1]"
    (seen,) = service.seen
    assert "Word it." in json.dumps(seen["body"])
    assert KEY not in json.dumps(seen["body"]) + seen["path"]


async def test_chat_completions_keep_instructions_and_material_apart(
    service: Service, opened: Callable[[str], Writer]
) -> None:
    await opened("openai/m-1").write(PROMPT, 5.0)
    (seen,) = service.seen
    assert seen["path"] == "/v1/chat/completions"
    assert seen["headers"]["Authorization"] == f"Bearer {KEY}"
    assert seen["body"]["messages"] == [
        {"role": "system", "content": PROMPT.instructions},
        {"role": "user", "content": PROMPT.material},
    ]
    assert seen["body"]["model"] == "m-1"


async def test_gemini_is_sent_what_its_contract_knows(service: Service, opened: Callable[[str], Writer]) -> None:
    contract = SHARED / "aiplatform.v1.generateContent.discovery.json"
    await opened("gemini/g-1").write(PROMPT, 5.0)
    (seen,) = service.seen
    assert seen["path"] == "/v1/models/g-1:generateContent"
    assert seen["headers"]["x-goog-api-key"] == KEY
    if not contract.is_file():
        pytest.skip("the folder shared with Google's discovery document is not beside the checkout")
    schemas = json.loads(contract.read_text("utf-8"))["schemas"]
    assert unknown_keys(seen["body"], "GoogleCloudAiplatformV1GenerateContentRequest", schemas) == []


def unknown_keys(value: Any, schema: str, schemas: dict[str, Any]) -> list[str]:
    """Keys of an object, at any depth, that the discovery document does not know."""
    properties = schemas[schema]["properties"]
    unknown = [f"{schema}.{key}" for key in value if key not in properties]
    for key in value.keys() & properties.keys():
        inner = properties[key].get("$ref") or properties[key].get("items", {}).get("$ref")
        held = value[key] if isinstance(value[key], list) else [value[key]]
        unknown += [each for part in held if inner for each in unknown_keys(part, inner, schemas)]
    return unknown


def test_the_reply_that_is_tested_with_is_one_that_gemini_gives() -> None:
    schema = SHARED / "gemini_generateContent_response.schema.json"
    if not schema.is_file():
        pytest.skip("the folder shared with Gemini's reply schema is not beside the checkout")
    validator = Draft202012Validator(json.loads(schema.read_text("utf-8")))
    assert [error.message for error in validator.iter_errors(GEMINI)] == []


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    ("status", "kind"), [(401, Unauthenticated), (429, Throttled), (400, Rejected), (500, Unavailable)]
)
async def test_a_refusal_is_an_error_without_the_key(
    service: Service, opened: Callable[[str], Writer], model: str, status: int, kind: type[SourceError]
) -> None:
    writer = opened(model)
    service.status, service.body = status, {"error": {"message": f"bad key {KEY}"}}
    with pytest.raises(kind) as failed:
        await writer.write(PROMPT, 5.0)
    assert KEY not in f"{failed.value}{failed.value.message}{failed.value.args}{writer!r}"


@pytest.mark.parametrize(
    ("model", "body"),
    [
        ("openai/m-1", {"choices": []}),
        ("openai/m-1", {"choices": [{"message": {"content": None}}]}),
        ("openai/m-1", {"choices": [{"message": {"content": "  "}}]}),
        ("openai/m-1", {"choices": "none"}),
        ("openai/m-1", []),
        ("gemini/g-1", {}),
        ("gemini/g-1", {"promptFeedback": {"blockReason": "SAFETY"}}),
        ("gemini/g-1", {"candidates": [{"finishReason": "SAFETY"}]}),
        ("gemini/g-1", {"candidates": [{"content": {"parts": [{"text": "thinking", "thought": True}]}}]}),
        ("gemini/g-1", {"candidates": 3}),
    ],
    ids=str,
)
async def test_a_reply_without_a_text_is_a_bad_reply(
    service: Service, opened: Callable[[str], Writer], model: str, body: object
) -> None:
    writer = opened(model)
    service.body = body
    with pytest.raises(BadReply):
        await writer.write(PROMPT, 5.0)


@pytest.mark.parametrize("model", MODELS)
async def test_a_page_where_json_was_due_is_a_bad_reply(
    service: Service, opened: Callable[[str], Writer], model: str
) -> None:
    writer = opened(model)
    service.text = "<html>sign in</html>"
    with pytest.raises(BadReply):
        await writer.write(PROMPT, 5.0)


async def test_nobody_there_is_unavailable() -> None:
    settings = WriterSettings.model_validate(
        {"model": "openai/m-1", "base_url": "http://127.0.0.1:9/v1", "api_key": KEY}
    )
    writer = open_writer(settings)
    assert writer is not None
    with pytest.raises(Unavailable) as failed:
        await writer.write(PROMPT, 5.0)
    assert KEY not in failed.value.message
    await writer.aclose()
    await writer.aclose()


def test_no_writer_is_the_default() -> None:
    assert open_writer(WriterSettings()) is None


@pytest.mark.parametrize("model", ["openai", "gemini/", "llama/x", "", "openai/"])
def test_an_unknown_writer_is_named_with_those_there_are(model: str) -> None:
    with pytest.raises(Misconfigured, match="openai/MODEL and gemini/MODEL"):
        open_writer(WriterSettings.model_validate({"model": model, "api_key": KEY}))


@pytest.mark.parametrize("model", MODELS)
def test_a_vendor_without_a_key_is_misconfigured(model: str) -> None:
    with pytest.raises(Misconfigured, match="api_key"):
        open_writer(WriterSettings(model=model))


def test_settings_show_no_key() -> None:
    assert KEY not in repr(WriterSettings.model_validate({"model": "openai/m", "api_key": KEY}))
