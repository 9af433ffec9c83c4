"""Every way a command can end has its exit code, and at most one line."""

from __future__ import annotations

from errno import EACCES, ECONNREFUSED, ENOSPC

import pytest
import typer

from connectors.errors import Misconfigured, Unavailable
from orchestrator.model import BadAsk, NoSources
from orchestrator.settings.fields import NUMBER
from orchestrator.surfaces.cli.composition import BadInput, NotStarted
from orchestrator.surfaces.cli.failures import Exit, complain, guarded
from orchestrator.understand import BadLexicon


def code_of(failure: BaseException | None = None, code: int = 0) -> int:
    """The exit code of a command that raises, or returns ``code``."""

    @guarded
    def command() -> int:
        if failure is not None:
            raise failure
        return code

    with pytest.raises(typer.Exit) as ended:
        command()
    return ended.value.exit_code


@pytest.mark.parametrize(("locale", "said"), [("ko_KR.UTF-8", "숫자여야 합니다"), ("de_DE.UTF-8", "must be a number")])
def test_what_is_a_message_of_ours_is_told_in_the_language_of_the_terminal(
    locale: str, said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", locale)
    for failure in (Misconfigured(NUMBER), NoSources(NUMBER), Unavailable(NUMBER)):
        code_of(failure)
        assert capsys.readouterr().err == f"fedsearch: {said}\n"


@pytest.mark.parametrize(
    ("failure", "code"),
    [
        (BadInput("write it so"), Exit.BAD_INPUT),
        (BadAsk("write it so"), Exit.BAD_INPUT),
        (Misconfigured("write it so"), Exit.BAD_INPUT),
        (BadLexicon("write it so"), Exit.BAD_INPUT),
        (NoSources("write it so"), Exit.NO_SOURCES),
        (NotStarted("write it so"), Exit.NOT_STARTED),
        (Unavailable("write it so"), Exit.NO_SOURCES),
    ],
)
def test_expected_failures_are_one_line_on_standard_error(
    failure: Exception, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert code_of(failure) == code
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == "fedsearch: write it so\n"


@pytest.mark.parametrize(
    ("failure", "code", "said"),
    [
        (PermissionError(EACCES, "Permission denied", "/etc/x"), Exit.BAD_INPUT, "/etc/x cannot be read or written: "),
        (OSError(ENOSPC, "No space left on device"), Exit.BAD_INPUT, "the output cannot be read or written: No space"),
        (ConnectionRefusedError(ECONNREFUSED, "Connect call failed"), Exit.NO_SOURCES, "[Errno"),
        (TimeoutError(), Exit.NO_SOURCES, "TimeoutError"),
    ],
)
def test_a_disk_is_told_from_what_does_not_answer(
    failure: OSError, code: int, said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("orchestrator.surfaces.cli.failures._forget_output", lambda: None)
    assert code_of(failure) == code
    assert capsys.readouterr().err.startswith(f"fedsearch: {said}")


def test_ctrl_c_ends_without_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    assert code_of(KeyboardInterrupt()) == 130
    assert capsys.readouterr().err == ""


def test_a_result_is_the_exit_code() -> None:
    assert code_of(code=1) == 1


def test_a_bug_is_not_hidden() -> None:
    """What nobody expects keeps its traceback: that is what a report needs."""

    @guarded
    def command() -> int:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        command()


def test_a_hostile_message_stays_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    complain("bad\nthing \x1b[2J\u202e here")
    assert capsys.readouterr().err == "fedsearch: bad thing here\n"
