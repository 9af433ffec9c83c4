"""Embedding services over HTTP: OpenAI's ``/embeddings``, which many servers speak, and Cohere's ``/v2/embed``."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field

from connectors.errors import BadReply, Misconfigured
from connectors.http import HttpRequest
from connectors.models.embedding import prepared
from connectors.models.embedding_local import normalised
from connectors.models.service import ModelService
from connectors.wire import Wire, read
from storage.loading import load

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from connectors.models.embedding import Embedder, EmbedderSettings, ModelName, Vectors
    from translators.translator import Json

AT_ONCE = 96  # texts in a request: all that Cohere takes, and far fewer than OpenAI


class RemoteEmbedder(ABC):
    """What both services share: batches, the credential, and checking what came back."""

    title: ClassVar[str]
    default_url: ClassVar[str]
    path: ClassVar[str]
    dimensions: ClassVar[Mapping[str, int]]  # of the vendor's own models, at their full length
    may_shorten: ClassVar[tuple[str, ...]]  # models whose vectors can be had shorter begin so

    def __init__(self, name: ModelName, settings: EmbedderSettings) -> None:
        full = self.dimensions.get(name.model)
        self.model = name.model
        self.dimension = settings.dimension or full or _unknown(settings.model)
        self.shortened = full is not None and self.dimension != full
        if self.shortened and not name.model.startswith(self.may_shorten):
            raise Misconfigured(f"vectors of {settings.model} have {full} numbers, not {self.dimension}")
        self.name = f"{settings.model}@{self.dimension}" if self.shortened else settings.model
        self.base_url = settings.base_url or self.default_url
        self._timeout = settings.timeout
        if not settings.api_key and not settings.base_url:
            raise Misconfigured(f"{settings.model} needs an api_key of {self.title}; put it in the environment")
        self._service = ModelService(self.title, self.base_url, settings.api_key)

    @abstractmethod
    def body(self, texts: Sequence[str], *, asking: bool) -> Json:
        """What is posted; ``asking``: the texts are questions."""

    @abstractmethod
    def read(self, data: object, count: int) -> list[list[float]]:
        """``count`` vectors in the order of the texts; raises :class:`BadReply`."""

    @property
    def ready(self) -> bool:
        return True

    async def prepare(self) -> None:
        await load("aiohttp", "numpy")

    async def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return await self._embed(texts, asking=True)

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return await self._embed(texts, asking=False)

    async def aclose(self) -> None:
        await self._service.aclose()

    async def _embed(self, texts: Sequence[str], *, asking: bool) -> Vectors:
        await self.prepare()
        import numpy as np

        ready = prepared(texts)
        vectors = np.zeros((len(ready), self.dimension), dtype=np.float32)
        told = [place for place, text in enumerate(ready) if text]  # services refuse empty texts
        for start in range(0, len(told), AT_ONCE):
            places = told[start : start + AT_ONCE]
            vectors[places] = await self._asked([ready[place] for place in places], asking=asking)
        return normalised(vectors)

    async def _asked(self, texts: list[str], *, asking: bool) -> list[list[float]]:
        request = HttpRequest("POST", self.path, json=self.body(texts, asking=asking))
        what = " to a request for embeddings"
        return await self._service.ask(
            request, self._timeout, lambda data: self._checked(self.read(data, len(texts))), what=what
        )

    def _checked(self, vectors: list[list[float]]) -> list[list[float]]:
        wrong = next((vector for vector in vectors if len(vector) != self.dimension), None)
        if wrong is not None:
            raise BadReply(f"{self.title} sent a vector of {len(wrong)} numbers where {self.dimension} were due")
        if not all(math.isfinite(value) for vector in vectors for value in vector):
            raise BadReply(f"{self.title} sent a vector that holds something other than numbers")
        return vectors

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, {self.base_url!r})"


class OpenAIEmbedding(Wire):
    """One vector and the place of its text."""

    index: Annotated[int, Field(ge=0)]
    embedding: list[float]


class OpenAIEmbeddings(Wire):
    """The reply of ``POST /embeddings``."""

    data: list[OpenAIEmbedding]


class OpenAICompatible(RemoteEmbedder):
    """https://platform.openai.com/docs/api-reference/embeddings/create."""

    title = "the embedding service"
    default_url = "https://api.openai.com/v1"
    path = "embeddings"
    dimensions = {"text-embedding-3-small": 1536, "text-embedding-3-large": 3072, "text-embedding-ada-002": 1536}  # noqa: RUF012
    may_shorten = ("text-embedding-3",)

    def body(self, texts: Sequence[str], *, asking: bool) -> Json:  # noqa: ARG002 — these models make no difference
        short: dict[str, Json] = {"dimensions": self.dimension} if self.shortened else {}
        return {"model": self.model, "input": list(texts), "encoding_format": "float", **short}

    def read(self, data: object, count: int) -> list[list[float]]:
        found = {each.index: each.embedding for each in read(OpenAIEmbeddings, data, self.title).data}
        if sorted(found) != list(range(count)):
            raise BadReply(f"{self.title} answered {len(found)} vectors to {count} texts")
        return [found[index] for index in range(count)]


class CohereVectors(Wire):
    """Vectors by type; we ask for one."""

    values: Annotated[list[list[float]], Field(alias="float")]


class CohereEmbeddings(Wire):
    """The reply of ``POST /v2/embed``."""

    embeddings: CohereVectors


class Cohere(RemoteEmbedder):
    """https://docs.cohere.com/reference/embed."""

    title = "Cohere"
    default_url = "https://api.cohere.com"
    path = "v2/embed"
    dimensions = {  # noqa: RUF012
        "embed-v4.0": 1536,
        "embed-multilingual-v3.0": 1024,
        "embed-english-v3.0": 1024,
        "embed-multilingual-light-v3.0": 384,
        "embed-english-light-v3.0": 384,
    }
    may_shorten = ("embed-v4",)

    def body(self, texts: Sequence[str], *, asking: bool) -> Json:
        short: dict[str, Json] = {"output_dimension": self.dimension} if self.shortened else {}
        kind = "search_query" if asking else "search_document"
        return {"model": self.model, "texts": list(texts), "input_type": kind, "embedding_types": ["float"], **short}

    def read(self, data: object, count: int) -> list[list[float]]:
        vectors = read(CohereEmbeddings, data, self.title).embeddings.values
        if len(vectors) != count:
            raise BadReply(f"{self.title} answered {len(vectors)} vectors to {count} texts")
        return vectors


MAKERS: Mapping[str, type[RemoteEmbedder]] = {"openai": OpenAICompatible, "cohere": Cohere}


def open_remote(name: ModelName, settings: EmbedderSettings) -> Embedder:
    """The client of a service; nothing is sent yet. Raises :class:`Misconfigured`."""
    return MAKERS[name.maker](name, settings)


def _unknown(model: str) -> int:
    raise Misconfigured(f"{model} is not known here; say how many numbers its vectors have: dimension = …")
