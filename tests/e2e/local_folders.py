"""Folders to be read into an index, and what is found of them there."""

import contextlib
import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path

from connectors.local.ingest import Given, Ingest
from connectors.local.ingest.drafts import IngestLimits
from connectors.local.pipeline import IndexQuery
from connectors.local.store import IndexStore
from storage.database import Database
from tests.e2e.program import WARM

ROOT = Path(__file__).resolve().parents[2]
NOW = datetime(2026, 11, 22, tzinfo=UTC)
LONG_AGO = 1_700_000_000
NOTES = {"배포.md": "# 배포\n금요일에 한다", "팀/휴가.txt": "연 15일이다", "x.bin": "?"}


@contextlib.asynccontextmanager
async def ingesting(url):
    """What reads folders into an index, and takes little files alone."""
    store = IndexStore(Database(url, 4))
    yield Ingest(store, IngestLimits(document=1 << 20, container=2 << 20))
    await store.aclose()


def written(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        os.utime(path, (LONG_AGO, LONG_AGO))
    return folder


def given(folder, **more):
    return Given(folder, more.pop("name", "노트"), more.pop("visible_to", ("user:local",)), **more)


async def ids(ingest):
    rows = await ingest.index.database.run(lambda each: each.fetch("SELECT native_id FROM documents ORDER BY 1"))
    return [row["native_id"] for row in rows]


async def found(ingest, text, asker="user:local"):
    searched = await ingest.index.search(IndexQuery(text, text, await ingest.index.scope(asker)), NOW)
    return len(searched.candidates)


def environment(home, **more):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("FEDSEARCH_")}
    told = {"HOME": str(home), "XDG_CONFIG_HOME": str(home), "PYTHONPATH": str(ROOT), "COLUMNS": "100"}
    off = {"FEDSEARCH_INDEX__EMBEDDER__MODEL": "none", "FEDSEARCH_RANKING__SEMANTIC": "off"}
    return {**kept, **told, **off, **more}


def fedsearch(settings, *arguments):
    return subprocess.run([*WARM, *arguments], env=settings, capture_output=True, encoding="utf-8", check=False)
