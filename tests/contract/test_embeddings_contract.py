"""What we send to ``/embeddings`` and read from it is what OpenAI's own description says."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from connectors.models.embedding import EmbedderSettings, ModelName
from connectors.models.embedding_remote import OpenAICompatible, OpenAIEmbeddings

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def schemas(contracts: Path) -> dict[str, Any]:
    path = contracts / "openai_embeddings.openapi.json"
    if not path.is_file():
        pytest.skip("OpenAI's description of /embeddings is not at hand")
    described = json.loads(path.read_text("utf-8"))
    assert list(described["paths"]["/embeddings"]) == ["post"]
    schemas: dict[str, Any] = described["components"]["schemas"]
    return schemas


def check(schemas: dict[str, Any], name: str, value: object) -> None:
    """``value`` is what the description calls ``name``."""
    schema = {**schemas[name], "components": {"schemas": schemas}}
    jsonschema.Draft202012Validator(schema).validate(value)


@pytest.mark.parametrize("dimension", [None, 512])
def test_a_request_is_a_described_request(schemas: dict[str, Any], dimension: int | None) -> None:
    settings = EmbedderSettings(model="openai/text-embedding-3-small", dimension=dimension, api_key="sk-0000000000")
    body = OpenAICompatible(ModelName.of(settings.model), settings).body(["결제 API", "text"], asking=True)
    check(schemas, "CreateEmbeddingRequest", body)
    with pytest.raises(jsonschema.ValidationError):
        check(schemas, "CreateEmbeddingRequest", {**body, "texts": []})


def test_a_described_reply_is_read(schemas: dict[str, Any]) -> None:
    rows = [{"object": "embedding", "index": index, "embedding": [0.1, 0.2]} for index in (1, 0)]
    usage = {"prompt_tokens": 2, "total_tokens": 2}
    reply = {"object": "list", "data": rows, "model": "text-embedding-3-small", "usage": usage}
    check(schemas, "CreateEmbeddingResponse", reply)
    assert [each.index for each in OpenAIEmbeddings.model_validate(reply).data] == [1, 0]


def test_every_field_that_we_read_is_one_that_is_always_there(schemas: dict[str, Any]) -> None:
    assert set(OpenAIEmbeddings.model_fields) <= set(schemas["CreateEmbeddingResponse"]["required"])
    assert {"index", "embedding"} <= set(schemas["Embedding"]["required"])
