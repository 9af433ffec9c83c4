"""What documents say that they are for: front matter, heads of pages, READMEs, excerpts and properties of wikis."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.local.ingest.notion_export import as_page
from connectors.local.ingest.purpose import LONGEST, MOST, fields_of, opening_of, purpose_of
from connectors.local.ingest.reading import read_document
from connectors.passages import DocumentSection


@pytest.mark.parametrize(
    ("front", "description", "examples"),
    [
        ("description: converts currencies\nusage_examples:\n  - euro in won?\n  - '환율 계산은?'", "converts currencies", ("euro in won?", "환율 계산은?")),
        ('description: "환율을 계산한다"\nexamples: [euro in won?, "한 번에, 두 개"]', "환율을 계산한다", ("euro in won?", "한 번에, 두 개")),
        ("description: >-\n  folded over\n  two lines\ntitle: x", "folded over two lines", ()),
        ("summary: |\n  first\n\n  second\nUsage-Examples: just one", "first second", ("just one",)),
        ("설명: 휴가를 신청하는 방법\n예시:\n- 연차는 며칠인가요?\n- 반차도 되나요?", "휴가를 신청하는 방법", ("연차는 며칠인가요?", "반차도 되나요?")),
        ("examples:\n  - a question\n    over two lines\n# a comment\ndescription:", "", ("a question over two lines",)),
        ("title: nothing of it\ntags: [a, b]", "", ()),
        ("- description: of a list", "", ()),
    ],
)  # fmt: skip
def test_front_matter(front, description, examples):
    assert purpose_of(fields_of(front)) == (description, examples)
    draft = read_document("a.md", f"---\n{front}\n---\n# Title\ntext".encode())
    assert (draft.description, draft.examples) == (description, examples)
    assert "converts" not in "".join(section.text for section in draft.sections)


def test_what_was_read_of_front_matter_before_still_is():
    raw = "---\ntitle: 'A: plan'\nauthor: 김민수\ndate: 2026-10-01\nlastmod: 2026-10-02\n---\nbody"
    draft = read_document("a.md", raw.encode())
    assert (draft.title, str(draft.author)) == ("A: plan", "김민수")
    assert (draft.created.day, draft.updated.day) == (1, 2)


@pytest.mark.parametrize("meta", ['name="description"', 'property="og:description"'])
@pytest.mark.parametrize("said", ["How refunds are booked", "환불을 장부에 적는 방법"])
def test_the_head_of_a_page(meta, said):
    raw = f"""<html><head><meta charset="utf-8"><title>T</title><meta {meta} content="{said}"></head>
    <body><article><p>One paragraph of the page itself, long enough.</p></article></body></html>"""
    assert read_document("a.html", raw.encode()).description == said


@pytest.mark.parametrize("name", ["README.md", "docs/readme.txt", "README.ko.md", "Readme.rst"])
@pytest.mark.parametrize("said", ["Turns invoices into ledger lines.", "송장을 장부의 줄로 바꾸는 도구입니다."])
def test_the_first_paragraph_of_a_readme(name, said):
    head = (
        "Invoices and more\n================="
        if name.endswith((".rst", ".txt"))
        else "# Invoices\n[![b](https://x.example/b.svg)](https://x.example)"
    )
    draft = read_document(name, f"{head}\n\n{said}\n\nAnother paragraph of it.".encode())
    assert draft.description == said
    assert read_document("notes.md", f"# Invoices\n\n{said}".encode()).description == ""


def test_front_matter_goes_before_the_first_paragraph():
    raw = b"---\ndescription: as it says\n---\nThe first paragraph of this README."
    assert read_document("README.md", raw).description == "as it says"
    assert opening_of("README.md", ()) == ""
    assert opening_of("README.md", (DocumentSection("short"), DocumentSection("--------------------------"))) == ""


@pytest.mark.parametrize(("language", "said"), [("en", "What to do when alarms ring"), ("ko", "경보가 울리면 할 일")])
def test_the_excerpt_of_a_page_of_confluence(language, said):
    raw = f"""<html><head><title>P : T</title></head><body><h1><span id="title-text">P : T {language}</span></h1>
    <div class="page-metadata">x</div><div id="main-content"><p><span class="conf-macro output-inline"
    data-hasbody="true" data-macro-name="excerpt">{said}</span></p><p>more</p></div></body></html>"""
    draft = read_document("a.html", raw.encode())
    assert draft.description == said
    assert said in draft.sections[0].text, "it is part of the page as well"


@pytest.mark.parametrize("name", ["Description", "Summary", "설명", "요약"])
def test_a_property_of_a_page_of_notion(name):
    raw = f"# 배포\n\nOwner: 김민수\n{name}: who may deploy, and when\n\nbody"
    path = "팀/배포 0123456789abcdef0123456789abcdef.md"
    assert as_page(read_document(path, raw.encode()), path).description == "who may deploy, and when"


@given(st.text())
def test_any_front_matter_is_read(front):
    description, examples = purpose_of(fields_of(front))
    assert len(description) <= LONGEST
    assert len(examples) <= MOST
    assert not any("\n" in each for each in (description, *examples))


@pytest.mark.parametrize(
    "piece", ["a: ", "- ", "[" * 50, "a b-", "description: >\n", '"', "examples: [", "x" * 40 + " "]
)
def test_hostile_front_matter_costs_what_it_is_long(piece):
    def spent(times):
        begun = time.process_time()
        purpose_of(fields_of(piece * times))
        return time.process_time() - begun

    assert min(spent(40_000) for _ in range(2)) < 20 * (min(spent(4_000) for _ in range(3)) + 0.01)
