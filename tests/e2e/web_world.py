"""A small public web for tests: the same pages behind every vendor, a command called ``gemini``, and a tool over MCP."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from orchestrator.sandbox import load_corpus

if TYPE_CHECKING:
    from pathlib import Path

    from orchestrator.sandbox import Corpus, Sandbox

VENDORS = ("brave", "gemini", "searxng", "serpapi")
PAGES = (
    ("react", "https://react.dev/reference/react/Suspense", "Suspense – React", "Suspense shows a fallback. It waits for lazy components.", "2026-01-05T00:00:00Z"),
    ("guide", "https://www.freecodecamp.org/news/suspense", "A guide to Suspense", "Learn suspense with hooks. A legacy mode exists.", "2025-06-01T00:00:00Z"),
    ("k8s", "https://kubernetes.io/ko/docs/home/", "쿠버네티스 문서", "쿠버네티스는 컨테이너 배포를 자동화한다. 확장도 한다.", "2026-02-10T00:00:00Z"),
    ("k8s-en", "https://kubernetes.io/docs/home/", "Kubernetes documentation", "Kubernetes automates deployment. It scales.", "2026-02-11T00:00:00Z"),
    ("undated", "https://example.org/timeless", "Timeless suspense", "Nobody knows when suspense was written here.", ""),
)  # fmt: skip


def web_corpus(folder: Path) -> Corpus:
    """Every page for every vendor; ids are the vendor's name and the page's."""
    folder.mkdir(exist_ok=True)
    rows = [
        {"id": f"{vendor}-{name}", "source": vendor, "kind": "web_page", "title": title, "text": text, "url": url, "updated": updated}
        for vendor in VENDORS
        for name, url, title, text, updated in PAGES
    ]  # fmt: skip
    (folder / "pages.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return load_corpus(folder)


def at(sandbox: Sandbox, *vendors: str) -> dict[str, dict[str, str]]:
    """Settings of links, by vendor."""
    places = sandbox.endpoints
    return {name: {"base_url": places[name].base_url, "token": places[name].token} for name in vendors}


# ---- a program called gemini, as https://geminicli.com/docs/cli/headless describes it

GEMINI = r"""#!{python} -IS
import json, os, signal, subprocess, sys, time
argv = sys.argv[1:]
told = dict(argv=argv, key=os.environ.get("GEMINI_API_KEY", ""), names=sorted(os.environ), folder=os.listdir("."), stdin=sys.stdin.read())
open({log!r}, "a").write(json.dumps(told) + "\n")
mode = open({mode!r}).read().strip()
if argv == ["--version"]:
    print("0.61.2")
    sys.exit(0)
if "--prompt" not in argv or argv[argv.index("--output-format") + 1] not in ("json", "stream-json", "text"):
    sys.stderr.write("usage\n")
    sys.exit(42)
def fail(code, message):
    sys.stderr.write(json.dumps(dict(session_id="s", error=dict(type="FatalError", message=message, code=code)), indent=2) + "\n")
    sys.exit(code)
if mode.isdigit():
    fail(int(mode), "it went wrong")
if mode in ("hang", "orphan"):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    child = subprocess.Popen(["sleep", "600"])
    open({pids!r}, "w").write(f"{{os.getpid()}} {{child.pid}}\n")
if mode == "hang":
    time.sleep(600)
if mode == "garbage":
    sys.stdout.write("\x1b[31m\x00 not json at all")
    sys.exit(0)
if mode == "huge":
    while True:
        sys.stdout.write("x" * 65536)
prompt = argv[argv.index("--prompt") + 1]
answer = "Suspense shows a fallback.[1]\n\nSources:\n[1] react.dev (https://react.dev/reference/react/Suspense)"
if argv[argv.index("--output-format") + 1] == "stream-json":
    for event in (dict(type="init", session_id="s", model="m"), dict(type="message", role="user", content=prompt),
                  dict(type="message", role="assistant", content=answer, delta=True), dict(type="result", status="success")):
        print(json.dumps(event))
else:
    print(json.dumps(dict(session_id="s", response=answer, stats=dict())))
"""


class FakeGemini:
    """An executable called ``gemini`` in a folder for PATH. ``mode``: an exit status, hang, orphan, garbage, huge; or empty."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._log, self._mode, self.pids = (folder / name for name in ("log", "mode", "pids"))
        program = folder / "gemini"
        said = {"python": sys.executable, "log": str(self._log), "mode": str(self._mode), "pids": str(self.pids)}
        program.write_text(GEMINI.format(**said), "utf-8")
        program.chmod(0o700)
        self.mode("")

    def mode(self, mode: str) -> None:
        """How it behaves from now on."""
        self._mode.write_text(mode, "utf-8")

    @property
    def processes(self) -> list[int]:
        """Itself and what it has started, once that is so."""
        told = self.pids.read_text("ascii") if self.pids.exists() else ""
        return list(map(int, told.split())) if told.endswith("\n") else []

    @property
    def starts(self) -> list[dict[str, Any]]:
        """How it was started so far."""
        return [json.loads(line) for line in self._log.read_text("utf-8").splitlines()] if self._log.exists() else []


# ---- a server of the Model Context Protocol with a tool of the same name as Gemini's

SERVER = r"""
import pathlib
import anyio
from mcp.server.mcpserver import MCPServer
from mcp.types import CallToolResult, TextContent
server = MCPServer("gemini search")
ANSWER = "쿠버네티스는 배포를 자동화한다.[1]\n\nSources:\n[1] 쿠버네티스 문서 (https://kubernetes.io/ko/docs/home/)"
@server.tool()
def google_web_search(query: str) -> CallToolResult:
    '''An answer and its sources.'''
    return CallToolResult(content=[TextContent(type="text", text=ANSWER)])
@server.tool()
def broken(query: str) -> str:
    '''Always an error.'''
    raise ValueError("quota")
@server.tool()
async def hang(query: str) -> str:
    '''Never an answer.'''
    pathlib.Path(__file__).with_name("hangs").touch()
    await anyio.sleep_forever()
    return query
server.run("stdio")
"""


def mcp_command(folder: Path) -> list[str]:
    """The command that starts the server."""
    path = folder / "gemini_mcp.py"
    path.write_text(SERVER, "utf-8")
    return [sys.executable, str(path)]
