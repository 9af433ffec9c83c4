"""Rows as mails, the program that serves them, and the relay in front of it: what needs no server."""

from __future__ import annotations

import asyncio
import email
import os
import subprocess
from email.policy import default
from typing import TYPE_CHECKING, Any, Self

import pytest

from orchestrator.sandbox.corpus import Directory, Person, Row, moment
from orchestrator.sandbox.faults import Fault
from orchestrator.sandbox.imap import ImapEmulator, dovecot
from orchestrator.sandbox.imap.dovecot import in_order, letter, mailbox_of, message_id
from orchestrator.sandbox.imap.relay import Relay, refusal
from orchestrator.sandbox.service import NotServed, Program

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

OWNER = Person("U1", "박지현", "jihyun", "jihyun@acme.example")
PEOPLE = Directory(
    [
        OWNER,
        Person("U2", 'Jake "JW" Wilson', "jake", "jake@acme.example"),
        Person("U3", "Odd", "odd", "no address"),
        Person("U4", "Odder", "odder", "a b@c d"),
    ]
)


def row(number: int = 1, **fields: Any) -> Row:
    texts = {
        "title": "결제 보고",
        "text": "배포는 금요일입니다.",
        "container": "",
        "author": "U2",
        "author_name": "",
        "url": "",
    }
    known = {**texts, **{name: fields.pop(name) for name in texts.keys() & fields.keys()}}
    created = moment(fields.pop("created", "2026-03-01T09:00:00+09:00"))
    name = fields.pop("id", f"m{number}")
    return Row(id=name, source="imap", kind="mail", created=created, updated=None, extra=fields, **known)


def read(made: Row) -> Any:
    return email.message_from_bytes(letter(made, PEOPLE, OWNER).raw, policy=default)


def test_every_way_of_writing_says_the_same() -> None:
    ways = set()
    for number in range(12):
        mail = read(row(number, to=["U1"], cc=["U2", "nobody"]))
        text = mail.get_body(("plain",))
        assert text.get_content().strip() == "배포는 금요일입니다."
        assert (mail["Subject"], str(mail["From"])) == ("결제 보고", '"Jake \\"JW\\" Wilson" <jake@acme.example>')
        assert mail["To"].addresses[0].display_name == "박지현"
        assert [each.addr_spec for each in mail["Cc"].addresses] == ["jake@acme.example", "unknown@acme.example"]
        ways.add((mail.get_content_type(), text.get_content_charset(), text["Content-Transfer-Encoding"]))
    assert len(ways) == 4


def test_what_euc_kr_cannot_say_is_said_in_utf_8() -> None:
    for number in range(12):
        assert read(row(number, text="출시 🎉")).get_body(("plain",)).get_content().strip() == "출시 🎉"


def test_odd_rows_become_mails_all_the_same() -> None:
    odd = row(id='a b"c\n', title="two\r\nlines\x07", author="U3", created="", thread="m0", attachments=["예산\n.xlsx"])
    mail = read(odd)
    assert mail["Subject"] == "two lines\x07"
    assert mail["From"].addresses[0].addr_spec == "unknown@acme.example"
    assert mail["Message-ID"] == message_id(odd.id) == "<row-ea2e72fd@mail.acme.example>" or mail[
        "Message-ID"
    ].startswith("<row-")
    assert mail["References"] == mail["In-Reply-To"] == "<m0@mail.acme.example>"
    assert mail["Date"] is None
    assert [part.get_filename() for part in mail.iter_attachments()] == ["예산 .xlsx"]
    assert letter(odd, PEOPLE, OWNER).received == 0.0


@pytest.mark.parametrize(
    ("fields", "mailbox"),
    [
        ({}, "INBOX"),
        ({"container": "공지 사항"}, "공지 사항"),
        ({"container": "../../etc"}, "--..-etc"),
        ({"container": "tmp"}, "-"),
        ({"labels": ["INBOX", "Work"]}, "INBOX"),
        ({"labels": ["Work"]}, "Archive"),
        ({"labels": ["spam"]}, "Junk"),
        ({"author": "U1"}, "Sent"),
        ({"author": "jihyun@acme.example"}, "Sent"),
    ],
)
def test_where_a_mail_lies(fields: dict[str, Any], mailbox: str) -> None:
    assert mailbox_of(row(**fields), OWNER) == mailbox


def test_mails_lie_in_the_order_in_which_they_came(tmp_path: Path) -> None:
    rows = [row(1, created="2026-03-02T00:00:00Z"), row(2, created="2026-03-01T00:00:00Z"), row(3, author="U1")]
    dovecot.write_mails(tmp_path, in_order(letter(each, PEOPLE, OWNER) for each in rows))
    inbox = sorted((tmp_path / "mail" / "cur").iterdir())
    assert [path.stat().st_mtime for path in inbox] == [1772323200.0, 1772409600.0]
    assert len(list((tmp_path / "mail" / "Sent" / "cur").iterdir())) == 1
    assert (tmp_path / "mail" / "Archive" / "new").is_dir()


# ---- the program


