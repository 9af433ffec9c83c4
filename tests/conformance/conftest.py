"""An index with a few documents in it, in a PostgreSQL of its own, for every test that asks it."""

from __future__ import annotations

import asyncio
import json
import secrets
from datetime import UTC, datetime, timedelta
from importlib import resources
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio

from connectors.local.documents import PUBLIC, Document
from connectors.local.store import IndexStore
from connectors.models import open_embedder
from connectors.models.embedding import EmbedderSettings
from connectors.passages import Passage
from storage.database import Database
from tests.conformance.company import a_company
from tests.conformance.indexed import MODEL, an_index
from tests.conformance.matters import KINDS, MATTERS, PEOPLE
from tests.e2e.conftest import _patience  # noqa: F401 — a fixture: on a busy machine nothing is cut short here, either
from translators.query import Kind

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from tests.conformance.company import Company

TODAY = datetime.now(UTC)


def kept(source: str, name: str, text: str, days: float | None = None, **more: Any) -> Document:
    """A document that everybody may see, so many days old."""
    created = None if days is None else TODAY - timedelta(days=days)
    return Document(source, name, more.pop("title", ""), (Passage(text),), (PUBLIC,), created=created, **more)


DOCUMENTS = [
    *(kept("slack", f"slack-{days}", f"펠리컨 배포 일정 {days}", days, kind=Kind.MESSAGE) for days in (0, 7, 14, 30)),
    *(kept("gmail", f"gmail-{days}", f"펠리컨 배포 일정 {days}", days, kind=Kind.MAIL) for days in (0, 14)),
    *(kept("linear", f"linear-{days}", f"펠리컨 배포 일정 {days}", days, kind=Kind.ISSUE) for days in (0, 14)),
    *(kept("notion", f"notion-{days}", f"펠리컨 배포 일정 {days}", days, kind=Kind.PAGE) for days in (0, 30)),
    kept("files", "files-14", "펠리컨 배포 일정 141", 14),
    kept("files", "undated", "펠리컨 배포 일정 142"),
    kept("gmail", "future", "펠리컨 배포 일정 143", -3, kind=Kind.MAIL),
    *(kept("files", f"many-{number}", f"heron notes number {number}", number) for number in range(40)),
    kept("files", "meant", "Mitarbeiter erhalten fünfzehn Urlaubstage. 직원은 휴가를 열다섯 날 얻는다."),
    kept("files", "tool", "def f(x): ...", description="converts currencies", examples=("how much is a euro in won", "환율 계산")),
    kept("web", "blog", "how to run tasks concurrently, a guide", url="https://blog.example/python/tasks", kind=Kind.WEB_PAGE),
    kept("web", "official", "how to run tasks concurrently, the manual", url="https://docs.trio.example/reference/tasks", kind=Kind.WEB_PAGE),
]  # fmt: skip


@pytest.fixture(scope="session")
def indexed(index_cluster) -> Iterator[str]:
    """The address of a database with these documents."""
    import asyncpg

    address, name = index_cluster.ensure(), f"conformance_{secrets.token_hex(6)}"
    known = {"host": address.host, "user": address.user, "password": address.password}
    url = f"postgresql://{address.user}:{address.password}@/{name}?host={address.host}"

    async def say(statement: str) -> None:
        connection = await asyncpg.connect(database="postgres", **known)
        try:
            await connection.execute(statement)
        finally:
            await connection.close()

    async def fill() -> None:
        store = IndexStore(Database(url, 2), open_embedder(EmbedderSettings(**MODEL)))
        await store.open()
        try:
            await store.upsert(DOCUMENTS)
            await store.embed_waiting()
        finally:
            await store.aclose()

    asyncio.run(say(f"CREATE DATABASE {name}"))
    asyncio.run(fill())
    yield url
    asyncio.run(say(f"DROP DATABASE {name} WITH (FORCE)"))


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def index(tmp_path_factory: pytest.TempPathFactory, indexed: str) -> AsyncIterator[Company]:
    """An API before the index alone, which reranks by itself."""
    async with an_index(tmp_path_factory.mktemp("index"), indexed) as served:
        yield served


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def company(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Company]:
    """The packaged company, whose issues are Asana's tasks as well."""
    lines = (resources.files("orchestrator.sandbox") / "workplace" / "linear.jsonl").read_text("utf-8").splitlines()
    tasks = [{**json.loads(line), "source": "asana", "url": ""} for line in lines]
    for each in tasks:
        each["id"] = f"asana-{each['id']}"
    async with a_company(tmp_path_factory.mktemp("company"), KINDS, tasks) as served:
        yield served


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def matters(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Company]:
    """A company that says the same in every place."""
    kinds = ("slack", "gmail", "notion", "drive", "linear")
    async with a_company(tmp_path_factory.mktemp("matters"), kinds, MATTERS, PEOPLE, packaged=False) as served:
        yield served
