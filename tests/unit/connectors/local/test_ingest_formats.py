"""Every kind of document that is read, from files made here: titles, headings, authors, dates, and words in Korean."""

import io
import re
import zipfile
import zlib
from datetime import UTC, date, datetime

import docx
import openpyxl
import pptx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from connectors.local.ingest import office
from connectors.local.ingest.decoding import text_of
from connectors.local.ingest.drafts import IngestLimits, Reason, Skip
from connectors.local.ingest.reading import READ, read_document
from connectors.local.ingest.worker import IngestWorkers, attempted
from connectors.passages import passages_of
from translators.query import Kind

LIMITS = IngestLimits()


def all_text(draft):
    return "\n".join(each.text for each in draft.sections)


def saved(document):
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def pdf(text="Retention is 90 days", *, trailer=b""):
    """The smallest PDF that says something, written by hand."""
    stream = zlib.compress(f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode())
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Title <%s> /Author (Minsu) /CreationDate (D:20261001090000+09'00') >>"
        % ("보존 정책".encode("utf-16")[:2][::-1] + "보존 정책".encode("utf-16-be")).hex().encode(),
    ]
    out = bytearray(b"%PDF-1.4\n")
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer << /Size %d /Root 1 0 R /Info 6 0 R %s >>\nstartxref\n%d\n%%%%EOF" % (
        len(objects) + 1,
        trailer,
        start,
    )
    return bytes(out)


def test_markdown_by_its_front_matter_and_headings():
    raw = (
        "---\nauthor: 김민수\ndate: 2026-10-01\n---\n# 배포 계획\n머리말\n## 일정\n금요일 **세 시**\n"
        "```sh\n# no heading\n```\n### 예외\n없음\n## 담당\n[위키](https://wiki.example)\n"
    )
    draft = read_document("노트/배포.md", raw.encode())
    assert (draft.title, str(draft.author), draft.created) == ("배포 계획", "김민수", datetime(2026, 10, 1, tzinfo=UTC))
    assert [each.path for each in draft.sections if each.text] == [
        ("배포 계획",),
        ("배포 계획", "일정"),
        ("배포 계획", "일정", "예외"),
        ("배포 계획", "담당"),
    ]
    assert draft.sections[2].text.split() == "금요일 세 시 no heading".split()


def test_a_heading_that_nothing_stands_under_is_found():
    draft = read_document("a.md", "# 로드맵\n## 검색 ##\n## 색인\n### 속도\n".encode())
    assert [each.text for each in draft.sections if each.text] == ["검색", "속도"]
    assert draft.sections[-1].path == ("로드맵", "색인", "속도")
    assert read_document("b.md", b"# Only a title").title == "Only a title"


@pytest.mark.parametrize("charset", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "euc-kr", "cp949", "utf-32"])
def test_korean_text_in_every_charset(charset):
    raw = "휴가 정책은 연 15일이다. 똠방각하".encode("cp949" if charset == "euc-kr" else charset)
    if charset == "utf-16-be":
        raw = b"\xfe\xff" + raw
    draft = read_document("휴가.txt", raw)
    assert draft.title == "휴가"
    assert "휴가 정책은 연 15일이다" in all_text(draft)


def test_text_of_western_europe_is_not_read_as_korean():
    told = "Le café préféré de la société est fermé à Noël, d'où l'événement déplacé. " * 3
    read = text_of(told.encode("latin-1"))
    assert "café préféré de la société est fermé" in read
    assert len(read) == len(told)


def test_what_is_no_text_is_named():
    with pytest.raises(Skip) as caught:
        text_of(b"\x00\x01\x02PNG" * 50)
    assert caught.value.reason == Reason.WRONG_TYPE


