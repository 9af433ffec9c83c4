"""The embedded server for real: started when needed, shared, mended, stopped after its last user, whatever kills whom."""

import asyncio
import contextlib
import os
import pwd
import shutil
import signal
import site
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import asyncpg
import pytest

from connectors.errors import Misconfigured, Unavailable
from connectors.local.documents import PUBLIC, Document
from connectors.local.store import IndexSettings, open_index
from connectors.passages import Passage
from storage import account, places, supervisor
from storage.account import OsUser
from storage.supervisor import Cluster
from tests.clock import HANGING

ROOT = Path(__file__).resolve().parents[2]
INGEST = Path(__file__).with_name("local_ingest.py")
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")


@pytest.fixture(autouse=True, scope="module")
def _clusters():
    """Each database is made from nothing here."""


@contextlib.contextmanager
def cluster_in(folder, **more):
    cluster = Cluster(folder, **more)
    try:
        yield cluster
    finally:
        cluster.release()
        wait_until(lambda: cluster.pid is None)


def wait_until(done):
    deadline = time.monotonic() + HANGING
    while not done():
        assert time.monotonic() < deadline, "it does not happen"
        time.sleep(0.01)


async def ask(address, statement):
    connection = await asyncpg.connect(
        host=address.host, user=address.user, password=address.password, database=address.database
    )
    try:
        return await connection.fetchval(statement)
    finally:
        await connection.close()


def settings_in(folder):
    return IndexSettings.model_validate({"data_dir": str(folder), "embedder": {"model": "none"}})


def ingesting(folder, first=0, python=sys.executable, **options):
    """A process that puts documents in; the lines it says."""
    command = [python, str(INGEST), str(folder), str(first)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), *site.getsitepackages()))}
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, cwd="/", **options)


# ---- life


def test_from_nothing_to_nothing(folder):
    with cluster_in(folder / "pg", durable=False) as cluster:
        assert cluster.pid is None
        address = cluster.ensure()
        pid = cluster.pid
        assert pid is not None
        assert asyncio.run(ask(address, "SELECT current_setting('listen_addresses')")) == ""
        assert asyncio.run(ask(address, "SELECT current_setting('fsync')")) == "off"
        assert cluster.ensure() == address
        assert cluster.pid == pid
        assert address.password not in repr(address)
    wait_until(lambda: not Path(f"/proc/{pid}").exists())


def test_it_is_kept_from_others(folder):
    with cluster_in(folder / "pg", durable=False) as cluster:
        address = cluster.ensure()
        assert Path(address.host).stat().st_mode & 0o077 == 0
        for name in ("password", "log", "users.lock"):
            assert (cluster.folder / name).stat().st_mode & 0o077 == 0
        wrong = supervisor.ServerAddress(address.host, "wrong")
        with pytest.raises(asyncpg.InvalidPasswordError):
            asyncio.run(ask(wrong, "SELECT 1"))


def test_durable_unless_said_otherwise(folder):
    with cluster_in(folder / "pg") as cluster:
        assert asyncio.run(ask(cluster.ensure(), "SELECT current_setting('fsync')")) == "on"


def test_two_users_share_it_and_the_last_one_out_stops_it(folder):
    with cluster_in(folder / "pg", durable=False) as first, cluster_in(folder / "pg", durable=False) as second:
        assert first.ensure() == second.ensure()
        pid = first.pid
        first.release()
        assert asyncio.run(ask(second.ensure(), "SELECT 1")) == 1
        assert second.pid == pid


def test_many_at_once_make_one_server(folder):
    clusters = [Cluster(folder / "pg", durable=False) for _ in range(5)]
    threads = [threading.Thread(target=each.ensure) for each in clusters]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({each.pid for each in clusters}) == 1
    assert clusters[0].pid is not None
    for each in clusters:
        each.release()
    wait_until(lambda: clusters[0].pid is None)


def test_threads_that_need_it_at_once_are_one_user(folder, monkeypatch):
    """Else what one of them holds would be forgotten, and the server stay for as long as the process."""
    locked = supervisor._locked

    def slowly(path, how, deadline):
        descriptor = locked(path, how, deadline)
        time.sleep(0.1)
        return descriptor

    monkeypatch.setattr(supervisor, "_locked", slowly)
    with cluster_in(folder / "pg", durable=False) as cluster, ThreadPoolExecutor(3) as threads:
        assert len(set(threads.map(lambda _: cluster.ensure(), range(3)))) == 1


