"""Every kind of bad input: one clear line on standard error that says what to do, and never a traceback."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.e2e.program import COLD, WARM

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


ROOT = Path(__file__).resolve().parents[2]
SLACK = {"FEDSEARCH_SOURCES__SLACK__TOKEN": "xoxp-1", "FEDSEARCH_SOURCES__SLACK__BASE_URL": "http://127.0.0.1:9/api/"}
CORPUS_ROW = '{"id": "a", "source": "slack", "text": "pricing", "created": "2026-11-19T01:00:00Z"}\n'

Done = subprocess.CompletedProcess[str]


@pytest.fixture
def fedsearch(tmp_path: Path) -> Callable[..., Done]:
    """Run a command to its end, in an empty home, with these variables only."""

    def run(*arguments: str, typed: bytes = b"", env: Mapping[str, str] | None = None) -> Done:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("FEDSEARCH_")}
        environment = {
            **kept,
            "XDG_CONFIG_HOME": str(tmp_path),
            "PYTHONPATH": str(ROOT),
            "COLUMNS": "80",
            **(env or {}),
        }
        command = [*WARM, *arguments]
        done = subprocess.run(command, env=environment, input=typed, capture_output=True, check=False, cwd=tmp_path)
        out, err = done.stdout.decode("utf-8"), done.stderr.decode("utf-8")
        assert "Traceback" not in err, err
        return subprocess.CompletedProcess(command, done.returncode, out, err)

    return run


def one_line(done: Done, code: int) -> str:
    """The one line that was said, after checking that it was one, on standard error, with this exit code."""
    assert done.returncode == code, done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    return done.stderr


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (("search",), "the question is empty; ask something, for example"),
        (("search", ""), "the question is empty"),
        (("search", " \t "), "the question is empty"),
        (("search", "?"), "nothing here says what to look for"),
        (("search", "😀😀"), "nothing here says what to look for"),
        (("search", "..."), "nothing here says what to look for"),
        (("search", "the the the"), "nothing here says what to look for"),
        (("explain", "OR"), "nothing here says what to look for"),
        (("search", "뭐"), "무엇을 찾는지 알 수 없습니다"),
        (("understand", "\u3000"), "the question is empty"),
        (("explain", ""), "the question is empty"),
        (("search", "pricing", "--now", "2026-02-30"), "write 2026-11-20 or"),
        (("understand", "pricing", "--now", "tomorrow"), "write 2026-11-20 or"),
        (("understand", "pricing", "--now", "0001-01-01"), "years 1970 to 2199"),
        (("search", "pricing", "--source", "jira"), "no source is called 'jira'; configured are: slack"),
        (("search", "pricing", "--source", "notion"), "it is not set up: FEDSEARCH_SOURCES__NOTION__TOKEN: "),
        (("explain", "pricing", "--source", "슬랙"), "configured are: slack"),
        (("search", "pricing source:jira"), "configured are: slack"),
        (("search", "pricing", "--limit", "0"), "setting search.limit (from arguments)"),
        (("search", "pricing", "--limit", "1000"), "must be at most 100"),
        (("search", "pricing", "--budget", "-1"), "setting search.budget (from arguments)"),
        (("understand", "--jsonl", "no-such-file"), "cannot be read: No such file"),
        (("understand", "pricing", "--jsonl", "-"), "leave the question out"),
        (("sandbox", "--corpus", "no-such-file"), "there is no such file or folder"),
        (("sandbox", "--map", "github"), "write FOREIGN=SOURCE"),
        (("sandbox", "--map", "github=linear"), "name one with --corpus"),
        (("sandbox", "--fault", "slack"), "write SOURCE=FAULT"),
        (("sandbox", "--fault", "slack=explode"), "faults: delay:SECONDS"),
        (("sandbox", "--fault", "nosuch=hang"), "sources: "),
        (("sandbox", "--source", "nosuch"), "choose from "),
    ],
)
def test_what_cannot_be_used_is_refused_with_advice(
    fedsearch: Callable[..., Done], arguments: tuple[str, ...], advice: str
) -> None:
    done = fedsearch(*arguments, env=SLACK)
    assert advice in one_line(done, 2)
    assert done.stdout == ""


def test_a_folder_that_cannot_be_made_is_named(fedsearch: Callable[..., Done], tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("", "utf-8")
    done = fedsearch("keys", "create", "mine", env={"FEDSEARCH_DATA_DIR": str(tmp_path / "taken" / "in")})
    assert "cannot be read or written" in one_line(done, 2)


@pytest.mark.parametrize("what", ["add", "forget"])
def test_a_name_that_cannot_be_kept_is_not_said_to_be(
    fedsearch: Callable[..., Done], tmp_path: Path, what: str
) -> None:
    (tmp_path / "taken").write_text("", "utf-8")
    done = fedsearch("names", what, "Moru", "Nabi", env={"FEDSEARCH_DATA_DIR": str(tmp_path / "taken")})
    assert "cannot be read or written" in one_line(done, 2)
    assert done.stdout == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no disk that is always full")
def test_a_file_that_a_full_disk_does_not_take_is_named(fedsearch: Callable[..., Done], tmp_path: Path) -> None:
    (tmp_path / "changes.jsonl").symlink_to("/dev/full")
    done = fedsearch("keys", "create", "mine", env={"FEDSEARCH_DATA_DIR": str(tmp_path)})
    assert done.returncode == 2
    assert f"{tmp_path / 'changes.jsonl'} cannot be read or written: No space left" in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no disk that is always full")
def test_an_answer_that_cannot_be_written_is_no_empty_answer(tmp_path: Path) -> None:
    command = [*COLD, "understand", "pricing", "--json"]
    with Path("/dev/full").open("wb") as full:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CONFIG_HOME": str(tmp_path)}
        done = subprocess.run(command, env=environment, stdout=full, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr.decode().splitlines()) == (
        2,
        ["fedsearch: the output cannot be read or written: No space left on device"],
    )


@pytest.mark.parametrize(
    ("question", "doubt"),
    [
        ('where is the "pricing deck', "quotation mark"),
        ("pricing after:2026-02-31", "after:2026-02-31 is no day"),
        ("요금제 after:2026-13-01", "after:2026-13-01 날짜는"),
        ("pricing colour:red", "colour: is no filter"),
        ("pricing type:poem", "type:poem is no type"),
        ("pricing\x07\x1b[31m deck", "control characters"),
        ("pricing " * 13_000, "were read"),
    ],
    ids=["quote", "date", "date-ko", "filter", "type", "control", "100kB"],
)
def test_what_is_doubtful_is_read_as_far_as_possible_and_said(
    fedsearch: Callable[..., Done], question: str, doubt: str
) -> None:
    done = fedsearch("understand", question)
    assert done.returncode == 0
    assert doubt in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    ("typed", "advice"),
    [
        (b"", "the question is empty"),
        (b"\xff\xfe\x00\x01", "not valid UTF-8"),
        (b"a" * 1_000_001, "more than 1,000,000 characters"),
    ],
)
def test_standard_input_that_is_no_question(fedsearch: Callable[..., Done], typed: bytes, advice: str) -> None:
    assert advice in one_line(fedsearch("search", "-", typed=typed, env=SLACK), 2)


def test_an_argument_that_is_no_text(fedsearch: Callable[..., Done]) -> None:
    assert "not valid UTF-8" in one_line(fedsearch("search", os.fsdecode(b"pricing \xff"), env=SLACK), 2)


def test_rows_that_are_no_rows(fedsearch: Callable[..., Done]) -> None:
    assert "line 1 is no row" in one_line(fedsearch("understand", "--jsonl", "-", typed=b'{"id": 1}\n'), 2)
    assert "not UTF-8" in one_line(fedsearch("understand", "--jsonl", "-", typed=b"\xff\n"), 2)


@pytest.mark.parametrize(
    ("variables", "advice"),
    [
        ({"FEDSEARCH_CONFIG": "no-such.toml"}, "FEDSEARCH_CONFIG names no-such.toml, which does not exist"),
        ({"FEDSEARCH_SECRETS_DIR": "no-such-folder"}, "which is not a folder"),
        ({"FEDSEARCH_SEARCH__SPEED": "9"}, "setting search.speed (from environment)"),
        ({"FEDSEARCH_SEARCH__BUDGET": "soon"}, "setting search.budget (from environment)"),
        ({"FEDSEARCH_LOCALE__ZONE": "Mars/Phobos"}, "write one like Asia/Seoul"),
        ({"FEDSEARCH_SOURCES__SLAK__TOKEN": "x"}, "no kind of source is called 'slak'; there are:"),
        ({"FEDSEARCH_SOURCES__SLACK__COLOUR": "red"}, "setting sources.slack.colour: there is no such setting"),
        ({"FEDSEARCH_SOURCES__SLACK__TOKENN": "x"}, "no such setting; did you mean token?"),
        ({"FEDSEARCH_SEARCH__LIMITT": "9"}, "no such setting; did you mean limit?"),
        ({"FEDSEARCH_SOURCES__SLACK__TOKEN": "xoxp 1\n2"}, "copy it again"),
        ({"FEDSEARCH_SOURCES__SLACK__BASE_URL": "ftp://x"}, "begins with https:// or http://"),
    ],
)
def test_settings_that_cannot_work(fedsearch: Callable[..., Done], variables: dict[str, str], advice: str) -> None:
    done = fedsearch("search", "pricing", env=variables)
    assert advice in one_line(done, 2)
    assert "xoxp" not in done.stderr


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("budget = [", "is not valid TOML"),
        ("[search]\nspeed = 9", "setting search.speed (from "),
        ('[sources.slack]\ntoken = "xoxp-1"', "is a secret and does not belong in a settings file"),
        ("\x00", "is not valid TOML"),
    ],
)
def test_settings_files_that_cannot_work(
    fedsearch: Callable[..., Done], tmp_path: Path, text: str, advice: str
) -> None:
    (tmp_path / "own.toml").write_text(text, "utf-8")
    done = fedsearch("config", env={"FEDSEARCH_CONFIG": str(tmp_path / "own.toml")})
    assert advice in one_line(done, 2)
    assert "xoxp-1" not in done.stderr


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("not json\n", "corpus.jsonl:1"),
        ("[]\n", "expected a JSON object"),
        ('{"id": "a"}\n', "'source' must be a text"),
        (CORPUS_ROW * 2, "leave later rows of an id out with --drop-repeats"),
        ('{"id": "a", "source": "slack", "created": "yesterday"}\n', "must be an ISO 8601 date"),
    ],
)
def test_a_corpus_that_cannot_be_read_names_the_line(
    fedsearch: Callable[..., Done], tmp_path: Path, text: str, advice: str
) -> None:
    (tmp_path / "corpus.jsonl").write_text(text, "utf-8")
    assert advice in one_line(fedsearch("sandbox", "--corpus", str(tmp_path / "corpus.jsonl")), 2)


def test_no_source_at_all(fedsearch: Callable[..., Done]) -> None:
    assert "no source is configured; `fedsearch init` sets one up" in one_line(fedsearch("search", "pricing"), 3)
    assert "no source is configured; `fedsearch init` sets one up" in one_line(fedsearch("sources"), 3)


def test_a_missing_token_says_how_to_get_one(fedsearch: Callable[..., Done]) -> None:
    said = one_line(fedsearch("search", "pricing", env={**SLACK, "FEDSEARCH_SOURCES__SLACK__TOKEN": " "}), 3)
    assert "Slack: no token" in said


def test_a_sandbox_that_is_not_running(fedsearch: Callable[..., Done]) -> None:
    done = fedsearch("search", "pricing", env=SLACK)
    assert "no source answered. Slack: cannot reach 127.0.0.1:9" in one_line(done, 3)
    assert "Slack · failed" in done.stdout
    assert "xoxp-1" not in done.stdout + done.stderr


def test_an_unknown_option_or_command_names_what_there_is(fedsearch: Callable[..., Done]) -> None:
    """These lines are typer's own: how to use the command, then what is wrong."""
    option, command = fedsearch("search", "pricing", "--colour"), fedsearch("serach", "pricing")
    assert (option.returncode, command.returncode) == (2, 2)
    assert "No such option: --colour" in option.stderr
    assert "No such command 'serach'" in command.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("explain", "?"), "무엇을 찾는지 알 수 없습니다"),
        (("demo", "😀"), "무엇을 찾는지 알 수 없습니다"),
        (("search", ""), "질문이 비어 있습니다"),
        (("search", "pricing", "--limit", "1000"), "100 이하"),
    ],
)
def test_what_is_wrong_is_said_in_the_language_of_the_terminal(
    fedsearch: Callable[..., Done], arguments: tuple[str, ...], said: str
) -> None:
    assert said in fedsearch(*arguments, env={**SLACK, "LC_ALL": "ko_KR.UTF-8"}).stderr