def test_html_without_its_menu():
    raw = """<html><head><title>위키</title><meta name="author" content="이서연"><meta charset="utf-8"></head><body>
    <nav><a href="/">홈 메뉴</a></nav><article><h1>온보딩</h1><p>노트북은 첫날 지급한다. 계정은 인사팀이 만든다.</p>
    <p>질문은 총무팀 채널에서 받는다.</p></article><script>alert(1)</script></body></html>"""
    draft = read_document("온보딩.html", raw.encode())
    assert draft.kind == Kind.PAGE
    assert draft.title in {"위키", "온보딩"}
    assert "노트북은 첫날 지급한다" in all_text(draft)
    assert "alert" not in all_text(draft)
    assert "홈 메뉴" not in all_text(draft)


def test_a_page_of_confluence_by_its_frame():
    raw = """<html><head><title>플랫폼 : 장애 대응</title></head><body><div id="main-header"><h1 id="title-heading">
    <span id="title-text">플랫폼 : 장애 대응</span></h1></div><div id="content"><div class="page-metadata">Created by
    <span class='author'> 박지훈</span>, last modified on Mar 05, 2026</div><div id="main-content"><p>처음에 본다.</p>
    <h2>연락처</h2><p>당직자에게 전화한다.</p><table><tr><th>이름</th><td><p>김민수</p></td></tr></table></div></div></body></html>"""
    draft = read_document("장애_12.html", raw.encode())
    assert (draft.title, str(draft.author), str(draft.container)) == ("장애 대응", "박지훈", "플랫폼")
    assert draft.updated == datetime(2026, 3, 5, tzinfo=UTC)
    assert [(each.path, each.text) for each in draft.sections] == [
        ((), "처음에 본다."),
        (("연락처",), "당직자에게 전화한다.\n\n| 이름 | 김민수 |"),
    ]


def test_word():
    document = docx.Document()
    document.core_properties.author, document.core_properties.title = "김민수", "예산안"
    document.add_heading("개요", 1)
    document.add_paragraph("내년 예산은 3억 원이다.")
    document.add_heading("내역", 2)
    table = document.add_table(rows=1, cols=2)
    table.cell(0, 0).text, table.cell(0, 1).text = "서버", "1억"
    draft = read_document("b.docx", saved(document))
    assert (draft.title, str(draft.author)) == ("예산안", "김민수")
    assert [(each.path, each.text) for each in draft.sections if each.text] == [
        (("개요",), "내년 예산은 3억 원이다."),
        (("개요", "내역"), "서버 | 1억"),
    ]


INSERTED = f"""<w:p {nsdecls("w")}><w:r><w:t>숙박비는 1박 </w:t></w:r>
<w:ins w:id="1" w:author="Kim"><w:r><w:t>15만원</w:t></w:r></w:ins>
<w:del w:id="2" w:author="Kim"><w:r><w:delText>12만원</w:delText></w:r></w:del><w:r><w:t>입니다.</w:t></w:r></w:p>"""
BOXED = f"""<w:p {nsdecls("w")} xmlns:v="urn:schemas-microsoft-com:vml"><w:r><w:pict><v:textbox><w:txbxContent>
<w:p><w:r><w:t>문의 내선 4411</w:t></w:r></w:p></w:txbxContent></v:textbox></w:pict></w:r></w:p>"""
CONTROL = f"<w:sdt {nsdecls('w')}><w:sdtContent><w:p><w:r><w:t>승인자 박수진</w:t></w:r></w:p></w:sdtContent></w:sdt>"


def test_word_with_tracked_changes_text_boxes_and_forms():
    """What is inserted with changes tracked is said, what is deleted is not; a form keeps its fields in content controls."""
    document = docx.Document()
    document.add_heading("출장비", 1)
    for each in (INSERTED, BOXED, CONTROL):
        document.element.body.insert(-1, parse_xml(each))
    document.sections[0].header.paragraphs[0].text = "문서번호 HR-22"
    document.sections[0].footer.paragraphs[0].text = "1"
    document.add_comment(document.paragraphs[0].runs, text="12월부터입니다", author="김하나")
    assert [
        (each.path, each.text.split()) for each in read_document("b.docx", saved(document)).sections if each.text
    ] == [
        (("출장비",), "숙박비는 1박 15만원입니다. 문의 내선 4411 승인자 박수진".split()),
        ((), "문서번호 HR-22 김하나: 12월부터입니다".split()),
    ]


