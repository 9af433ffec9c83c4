"""3 Vector index with URL-aware reranking"""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
from typing import TYPE_CHECKING

import pytest
from aiohttp import web

from connectors.local.documents import PUBLIC, Document
from connectors.local.store import IndexStore
from connectors.models import open_embedder
from connectors.models.embedding import EmbedderSettings
from connectors.passages import Passage
from storage.database import Database
from tests.conformance.indexed import a_service, an_index, name, steps
from tests.conformance.marks import requirement
from tests.e2e.program import ROOT, WARM

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.asyncio(loop_scope="module")

TASKS = "trio docs: how to run tasks concurrently"
ADDRESS = r"meaning #\d+ \((-?[\d.]+), address (-?[\d.]+)\)"


def vectors(body):
    """Of each text a vector of its own."""
    made = [[byte - 127.5 for byte in hashlib.md5(text.encode()).digest()[:8]] for text in body["input"]]
    return web.json_response({"data": [{"index": place, "embedding": each} for place, each in enumerate(made)]})


@requirement("3.1", "Description and usage examples of a document are embedded together with each chunk's text", where="connectors/local/documents.py")  # fmt: skip
@requirement("3.2", "The document's address has a vector of its own", where="connectors/local/writing.py connectors/local/vectors.py")  # fmt: skip
async def test_what_is_embedded_of_a_document(index_url):
    document = Document(
        "web", "1", "환율", (Passage("def f(x): ..."), Passage("def g(x): ...")), (PUBLIC,), url="https://docs.trio.example/reference/tasks",
        description="converts currencies", examples=("how much is a euro in won", "환율 계산"),
    )  # fmt: skip
    async with a_service("/embeddings", vectors) as (url, came):
        settings = EmbedderSettings(model="openai/some-model", base_url=url, api_key="x" * 20, dimension=8)
        store = IndexStore(Database(index_url, 2), open_embedder(settings))
        await store.open()
        try:
            await store.upsert([document])
            await store.embed_waiting()
        finally:
            await store.aclose()
    sent = [text for _, body in came for text in body["input"]]
    for chunk in document.chunks:
        (text,) = (each for each in sent if chunk.text in each)
        assert all(part in text for part in ("converts currencies", "how much is a euro in won", "환율 계산"))
    (address,) = (each for each in sent if "trio" in each)
    assert "docs" in address
    assert "def" not in address


@requirement("3.1")
@pytest.mark.parametrize("question", ["how much is a euro in won", "환율 계산은 어떻게 하나요?"])
async def test_a_document_is_found_by_what_it_is_for(index, question):
    assert name((await index.ask(question))["results"][0]) == "tool"


async def embedded_by_adding(folder: Path, index_url: str, *told: str) -> list[str]:
    """What the embedding service was sent when ``fedsearch index add`` had read a folder."""
    async with a_service("/embeddings", vectors) as (url, came):
        ours = {"DATABASE_URL": index_url, "EMBEDDER__MODEL": "openai/some-model", "EMBEDDER__BASE_URL": url, "EMBEDDER__API_KEY": "x" * 20, "EMBEDDER__DIMENSION": "8"}  # fmt: skip
        environment = {"PATH": os.environ["PATH"], "HOME": str(folder.parent), "PYTHONPATH": str(ROOT), "FEDSEARCH_DATA_DIR": str(folder.parent)}  # fmt: skip
        command = [*WARM, "index", "add", str(folder), *told]
        done = await asyncio.create_subprocess_exec(
            *command, env={**environment, **{f"FEDSEARCH_INDEX__{name}": value for name, value in ours.items()}},
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        _, said = await done.communicate()
        assert done.returncode == 0, said.decode()
    return [text for _, body in came for text in body["input"]]


@requirement("3.3", "What documents are for can be told when they are put in: for a folder at the command line, for a document in itself", where="orchestrator/surfaces/cli/index.py connectors/local/ingest")  # fmt: skip
async def test_what_a_folder_is_for_can_be_told(index_url, tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "f.md").write_text("# f\ndef f(x)", "utf-8")
    told = ("--description", "converts currencies", "--example", "환율 계산은 어떻게 하나요?")
    sent = await embedded_by_adding(tmp_path / "docs", index_url, *told)
    assert any(all(part in text for part in ("converts currencies", "환율 계산은", "def f(x)")) for text in sent)


@requirement("3.3")
async def test_what_one_document_is_for_can_be_told(index_url, tmp_path):
    (tmp_path / "docs").mkdir()
    head = "---\ndescription: converts currencies\nexamples:\n  - 환율 계산은 어떻게 하나요?\n---\n"
    parts = "".join(f"# part {part}\n" + f"part {part} says this. " * 200 + "\n" for part in "ab")
    (tmp_path / "docs" / "f.md").write_text(head + parts, "utf-8")
    (tmp_path / "docs" / "g.md").write_text(parts.replace("part", "piece"), "utf-8")
    sent = await embedded_by_adding(tmp_path / "docs", index_url)
    own = [text for text in sent if "part b says" in text]
    assert own
    assert all("converts currencies" in text and "환율 계산은" in text for text in own)
    assert not any("converts currencies" in text for text in sent if "piece" in text)


@requirement("3.4", "Candidates of the vector search get similarity + cosine(question, address) × weight, and are sorted anew", where="connectors/local/retrieval.py connectors/local/pipeline.toml")  # fmt: skip
@requirement("3.5", "The weight of the address can be set", where="connectors/local/settings.py")
async def test_the_address_counts_by_its_weight(tmp_path_factory, indexed):
    """The similarity is what stands without a weight; with one, each has gained its share of the address's."""
    found = {}
    for weight in (0.0, 0.25, 1.0):
        folder = tmp_path_factory.mktemp("weight")
        async with an_index(folder, indexed, local={"url_weight": weight}) as served:
            results = {name(each): steps(each)["meaning"] for each in (await served.ask(TASKS))["results"]}
        found[weight] = {each: re.match(ADDRESS, results[each]) for each in ("blog", "official")}
    for each in ("blog", "official"):
        bare = float(found[0.0][each][1])
        for weight in (0.25, 1.0):
            total, address = map(float, found[weight][each].groups())
            assert total == pytest.approx(bare + weight * address, abs=0.02)
    near = {each: float(found[1.0][each][2]) for each in ("blog", "official")}
    assert near["official"] > near["blog"]


@requirement(
    "3.6", "A question that names a site or product prefers its pages in the list that is shown", where="connectors/local/pipeline.py",
    differs="by default it decides between pages that fit alike, and not against words: a higher weight costs questions that name no site (docs/explanation/local-index.md).",
    setting="`sources.local.url_weight = 3`.",
)  # fmt: skip
async def test_who_names_a_site_gets_its_pages_first(index):
    found = [name(each) for each in (await index.ask("trio 문서: how to run tasks concurrently"))["results"]]
    assert found[:2] == ["official", "blog"]


@requirement("3.6")
async def test_who_names_a_site_gets_its_pages_first_whatever_the_words_weigh(tmp_path_factory, indexed):
    async with an_index(tmp_path_factory.mktemp("named"), indexed, local={"url_weight": 3.0}) as served:
        for question in (TASKS, "trio 문서: how to run tasks concurrently"):
            found = [name(each) for each in (await served.ask(question))["results"]]
            assert found[:2] == ["official", "blog"]
