"""The command line as people meet it: real processes over real sockets against the sandbox."""

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
from tests.conformance.marks import requirement
from tests.e2e import patience
from tests.e2e.program import COLD, ROOT, WARM

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping
    from pathlib import Path


NOW = ("--now", "2026-11-20T10:00:00+09:00")
SOURCES = ("gmail", "linear", "notion", "slack")

Done = subprocess.CompletedProcess[str]


def clean_environment(home: Path, **more: str) -> dict[str, str]:
    """No settings but those given."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("FEDSEARCH_")}
    ours = {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home),
        "PYTHONPATH": str(ROOT),
        "COLUMNS": "80",
        "LC_ALL": "C.UTF-8",
    }
    return {**kept, **ours, **patience.COLD, **more}


def start(
    environment: Mapping[str, str], *arguments: str, stderr: int = subprocess.PIPE, cold: bool = False
) -> subprocess.Popen[str]:
    """``fedsearch`` with these arguments, its streams in pipes; ``cold`` from nothing."""
    return subprocess.Popen(
        [*(COLD if cold else WARM), *arguments],
        env=dict(environment),
        cwd=environment["HOME"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=stderr,
        encoding="utf-8",
    )


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home without settings."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def workplace(home: Path) -> Iterator[dict[str, str]]:
    """The environment that points at a running ``fedsearch sandbox``, as its own output says."""
    process = start(clean_environment(home), "sandbox")
    assert process.stdout is not None
    exports: dict[str, str] = {}
    for text in process.stdout:
        if match := re.fullmatch(r"export (\w+)=(\S+)\n", text):
            exports[match[1]] = match[2]
        if "Ctrl-C" in text:
            break
    yield clean_environment(home, **exports)
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=HANGING)
    assert (process.returncode, said) == (0, "stopped\n")


@pytest.fixture
def fedsearch(workplace: dict[str, str]) -> Callable[..., Done]:
    """Run a command in the workplace to its end; ``env`` adds to the environment, ``typed`` goes to standard input, ``cold`` from nothing."""

    def run(*arguments: str, typed: str | bytes = "", env: Mapping[str, str] | None = None, cold: bool = False) -> Done:
        data = typed.encode() if isinstance(typed, str) else typed
        done = subprocess.run(
            [*(COLD if cold else WARM), *arguments],
            env={**workplace, **(env or {})},
            input=data,
            capture_output=True,
            check=False,
            cwd=workplace["HOME"],
        )
        out, err = done.stdout.decode("utf-8"), done.stderr.decode("utf-8")
        assert "Traceback" not in err, err
        return subprocess.CompletedProcess(done.args, done.returncode, out, err)

    return run


# ---- search


@requirement("6.20", "A command line for people: the cited answer, its results, and what was asked of whom", where="orchestrator/surfaces/cli")  # fmt: skip
@pytest.mark.parametrize(
    ("question", "cited"),
    [
        ("what did we decide about the 2027 pricing start date", "1 January 2027"),
        ("API 마이그레이션 일정에 대해 무엇을 결정했나요?", "12월 7일"),
    ],
)
def test_search_prints_a_cited_answer_and_a_receipt(fedsearch: Callable[..., Done], question: str, cited: str) -> None:
    done = fedsearch("search", question, *NOW, cold="API" in question)
    assert done.returncode == 0
    assert cited in done.stdout
    assert re.search(r"” \[\d+\]", done.stdout)
    assert all(re.search(f"^{title} · ", done.stdout, re.MULTILINE) for title in ("Gmail", "Linear", "Notion", "Slack"))
    assert "\x1b" not in done.stdout
    assert done.stderr == ""


def test_search_as_json_is_one_object_and_nothing_else(fedsearch: Callable[..., Done]) -> None:
    done = fedsearch("search", "--json", "쿠버네티스", "이전", "지금", "어디까지", "됐나요?", *NOW)
    answer = json.loads(done.stdout)
    assert done.returncode == 0
    assert answer["question"]["text"] == "쿠버네티스 이전 지금 어디까지 됐나요?"
    assert [source["source"] for source in answer["sources"]] == list(SOURCES)
    assert [result["number"] for result in answer["results"]] == list(range(1, len(answer["results"]) + 1))


@pytest.mark.parametrize(
    ("first", "then", "taken"),
    [
        (
            "What did we decide about the API migration?",
            "who decided that?",
            "Taken as: API migration who decided that?",
        ),
        (
            "API 마이그레이션 일정에 대해 무엇을 결정했나요?",
            "그건 누가 정했어?",
            "이렇게 이해했습니다: API 마이그레이션 누가 정했어?",
        ),
    ],
)
def test_a_question_goes_on_from_the_last_one(
    fedsearch: Callable[..., Done], tmp_path: Path, first: str, then: str, taken: str
) -> None:
    kept = {"FEDSEARCH_STORAGE__DATA_DIR": str(tmp_path)}
    lost = fedsearch("search", "--follow", then, *NOW, env=kept)
    assert lost.returncode == 2
    assert "ask the question whole" in lost.stderr
    fedsearch("search", first, *NOW, env=kept)
    (file,) = tmp_path.glob("last-question*")
    assert file.stat().st_mode & 0o777 == 0o600
    done = fedsearch("search", "--follow", then, *NOW, env=kept)
    assert done.returncode == 0
    assert taken in " ".join(done.stdout.split())
    again = fedsearch("search", "-f", "--json", "not that one", *NOW, env=kept)
    assert json.loads(again.stdout)["follow"]["carried"] == taken.partition(": ")[2]
    os.utime(file, (0, 0))
    assert fedsearch("search", "--follow", then, *NOW, env=kept).returncode == 2


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What did we decide about the API migration?", "so --follow cannot go on from it"),
        ("API 마이그레이션 일정에 대해 무엇을 결정했나요?", "--follow로 이어서 물을 수 없습니다"),
    ],
)
def test_a_question_that_cannot_be_kept_is_answered_and_says_so(
    fedsearch: Callable[..., Done], tmp_path: Path, question: str, told: str
) -> None:
    (tmp_path / "taken").write_text("", "utf-8")
    done = fedsearch("search", question, *NOW, env={"FEDSEARCH_STORAGE__DATA_DIR": str(tmp_path / "taken")})
    assert done.returncode == 0
    assert told in done.stderr


def test_names_alone_are_answered_in_the_language_of_the_terminal(fedsearch: Callable[..., Done]) -> None:
    korean = {"LC_ALL": "ko_KR.UTF-8"}
    assert "신뢰도" in fedsearch("search", "okta", *NOW, env=korean).stdout
    assert "confidence" in fedsearch("search", "where is the okta guide", *NOW, env=korean).stdout


def test_search_asks_only_the_sources_named_and_says_so(fedsearch: Callable[..., Done]) -> None:
    answer = json.loads(fedsearch("search", "--json", "Okta rollout", "-s", "slack", "-s", "notion", *NOW).stdout)
    skipped = {each["source"] for each in answer["sources"] if each["status"] == "skipped"}
    assert skipped == {"gmail", "linear"}
    assert {result["source"] for result in answer["results"]} <= {"slack", "notion"}


def test_limit_and_receipt_can_be_changed(fedsearch: Callable[..., Done]) -> None:
    done = fedsearch("search", "Okta rollout", "-n", "1", "--no-receipt", *NOW)
    listed = [int(number) for number in re.findall(r"^ ?(\d+)  ", done.stdout, re.MULTILINE)]
    quoted = {int(number) for number in re.findall(r"\[(\d+)\]", done.stdout)}
    assert listed == sorted({1} | quoted), "the first result, and those that the answer quotes"
    assert "What was asked" not in done.stdout


def test_the_limit_does_not_change_what_the_answer_says(fedsearch: Callable[..., Done]) -> None:
    """Only the numbers follow the list."""
    question = "what did we decide about the 2027 pricing start date"
    short, long = (fedsearch("search", question, "-n", limit, "--json", *NOW) for limit in ("1", "20"))
    first, second = (re.sub(r"\[\d+\]", "", json.loads(done.stdout)["summary"]) for done in (short, long))
    assert first == second


def test_nothing_found_is_exit_code_1_and_still_a_receipt(fedsearch: Callable[..., Done]) -> None:
    done = fedsearch("search", "zzzqqqxxx", *NOW)
    assert done.returncode == 1
    assert "What was asked" in done.stdout


def test_a_question_may_come_from_standard_input(fedsearch: Callable[..., Done]) -> None:
    done = fedsearch("search", "-", "--json", *NOW, typed="Okta rollout\n")
    assert json.loads(done.stdout)["question"]["text"].strip() == "Okta rollout"


@pytest.mark.parametrize("columns", ["40", "80", "200"])
def test_any_width_will_do(fedsearch: Callable[..., Done], columns: str) -> None:
    from rich.cells import cell_len

    done = fedsearch("search", "2027 pricing", *NOW, env={"COLUMNS": columns})
    assert done.returncode == 0
    assert re.search("[가-힣]", done.stdout)
    assert max(map(cell_len, done.stdout.splitlines())) <= int(columns)


def test_a_terminal_that_knows_no_hangul_gets_question_marks(fedsearch: Callable[..., Done]) -> None:
    narrow = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = fedsearch("search", "2027 pricing", "--no-receipt", *NOW, env=narrow, cold=True)
    assert done.returncode == 0
    assert "?" in done.stdout
    answer = fedsearch("search", "2027 pricing", "--json", *NOW, env=narrow, cold=True)
    assert any(re.search("[가-힣]", result["title"]) for result in json.loads(answer.stdout)["results"])


def test_a_wrong_token_says_what_to_do(fedsearch: Callable[..., Done]) -> None:
    done = fedsearch("search", "Okta", "-s", "slack", *NOW, env={"FEDSEARCH_SOURCES__SLACK__TOKEN": "xoxp-wrong"})
    assert done.returncode == 3
    assert len(done.stderr.splitlines()) == 1
    assert "no source answered. Slack: " in done.stderr
    assert "token" in done.stderr
    assert "Slack · denied" in done.stdout
    assert "xoxp-wrong" not in done.stdout + done.stderr


def test_doubts_about_a_question_are_warnings(fedsearch: Callable[..., Done]) -> None:
    done = fedsearch("search", "--json", "Okta colour:red", *NOW)
    assert done.stderr.startswith("! colour: is no filter")
    assert len(done.stderr.splitlines()) == 1
    assert json.loads(done.stdout)["question"]["doubts"][0]["code"] == "unknown_filter"


# ---- the other commands


def test_understand_for_people_and_for_programs(fedsearch: Callable[..., Done]) -> None:
    shown = fedsearch("understand", "API decisions last month from:sarah", *NOW)
    assert "from 2026-10-01 before 2026-11-01" in shown.stdout
    read = json.loads(fedsearch("understand", "--json", "지난달 결정된 API 일정 from:김민수", *NOW).stdout)
    assert read["author"] == "김민수"
    assert read["window"] == {"after": "2026-10-01", "before": "2026-11-01", "words": "지난달"}


def test_understand_turns_rows_into_rows(fedsearch: Callable[..., Done], tmp_path: Path) -> None:
    row = {"id": "a", "text": "status of Juniper since Monday", "reference": "2026-11-20T10:00:00+09:00"}
    (tmp_path / "rows.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    from_file = fedsearch("understand", "--jsonl", str(tmp_path / "rows.jsonl"))
    from_pipe = fedsearch("understand", "--jsonl", "-", typed=json.dumps(row))
    assert from_file.stdout == from_pipe.stdout
    read = json.loads(from_file.stdout)
    assert (read["id"], read["intent"], read["after"]) == ("a", "status", "2026-11-16")


def test_explain_shows_native_queries_without_asking_anybody(fedsearch: Callable[..., Done]) -> None:
    nowhere = {f"FEDSEARCH_SOURCES__{name.upper()}__BASE_URL": "http://127.0.0.1:9" for name in SOURCES}
    done = fedsearch("explain", "--json", "outage after:2026-10-01 -draft", *NOW, env=nowhere)
    plan = json.loads(done.stdout)
    native = {step["source"]: step["rungs"][0]["queries"][0] for step in plan["steps"]}
    assert done.returncode == 0
    assert re.search(r" after:2026-09-(29|30)$", native["slack"]["text"])  # Slack leaves out the day named
    assert native["notion"]["checked_here"]
    assert "Slack" in fedsearch("explain", "outage", *NOW, env=nowhere).stdout


def test_sources_are_probed(fedsearch: Callable[..., Done]) -> None:
    done = fedsearch("sources", "--json", env={"FEDSEARCH_SOURCES__SLACK__TOKEN": "wrong"})
    states = {each["source" if "source" in each else "name"]: each for each in json.loads(done.stdout)["sources"]}
    assert done.returncode == 0
    assert states["linear"]["status"] == "ok"
    assert states["slack"]["status"] == "failed"
    assert states["slack"]["advice"]


def test_config_names_the_layer_and_masks_secrets(fedsearch: Callable[..., Done], workplace: dict[str, str]) -> None:
    done = fedsearch("config", "--json", env={"FEDSEARCH_SEARCH__BUDGET": "2.5"})
    settings = {each["key"]: each for each in json.loads(done.stdout)["settings"]}
    assert settings["search.budget"] == {"key": "search.budget", "value": "2.5", "origin": "environment"}
    assert settings["search.limit"]["origin"] == "built-in defaults"
    assert workplace["FEDSEARCH_SOURCES__SLACK__TOKEN"] not in done.stdout


def test_doctor_is_content_with_this_checkout(fedsearch: Callable[..., Done]) -> None:
    done = fedsearch("doctor", cold=True)
    assert (done.returncode, "✗" in done.stdout) == (0, False), done.stdout


def test_secrets_in_plain_files_are_told_and_sealed(fedsearch: Callable[..., Done], tmp_path: Path) -> None:
    (kept := tmp_path / "kept").mkdir()
    (kept / "sources__jira__token").write_text("planted", "utf-8")
    place = {"FEDSEARCH_SECRETS_DIR": str(kept), "FEDSEARCH_DATA_DIR": str(tmp_path / "data")}
    assert "fedsearch secrets seal" in " ".join(fedsearch("doctor", env=place).stdout.split())
    assert fedsearch("secrets", "seal", env=place).stdout.startswith("sources.jira.token: sealed; the key is ")
    (told,) = json.loads(fedsearch("secrets", "list", "--json", env=place).stdout)["secrets"]
    assert (told["setting"], told["file"]) == ("sources.jira.token", f"{kept}/sources__jira__token.sealed")
    assert "sealed; what opens them is" in " ".join(fedsearch("doctor", env=place).stdout.split())
    (tmp_path / "data" / "sealing.key").unlink()
    done = fedsearch("secrets", "seal", env=place)
    assert (done.returncode, "which cannot be read" in done.stderr) == (1, True)


def test_doctor_finds_packages_that_hide_ours(fedsearch: Callable[..., Done], tmp_path: Path) -> None:
    (tmp_path / "connectors").mkdir()
    (tmp_path / "connectors" / "__init__.py").write_text("", "utf-8")
    done = fedsearch("doctor", env={"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}, cold=True)
    assert done.returncode == 1
    assert "import clash" in done.stdout
    other = fedsearch("config", env={"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}, cold=True)
    assert (other.returncode, other.stdout) == (2, "")
    assert "run `fedsearch doctor`" in other.stderr


def test_version(fedsearch: Callable[..., Done]) -> None:
    assert re.fullmatch(r"fedsearch \d+\.\d+\.\d+\S*\n", fedsearch("--version").stdout)


@pytest.mark.parametrize(
    "command", ["search", "understand", "explain", "sources", "config", "sandbox", "demo", "doctor"]
)
def test_every_command_explains_itself(fedsearch: Callable[..., Done], command: str) -> None:
    done = fedsearch(command, "--help")
    assert done.returncode == 0
    assert f"fedsearch {command}" in done.stdout


# ---- what only a real process shows


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
