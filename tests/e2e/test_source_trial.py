"""``fedsearch sources try``: a declaration is asked before it is anybody's source, and what is read of its replies is said."""

from __future__ import annotations

import asyncio
import os
import subprocess

from aiohttp import web

from orchestrator.sandbox import Sandbox, load_corpus
from tests.e2e import patience
from tests.e2e.program import ROOT, WARM

PAGE = '{"id": "1", "source": "json_api", "title": "Travel policy", "text": "Trains first.", "url": "https://wiki.example/1"}\n'


async def test_a_declaration_is_tried(tmp_path):
    (tmp_path / "corpus.jsonl").write_text(PAGE, "utf-8")
    file = tmp_path / "hand-book.toml"

    def tried(**more):
        kept = {name: value for name, value in os.environ.items() if not name.startswith("FEDSEARCH_")}
        ours = {"XDG_CONFIG_HOME": str(tmp_path / "none"), "PYTHONPATH": str(ROOT), **patience.COLD, **more}
        command = [*WARM, "sources", "try", str(file), "travel", "policy"]
        return subprocess.run(command, env={**kept, **ours}, capture_output=True, encoding="utf-8", check=False)

    async with Sandbox(load_corpus([str(tmp_path / "corpus.jsonl")]), sources=["json_api"]) as sandbox:
        end = sandbox.endpoints["json_api"]
        file.write_text(
            f'kind = "json_api"\ntitle = "Handbook"\nkinds = ["page"]\nbase_url = "{end.base_url}"\n', "utf-8"
        )
        without = await asyncio.to_thread(tried)
        assert (without.returncode, "Handbook: no token" in without.stderr) == (3, True)
        done = await asyncio.to_thread(tried, FEDSEARCH_SOURCES__HAND_BOOK__TOKEN=end.token)
        assert (done.returncode, done.stderr) == (0, "")
        assert {"travel", "policy"} <= {*done.stdout.partition("sent")[2].split()}  # with what else they may be called
        read = dict(line.split(maxsplit=1) for line in done.stdout.partition("What was read")[2].splitlines()[1:])
        assert (read["title"], read["author"]) == ("1 of 1", "0 of 1")
        file.write_text('kind = "json_api"\ntoken = "x"\n', "utf-8")
        wrong = await asyncio.to_thread(tried)
        assert (wrong.returncode, "is a secret" in wrong.stderr) == (2, True)
    assert not (tmp_path / "none").exists()


ROWS = [
    {"id": str(number), "title": f"Travel policy {number}", "text": "travel policy", "author": author, "day": f"2026-0{number}-10T09:00:00Z"}
    for number, author in enumerate(("Dana Kim", "Dana Kim", "Jake Lee", "Dana Kim"), 1)
]  # fmt: skip
DECLARED = """
kind = "json_api"
title = "Wiki"
base_url = "{url}"
[request]
path = "search"
params = {{ q = "{{text}}", by = "{{author}}", after = "{{since}}", before = "{{until}}" }}
[can]
term = "exact"
author = "{author}"
time = "exact"
[reply]
items = "$.results"
[hit]
id = "$.id"
title = "$.title"
text = "$.text"
author = "$.author"
updated = "$.day"
"""


async def test_what_it_filters_by_is_found_by_asking(tmp_path):
    """The search heeds who wrote, and takes no notice of days, whatever its declaration says."""

    async def search(request):
        by = request.query.get("by", "")
        return web.json_response({"results": [row for row in ROWS if by in row["author"]]})

    app = web.Application()
    app.router.add_get("/search", search)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    file = tmp_path / "wiki.toml"
    file.write_text(DECLARED.format(url=f"http://127.0.0.1:{runner.addresses[0][1]}", author="exact"), "utf-8")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("FEDSEARCH_")}
    ours = {
        "XDG_CONFIG_HOME": str(tmp_path / "none"),
        "PYTHONPATH": str(ROOT),
        **patience.COLD,
        "FEDSEARCH_SOURCES__WIKI__TOKEN": "t",
    }
    command = [*WARM, "sources", "try", str(file), "travel", "policy", "--filters"]
    try:
        done = await asyncio.to_thread(
            subprocess.run, command, env={**kept, **ours}, capture_output=True, encoding="utf-8", check=False
        )
    finally:
        await runner.cleanup()
    assert done.returncode == 0, done.stderr
    told = {
        line.split()[0]: " ".join(line.split())
        for line in done.stdout.partition("What it filters by")[2].splitlines()
        if line.strip()
    }
    assert 'from:"Dana Kim" exact: nothing else came' in told["author"], done.stdout
    assert "not heeded" in told["time"], done.stdout