def test_a_server_that_is_on_its_way_is_waited_for(folder):
    """One that was killed is not gone at once, nor is one whose last user has left: neither is a failure to start."""
    with cluster_in(folder / "pg", durable=False) as first, cluster_in(folder / "pg", durable=False) as second:
        address, pid = first.ensure(), first.pid
        mark, log = first.folder / "data" / "postmaster.pid", first.folder / "log"
        told = mark.read_text("ascii")
        mark.write_text(told.replace("ready", "stopping"), "ascii")
        with contextlib.ExitStack() as uses, ThreadPoolExecutor(1) as other:
            uses.callback(first.release)
            uses.callback(second.release)
            found = other.submit(second.ensure)
            wait_until(lambda: found.done() or "already exists" in log.read_text("utf-8"))
            mark.write_text(told, "ascii")
            assert found.result() == address
            assert second.pid == pid


def test_a_path_longer_than_a_socket_address_may_be(folder):
    deep = folder / ("배포" * 20) / ("x" * 60)
    with cluster_in(deep, durable=False) as cluster:
        address = cluster.ensure()
        assert len(os.fsencode(address.host)) < 107
        assert Path(address.host).stat().st_mode & 0o077 == 0
        assert asyncio.run(ask(address, "SELECT 1")) == 1
    shutil.rmtree(address.host)


def test_what_was_cut_short_is_made_again(folder):
    (folder / "pg" / "data.new").mkdir(parents=True)
    (folder / "pg" / "data.new" / "half").touch()
    with cluster_in(folder / "pg", durable=False) as cluster:
        assert asyncio.run(ask(cluster.ensure(), "SELECT 1")) == 1


def test_a_stale_pid_file_of_another_process_is_seen_through(folder):
    with cluster_in(folder / "pg", durable=False) as cluster:
        cluster.ensure()
    stale = cluster.folder / "data" / "postmaster.pid"
    stale.write_text(f"{os.getpid()}\n{cluster.folder / 'data'}\n0\n5432\n{cluster.folder}\n\n\nready\n")
    assert cluster.pid is None
    stale.write_text("nonsense\n")
    assert cluster.pid is None


def test_a_server_that_starts_is_not_ready_by_what_a_killed_one_has_left(folder):
    """Its file is written anew between two looks: then nobody listened yet, and whoever connected was refused."""
    data = folder / "pg" / "data"
    data.mkdir(parents=True)
    with (
        subprocess.Popen(["true"]) as gone,
        subprocess.Popen([sys.executable, "-c", "input()"], cwd=data, stdin=subprocess.PIPE) as starts,
    ):
        gone.wait()
        told = f"{{}}\n{data}\n0\n5432\n{folder}\n\n\n{{}}\n".format

        class Meanwhile(Cluster):
            def _pid_lines(self):
                lines = super()._pid_lines()
                (data / "postmaster.pid").write_text(told(starts.pid, "starting"))
                return lines

        (data / "postmaster.pid").write_text(told(gone.pid, "ready"))
        cluster = Meanwhile(folder / "pg")
        assert not cluster._is_ready
        assert cluster.pid == starts.pid
        assert not cluster._is_ready
        (data / "postmaster.pid").write_text(told(starts.pid, "ready"))
        assert cluster._is_ready


# ---- death


def test_the_server_killed_is_started_again_by_the_same_process(folder):
    async def scenario():
        async with open_index(settings_in(folder)) as index:
            await index.upsert([Document("files", "1", "plan", (Passage("배포"),), (PUBLIC,))])
            os.kill(index.database._where.pid, signal.SIGKILL)
            await index.upsert([Document("files", "2", "plan", (Passage("일정"),), (PUBLIC,))])
            return await index.contents("files")

    assert set(asyncio.run(scenario())) == {"1", "2"}
    wait_until(lambda: Cluster(folder / "postgresql").pid is None)


