"""Shared by all tests: a clean environment, virtual time, Hypothesis profiles, where the shared folder lies."""

from __future__ import annotations

import ast
import asyncio
import functools
import gc
import itertools
import os
import secrets
import selectors
import shutil
import signal
import sys
import tempfile
import threading
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.database import DirectoryBasedExampleDatabase
from hypothesis.internal.conjecture import providers

from tests.counting import count, where
from tests.e2e.warm_door import warm_door
from tests.examples import STEADY
from tests.template_cluster import from_template, template_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator

    from storage.supervisor import Cluster, ServerAddress

ROOT = Path(__file__).resolve().parent.parent
ALIVE = pytest.StashKey[int]()
OPENED = pytest.StashKey[ExitStack]()
NUMBERS = itertools.count()


def one_at_a_time(parse: Callable[..., ast.AST]) -> Callable[..., ast.AST]:
    """`ast.parse` for threads: CPython before 3.13 counts the depth of the tree it builds once per interpreter.

    pytest parses each module that it rewrites, so a server's thread that imports one while a test's thread imports
    another makes either fail with "AST constructor recursion depth mismatch". So does a finaliser that is run in the
    middle and writes a traceback, which parses too: nothing is collected meanwhile.
    """
    turn = threading.RLock()

    @functools.wraps(parse)
    def parse_in_turn(*arguments: Any, **options: Any) -> ast.AST:
        with turn:
            collects = gc.isenabled()
            gc.disable()
            try:
                return parse(*arguments, **options)
            finally:
                if collects:
                    gc.enable()

    return parse_in_turn


ast.parse = one_at_a_time(ast.parse)  # type: ignore[assignment]

GUARD = "import os, signal, sys; sys.stdin.read(); os.killpg(int(sys.argv[1]), signal.SIGKILL)"


def pytest_configure(config: pytest.Config) -> None:
    """A run that is interrupted leaves no process behind: told to end, it ends as by Ctrl-C, and whoever is killed takes all along."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    # A shell has whatever it runs in the background ignore this one, and so would all that tests start.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    gc.set_threshold(20_000, 20, 20)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # else each process that is started compiles all of it anew
    count(config)
    if not hasattr(config, "workerinput"):
        opened = config.stash[OPENED] = ExitStack()
        opened.enter_context(template_folder())
        opened.enter_context(warm_door())
    elif hasattr(os, "setpgid"):  # of pytest-xdist, which nobody types Ctrl-C to
        os.setpgid(0, 0)
        ended, config.stash[ALIVE] = os.pipe()
        guard = [sys.executable, "-I", "-S", "-c", GUARD, str(os.getpgrp())]
        silent = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_WRONLY, 0) for stream in (1, 2)]
        heard = (os.POSIX_SPAWN_DUP2, ended, 0)
        os.posix_spawn(guard[0], guard, os.environ, file_actions=[heard, *silent], setpgroup=0)
        os.close(ended)


def pytest_unconfigure(config: pytest.Config) -> None:
    """What all processes of a run share ends with it."""
    if (opened := config.stash.get(OPENED, None)) is not None:
        opened.close()


CORPUS = Path(__file__).resolve().parents[1] / "build" / "corpus"
# Derandomised: the same examples on every machine. `HYPOTHESIS_PROFILE=deep` searches further, at random.
settings.register_profile(
    "steady", derandomize=True, deadline=None, max_examples=STEADY, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("deep", deadline=None, max_examples=5000, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile(
    "thousands", derandomize=True, deadline=None, max_examples=2500, suppress_health_check=[HealthCheck.too_slow]
)
# Others each time, again and again until its time is up (`make fuzz`). What breaks a law is kept, and tried first from then on.
settings.register_profile(
    "random",
    deadline=None,
    max_examples=1000,
    database=DirectoryBasedExampleDatabase(CORPUS),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))
if settings().derandomize:
    # Else what stands in the source of whatever is loaded is tried, too: the examples of a test would turn on which others its
    # process runs, and each process would first read a thousand modules.
    providers._get_local_constants = lambda: providers._local_constants


WAITING = ("e2e/", "conformance/", "security/")
"""The tests that wait for sockets and for processes of their own as much as they work."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Each worker finds all cases in the order in which they are dealt."""
    if hasattr(config, "workerinput"):
        items[:] = dealt(items, config.workerinput["workercount"])