def test_excel_as_it_is_shown():
    """Above the names of its columns a sheet may have a title, a day has no hour, and 12.5 % is kept as 0.125."""
    book = openpyxl.Workbook()
    book.active.title = "예산"
    for row in (
        ["2027년 예산안"],
        [],
        ["부서", "마감", "비율"],
        ["IT", date(2026, 12, 1), 0.125],
        ["HR", datetime(2026, 12, 1, 9, 30), 1],  # noqa: DTZ001
    ):
        book.active.append(row)
    book.active["C4"].number_format = "0.0%"
    assert [(each.path, each.text) for each in read_document("x.xlsx", saved(book)).sections] == [
        (
            ("예산", "2027년 예산안"),
            "부서: IT; 마감: 2026-12-01; 비율: 12.5%\n부서: HR; 마감: 2026-12-01 09:30:00; 비율: 1",
        )
    ]


@pytest.mark.parametrize("ending", sorted(READ))
def test_a_file_of_no_bytes_is_empty_and_not_damaged(ending):
    with pytest.raises(Skip) as told:
        read_document(f"x{ending}", b"")
    assert told.value.reason is Reason.EMPTY


def test_powerpoint_with_its_notes():
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text, slide.placeholders[1].text = "로드맵", "1분기에 검색을 연다"
    slide.notes_slide.notes_text_frame.text = "발표 때 시연한다"
    draft = read_document("로드맵.pptx", saved(deck))
    assert draft.title in {"PowerPoint Presentation", "로드맵"}
    assert draft.sections[0].path == ("로드맵",)
    assert draft.sections[0].text == "1분기에 검색을 연다\n\n발표 때 시연한다"


def test_excel_names_the_column_of_every_value():
    book = openpyxl.Workbook()
    book.active.title = "연락처"
    for row in (["이름", "내선"], ["이서연", 1024], [None, None], ["박지훈", 2048]):
        book.active.append(row)
    draft = read_document("연락처.xlsx", saved(book))
    assert draft.author is None
    assert [(each.path, each.text) for each in draft.sections] == [
        (("연락처",), "이름: 이서연; 내선: 1024\n이름: 박지훈; 내선: 2048")
    ]


def test_comma_separated_values_in_korean_windows():
    draft = read_document("명단.csv", "이름;팀\n이서연;검색\n".encode("cp949"))
    assert all_text(draft) == "이름: 이서연; 팀: 검색"


def test_pdf():
    draft = read_document("x.pdf", pdf())
    assert (draft.title, str(draft.author)) == ("보존 정책", "Minsu")
    assert draft.created == datetime(2026, 10, 1, tzinfo=UTC)
    assert [(each.path, each.text.strip()) for each in draft.sections] == [(("p. 1",), "Retention is 90 days")]


@pytest.mark.parametrize(
    "text",
    [
        "# " + " " * 1_000_000 + "x",
        "# a" + " #" * 500_000 + "x",
        "---\nauthor: " + " " * 1_000_000 + "x\n---\n글",
        "가" * 4_000_000,
        ". " * 1_000_000,
        "\n" * 1_000_000 + "x",
        "```\n" * 300_000 + "x",
    ],
)
def test_hostile_markdown_takes_no_longer_than_it_is_long(text):
    draft = attempted("x.md", text.encode(), LIMITS)
    assert all(len(each.text) <= 1200 for each in passages_of(draft.sections))


def bomb(count=60):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("word/document.xml", b"\0" * (count << 20))
    return file.getvalue()


