"""What can be set for the local index as a source."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, Field, NonNegativeFloat, PositiveInt, SecretStr

from connectors.local.numbers import DocumentDecay, Numbers, RecencyForm, Url, default_numbers
from connectors.local.store import IndexSettings
from connectors.manifest import SourceSettings, by_commas
from connectors.models.embedding import EmbedderSettings
from connectors.models.reranking import RerankerSettings

Names = Annotated[tuple[str, ...], BeforeValidator(by_commas)]


class LocalSettings(SourceSettings):
    """Settings of the local index.

    ``database_url``, ``data_dir``, ``durable``, ``connections``, ``embedder``, ``reranker``: see
    :class:`connectors.local.store.IndexSettings`; they come from ``[index]``. ``addresses``: ids and mail addresses of
    whoever asks, by whose documents are "mine". ``url_weight``: how much a site that the question names counts.
    ``recency``: weight and half-life of a sort of thing (``chat``, ``mail``, ``tracker``, ``wiki``, ``unknown``) in place of
    those of ``pipeline.toml``, or of a collection by its name; ``recency_form``: how they meet relevance. ``max_text``: characters shown of a part of a document.
    """

    database_url: SecretStr | None = None
    data_dir: str = ""
    durable: bool = True
    connections: PositiveInt = 8
    embedder: EmbedderSettings = EmbedderSettings()
    reranker: RerankerSettings = RerankerSettings(model="local")
    addresses: Names = ()
    url_weight: NonNegativeFloat | None = None
    recency: dict[str, DocumentDecay] = Field(default_factory=dict)
    recency_form: RecencyForm | None = None
    max_text: int = Field(default=4000, ge=1)

    @property
    def index(self) -> IndexSettings:
        """Where the index is."""
        names = IndexSettings.model_fields
        return IndexSettings(**{name: getattr(self, name) for name in names})

    @property
    def numbers(self) -> Numbers:
        """The pipeline's numbers with these settings in place of theirs."""
        shipped = default_numbers()
        url = shipped.url if self.url_weight is None else Url(weight=self.url_weight)
        return shipped.model_copy(
            update={
                "recency": shipped.recency.told(self.recency, self.recency_form),
                "url": url,
            }
        )
