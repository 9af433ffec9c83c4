"""Stoplight Prism: a server made of a vendor's own description, which says of every request whether it keeps to it."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import aiohttp
from aiohttp import web
from yarl import URL

from tests.ports import free_port

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping

PRISM = Path(__file__).parent / "node_modules" / "@stoplight" / "prism-cli" / "dist" / "index.js"
HOW = "make oracles installs Prism (it takes Node.js 20 or newer)"
PATIENCE = 120.0  # seconds for a description of some hundred kilobytes to be read on a busy machine
# Of one connection, not of the message; and which media type is wanted, as descriptions hold one of several.
HOPS = frozenset(
    {"host", "connection", "content-length", "transfer-encoding", "content-encoding", "accept-encoding", "accept"}
)


def why_not() -> str:
    """Why Prism cannot be asked here, with what to do about it; empty if it can."""
    if shutil.which("node") is None:
        return f"Node.js is not installed; {HOW}"
    return "" if PRISM.is_file() else f"Prism is not installed; {HOW}"


@contextmanager
def prism(document: Path) -> Iterator[str]:
    """The address of a server that answers by ``document`` alone, the same to the same request."""
    port = free_port()
    options = ["--host", "127.0.0.1", "--port", str(port), "--seed", "1", "--cors", "false", "-v", "silent"]
    command = ["node", str(PRISM), "mock", *options, str(document)]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait_for(port, process)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()


def with_bare_replies(document: Path, folder: Path) -> Path:
    """A copy in ``folder`` of a description whose replies are its examples alone.

    Prism never comes to the end of a schema that holds itself. Of requests, the copy says what the original does.
    """
    described = json.loads(document.read_text("utf-8"))
    for operations in described["paths"].values():
        for operation in operations.values():
            replies = operation.get("responses", {}).values() if isinstance(operation, dict) else ()
            for media in (media for reply in replies for media in reply.get("content", {}).values()):
                media.pop("schema", None)
    copy = folder / document.name
    copy.write_text(json.dumps(described), "utf-8")
    return copy


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < deadline:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5).close()
        except urllib.error.HTTPError as answered:  # nothing is described at the root
            answered.close()
            return
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError(f"Prism did not start (exit code {process.poll()})")


@dataclass(frozen=True, slots=True)
class Judged:
    """A request that came by, the status it was answered with, and everything in it that is not as described."""

    request: str
    status: int
    violations: tuple[str, ...]


@dataclass
class Proxy:
    """Hands requests on to whichever server describes their path, and keeps what Prism says of each.

    ``servers``: addresses by how paths begin, longest first; the beginning is not handed on. ``prefer``: how Prism is
    to answer (https://docs.stoplight.io/docs/prism/beb4778c1c8de-response-generation): ``dynamic=true``, ``code=429``.
    ``instead``: what Prism is asked in place of what a vendor takes and its description leaves out.
    """

    servers: Mapping[str, str]
    prefer: str = ""
    instead: Mapping[str, str] = field(default_factory=dict)
    url: str = ""
    judged: list[Judged] = field(default_factory=list)

    @property
    def violations(self) -> list[str]:
        """All that was not as described, with the requests."""
        return [f"{each.request}: {'; '.join(each.violations)}" for each in self.judged if each.violations]

    async def hand_on(self, session: aiohttp.ClientSession, request: web.Request) -> web.Response:
        """One exchange."""
        begins = next(begins for begins in self.servers if request.path.startswith(begins))
        target = f"{self.servers[begins]}{request.raw_path.removeprefix(begins)}"
        for sent, described in self.instead.items():
            target = target.replace(sent, described)
        headers = {name: value for name, value in request.headers.items() if name.lower() not in HOPS}
        if self.prefer:
            headers["Prefer"] = self.prefer
        async with session.request(
            request.method,
            URL(target, encoded=True),
            data=await request.read(),
            headers=headers,
            allow_redirects=False,
        ) as answer:
            body = await answer.read()
            said = _violations(answer, body, asked_for_a_code=self.prefer.startswith("code"))
            self.judged.append(Judged(f"{request.method} {request.raw_path}", answer.status, said))
            passed = {name: value for name, value in answer.headers.items() if name.lower() not in HOPS}
            return web.Response(status=answer.status, headers=passed, body=body)


def _violations(answer: aiohttp.ClientResponse, body: bytes, *, asked_for_a_code: bool) -> tuple[str, ...]:
    """What Prism finds wrong with a request; what is wrong with its own answers is the description's affair.

    A problem document is Prism's own word (a path that is not described, say), never the vendor's.
    """
    found = json.loads(answer.headers.get("sl-violations", "[]"))
    said = [
        f"{'.'.join(map(str, each.get('location', ())))} {each.get('message')}"
        for each in found
        if each.get("location", ["request"])[0] == "request"
    ]
    if answer.content_type == "application/problem+json" and not asked_for_a_code:
        problem = json.loads(body)
        said += [f"{problem.get('title')}: {problem.get('detail')}"]
    return tuple(said)


@asynccontextmanager
async def recorded(
    servers: Mapping[str, str], prefer: str = "", instead: Mapping[str, str] = MappingProxyType({})
) -> AsyncIterator[Proxy]:
    """A proxy before ``servers``, for the length of a ``with``."""
    proxy = Proxy(dict(sorted(servers.items(), key=lambda pair: -len(pair[0]))), prefer, instead)
    async with aiohttp.ClientSession(auto_decompress=True, cookie_jar=aiohttp.DummyCookieJar()) as session:
        app = web.Application(client_max_size=1 << 24)
        app.router.add_route("*", "/{path:.*}", partial(proxy.hand_on, session))
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            host, port = runner.addresses[0][:2]
            proxy.url = f"http://{host}:{port}"
            yield proxy
        finally:
            await runner.cleanup()
            await asyncio.sleep(0)
