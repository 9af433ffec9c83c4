"""What people cost: checking a token, looking up accounts, and what stays open for each. Prints figures, asserts nothing.

python -m tests.bench.bench_people
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import shutil
import tempfile
import time
import tracemalloc
from datetime import UTC, datetime
from pathlib import Path

from connectors.contract import Call
from connectors.manifest import Application
from connectors.oauth import Grant, Vendor
from connectors.registry import load_source
from orchestrator.access import Seal, SigningKeys, TokenRules, Tokens, Vault, keys_of, new_key
from orchestrator.assembly.accounts import Opening, OwnKind
from orchestrator.gather import ALONE, OwnSource, People, Reaches
from orchestrator.sandbox import Sandbox, default_corpus
from storage.database import Database
from storage.supervisor import Cluster
from tests.e2e.identity_provider import identity_provider

ROUNDS = 2000
PEOPLE = 200


async def tokens() -> None:
    """CPU of one token, for both kinds of key."""
    async with identity_provider() as provider:
        for kind in ("RS256", "ES256"):
            if kind == "ES256":
                provider.rotate()
            checking = Tokens(
                TokenRules(provider.url, "fedsearch"),
                SigningKeys(provider.url, time.monotonic),
                lambda: datetime.now(UTC),
            )
            text = provider.token(groups=["a", "b"])
            await checking.find(text)
            started = time.process_time()
            for _ in range(ROUNDS):
                await checking.find(text)
            print(f"token {kind}: {(time.process_time() - started) / ROUNDS * 1e6:.0f} µs of CPU")


def descriptors() -> int:
    """How many files and sockets this process holds open."""
    return len(list(Path("/proc/self/fd").iterdir()))


async def nobody() -> None:
    """What a question pays where no source is asked by people."""
    reaches = Reaches({}, 100.0)
    started = time.process_time()
    for _ in range(ROUNDS * 10):
        async with reaches.of("local"):
            pass
    print(f"reach without people: {(time.process_time() - started) / ROUNDS / 10 * 1e6:.2f} µs of CPU")


async def accounts(cluster: Cluster) -> None:
    """Looking somebody up, and memory of one who has asked Slack."""
    address = await asyncio.to_thread(cluster.ensure)
    url = f"postgresql://{address.user}:{address.password}@/{address.database}?host={address.host}"
    kind = load_source("slack")
    ways = kind.manifest.auth.sign_in
    assert ways is not None
    async with (
        Sandbox(default_corpus(), sources=["slack"]) as sandbox,
        Vault(Database(url, 4), Seal(keys_of(new_key()))) as vault,
    ):
        end = sandbox.endpoints["slack"]
        for number in range(PEOPLE):
            await vault.put(f"issuer#{number}", "slack", Grant(access_token=end.token))
        options = kind.settings_type.model_validate({"kind": "slack", "base_url": end.base_url, "credential": "person"})
        own, vendor = OwnKind("slack", kind, options), Vendor("Slack", ways, Application(client_id="1"))
        people = People(
            {"slack": OwnSource(Opening(own, vendor, vault, "connect", ALONE, kind.manifest.limits), "connect")},
            vault,
            most=PEOPLE,
        )
        wall, cpu = time.perf_counter(), time.process_time()
        for _ in range(ROUNDS // 4):
            await vault.of("issuer#1")
        n = ROUNDS // 4
        print(
            f"looking up accounts: {(time.perf_counter() - wall) / n * 1e3:.2f} ms, of it {(time.process_time() - cpu) / n * 1e3:.2f} ms of CPU"
        )
        async with people.of("issuer#0") as first:
            await first.sources["slack"].connector.prepare()
            await first.sources["slack"].connector.probe(Call())
        gc.collect()
        tracemalloc.start()
        before, files = tracemalloc.get_traced_memory()[0], descriptors()
        for number in range(1, PEOPLE):
            async with people.of(f"issuer#{number}") as one:
                await one.sources["slack"].connector.probe(Call())
        gc.collect()
        grown = tracemalloc.get_traced_memory()[0] - before
        opened = descriptors() - files
        print(
            f"one person open after a request: {grown / (PEOPLE - 1) / 1024:.1f} KiB, {opened / (PEOPLE - 1):.2f} descriptors"
        )
        await people.aclose()
        gc.collect()
        print(f"after all are closed: {(tracemalloc.get_traced_memory()[0] - before) / 1024:.0f} KiB in all")


def main() -> None:
    """Print all of it, and the load it was measured under."""
    folder = Path(tempfile.mkdtemp(prefix="fedsearch-bench-"))
    folder.chmod(0o755)
    cluster = Cluster(folder / "postgresql", durable=False)
    try:
        asyncio.run(tokens())
        asyncio.run(nobody())
        asyncio.run(accounts(cluster))
        print(f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores")
    finally:
        cluster.release()
        while cluster.pid is not None:
            time.sleep(0.05)
        with contextlib.suppress(OSError):
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
