"""Puts documents into an index until it is killed, and says of each batch when it is safe: ``local_ingest.py FOLDER FIRST``."""

import asyncio
import sys

from connectors.local.documents import PUBLIC, Document
from connectors.local.store import IndexSettings, open_index
from connectors.passages import Passage


async def main(folder: str, first: int) -> None:
    settings = IndexSettings.model_validate({"data_dir": folder, "embedder": {"model": "none"}})
    async with open_index(settings) as index:
        print("ready", index.database._where.pid, flush=True)
        for number in range(first, first + 100_000, 10):
            names = [f"{each}" for each in range(number, number + 10)]
            await index.upsert(
                [Document("files", name, name, (Passage(f"배포 {name}"),), (PUBLIC,)) for name in names],
                cursor=names[-1],
            )
            print(names[-1], flush=True)


asyncio.run(main(sys.argv[1], int(sys.argv[2])))