def locked():
    import pypdf

    writer = pypdf.PdfWriter(io.BytesIO(pdf()))
    writer.encrypt("비밀", algorithm="RC4-128")
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()


@pytest.mark.parametrize(
    ("name", "make", "reason"),
    [
        ("a.pdf", lambda: b"%PDF-1.4 nothing", Reason.BROKEN),
        ("a.pdf", locked, Reason.PASSWORD),
        ("a.pdf", lambda: pdf(" "), Reason.EMPTY),
        ("a.docx", lambda: b"PK\3\4 nothing", Reason.BROKEN),
        ("a.docx", bomb, Reason.UNSAFE),
        (
            "a.xlsx",
            lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"),
            Reason.PASSWORD,
        ),
        ("a.pptx", lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 old", Reason.WRONG_TYPE),
        ("a.md", lambda: b"\n\n \n", Reason.EMPTY),
        ("a.txt", lambda: "가".encode() * 5_000_001, Reason.TOO_BIG),
    ],
)
def test_what_cannot_be_read_is_named(name, make, reason):
    told = attempted(name, make(), LIMITS)
    assert isinstance(told, Skip), told
    assert told.reason == reason
    assert told.detail


def test_a_process_that_dies_or_takes_too_long_costs_one_file(monkeypatch):
    with IngestWorkers(1, IngestLimits(seconds=0.000_001)) as workers:
        with pytest.raises(Skip) as caught:
            workers.read("x.pdf", pdf())
        assert caught.value.reason == Reason.TOO_SLOW
        worker = workers._idle.get()
        assert worker is None
        workers._idle.put(None)
        workers._limits = IngestLimits(seconds=50)
        assert workers.read("x.pdf", pdf()).title == "보존 정책"
        (alive,) = workers._working
        alive._process.kill()
        with pytest.raises(Skip) as caught:
            workers.read("x.pdf", pdf())
        assert caught.value.reason == Reason.BROKEN
        assert workers.read("y.pdf", pdf()).title == "보존 정책"


def scanned(*texts):
    """A PDF of pages; one without a text is a picture, and one of a blank is empty."""
    from pypdf import PdfWriter
    from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject, StreamObject

    writer = PdfWriter()
    font = {"/Type": "/Font", "/Subtype": "/Type1", "/BaseFont": "/Helvetica"}
    named = {NameObject(key): NameObject(value) for key, value in font.items()}
    for text in texts:
        page, resources, shown = writer.add_blank_page(300, 300), DictionaryObject(), DecodedStreamObject()
        if text:
            resources[NameObject("/Font")] = DictionaryObject({NameObject("/F1"): DictionaryObject(named)})
            shown.set_data(f"BT /F1 12 Tf 20 200 Td ({text}) Tj ET".encode())
        else:
            resources[NameObject("/XObject")] = DictionaryObject(
                {NameObject("/Im"): writer._add_object(StreamObject())}
            )
        page[NameObject("/Resources")], page[NameObject("/Contents")] = resources, writer._add_object(shown)
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()


def test_a_pdf_that_is_partly_scanned_says_which_pages_are_not_read(monkeypatch):
    draft = read_document("계약.pdf", scanned("Term 24 months", "", " ", ""))
    assert "Term 24 months" in all_text(draft)
    assert draft.lost == "no text on 2 of 4 pages, only pictures of it (2, 4); run OCR over it"
    assert read_document("a.pdf", scanned("one", "two", " ")).lost == "", "an empty page has lost nothing"
    monkeypatch.setattr(office, "PAGES", 2)
    assert "it has 3 pages, of which the first 2 are read" in read_document("a.pdf", scanned("1", "2", "3")).lost


def test_formulas_that_nobody_has_worked_out_are_counted():
    book = openpyxl.Workbook()
    for row in (["항목", "금액"], ["서버", 1200], ["합계", "=SUM(B2:B2)"], ["세금", "=B3*0.1"]):
        book.active.append(row)
    raw = saved(book)
    assert read_document("예산.xlsx", raw).lost.startswith("2 formulas have no result in it; open it in Excel")
    worked = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(raw)) as before, zipfile.ZipFile(worked, "w") as after:
        for each in before.namelist():
            text = before.read(each)
            if each.endswith("sheet1.xml"):
                text = re.sub(rb"</f><v\s*/>|</f><v></v>", b"</f><v>1200</v>", text, count=1)
                text = re.sub(rb'<c r="B4"([^>]*)><f>', rb'<c r="B4"\1 t="str"><f>', text)
            after.writestr(each, text)
    draft = read_document("예산.xlsx", worked.getvalue())
    assert (draft.lost, "금액: 1200" in all_text(draft)) == ("", True), "an empty text is a result"


