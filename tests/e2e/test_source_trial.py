"""``fedsearch sources try``: a declaration is asked before it is anybody's source, and what is read of its replies is said."""

from __future__ import annotations

import asyncio
import os
import subprocess

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
        assert "travel policy" in done.stdout.partition("sent")[2]
        read = dict(line.split(maxsplit=1) for line in done.stdout.partition("What was read")[2].splitlines()[1:])
        assert (read["title"], read["author"]) == ("1 of 1", "0 of 1")
        file.write_text('kind = "json_api"\ntoken = "x"\n', "utf-8")
        wrong = await asyncio.to_thread(tried)
        assert (wrong.returncode, "is a secret" in wrong.stderr) == (2, True)
    assert not (tmp_path / "none").exists()
