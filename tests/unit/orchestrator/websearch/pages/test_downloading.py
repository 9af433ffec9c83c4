"""Bodies are unpacked within the limit, and bombs do not go off."""

from __future__ import annotations

import gzip
import tracemalloc
import zlib

import pytest

from orchestrator.websearch.errors import PageUnread, Refusal
from orchestrator.websearch.pages.downloading import Unpacker

TEXT = "결제 서비스".encode() * 500
RAW = zlib.compressobj(wbits=-zlib.MAX_WBITS)
PACKED = {
    "not at all": ("", TEXT),
    "identity": ("identity", TEXT),
    "gzip": ("gzip", gzip.compress(TEXT)),
    "GZIP": (" GZIP ", gzip.compress(TEXT)),
    "gzip in two members": ("x-gzip", gzip.compress(TEXT[:4000]) + gzip.compress(TEXT[4000:])),
    "deflate": ("deflate", zlib.compress(TEXT)),
    "deflate without its header": ("deflate", RAW.compress(TEXT) + RAW.flush()),
}


def fed(encoding: str, body: bytes, limit: int, piece: int) -> bytes:
    unpacker = Unpacker(encoding, limit)
    for at in range(0, len(body), piece):
        unpacker.feed(body[at : at + piece])
    return unpacker.body()


@pytest.mark.parametrize("piece", [1, 7, 1 << 16])
@pytest.mark.parametrize("case", PACKED)
def test_unpacked_in_whatever_pieces_it_comes(case: str, piece: int) -> None:
    encoding, body = PACKED[case]
    assert fed(encoding, body, len(TEXT), piece) == TEXT


@pytest.mark.parametrize("case", PACKED)
def test_one_byte_too_many(case: str) -> None:
    encoding, body = PACKED[case]
    with pytest.raises(PageUnread) as raised:
        fed(encoding, body, len(TEXT) - 1, 1 << 16)
    assert raised.value.refusal is Refusal.SIZE


def test_a_bomb_does_not_go_off() -> None:
    bomb = gzip.compress(bytes(300 << 20))
    tracemalloc.start()
    with pytest.raises(PageUnread):
        fed("gzip", bomb, 1 << 20, 1 << 16)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8 << 20


def test_packed_wrongly_or_otherwise() -> None:
    with pytest.raises(PageUnread, match="cannot be unpacked"):
        fed("gzip", b"no gzip at all" * 9, 1 << 20, 1 << 16)
    with pytest.raises(PageUnread, match="was not asked for"):
        Unpacker("br", 1)
    with pytest.raises(PageUnread, match="was not asked for"):
        Unpacker("gzip, gzip", 1)
