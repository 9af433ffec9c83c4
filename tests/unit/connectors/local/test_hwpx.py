"""Documents of Hangul, written by a library that knows the format and nothing of ours."""

from __future__ import annotations

import io
import zipfile

import pytest

from connectors.local.ingest.drafts import DEFAULT_LIMITS, Reason, Skip
from connectors.local.ingest.reading import APART, read_document
from connectors.local.ingest.worker import attempted

hwpx = pytest.importorskip("hwpx")


def made(tmp_path) -> bytes:
    document = hwpx.HwpxDocument.new()
    document.add_paragraph("휴가 규정 2026")
    document.add_paragraph("연차는 15일이고 < 3년 & 이상은 16일이다.")
    table = document.add_table(2, 2)
    for row, texts in enumerate([("구분", "일수"), ("병가", "60일")]):
        for column, text in enumerate(texts):
            table.set_cell_text(row, column, text)
    document.add_paragraph("끝.")
    document.save_to_path(tmp_path / "휴가.hwpx")
    return (tmp_path / "휴가.hwpx").read_bytes()


def changed(raw: bytes, **parts: bytes) -> bytes:
    """The same document with other parts."""
    out = io.BytesIO()
    told = {name.replace("__", "/").replace("_dot_", "."): content for name, content in parts.items()}
    with zipfile.ZipFile(io.BytesIO(raw)) as before, zipfile.ZipFile(out, "w") as after:
        for name in before.namelist():
            if name not in told:
                after.writestr(name, before.read(name))
        for name, content in told.items():
            after.writestr(name, content)
    return out.getvalue()


def test_text_and_tables_are_read_in_the_order_of_the_page(tmp_path):
    draft = read_document("사규/휴가.hwpx", made(tmp_path))
    assert draft.title
    (section,) = draft.sections
    lines = [line for line in section.text.split("\n") if line]
    assert lines == ["휴가 규정 2026", "연차는 15일이고 < 3년 & 이상은 16일이다.", "구분 | 일수", "병가 | 60일", "끝."]
    assert ".hwpx" in APART


def test_marks_within_text_and_what_was_taken_out(tmp_path):
    paragraph = (
        '<s xmlns:hp="urn:x"><hp:p><hp:run><hp:t>한 줄<hp:lineBreak/>다음<hp:tab/>칸 <hp:deleteBegin/>옛<hp:markpenBegin/> 말'
        "<hp:deleteEnd/><hp:markpenBegin/>강조<hp:markpenEnd/></hp:t></hp:run></hp:p></s>"
    )
    draft = read_document("a.hwpx", changed(made(tmp_path), Contents__section0_dot_xml=paragraph.encode()))
    assert draft.sections[0].text == "한 줄\n다음\t칸 강조"


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ({"META-INF__manifest_dot_xml": b"<m><encryption-data/></m>"}, Reason.PASSWORD),
        ({"Contents__section0_dot_xml": b"<broken"}, Reason.BROKEN),
        ({"Contents__section0_dot_xml": b"<s/>"}, Reason.EMPTY),
        ({"Contents__section0_dot_xml": b"<p>" * 100_000}, Reason.BROKEN),
    ],
)
def test_what_cannot_be_read_says_why(tmp_path, parts, reason):
    told = attempted("a.hwpx", changed(made(tmp_path), **parts), DEFAULT_LIMITS)
    assert isinstance(told, Skip)
    assert told.reason == reason


def test_a_file_outside_is_not_taken_in(tmp_path):
    (tmp_path / "secret").write_text("planted-secret", "utf-8")
    xml = (
        f'<!DOCTYPE s [<!ENTITY x SYSTEM "file://{tmp_path}/secret"><!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;">]>'
        '<s xmlns:hp="urn:x"><hp:p><hp:run><hp:t>본문 &x; &c;</hp:t></hp:run></hp:p></s>'
    )
    told = attempted("a.hwpx", changed(made(tmp_path), Contents__section0_dot_xml=xml.encode()), DEFAULT_LIMITS)
    assert "planted-secret" not in str(told)


def test_no_document_of_hangul_at_all():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr("a.txt", "x")
    with pytest.raises(Skip) as skip:
        read_document("a.hwpx", out.getvalue())
    assert skip.value.reason == Reason.BROKEN