def test_a_missing_program_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dovecot.shutil, "which", lambda *_, **__: None)
    monkeypatch.setattr(dovecot, "executable", dovecot.executable.__wrapped__)
    monkeypatch.setattr(dovecot, "missing", dovecot.missing.__wrapped__)
    with pytest.raises(NotServed, match=r"not installed .*apt-get install dovecot-imapd"):
        ImapEmulator(None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("version", "reason"), [("2.3.21 (abc)", ""), ("2.4.1-4", "2.4.1-4 is"), ("", "another program is")]
)
def test_the_version_is_asked_for(monkeypatch: pytest.MonkeyPatch, version: str, reason: str) -> None:
    done = subprocess.CompletedProcess((), 0, version, "")
    monkeypatch.setattr(dovecot, "executable", lambda: "/usr/sbin/dovecot")
    monkeypatch.setattr(dovecot.subprocess, "run", lambda *_, **__: done)
    found = dovecot.missing.__wrapped__()
    assert (reason in found) if reason else not found


def test_whoever_is_not_root_runs_it_as_themselves(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(dovecot.os, "geteuid", lambda: 1000)
    written = dovecot._configuration(tmp_path, 1143, "pw")
    assert "default_internal_user = " in written
    assert f"uid={os.getuid()}" in written
    assert "chroot =" in written
    monkeypatch.setattr(dovecot.os, "geteuid", lambda: 0)
    assert "default_internal_user" not in dovecot._configuration(tmp_path, 1143, "pw")


async def test_a_program_that_does_not_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dovecot, "GRACE", 0.05)
    stubborn = 'trap "" TERM; echo up; while :; do read -t 1 x; done'
    process = await asyncio.create_subprocess_exec("bash", "-c", stubborn, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    await process.stdout.readline()
    await dovecot._stopped(process)
    assert process.returncode == -9
    await dovecot._stopped(process)


# ---- the relay, before a server that says what it is told to say


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (Fault(status=429), b"A1 NO [LIMIT] Request is throttled\r\n"),
        (Fault(retry_after=1.5), b"A1 NO [LIMIT] Request is throttled; Suggested Backoff Time: 1500 milliseconds\r\n"),
        (Fault(status=401), b"A1 NO [AUTHENTICATIONFAILED] Authentication failed\r\n"),
        (Fault(status=403), b"A1 NO [NOPERM] Permission denied\r\n"),
        (Fault(status=404), b"A1 BAD A fault of the sandbox: HTTP 404\r\n"),
        (Fault(status=503), b"A1 NO [UNAVAILABLE] A fault of the sandbox: HTTP 503\r\n"),
    ],
)
def test_refusals(fault: Fault, said: bytes) -> None:
    assert refusal("A1", fault) == said


class Served:
    """A relay that listens, a server behind it, and a client in front."""

    def __init__(self, answer: Callable[[str], bytes]) -> None:
        self.records: list[Any] = []
        self._answer = answer

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._talk, "127.0.0.1", 0)
        self.relay = Relay("imap", self._server.sockets[0].getsockname()[1], self.records.append)
        self._front = await asyncio.start_server(self.relay.serve, "127.0.0.1", 0)
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self._front.sockets[0].getsockname()[1])
        return self

    async def __aexit__(self, *_: object) -> None:
        self.writer.transport.abort()
        self._front.close()
        await self.relay.aclose()
        self._server.close()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            writer.write(self._answer(line.decode().rstrip()))
        writer.transport.abort()

    async def say(self, said: bytes) -> bytes:
        self.writer.write(said)
        return await self.reader.readline()


async def test_a_sign_in_of_several_lines_is_passed_on_and_not_noted() -> None:
    answers = {"A1 AUTHENTICATE PLAIN": b"+ \r\n", "c2VjcmV0": b"A1 OK in\r\n", "A2 NOOP": b"A2 BAD what\r\n"}
    async with Served(lambda line: answers[line]) as served:
        assert await served.say(b"A1 AUTHENTICATE PLAIN\r\n") == b"+ \r\n"
        assert await served.say(b"c2VjcmV0\r\n") == b"A1 OK in\r\n"
        assert await served.say(b"A2 NOOP\r\n") == b"A2 BAD what\r\n"
    assert [(each.method, each.query, each.status) for each in served.records] == [
        ("AUTHENTICATE", {}, 200),
        ("NOOP", {"command": "NOOP"}, 400),
    ]


async def test_a_refused_command_is_read_to_its_end() -> None:
    async with Served(lambda line: b"A3 OK done\r\n" if line == "A3 NOOP" else b"") as served:
        served.relay.strike(Fault(status=503))
        assert (await served.say(b"A1 SEARCH TEXT {3+}\r\nabc TEXT {2+}\r\nxy\r\n")).startswith(b"A1 NO [UNAVAILABLE]")
        assert (await served.say(b"A2 SEARCH TEXT {3}\r\n")).startswith(b"A2 NO [UNAVAILABLE]")
        served.relay.strike(Fault(status=503, parts=True))  # a batch is what Gmail has
        assert await served.say(b"A3 NOOP\r\n") == b"A3 OK done\r\n"


async def test_a_server_that_is_not_there_ends_the_conversation() -> None:
    records: list[Any] = []
    relay = Relay("imap", 1, records.append)
    async with await asyncio.start_server(relay.serve, "127.0.0.1", 0) as front:
        reader, writer = await asyncio.open_connection("127.0.0.1", front.sockets[0].getsockname()[1])
        with pytest.raises((ConnectionError, EOFError)):
            await reader.readexactly(1)
        writer.transport.abort()
    assert records == []


def test_it_is_a_program() -> None:
    assert all(hasattr(ImapEmulator, name) for name in ("serve", "strike", "origins"))
    assert not isinstance(object(), Program)
