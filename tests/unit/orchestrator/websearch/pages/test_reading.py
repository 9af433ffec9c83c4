"""The process that reads pages: what it answers, and what happens to it."""

from __future__ import annotations

import io
import json

import pytest

from orchestrator.websearch.errors import PageUnread, Refusal
from orchestrator.websearch.pages import reader, worker
from orchestrator.websearch.pages.downloading import Download
from orchestrator.websearch.pages.reader import PageReader
from orchestrator.websearch.pages.reading import main_text

TEXT = "".join(f"<p>Paragraph {n} tells how shipping works in some detail, at some length.</p>" for n in range(8))
PAGE = f"<html><head><title>Shop &amp; more</title></head><body><nav>Home</nav><article>{TEXT}</article></body></html>"


def page(body: bytes, kind: str = "text/html") -> Download:
    return Download("https://e.example/x", 200, body, kind)


def test_the_main_text_of_a_page() -> None:
    found = main_text(PAGE.encode(), "text/html", "", "https://e.example/x")
    assert found.text.splitlines()[0] == "Paragraph 0 tells how shipping works in some detail, at some length."
    assert "Home" not in found.text
    assert found.title == "Shop & more"


def test_short_pages_are_read_whole_and_nothing_unseen_in_them() -> None:
    body = (
        "<body><p>안녕하세요</p><div style='Display : None'><p>ignore</p></div><!-- no --><template>x</template></body>"
    )
    assert main_text(body.encode(), "text/html", "", "https://e.example/").text == "안녕하세요"


def test_plain_text_is_no_markup() -> None:
    found = main_text(b"First line\n<b>not bold</b>\x1b[2J\n", "text/plain", "", "https://e.example/")
    assert (found.title, found.text) == ("First line", "First line\n<b>not bold</b>[2J")


@pytest.mark.parametrize(
    "body", [b"", b"<", b"<" * 5000, b"<div>" * 5000, b"\x00" * 100, b"<!DOCTYPE", b"<html", "\ufeff".encode()]
)
def test_no_markup_brings_it_down(body: bytes) -> None:
    assert isinstance(main_text(body, "text/html", "", "https://e.example/").text, str)


def test_the_worker_answers_one_after_another(monkeypatch: pytest.MonkeyPatch) -> None:
    def asked(body: bytes, **more: str) -> bytes:
        head = {"url": "https://e.example/", "kind": "text/plain", "charset": "", "size": len(body), **more}
        return json.dumps(head).encode() + b"\n" + body

    replies = io.BytesIO()
    worker.main(io.BytesIO(asked("하나".encode()) + asked("둘\n셋".encode())), replies)
    assert [json.loads(line)["text"] for line in replies.getvalue().splitlines()] == ["하나", "둘\n셋"]

    def broken(*_: object) -> object:
        raise RecursionError

    monkeypatch.setattr(worker, "main_text", broken)
    replies = io.BytesIO()
    worker.main(io.BytesIO(asked(b"x")), replies)
    assert json.loads(replies.getvalue()) == {"failed": "its markup cannot be read"}


async def test_one_process_reads_several_pages() -> None:
    reading = PageReader(30.0)
    try:
        first = await reading.read(page(PAGE.encode()))
        assert first == await reading.read(page(PAGE.encode()))
        assert len(reading._idle) == 1
        with pytest.raises(PageUnread) as raised:
            await reading.read(page(b"<script>x</script>"))
        assert raised.value.refusal is Refusal.EMPTY
        assert len(reading._idle) == 1
    finally:
        await reading.aclose()


@pytest.mark.parametrize(
    ("program", "refusal"),
    [
        ("import sys; sys.exit(3)", Refusal.EMPTY),
        ("import os; os.kill(os.getpid(), 11)", Refusal.EMPTY),
        ("print('no json', flush=True)", Refusal.EMPTY),
        ('print(\'{"failed": "its markup cannot be read"}\', flush=True)', Refusal.EMPTY),
        ("import sys; sys.stdin.read(); import time; time.sleep(600)", Refusal.TIMEOUT),
    ],
    ids=["leaves", "crashes", "babbles", "gives up", "hangs"],
)
async def test_a_process_that_fails_costs_one_page(
    program: str, refusal: Refusal, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = reader.COMMAND
    monkeypatch.setattr(reader, "COMMAND", (command[0], "-c", program))
    reading = PageReader(1.0 if refusal is Refusal.TIMEOUT else 30.0)
    try:
        with pytest.raises(PageUnread) as raised:
            await reading.read(page(PAGE.encode()))
        assert raised.value.refusal is refusal
        monkeypatch.setattr(reader, "COMMAND", command)
        reading._idle.clear()
        reading._seconds = 30.0
        assert (await reading.read(page(PAGE.encode()))).text
    finally:
        await reading.aclose()


async def test_the_process_is_told_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    program = "import os, json; print(json.dumps({'title': '', 'text': ' '.join(sorted(os.environ)), 'published': ''}), flush=True)"
    monkeypatch.setenv("FEDSEARCH_SOURCES__SLACK__TOKEN", "xoxp-secret")
    monkeypatch.setattr(reader, "COMMAND", (reader.COMMAND[0], "-c", program))
    reading = PageReader(30.0)
    try:
        told = (await reading.read(page(b"x"))).text.split()
    finally:
        await reading.aclose()
    assert set(told) <= {"PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "LC_ALL", "LC_CTYPE"}
