"""What is installed by default is enough for what is there by default, and whoever lacks the rest is told which extra brings it."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import metadata
from importlib.abc import MetaPathFinder
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from orchestrator.assembly.setup_pages import SetupDesk
from orchestrator.settings import load_settings
from storage.errors import Misconfigured
from storage.loading import CHOICES, EXTRAS

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("translators", "storage", "connectors", "orchestrator", "fedsearch")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
WITHOUT = """
import contextlib, importlib.abc, io, json, sys
away = {away!r}
class Away(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in away:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Away())
from orchestrator.main import run
told = []
for argv in {commands!r}:
    sys.argv, out, err = ["fedsearch", *argv], io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            run()
        except SystemExit as ended:
            told.append([ended.code, out.getvalue(), err.getvalue()])
print(json.dumps(told))
"""


def distribution(requirement: str) -> str:
    """The name of a requirement, normalised."""
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert found, requirement
    return re.sub(r"[-_.]+", "-", found[0]).lower()


def brought(names: list[str]) -> set[str]:
    """Distributions that these bring, and what they bring."""
    found: set[str] = set()
    ahead = list(names)
    while ahead:
        name = ahead.pop()
        if name in found:
            continue
        found.add(name)
        if name.startswith("fedsearch"):
            continue
        try:
            wanted = metadata.requires(name) or []
        except metadata.PackageNotFoundError:
            continue
        ahead += [distribution(each) for each in wanted if "extra ==" not in each]
    return found


def of_extra(extra: str) -> list[str]:
    """The distributions of an extra, those of extras that it names included."""
    found = []
    for each in PROJECT["optional-dependencies"][extra]:
        if each.startswith("fedsearch["):
            found += [name for inner in each[10:-1].split(",") for name in of_extra(inner)]
        else:
            found.append(distribution(each))
    return found


def imported() -> Iterator[str]:
    """Top-level modules that our code imports."""
    for room in ROOMS:
        for path in (ROOT / room).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Import):
                    yield from (alias.name.partition(".")[0] for alias in node.names)
                elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                    yield node.module.partition(".")[0]


def test_every_import_is_of_the_default_or_of_an_extra_that_is_told() -> None:
    providers = metadata.packages_distributions()
    default = brought([distribution(each) for each in PROJECT["dependencies"]])
    told = {module for modules in EXTRAS.values() for module in modules}
    foreign = {name for name in imported() if name not in {*sys.stdlib_module_names, *ROOMS}} - told
    missing = {name for name in foreign if not set(map(distribution, providers.get(name, []))) & default}
    assert missing <= {"_typeshed", "hypothesis", "pytest"}, missing  # of types, and of whoever writes sources


@pytest.mark.parametrize("extra", [each for each in EXTRAS if each not in CHOICES])
def test_an_extra_brings_what_is_said_to_come_with_it(extra: str) -> None:
    providers = metadata.packages_distributions()
    there = brought(of_extra(extra))
    for module in EXTRAS[extra]:
        assert set(map(distribution, providers[module])) & there, module
    assert set(of_extra(extra)) <= set(of_extra("all"))


class Wiki(BaseHTTPRequestHandler):
    """A search with a JSON reply."""

    def do_POST(self) -> None:
        hit = {
            "id": "1",
            "title": "Okta rollout",
            "text": "The Okta rollout is on 3 March.",
            "url": "https://x.example/1",
        }
        body = json.dumps({"results": [hit]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None: ...


def run_without_extras(tmp_path: Path, *commands: list[str], **environment: str) -> list[tuple[int, str, str]]:
    """Exit code, output and complaints of each, by one process in which no extra can be imported."""
    away = {module for modules in EXTRAS.values() for module in modules}
    own = {"PYTHONUTF8": "1", "PYTHONPATH": str(ROOT), "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    own |= {"FEDSEARCH_DATA_DIR": str(tmp_path / "data"), "FEDSEARCH_SEARCH__BUDGET": "30", **environment}
    program = [sys.executable, "-c", WITHOUT.format(away=away, commands=commands)]
    done = subprocess.run(
        program, capture_output=True, encoding="utf-8", env=own, cwd=tmp_path, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return [tuple(each) for each in json.loads(done.stdout.splitlines()[-1])]


def test_without_any_extra_a_question_is_answered_and_the_rest_says_what_to_install(tmp_path: Path) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Wiki)
    Thread(target=server.serve_forever, daemon=True).start()
    (tmp_path / "fedsearch" / "sources.d").mkdir(parents=True)
    (tmp_path / "fedsearch" / "sources.d" / "wiki.toml").write_text(
        f'kind = "json_api"\ntitle = "Wiki"\nbase_url = "http://127.0.0.1:{server.server_port}"\n'
        '[request]\nmethod = "POST"\npath = "search"\nbody = { q = "{text}" }\n[reply]\nitems = "$.results"\n'
        '[hit]\nid = "$.id"\ntitle = "$.title"\ntext = "$.text"\nurl = "$.url"\n',
        "utf-8",
    )
    lacking = {"serve": "server", "demo": "sandbox", "mcp": "mcp"}
    asked = [
        ["search", "when is the okta rollout"],
        ["understand", "옥타 도입이 언제예요?"],
        *([name] for name in lacking),
    ]
    try:
        found, korean, *told = run_without_extras(tmp_path, *asked, FEDSEARCH_SOURCES__WIKI__TOKEN="t")
    finally:
        server.shutdown()
        server.server_close()
    assert "3 March" in found[1], found
    assert (korean[0], "fedsearch[korean]" in korean[2]) == (2, True), korean
    for (code, _, said), extra in zip(told, lacking.values(), strict=True):
        assert (code, f"fedsearch[{extra}]" in said) == (2, True), said


async def test_the_page_that_sets_up_says_what_the_pretend_workplace_wants(monkeypatch: pytest.MonkeyPatch) -> None:
    class Away(MetaPathFinder):
        def find_spec(self, name: str, *_: object) -> None:
            if name == "graphql":
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.delitem(sys.modules, "graphql", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Away(), *sys.meta_path])
    desk: Any = SetupDesk(load_settings({}, {}), SimpleNamespace(site=None), None, None, None)  # type: ignore[arg-type]
    with pytest.raises(Misconfigured, match=r"fedsearch\[sandbox\]"):
        await desk.pretend("결제 담당자 누구예요?", None)
