"""Bytes become the text that was meant, whatever the page says of itself."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.websearch.pages.reading import decoded

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
