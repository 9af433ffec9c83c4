"""What libraries write down of questions and answers is heard at no level; as JSON, each line is an object, ours and theirs."""

import json
import logging
import subprocess
import sys
from pathlib import Path

import structlog

from orchestrator.assembly.logs import log_to_stderr
from orchestrator.settings import load_settings

ROOT = Path(__file__).parents[3]


def test_libraries_are_heard_from_info_on(capsys, monkeypatch):
    """Ours at DEBUG; theirs at INFO, also where one has set a level of its own."""
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    monkeypatch.setattr(logging.getLogger(), "level", logging.WARNING)
    log_to_stderr(load_settings({"log": {"level": "DEBUG"}}, {}).log)
    loud = logging.getLogger("a.library.that.wants.to.be.heard")
    loud.setLevel(logging.DEBUG)
    for each in (logging.getLogger("sse_starlette.sse"), loud):
        each.debug("chunk: %s", "연봉 secret answer")
        each.info("started")
    structlog.get_logger().debug("ours", source="slack")
    said = capsys.readouterr().err
    assert "secret" not in said
    assert said.count("started") == 2
    assert "ours" in said


PROGRAM = """
import logging
from orchestrator.assembly.logs import log_to_stderr
from orchestrator.settings import load_settings
from storage.logs import log_of
log = log_of("ours")
log_to_stderr(load_settings({"log": {"level": "INFO", "format": "FORMAT"}}, {}).log)
log.info("request", path="/v1/검색", took=0.1)
log.debug("too quiet")
logging.getLogger("some.library").warning("theirs %s", "too")
def work(secret):
    raise ValueError("broken")
try:
    work("planted-secret")
except ValueError:
    log.exception("failed")
    logging.getLogger("some.library").exception("failed as well")
"""


def lines(form):
    program = [sys.executable, "-c", PROGRAM.replace("FORMAT", form)]
    done = subprocess.run(program, capture_output=True, encoding="utf-8", check=True)
    assert done.stdout == ""
    assert "planted-secret" not in done.stderr
    return done.stderr.splitlines()


def test_each_line_is_an_object_that_says_when_how_bad_and_what():
    ours, theirs, failed, failed_there = map(json.loads, lines("json"))
    assert (ours["message"], ours["level"], ours["path"], ours["took"]) == ("request", "info", "/v1/검색", 0.1)
    assert ours["time"].endswith("Z")
    assert (theirs["message"], theirs["level"], theirs["logger"]) == ("theirs too", "warning", "some.library")
    for each in (failed, failed_there):
        (told,) = each["exception"]
        assert (told["exc_type"], told["exc_value"], told["frames"][-1]["name"]) == ("ValueError", "broken", "work")


def test_for_people_they_are_lines():
    told = lines("text")
    assert any("request" in line and "path=/v1/검색" in line for line in told)
    assert any(line.endswith("[WARNING] some.library theirs too") for line in told)


def test_every_log_is_opened_in_one_place():
    """Whoever asks structlog itself would write before it is set up, to standard output."""
    modules = (
        each
        for room in ("connectors", "orchestrator", "storage", "translators")
        for each in (ROOT / room).rglob("*.py")
    )
    asking = {
        each.relative_to(ROOT).as_posix() for each in modules if "structlog.get_logger(" in each.read_text("utf-8")
    }
    assert asking == {"storage/logs.py"}