def test_charts_and_diagrams_are_read_as_what_they_show():
    from pptx.chart.data import CategoryChartData
    from pptx.enum.chart import XL_CHART_TYPE
    from pptx.opc.package import Part
    from pptx.opc.packuri import PackURI
    from pptx.util import Inches

    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "분기 매출"
    data = CategoryChartData(number_format="0.0%")
    data.categories = ["1분기", "2분기"]
    data.add_series("성장률", (0.125, 0.3))
    data.add_series("이익률", (0.1, None))
    place = Inches(1), Inches(1), Inches(4), Inches(3)
    slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *place, data)
    days = CategoryChartData()
    days.categories = [date(2026, 3, 2)]
    days.add_series("방문", (20,))
    slide.shapes.add_chart(XL_CHART_TYPE.LINE, *place, days)
    boxes = "".join(
        f"<dgm:pt><dgm:t><a:p><a:r><a:t>{each}</a:t></a:r></a:p></dgm:t></dgm:pt>" for each in ("접수", "검토")
    )
    drawn = f'<dgm:dataModel xmlns:dgm="urn:d" xmlns:a="urn:a"><dgm:ptLst>{boxes}</dgm:ptLst></dgm:dataModel>'
    part = Part(PackURI("/ppt/diagrams/data1.xml"), "application/xml", slide.part.package, drawn.encode())
    slide.part.relate_to(part, "http://schemas.openxmlformats.org/officeDocument/2006/relationships/diagramData")
    draft = read_document("실적.pptx", saved(deck))
    assert all_text(draft).splitlines() == [
        "1분기: 성장률 12.5%; 이익률 10%", "2분기: 성장률 30%", "", "2026-03-02: 방문 20", "", "접수", "검토",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("drawn", "says"), [(b"<c:chart", ""), (b"", ""), (b"<c><ser><val><pt idx='0'><v>7</v></pt></val></ser", "0: 7")]
)
def test_a_broken_chart_costs_nothing_else_of_its_file(drawn, says):
    from docx.opc.packuri import PackURI
    from docx.opc.part import Part

    letter = docx.Document()
    letter.add_paragraph("환영합니다")
    part = Part(PackURI("/word/charts/chart1.xml"), "application/xml", drawn, letter.part.package)
    letter.part.relate_to(part, "http://schemas.openxmlformats.org/officeDocument/2006/relationships/chart")
    assert all_text(read_document("안내.docx", saved(letter))).split("\n") == ["환영합니다", *filter(None, [says])]


def test_what_a_template_says_of_itself_is_not_said_of_the_file():
    deck, letter = pptx.Presentation(), docx.Document()
    deck.slides.add_slide(deck.slide_layouts[5]).shapes.title.text = "환영합니다"
    deck.core_properties.title = "PowerPoint 프레젠테이션"
    letter.add_paragraph("환영합니다")
    for draft in (read_document("안내.pptx", saved(deck)), read_document("안내.docx", saved(letter))):
        assert (draft.title, draft.author, draft.created, draft.updated) == ("안내", None, None, None)
