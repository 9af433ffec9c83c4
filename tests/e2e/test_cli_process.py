"""What only a real process shows of the command line: a terminal, Ctrl-C, a reader that leaves."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import socket
import subprocess
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from tests.clock import HANGING
from tests.e2e.cli_workplace import NOW, clean_environment, start
from tests.e2e.program import COLD, WARM

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path


def test_progress_is_drawn_on_a_terminal_and_a_slow_and_a_broken_source_are_named(workplace: dict[str, str]) -> None:
    """Standard error is a pseudo-terminal here; standard output a pipe, which must hold the JSON object alone."""
    ours, theirs = pty.openpty()
    environment = {
        **workplace,
        "TERM": "xterm-256color",
        "FEDSEARCH_SOURCES__SLACK__BASE_URL": f"http://{_silent()}/",
        "FEDSEARCH_SOURCES__GMAIL__BASE_URL": "http://127.0.0.1:9",
    }
    process = start(environment, "search", "--json", "--budget", "600", "Okta rollout", *NOW, stderr=theirs)
    os.close(theirs)
    done = r"{source} (\x1b\[[\d;]*m| )+[a-z]"  # a spinner stands there until then
    with closing(_written(ours)) as drawn:
        seen = next(
            text
            for text in drawn
            if all(re.search(done.format(source=each), text) for each in ("Gmail", "Linear", "Notion"))
        )
        process.send_signal(signal.SIGUSR1)  # and the budget is over
        for _ in drawn:
            pass
    assert "waiting" in seen
    out, _ = process.communicate(timeout=HANGING)
    answer = json.loads(out)
    states = {each["source"]: each["status"] for each in answer["sources"]}
    assert process.returncode == 0
    assert (states["slack"], states["gmail"]) == ("timed out", "failed")
    assert {result["source"] for result in answer["results"]} == {"linear", "notion"}


def _written(terminal: int) -> Generator[str, None, None]:
    """All that was written to a pseudo-terminal, whenever there is more, until its other side closes; closes ours."""
    read = b""
    try:
        while select.select([terminal], [], [], HANGING)[0]:
            try:
                more = os.read(terminal, 65536)
            except OSError:  # Linux says EIO when the other side has closed
                break
            if not more:
                break
            read += more
            yield read.decode("utf-8", "replace")
    finally:
        os.close(terminal)


_listeners: list[socket.socket] = []


def _silent() -> str:
    """The address of a server that accepts and never answers."""
    listener = socket.create_server(("127.0.0.1", 0))
    _listeners.append(listener)
    return f"127.0.0.1:{listener.getsockname()[1]}"


@pytest.fixture(autouse=True)
def _close_listeners() -> Iterator[None]:
    yield
    while _listeners:
        _listeners.pop().close()


def test_ctrl_c_ends_a_search_without_a_traceback(workplace: dict[str, str]) -> None:
    address = _silent()
    environment = {**workplace, "FEDSEARCH_SOURCES__SLACK__BASE_URL": f"http://{address}/"}
    process = start(environment, "search", "Okta", "-s", "slack", "--budget", "60", cold=True)
    _listeners[-1].settimeout(HANGING)
    connection, _ = _listeners[-1].accept()
    process.send_signal(signal.SIGINT)
    out, said = process.communicate(timeout=HANGING)
    connection.close()
    assert (process.returncode, out, said) == (130, "", "")


def test_a_reader_that_leaves_ends_it_quietly(workplace: dict[str, str]) -> None:
    with start(workplace, "search", "Okta rollout", *NOW, cold=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        said = process.stderr.read()
        assert (process.wait(timeout=HANGING), said) == (141, "")


def test_hostile_items_do_not_reach_the_terminal(home: Path, tmp_path: Path) -> None:
    """Escape sequences, direction changes and markup in a message come out as harmless text, and whole as JSON."""
    evil = "pricing \x1b]0;owned\x07\x1b[2J[bold red]shout[/] \u202eexe.txt\u202c \x9b31m"
    row = {"id": "x1", "source": "slack", "kind": "message", "container": "general", "author": "eve", "text": evil}
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text(json.dumps({**row, "created": "2026-11-19T01:00:00Z"}) + "\n", "utf-8")
    environment = clean_environment(home)
    done = subprocess.run(
        [*WARM, "demo", "--corpus", str(corpus), "pricing"],
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "[bold red]shout[/]" in done.stdout
    assert not set("\x1b\x9b\x07\u202e\u202c") & set(done.stdout)


def test_no_color_is_respected(workplace: dict[str, str]) -> None:
    """On a terminal that wants no colours, nothing is coloured; bold and links may stay."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*COLD, "understand", "pricing"],
        env={**workplace, "TERM": "xterm-256color", "NO_COLOR": "1"},
        cwd=workplace["HOME"],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
    ) as process:
        os.close(theirs)
        *_, shown = _written(ours)
        assert process.wait(timeout=HANGING) == 0
    assert "pricing" in shown
    assert not re.search(r"\x1b\[[0-9;]*3[0-7]m", shown)