def dealt(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """In the order in which `--dist worksteal` gives each worker as many cases as the next: what waits first, module by module.

    So all workers wait at the same time, of whom there are more than processors, and what is short comes last,
    where it evens out who ends when.
    """
    waiting, short = [], []
    for place, cases in itertools.groupby(items, lambda item: where(item.path)):
        (waiting if place.startswith(WAITING) else short).append(list(cases))
    hands = [list(itertools.chain.from_iterable(waiting[worker::workers])) for worker in range(workers)]
    rest = itertools.chain.from_iterable(short)
    for hand in hands:
        hand.extend(itertools.islice(rest, max(0, len(items) // workers - len(hand))))
    return [*itertools.chain.from_iterable(hands), *rest]


def pytest_collection_finish() -> None:
    """What was collected stays, and is not looked through for garbage again and again: that was an eighth of a run."""
    gc.collect()
    gc.freeze()


def pytest_xdist_auto_num_workers() -> int:
    """Of ``-n auto``: most tests over sockets wait for half of their time."""
    told = os.environ.get("PYTEST_XDIST_AUTO_NUM_WORKERS")
    return int(told) if told else (os.cpu_count() or 1) + 2


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No setting of the machine reaches a test, and no log of one test goes where another's went."""
    for name in list(os.environ):
        if name.startswith("FEDSEARCH_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.getbasetemp() / "no-config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.getbasetemp() / "data" / str(next(NUMBERS))))
    yield
    if "structlog" in sys.modules:
        sys.modules["structlog"].reset_defaults()
    if "storage.logs" in sys.modules:
        sys.modules["storage.logs"]._unset.clear()


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of third-party contracts and data beside the checkout; tests that need it skip without it."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("the shared folder with vendors' contracts and evaluation data is not beside this checkout")
    return folder


@pytest.fixture(scope="session")
def index_cluster() -> Iterator[Cluster]:
    """An embedded PostgreSQL for this process, in a folder that its OS user may enter, quick rather than safe."""
    from storage.supervisor import Cluster

    folder = Path(tempfile.mkdtemp(prefix="fedsearch-test-"))
    folder.chmod(0o755)
    cluster = Cluster(folder / "postgresql", durable=False)
    with from_template():
        cluster.ensure()
    yield cluster
    cluster.release()
    while cluster.pid is not None:
        time.sleep(0.01)
    shutil.rmtree(folder)


@contextmanager
def _database(cluster: Cluster, template: str = "template1") -> Iterator[str]:
    """The address of a new database; files are copied, which costs half of what PostgreSQL does by itself."""
    address, name = cluster.ensure(), f"test_{secrets.token_hex(6)}"
    _say(address, f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")
    yield f"postgresql://{address.user}:{address.password}@/{name}?host={address.host}"
    _say(address, f"DROP DATABASE {name} WITH (FORCE)")


def _say(address: ServerAddress, statement: str) -> None:
    import asyncpg

    async def say() -> None:
        connection = await asyncpg.connect(
            database="postgres", host=address.host, user=address.user, password=address.password
        )
        try:
            await connection.execute(statement)
        finally:
            await connection.close()

    asyncio.run(say())


@pytest.fixture(scope="session")
def index_template(index_cluster: Cluster) -> Iterator[str]:
    """The name of a database with the newest tables of every room: to copy it takes a tenth of what every migration takes."""
    from storage.database import Database
    from tests.rooms import with_every_room

    async def brought_up(url: str) -> None:
        database = with_every_room(Database(url, 1))
        async with database.connection():
            pass
        await database.aclose()

    with _database(index_cluster) as url:
        asyncio.run(brought_up(url))
        yield urlsplit(url).path.removeprefix("/")


@pytest.fixture
def index_url(index_cluster: Cluster, index_template: str) -> Iterator[str]:
    """The address of a database with the newest schema and nothing in it, gone after the test."""
    with _database(index_cluster, index_template) as url:
        yield url


@pytest.fixture(scope="module")
def module_url(index_cluster: Cluster, index_template: str) -> Iterator[str]:
    """The same for what all tests of a module share."""
    with _database(index_cluster, index_template) as url:
        yield url


@pytest.fixture
def empty_url(index_cluster: Cluster) -> Iterator[str]:
    """The address of an empty database, for what brings the schema up."""
    with _database(index_cluster) as url:
        yield url


class VirtualSelector(selectors.DefaultSelector):
    """Instead of waiting for a timer it moves the loop's clock there."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Real events are never waited for: virtual time is for tests without sockets and threads."""
        events = super().select(0)
        if not events:
            if timeout is None:
                raise RuntimeError("deadlock: nothing is scheduled and nothing can arrive in virtual time")
            self.now += max(0.0, timeout)
        return events


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop in which sleeping takes no time."""

    def __init__(self) -> None:
        self._virtual = VirtualSelector()
        super().__init__(self._virtual)

    def time(self) -> float:
        """Seconds of virtual time since the loop was made."""
        return self._virtual.now


@pytest.fixture
def in_virtual_time() -> Callable[[Coroutine[Any, Any, Any]], Any]:
    """Run a coroutine to its end in a loop whose timers fire at once, in order."""

    def run(coroutine: Coroutine[Any, Any, Any]) -> Any:
        with asyncio.Runner(loop_factory=VirtualLoop) as runner:
            return runner.run(coroutine)

    return run
