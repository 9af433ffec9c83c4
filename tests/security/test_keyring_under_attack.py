"""The system's keyring, attacked: secrets and names that are none, a keyring that is gone, lies or stands still. What it cannot do is said, and costs no more than the source."""

from __future__ import annotations

import gc
import os
import signal
import socket
import threading
import warnings
from typing import TYPE_CHECKING

import pytest

from connectors.errors import Misconfigured
from orchestrator.settings import SettingsSite, keep_secret, keyrings, load_settings
from orchestrator.settings.keyrings import KeyringSecret, put_in_keyring
from tests.unit.orchestrator.test_system_keyring import place, real, unlocked  # noqa: F401 - fixtures

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Running = tuple[subprocess.Popen[bytes], subprocess.Popen[bytes]]

SECRETS = {
    "nothing": "",
    "two lines": "a\nb",
    "a nil": "a\0b",
    "blanks": "  x ",
    "long": "x" * 200_000,
    "more than long": "y" * 5_000_000,
    "a picture": "👍🏽",
    "letters in parts": "\u1112\u1161\u11ab",
    "turned round": "\u202eabc",
    "for a shell": "'\"`$(id)",
    "for a template": "%s {0} {name}",
}
UNSENDABLE = {
    "half a letter": ("token", "a\ud800"),
    "half a letter in its name": ("\ud800", "s"),
    "a nil in its name": ("a\0b", "s"),
}
NAMES = {
    "a path": "a/b",
    "a path upwards": "../x",
    "a line feed": "a\nb",
    "long": "x" * 5000,
    "a template": "%s",
}
MARKS = {
    "of no setting": "x.keyring",
    "of nothing": ".keyring",
    "in capitals": "SOURCES__WIKI__TOKEN.KEYRING",
    "of a source that is a path": "sources__..__token.keyring",
}


class _Standing:
    """One of which not even its rank is to be had."""

    @property
    def priority(self) -> float:
        threading.Event().wait()
        return 5.0


GONE: dict[str, Callable[[Running, Path, pytest.MonkeyPatch], object]] = {
    "it stands still": lambda running, _, __: os.kill(running[0].pid, signal.SIGSTOP),
    "it is killed": lambda running, _, __: _killed(running[0]),
    "its bus is killed": lambda running, _, __: _killed(running[1]),
    "its bus is nonsense": lambda _, __, patched: patched.setenv("DBUS_SESSION_BUS_ADDRESS", "nonsense"),
    "its bus is no socket": lambda _, __, patched: patched.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/dev/null"),
    "its bus says nothing": lambda _, folder, patched: patched.setenv("DBUS_SESSION_BUS_ADDRESS", _silent(folder)),
    "it stands still while it is looked for": lambda _, __, patched: patched.setattr(
        "keyring.core._keyring_backend", _Standing()
    ),
    "there is no bus": lambda _, __, patched: patched.delenv("DBUS_SESSION_BUS_ADDRESS"),
}
TRIED = {"keyring": [*SECRETS, *UNSENDABLE, *NAMES, *MARKS, *GONE]}


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    """The library leaves sockets open where a keyring fails it."""
    yield
    while OPEN:
        OPEN.pop().close()
    with warnings.catch_warnings(action="ignore"):
        gc.collect()


def _killed(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()


def _silent(folder: Path) -> str:
    """An address at which somebody listens and says nothing, for as long as this process lives."""
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(folder / "bus"))
    listening.listen()
    OPEN.append(listening)
    return f"unix:path={folder}/bus"


OPEN: list[socket.socket] = []


@real
def test_whatever_can_be_sent_comes_back_as_it_was_and_the_rest_is_refused_in_words(
    tmp_path: Path,
    unlocked: Running,  # noqa: F811
) -> None:
    folder = tmp_path / "kept"
    folder.mkdir()
    for secret in SECRETS.values():
        put_in_keyring(folder, "sources__a__token", secret)
        assert KeyringSecret(folder / "sources__a__token.keyring").read() == secret
    for name in NAMES.values():
        put_in_keyring(folder, name, f"of {name!r}")
    assert list(folder.iterdir()) == []
    for name, secret in UNSENDABLE.values():
        with pytest.raises(Misconfigured, match="no keyring"):
            put_in_keyring(folder, name, secret)
    assert KeyringSecret(folder / "sources__a__token.keyring").read() == SECRETS["for a template"]


@real
@pytest.mark.parametrize("what", GONE)
def test_one_that_is_gone_or_stands_still_costs_its_own_source(
    what: str,
    place: dict[str, str],  # noqa: F811
    unlocked: Running,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    keep_secret("sources.jira.token", "secret", place, in_keyring=True)
    monkeypatch.setattr(keyrings, "PATIENCE", 0.5)
    GONE[what](unlocked, tmp_path, monkeypatch)
    settings = load_settings(environment={**place, "FEDSEARCH_SOURCES__SLACK__TOKEN": "typed"})
    assert set(settings.sources) == {"slack"}
    assert "no keyring" in settings.source_files["jira"]
    with pytest.raises(Misconfigured, match="no keyring"):
        keep_secret("sources.wiki.token", "secret", place)
    assert not any("wiki" in each.name for each in (tmp_path / "kept").iterdir())


@real
def test_marks_that_stand_for_nothing_stop_nothing(
    tmp_path: Path,
    place: dict[str, str],  # noqa: F811
    unlocked: Running,  # noqa: F811
) -> None:
    keep_secret("sources.jira.token", "secret", place, in_keyring=True)
    for name in MARKS.values():
        (tmp_path / "kept" / name).write_text("planted-secret", "utf-8")
    settings = SettingsSite(environment=place).read()
    assert settings.sources["jira"] == {"token": "secret"}
    assert "planted-secret" not in repr(settings)