def test_a_server_that_is_stopped_for_a_while_goes_on(folder):
    """Its guardian hears of that as of an end, and ended it once."""
    with cluster_in(folder, durable=False) as cluster:
        address, server = cluster.ensure(), cluster.pid
        os.kill(server, signal.SIGSTOP)
        time.sleep(0.3)
        os.kill(server, signal.SIGCONT)
        time.sleep(0.3)
        assert asyncio.run(ask(address, "SELECT 1")) == 1
        assert cluster.pid == server


@pytest.mark.parametrize("victim", ["us", "postmaster", "guardian"])
def test_killed_in_the_midst_of_taking_in(folder, victim):
    """Every document that was said to be safe is there, nothing is there twice, and no server is left behind."""
    process = ingesting(folder)
    server = int(process.stdout.readline().split()[1])
    for _ in range(20):
        process.stdout.readline()
    if victim == "us":
        process.kill()
    else:
        os.kill(server if victim == "postmaster" else parent_of(server), signal.SIGKILL)
        for _ in range(20):
            assert process.stdout.readline(), "it goes on with another server"
        process.kill()
    said = [int(line) for line in process.communicate()[0].split()]
    wait_until(lambda: Cluster(folder / "postgresql").pid is None)

    async def kept():
        async with open_index(settings_in(folder)) as index:
            names = await index.contents("files")
            stats, cursor = await index.stats(), await index.cursor("files")
            async with index.database.connection() as connection:
                counted = await connection.fetchval("SELECT count(*) FROM chunks")
                frequency = await connection.fetchval("SELECT chunks FROM frequencies WHERE term = '배포'")
            return names, stats, cursor, counted, frequency

    names, stats, cursor, counted, frequency = asyncio.run(kept())
    last = int(cursor)
    assert last >= max(said, default=0)
    assert {int(name) for name in names} == set(range(last + 1))
    assert stats.documents == stats.chunks == counted == frequency == last + 1


def parent_of(pid):
    return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])


def test_another_process_takes_over_what_a_killed_one_left(folder):
    """No time passes between them: the server may be running, stopping or gone."""
    process = ingesting(folder)
    process.stdout.readline()
    process.stdout.readline()
    process.kill()
    with cluster_in(folder / "postgresql") as cluster:
        assert asyncio.run(ask(cluster.ensure(), "SELECT count(*) FROM documents")) >= 10
    process.communicate()


# ---- rights


@as_root
def test_as_an_ordinary_user(folder):
    """The same in a process of somebody without rights; the folder is theirs alone."""
    python = f"/usr/bin/python{sys.version_info.major}.{sys.version_info.minor}"
    if not Path(python).exists():
        pytest.skip(f"nobody but root may run {sys.executable}, and there is no {python}")
    nobody = pwd.getpwnam("nobody")
    os.chown(folder, nobody.pw_uid, nobody.pw_gid)
    process = ingesting(folder, python=python, user=nobody.pw_uid, group=nobody.pw_gid, extra_groups=[])
    server = int(process.stdout.readline().split()[1])
    assert process.stdout.readline().strip() == "9"
    assert Path(f"/proc/{server}").stat().st_uid == nobody.pw_uid
    process.kill()
    process.communicate()
    wait_until(lambda: Cluster(folder / "postgresql").pid is None)


@as_root
def test_as_root_it_runs_as_somebody_else(folder):
    with cluster_in(folder / "pg", durable=False) as cluster:
        cluster.ensure()
        assert Path(f"/proc/{cluster.pid}").stat().st_uid != 0


@as_root
def test_a_folder_that_somebody_else_may_not_enter_is_kept_elsewhere(folder, monkeypatch):
    monkeypatch.setattr(places, "ELSEWHERE", folder / "var")
    closed = folder / "root"
    closed.mkdir(mode=0o700)
    with cluster_in(closed / "data" / "pg", durable=False) as cluster:
        assert asyncio.run(ask(cluster.ensure(), "SELECT 1")) == 1
        assert cluster.folder.parent == folder / "var"


