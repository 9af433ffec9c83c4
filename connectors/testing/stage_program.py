"""The stage for exemplars of sources that start a program: an executable that tells how it was started, and obeys."""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from connectors.testing.exemplar import ProgramReply, ProgramRun

# It tells its arguments, its environment and what it was given to read, prints what it is told, and hangs if told nothing.
PROGRAM = """#!{python} -IS
import json, os, socket, sys
with socket.create_connection(("127.0.0.1", {port})) as stage:
    told = dict(arguments=sys.argv[1:], environment=dict(os.environ), input=sys.stdin.read(), folder=os.listdir("."))
    stage.sendall(json.dumps(told).encode() + b"\\n")
    play = json.loads(stage.makefile("r").readline())
    sys.stderr.write(play["errors"])
    sys.stdout.write(play["text"])
    for _ in range(play["filler"] // 65536 + 1 if play["filler"] else 0):
        sys.stdout.write(" " * 65536)
    sys.stdout.flush()
    sys.exit(play["status"])
"""


@dataclass
class ProgramStage:
    """Plays ``runs``, each once, in the order in which they come.

    ``stall_at``: the start, counted from 1, after which nothing happens at all. ``surprises``: what was not as expected.
    ``program``: the executable.
    """

    runs: Sequence[ProgramRun]
    token: str
    stall_at: int = 0
    surprises: list[str] = field(default_factory=list)
    strays: list[str] = field(default_factory=list)
    requests: int = 0
    arrived: asyncio.Event = field(default_factory=asyncio.Event)
    program: Path = Path()

    def __post_init__(self) -> None:
        self.unplayed = list(self.runs)
        self.open_connections = 0  # one for each program that is still there
        self._folder = tempfile.TemporaryDirectory(prefix="stage-")
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._started, "127.0.0.1", 0, limit=1 << 24)
        port = self._server.sockets[0].getsockname()[1]
        self.program = Path(self._folder.name) / "program"
        self.program.write_text(PROGRAM.format(python=sys.executable, port=port), "utf-8")
        self.program.chmod(0o700)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        await self._server.wait_closed()
        self._folder.cleanup()

    async def _started(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.open_connections += 1
        try:
            told = json.loads(await reader.readline() or "{}")
            self.requests += 1
            if self.requests == self.stall_at:
                self.arrived.set()
            else:
                writer.write(json.dumps(self._play(told)).encode() + b"\n")
            await reader.read()
        except ConnectionError:
            pass
        finally:
            writer.transport.abort()
            self.open_connections -= 1

    def _play(self, told: Mapping[str, object]) -> Mapping[str, object]:
        run = self.unplayed.pop(0) if self.unplayed else None
        self.surprises += self._differences(run, told) if run else [f"nobody expected {told.get('arguments')}"]
        return _played(run.reply) if run else {"text": "", "errors": "", "filler": 0, "status": 1}

    def _differences(self, run: ProgramRun, told: Mapping[str, object]) -> list[str]:
        environment = told["environment"]
        assert isinstance(environment, dict)
        wanted = {name: value.replace("{token}", self.token) for name, value in run.environment.items()}
        pairs = (
            ("arguments", list(run.arguments), told["arguments"]),
            ("environment", wanted, {name: environment.get(name) for name in wanted}),
            ("input", "", told["input"]),
        )
        return [f"{what}: {one!r} was expected, {other!r} came" for what, one, other in pairs if one != other]


def _played(reply: ProgramReply) -> Mapping[str, object]:
    text = reply.text if reply.text is not None else "" if reply.output is None else json.dumps(reply.output)
    return {"text": text, "errors": reply.errors, "filler": reply.filler, "status": reply.status}
