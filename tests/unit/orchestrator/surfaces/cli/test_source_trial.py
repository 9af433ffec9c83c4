"""``fedsearch sources try --filters --keep``: what a tool filters by, found by asking it, kept and planned by."""

import json
import sys

import pytest
from typer.testing import CliRunner

from orchestrator.assembly.sources import profile_of, source_settings
from orchestrator.main import Root
from orchestrator.settings import load_settings
from orchestrator.surfaces.cli import make_cli
from tests.e2e import patience
from tests.e2e.program import ROOT

ROWS = [
    {"id": str(number), "title": f"Travel policy {number}", "text": "travel policy", "author": author, "updated": f"2026-0{number}-10T09:00:00Z",
     "url": f"https://wiki.example/{number}"}
    for number, author in enumerate(("Dana Kim", "Dana Kim", "Jake Lee", "Dana Kim"), 1)
]  # fmt: skip
TOOL = """kind = "mcp_client"
title = "Handbook"
command = {command}
tool = "search_written"
[can]
term = "exact"
[hit]
author = "$.author"
updated = "$.updated"
"""


@pytest.fixture
def handbook(tmp_path, monkeypatch):
    """A tool whose declaration names nothing that it filters by, and the command line of whoever has it."""
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, ROWS)), "utf-8")
    server = ROOT / "tests" / "e2e" / "mcp_search_server.py"
    file = tmp_path / "sources.d" / "hand-book.toml"
    file.parent.mkdir()
    started = f'echo >> {tmp_path / "starts"}; exec "$0" "$@"'
    command = json.dumps(["sh", "-c", started, sys.executable, str(server), "stdio", str(tmp_path / "rows.jsonl")])
    file.write_text(TOOL.format(command=command), "utf-8")
    (tmp_path / "fedsearch.toml").touch()
    for name, value in {**patience.COLD, "FEDSEARCH_CONFIG": str(tmp_path / "fedsearch.toml")}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("FEDSEARCH_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("FEDSEARCH_THINKING__PROCESSES", "0")
    monkeypatch.setenv("COLUMNS", "200")
    app = make_cli(Root())
    return file, lambda *typed: CliRunner().invoke(app, ["sources", *typed])


def test_what_a_tool_filters_by_is_found_kept_planned_by_and_forgotten(handbook):
    """It takes the author as ``created_by`` and a day as ``from_date``; ``owner`` it takes and heeds not."""
    file, fedsearch = handbook

    def planned():
        kind, options = source_settings("hand_book", load_settings().sources["hand_book"])
        powers = profile_of("hand_book", kind, options).can.fields
        return {str(name): str(how) for name, how in powers.items() if how != "none"}, dict(options.arguments)

    assert planned() == ({}, {"query": "{text}"})
    tried = fedsearch("try", str(file), "travel", "policy", "--filters", "--keep")
    assert tried.exit_code == 0, tried.output
    assert "by the argument created_by" in tried.stdout
    starts = file.parent.parent.joinpath("starts").read_text("utf-8").count("\n")
    assert starts == 2, "once as it is declared, and once for all that is tried besides"
    powers, arguments = planned()
    assert powers == {"author": "exact", "time": "wider"}  # until when, nothing was found to ask by
    assert arguments == {"query": "{text}", "created_by": "{author}", "from_date": "{since}"}
    listed = " ".join(fedsearch("found").stdout.split())
    assert "hand_book author exact, time wider" in listed
    assert {"created_by,", "from_date"} <= set(listed.split())
    again = fedsearch("try", str(file), "travel", "policy", "--filters")  # as declared, and not as found
    assert "by the argument created_by" in again.stdout
    file.write_text(file.read_text("utf-8").replace("Handbook", "Manual"), "utf-8")
    assert planned()[0] == powers, "a title changes nothing of it"
    file.write_text(file.read_text("utf-8") + 'title = "$.name"\n', "utf-8")
    assert planned()[0] == {}, "what is read otherwise now is not as it was seen"
    assert "no longer heeded" in fedsearch("found", "hand_book").stdout
    assert fedsearch("found", "hand_book", "--forget").exit_code == 0
    assert fedsearch("found", "hand_book", "--forget").exit_code == 2


def test_a_source_is_removed_by_its_name_and_that_is_written_down(handbook, tmp_path, monkeypatch):
    file, fedsearch = handbook
    for wrong in ("handbook", "../fedsearch"):
        assert (fedsearch("remove", wrong).exit_code, file.exists()) == (2, True)
    with monkeypatch.context() as told:
        told.setenv("FEDSEARCH_SOURCES__HAND_BOOK__TITLE", "Handbook")  # it would be asked again
        assert (fedsearch("remove", "hand_book").exit_code, file.exists()) == (2, True)
    assert not (tmp_path / "data" / "changes.jsonl").exists()
    done = fedsearch("remove", "hand_book")
    assert (done.exit_code, done.stdout) == (0, f"removed {file}\n")
    assert load_settings().sources == {}
    line = json.loads((tmp_path / "data" / "changes.jsonl").read_text("utf-8"))
    assert (line["action"], line["source"]) == ("source removed", "hand_book")
