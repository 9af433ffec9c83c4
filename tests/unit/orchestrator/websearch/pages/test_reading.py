"""Bytes become the text that was meant; the process that reads pages: what it answers, and what happens to it."""

from __future__ import annotations

import codecs
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.websearch.errors import PageUnread, Refusal
from orchestrator.websearch.pages import reader, worker
from orchestrator.websearch.pages.downloading import Download
from orchestrator.websearch.pages.reader import PageReader
from orchestrator.websearch.pages.reading import decoded, main_text

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


KOREAN = "안녕하세요. 결제 서비스 장애 회고 문서입니다. 어제 오후에 결제가 되지 않았습니다."
CASES = {
    "UTF-8, not declared": (KOREAN.encode(), "", KOREAN),
    "UTF-8, declared wrongly": (KOREAN.encode(), "euc-kr", KOREAN),
    "EUC-KR by the header": (KOREAN.encode("euc-kr"), "EUC-KR", KOREAN),
    "CP949 called EUC-KR": ("뷁 똠방각하 펲시".encode("cp949"), "euc-kr", "뷁 똠방각하 펲시"),
    "EUC-KR by the page": (b'<meta charset="euc-kr">' + KOREAN.encode("euc-kr"), "", '<meta charset="euc-kr">' + KOREAN),
    "EUC-KR by an old page": (
        b'<meta http-equiv=Content-Type content="text/html; charset=ks_c_5601-1987">' + KOREAN.encode("cp949"),
        "",
        '<meta http-equiv=Content-Type content="text/html; charset=ks_c_5601-1987">' + KOREAN,
    ),
    "EUC-KR, not declared": (KOREAN.encode("cp949"), "", KOREAN),
    "EUC-KR, declared as UTF-8": (KOREAN.encode("cp949"), "utf-8", KOREAN),
    "EUC-KR, declared as Latin-1": (KOREAN.encode("cp949"), "iso-8859-1", KOREAN),
    "ISO-2022-KR": (KOREAN.encode("iso2022_kr"), "iso-2022-kr", KOREAN),
    "UTF-8 with a mark": (codecs.BOM_UTF8 + KOREAN.encode(), "cp949", KOREAN),
    "UTF-16 with a mark": (codecs.BOM_UTF16_LE + KOREAN.encode("utf-16-le"), "", KOREAN),
    "UTF-16 by the header": (KOREAN.encode("utf-16-be"), "utf-16be", KOREAN),
    "Shift JIS": ("日本語のページです".encode("cp932"), "shift_jis", "日本語のページです"),
    "Latin-1": ("déjà vu, très bien".encode("latin-1"), "iso-8859-1", "déjà vu, très bien"),
    "Windows-1252, not declared": (b"caf\xe9 \x80 5", "", "café € 5"),
    "one broken byte": (b"<meta charset=euc-kr>" + KOREAN.encode("cp949") * 9 + b"\xff", "", "<meta charset=euc-kr>" + KOREAN * 9 + "\ufffd"),
    "a codec that is none of the web's": (KOREAN.encode(), "zlib", KOREAN),
    "nothing": (b"", "", ""),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_decoded(case: str) -> None:
    body, header, text = CASES[case]
    assert decoded(body, header) == text


@given(
    st.binary(max_size=300),
    st.sampled_from(["", "euc-kr", "utf-16", "iso-8859-1", "iso-2022-kr", "rot13", "hex", "\x00"]),
)
def test_all_bytes_are_some_text(body: bytes, header: str) -> None:
    assert isinstance(decoded(body, header), str)
