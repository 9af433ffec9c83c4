"""``fedsearch audit``: the log as its writer writes it, read from its end."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest
from rich.cells import cell_len
from typer.testing import CliRunner

from orchestrator import lines
from orchestrator.access import AuditLog, newest_first
from orchestrator.main import Root
from orchestrator.model import Ask, Principal
from orchestrator.surfaces.cli import make_cli
from orchestrator.surfaces.cli.audit_view import AuditFilter, audit_view, newest, read_entry

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

START = datetime(2026, 11, 20, 1, 0, tzinfo=UTC)
HOSTILE = "\x1b]0;owned\x07\x1b[2J\r\u202egpj.exe\x9b31m"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "audit.jsonl"


@pytest.fixture
def fedsearch(log: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    monkeypatch.setenv("FEDSEARCH_SERVER__AUDIT", str(log))
    monkeypatch.setenv("FEDSEARCH_DATA_DIR", str(log.parent))
    monkeypatch.setenv("FEDSEARCH_LOCALE__ZONE", "Asia/Seoul")
    monkeypatch.setenv("COLUMNS", "100")
    app = make_cli(Root())
    return lambda *typed: CliRunner().invoke(app, ["audit", *typed])


def entry(number: int = 0, **changes: Any) -> dict[str, Any]:
    plain = {
        "at": (START + timedelta(minutes=number)).isoformat(),
        "request": f"r{number}",
        "principal": "emily",
        "type": "decision",
        "results": 7,
        "took": 0.4321,
        "sources": {
            "slack": {"status": "ok", "requests": 2, "returned": 20},
            "linear": {"status": "timed out", "requests": 3, "returned": 0},
        },
    }
    return {**plain, **changes}


def write(log: Path, *entries: dict[str, Any] | bytes) -> None:
    rows = [
        each if isinstance(each, bytes) else json.dumps(each, ensure_ascii=False).encode() + b"\n" for each in entries
    ]
    log.write_bytes(b"".join(rows))


def requests(done: Any) -> list[str]:
    return [json.loads(each)["request"] for each in done.stdout.splitlines()]


async def test_what_the_server_writes_is_shown(
    fedsearch: Callable[..., Any], log: Path, answer: Callable[..., Any]
) -> None:
    written, found = AuditLog(log, lambda: START, texts=True), answer("ko")
    ask = Ask("2027 요금 결정된 거 있나요?", START, Principal("이수진"))
    await written.asked(ask, found, "r1")
    await written.noted("이수진", "connected", "notion", START + timedelta(hours=1), "r2")
    done = fedsearch()
    assert done.exit_code == 0
    assert done.stderr == ""
    rows = done.stdout.splitlines()
    assert rows[0].split()[:3] == ["time", "principal", "type"]
    linear, slack = (next(each for each in rows if name in each) for name in ("linear", "slack"))
    assert linear.startswith("2026-11-20 ")
    assert "10:00:00" in done.stdout
    assert "이수진" in linear
    assert "decision" in linear
    assert "linear failed 1/0" in linear
    assert "0.52 s" in linear
    assert "slack ok 2/1" in slack
    assert "요금" in done.stdout
    assert next(each for each in rows if "notion" in each).split()[-3:] == ["이수진", "connected", "notion"]


def test_the_newest_are_shown_last(fedsearch: Callable[..., Any], log: Path) -> None:
    write(log, *(entry(number) for number in range(60)))
    assert requests(fedsearch("--json")) == [f"r{number}" for number in range(10, 60)]
    assert requests(fedsearch("--json", "--last", "2")) == ["r58", "r59"]
    shown = [each[:19] for each in fedsearch("-n", "2").stdout.splitlines() if each.startswith("2026")]
    assert shown == ["2026-11-20 10:58:00", "2026-11-20 10:59:00"]


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        (["--principal", "이수진"], ["r1", "r3"]),
        (["--source", "linear"], ["r0", "r1"]),
        (["--source", "notion"], ["r3"]),
        (["--since", "2026-11-20T10:02:00"], ["r2", "r3"]),  # where the asker is
        (["--since", "2026-11-20T01:02:00+00:00"], ["r2", "r3"]),
        (["--since", "2026-11-20", "--principal", "emily"], ["r0", "r2"]),
        (["--principal", "이수진", "--last", "1"], ["r3"]),
        (["--principal", "이"], []),
        (["--since", "2026-11-21"], []),
    ],
)
def test_filters(fedsearch: Callable[..., Any], log: Path, typed: list[str], kept: list[str]) -> None:
    account = {"at": entry(3)["at"], "request": "r3", "principal": "이수진", "action": "connected", "source": "notion"}
    write(log, entry(0), entry(1, principal="이수진"), entry(2, sources={}), account)
    done = fedsearch("--json", *typed)
    assert requests(done) == kept
    assert done.exit_code == (0 if kept else 1)
    assert bool(done.stderr) is not bool(kept)


async def test_the_time_is_the_servers_whatever_a_caller_says(
    fedsearch: Callable[..., Any], log: Path, answer: Callable[..., Any]
) -> None:
    """Who may ask as if it were 1999 must not hide from whoever looks at today."""
    written = AuditLog(log, lambda: START, texts=False)
    claimed = datetime(1999, 1, 1, tzinfo=START.tzinfo)
    await written.asked(Ask("?", claimed, Principal("kim")), answer("ko"), "r1")
    await written.asked(Ask("?", START, Principal("kim")), answer("ko"), "r2")
    first, second = map(json.loads, fedsearch("--json", "--since", "2026-11-20").stdout.splitlines())
    assert (first["at"], first["as_if"]) == (START.isoformat(), claimed.isoformat())
    assert "as_if" not in second


def test_a_line_with_an_earlier_time_hides_nobody_before_it(fedsearch: Callable[..., Any], log: Path) -> None:
    """Clocks are put back: times in the file do not only grow."""
    write(log, entry(0), entry(1, at="1999-01-01T00:00:00+00:00"), entry(2))
    assert requests(fedsearch("--json", "--since", "2026-11-20")) == ["r0", "r2"]


@pytest.mark.parametrize(
    "broken",
    [
        b'{"at": "2026-11-20T01:00:00+00:00", "princ',
        b"\xff\xfe\n",
        b"null\n",
        b"[" * 100_000 + b"\n",
        b'{"a":' * 100_000 + b"\n",
        b'{"at": "2026-11-20T01:00:00", "principal": "no zone"}\n',
        b'{"at": "0001-01-01T00:00:00+00:00", "principal": "no such zone there"}\n',
        b'{"at": "2026-11-20T01:00:00+00:00", "principal": "x", "results": 1e999}\n',
        b'{"at": "2026-11-20T01:00:00+00:00", "principal": "x", "sources": {"slack": []}}\n',
        b'{"at": "2026-11-20T01:00:00+00:00", "principal": "x", "results": ' + b"9" * 5000 + b"}\n",
    ],
)
def test_broken_lines_are_counted_and_left_out(fedsearch: Callable[..., Any], log: Path, broken: bytes) -> None:
    write(log, entry(0), b"\n", entry(1), broken)
    done = fedsearch("--json")
    assert requests(done) == ["r0", "r1"]
    assert "1 line of" in done.stderr
    assert fedsearch().exit_code == 0


def test_nothing_moves_the_terminal(fedsearch: Callable[..., Any], log: Path) -> None:
    sources = {HOSTILE: {"status": HOSTILE, "requests": 1, "returned": 1}}
    hostile = entry(0, principal=HOSTILE, type=HOSTILE, question=HOSTILE, sources=sources)
    account = {"at": entry(1)["at"], "principal": HOSTILE, "action": HOSTILE, "source": HOSTILE}
    write(log, hostile, account, b"\r\x1b[2J" + json.dumps(entry(2)).encode() + b"\r\n")
    for typed in ([], ["--json"]):
        done = fedsearch(*typed)
        assert "gpj.exe" in done.stdout
        assert not set(done.stdout) & set("\x1b\x07\r\x9b\u202e")
        assert not set(done.stderr) & set("\x1b\x07\r\x9b\u202e")
    first = json.loads(fedsearch("--json").stdout.splitlines()[0])
    assert first == hostile  # escaped, and nothing lost


def test_json_gives_the_lines_as_they_are(fedsearch: Callable[..., Any], log: Path) -> None:
    write(log, entry(0, question="누가 결정했나요?", later={"version": [1.5, None]}))
    assert fedsearch("--json").stdout.encode() == log.read_bytes()


@pytest.mark.parametrize("width", [40, 80, 100])
def test_hangul_takes_two_cells(render: Callable[..., str], width: int) -> None:
    rows = [entry(0, principal="김민수", type="결정"), entry(1, principal="kim", type="status")]
    entries = [read_entry(json.dumps(each).encode()) for each in rows]
    shown = render([audit_view([each for each in entries if each], ZoneInfo("Asia/Seoul"))], width).splitlines()
    assert {cell_len(each) for each in shown} == {cell_len(shown[0])}
    assert all(cell_len(each) <= width for each in shown)
    if width == 100:
        head, korean, english = shown[0], *(each for each in shown if each.startswith("2026"))
        assert {cell_len(each[: each.index("slack")]) for each in (korean, english)} == {head.index("source")}


def test_questions_have_a_column_only_where_they_were_kept(fedsearch: Callable[..., Any], log: Path) -> None:
    write(log, entry(0))
    assert "question" not in fedsearch().stdout
    write(log, entry(0), entry(1, question="결제 " * 500))
    shown = fedsearch().stdout
    assert "question" in shown
    assert len(shown.splitlines()) < 12
    assert "…" in shown


def test_where_no_log_is_kept_it_says_what_to_set(
    fedsearch: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FEDSEARCH_SERVER__AUDIT", "")
    done = fedsearch()
    assert done.exit_code == 2
    assert "set server.audit" in done.stderr
    assert done.stdout == ""


def test_where_no_log_is_kept_what_was_changed_is_shown(
    fedsearch: Callable[..., Any], log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FEDSEARCH_SERVER__AUDIT", "")
    change = {"at": START.isoformat(), "request": "", "principal": "command line:ops"}
    write(log.with_name("changes.jsonl"), {**change, "action": "role given", "source": "group:ops (admin)"})
    done = fedsearch()
    assert (done.exit_code, "no questions are noted" in done.stderr) == (0, True)
    assert all(said in done.stdout for said in ("command line:ops", "role given", "group:ops (admin)"))


def test_a_log_that_is_not_there_yet_is_empty(fedsearch: Callable[..., Any], log: Path) -> None:
    done = fedsearch()
    assert done.exit_code == 1
    assert str(log) in done.stderr.replace("\n", "")


def test_a_folder_is_no_log(fedsearch: Callable[..., Any], log: Path) -> None:
    log.mkdir()
    done = fedsearch()
    assert done.exit_code == 2
    assert "no file" in done.stderr


@pytest.mark.parametrize("typed", [["--since", "gestern"], ["--since", "9999-01-01"], ["--last", "0"]])
def test_slips_are_named(fedsearch: Callable[..., Any], log: Path, typed: list[str]) -> None:
    write(log, entry(0))
    done = fedsearch(*typed)
    assert done.exit_code == 2
    assert typed[0] in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("block", [1, 2, 3, 7, 64, 10_000])
def test_lines_are_whole_however_the_blocks_fall(log: Path, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "BLOCK", block)
    written = ["첫째", "", "둘째 줄", "x" * 100, "끝"]
    log.write_text("\n".join(written), "utf-8")
    assert [each.decode() for each in newest_first(log) if each is not None] == written[::-1]
    log.write_text("".join(f"{each}\n" for each in written), "utf-8")
    assert [each.decode() for each in newest_first(log) if each is not None] == ["", *written[::-1]]


@pytest.mark.parametrize("length", [19, 20, 21, 45])
def test_a_line_beyond_measure_is_not_held(log: Path, length: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "BLOCK", 8)
    monkeypatch.setattr(lines, "LONGEST_LINE", 20)
    log.write_bytes(b"before\n" + b"x" * length + b"\nafter")
    assert list(newest_first(log)) == [b"after", b"x" * length if length <= 20 else None, b"before"]


def test_only_the_end_of_a_large_file_is_read(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(log, *(entry(number % 60) for number in range(20_000)))
    read = 0
    blocks = lines._blocks

    def counted(file: Any) -> Any:
        nonlocal read
        for block in blocks(file):
            read += len(block)
            yield block

    monkeypatch.setattr(lines, "_blocks", counted)
    assert len(newest(log, AuditFilter(50)).entries) == 50
    assert read <= 2 * lines.BLOCK < log.stat().st_size