def test_programs_that_it_may_not_run_are_copied(folder, monkeypatch):
    """A virtual environment in root's home is closed to the server's user. ``postgres`` wants no library of the wheel's, ``initdb`` does."""
    runs, asked = account._runs, []

    def closed(server, who):
        asked.append(server)
        return len(asked) > 1 and runs(server, who)

    monkeypatch.setattr(account, "_runs", closed)
    me = OsUser(os.geteuid(), os.getegid(), switch=False)
    found = account.programs(me, folder)
    assert found.is_relative_to(folder)
    for name in ("postgres", "initdb", "pg_dump"):
        done = subprocess.run([found / name, "-V"], capture_output=True, text=True, check=False)
        assert done.stdout.startswith(f"{name} (PostgreSQL)"), done.stderr


# ---- places that cannot hold it


@pytest.mark.parametrize("place", ["/proc/fedsearch", "/dev/null/fedsearch"])
def test_a_folder_that_cannot_be_written(place):
    with pytest.raises(Misconfigured, match="set FEDSEARCH_DATA_DIR"):
        Cluster(Path(place)).ensure()


@as_root
def test_a_full_disk_is_said_to_be_full(folder):
    folder.mkdir(exist_ok=True)
    small = ["mount", "-t", "tmpfs", "-o", "size=80m", "tmpfs", str(folder)]
    if subprocess.run(small, check=False, capture_output=True).returncode:
        pytest.skip("this system lets nobody mount a small disk")
    try:
        with cluster_in(folder / "pg") as cluster:
            cluster.ensure()
        with contextlib.suppress(OSError), (folder / "filler").open("wb") as filler:
            while True:
                filler.write(bytes(1 << 20))
                filler.flush()
        cluster = Cluster(folder / "pg")
        with pytest.raises(Unavailable, match=r"the disk of .+ is full; make room there"):
            cluster.ensure()
        cluster.release()
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_folder_with_somebody_elses_database(folder):
    (folder / "pg" / "data").mkdir(parents=True)
    (folder / "pg" / "password").write_text("x")
    cluster = Cluster(folder / "pg")
    with pytest.raises(Unavailable, match="did not start"):
        cluster.ensure()
    cluster.release()


@contextlib.contextmanager
def small_disk(folder, size):
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size},mode=755", "fedsearch", str(folder)],
        check=False,
        capture_output=True,
    )
    if done.returncode:
        pytest.skip(f"a small disk cannot be mounted here: {done.stderr.decode().strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


@as_root
def test_a_disk_too_small_to_begin_with(folder):
    with small_disk(folder, "8m"), pytest.raises(Misconfigured, match="room"):
        Cluster(folder / "pg").ensure()


async def too_much(index):
    for number in range(1000):
        text = "".join(f"word{number}x{n} " for n in range(3000))
        await index.upsert([Document("files", str(number), "", (Passage(text),), (PUBLIC,))])


@as_root
def test_a_disk_that_becomes_full(folder):
    """What does not fit is refused and said; what was there is there, and there is more once there is room."""

    async def scenario():
        async with open_index(settings_in(folder)) as index:
            await index.upsert([Document("files", "kept", "plan", (Passage("배포"),), (PUBLIC,))])
            filler = folder / "filler"
            with filler.open("wb") as file, contextlib.suppress(OSError):
                while True:
                    file.write(b"x" * (1 << 20))
            with pytest.raises(Unavailable):
                await too_much(index)
            filler.unlink()
            await index.upsert([Document("files", "later", "plan", (Passage("일정"),), (PUBLIC,))])
            return set(await index.contents("files"))

    with small_disk(folder, "200m"):
        assert asyncio.run(scenario()) >= {"kept", "later"}
        wait_until(lambda: Cluster(folder / "postgresql").pid is None)


def test_no_port_is_open(folder):
    with cluster_in(folder / "pg", durable=False) as cluster:
        cluster.ensure()
        with pytest.raises(OSError), socket.create_connection(("127.0.0.1", 5432), 1):
            pass


async def test_a_terminal_of_a_locale_that_this_machine_lacks_makes_a_database_all_the_same(tmp_path, monkeypatch):
    for name in ("LC_ALL", "LANG", "LC_MESSAGES"):
        monkeypatch.setenv(name, "xx_XX.UTF-8")
    with cluster_in(tmp_path / "db", durable=False) as cluster:
        address = await asyncio.to_thread(cluster.ensure)
        assert await ask(address, "SELECT lower('ÄÖ가') || ' ' || current_setting('lc_messages')") == "äö가 C"
