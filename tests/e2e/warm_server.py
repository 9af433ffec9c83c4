"""A server that has imported all of ``fedsearch`` and forks a process for each client: see :mod:`tests.e2e.program`."""

from __future__ import annotations

import gc
import importlib
import io
import json
import os
import pkgutil
import runpy
import selectors
import signal
import socket
import sys
import threading
import time
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field

from tests.clock import leap_when_told

ROOMS = ("translators", "storage", "connectors", "orchestrator")
FOR_GOOD = ExitStack()
OTHERS = ("testing", "__main__", "scaffold", "reader")  # programs and test kits


@dataclass
class Server:
    """Clients wait at the door from the start; each is told the id of its process, and in the end how that ended."""

    door: socket.socket
    clients: dict[int, socket.socket] = field(default_factory=dict)

    def serve(self) -> None:
        """Comes back in each forked process, which then is what its client asked for, and at the end."""
        woken, wake = os.pipe()
        for end in (woken, wake):
            os.set_blocking(end, False)
        signal.set_wakeup_fd(wake)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        with selectors.DefaultSelector() as waiting:
            for each in (self.door, woken, 0):
                waiting.register(each, selectors.EVENT_READ)
            while True:
                for key, _ in waiting.select():
                    if key.fileobj == 0:  # whoever started this is gone
                        return self.end()
                    if key.fileobj == woken:
                        self.reap(waiting, woken)
                    elif key.fileobj is self.door:
                        if (client := self.fork(waiting)) is None:
                            return None
                        waiting.register(client, selectors.EVENT_READ)
                    else:  # a client says nothing: it is gone
                        waiting.unregister(key.fileobj)
                        self.kill(key.fd)

    def fork(self, waiting: selectors.BaseSelector) -> socket.socket | None:
        """``None`` in the forked process."""
        client, _ = self.door.accept()
        length, streams, *_ = socket.recv_fds(client, 4, 3)
        given = json.loads(client.recv(int.from_bytes(length, "big"), socket.MSG_WAITALL))
        assert threading.active_count() == 1, threading.enumerate()
        if (forked := os.fork()) == 0:
            waiting.close()
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for each in (self.door, client, *self.clients.values()):
                each.close()
            become(streams, *given)
            return None
        for stream in streams:
            os.close(stream)
        self.clients[forked] = client
        client.sendall(forked.to_bytes(4, "big"))
        return client

    def reap(self, waiting: selectors.BaseSelector, woken: int) -> None:
        """Tell each client whose process has ended how it ended."""
        os.read(woken, 4096)
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                client = self.clients.pop(ended[0])
                with suppress(KeyError):
                    waiting.unregister(client)
                with suppress(OSError), client:
                    client.sendall(os.waitstatus_to_exitcode(ended[1]).to_bytes(4, "big", signed=True))

    def kill(self, number: int) -> None:
        """What belongs to the client with this descriptor."""
        for forked, client in self.clients.items():
            if client.fileno() == number:
                os.kill(forked, signal.SIGKILL)

    def end(self) -> None:
        """Nothing is left behind."""
        for forked in self.clients:
            os.kill(forked, signal.SIGKILL)
            os.waitpid(forked, 0)
        sys.argv[:] = []


def become(streams: list[int], arguments: list[str], environment: dict[str, str], folder: str) -> None:
    """What the interpreter does with what a process is given."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    time.tzset()
    leap_when_told()
    sys.argv = ["-c", *arguments]
    for name, mode in (("stdin", "rb"), ("stdout", "wb"), ("stderr", "wb")):
        before = getattr(sys, name)
        raw = open(before.fileno(), mode, closefd=False)  # noqa: SIM115 — it stands as long as the process
        lines = name == "stderr" or raw.isatty()
        made = io.TextIOWrapper(raw, before.encoding, before.errors, line_buffering=lines)
        setattr(sys, name, made)
        setattr(sys, f"__{name}__", made)


def load() -> None:
    """All that a question needs, so that no forked process loads it."""
    for room in ROOMS:
        for each in pkgutil.walk_packages(importlib.import_module(room).__path__, f"{room}."):
            if each.name.rpartition(".")[2] not in OTHERS:
                importlib.import_module(each.name)
    from connectors.models.embedding_local import UseM3
    from orchestrator.understand import warm
    from tests.e2e.patience import be_patient
    from tests.template_cluster import from_template

    be_patient()
    FOR_GOOD.enter_context(from_template())

    warm()
    UseM3().load_here()
    gc.collect()
    gc.freeze()


def main() -> None:
    """Serve; and, in a forked process, run."""
    import orchestrator.main

    door = socket.socket(fileno=int(sys.argv[1]))
    load()
    Server(door).serve()
    if sys.argv[1:] and sys.argv[1].endswith(".py"):
        del sys.argv[0]
        runpy.run_path(sys.argv[0], run_name="__main__")
    elif sys.argv:
        orchestrator.main.run()


if __name__ == "__main__":
    main()
