"""What guards the embedded server starts and stops a process; what a database complains of is told in words."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest

from storage import account, guardian
from storage.errors import Misconfigured, error_of

if TYPE_CHECKING:
    import subprocess


def started(code: str) -> subprocess.Popen[bytes]:
    return guardian._start((sys.executable, "-c", code), os.geteuid(), os.getegid())


def test_a_server_is_asked_to_stop_and_one_that_has_ended_is_left() -> None:
    server = started("import signal; signal.pause()")
    assert server.poll() is None
    guardian._stop(server)
    assert server.poll() is not None
    guardian._stop(server)
    assert server.returncode < 0


def test_a_server_that_does_not_heed_is_stopped_harder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guardian, "PATIENCE", 0.5)
    server = started("import signal; [signal.signal(each, signal.SIG_IGN) for each in (2, 3)]; signal.pause()")
    guardian._stop(server)
    server.wait()
    assert server.returncode < 0


def test_who_wants_the_guardian_to_end_is_heard() -> None:
    with pytest.raises(guardian._Enough):
        guardian._enough(15, None)


@pytest.mark.parametrize(
    ("failure", "words"),
    [
        (TimeoutError(), "did not answer in time"),
        (ConnectionRefusedError(111, "Connection refused"), "cannot be reached (Connection refused)"),
        (ValueError("odd"), "cannot be talked to (ValueError)"),
    ],
)
def test_what_has_no_state_is_told_by_what_it_is(failure: BaseException, words: str) -> None:
    assert words in str(error_of(failure))


def test_ourselves_where_we_are_not_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 4242)
    found = account.own_account()
    assert (found.uid, found.switch) == (4242, False)


def test_where_no_user_can_be_made_what_to_do_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(account, "_entry", lambda name: None)
    monkeypatch.setattr(account.shutil, "which", lambda *_, **__: None)
    with pytest.raises(Misconfigured, match="useradd --system"):
        account.own_account()
