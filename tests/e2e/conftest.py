"""The HTTP API before the sandbox, for every test that asks it over a real socket."""

import asyncio
import shutil
import socket
import tempfile
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import aiohttp
import pytest
import pytest_asyncio
import uvicorn

from connectors.contract import Call
from connectors.local.store import IndexStore
from orchestrator.access import KeyRing, Rates, Scope
from orchestrator.assembly.searching import build_engine
from orchestrator.assembly.serving import api_services
from orchestrator.sandbox import Sandbox, default_corpus, parse_fault
from orchestrator.settings import SettingsSite
from orchestrator.surfaces.http import ApiLimits, make_api, server_config
from storage.database import Database
from tests.clock import HANGING
from tests.e2e.chromium import chromium
from tests.e2e.cli_workplace import fedsearch, home, workplace  # noqa: F401 - fixtures
from tests.e2e.demo_workplace import demo_workplace
from tests.e2e.digest_office import listening_hook
from tests.e2e.patience import CALL, ENOUGH, be_patient
from tests.e2e.schemas import compiled_once
from tests.template_cluster import from_template

compiled_once()


@pytest.fixture(autouse=True, scope="module")
def _patience():
    """Nothing is cut short because the machine is busy: not in an engine, either, that is there for a whole module."""
    with pytest.MonkeyPatch.context() as patched:
        be_patient(patched.setattr)
        patched.setattr(Call.__init__, "__defaults__", CALL)
        # Of what tests ask with: it is not a server that hangs which lets a connection wait for more than 30 s.
        patched.setattr(aiohttp.client, "DEFAULT_TIMEOUT", aiohttp.ClientTimeout(total=HANGING))
        yield


@pytest.fixture
def folder():
    """A folder that the server's OS user may enter, which pytest's own are not."""
    made = Path(tempfile.mkdtemp(prefix="fedsearch-test-"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made, ignore_errors=True)


@pytest.fixture(autouse=True, scope="module")
def _clusters():
    """What is kept in an embedded database begins as a copy of an empty one."""
    with from_template():
        yield


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def engine():
    """The demo workplace, for the tests of a module."""
    async with demo_workplace() as built:
        yield built


async def until(happened):
    """Look again until it has happened, for at most 20 s."""
    async with asyncio.timeout(HANGING):
        while not happened():  # noqa: ASYNC110 - neither uvicorn nor a task tells
            await asyncio.sleep(0.01)


async def ready(http, url):
    """Until then questions wait for what loads."""
    async with asyncio.timeout(HANGING):
        while True:
            async with http.get(f"{url}/readyz") as reply:
                if reply.status != 503:
                    return
            await asyncio.sleep(0.01)


class Server:
    """A running API and a key that opens all of it."""

    def __init__(self, url, ring, key, services, app):
        self.url, self.ring, self.key, self.services, self.app = url, ring, key, services, app
        self.http = None

    @property
    def auth(self):
        return {"Authorization": f"Bearer {self.key}"}

    def post(self, path, body=None, **kwargs):
        if path.startswith("/v1/search") and isinstance(body, dict):
            body = {"budget": ENOUGH, **body}
        return self.http.post(self.url + path, json=body, headers={**self.auth, **kwargs.pop("headers", {})}, **kwargs)

    def get(self, path, **kwargs):
        return self.http.get(self.url + path, headers={**self.auth, **kwargs.pop("headers", {})}, **kwargs)


@asynccontextmanager
async def a_door():
    """A port that is listened on, known before the server that answers there is put together."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        yield door


def place_beside(folder):
    """An environment in which settings are read and written beside a folder of data, and nowhere in the home of whoever runs the tests."""
    config = folder.with_name(f"{folder.name}-config")
    (config / "secrets").mkdir(parents=True, exist_ok=True)
    (config / "fedsearch.toml").touch()
    return {"FEDSEARCH_CONFIG": str(config / "fedsearch.toml"), "FEDSEARCH_SECRETS_DIR": str(config / "secrets")}


@asynccontextmanager
async def serving(
    tmp_path, *faults, limits=None, rate=10_000, sources=(), authenticated=True, more=(), corpus=None, clock=None,
    kinds=("slack", "notion", "linear", "gmail"), now=None, mcp=False, rated=False, place=None, code="",
):  # fmt: skip
    """The whole thing on a free port of this machine. ``more``: further settings, or a function of address and sandbox;
    ``kinds``: the vendors that are served, whose present is ``now``; ``mcp``: at `/mcp`, too, whose tools take long to describe;
    ``rated``: the vendors' rates are kept, so that whoever asks much waits for most of a minute; ``place``: the environment that says where
    settings are written; ``code``: there is no key, and whoever types it makes the first.
    """
    corpus, broken = corpus or default_corpus(), dict(map(parse_fault, faults))
    async with (
        a_door() as door,
        Sandbox(corpus, faults=broken, sources=kinds, now=now) as sandbox,
    ):
        url = f"http://127.0.0.1:{door.getsockname()[1]}"
        ends = {name: {"base_url": end.base_url, "token": end.token} for name, end in sandbox.endpoints.items()}
        told = more(url, sandbox) if callable(more) else dict(more)
        site = SettingsSite(
            {
                "sources": {**ends, **dict(sources), **told.pop("sources", {})},
                "storage": {"data_dir": str(tmp_path)},
                "ranking": {"semantic": "off"},  # else its model loads meanwhile, in every one of these tests
                "thinking": {"processes": 0},  # tests/security have them; loading costs seconds for each server
                "server": {"audit": str(tmp_path / "audit.jsonl")},
                **told,
            },
            place or place_beside(tmp_path),
        )
        settings = site.read()
        ring = KeyRing(tmp_path / "keys.json", lambda: datetime.now(UTC))
        text = "" if code else ring.create("all", list(Scope))[1]
        loop = asyncio.get_running_loop()
        services = replace(
            api_services(settings, ring if authenticated else None, site, code),
            open_engine=lambda: build_engine(settings, apart=True, rated=rated),
            rates=Rates(rate, 60.0, loop.time),
            limits=limits or ApiLimits(),
            **({"clock": clock} if clock else {}),
            **({} if mcp else {"mounts": lambda _: ()}),
        )
        app = make_api(services)
        configured = server_config(app)
        # Between two tests of a module nothing runs: an idle connection would end just when the next test writes to it.
        configured.timeout_keep_alive = int(HANGING)
        server = uvicorn.Server(configured)
        running = asyncio.create_task(server.serve(sockets=[door]))
        try:
            await until(lambda: server.started or running.done())
            async with aiohttp.ClientSession() as http:
                it = Server(url, ring, text, services, app)
                it.sandbox = sandbox
                it.http = http
                await ready(http, url)
                yield it
        finally:
            server.should_exit = True
            await running


@pytest.fixture(scope="session")
def serve():
    """A function of a folder, faults and limits: an API that runs for as long as its context."""
    return serving


@pytest_asyncio.fixture
async def store(index_url):
    """The index in an empty database, without models."""
    made = IndexStore(Database(index_url, 6))
    await made.open()
    yield made
    await made.aclose()


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def browser():
    """One for a module, in whose loop its tests run; each opens pages as a new visitor."""
    async with chromium() as started:
        yield started


@pytest_asyncio.fixture
async def hook():
    """A program that digests are sent to."""
    async with listening_hook() as it:
        yield it
