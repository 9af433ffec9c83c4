"""Atlassian Documents as plain text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.jira.adf import from_adf
from connectors.text import plain_text


def doc(*nodes: Any) -> dict[str, Any]:
    return {"type": "doc", "version": 1, "content": list(nodes)}


def text(said: str, **mark: Any) -> dict[str, Any]:
    return {"type": "text", "text": said, **({"marks": [mark]} if mark else {})}


def paragraph(*nodes: Any) -> dict[str, Any]:
    return {"type": "paragraph", "content": list(nodes)}


def block(kind: str, *nodes: Any, **attrs: Any) -> dict[str, Any]:
    return {"type": kind, "attrs": attrs, "content": list(nodes)}


@pytest.mark.parametrize(
    ("document", "plain"),
    [
        (None, ""),
        ({}, ""),
        ([], ""),
        (7, ""),
        ("older replies\r\nhave a string", "older replies\nhave a string"),
        (doc(), ""),
        (doc(paragraph(text("배포는 "), text("금요일", type="strong"), text("입니다."))), "배포는 금요일입니다."),
        (doc(paragraph(text("a")), paragraph(), paragraph(text("b"))), "a\n\nb"),
        (doc(paragraph(text("a"), {"type": "hardBreak"}, text("b"))), "a\nb"),
        (doc(block("heading", text("Why"), level=1), paragraph(text("so"))), "Why\nso"),
        (doc(paragraph(text("guide", type="link", attrs={"href": "https://x.example"}))), "guide (https://x.example)"),
        (
            doc(paragraph(text("https://x.example", type="link", attrs={"href": "https://x.example"}))),
            "https://x.example",
        ),
        (doc(paragraph(block("mention", id="1", text="@김민수"), text("님"))), "@김민수님"),
        (doc(paragraph(block("emoji", shortName=":tada:"), block("emoji", shortName=":x:", text="❌"))), ":tada:❌"),
        (doc(paragraph(block("status", text="진행 중", color="blue"))), "진행 중"),
        (doc(paragraph(block("date", timestamp="1795046400000"))), "2026-11-19"),
        (doc(paragraph(block("date", timestamp="9" * 40), text("x"))), "x"),
        (doc(block("blockCard", url="https://wiki.example/a"), paragraph(text("x"))), "https://wiki.example/a\nx"),
        (doc(block("codeBlock", text("if a:\n    b()"), language="python"), paragraph(text("x"))), "if a:\n    b()\nx"),
        (doc(block("expand", paragraph(text("inside")), title="자세히")), "자세히\ninside"),
        (doc(block("mediaSingle", block("media", alt="diagram", id="1"))), "diagram"),
        (doc(block("bodiedExtension", paragraph(text("kept")), text="shown")), "shownkept"),
        (doc(block("no-such-node", paragraph(text("kept")))), "kept"),
        (
            doc(block("taskList", *(block("taskItem", text(each), state=each) for each in ("TODO", "DONE")))),
            "☐ TODO\n☑ DONE",
        ),
        (doc("loose", 7, None, paragraph("loose", text("kept"))), "kept"),
    ],
)
def test_what_a_person_sees_in_a_document(document: object, plain: str) -> None:
    assert from_adf(document) == plain


def test_cells_and_items_do_not_run_into_each_other() -> None:
    row = block("tableRow", block("tableHeader", paragraph(text("이름"))), block("tableCell", paragraph(text("값"))))
    items = block("bulletList", *(block("listItem", paragraph(text(each))) for each in ("하나", "둘")))
    words = from_adf(doc(block("table", row), items)).split()
    assert words == ["|", "이름", "|", "값", "|", "-", "하나", "-", "둘"]


def test_a_table_has_rows_a_list_its_numbers_and_what_is_struck_out_stays_so() -> None:
    """As a page of Confluence has them: whoever reads the text sees one structure."""

    def cells(kind: str, *said: str) -> dict[str, Any]:
        return block("tableRow", *(block(kind, paragraph(text(each))) for each in said))

    table = block("table", cells("tableHeader", "이름", "담당"), cells("tableCell", "결제", "김민수"))
    steps = block("orderedList", *(block("listItem", paragraph(text(each))) for each in ("stir", "serve")), order=3)
    moved = paragraph(text("1 May", type="strike"), text(" 7 June"))
    told = from_adf(doc(paragraph(text("위")), table, steps, moved))
    assert told == "위\n| 이름 | 담당 |\n| 결제 | 김민수 |\n3. stir\n4. serve\n~~1 May~~ 7 June"


def test_a_document_may_be_nested_beyond_any_stack() -> None:
    node: Any = text("바닥")
    for _ in range(50_000):
        node = {"type": "blockquote", "content": [node]}
    assert from_adf(doc(node)) == "바닥"
    while node.get("content"):  # taken apart gently: freeing it in one go would recurse in turn
        node = node["content"].pop()


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "content", "text", "attrs", "marks", "href", "url"]), inner, max_size=4
        )
    ),
    max_leaves=20,
)
kinds = st.sampled_from(["doc", "text", "paragraph", "mention", "date", "expand", "tableCell", "link"])


@given(json_values, kinds)
def test_whatever_stands_there_becomes_clean_text(value: Any, kind: str) -> None:
    for document in (value, {"type": kind, "content": value, "attrs": value, "marks": value, "text": value}):
        plain = from_adf(document)
        assert plain == plain_text(plain)
